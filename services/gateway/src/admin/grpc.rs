//! `AdminService`: reads requests, asks who calls, has it done, and writes it down.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};
use parlor_common::Failure;
use parlor_proto::gateway::v1 as pb;
use parlor_proto::gateway::v1::admin_service_server::{AdminService, AdminServiceServer};
use tonic::{Request, Response, Status};

use super::access::{self, AdminToken, Caller, Role};
use super::audit::Audit;
use super::office::{MAX_REASON_CHARS, Office, check_reason, page};
use crate::session::Core;
use crate::session::registry::Kind;

/// Largest request; reasons are short.
const MAX_REQUEST_BYTES: usize = 4096;

/// The service.
pub struct Administration {
    office: Arc<Office>,
    tokens: Vec<AdminToken>,
}

type Answer<T> = Result<Response<T>, Status>;
type Act<R> = BoxFuture<'static, Result<R, Failure>>;

impl Administration {
    /// For those who have one of these tokens.
    #[must_use]
    pub fn server(core: Arc<Core>, tokens: Vec<AdminToken>) -> AdminServiceServer<Self> {
        let (registry, metrics) = (Arc::clone(&core.registry), Arc::clone(&core.metrics));
        let audit = Audit::new(registry, metrics, core.clock.clone());
        let service = Self { office: Arc::new(Office { core, audit }), tokens };
        AdminServiceServer::new(service).max_decoding_message_size(MAX_REQUEST_BYTES)
    }

    fn caller<T>(&self, request: &Request<T>) -> Result<Caller, Failure> {
        let authorization = request.metadata().get("authorization");
        let caller = access::caller(&self.tokens, authorization.map(|value| value.as_bytes()));
        caller.inspect_err(|failure| {
            self.office.core.metrics.reject(&failure.reason);
            tracing::warn!(target: "parlor::audit", "a call without an admin token was refused");
        })
    }

    /// A viewer's request, of which there is no record.
    fn looks<T>(&self, request: Request<T>) -> Result<T, Failure> {
        self.caller(&request)?.needs(Role::Viewer)?;
        Ok(request.into_inner())
    }

    /// Acts if the role allows it, and writes down how that went.
    async fn acts<T, R: Send + 'static>(
        &self,
        request: Request<T>,
        (role, action): (Role, &'static str),
        told: impl FnOnce(&T) -> (String, String) + Send,
        act: impl FnOnce(Arc<Office>, T, String) -> Act<R> + Send,
    ) -> Answer<R> {
        let caller = self.caller(&request)?;
        let request = request.into_inner();
        let (subject, reason) = told(&request);
        let allowed = caller.needs(role).and_then(|()| check_reason(&reason));
        // What comes from outside is bounded before it is written down.
        let short = |text: &str| text.chars().take(MAX_REASON_CHARS).collect::<String>();
        let (subject, reason) = (short(&subject), short(&reason));
        let acted = allowed.map(|()| act(Arc::clone(&self.office), request, caller.name.clone()));
        let office = Arc::clone(&self.office);
        let work = async move {
            let outcome = match acted {
                Ok(acted) => acted.await,
                Err(failure) => Err(failure),
            };
            let end = outcome.as_ref().map(|_| ());
            office.audit.record(&caller, action, &subject, &reason, end).await;
            outcome
        };
        // A task of its own: it is finished and written down although the caller goes away.
        let task = self.office.core.shutdown.spawn("gateway-admin", work);
        Ok(Response::new(task.await.map_err(|_| Failure::internal())??))
    }
}

#[tonic::async_trait]
impl AdminService for Administration {
    async fn find_player(
        &self,
        request: Request<pb::AdminFindPlayerRequest>,
    ) -> Answer<pb::AdminFindPlayerResponse> {
        let request = self.looks(request)?;
        Ok(Response::new(self.office.find(&request.player_id).await?))
    }

    async fn list_sessions(
        &self,
        request: Request<pb::ListSessionsRequest>,
    ) -> Answer<pb::ListSessionsResponse> {
        let request = self.looks(request)?;
        Ok(Response::new(self.office.sessions(&request)?))
    }

    async fn kick_player(
        &self,
        request: Request<pb::KickPlayerRequest>,
    ) -> Answer<pb::KickPlayerResponse> {
        let told = |it: &pb::KickPlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::KickPlayerRequest, _| -> Act<_> {
            async move { office.kick(&it.player_id).await.map(|()| pb::KickPlayerResponse {}) }
                .boxed()
        };
        self.acts(request, (Role::Moderator, "kick"), told, act).await
    }

    async fn ban_player(
        &self,
        request: Request<pb::BanPlayerRequest>,
    ) -> Answer<pb::BanPlayerResponse> {
        let told = |it: &pb::BanPlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::BanPlayerRequest, by: String| -> Act<_> {
            async move {
                let about = (it.duration_ms, &*it.reason, &*by);
                let ban = office.impose(Kind::Ban, &it.player_id, about).await?;
                Ok(pb::BanPlayerResponse { ban: Some(ban) })
            }
            .boxed()
        };
        self.acts(request, (Role::Moderator, "ban"), told, act).await
    }

    async fn unban_player(
        &self,
        request: Request<pb::UnbanPlayerRequest>,
    ) -> Answer<pb::UnbanPlayerResponse> {
        let told = |it: &pb::UnbanPlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::UnbanPlayerRequest, _| -> Act<_> {
            async move {
                office.lift(Kind::Ban, &it.player_id).await?;
                Ok(pb::UnbanPlayerResponse {})
            }
            .boxed()
        };
        self.acts(request, (Role::Moderator, "unban"), told, act).await
    }

    async fn mute_player(
        &self,
        request: Request<pb::MutePlayerRequest>,
    ) -> Answer<pb::MutePlayerResponse> {
        let told = |it: &pb::MutePlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::MutePlayerRequest, by: String| -> Act<_> {
            async move {
                let about = (it.duration_ms, &*it.reason, &*by);
                let mute = office.impose(Kind::Mute, &it.player_id, about).await?;
                Ok(pb::MutePlayerResponse { mute: Some(mute) })
            }
            .boxed()
        };
        self.acts(request, (Role::Moderator, "mute"), told, act).await
    }

    async fn unmute_player(
        &self,
        request: Request<pb::UnmutePlayerRequest>,
    ) -> Answer<pb::UnmutePlayerResponse> {
        let told = |it: &pb::UnmutePlayerRequest| (it.player_id.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::UnmutePlayerRequest, _| -> Act<_> {
            async move {
                office.lift(Kind::Mute, &it.player_id).await?;
                Ok(pb::UnmutePlayerResponse {})
            }
            .boxed()
        };
        self.acts(request, (Role::Moderator, "unmute"), told, act).await
    }

    async fn ban_address(
        &self,
        request: Request<pb::BanAddressRequest>,
    ) -> Answer<pb::BanAddressResponse> {
        let told = |it: &pb::BanAddressRequest| (it.network.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::BanAddressRequest, by: String| -> Act<_> {
            async move {
                let about = (it.duration_ms, &*it.reason, &*by);
                let ban = office.ban_address(&it.network, about).await?;
                Ok(pb::BanAddressResponse { ban: Some(ban) })
            }
            .boxed()
        };
        self.acts(request, (Role::Moderator, "ban_address"), told, act).await
    }

    async fn unban_address(
        &self,
        request: Request<pb::UnbanAddressRequest>,
    ) -> Answer<pb::UnbanAddressResponse> {
        let told = |it: &pb::UnbanAddressRequest| (it.network.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::UnbanAddressRequest, _| -> Act<_> {
            async move {
                office.unban_address(&it.network).await?;
                Ok(pb::UnbanAddressResponse {})
            }
            .boxed()
        };
        self.acts(request, (Role::Moderator, "unban_address"), told, act).await
    }

    async fn list_address_bans(
        &self,
        request: Request<pb::ListAddressBansRequest>,
    ) -> Answer<pb::ListAddressBansResponse> {
        self.looks(request)?;
        Ok(Response::new(self.office.address_bans()))
    }

    async fn remove_from_table(
        &self,
        request: Request<pb::RemoveFromTableRequest>,
    ) -> Answer<pb::RemoveFromTableResponse> {
        let told = |it: &pb::RemoveFromTableRequest| {
            (format!("{} {}", it.player_id, it.table_id), it.reason.clone())
        };
        let act = |office: Arc<Office>, it: pb::RemoveFromTableRequest, _| -> Act<_> {
            async move { office.remove_from_table(&it.table_id, &it.player_id).await }.boxed()
        };
        self.acts(request, (Role::Moderator, "remove_from_table"), told, act).await
    }

    async fn adjust_wallet(
        &self,
        request: Request<pb::AdjustWalletRequest>,
    ) -> Answer<pb::AdjustWalletResponse> {
        let told = |it: &pb::AdjustWalletRequest| {
            (format!("{} {} {}", it.player_id, it.amount, it.idempotency_key), it.reason.clone())
        };
        let act = |office: Arc<Office>, it: pb::AdjustWalletRequest, _| -> Act<_> {
            async move { office.adjust_wallet(it).await }.boxed()
        };
        self.acts(request, (Role::Operator, "adjust_wallet"), told, act).await
    }

    async fn grant_club_cards(
        &self,
        request: Request<pb::GrantClubCardsRequest>,
    ) -> Answer<pb::GrantClubCardsResponse> {
        let told = |it: &pb::GrantClubCardsRequest| {
            (format!("{} {} {}", it.club_id, it.cards, it.idempotency_key), it.reason.clone())
        };
        let act = |office: Arc<Office>, it: pb::GrantClubCardsRequest, _| -> Act<_> {
            async move { office.grant_club_cards(it).await }.boxed()
        };
        self.acts(request, (Role::Operator, "grant_club_cards"), told, act).await
    }

    async fn close_table(
        &self,
        request: Request<pb::AdminCloseTableRequest>,
    ) -> Answer<pb::AdminCloseTableResponse> {
        let told = |it: &pb::AdminCloseTableRequest| (it.table_id.clone(), it.reason.clone());
        let act = |office: Arc<Office>, it: pb::AdminCloseTableRequest, _| -> Act<_> {
            async move {
                office.close(&it.table_id, &it.reason).await?;
                Ok(pb::AdminCloseTableResponse {})
            }
            .boxed()
        };
        self.acts(request, (Role::Operator, "close_table"), told, act).await
    }

    async fn drain(&self, request: Request<pb::DrainRequest>) -> Answer<pb::DrainResponse> {
        let told = |it: &pb::DrainRequest| (String::new(), it.reason.clone());
        let act =
            |office: Arc<Office>, _, _| -> Act<_> { async move { Ok(office.drain()) }.boxed() };
        self.acts(request, (Role::Operator, "drain"), told, act).await
    }

    async fn list_audit(
        &self,
        request: Request<pb::ListAuditRequest>,
    ) -> Answer<pb::ListAuditResponse> {
        let request = self.looks(request)?;
        let entries = self.office.audit.latest(page(request.limit)).await;
        Ok(Response::new(pb::ListAuditResponse { entries }))
    }
}
