//! Deals that every table of a day has in common.
//!
//! Their seeds are derived from one secret, so that all replicas give the same without asking each
//! other. A challenge is open on its day (UTC), and its seed is revealed when the day is over.

use std::fmt;

use parlor_common::clock::is_day;
use parlor_game::fair::ServerSeed;
use parlor_game::shell::state::shared_name;
use parlor_proto::rules::v1 as rules;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::error::Error;

/// How much a client's clock may be off at midnight, in milliseconds.
const GRACE_MS: i64 = 300_000;

/// The seeds of shared deals. Its `Debug` does not show the key.
#[derive(Clone)]
pub struct DailySeeds {
    key: [u8; 32],
}

impl fmt::Debug for DailySeeds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DailySeeds(hidden)")
    }
}

impl DailySeeds {
    /// From the operator's secret; every table process must have the same.
    #[must_use]
    pub fn new(secret: &SecretString) -> Self {
        Self { key: Sha256::digest(secret.expose_secret().as_bytes()).into() }
    }

    /// The seed of a deal by its full name, `<game>/<day>`.
    #[must_use]
    pub fn seed(&self, name: &str) -> ServerSeed {
        ServerSeed::shared(&self.key, name)
    }

    /// The seed of a game's challenge, once its day is over.
    ///
    /// # Errors
    /// [`Error::Invalid`] `BAD_DAY` when it is no day, [`Error::DailyOpen`] while the challenge can
    /// still be begun.
    pub fn revealed(&self, game: &str, day: &str, now_ms: i64) -> Result<ServerSeed, Error> {
        if !is_day(day) {
            return Err(Error::Invalid("BAD_DAY", "a day is written YYYY-MM-DD"));
        }
        // Days in this form are ordered as text is.
        if day_of(now_ms - GRACE_MS).as_str() <= day {
            return Err(Error::DailyOpen);
        }
        Ok(self.seed(&shared_name(game, day)))
    }
}

/// What stands for the day in options that are written beforehand, such as a queue's.
const TODAY: &str = "today";

/// Puts the day in the place of `today`.
pub fn fill_in(options: &mut rules::Options, now_ms: i64) {
    if let Some(rules::options::Game::Balatro(options)) = &mut options.game
        && options.daily.as_deref() == Some(TODAY)
    {
        options.daily = Some(day_of(now_ms));
    }
}

/// Checks that a table of this day's challenge may be opened now.
///
/// # Errors
/// [`Error::DailyUnavailable`] without seeds, [`Error::DailyNotOpen`] on another day.
pub fn check(seeds: Option<&DailySeeds>, day: &str, now_ms: i64) -> Result<(), Error> {
    if seeds.is_none() {
        return Err(Error::DailyUnavailable);
    }
    let open = [now_ms - GRACE_MS, now_ms + GRACE_MS].map(day_of);
    if open.iter().any(|open| open == day) { Ok(()) } else { Err(Error::DailyNotOpen) }
}

/// The day of a moment in UTC, `YYYY-MM-DD`; empty outside of the years that can be written so.
fn day_of(time_ms: i64) -> String {
    OffsetDateTime::from_unix_timestamp(time_ms.div_euclid(1000))
        .map(|time| time.date().to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-30T00:00:00Z.
    const MIDNIGHT_MS: i64 = 1_795_996_800_000;
    const HOUR_MS: i64 = 3_600_000;

    fn seeds() -> DailySeeds {
        DailySeeds::new(&"a secret of the operator".into())
    }

    #[test]
    fn a_challenge_is_open_on_its_day_and_a_little_around_it() {
        let open = |day, now_ms| check(Some(&seeds()), day, now_ms).is_ok();
        assert!(open("2026-11-30", MIDNIGHT_MS + HOUR_MS));
        assert!(open("2026-11-30", MIDNIGHT_MS - GRACE_MS));
        assert!(open("2026-11-29", MIDNIGHT_MS + GRACE_MS - 1));
        assert!(!open("2026-11-29", MIDNIGHT_MS + HOUR_MS));
        assert!(!open("2026-12-01", MIDNIGHT_MS + HOUR_MS));
        assert!(!open("today", MIDNIGHT_MS));
        let none = check(None, "2026-11-30", MIDNIGHT_MS);
        assert!(matches!(none, Err(Error::DailyUnavailable)));
    }

    #[test]
    fn a_seed_is_revealed_only_when_nobody_can_begin_with_it_any_more() {
        let reveal = |day, now_ms| seeds().revealed("balatro", day, now_ms);
        let open = MIDNIGHT_MS + GRACE_MS - 1;
        assert!(check(Some(&seeds()), "2026-11-29", open).is_ok());
        assert!(matches!(reveal("2026-11-29", open), Err(Error::DailyOpen)));
        assert!(matches!(reveal("2026-11-30", MIDNIGHT_MS), Err(Error::DailyOpen)));
        assert!(matches!(reveal("9999-99-99", MIDNIGHT_MS), Err(Error::DailyOpen)));
        assert!(matches!(reveal("30/11/2026", MIDNIGHT_MS), Err(Error::Invalid("BAD_DAY", _))));
        let seed = reveal("2026-11-29", open + 1).ok();
        assert_eq!(seed, Some(seeds().seed("balatro/2026-11-29")));
    }

    #[test]
    fn today_is_the_day_of_the_server() {
        let daily = |daily: &str| {
            let daily = Some(daily.to_owned());
            let game = rules::BalatroOptions { daily, ..rules::BalatroOptions::default() };
            rules::Options { game: Some(rules::options::Game::Balatro(game)) }
        };
        for (written, meant) in [("today", "2026-11-30"), ("2026-11-29", "2026-11-29")] {
            let mut options = daily(written);
            fill_in(&mut options, MIDNIGHT_MS);
            assert_eq!(options, daily(meant));
        }
    }

    #[test]
    fn seeds_differ_by_day_game_and_secret() {
        let other = DailySeeds::new(&"another secret".into());
        let first = seeds().seed("balatro/2026-11-29");
        for seed in [
            seeds().seed("balatro/2026-11-30"),
            seeds().seed("other/2026-11-29"),
            other.seed("balatro/2026-11-29"),
        ] {
            assert_ne!(seed, first);
        }
        assert_eq!(format!("{:?}", seeds()), "DailySeeds(hidden)");
    }
}
