//! Tests of what all games share.
#![allow(missing_docs, clippy::unwrap_used)]

mod fair;
mod guess;
mod shell;
mod table;
