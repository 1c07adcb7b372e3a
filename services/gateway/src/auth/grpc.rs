//! Signing in over gRPC.

use std::net::IpAddr;
use std::sync::Arc;

use parlor_common::Failure;
use parlor_proto::gateway::v1::auth_service_server::{AuthService, AuthServiceServer};
use parlor_proto::gateway::v1::{
    RefreshRequest, SignInGuestRequest, SignInOperatorRequest, SignInResponse,
};
use tonic::{Request, Response, Status};

use super::http::MAX_BODY_BYTES;
use crate::edge::ClientAddress;
use crate::session::Core;

/// `AuthService`.
pub struct Auth {
    core: Arc<Core>,
}

impl Auth {
    /// The service with its limits.
    #[must_use]
    pub fn server(core: Arc<Core>) -> AuthServiceServer<Self> {
        AuthServiceServer::new(Self { core }).max_decoding_message_size(MAX_BODY_BYTES)
    }

    fn address<T>(request: &Request<T>) -> Result<IpAddr, Failure> {
        let address = request.extensions().get::<ClientAddress>().ok_or_else(|| {
            tracing::error!("a call has no client address");
            Failure::internal()
        })?;
        Ok(address.0)
    }

    fn reply(
        &self,
        answer: Result<SignInResponse, Failure>,
    ) -> Result<Response<SignInResponse>, Status> {
        answer.map(Response::new).map_err(|failure| {
            self.core.metrics.reject(&failure.reason);
            failure.into()
        })
    }
}

#[tonic::async_trait]
impl AuthService for Auth {
    async fn sign_in_guest(
        &self,
        request: Request<SignInGuestRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        let answer = async {
            self.core.admit_guest(Self::address(&request)?)?;
            self.core.sign_in.guest(&request.get_ref().name).await
        };
        self.reply(answer.await)
    }

    async fn refresh(
        &self,
        request: Request<RefreshRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        let answer = || {
            self.core.admit_sign_in(Self::address(&request)?)?;
            self.core.sign_in.refresh(&request.get_ref().refresh_token)
        };
        self.reply(answer())
    }

    async fn sign_in_operator(
        &self,
        request: Request<SignInOperatorRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        let answer = async {
            self.core.admit_sign_in(Self::address(&request)?)?;
            self.core.sign_in.operator(&request.get_ref().token).await
        };
        self.reply(answer.await)
    }
}
