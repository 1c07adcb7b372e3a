//! Drives a gateway through its real transports, with stand-ins for the services behind it.
#![allow(clippy::unwrap_used)]

mod fixture;

mod admin;
mod fleet;
mod frames;
mod grpc;
mod hostile;
mod http;
mod limits;
mod lobby;
mod logs;
mod mutations;
mod operator;
mod parties;
mod protocol;
mod proxies;
mod reasons;
mod sessions;
mod storm;
mod tables;
mod tls;
