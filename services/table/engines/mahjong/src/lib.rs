//! Sichuan mahjong, 血战到底: 108 tiles with 定缺 for four players, 72 tiles for three.
//!
//! The crate is pure: no clock, no I/O, no randomness but [`parlor_game::Entropy`]. Rules are
//! cited by their number, as in (rules: mahjong 3.8).
//!
//! What a tile is and what tiles are worth:
//! * [`tile`], [`meld`]: tiles, suits, hands as counts, pungs and kongs.
//! * [`shape`]: complete, ready, and how far from it, by table.
//! * [`score`]: the fan of a winning hand over all its readings.
//! * [`settle`]: who pays whom, when a hand ends, and who deals next.
//! * [`options`]: the options of a room.
//!
//! A hand as commands and events:
//! * [`command`], [`event`], [`state`]: what is asked for, what happened, what is remembered.
//! * [`decide`]: commands to events; [`evolve`]: events to state; `rules`: what a seat may do.
//! * [`legal`]: who may act and how.
//! * [`redact`], [`view`], [`hints`]: what each viewer may know; [`hidden`] proves it.
//! * [`sheet`]: the score sheet of a match.
//! * [`bot`]: a player that sees only its own view.
//! * [`Mahjong`]: all of it behind the contract of [`parlor_game::Game`].
//!
//! The shuffle is over [`tile::sorted_wall`] with the hand's deal stream; [`event::Event::Dealt`]
//! says which tiles of the shuffled wall go to whom.
#![no_std]

extern crate alloc;

pub mod bot;
pub mod command;
pub mod decide;
pub mod event;
pub mod evolve;
pub mod hidden;
pub mod hints;
pub mod legal;
pub mod meld;
pub mod options;
pub mod redact;
pub mod score;
pub mod settle;
pub mod shape;
pub mod sheet;
pub mod state;
pub mod tile;
pub mod view;

mod game;
mod refusals;
mod rules;

pub use command::{Answer, Command};
pub use event::Event;
pub use game::Mahjong;
pub use options::Options;
pub use state::State;
pub use view::View;
