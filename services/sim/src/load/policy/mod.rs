//! What a client plays, from its own view alone: what the view offers, chosen by a few rules of
//! thumb.

mod balatro;
mod blackjack;
mod echo;
mod mahjong;

use parlor_proto::rules::v1 as rules;
use parlor_proto::table::v1 as pb;
use rules::{options, view};

pub use echo::{Echo, meant, say};

/// A game that clients know how to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Sichuan mahjong, four players.
    Mahjong,
    /// Player-banked blackjack.
    Blackjack,
    /// The poker roguelike, one player.
    Balatro,
    /// Four seats that say 40 bytes in turn.
    Echo,
}

impl Game {
    /// Every game.
    pub const ALL: [Self; 4] = [Self::Mahjong, Self::Blackjack, Self::Balatro, Self::Echo];

    /// The game's id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Mahjong => "mahjong",
            Self::Blackjack => "blackjack",
            Self::Balatro => "balatro",
            Self::Echo => "echo",
        }
    }

    /// Seats of a table.
    #[must_use]
    pub const fn seats(self) -> u32 {
        match self {
            Self::Balatro => 1,
            Self::Mahjong | Self::Blackjack | Self::Echo => 4,
        }
    }

    /// Whether a client needs whole views to know what it may do.
    #[must_use]
    pub const fn needs_views(self) -> bool {
        !matches!(self, Self::Echo)
    }

    /// Room options under which nothing waits for a pause, and matches are long.
    #[must_use]
    pub fn options(self) -> rules::Options {
        let game = match self {
            Self::Mahjong => options::Game::Mahjong(rules::MahjongOptions {
                claim_pause_min_ms: Some(0),
                claim_pause_max_ms: Some(0),
                rounds: Some(16),
                ..rules::MahjongOptions::default()
            }),
            Self::Blackjack => options::Game::Blackjack(rules::BlackjackOptions {
                seats: Some(self.seats()),
                rounds: Some(0),
                ..rules::BlackjackOptions::default()
            }),
            Self::Balatro => options::Game::Balatro(rules::BalatroOptions::default()),
            Self::Echo => options::Game::Echo(rules::EchoOptions::default()),
        };
        rules::Options { game: Some(game) }
    }

    /// What the seat does now, by the game's part of its view; `None` when it has nothing to
    /// decide. `refused` counts the choices that were refused in this very view: each asks for
    /// another.
    #[must_use]
    pub fn choose(view: &rules::View, refused: u32) -> Option<rules::Command> {
        use rules::command::Game as Out;
        let game = match view.game.as_ref()? {
            view::Game::Mahjong(view) => Out::Mahjong(mahjong::choose(view, refused)?),
            view::Game::Blackjack(view) => Out::Blackjack(blackjack::choose(view, refused)?),
            view::Game::Balatro(view) => Out::Balatro(balatro::choose(view, refused)?),
            // It is played without views.
            view::Game::Echo(_) => return None,
        };
        Some(rules::Command { game: Some(game) })
    }
}

/// A move as a command to a table.
#[must_use]
pub const fn play(command: rules::Command) -> pb::Command {
    pb::Command { command: Some(pb::command::Command::Play(command)) }
}
