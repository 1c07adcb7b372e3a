//! Table pods that come and go.

use parlor_common::client::ClientOptions;
use parlor_common::locate::{LiveTables, TableLocator};
use parlor_common::server::{ServerOptions, serve};
use parlor_common::{Shutdown, TableId};
use parlor_proto::table::v1::placement_service_server::{PlacementService, PlacementServiceServer};
use parlor_proto::table::v1::{
    ListPodsRequest, ListPodsResponse, LocateTableRequest, LocateTableResponse, TablePod,
    TakeTableRequest, TakeTableResponse,
};
use tokio::net::TcpListener;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

/// A pod that knows only others, and says that it owns every table itself.
struct Adviser {
    others: Vec<TablePod>,
}

#[tonic::async_trait]
impl PlacementService for Adviser {
    async fn locate_table(
        &self,
        _: Request<LocateTableRequest>,
    ) -> Result<Response<LocateTableResponse>, Status> {
        Ok(Response::new(LocateTableResponse { pod: Some(TablePod::default()) }))
    }

    async fn list_pods(
        &self,
        _: Request<ListPodsRequest>,
    ) -> Result<Response<ListPodsResponse>, Status> {
        Ok(Response::new(ListPodsResponse { pods: self.others.clone() }))
    }

    async fn take_table(
        &self,
        _: Request<TakeTableRequest>,
    ) -> Result<Response<TakeTableResponse>, Status> {
        Err(Status::unimplemented("not a part of this test"))
    }
}

#[tokio::test]
async fn the_given_addresses_are_asked_when_all_known_pods_are_of_the_past() {
    // Nobody listens there any more.
    let gone = |port: u16| TablePod {
        pod_id: port.to_string(),
        url: format!("http://127.0.0.1:{port}"),
        table_limit: 1,
        ..TablePod::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let shutdown = Shutdown::new();
    let adviser = Adviser { others: (1..=12).map(gone).collect() };
    let routes = Routes::new(PlacementServiceServer::new(adviser));
    let _server = serve(listener, routes, ServerOptions::new("table"), &shutdown).unwrap();

    let tables = LiveTables::new(std::slice::from_ref(&url), &ClientOptions::default()).unwrap();
    assert_eq!(tables.all().await.unwrap().len(), 12, "these are known now");
    let owner = tables.owner(&TableId::random()).await.unwrap();
    assert_eq!(&*owner.address, url);
}
