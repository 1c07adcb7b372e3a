//! Transports: how frames come and go.
//!
//! Each reads messages into a session's inbound queue and writes what its outbox gives, and knows
//! nothing of what the frames mean.

pub mod grpc;
pub mod websocket;
