//! The start of a session: Hello, who it is, and where the player was.

use std::time::Duration;

use bytes::Bytes;
use parlor_common::{Code, Failure, TableId};
use parlor_proto::gateway::v1::{Hello, Welcome, client_frame};
use parlor_proto::matchmaking::v1::{FindPlayerRequest, FindPlayerResponse};
use parlor_proto::settlement::v1::GetBalanceRequest;
use tokio::time::timeout;

use super::registry::{About, Arrival, Lease};
use super::{Connection, Core, Ending, Inbound};
use crate::{peers, reasons};

/// Longest wait for matchmaking and the ledger while a client waits for its Welcome.
const WELCOME_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest client seed in bytes.
const MAX_CLIENT_SEED_BYTES: usize = 32;
/// Resume points that are looked at: more than may be watched by any sensible setting.
const MAX_RESUME_POINTS: usize = 64;
/// Longest name of a client program that is logged, in characters.
const MAX_CLIENT_CHARS: usize = 64;

/// A client that has said Hello.
pub struct Greeted {
    /// The player's session.
    pub lease: Lease,
    /// The session before was at another gateway.
    pub has_moved: bool,
    /// The player's name.
    pub name: String,
    /// The client wants whole views.
    pub with_views: bool,
    /// For the shuffles; may be empty.
    pub client_seed: Bytes,
    /// What to say first.
    pub welcome: Welcome,
    /// Tables to watch, with the last number that the client has.
    pub tables: Vec<(TableId, Option<u64>)>,
}

/// Waits for Hello and answers it.
///
/// # Errors
/// How the connection ends instead.
pub async fn greet(core: &Core, connection: &mut Connection) -> Result<Greeted, Ending> {
    let limit = Duration::from_millis(core.config.gateway_hello_timeout_ms);
    let hello = timeout(limit, hello(connection)).await.map_err(|_| hello_expected())??;
    if core.leaving.is_cancelled() {
        return Err(failed(Code::Unavailable, reasons::DRAINING, "this gateway is closing"));
    }
    let identity = core.sign_in.check_access(&hello.access_token).map_err(Ending::Failed)?;
    if hello.client_seed.len() > MAX_CLIENT_SEED_BYTES {
        let message = "the client seed is longer than 32 bytes";
        return Err(failed(Code::Invalid, reasons::BAD_CLIENT_SEED, message));
    }
    let client: String = hello.client.chars().take(MAX_CLIENT_CHARS).collect();
    tracing::debug!(player = %identity.player, client = ?client, "a client said hello");

    let resume = resume_points(&hello)?;
    let about = About {
        name: identity.name.clone(),
        address: connection.address,
        transport: connection.transport,
    };
    core.limits.hello(&identity.player).map_err(Ending::Failed)?;
    let arrival = core.registry.enter(&identity.player, about).await.map_err(Ending::Failed)?;
    let Arrival { lease, debt, has_moved } = arrival;
    core.limits.charge(&lease.player, debt.saturating_sub(core.limits.debt(&lease.player)));
    let (found, balance) = tokio::join!(find_player(core, &lease), balance(core, &lease));
    let found = match found {
        Ok(found) => found,
        // A client that knows its table goes on playing while matchmaking is away.
        Err(failure) if !resume.is_empty() => {
            tracing::warn!(%failure, "the player's tables are not known; the client's are watched");
            FindPlayerResponse::default()
        }
        Err(failure) => {
            core.registry.leave(&lease, core.limits.debt(&lease.player)).await;
            return Err(Ending::Failed(failure));
        }
    };
    let tables = tables(core, &found, resume);
    let welcome = Welcome {
        player_id: lease.player.to_string(),
        name: identity.name.clone(),
        session_epoch: lease.epoch,
        time_ms: core.clock.now_ms(),
        heartbeat_ms: core.config.gateway_heartbeat_ms,
        table_id: found.table_ids.first().cloned().unwrap_or_default(),
        ticket_id: found.ticket_id,
        party_id: found.party_id,
        balance,
        max_frame_bytes: u32::try_from(core.config.gateway_max_frame_bytes).unwrap_or(u32::MAX),
    };
    let Hello { with_views, client_seed, .. } = hello;
    let name = identity.name;
    Ok(Greeted { lease, has_moved, name, with_views, client_seed, welcome, tables })
}

async fn hello(connection: &mut Connection) -> Result<Hello, Ending> {
    loop {
        return match connection.inbound.recv().await {
            Some(Inbound::Alive) => continue,
            Some(Inbound::Frame(frame)) => match frame.frame {
                Some(client_frame::Frame::Hello(hello)) => Ok(hello),
                _ => Err(hello_expected()),
            },
            Some(Inbound::Malformed(malformed)) => Err(Ending::Failed(malformed.into())),
            Some(Inbound::TooLarge) => Err(Ending::TooLarge),
            Some(Inbound::HalfClosed | Inbound::Call(..)) => Err(hello_expected()),
            None => Err(Ending::Finished),
        };
    }
}

fn failed(code: Code, reason: &str, message: &str) -> Ending {
    Ending::Failed(Failure::new(code, reason, message))
}

fn hello_expected() -> Ending {
    failed(Code::Invalid, reasons::HELLO_EXPECTED, "the first frame must be Hello, and come soon")
}

fn resume_points(hello: &Hello) -> Result<Vec<(TableId, u64)>, Ending> {
    let point = |point: &parlor_proto::gateway::v1::ResumePoint| {
        point.table_id.parse().map(|table| (table, point.seq)).map_err(Ending::Failed)
    };
    hello.resume.iter().take(MAX_RESUME_POINTS).map(point).collect()
}

async fn find_player(core: &Core, lease: &Lease) -> Result<FindPlayerResponse, Failure> {
    let request = FindPlayerRequest { player_id: lease.player.to_string() };
    let mut client = core.clients.matchmaking.clone();
    match timeout(WELCOME_TIMEOUT, client.find_player(request)).await {
        Ok(answer) => Ok(answer.map_err(peers::failure)?.into_inner()),
        Err(_) => Err(Failure::new(
            Code::Unavailable,
            "SERVICE_UNAVAILABLE",
            "the player's seat could not be looked up in time",
        )),
    }
}

/// The wallet; `None` while the ledger is away, which is no reason to keep a player from a table.
async fn balance(core: &Core, lease: &Lease) -> Option<i64> {
    let request = GetBalanceRequest { player_id: lease.player.to_string() };
    let mut client = core.clients.ledger.clone();
    match timeout(WELCOME_TIMEOUT, client.get_balance(request)).await {
        Ok(Ok(answer)) => Some(answer.into_inner().balance),
        Ok(Err(status)) => {
            tracing::warn!(%status, "the balance is not known");
            None
        }
        Err(_) => {
            tracing::warn!("the balance is not known in time");
            None
        }
    }
}

/// The player's tables first, then others that the client resumes; as many as may be watched.
fn tables(
    core: &Core,
    found: &FindPlayerResponse,
    resume: Vec<(TableId, u64)>,
) -> Vec<(TableId, Option<u64>)> {
    let mut tables: Vec<(TableId, Option<u64>)> = Vec::new();
    for table in found.table_ids.iter().filter_map(|table| table.parse().ok()) {
        let seq = resume.iter().find(|(resumed, _)| *resumed == table).map(|&(_, seq)| seq);
        tables.push((table, seq));
    }
    for (table, seq) in resume {
        if tables.iter().all(|(known, _)| *known != table) {
            tables.push((table, Some(seq)));
        }
    }
    tables.truncate(core.config.gateway_max_watched);
    tables
}
