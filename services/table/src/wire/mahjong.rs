//! Mahjong in the words of `parlor.rules.v1`.
//!
//! [`words`] has what events and views share, [`options`] the room's settings, [`event`] and
//! [`view`] the rest.

mod event;
mod options;
#[cfg(test)]
mod tests;
mod view;
mod words;

use parlor_game::Refusal;
use parlor_mahjong::view::View;
use parlor_mahjong::{Command, Event, Mahjong, Options};
use parlor_proto::rules::v1 as pb;
use pb::mahjong_command::Command as Asked;

use super::{MALFORMED, Wire};
use words::{suit_from, suit_to, tile_from, tile_to, tiles_to};

impl Wire for Mahjong {
    type OptionsMessage = pb::MahjongOptions;
    type CommandMessage = pb::MahjongCommand;
    type EventMessage = pb::MahjongEvent;
    type ViewMessage = pb::MahjongView;

    fn options_from(message: pb::MahjongOptions) -> Result<Options, Refusal> {
        options::options_from(&message)
    }

    fn options_to(options: &Options) -> pb::MahjongOptions {
        options::options_to(options)
    }

    fn command_from(message: pb::MahjongCommand) -> Result<Command, Refusal> {
        command_from(message)
    }

    fn command_to(command: &Command) -> pb::MahjongCommand {
        command_to(*command)
    }

    fn event_to(event: &Event) -> pb::MahjongEvent {
        event::event_to(event)
    }

    fn view_to(view: &View) -> pb::MahjongView {
        view::view_to(view)
    }
}

fn malformed(message: &'static str) -> Refusal {
    Refusal::invalid(MALFORMED, message)
}

fn command_from(message: pb::MahjongCommand) -> Result<Command, Refusal> {
    let asked = message.command.ok_or_else(|| malformed("the command is empty"))?;
    Ok(match asked {
        Asked::Exchange(exchange) => {
            let [first, second, third] = exchange.tiles.as_slice() else {
                return Err(malformed("three tiles are exchanged"));
            };
            Command::Exchange([tile_from(first)?, tile_from(second)?, tile_from(third)?])
        }
        Asked::ChooseVoid(choice) => Command::ChooseVoid(suit_from(choice.suit)?),
        Asked::Discard(discard) => Command::Discard(tile_from(&discard.tile)?),
        Asked::ConcealedKong(kong) => Command::ConcealedKong(tile_from(&kong.tile)?),
        Asked::AddedKong(kong) => Command::AddedKong(tile_from(&kong.tile)?),
        Asked::Win(_) => Command::Win,
        Asked::Kong(_) => Command::Kong,
        Asked::Pung(_) => Command::Pung,
        Asked::Pass(_) => Command::Pass,
        Asked::CloseWindow(_) => Command::CloseWindow,
    })
}

fn command_to(command: Command) -> pb::MahjongCommand {
    let one = |tile| pb::MahjongTile { tile: tile_to(tile) };
    let command = match command {
        Command::Exchange(tiles) => {
            Asked::Exchange(pb::MahjongExchange { tiles: tiles_to(&tiles) })
        }
        Command::ChooseVoid(suit) => {
            Asked::ChooseVoid(pb::MahjongChooseVoid { suit: suit_to(suit) })
        }
        Command::Discard(tile) => Asked::Discard(one(tile)),
        Command::ConcealedKong(tile) => Asked::ConcealedKong(one(tile)),
        Command::AddedKong(tile) => Asked::AddedKong(one(tile)),
        Command::Win => Asked::Win(pb::MahjongWin {}),
        Command::Kong => Asked::Kong(pb::MahjongKong {}),
        Command::Pung => Asked::Pung(pb::MahjongPung {}),
        Command::Pass => Asked::Pass(pb::MahjongPass {}),
        Command::CloseWindow => Asked::CloseWindow(pb::MahjongCloseWindow {}),
    };
    pb::MahjongCommand { command: Some(command) }
}
