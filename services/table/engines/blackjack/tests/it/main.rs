//! The rules of blackjack as tables, random playouts that check the contract, and golden rounds.
#![allow(clippy::unwrap_used)]

mod bank;
mod bot;
mod golden;
mod leaving;
mod options;
mod playout;
mod secrecy;
mod shoe;
mod support;
mod tables;
