//! Bans and mutes, as far as this process knows them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use parlor_common::{Code, Failure, PlayerId};
use serde::{Deserialize, Serialize};

use crate::reasons;

/// Players with a sanction that are remembered.
const REMEMBERED: usize = 65_536;

/// Something that a player may not do until it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sanction {
    /// Milliseconds since the Unix epoch; 0: for ever.
    pub until_ms: i64,
    /// What the player is told.
    pub reason: String,
    /// Name of the admin token.
    pub by: String,
}

impl Sanction {
    /// Whether it still holds.
    #[must_use]
    pub const fn holds(&self, now_ms: i64) -> bool {
        self.until_ms == 0 || self.until_ms > now_ms
    }

    fn refusal(&self, reason: &str, message: &str) -> Failure {
        let failure = Failure::new(Code::Denied, reason, message).with("why", &self.reason);
        if self.until_ms == 0 { failure } else { failure.with("until_ms", self.until_ms) }
    }

    /// What a banned player is told.
    #[must_use]
    pub fn banned(&self) -> Failure {
        self.refusal(reasons::PLAYER_BANNED, "the player is banned")
    }

    /// What is told to whoever comes from a banned network.
    #[must_use]
    pub fn address_banned(&self) -> Failure {
        self.refusal(reasons::ADDRESS_BANNED, "this address is banned")
    }

    /// What a muted player is told.
    #[must_use]
    pub fn muted(&self) -> Failure {
        self.refusal(reasons::PLAYER_MUTED, "the player may not talk now")
    }
}

/// What stands against a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Opens no session.
    pub ban: Option<Sanction>,
    /// Shows no emotes and says nothing.
    pub mute: Option<Sanction>,
}

impl Standing {
    /// Only what still holds.
    #[must_use]
    pub fn now(self, now_ms: i64) -> Self {
        let holds = |sanction: &Sanction| sanction.holds(now_ms);
        Self { ban: self.ban.filter(holds), mute: self.mute.filter(holds) }
    }
}

/// A bounded memory of sanctions.
#[derive(Debug, Default)]
pub struct Sanctions {
    known: Mutex<HashMap<PlayerId, Standing>>,
}

impl Sanctions {
    fn known(&self) -> MutexGuard<'_, HashMap<PlayerId, Standing>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What stands against a player now.
    #[must_use]
    pub fn of(&self, player: &PlayerId, now_ms: i64) -> Standing {
        self.known().get(player).cloned().unwrap_or_default().now(now_ms)
    }

    /// Remembers what stands against a player, instead of what was known.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`TOO_MANY_SANCTIONS`.
    pub fn learn(&self, player: PlayerId, standing: Standing, now_ms: i64) -> Result<(), Failure> {
        let standing = standing.now(now_ms);
        let mut known = self.known();
        if standing == Standing::default() {
            known.remove(&player);
            return Ok(());
        }
        if known.len() >= REMEMBERED && !known.contains_key(&player) {
            known.retain(|_, old| std::mem::take(old).now(now_ms) != Standing::default());
        }
        if known.len() >= REMEMBERED && !known.contains_key(&player) {
            let message = "too many players are banned or muted at a time";
            return Err(Failure::new(Code::Exhausted, reasons::TOO_MANY_SANCTIONS, message));
        }
        known.insert(player, standing);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn until(until_ms: i64) -> Option<Sanction> {
        Some(Sanction { until_ms, reason: "rude".to_owned(), by: "eve".to_owned() })
    }

    #[test]
    fn a_sanction_ends_by_itself_unless_it_is_for_ever() {
        let sanctions = Sanctions::default();
        let player = PlayerId::random();
        let standing = Standing { ban: until(100), mute: until(0) };
        sanctions.learn(player, standing.clone(), 50).unwrap();
        assert_eq!(sanctions.of(&player, 99), standing);
        assert_eq!(sanctions.of(&player, 100), Standing { ban: None, mute: until(0) });
        sanctions.learn(player, Standing::default(), 100).unwrap();
        assert_eq!(sanctions.of(&player, 100), Standing::default());
    }

    #[test]
    fn the_player_is_told_why_and_until_when() {
        let failure = until(100).unwrap().banned();
        assert_eq!((failure.reason.as_str(), failure.code), ("PLAYER_BANNED", Code::Denied));
        assert_eq!(failure.metadata["until_ms"], "100");
        assert_eq!(failure.metadata["why"], "rude");
        assert!(!until(0).unwrap().muted().metadata.contains_key("until_ms"));
    }

    #[test]
    fn the_memory_is_bounded_and_what_has_ended_makes_room() {
        let sanctions = Sanctions::default();
        let ban = |until_ms| Standing { ban: until(until_ms), mute: None };
        for _ in 0..REMEMBERED {
            sanctions.learn(PlayerId::random(), ban(100), 50).unwrap();
        }
        let full = sanctions.learn(PlayerId::random(), ban(200), 50).unwrap_err();
        assert_eq!(full.reason, "TOO_MANY_SANCTIONS");
        sanctions.learn(PlayerId::random(), ban(200), 100).unwrap();
        assert_eq!(sanctions.known().len(), 1);
    }
}
