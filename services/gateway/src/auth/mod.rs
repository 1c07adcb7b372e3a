//! Who a client is: guests, refreshes, and players of an operator.
//!
//! * [`token`]: our own JWTs; [`families`]: which refresh tokens are used up.
//! * [`operator`]: an operator's JWTs against its JWKS, which [`keys`] keeps.
//! * [`name`]: names that others see.
//! * [`http`] and [`grpc`]: the two ways to ask, over the same [`SignIn`].

pub mod families;
pub mod grpc;
pub mod http;
pub mod keys;
pub mod name;
pub mod operator;
pub mod token;

use parlor_common::client::PeerChannel;
use parlor_common::{Clock, Code, Failure, PlayerId};
use parlor_proto::gateway::v1::SignInResponse;
use parlor_proto::settlement::v1::DepositRequest;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use uuid::Uuid;

use crate::{peers, reasons};
use families::{Families, Use};
use operator::Operator;
use token::{Identity, RefreshGrant, Tokens};

/// Why the welcome chips are in the wallet, in the player's statement.
const WELCOME: &str = "welcome";

/// Gives players their tokens.
pub struct SignIn {
    tokens: Tokens,
    families: Families,
    operator: Option<Operator>,
    ledger: LedgerServiceClient<PeerChannel>,
    welcome_grant: i64,
    clock: Clock,
}

impl SignIn {
    /// `welcome_grant`: minor units that a new guest finds in the wallet; 0: none.
    #[must_use]
    pub fn new(
        tokens: Tokens,
        operator: Option<Operator>,
        settlement: PeerChannel,
        welcome_grant: i64,
        clock: Clock,
    ) -> Self {
        let ledger = LedgerServiceClient::new(settlement);
        Self { tokens, families: Families::default(), operator, ledger, welcome_grant, clock }
    }

    /// Checks `Hello.access_token`.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`/`BAD_TOKEN`.
    pub fn check_access(&self, token: &str) -> Result<Identity, Failure> {
        self.tokens.check_access(token)
    }

    /// Makes a new player, with the welcome chips in the wallet.
    ///
    /// # Errors
    /// When the ledger cannot take the chips: then there is no player either, and the client tries
    /// again.
    pub async fn guest(&self, wanted: &str) -> Result<SignInResponse, Failure> {
        let player = PlayerId::random();
        let identity = Identity { player, name: name::clean(wanted, &player) };
        self.grant_welcome(&player).await?;
        tracing::info!(%player, "a new guest");
        self.signed_in(identity, Uuid::new_v4(), 0)
    }

    async fn grant_welcome(&self, player: &PlayerId) -> Result<(), Failure> {
        if self.welcome_grant <= 0 {
            return Ok(());
        }
        let request = DepositRequest {
            idempotency_key: format!("welcome/{player}"),
            player_id: player.to_string(),
            amount: self.welcome_grant,
            reason: WELCOME.to_owned(),
        };
        self.ledger.clone().deposit(request).await.map_err(peers::failure)?;
        Ok(())
    }

    /// New tokens for a refresh token, which is used up.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` with `BAD_TOKEN` or `REFRESH_TOKEN_REUSED`.
    pub fn refresh(&self, token: &str) -> Result<SignInResponse, Failure> {
        let grant = self.tokens.check_refresh(token)?;
        match self.families.spend(grant.family, grant.generation, self.clock.now_ms()) {
            Use::Next(generation) => self.signed_in(grant.identity, grant.family, generation),
            Use::Reused => {
                tracing::warn!(player = %grant.identity.player, "a refresh token was used twice");
                Err(Failure::new(
                    Code::Unauthenticated,
                    reasons::REFRESH_TOKEN_REUSED,
                    "the refresh token was used before; sign in again",
                ))
            }
        }
    }

    /// Signs in with an operator's JWT.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`/`BAD_TOKEN`, `FAILED_PRECONDITION`/`OPERATOR_SIGN_IN_OFF`.
    pub async fn operator(&self, token: &str) -> Result<SignInResponse, Failure> {
        let Some(operator) = &self.operator else {
            return Err(Failure::new(
                Code::Precondition,
                reasons::OPERATOR_SIGN_IN_OFF,
                "no operator is configured",
            ));
        };
        let identity = operator.check(token).await?;
        tracing::info!(player = %identity.player, "an operator's player signed in");
        self.signed_in(identity, Uuid::new_v4(), 0)
    }

    fn signed_in(
        &self,
        identity: Identity,
        family: Uuid,
        generation: u64,
    ) -> Result<SignInResponse, Failure> {
        let access = self.tokens.access(&identity)?;
        let grant = RefreshGrant { identity, family, generation };
        let refresh = self.tokens.refresh(&grant)?;
        Ok(SignInResponse {
            player_id: grant.identity.player.to_string(),
            name: grant.identity.name,
            access_token: access.token,
            access_expires_ms: access.expires_ms,
            refresh_token: refresh.token,
            refresh_expires_ms: refresh.expires_ms,
        })
    }
}
