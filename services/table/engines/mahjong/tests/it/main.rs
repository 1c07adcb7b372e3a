//! Tests of the mahjong engine.
#![allow(clippy::unwrap_used)]

mod playouts;
mod support;
