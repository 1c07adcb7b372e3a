//! The table service.
pub mod wire;
