//! Bounds of table settings. What a game's options mean is the table service's business.

use parlor_proto::table::v1::{StakeMode, TableSettings};
use prost::Message;

use crate::error::Error;

/// Largest settings, in bytes as they travel.
pub const MAX_SETTINGS_BYTES: usize = 4096;

/// Most seats of a table.
const MAX_SEATS: u32 = 10;

/// Largest buy-in in minor units; sums over a table stay exact in a client that counts in doubles.
const MAX_BUY_IN: i64 = 1_000_000_000_000;

/// Longest pause of a bot.
const MAX_BOT_DELAY_MS: u32 = 60_000;

/// Most hands that a table may be limited to.
const MAX_HANDS: u32 = 10_000;

/// Checks what every table has in common.
///
/// # Errors
/// [`Error::BadRoomSettings`].
pub fn check(settings: &TableSettings) -> Result<(), Error> {
    let refuse = |message| Err(Error::BadRoomSettings(message));
    if settings.encoded_len() > MAX_SETTINGS_BYTES {
        return refuse("the settings are too large");
    }
    if settings.options.as_ref().is_none_or(|options| options.game.is_none()) {
        return refuse("the options name no game");
    }
    if settings.seats > MAX_SEATS {
        return refuse("a table has at most 10 seats");
    }
    match settings.stake_mode() {
        StakeMode::Unspecified => return refuse("the stake mode is chips or points"),
        StakeMode::Chips if !(1..=MAX_BUY_IN).contains(&settings.buy_in) => {
            return refuse("the buy-in of a chips table is 1 to 1000000000000");
        }
        StakeMode::Points if settings.buy_in != 0 => {
            return refuse("a points table has no buy-in");
        }
        StakeMode::Chips | StakeMode::Points => {}
    }
    if settings.bot_delay_min_ms > settings.bot_delay_max_ms
        || settings.bot_delay_max_ms > MAX_BOT_DELAY_MS
    {
        return refuse("a bot's delay runs from its minimum to its maximum, 60000 ms at most");
    }
    if settings.hands_limit > MAX_HANDS {
        return refuse("a table is limited to at most 10000 hands");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use parlor_proto::rules::v1::options::Game;
    use parlor_proto::rules::v1::{BalatroOptions, MahjongOptions, Options};

    use super::*;

    fn good() -> TableSettings {
        TableSettings {
            options: Some(Options { game: Some(Game::Mahjong(MahjongOptions::default())) }),
            stake_mode: StakeMode::Points.into(),
            ..TableSettings::default()
        }
    }

    #[test]
    fn a_room_may_be_the_challenge_of_a_day() {
        let daily = BalatroOptions { daily: Some("2026-11-30".to_owned()), ..Default::default() };
        let options = Some(Options { game: Some(Game::Balatro(daily)) });
        // Whether it is this day's, the table service knows.
        assert_eq!(check(&TableSettings { options, seats: 1, ..good() }), Ok(()));
    }

    #[test]
    fn settings_out_of_bounds_are_refused() {
        assert_eq!(check(&good()), Ok(()));
        type Spoil = fn(&mut TableSettings);
        let spoils: [Spoil; 10] = [
            |settings| settings.options = None,
            |settings| settings.options = Some(Options { game: None }),
            |settings| settings.seats = 11,
            |settings| settings.stake_mode = 0,
            |settings| settings.stake_mode = 99,
            |settings| settings.stake_mode = StakeMode::Chips.into(),
            |settings| settings.buy_in = -1,
            |settings| settings.bot_delay_min_ms = 1,
            |settings| settings.bot_delay_max_ms = 60_001,
            |settings| settings.hands_limit = 10_001,
        ];
        for (number, spoil) in spoils.into_iter().enumerate() {
            let mut settings = good();
            spoil(&mut settings);
            assert!(check(&settings).is_err(), "spoil {number} went unnoticed");
        }
        let large = TableSettings { room_code: "x".repeat(MAX_SETTINGS_BYTES), ..good() };
        assert!(check(&large).is_err());
    }
}
