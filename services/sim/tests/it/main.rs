//! Integration tests of the simulations.
#![allow(clippy::unwrap_used, clippy::panic)]
mod system;
