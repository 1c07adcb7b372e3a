//! The table pods over gRPC.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::{BoxFuture, join_all};
use parlor_common::client::PeerChannel;
use parlor_common::locate::{OWNER_URL, TableLocator};
use parlor_common::server::MAX_MESSAGE_BYTES;
use parlor_common::status::DOMAIN;
use parlor_common::{Code, Failure, PlayerId, TableId};
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use parlor_proto::table::v1::{
    CloseTableRequest, CreateTableRequest, CreateTableResponse, FindPlayerRequest, GetTableRequest,
    ListTablesRequest, Occupant, Phase, SeatReservation, TableView,
};
use tonic::{Request, Response, Status};
use tonic_types::StatusExt;

use crate::error::Error;
use crate::room::RoomCode;

use super::{CreateError, CreatedTable, NewTable, Seats, Tables, Whereabouts};

/// Longest wait for one try to create a table.
pub const CREATE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Tries to create a table.
pub const CREATE_TRIES: u32 = 2;

/// Tries to ask the owner of a table, when it is not where it was thought to be.
const OWNER_TRIES: u32 = 3;

/// Reasons of a pod that takes no tables, while others may.
const TAKES_NONE: [&str; 2] = ["TABLES_DRAINING", "TABLES_STARTING"];

/// Longest wait for a question that many pods are asked.
pub const ASK_TIMEOUT: Duration = Duration::from_secs(1);

/// Largest page of tables that is asked for.
const PAGE: u32 = 500;

/// Pages that are read of one pod in search of a code. A pod that knows the `room_code` filter
/// answers with one.
const MAX_PAGES: usize = 40;

/// A question to a pod that is under way.
type Asked<Answer> = BoxFuture<'static, Result<Response<Answer>, Status>>;

/// The table pods that a locator knows.
#[derive(Clone)]
pub struct TablePods {
    locator: Arc<dyn TableLocator>,
}

impl TablePods {
    /// The pods of this locator.
    #[must_use]
    pub fn new(locator: Arc<dyn TableLocator>) -> Self {
        Self { locator }
    }

    /// Asks the owner of a table, also one that has just changed; `None` when there is no table.
    async fn at_owner<Answer>(
        &self,
        table: &TableId,
        ask: impl Fn(TableServiceClient<PeerChannel>) -> Asked<Answer> + Send + Sync,
    ) -> Result<Option<Answer>, Failure> {
        let mut tries = 0;
        loop {
            tries += 1;
            let answer = match self.locator.owner(table).await {
                Ok(pod) => ask(client(pod.channel)).await.map_err(Failure::from),
                Err(failure) => Err(failure),
            };
            let failure = match answer {
                Ok(answer) => return Ok(Some(answer.into_inner())),
                Err(failure) => failure,
            };
            match failure.metadata.get(OWNER_URL) {
                Some(url) => self.locator.learn(table, url),
                None => self.locator.forget(table),
            }
            match failure.code {
                Code::NotFound => return Ok(None),
                Code::Unavailable if tries < OWNER_TRIES => {}
                _ => return Err(failure),
            }
        }
    }
}

fn client(channel: PeerChannel) -> TableServiceClient<PeerChannel> {
    TableServiceClient::new(channel).max_decoding_message_size(MAX_MESSAGE_BYTES)
}

fn within<T>(timeout: Duration, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(timeout);
    request
}

#[async_trait]
impl Tables for TablePods {
    async fn create(&self, table: NewTable) -> Result<CreatedTable, CreateError> {
        let request = to_wire(&table);
        // A pod that was never reached, or takes no tables, has created nothing: another may be
        // asked.
        let mut turned_away = None;
        for _ in 0..CREATE_TRIES {
            let pod = self.locator.place().await.map_err(CreateError::Refused)?;
            match create_at(pod.channel, &request).await {
                Ok(response) => return from_wire(&response, table.players.len()),
                Err(Uncreated::Elsewhere(failure)) => {
                    self.locator.avoid(&pod.address);
                    turned_away = Some(failure);
                }
                Err(Uncreated::Refused(failure)) => return Err(CreateError::Refused(failure)),
                Err(Uncreated::Unknown(failure)) => return Err(CreateError::Unknown(failure)),
            }
        }
        Err(CreateError::Refused(turned_away.unwrap_or_else(Failure::internal)))
    }

    async fn whereabouts(&self, player: PlayerId) -> Whereabouts {
        let pods = match self.locator.all().await {
            Ok(pods) => pods,
            Err(failure) => {
                tracing::warn!(%failure, "the table pods are not known");
                return Whereabouts { silent: 1, ..Whereabouts::default() };
            }
        };
        let asked = pods.into_iter().map(|pod| async move {
            let request = FindPlayerRequest { player_id: player.to_string() };
            client(pod.channel).find_player(within(ASK_TIMEOUT, request)).await
        });
        let mut found = Whereabouts::default();
        for answer in join_all(asked).await {
            match answer {
                Ok(answer) => {
                    found.answered += 1;
                    let ids = answer.into_inner().table_ids;
                    found.tables.extend(ids.iter().filter_map(|id| id.parse::<TableId>().ok()));
                }
                Err(_) => found.silent += 1,
            }
        }
        found
    }

    async fn seats(&self, table: TableId) -> Result<Option<Seats>, Failure> {
        let request = GetTableRequest { table_id: table.to_string() };
        let answer = self
            .at_owner(&table, |mut owner| {
                let request = within(ASK_TIMEOUT, request.clone());
                Box::pin(async move { owner.get_table(request).await })
            })
            .await?;
        Ok(answer.and_then(|answer| answer.table.as_ref().and_then(seats_of)))
    }

    async fn close(&self, table: TableId, reason: &'static str) -> Result<(), Failure> {
        let request = CloseTableRequest { table_id: table.to_string(), reason: reason.to_owned() };
        self.at_owner(&table, |mut owner| {
            let request = within(CREATE_TIMEOUT, request.clone());
            Box::pin(async move { owner.close_table(request).await })
        })
        .await
        .map(drop)
    }

    async fn with_code(&self, code: RoomCode) -> Result<Option<TableId>, Error> {
        let pods = self.locator.all().await.map_err(|_| Error::TablesUnavailable)?;
        let asked = pods.into_iter().map(|pod| find_code(client(pod.channel), code));
        let mut silent = false;
        for answer in join_all(asked).await {
            match answer {
                Ok(Some(table)) => return Ok(Some(table)),
                Ok(None) => {}
                Err(_) => silent = true,
            }
        }
        if silent { Err(Error::TablesUnavailable) } else { Ok(None) }
    }
}

/// Why a pod has created no table, as far as is known.
enum Uncreated {
    /// It was never reached, or takes no tables now.
    Elsewhere(Failure),
    /// The table is refused.
    Refused(Failure),
    /// It may have created it.
    Unknown(Failure),
}

/// Asks one pod, again with the same request id when the answer is lost.
async fn create_at(
    channel: PeerChannel,
    request: &CreateTableRequest,
) -> Result<CreateTableResponse, Uncreated> {
    let mut client = client(channel);
    let mut lost = None;
    for _ in 0..CREATE_TRIES {
        match client.create_table(within(CREATE_TIMEOUT, request.clone())).await {
            Ok(response) => return Ok(response.into_inner()),
            // After a lost answer, that of a pod which is full by now says nothing of the table.
            Err(status)
                if is_refusal(&status)
                    && (lost.is_none() || status.code() != tonic::Code::ResourceExhausted) =>
            {
                return Err(Uncreated::Refused(status.into()));
            }
            Err(status) if lost.is_none() && never_sent(&status) => {
                return Err(Uncreated::Elsewhere(status.into()));
            }
            Err(status) => {
                let failure = Failure::from(status);
                if lost.is_none() && TAKES_NONE.contains(&failure.reason.as_str()) {
                    return Err(Uncreated::Elsewhere(failure));
                }
                lost = Some(failure);
            }
        }
    }
    Err(Uncreated::Unknown(lost.unwrap_or_else(Failure::internal)))
}

/// Whether no pod has seen the request, because there was no connection.
fn never_sent(status: &Status) -> bool {
    let mut cause = status.source();
    while let Some(error) = cause {
        if error.is::<tonic::ConnectError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Whether a table service has answered, and that there is no table.
fn is_refusal(status: &Status) -> bool {
    let ours = status.get_details_error_info().is_some_and(|info| info.domain == DOMAIN);
    match Code::from_grpc(status.code()) {
        Code::Unavailable | Code::Internal | Code::Stale => false,
        Code::Invalid
        | Code::Unauthenticated
        | Code::Denied
        | Code::NotFound
        | Code::Precondition
        | Code::Exhausted => ours,
    }
}

fn to_wire(table: &NewTable) -> CreateTableRequest {
    let reservation = |member: &crate::ticket::Member| SeatReservation {
        player_id: member.player.to_string(),
        name: member.name.clone(),
        seat: None,
        host: table.host == Some(member.player),
    };
    CreateTableRequest {
        request_id: table.request_id.clone(),
        settings: Some(table.settings.clone()),
        reservations: table.players.iter().map(reservation).collect(),
    }
}

fn from_wire(response: &CreateTableResponse, players: usize) -> Result<CreatedTable, CreateError> {
    let table = response.table_id.parse().map_err(CreateError::Unknown)?;
    if response.seats.len() != players {
        tracing::error!(%table, "a table was created with seats for other players");
        return Err(CreateError::Unknown(Failure::internal()));
    }
    Ok(CreatedTable { table, seats: response.seats.clone() })
}

fn seats_of(view: &TableView) -> Option<Seats> {
    if view.phase() == Phase::Closed {
        return None;
    }
    let host = view.seats.iter().find(|seat| seat.host);
    let mut seats = Seats {
        host: host.and_then(|seat| seat.player_id.parse().ok()),
        hand_no: view.hand_no,
        ..Seats::default()
    };
    for seat in &view.seats {
        match seat.occupant() {
            Occupant::Empty => seats.free += 1,
            Occupant::Player | Occupant::Reserved | Occupant::Bot => {
                seats.taken.extend(seat.player_id.parse().ok().map(|player| (player, seat.seat)));
            }
            Occupant::Unspecified => {}
        }
    }
    Some(seats)
}

async fn find_code(
    mut client: TableServiceClient<PeerChannel>,
    code: RoomCode,
) -> Result<Option<TableId>, Status> {
    let code = code.to_string();
    let mut page_token = String::new();
    for _ in 0..MAX_PAGES {
        let request = ListTablesRequest {
            page_size: PAGE,
            page_token,
            room_code: code.clone(),
            ..ListTablesRequest::default()
        };
        let page = client.list_tables(within(ASK_TIMEOUT, request)).await?.into_inner();
        let open = page
            .tables
            .iter()
            .find(|table| table.room_code == code && table.phase() != Phase::Closed);
        if let Some(table) = open {
            return Ok(table.table_id.parse().ok());
        }
        if page.next_page_token.is_empty() {
            return Ok(None);
        }
        page_token = page.next_page_token;
    }
    Ok(None)
}
