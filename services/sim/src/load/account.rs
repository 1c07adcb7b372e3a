//! Guests.

use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use parlor_proto::gateway::v1::{RefreshRequest, SignInGuestRequest, SignInResponse};
use tokio::sync::Mutex;
use tonic::Status;

use super::Error;
use super::transport::Gateways;

/// A token is renewed so long before it expires, in milliseconds of the server's clock.
const RENEW_BEFORE_MS: i64 = 60_000;

/// A signed-in guest.
#[derive(Debug)]
pub struct Account {
    player_id: String,
    tokens: Mutex<SignInResponse>,
}

impl Account {
    /// Makes a new guest.
    ///
    /// # Errors
    /// When no gateway lets it in.
    pub async fn guest(gateways: &Gateways, name: &str) -> Result<Self, Error> {
        let request = SignInGuestRequest { name: name.to_owned() };
        let mut client = AuthServiceClient::new(gateways.next().channel.clone());
        let signed = client.sign_in_guest(request).await.map_err(|status| failed(&status))?;
        let tokens = signed.into_inner();
        Ok(Self { player_id: tokens.player_id.clone(), tokens: Mutex::new(tokens) })
    }

    #[cfg(test)]
    pub(super) fn named(player_id: &str) -> Self {
        Self { player_id: player_id.to_owned(), tokens: Mutex::default() }
    }

    /// The player's id.
    #[must_use]
    pub fn player_id(&self) -> &str {
        &self.player_id
    }

    /// An access token that is good for a while; `now_ms` is the server's time.
    ///
    /// # Errors
    /// When the token has to be renewed and no gateway does.
    pub async fn access_token(&self, gateways: &Gateways, now_ms: i64) -> Result<String, Error> {
        let mut tokens = self.tokens.lock().await;
        if tokens.access_expires_ms - RENEW_BEFORE_MS <= now_ms {
            let request = RefreshRequest { refresh_token: tokens.refresh_token.clone() };
            let mut client = AuthServiceClient::new(gateways.next().channel.clone());
            let renewed = client.refresh(request).await.map_err(|status| failed(&status))?;
            *tokens = renewed.into_inner();
        }
        Ok(tokens.access_token.clone())
    }
}

fn failed(status: &Status) -> Error {
    Error::Connection(format!("signing in: {:?}: {}", status.code(), status.message()))
}
