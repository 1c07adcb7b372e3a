//! Who may ask for what: tokens, of which only hashes are configured, and their roles.

use parlor_common::{Code, Failure};
use sha2::{Digest, Sha256};

use crate::reasons;

/// Longest name of a token in characters.
const MAX_NAME_CHARS: usize = 32;
/// Length of a SHA-256 in hexadecimal.
const HASH_CHARS: usize = 64;

/// What an administrator may do; each role may also do what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Looks.
    Viewer,
    /// Acts on players.
    Moderator,
    /// Acts on tables and on the gateway.
    Operator,
}

impl Role {
    /// Its name in settings and in the audit.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Moderator => "moderator",
            Self::Operator => "operator",
        }
    }
}

impl std::str::FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let roles = [Self::Viewer, Self::Moderator, Self::Operator];
        let found = roles.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| format!("{text} is not viewer, moderator or operator"))
    }
}

/// One administrator's token as it is configured: `NAME:ROLE:SHA256`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminToken {
    /// Stands in the audit.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// SHA-256 of the token. The token is random and long, so that its hash gives nothing away.
    hash: String,
}

impl AdminToken {
    /// The entry for a token.
    ///
    /// # Errors
    /// When the name cannot be one.
    pub fn new(name: &str, role: Role, token: &str) -> Result<Self, String> {
        format!("{name}:{}:{}", role.name(), hash(token.as_bytes())).parse()
    }
}

impl std::fmt::Display for AdminToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}:{}", self.name, self.role.name(), self.hash)
    }
}

impl std::str::FromStr for AdminToken {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(':');
        let (Some(name), Some(role), Some(hash), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("an admin token is NAME:ROLE:SHA256".to_owned());
        };
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
        if name.is_empty() || name.len() > MAX_NAME_CHARS || !name.bytes().all(is_name) {
            return Err("the name of an admin token has 1 to 32 of A-Z a-z 0-9 - _ . @".to_owned());
        }
        if hash.len() != HASH_CHARS || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err("an admin token ends with a SHA-256 of 64 hexadecimal digits".to_owned());
        }
        let (name, hash) = (name.to_owned(), hash.to_ascii_lowercase());
        Ok(Self { name, role: role.parse()?, hash })
    }
}

fn hash(token: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(token).iter().fold(String::with_capacity(HASH_CHARS), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Name of the token.
    pub name: String,
    /// Its role.
    pub role: Role,
}

impl Caller {
    /// Whether the caller may do what needs a role.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`ADMIN_ROLE_REQUIRED`.
    pub fn needs(&self, role: Role) -> Result<(), Failure> {
        if self.role >= role {
            return Ok(());
        }
        let message = "the admin token's role does not allow this";
        let failure = Failure::new(Code::Denied, reasons::ADMIN_ROLE_REQUIRED, message);
        Err(failure.with("role", role.name()))
    }
}

/// Finds out who asks, from the value of `authorization`.
///
/// # Errors
/// `UNAUTHENTICATED`/`BAD_ADMIN_TOKEN`.
pub fn caller(tokens: &[AdminToken], authorization: Option<&[u8]>) -> Result<Caller, Failure> {
    let given = authorization.and_then(|value| value.strip_prefix(b"Bearer ")).map(hash);
    // Hashes are compared, so the time that it takes tells nothing of a token.
    let found = given.and_then(|given| tokens.iter().find(|token| token.hash == given));
    let caller = found.map(|token| Caller { name: token.name.clone(), role: token.role });
    caller.ok_or_else(|| {
        let message = "the call does not carry an administrator's token";
        Failure::new(Code::Unauthenticated, reasons::BAD_ADMIN_TOKEN, message)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_token_is_found_by_its_hash() {
        let tokens = [
            AdminToken::new("eve", Role::Viewer, "one").unwrap(),
            AdminToken::new("mallory", Role::Operator, "two").unwrap(),
        ];
        let found = caller(&tokens, Some(b"Bearer two")).unwrap();
        assert_eq!(found, Caller { name: "mallory".to_owned(), role: Role::Operator });
        for wrong in [None, Some(&b"two"[..]), Some(b"Bearer three"), Some(b"Bearer ")] {
            assert_eq!(caller(&tokens, wrong).unwrap_err().reason, "BAD_ADMIN_TOKEN");
        }
    }

    #[test]
    fn a_role_may_do_what_lesser_ones_may() {
        let moderator = Caller { name: "eve".to_owned(), role: Role::Moderator };
        assert!(moderator.needs(Role::Viewer).is_ok() && moderator.needs(Role::Moderator).is_ok());
        let refused = moderator.needs(Role::Operator).unwrap_err();
        assert_eq!(refused.reason, "ADMIN_ROLE_REQUIRED");
        assert_eq!(refused.metadata["role"], "operator");
    }

    #[test]
    fn an_entry_is_read_as_it_is_written() {
        let token = AdminToken::new("eve@ops", Role::Moderator, "secret").unwrap();
        assert_eq!(token.to_string().parse(), Ok(token.clone()));
        assert!(!format!("{token:?}").contains("secret"));
        let hash = "0".repeat(64);
        for wrong in [
            String::new(),
            "eve:operator".to_owned(),
            format!("eve:king:{hash}"),
            format!(":viewer:{hash}"),
            format!("two words:viewer:{hash}"),
            format!("eve:viewer:{hash}:more"),
            "eve:viewer:secret".to_owned(),
        ] {
            assert!(wrong.parse::<AdminToken>().is_err(), "{wrong}");
        }
    }
}
