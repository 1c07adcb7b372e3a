//! Every case of the rule documents' case files, answered by `parlor-evaluate`.
#![allow(clippy::unwrap_used)]

mod balatro;
mod blackjack;
mod mahjong;
mod support;
