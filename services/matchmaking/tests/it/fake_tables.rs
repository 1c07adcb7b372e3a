//! A table service that remembers tables and does as it is told.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use parlor_common::{Code, Failure, TableId};
use parlor_proto::table::v1::table_service_server::TableService;
use parlor_proto::table::v1::{
    ActRequest, ActResponse, CloseTableRequest, CloseTableResponse, CreateTableRequest,
    CreateTableResponse, FindPlayerRequest, FindPlayerResponse, GetTableRequest, GetTableResponse,
    ListTablesRequest, ListTablesResponse, Occupant, Phase, RevealDailySeedRequest,
    RevealDailySeedResponse, SeatView, TableSummary, TableView, WatchRequest, WatchResponse,
};
use tonic::{Request, Response, Status};

/// What happens to the next call of `CreateTable`.
#[derive(Clone, Debug)]
pub enum Fate {
    /// It is refused.
    Refused(Failure),
    /// The table is created and the answer is lost.
    AnswerLost,
    /// Nothing is created, and the answer does not say so.
    Lost,
}

#[derive(Debug, Default)]
pub struct State {
    pub created: Vec<CreateTableRequest>,
    pub closed: Vec<CloseTableRequest>,
    pub fates: VecDeque<Fate>,
    by_request: BTreeMap<String, TableId>,
    pub tables: BTreeMap<TableId, TableView>,
    /// How often players were looked for.
    pub searches: usize,
    /// No player is found, as when the pod that knows has just died.
    pub finds_nobody: bool,
    /// No table is shown.
    pub shows_nothing: bool,
}

impl State {
    fn create(&mut self, request: &CreateTableRequest) -> (TableId, Vec<u32>) {
        let settings = request.settings.clone().unwrap_or_default();
        let table =
            *self.by_request.entry(request.request_id.clone()).or_insert_with(TableId::random);
        let seats = if settings.seats == 0 { 4 } else { settings.seats };
        let seat = |number: u32| {
            let reserved = request.reservations.get(number as usize);
            SeatView {
                seat: number,
                occupant: match reserved {
                    Some(_) => Occupant::Reserved,
                    None if settings.fill_with_bots => Occupant::Bot,
                    None => Occupant::Empty,
                }
                .into(),
                player_id: reserved.map(|seat| seat.player_id.clone()).unwrap_or_default(),
                name: reserved.map(|seat| seat.name.clone()).unwrap_or_default(),
                host: reserved.is_some_and(|seat| seat.host),
                ..SeatView::default()
            }
        };
        self.tables.entry(table).or_insert_with(|| TableView {
            table_id: table.to_string(),
            phase: Phase::Waiting.into(),
            seats: (0..seats).map(seat).collect(),
            room_code: settings.room_code.clone(),
            ..TableView::default()
        });
        (table, (0..).take(request.reservations.len()).collect())
    }

    /// Takes a player's seat away everywhere.
    pub fn stand_up(&mut self, player: &str) {
        for seat in self.tables.values_mut().flat_map(|table| &mut table.seats) {
            if seat.player_id == player {
                seat.occupant = Occupant::Empty.into();
                seat.player_id.clear();
            }
        }
    }
}

/// One pod.
#[derive(Clone, Debug, Default)]
pub struct FakeTables(Arc<Mutex<State>>);

impl FakeTables {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

fn not_found() -> Status {
    Failure::new(Code::NotFound, "TABLE_NOT_FOUND", "there is no such table").into()
}

#[tonic::async_trait]
impl TableService for FakeTables {
    async fn create_table(
        &self,
        request: Request<CreateTableRequest>,
    ) -> Result<Response<CreateTableResponse>, Status> {
        let request = request.into_inner();
        let mut state = self.state();
        state.created.push(request.clone());
        match state.fates.pop_front() {
            Some(Fate::Refused(failure)) => return Err(failure.into()),
            Some(Fate::Lost) => return Err(Status::unavailable("the connection broke")),
            Some(Fate::AnswerLost) => {
                state.create(&request);
                return Err(Status::unavailable("the connection broke"));
            }
            None => {}
        }
        let (table, seats) = state.create(&request);
        Ok(Response::new(CreateTableResponse { table_id: table.to_string(), seats }))
    }

    async fn get_table(
        &self,
        request: Request<GetTableRequest>,
    ) -> Result<Response<GetTableResponse>, Status> {
        let table: TableId = request.get_ref().table_id.parse()?;
        if self.state().shows_nothing {
            return Err(Status::unavailable("the pod is away"));
        }
        let view = self.state().tables.get(&table).cloned().ok_or_else(not_found)?;
        Ok(Response::new(GetTableResponse { table: Some(view) }))
    }

    async fn list_tables(
        &self,
        request: Request<ListTablesRequest>,
    ) -> Result<Response<ListTablesResponse>, Status> {
        let wanted = &request.get_ref().room_code;
        let state = self.state();
        let open = state.tables.values().filter(|table| table.phase() != Phase::Closed);
        let tables = open
            .filter(|table| wanted.is_empty() || table.room_code == *wanted)
            .map(|table| TableSummary {
                table_id: table.table_id.clone(),
                room_code: table.room_code.clone(),
                phase: table.phase,
                ..TableSummary::default()
            })
            .collect();
        Ok(Response::new(ListTablesResponse { tables, next_page_token: String::new() }))
    }

    async fn find_player(
        &self,
        request: Request<FindPlayerRequest>,
    ) -> Result<Response<FindPlayerResponse>, Status> {
        let player = &request.get_ref().player_id;
        let mut state = self.state();
        state.searches += 1;
        if state.finds_nobody {
            return Ok(Response::new(FindPlayerResponse::default()));
        }
        let with_player = state.tables.values().filter(|table| {
            table.phase() != Phase::Closed
                && table.seats.iter().any(|seat| seat.player_id == *player)
        });
        let table_ids = with_player.map(|table| table.table_id.clone()).collect();
        Ok(Response::new(FindPlayerResponse { table_ids }))
    }

    async fn act(&self, _request: Request<ActRequest>) -> Result<Response<ActResponse>, Status> {
        Err(Status::unimplemented("matchmaking does not act"))
    }

    type WatchStream = tokio_stream::Empty<Result<WatchResponse, Status>>;

    async fn watch(
        &self,
        _request: Request<WatchRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Err(Status::unimplemented("matchmaking does not watch"))
    }

    async fn close_table(
        &self,
        request: Request<CloseTableRequest>,
    ) -> Result<Response<CloseTableResponse>, Status> {
        let request = request.into_inner();
        let table: TableId = request.table_id.parse()?;
        let mut state = self.state();
        state.closed.push(request);
        let view = state.tables.get_mut(&table).ok_or_else(not_found)?;
        view.phase = Phase::Closed.into();
        Ok(Response::new(CloseTableResponse {}))
    }

    async fn reveal_daily_seed(
        &self,
        _: Request<RevealDailySeedRequest>,
    ) -> Result<Response<RevealDailySeedResponse>, Status> {
        Err(Status::unimplemented("not needed here"))
    }
}
