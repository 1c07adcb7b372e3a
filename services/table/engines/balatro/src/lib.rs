//! The balatro-style poker roguelike: one player against targets that rise.
//!
//! [`Balatro`] implements the contract of [`parlor_game::Game`]; one *hand* of the contract is one
//! run. The rules are those of the document (chapters are cited as `rules: balatro 5`).
//!
//! * [`card`], [`poker`], [`number`], [`joker`]: the words: cards, hand types, numbers, jokers.
//! * [`content`]: what exists, as data: jokers in a small effect vocabulary, consumables, bosses,
//!   vouchers, tags, packs, decks, targets. Adding a joker is adding an entry.
//! * [`score`]: the pipeline that scores a play, a pure function.
//! * [`blind`], [`payout`], [`selection`]: targets and verdicts, payouts, which cards may go
//!   together.
//! * [`state`]: a run, and what follows from it.
//! * [`command`], [`decide`], [`event`], `evolve`: commands become events, events change the run.
//! * [`view`], `redact`, `hidden`: what a viewer may know, and the proof.
//! * `legal`, [`bot`]: what may be done, and a player that does it.
//!
//! **Invariant**: chance comes from labelled streams of the run's key and is written into events;
//! `evolve` has none.
#![no_std]

extern crate alloc;

pub mod blind;
pub mod bot;
pub mod card;
pub mod command;
pub mod content;
pub mod decide;
pub mod event;
mod evolve;
mod game;
mod hidden;
pub mod joker;
mod legal;
pub mod number;
pub mod options;
pub mod payout;
pub mod poker;
pub mod reason;
mod redact;
pub mod score;
pub mod selection;
pub mod state;
pub mod view;

pub use command::Command;
pub use event::Event;
pub use game::{Balatro, CLOCK_MS};
pub use options::Options;
pub use state::State;
pub use view::View;
