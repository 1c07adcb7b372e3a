//! The blackjack engine.
#![no_std]
