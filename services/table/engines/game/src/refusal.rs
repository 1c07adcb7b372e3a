//! How a game says no to a player.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Which kind of mistake a refused command was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The command could never be right: a malformed amount, an unknown option.
    Invalid,
    /// The command is well-formed but not allowed in this state.
    Illegal,
}

/// A command that was refused. It has changed nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Stable machine-readable reason in `snake_case`, listed by the game's `REASONS`.
    pub reason: &'static str,
    /// Invalid input or an illegal move.
    pub kind: RefusalKind,
    /// Lower-case text for people, without hidden information.
    pub message: Cow<'static, str>,
    /// Numbers that help the client correct itself, such as the largest bet it may make.
    pub details: Vec<(&'static str, i64)>,
}

impl Refusal {
    /// A refusal of well-formed input that the state does not allow.
    #[must_use]
    pub fn illegal(reason: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self { reason, kind: RefusalKind::Illegal, message: message.into(), details: Vec::new() }
    }

    /// A refusal of input that could never be right.
    #[must_use]
    pub fn invalid(reason: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self { reason, kind: RefusalKind::Invalid, message: message.into(), details: Vec::new() }
    }

    /// Adds a number that helps the client correct itself.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: i64) -> Self {
        self.details.push((name, value));
        self
    }
}
