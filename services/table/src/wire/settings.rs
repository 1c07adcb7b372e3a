//! Settings and reservations of a new table, read from `parlor.table.v1`.

use parlor_common::PlayerId;
use parlor_game::shell::{Admission, Pacing, Player, Reservation, Settings, Stakes};
use parlor_game::{Amount, Seat};
use parlor_proto::rules::v1 as rules;
use parlor_proto::table::v1 as pb;

use super::command::shown_name;
use super::envelope::Enveloped;
use crate::error::Error;

/// Most reservations of one table.
pub const RESERVATIONS_MAX: usize = 16;
/// Largest time bank of a hand, in milliseconds.
const TIME_BANK_MAX_MS: u32 = 600_000;
/// Longest pause of a bot, in milliseconds.
const BOT_DELAY_MAX_MS: u32 = 60_000;
/// Longest room code, in characters.
const ROOM_CODE_MAX: usize = 16;

/// The settings of a table of game `G`.
///
/// # Errors
/// [`Error::Invalid`] when a setting is out of range, [`Error::Refused`] when the game refuses its
/// options.
pub fn settings_from<G: Enveloped>(
    message: pb::TableSettings,
    options: rules::Options,
    pacing: Pacing,
) -> Result<Settings<G::Options>, Error> {
    let wrong = Error::Invalid("BAD_OPTIONS", "the options belong to another game");
    let options = G::open_options(options).ok_or(wrong)?;
    let refused = |refusal| Error::Refused(G::ID, refusal);
    let options = G::options_from(options).map_err(refused)?;
    let (_, most) = G::seats(&options).map_err(refused)?;
    let stakes = match pb::StakeMode::try_from(message.stake_mode) {
        Ok(pb::StakeMode::Chips) => Stakes::Chips { buy_in: Amount(message.buy_in) },
        Ok(pb::StakeMode::Points) => Stakes::Points,
        _ => return Err(Error::Invalid("BAD_SETTINGS", "the stake mode is missing or unknown")),
    };
    let seats = match message.seats {
        0 => most,
        seats => u8::try_from(seats)
            .map_err(|_| Error::Invalid("BAD_SETTINGS", "a table has fewer seats"))?,
    };
    let (least, longest) = (message.bot_delay_min_ms, message.bot_delay_max_ms);
    if least > longest || longest > BOT_DELAY_MAX_MS || message.room_code.len() > ROOM_CODE_MAX {
        return Err(Error::Invalid(
            "BAD_SETTINGS",
            "a bot's pause or the room code is out of range",
        ));
    }
    if message.time_bank_ms > TIME_BANK_MAX_MS {
        return Err(Error::Invalid("BAD_SETTINGS", "a time bank has at most ten minutes"));
    }
    Ok(Settings {
        options,
        stakes,
        seats,
        admission: Admission {
            fill_with_bots: message.fill_with_bots,
            bots_allowed: message.bots_allowed,
            always_ready: message.always_ready,
            spectators_allowed: message.spectators_allowed,
        },
        pacing: Pacing {
            bot_delay_min_ms: least,
            bot_delay_max_ms: longest,
            time_bank_ms: message.time_bank_ms,
            ..pacing
        },
        hands_limit: message.hands_limit,
        room_code: message.room_code,
    })
}

/// The reservations of a new table: at least one, each player once.
///
/// # Errors
/// [`Error::Invalid`] when there are none or too many, or when a player comes twice.
pub fn reservations_from(messages: &[pb::SeatReservation]) -> Result<Vec<Reservation>, Error> {
    let bad = |text| Error::Invalid("BAD_RESERVATIONS", text);
    if messages.is_empty() || messages.len() > RESERVATIONS_MAX {
        return Err(bad("a table is opened with 1 to 16 reservations"));
    }
    let mut reservations: Vec<Reservation> = Vec::with_capacity(messages.len());
    for message in messages {
        let player = player_from(&message.player_id)?;
        if reservations.iter().any(|other| other.player == player) {
            return Err(bad("a player has two reservations"));
        }
        reservations.push(Reservation {
            player,
            name: shown_name(&message.name),
            seat: message.seat.map(|seat| Seat(u8::try_from(seat).unwrap_or(u8::MAX))),
            host: message.host,
        });
    }
    Ok(reservations)
}

/// A player from its identifier.
///
/// # Errors
/// [`Error::Invalid`] when it is not one.
pub fn player_from(text: &str) -> Result<Player, Error> {
    let id = text.parse::<PlayerId>();
    let id = id.map_err(|_| Error::Invalid("BAD_PLAYER_ID", "the player id is not a UUID"))?;
    Ok(Player(*id.as_bytes()))
}
