//! A fixed list of table pods.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use futures_util::Stream;
use parlor_common::client::ClientOptions;
use parlor_common::locate::{StaticTables, TableLocator};
use parlor_common::server::{ServerOptions, serve};
use parlor_common::{Code, Failure, Shutdown, TableId};
use parlor_proto::table::v1::table_service_server::{TableService, TableServiceServer};
use parlor_proto::table::v1::{
    ActRequest, ActResponse, CloseTableRequest, CloseTableResponse, CreateTableRequest,
    CreateTableResponse, FindPlayerRequest, FindPlayerResponse, GetTableRequest, GetTableResponse,
    ListTablesRequest, ListTablesResponse, RevealDailySeedRequest, RevealDailySeedResponse,
    WatchRequest, WatchResponse,
};
use tokio::net::TcpListener;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

/// A pod that has the tables of a set and can do nothing else.
#[derive(Clone, Default)]
struct Pod(Arc<Mutex<BTreeSet<TableId>>>);

fn unused<Answer>() -> Result<Response<Answer>, Status> {
    Err(Status::unimplemented("not a part of this test"))
}

#[tonic::async_trait]
impl TableService for Pod {
    type WatchStream = Pin<Box<dyn Stream<Item = Result<WatchResponse, Status>> + Send>>;

    async fn get_table(
        &self,
        request: Request<GetTableRequest>,
    ) -> Result<Response<GetTableResponse>, Status> {
        let table: TableId = request.into_inner().table_id.parse()?;
        if self.0.lock().unwrap().contains(&table) {
            Ok(Response::new(GetTableResponse::default()))
        } else {
            Err(Failure::new(Code::NotFound, "TABLE_NOT_FOUND", "not here").into())
        }
    }

    async fn create_table(
        &self,
        _: Request<CreateTableRequest>,
    ) -> Result<Response<CreateTableResponse>, Status> {
        unused()
    }

    async fn list_tables(
        &self,
        _: Request<ListTablesRequest>,
    ) -> Result<Response<ListTablesResponse>, Status> {
        unused()
    }

    async fn find_player(
        &self,
        _: Request<FindPlayerRequest>,
    ) -> Result<Response<FindPlayerResponse>, Status> {
        unused()
    }

    async fn act(&self, _: Request<ActRequest>) -> Result<Response<ActResponse>, Status> {
        unused()
    }

    async fn watch(&self, _: Request<WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        unused()
    }

    async fn close_table(
        &self,
        _: Request<CloseTableRequest>,
    ) -> Result<Response<CloseTableResponse>, Status> {
        unused()
    }

    async fn reveal_daily_seed(
        &self,
        _: Request<RevealDailySeedRequest>,
    ) -> Result<Response<RevealDailySeedResponse>, Status> {
        unused()
    }
}

async fn pods(shutdown: &Shutdown) -> (Vec<Pod>, Vec<String>) {
    let (mut pods, mut urls) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        urls.push(format!("http://{}", listener.local_addr().unwrap()));
        let pod = Pod::default();
        let routes = Routes::new(TableServiceServer::new(pod.clone()));
        let _server = serve(listener, routes, ServerOptions::new("table"), shutdown).unwrap();
        pods.push(pod);
    }
    (pods, urls)
}

async fn owner(tables: &StaticTables, table: &TableId) -> Result<String, Failure> {
    tables.owner(table).await.map(|pod| pod.address.to_string())
}

#[tokio::test]
async fn the_owner_is_found_remembered_and_forgotten() {
    let shutdown = Shutdown::new();
    let (pods, urls) = pods(&shutdown).await;
    let tables = StaticTables::new(&urls, &ClientOptions::default()).unwrap();
    let table = TableId::random();
    assert_eq!(owner(&tables, &table).await.unwrap_err().reason, "TABLE_NOT_FOUND");

    pods[1].0.lock().unwrap().insert(table);
    assert_eq!(owner(&tables, &table).await.unwrap(), urls[1]);
    // It moves; whoever finds out says so.
    pods[1].0.lock().unwrap().remove(&table);
    pods[0].0.lock().unwrap().insert(table);
    assert_eq!(owner(&tables, &table).await.unwrap(), urls[1]);
    tables.forget(&table);
    assert_eq!(owner(&tables, &table).await.unwrap(), urls[0]);
}

#[tokio::test]
async fn a_table_is_not_given_up_while_a_pod_is_away() {
    let shutdown = Shutdown::new();
    let (pods, mut urls) = pods(&shutdown).await;
    // Nobody listens on this port any more.
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    urls.push(format!("http://{gone}"));
    let tables = StaticTables::new(&urls, &ClientOptions::default()).unwrap();
    let table = TableId::random();
    assert_eq!(owner(&tables, &table).await.unwrap_err().code, Code::Unavailable);
    pods[0].0.lock().unwrap().insert(table);
    assert_eq!(owner(&tables, &table).await.unwrap(), urls[0]);
}

#[tokio::test]
async fn new_tables_go_to_the_pods_in_turn() {
    let urls = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
    let tables = StaticTables::new(&urls, &ClientOptions::default()).unwrap();
    let mut placed = Vec::new();
    for _ in 0..4 {
        placed.push(tables.place().await.unwrap().address.to_string());
    }
    assert_eq!(placed, [urls[0], urls[1], urls[0], urls[1]]);
    assert_eq!(tables.all().await.unwrap().len(), 2);
    assert!(StaticTables::new::<&str>(&[], &ClientOptions::default()).is_err());
}
