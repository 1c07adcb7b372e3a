//! Bots on the bare blackjack engine.
