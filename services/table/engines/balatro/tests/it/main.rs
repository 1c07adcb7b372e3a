//! The engine as the table shell and its players see it.
#![allow(clippy::unwrap_used)]

mod content;
mod flow;
mod golden;
mod locale;
mod playouts;
mod scenario;
mod support;
