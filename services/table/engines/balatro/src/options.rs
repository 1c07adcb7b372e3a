//! Room options of a run.

use alloc::string::String;

use parlor_game::Refusal;
use serde::{Deserialize, Serialize};

use crate::content::decks::{DeckSpec, PLAIN, Profile};
use crate::content::{DeckId, Stake};
use crate::reason;

/// Most characters of a daily challenge's id.
pub const DAILY_MAX: usize = 40;

/// Room options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The base numbers.
    pub profile: Profile,
    /// The starting deck; `None` for 52 cards without any effect.
    pub deck: Option<DeckId>,
    /// How hard it is.
    pub stake: Stake,
    /// The daily challenge that the run belongs to: lower-case letters, digits and hyphens. Whoever
    /// deals a daily challenge must give every table of it the same entropy; the run then depends
    /// on its commands alone.
    pub daily: Option<String>,
}

impl Options {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// `bad_options` when the id of the daily challenge is malformed, or when the profile `seed` is
    /// combined with another deck than its own 52 cards.
    pub fn check(&self) -> Result<(), Refusal> {
        if let Some(daily) = &self.daily {
            let well_formed = daily
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
            if daily.is_empty() || daily.len() > DAILY_MAX || !well_formed {
                return Err(Refusal::invalid(
                    reason::BAD_OPTIONS,
                    "a daily challenge's id has 1 to 40 lower-case letters, digits and hyphens",
                ));
            }
        }
        if self.profile == Profile::Seed && self.deck.is_some() {
            return Err(Refusal::invalid(
                reason::BAD_OPTIONS,
                "the profile seed has a deck of its own",
            ));
        }
        Ok(())
    }

    /// The starting deck's entry.
    #[must_use]
    pub fn deck_spec(&self) -> &'static DeckSpec {
        static NO_EFFECT: DeckSpec = PLAIN;
        self.deck.map_or(&NO_EFFECT, DeckId::spec)
    }
}
