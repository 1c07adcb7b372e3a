//! `parlor.table.v1.PlacementService`.

use parlor_common::{Failure, TableId};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::placement_service_server::PlacementService;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::tables::Tables;

/// The service on the tables of this process, and on what it knows of the other pods.
#[derive(Clone, Debug)]
pub struct PlacementApi {
    tables: Tables,
}

impl PlacementApi {
    /// The service.
    #[must_use]
    pub const fn new(tables: Tables) -> Self {
        Self { tables }
    }

    /// This process, when it has the store to itself. Whoever asks knows how to call it.
    fn alone(&self) -> pb::TablePod {
        pb::TablePod {
            tables: self.tables.count() as u64,
            table_limit: self.tables.limit() as u64,
            ..pb::TablePod::default()
        }
    }

    async fn owner(&self, table: TableId) -> Result<pb::TablePod, Error> {
        match self.tables.cluster() {
            Some(cluster) => cluster.owner(table).await,
            None if self.tables.has(table) => Ok(self.alone()),
            None => self.tables.check_recovered().and(Err(Error::TableNotFound)),
        }
    }
}

#[tonic::async_trait]
impl PlacementService for PlacementApi {
    async fn locate_table(
        &self,
        request: Request<pb::LocateTableRequest>,
    ) -> Result<Response<pb::LocateTableResponse>, Status> {
        let table = request.into_inner().table_id.parse::<TableId>()?;
        let pod = self.owner(table).await.map_err(Failure::from)?;
        Ok(Response::new(pb::LocateTableResponse { pod: Some(pod) }))
    }

    async fn list_pods(
        &self,
        _request: Request<pb::ListPodsRequest>,
    ) -> Result<Response<pb::ListPodsResponse>, Status> {
        let pods = match self.tables.cluster() {
            Some(cluster) => cluster.pods(),
            None => vec![self.alone()],
        };
        Ok(Response::new(pb::ListPodsResponse { pods }))
    }

    async fn take_table(
        &self,
        request: Request<pb::TakeTableRequest>,
    ) -> Result<Response<pb::TakeTableResponse>, Status> {
        let pb::TakeTableRequest { table_id, epoch } = request.into_inner();
        let table = table_id.parse::<TableId>()?;
        if self.tables.cluster().is_none() {
            // Nobody else writes to this store.
            return Err(Failure::from(Error::TableNotFound).into());
        }
        let epoch = self.tables.claim(table, epoch).await.map_err(Failure::from)?;
        Ok(Response::new(pb::TakeTableResponse { epoch }))
    }
}
