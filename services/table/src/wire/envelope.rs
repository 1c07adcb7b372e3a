//! The oneofs of `parlor.rules.v1` that hold one game's messages.

use parlor_balatro::Balatro;
use parlor_blackjack::Blackjack;
use parlor_echo::Echo;
use parlor_game::Game as _;
use parlor_mahjong::Mahjong;
use parlor_proto::rules::v1 as pb;

use super::Wire;

/// A game that has its place in the oneofs of `parlor.rules.v1`.
pub trait Enveloped: Wire {
    /// The game's options, when the envelope holds this game's.
    fn open_options(envelope: pb::Options) -> Option<Self::OptionsMessage>;
    /// Options in their envelope.
    fn seal_options(message: Self::OptionsMessage) -> pb::Options;
    /// The game's command, when the envelope holds this game's.
    fn open_command(envelope: pb::Command) -> Option<Self::CommandMessage>;
    /// A command in its envelope.
    fn seal_command(message: Self::CommandMessage) -> pb::Command;
    /// An event in its envelope.
    fn seal_event(message: Self::EventMessage) -> pb::Event;
    /// A view in its envelope.
    fn seal_view(message: Self::ViewMessage) -> pb::View;
}

/// The id of the game whose options these are; empty when there is none.
#[must_use]
pub const fn game_of(options: &pb::Options) -> &'static str {
    match options.game {
        Some(pb::options::Game::Balatro(_)) => Balatro::ID,
        Some(pb::options::Game::Blackjack(_)) => Blackjack::ID,
        Some(pb::options::Game::Echo(_)) => Echo::ID,
        Some(pb::options::Game::Mahjong(_)) => Mahjong::ID,
        None => "",
    }
}

macro_rules! enveloped {
    ($game:ident) => {
        impl Enveloped for $game {
            fn open_options(envelope: pb::Options) -> Option<Self::OptionsMessage> {
                match envelope.game? {
                    pb::options::Game::$game(message) => Some(message),
                    _ => None,
                }
            }
            fn seal_options(message: Self::OptionsMessage) -> pb::Options {
                pb::Options { game: Some(pb::options::Game::$game(message)) }
            }
            fn open_command(envelope: pb::Command) -> Option<Self::CommandMessage> {
                match envelope.game? {
                    pb::command::Game::$game(message) => Some(message),
                    _ => None,
                }
            }
            fn seal_command(message: Self::CommandMessage) -> pb::Command {
                pb::Command { game: Some(pb::command::Game::$game(message)) }
            }
            fn seal_event(message: Self::EventMessage) -> pb::Event {
                pb::Event { game: Some(pb::event::Game::$game(message)) }
            }
            fn seal_view(message: Self::ViewMessage) -> pb::View {
                pb::View { game: Some(pb::view::Game::$game(message)) }
            }
        }
    };
}

enveloped!(Balatro);
enveloped!(Blackjack);
enveloped!(Echo);
enveloped!(Mahjong);
