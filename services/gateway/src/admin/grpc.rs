//! `AdminService`: reads requests, asks who calls, acts, and writes it down.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use parlor_common::{Code, Failure, PlayerId, TableId};
use parlor_proto::gateway::v1 as pb;
use parlor_proto::gateway::v1::admin_service_server::{AdminService, AdminServiceServer};
use parlor_proto::matchmaking::v1::FindPlayerRequest;
use parlor_proto::table::v1::CloseTableRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use tonic::{Request, Response, Status};

use super::access::{self, AdminToken, Caller, Role};
use super::audit::Audit;
use crate::session::Core;
use crate::session::registry::sanctions::Sanction;
use crate::session::registry::{Kind, Present};
use crate::{peers, reasons};

/// Largest request; reasons are short.
const MAX_REQUEST_BYTES: usize = 4096;
/// Entries of a page, when the request does not say.
const PAGE: usize = 100;
/// Most entries of a page.
const MAX_PAGE: usize = 500;
/// Longest reason in characters.
const MAX_REASON_CHARS: usize = 200;
/// Longest stable reason of a closed table in bytes.
const MAX_CLOSE_REASON_BYTES: usize = 64;
/// Longest sanction that ends: ten years.
const MAX_DURATION_MS: i64 = 10 * 366 * 24 * 3600 * 1000;

/// The service.
pub struct Administration {
    core: Arc<Core>,
    tokens: Vec<AdminToken>,
    audit: Audit,
}

type Answer<T> = Result<Response<T>, Status>;

impl Administration {
    /// For those who have one of these tokens.
    #[must_use]
    pub fn server(core: Arc<Core>, tokens: Vec<AdminToken>) -> AdminServiceServer<Self> {
        let (registry, metrics) = (Arc::clone(&core.registry), Arc::clone(&core.metrics));
        let audit = Audit::new(registry, metrics, core.clock.clone());
        let service = Self { core, tokens, audit };
        AdminServiceServer::new(service).max_decoding_message_size(MAX_REQUEST_BYTES)
    }

    fn caller<T>(&self, request: &Request<T>) -> Result<Caller, Failure> {
        let authorization = request.metadata().get("authorization");
        let caller = access::caller(&self.tokens, authorization.map(|value| value.as_bytes()));
        caller.inspect_err(|failure| {
            self.core.metrics.reject(&failure.reason);
            tracing::warn!(target: "parlor::audit", "a call without an admin token was refused");
        })
    }

    /// A viewer's request, of which there is no record.
    fn looks<T>(&self, request: Request<T>) -> Result<T, Failure> {
        self.caller(&request)?.needs(Role::Viewer)?;
        Ok(request.into_inner())
    }

    /// Acts if the role allows it, and writes down how that went.
    async fn acts<T, R>(
        &self,
        request: Request<T>,
        (role, action): (Role, &'static str),
        told: impl FnOnce(&T) -> (String, String),
        act: impl AsyncFnOnce(T, &Caller) -> Result<R, Failure>,
    ) -> Answer<R> {
        let caller = self.caller(&request)?;
        let request = request.into_inner();
        let (subject, reason) = told(&request);
        // What comes from outside is bounded before it is written down.
        let short = |text: String| text.chars().take(MAX_REASON_CHARS).collect::<String>();
        let (subject, reason) = (short(subject), short(reason));
        let outcome = match caller.needs(role) {
            Ok(()) => act(request, &caller).await,
            Err(failure) => Err(failure),
        };
        let end = outcome.as_ref().map(|_| ());
        self.audit.record(&caller, action, &subject, &reason, end).await;
        Ok(Response::new(outcome?))
    }

    async fn impose(
        &self,
        kind: Kind,
        player: &str,
        duration_ms: i64,
        reason: &str,
        caller: &Caller,
    ) -> Result<pb::Sanction, Failure> {
        let player: PlayerId = player.parse()?;
        if !(0..=MAX_DURATION_MS).contains(&duration_ms) {
            return Err(bad("the duration is negative or longer than ten years"));
        }
        if reason.trim().is_empty() || reason.chars().count() > MAX_REASON_CHARS {
            return Err(bad("the reason has 1 to 200 characters"));
        }
        let until_ms = match duration_ms {
            0 => 0,
            some => self.core.clock.now_ms().saturating_add(some),
        };
        let sanction =
            Sanction { until_ms, reason: reason.trim().to_owned(), by: caller.name.clone() };
        self.core.registry.sanction(&player, kind, Some(sanction.clone())).await?;
        Ok(sanction_to(sanction))
    }

    async fn lift(&self, kind: Kind, player: &str) -> Result<(), Failure> {
        self.core.registry.sanction(&player.parse()?, kind, None).await
    }

    async fn find(&self, player: &str) -> Result<pb::AdminFindPlayerResponse, Failure> {
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

    fn sessions(
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

    async fn close(&self, table: &str, reason: &str) -> Result<(), Failure> {
        let table: TableId = table.parse()?;
        let is_stable =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let length = 1..=MAX_CLOSE_REASON_BYTES;
        if !length.contains(&reason.len()) || !reason.bytes().all(is_stable) {
            return Err(bad("a table's reason has 1 to 64 characters of a-z, 0-9 and _"));
        }
        let pod = self.core.links.locator().owner(&table).await?;
        let request = CloseTableRequest { table_id: table.to_string(), reason: reason.to_owned() };
        let closed = TableServiceClient::new(pod.channel).close_table(request).await;
        closed.map_err(peers::failure)?;
        Ok(())
    }
}

fn page(wanted: u32) -> usize {
    match usize::try_from(wanted) {
        Ok(0) | Err(_) => PAGE,
        Ok(wanted) => wanted.min(MAX_PAGE),
    }
}

fn bad(message: &str) -> Failure {
    Failure::new(Code::Invalid, reasons::BAD_ADMIN_REQUEST, message)
}

fn sanction_to(sanction: Sanction) -> pb::Sanction {
    let Sanction { until_ms, reason, by } = sanction;
    pb::Sanction { until_ms, reason, by }
}

#[tonic::async_trait]
impl AdminService for Administration {
    async fn find_player(
        &self,
        request: Request<pb::AdminFindPlayerRequest>,
    ) -> Answer<pb::AdminFindPlayerResponse> {
        let request = self.looks(request)?;
        Ok(Response::new(self.find(&request.player_id).await?))
    }

    async fn list_sessions(
        &self,
        request: Request<pb::ListSessionsRequest>,
    ) -> Answer<pb::ListSessionsResponse> {
        let request = self.looks(request)?;
        Ok(Response::new(self.sessions(&request)?))
    }

    async fn kick_player(
        &self,
        request: Request<pb::KickPlayerRequest>,
    ) -> Answer<pb::KickPlayerResponse> {
        let told = |it: &pb::KickPlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = async |it: pb::KickPlayerRequest, _: &Caller| {
            self.core.registry.kick(&it.player_id.parse()?).await?;
            Ok(pb::KickPlayerResponse {})
        };
        self.acts(request, (Role::Moderator, "kick"), told, act).await
    }

    async fn ban_player(
        &self,
        request: Request<pb::BanPlayerRequest>,
    ) -> Answer<pb::BanPlayerResponse> {
        let told = |it: &pb::BanPlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = async |it: pb::BanPlayerRequest, caller: &Caller| {
            let ban = self.impose(Kind::Ban, &it.player_id, it.duration_ms, &it.reason, caller);
            Ok(pb::BanPlayerResponse { ban: Some(ban.await?) })
        };
        self.acts(request, (Role::Moderator, "ban"), told, act).await
    }

    async fn unban_player(
        &self,
        request: Request<pb::UnbanPlayerRequest>,
    ) -> Answer<pb::UnbanPlayerResponse> {
        let told = |it: &pb::UnbanPlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = async |it: pb::UnbanPlayerRequest, _: &Caller| {
            self.lift(Kind::Ban, &it.player_id).await?;
            Ok(pb::UnbanPlayerResponse {})
        };
        self.acts(request, (Role::Moderator, "unban"), told, act).await
    }

    async fn mute_player(
        &self,
        request: Request<pb::MutePlayerRequest>,
    ) -> Answer<pb::MutePlayerResponse> {
        let told = |it: &pb::MutePlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = async |it: pb::MutePlayerRequest, caller: &Caller| {
            let mute = self.impose(Kind::Mute, &it.player_id, it.duration_ms, &it.reason, caller);
            Ok(pb::MutePlayerResponse { mute: Some(mute.await?) })
        };
        self.acts(request, (Role::Moderator, "mute"), told, act).await
    }

    async fn unmute_player(
        &self,
        request: Request<pb::UnmutePlayerRequest>,
    ) -> Answer<pb::UnmutePlayerResponse> {
        let told = |it: &pb::UnmutePlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = async |it: pb::UnmutePlayerRequest, _: &Caller| {
            self.lift(Kind::Mute, &it.player_id).await?;
            Ok(pb::UnmutePlayerResponse {})
        };
        self.acts(request, (Role::Moderator, "unmute"), told, act).await
    }

    async fn close_table(
        &self,
        request: Request<pb::AdminCloseTableRequest>,
    ) -> Answer<pb::AdminCloseTableResponse> {
        let told = |it: &pb::AdminCloseTableRequest| (it.table_id.clone(), it.reason.clone());
        let act = async |it: pb::AdminCloseTableRequest, _: &Caller| {
            self.close(&it.table_id, &it.reason).await?;
            Ok(pb::AdminCloseTableResponse {})
        };
        self.acts(request, (Role::Operator, "close_table"), told, act).await
    }

    async fn drain(&self, request: Request<pb::DrainRequest>) -> Answer<pb::DrainResponse> {
        let told = |it: &pb::DrainRequest| (String::new(), it.reason.clone());
        let act = async |_: pb::DrainRequest, _: &Caller| {
            let (_, sessions) = self.core.registry.local().page(None, 0);
            self.core.leaving.cancel();
            Ok(pb::DrainResponse { sessions: sessions as u64 })
        };
        self.acts(request, (Role::Operator, "drain"), told, act).await
    }

    async fn list_audit(
        &self,
        request: Request<pb::ListAuditRequest>,
    ) -> Answer<pb::ListAuditResponse> {
        let request = self.looks(request)?;
        let entries = self.audit.latest(page(request.limit)).await;
        Ok(Response::new(pb::ListAuditResponse { entries }))
    }
}
