//! Commands of players, read from `parlor.table.v1`.

use parlor_game::shell::Command;
use parlor_game::{Amount, Seat};
use parlor_proto::table::v1 as pb;

use super::envelope::Enveloped;
use crate::error::Error;

/// Longest name that is shown, in characters.
pub const NAME_MAX: usize = 32;

/// A command from a client; `name` is the player's, from its session.
///
/// # Errors
/// [`Error::Invalid`] when the command cannot be read, [`Error::Refused`] when the game cannot read
/// its part of it.
pub fn command_from<G: Enveloped>(
    message: pb::Command,
    name: &str,
) -> Result<Command<G::Command>, Error> {
    use pb::command::Command as In;
    let bad = Error::Invalid("BAD_COMMAND", "the command is empty or of an unknown kind");
    Ok(match message.command.ok_or(bad)? {
        In::Play(envelope) => {
            if envelope.game.is_none() {
                return Err(Error::Invalid("BAD_COMMAND", "the move is empty or unknown"));
            }
            let wrong = Error::Invalid("WRONG_GAME", "the move belongs to another game");
            let message = G::open_command(envelope).ok_or(wrong)?;
            let command = G::command_from(message);
            Command::Play(command.map_err(|refusal| Error::Refused(G::ID, refusal))?)
        }
        In::Sit(sit) => Command::Sit {
            seat: sit.seat.map(seat_from),
            buy_in: Amount(sit.buy_in),
            name: shown_name(name),
        },
        In::Ready(ready) => Command::Ready(ready.ready),
        In::StandUp(_) => Command::StandUp,
        In::SitOut(sit_out) => Command::SitOut(sit_out.sitting_out),
        In::AutoPlay(auto) => Command::AutoPlay(auto.enabled),
        In::ClientSeed(seed) => Command::ClientSeed(seed.seed.to_vec()),
        In::Emote(emote) => Command::Emote(number_from(emote.emote)),
        In::QuickChat(chat) => Command::QuickChat(number_from(chat.sentence)),
        In::AddBot(bot) => Command::AddBot(bot.seat.map(seat_from)),
        In::Kick(kick) => Command::Kick(seat_from(kick.seat)),
        In::ProposeDissolve(_) => Command::ProposeDissolve,
        In::VoteDissolve(vote) => Command::VoteDissolve(vote.agree),
        In::Pause(pause) => Command::Pause(pause.paused),
        In::Rematch(_) => Command::Rematch,
    })
}

/// A name without control characters, cut to [`NAME_MAX`].
#[must_use]
pub fn shown_name(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_MAX).collect();
    if name.trim().is_empty() { "Player".to_owned() } else { name }
}

/// A seat that no table has stands for every number that is out of range.
fn seat_from(seat: u32) -> Seat {
    Seat(u8::try_from(seat).unwrap_or(u8::MAX))
}

/// 0 is never a valid number, so it stands for every number that is out of range.
fn number_from(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(0)
}
