//! Bots on the bare balatro engine.
