//! Every case of the rule documents' case files, answered by `parlor-evaluate`.
#![allow(clippy::unwrap_used)]

mod blackjack;
mod balatro;
mod mahjong;
mod support;
