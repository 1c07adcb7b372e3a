//! The balatro engine.
#![no_std]
