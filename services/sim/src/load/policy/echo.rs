//! The echo game, followed by its events.

use std::time::Duration;

use parlor_proto::rules::v1 as rules;
use parlor_proto::table::v1 as pb;
use rules::{echo_event, event, view};
use tokio::time::Instant;

/// Bytes that a seat says.
const WORDS_BYTES: usize = 40;

/// What a seat knows of its table.
#[derive(Clone, Debug, Default)]
pub struct Echo {
    /// The seats of the running hand, in turn order.
    seats: Vec<u32>,
    number: u64,
    turn: Option<u32>,
    own: Option<u32>,
}

impl Echo {
    /// Takes a table afresh.
    pub fn start(&mut self, table: &pb::TableView) {
        self.own = table.own_seat;
        let game = table.view.as_ref().and_then(|view| view.game.as_ref());
        let Some(view::Game::Echo(view)) = game else { return };
        (self.number, self.turn) = (view.number, view.turn);
        // All seats are dealt in, in their order.
        self.seats = (0..super::Game::Echo.seats()).collect();
    }

    /// Follows an event; gives what was said, if anything was.
    pub fn follow<'a>(&mut self, event: &'a rules::Event) -> Option<&'a rules::EchoSaid> {
        let Some(event::Game::Echo(event)) = &event.game else { return None };
        match event.event.as_ref()? {
            echo_event::Event::Opened(opened) => {
                self.seats.clone_from(&opened.seats);
                self.turn = self.seats.first().copied();
                None
            }
            echo_event::Event::Said(said) => {
                self.number = said.number + 1;
                let place = self.seats.iter().position(|seat| *seat == said.seat);
                let next = place.map_or(0, |place| (place + 1) % self.seats.len());
                self.turn = self.seats.get(next).copied();
                Some(said)
            }
            echo_event::Event::Ended(_) => {
                self.turn = None;
                None
            }
        }
    }

    /// The number of the turn, when it is the own one.
    #[must_use]
    pub fn own_turn(&self) -> Option<u64> {
        (self.own.is_some() && self.turn == self.own).then_some(self.number)
    }
}

/// Forty bytes, of which the first tell when they were meant to be said.
#[must_use]
pub fn say(number: u64, meant: Instant, start: Instant) -> rules::Command {
    let nanos = u64::try_from((meant - start).as_nanos()).unwrap_or(u64::MAX);
    let mut words = vec![b'.'; WORDS_BYTES];
    words[..8].copy_from_slice(&nanos.to_be_bytes());
    let command = rules::EchoCommand { number, words: words.into() };
    rules::Command { game: Some(rules::command::Game::Echo(command)) }
}

/// When these words were meant to be said; `None` for words of another client.
#[must_use]
pub fn meant(said: &rules::EchoSaid, start: Instant) -> Option<Instant> {
    let nanos = u64::from_be_bytes(said.words.get(..8)?.try_into().ok()?);
    start.checked_add(Duration::from_nanos(nanos))
}
