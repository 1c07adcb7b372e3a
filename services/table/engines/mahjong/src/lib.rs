//! The mahjong engine.
#![no_std]
