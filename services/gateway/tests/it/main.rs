//! Drives a gateway through its real transports, with stand-ins for the services behind it.
#![allow(clippy::unwrap_used)]

mod fixture;

mod frames;
mod grpc;
mod http;
mod limits;
mod lobby;
mod logs;
mod protocol;
mod reasons;
mod sessions;
mod tables;
mod tls;
