//! What administrators may have done, once it is known who asks.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use parlor_common::{Code, Failure, PlayerId, TableId, random};
use parlor_proto::gateway::v1 as pb;
use parlor_proto::matchmaking::v1::{FindPlayerRequest, GrantCardsRequest};
use parlor_proto::settlement::v1::DepositRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use parlor_proto::table::v1::{ActRequest, CloseTableRequest, Command, StandUp, command};
use tonic::Response;

use super::audit::Audit;
use crate::edge::address::Network;
use crate::session::Core;
use crate::session::registry::networks::bannable;
use crate::session::registry::sanctions::Sanction;
use crate::session::registry::{Kind, Present};
use crate::{peers, reasons};

/// Entries of a page, when the request does not say.
const PAGE: usize = 100;
/// Most entries of a page.
const MAX_PAGE: usize = 500;
/// Longest reason in characters.
pub const MAX_REASON_CHARS: usize = 200;
/// Longest stable reason of a closed table in bytes.
const MAX_STABLE_BYTES: usize = 64;
/// Longest sanction that ends: ten years.
const MAX_DURATION_MS: i64 = 10 * 366 * 24 * 3600 * 1000;

/// One gateway's administration.
pub struct Office {
    /// What the sessions share.
    pub core: Arc<Core>,
    /// The record.
    pub audit: Audit,
}

impl Office {
    /// A sanction from now on, by somebody.
    fn sanction(&self, duration_ms: i64, reason: &str, by: &str) -> Result<Sanction, Failure> {
        if !(0..=MAX_DURATION_MS).contains(&duration_ms) {
            return Err(bad("the duration is negative or longer than ten years"));
        }
        let until_ms = match duration_ms {
            0 => 0,
            some => self.core.clock.now_ms().saturating_add(some),
        };
        Ok(Sanction { until_ms, reason: reason.trim().to_owned(), by: by.to_owned() })
    }

    /// Bans or mutes a player.
    pub async fn impose(
        &self,
        kind: Kind,
        player: &str,
        (duration_ms, reason, by): (i64, &str, &str),
    ) -> Result<pb::Sanction, Failure> {
        let player: PlayerId = player.parse()?;
        let sanction = self.sanction(duration_ms, reason, by)?;
        self.core.registry.sanction(&player, kind, Some(sanction.clone())).await?;
        Ok(sanction_to(sanction))
    }

    /// Ends a ban or a mute.
    pub async fn lift(&self, kind: Kind, player: &str) -> Result<(), Failure> {
        self.core.registry.sanction(&player.parse()?, kind, None).await
    }

    /// Ends a player's session.
    pub async fn kick(&self, player: &str) -> Result<(), Failure> {
        self.core.registry.kick(&player.parse()?).await
    }

    /// Bans a network.
    pub async fn ban_address(
        &self,
        network: &str,
        (duration_ms, reason, by): (i64, &str, &str),
    ) -> Result<pb::AddressBan, Failure> {
        let network = bannable(network).map_err(bad)?;
        let ban = self.sanction(duration_ms, reason, by)?;
        self.core.registry.ban_network(network, Some(ban.clone())).await?;
        Ok(address_ban_to(&(network, ban)))
    }

    /// Ends a network's ban.
    pub async fn unban_address(&self, network: &str) -> Result<(), Failure> {
        let network = bannable(network).map_err(bad)?;
        self.core.registry.ban_network(network, None).await
    }

    /// The banned networks.
    pub fn address_bans(&self) -> pb::ListAddressBansResponse {
        let bans = self.core.registry.banned_networks().iter().map(address_ban_to).collect();
        pb::ListAddressBansResponse { bans }
    }

    /// Where a player is, and what stands against it.
    pub async fn find(&self, player: &str) -> Result<pb::AdminFindPlayerResponse, Failure> {
        let player: PlayerId = player.parse()?;
        let (here, found) = self.core.registry.find(&player).await;
        let elsewhere = found.session.map(|(session_epoch, gateway_id)| pb::GatewaySession {
            player_id: player.to_string(),
            session_epoch,
            gateway_id,
            ..pb::GatewaySession::default()
        });
        let request = FindPlayerRequest { player_id: player.to_string() };
        let places = self.core.clients.matchmaking.clone().find_player(request).await;
        let places = places.map(Response::into_inner).unwrap_or_else(|status| {
            tracing::warn!(%status, "the player's tables are not known");
            Default::default()
        });
        Ok(pb::AdminFindPlayerResponse {
            session: here.map(|present| self.session_to(present)).or(elsewhere),
            ban: found.standing.ban.map(sanction_to),
            mute: found.standing.mute.map(sanction_to),
            table_ids: places.table_ids,
            ticket_id: places.ticket_id,
        })
    }

    fn session_to(&self, present: Present) -> pb::GatewaySession {
        let Present { lease, about, since_ms } = present;
        pb::GatewaySession {
            player_id: lease.player.to_string(),
            session_epoch: lease.epoch,
            gateway_id: self.core.registry.fleet().map(|it| it.me().to_owned()).unwrap_or_default(),
            name: about.name,
            address: about.address.to_string(),
            transport: about.transport.to_owned(),
            since_ms,
        }
    }

    /// A page of this gateway's sessions.
    pub fn sessions(
        &self,
        request: &pb::ListSessionsRequest,
    ) -> Result<pb::ListSessionsResponse, Failure> {
        let after = match request.page_token.as_str() {
            "" => None,
            token => Some(token.parse().map_err(|_| {
                let message = "the page token is not ours";
                Failure::new(Code::Invalid, reasons::BAD_PAGE_TOKEN, message)
            })?),
        };
        let size = page(request.page_size);
        let (sessions, total) = self.core.registry.local().page(after, size);
        let last = sessions.last().filter(|_| sessions.len() == size);
        let next_page_token = last.map(|it| it.lease.player.to_string()).unwrap_or_default();
        let sessions = sessions.into_iter().map(|present| self.session_to(present)).collect();
        let waiting = self.core.metrics.waiting();
        Ok(pb::ListSessionsResponse {
            sessions,
            next_page_token,
            total: total as u64,
            waiting_frames: waiting.frames.load(Ordering::Relaxed),
            waiting_bytes: waiting.bytes.load(Ordering::Relaxed),
        })
    }

    /// Ends a table.
    pub async fn close(&self, table: &str, reason: &str) -> Result<(), Failure> {
        let table: TableId = table.parse()?;
        check_stable(reason)?;
        let request = CloseTableRequest { table_id: table.to_string(), reason: reason.to_owned() };
        let locator = self.core.links.locator();
        let message = "no pod has such a table";
        let mut last = Failure::new(Code::NotFound, "TABLE_NOT_FOUND", message);
        // Pod by pod, the owner first: a table that stands still has an owner that will not answer
        // for it.
        let owner = locator.owner(&table).await.ok();
        let others = match locator.all().await {
            Err(failure) if owner.is_none() => return Err(failure),
            others => others.unwrap_or_default(),
        };
        for pod in owner.into_iter().chain(others) {
            let closed = TableServiceClient::new(pod.channel).close_table(request.clone()).await;
            match closed.map_err(peers::failure) {
                Ok(_) => return Ok(()),
                // What tells more than that it is not there.
                Err(failure) if failure.code != Code::NotFound => last = failure,
                Err(_) => {}
            }
        }
        Err(last)
    }

    /// Stands a player up.
    pub async fn remove_from_table(
        &self,
        table: &str,
        player: &str,
    ) -> Result<pb::RemoveFromTableResponse, Failure> {
        let (table, player): (TableId, PlayerId) = (table.parse()?, player.parse()?);
        let pod = self.core.links.locator().owner(&table).await?;
        let request = ActRequest {
            table_id: table.to_string(),
            player_id: player.to_string(),
            request_id: format!("admin-{}", random::uuid()),
            command: Some(Command { command: Some(command::Command::StandUp(StandUp {})) }),
            ..ActRequest::default()
        };
        let answer = TableServiceClient::new(pod.channel).act(request).await;
        let log_seq = answer.map_err(peers::failure)?.into_inner().log_seq;
        Ok(pb::RemoveFromTableResponse { log_seq })
    }

    /// Changes a wallet.
    pub async fn adjust_wallet(
        &self,
        request: pb::AdjustWalletRequest,
    ) -> Result<pb::AdjustWalletResponse, Failure> {
        let player: PlayerId = request.player_id.parse()?;
        check_stable(&request.reason)?;
        let request = DepositRequest {
            idempotency_key: request.idempotency_key,
            player_id: player.to_string(),
            amount: request.amount,
            reason: request.reason,
        };
        let answer = self.core.clients.ledger.clone().deposit(request).await;
        let answer = answer.map_err(peers::failure)?.into_inner();
        let (transaction_id, balance) = (answer.transaction_id, answer.balance);
        Ok(pb::AdjustWalletResponse { transaction_id, balance })
    }

    /// Gives a club room cards, or takes them.
    pub async fn grant_club_cards(
        &self,
        request: pb::GrantClubCardsRequest,
    ) -> Result<pb::GrantClubCardsResponse, Failure> {
        let request = GrantCardsRequest {
            idempotency_key: request.idempotency_key,
            club_id: request.club_id,
            cards: request.cards,
            note: request.reason,
        };
        let granted = self.core.clients.clubs.clone().grant_cards(request).await;
        let balance = granted.map_err(peers::failure)?.into_inner().balance;
        Ok(pb::GrantClubCardsResponse { balance })
    }

    /// Sends everybody to other gateways.
    pub fn drain(&self) -> pb::DrainResponse {
        let (_, sessions) = self.core.registry.local().page(None, 0);
        self.core.leaving.cancel();
        pb::DrainResponse { sessions: sessions as u64 }
    }
}

/// How many entries a page has.
pub fn page(wanted: u32) -> usize {
    match usize::try_from(wanted) {
        Ok(0) | Err(_) => PAGE,
        Ok(wanted) => wanted.min(MAX_PAGE),
    }
}

/// Refuses a change without a reason.
///
/// # Errors
/// `INVALID_ARGUMENT`/`BAD_ADMIN_REQUEST`.
pub fn check_reason(reason: &str) -> Result<(), Failure> {
    if reason.trim().is_empty() || reason.chars().count() > MAX_REASON_CHARS {
        return Err(bad("the reason has 1 to 200 characters"));
    }
    Ok(())
}

fn check_stable(reason: &str) -> Result<(), Failure> {
    let is_stable = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if !(1..=MAX_STABLE_BYTES).contains(&reason.len()) || !reason.bytes().all(is_stable) {
        return Err(bad("this reason has 1 to 64 characters of a-z, 0-9 and _"));
    }
    Ok(())
}

fn bad(message: &str) -> Failure {
    Failure::new(Code::Invalid, reasons::BAD_ADMIN_REQUEST, message)
}

fn sanction_to(sanction: Sanction) -> pb::Sanction {
    let Sanction { until_ms, reason, by } = sanction;
    pb::Sanction { until_ms, reason, by }
}

fn address_ban_to((network, ban): &(Network, Sanction)) -> pb::AddressBan {
    pb::AddressBan { network: network.to_string(), ban: Some(sanction_to(ban.clone())) }
}
