//! The echo game in the words of `parlor.rules.v1`.

use parlor_echo::{Command, Echo, Event, Options, View};
use parlor_game::Refusal;
use parlor_proto::rules::v1 as pb;
use pb::echo_event::Event as Out;

use super::Wire;
use super::result::result_to;

impl Wire for Echo {
    type OptionsMessage = pb::EchoOptions;
    type CommandMessage = pb::EchoCommand;
    type EventMessage = pb::EchoEvent;
    type ViewMessage = pb::EchoView;

    fn options_from(message: pb::EchoOptions) -> Result<Options, Refusal> {
        let default = Options::default();
        Ok(Options {
            turns: message.turns.unwrap_or(default.turns),
            turn_ms: message.turn_ms.unwrap_or(default.turn_ms),
        })
    }

    fn options_to(options: &Options) -> pb::EchoOptions {
        pb::EchoOptions { turns: Some(options.turns), turn_ms: Some(options.turn_ms) }
    }

    fn command_from(message: pb::EchoCommand) -> Result<Command, Refusal> {
        Ok(Command::Say { number: message.number, words: message.words.to_vec() })
    }

    fn command_to(command: &Command) -> pb::EchoCommand {
        let Command::Say { number, words } = command;
        pb::EchoCommand { number: *number, words: words.clone().into() }
    }

    fn event_to(event: &Event) -> pb::EchoEvent {
        let event = match event {
            Event::Opened(seats) => {
                let seats = seats.iter().map(|seat| seat.0.into()).collect();
                Out::Opened(pb::EchoOpened { seats })
            }
            Event::Said { seat, number, words } => Out::Said(pb::EchoSaid {
                seat: seat.0.into(),
                number: *number,
                words: words.clone().into(),
            }),
            Event::Ended(result) => Out::Ended(pb::EchoEnded { result: Some(result_to(result)) }),
        };
        pb::EchoEvent { event: Some(event) }
    }

    fn view_to(view: &View) -> pb::EchoView {
        pb::EchoView { number: view.number, turn: view.turn.map(|seat| seat.0.into()) }
    }
}
