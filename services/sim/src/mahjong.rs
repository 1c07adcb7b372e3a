//! Bots on the bare mahjong engine.
