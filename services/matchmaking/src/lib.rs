//! Matchmaking: from "I want to play" to a seat.
//!
//! * [`queue`]: the queues on offer, which are configuration; [`settings`]: bounds of a table's.
//! * [`ticket`]: players who wait together, and what becomes of them.
//! * [`matcher`]: who plays with whom, a pure function.
//! * [`store`]: what is remembered, each step atomic; in this process or in Redis.
//! * [`worker`]: the matchmakers. They hold leases of queues, claim groups and seat them.
//! * [`party`]: what parties are, and who may change what; [`parties`]: changing them and entering
//!   queues; [`party_watch`]: following them, and whoever is absent for long.
//! * [`club`]: what clubs are, and who may change what; [`clubs`]: changing them; [`club_rooms`]:
//!   what their rooms cost; [`hands`]: which hands were played.
//! * [`service`]: entering and leaving queues; [`watch`]: following a ticket; [`rooms`]: private
//!   tables with a code; [`presence`]: who sits where; [`ratings`]: how strong players are.
//! * [`tables`]: the table service, as far as it is needed here.
//! * [`grpc`], [`party_grpc`], [`club_grpc`]: the adapter; [`run`] puts everything together.
//!
//! **Invariant.** A player has at most one live ticket, and a ticket belongs to at most one match:
//! entering, claiming and settling are atomic steps of the store, and a claim can be settled only
//! by the last one who took it over.

pub mod club;
pub mod club_grpc;
pub mod club_rooms;
pub mod clubs;
pub mod config;
pub mod error;
pub mod grpc;
pub mod hands;
pub mod ids;
pub mod invite;
pub mod matcher;
pub mod metrics;
pub mod parties;
pub mod party;
pub mod party_grpc;
pub mod party_watch;
pub mod presence;
pub mod queue;
pub mod ratings;
pub mod room;
pub mod rooms;
pub mod service;
pub mod settings;
pub mod store;
pub mod tables;
pub mod ticket;
pub mod timing;
pub mod watch;
pub mod worker;

use std::sync::Arc;

use parlor_common::client::PeerChannel;
use parlor_common::locate::TableLocator;
use parlor_common::patience::until_open;
use parlor_common::server::{MAX_MESSAGE_BYTES, ServerOptions, serve};
use parlor_common::{Clock, Shutdown};
use parlor_proto::matchmaking::v1::club_service_server::{self, ClubServiceServer};
use parlor_proto::matchmaking::v1::matchmaking_service_server::{self, MatchmakingServiceServer};
use parlor_proto::matchmaking::v1::party_service_server::{self, PartyServiceServer};
use parlor_proto::matchmaking::v1::room_service_server::{self, RoomServiceServer};
use tokio::net::TcpListener;
use tonic::service::Routes;

pub use config::Config;
pub use error::{Error, REASONS};

use grpc::Adapter;
use hands::{NoHistory, PlayedHands, SettlementHands};
use ids::ReplicaId;
use ratings::{Ratings, SettlementRatings, Unrated};
use service::{Matchmaking, Parts};
use tables::grpc::TablePods;

/// The other services.
#[derive(Clone)]
pub struct Peers {
    /// The table pods.
    pub tables: Arc<dyn TableLocator>,
    /// The settlement service, for ratings and played hands; without it everybody is a newcomer,
    /// and a club's room whose table is gone counts as played only if a hand was seen there.
    pub settlement: Option<PeerChannel>,
}

/// Serves matchmaking on a bound listener until the shutdown begins.
///
/// # Errors
/// When the queues are misconfigured, the store stays away, or the server cannot run.
pub async fn run(
    config: Config,
    listener: TcpListener,
    peers: Peers,
    options: ServerOptions,
    shutdown: Shutdown,
) -> Result<(), Error> {
    let queues = config.queues().await?;
    let patience = options.config.start_patience();
    let may_pass = |error: &Error| config.may_pass(error);
    let opening = || config.store(&shutdown);
    let opened = until_open("the matchmaking store", patience, &shutdown, may_pass, opening);
    let Some(store) = opened.await? else { return Ok(()) };
    let ratings: Arc<dyn Ratings> = match peers.settlement.clone() {
        Some(channel) => Arc::new(SettlementRatings::new(channel)),
        None => Arc::new(Unrated),
    };
    let hands: Arc<dyn PlayedHands> = match peers.settlement {
        Some(channel) => Arc::new(SettlementHands::new(channel)),
        None => Arc::new(NoHistory),
    };
    let service = Arc::new(Matchmaking::new(Parts {
        queues,
        store,
        tables: Arc::new(TablePods::new(peers.tables)),
        ratings,
        hands,
        clock: Clock::system(),
        timing: config.timing(),
        limits: config.limits(),
    }));
    let replica = ReplicaId::random();
    tracing::info!(%replica, "matchmaking starts");
    worker::spawn(&service, replica, &shutdown);

    let readiness = options.readiness.clone();
    let options = options.with_health_names(&[
        matchmaking_service_server::SERVICE_NAME,
        party_service_server::SERVICE_NAME,
        room_service_server::SERVICE_NAME,
        club_service_server::SERVICE_NAME,
    ]);
    let adapter = Adapter::new(service, shutdown.clone());
    let routes = Routes::new(
        MatchmakingServiceServer::new(adapter.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES),
    )
    .add_service(
        PartyServiceServer::new(adapter.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES),
    )
    .add_service(
        RoomServiceServer::new(adapter.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES),
    )
    .add_service(ClubServiceServer::new(adapter).max_decoding_message_size(MAX_MESSAGE_BYTES));
    let server = serve(listener, routes, options, &shutdown)
        .map_err(|error| Error::Serve(error.to_string()))?;
    readiness.set_ready();
    match server.await {
        Ok(served) => served.map_err(|error| Error::Serve(error.to_string())),
        Err(panicked) => Err(Error::Serve(panicked.to_string())),
    }
}
