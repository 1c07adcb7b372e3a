//! The gateway's own tokens: JWTs signed with HMAC-SHA256 by a key that only gateways have.

use std::sync::Arc;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use parlor_common::{Clock, Code, Failure, PlayerId};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Error, reasons};

/// `iss` of all tokens.
const ISSUER: &str = "parlor";
/// `aud` of access tokens.
const ACCESS: &str = "parlor.session";
/// `aud` of refresh tokens.
const REFRESH: &str = "parlor.refresh";
/// Shortest signing secret in bytes: as much as HMAC-SHA256 puts out.
const MIN_SECRET_BYTES: usize = 32;
/// Longest token that is looked at, in bytes; ours are far shorter.
const MAX_TOKEN_BYTES: usize = 4096;

/// Who a token speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The player.
    pub player: PlayerId,
    /// The name that others see.
    pub name: String,
}

/// What a refresh token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshGrant {
    /// For whom.
    pub identity: Identity,
    /// The sign-in that it descends from.
    pub family: Uuid,
    /// How many refreshes lie between.
    pub generation: u64,
}

/// How long tokens are good.
#[derive(Clone, Copy, Debug)]
pub struct TokenLifetimes {
    /// Of access tokens.
    pub access_ms: i64,
    /// Of refresh tokens.
    pub refresh_ms: i64,
}

/// A token with its end, in milliseconds since the Unix epoch.
#[derive(Clone)]
pub struct Issued {
    /// The JWT.
    pub token: String,
    /// When it expires.
    pub expires_ms: i64,
}

#[derive(Clone, Serialize, Deserialize)]
struct AccessClaims {
    iss: String,
    aud: String,
    sub: String,
    name: String,
    iat: i64,
    exp: i64,
}

#[derive(Clone, Serialize, Deserialize)]
struct RefreshClaims {
    iss: String,
    aud: String,
    sub: String,
    name: String,
    iat: i64,
    exp: i64,
    family: Uuid,
    generation: u64,
}

/// Signs and checks tokens. The first secret signs; every secret is accepted, so that a new one can
/// be rolled out.
#[derive(Clone)]
pub struct Tokens {
    signing: Arc<EncodingKey>,
    checking: Arc<[DecodingKey]>,
    lifetimes: TokenLifetimes,
    clock: Clock,
}

impl Tokens {
    /// Tokens under these secrets.
    ///
    /// # Errors
    /// [`Error::TokenSecret`] when there is none, or one is shorter than 32 bytes.
    pub fn new(
        secrets: &[SecretString],
        lifetimes: TokenLifetimes,
        clock: Clock,
    ) -> Result<Self, Error> {
        let long_enough = |secret: &SecretString| secret.expose_secret().len() >= MIN_SECRET_BYTES;
        let Some(first) = secrets.first().filter(|_| secrets.iter().all(long_enough)) else {
            return Err(Error::TokenSecret { min_bytes: MIN_SECRET_BYTES });
        };
        let bad = |_| Error::TokenSecret { min_bytes: MIN_SECRET_BYTES };
        let signing = EncodingKey::from_secret(first.expose_secret().as_bytes()).map_err(bad)?;
        let checking = secrets
            .iter()
            .map(|secret| DecodingKey::from_secret(secret.expose_secret().as_bytes()))
            .collect::<Result<_, _>>()
            .map_err(bad)?;
        Ok(Self { signing: Arc::new(signing), checking, lifetimes, clock })
    }

    /// A token for `Hello`.
    ///
    /// # Errors
    /// `INTERNAL` when it cannot be signed.
    pub fn access(&self, identity: &Identity) -> Result<Issued, Failure> {
        let now = self.clock.now_ms();
        let expires_ms = now.saturating_add(self.lifetimes.access_ms);
        let claims = AccessClaims {
            iss: ISSUER.to_owned(),
            aud: ACCESS.to_owned(),
            sub: identity.player.to_string(),
            name: identity.name.clone(),
            iat: now / 1000,
            exp: expires_ms / 1000,
        };
        self.sign(&claims, expires_ms)
    }

    /// A token for the next refresh.
    ///
    /// # Errors
    /// `INTERNAL` when it cannot be signed.
    pub fn refresh(&self, grant: &RefreshGrant) -> Result<Issued, Failure> {
        let now = self.clock.now_ms();
        let expires_ms = now.saturating_add(self.lifetimes.refresh_ms);
        let claims = RefreshClaims {
            iss: ISSUER.to_owned(),
            aud: REFRESH.to_owned(),
            sub: grant.identity.player.to_string(),
            name: grant.identity.name.clone(),
            iat: now / 1000,
            exp: expires_ms / 1000,
            family: grant.family,
            generation: grant.generation,
        };
        self.sign(&claims, expires_ms)
    }

    fn sign(&self, claims: &impl Serialize, expires_ms: i64) -> Result<Issued, Failure> {
        let token = encode(&Header::new(Algorithm::HS256), claims, &self.signing);
        let token = token.map_err(|error| {
            tracing::error!(%error, "a token could not be signed");
            Failure::internal()
        })?;
        // What the claim says: whole seconds.
        Ok(Issued { token, expires_ms: expires_ms / 1000 * 1000 })
    }

    /// Whom an access token speaks for.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`/`BAD_TOKEN`.
    pub fn check_access(&self, token: &str) -> Result<Identity, Failure> {
        let claims: AccessClaims = self.check(token, ACCESS, |claims: &AccessClaims| claims.exp)?;
        identity(&claims.sub, claims.name)
    }

    /// What a refresh token grants, before its family is looked at.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`/`BAD_TOKEN`.
    pub fn check_refresh(&self, token: &str) -> Result<RefreshGrant, Failure> {
        let claims: RefreshClaims =
            self.check(token, REFRESH, |claims: &RefreshClaims| claims.exp)?;
        let identity = identity(&claims.sub, claims.name)?;
        Ok(RefreshGrant { identity, family: claims.family, generation: claims.generation })
    }

    fn check<Claims: DeserializeOwned + Clone>(
        &self,
        token: &str,
        audience: &str,
        expires_s: impl Fn(&Claims) -> i64,
    ) -> Result<Claims, Failure> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(bad_token());
        }
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Below, by our own clock and without leeway.
        validation.validate_exp = false;
        let claims = self
            .checking
            .iter()
            .find_map(|key| decode::<Claims>(token, key, &validation).ok())
            .ok_or_else(bad_token)?
            .claims;
        if expires_s(&claims).saturating_mul(1000) <= self.clock.now_ms() {
            return Err(bad_token());
        }
        Ok(claims)
    }
}

fn identity(subject: &str, name: String) -> Result<Identity, Failure> {
    let player = subject.parse().map_err(|_| bad_token())?;
    Ok(Identity { player, name })
}

/// Deliberately does not say what is wrong with the token.
#[must_use]
pub fn bad_token() -> Failure {
    Failure::new(
        Code::Unauthenticated,
        reasons::BAD_TOKEN,
        "the token is not valid here, or not any more",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const LIFETIMES: TokenLifetimes = TokenLifetimes { access_ms: 900_000, refresh_ms: 9_000_000 };

    fn tokens(secrets: &[&str], clock: &Clock) -> Tokens {
        let secrets: Vec<_> = secrets.iter().map(|secret| SecretString::from(*secret)).collect();
        Tokens::new(&secrets, LIFETIMES, clock.clone()).unwrap()
    }

    const OLD: &str = "an old secret of at least 32 bytes";
    const NEW: &str = "a new secret of more than 32 bytes!";

    fn somebody() -> Identity {
        Identity { player: PlayerId::random(), name: "Ада".into() }
    }

    #[test]
    fn an_access_token_speaks_for_its_player_until_it_expires() {
        let clock = Clock::held_at(1_700_000_000_000);
        let tokens = tokens(&[OLD], &clock);
        let issued = tokens.access(&somebody()).unwrap();
        assert!(tokens.check_access(&issued.token).is_ok());
        clock.advance_ms(issued.expires_ms - clock.now_ms() - 1);
        assert!(tokens.check_access(&issued.token).is_ok());
        clock.advance_ms(1);
        assert_eq!(tokens.check_access(&issued.token).unwrap_err().reason, "BAD_TOKEN");
    }

    #[test]
    fn a_token_is_good_for_its_own_purpose_only() {
        let clock = Clock::held_at(1_700_000_000_000);
        let tokens = tokens(&[OLD], &clock);
        let identity = somebody();
        let grant = RefreshGrant { identity: identity.clone(), family: Uuid::nil(), generation: 2 };
        let (access, refresh) =
            (tokens.access(&identity).unwrap(), tokens.refresh(&grant).unwrap());
        assert_eq!(tokens.check_refresh(&refresh.token), Ok(grant));
        assert!(tokens.check_refresh(&access.token).is_err());
        assert!(tokens.check_access(&refresh.token).is_err());
    }

    #[test]
    fn a_rotated_secret_still_opens_old_tokens_but_signs_no_new_ones() {
        let clock = Clock::held_at(1_700_000_000_000);
        let identity = somebody();
        let old = tokens(&[OLD], &clock);
        let rotated = tokens(&[NEW, OLD], &clock);
        assert!(rotated.check_access(&old.access(&identity).unwrap().token).is_ok());
        assert!(old.check_access(&rotated.access(&identity).unwrap().token).is_err());
    }

    #[test]
    fn another_algorithm_is_refused_even_with_the_right_key() {
        let clock = Clock::held_at(1_700_000_000_000);
        let tokens = tokens(&[OLD], &clock);
        let key = EncodingKey::from_secret(OLD.as_bytes()).unwrap();
        let claims = AccessClaims {
            iss: ISSUER.into(),
            aud: ACCESS.into(),
            sub: PlayerId::random().to_string(),
            name: String::new(),
            iat: 0,
            exp: 9_000_000_000,
        };
        let hs256 = encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap();
        assert!(tokens.check_access(&hs256).is_ok());
        let hs512 = encode(&Header::new(Algorithm::HS512), &claims, &key).unwrap();
        assert!(tokens.check_access(&hs512).is_err());
    }

    #[test]
    fn short_or_absent_secrets_are_refused() {
        let make = |secrets: &[SecretString]| Tokens::new(secrets, LIFETIMES, Clock::system());
        assert!(make(&[]).is_err());
        assert!(make(&["x".repeat(31).into()]).is_err());
        assert!(make(&["x".repeat(32).into(), "short".into()]).is_err());
        assert!(make(&["x".repeat(32).into()]).is_ok());
    }
}
