//! The services behind the gateway.

use std::sync::Arc;

use parlor_common::Failure;
use parlor_common::client::PeerChannel;
use parlor_common::locate::TableLocator;
use parlor_proto::matchmaking::v1::club_service_client::ClubServiceClient;
use parlor_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use parlor_proto::matchmaking::v1::party_service_client::PartyServiceClient;
use parlor_proto::matchmaking::v1::room_service_client::RoomServiceClient;
use parlor_proto::settlement::v1::history_service_client::HistoryServiceClient;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use tonic::Status;

/// Largest answer of a service: a whole hand with all its events.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// Ways to the services behind the gateway.
pub struct Peers {
    /// Finds table pods.
    pub tables: Arc<dyn TableLocator>,
    /// The matchmaking service.
    pub matchmaking: PeerChannel,
    /// The settlement service.
    pub settlement: PeerChannel,
}

/// Clients of the services behind the gateway, but for tables. Cheap to clone.
#[derive(Clone)]
pub struct Clients {
    /// Queues.
    pub matchmaking: MatchmakingServiceClient<PeerChannel>,
    /// Parties.
    pub parties: PartyServiceClient<PeerChannel>,
    /// Private rooms.
    pub rooms: RoomServiceClient<PeerChannel>,
    /// Clubs.
    pub clubs: ClubServiceClient<PeerChannel>,
    /// Wallets.
    pub ledger: LedgerServiceClient<PeerChannel>,
    /// Past hands.
    pub history: HistoryServiceClient<PeerChannel>,
}

impl Clients {
    /// Over these channels.
    #[must_use]
    pub fn new(matchmaking: PeerChannel, settlement: PeerChannel) -> Self {
        Self {
            matchmaking: MatchmakingServiceClient::new(matchmaking.clone()),
            parties: PartyServiceClient::new(matchmaking.clone()),
            rooms: RoomServiceClient::new(matchmaking.clone()),
            clubs: ClubServiceClient::new(matchmaking),
            ledger: LedgerServiceClient::new(settlement.clone()),
            history: HistoryServiceClient::new(settlement)
                .max_decoding_message_size(MAX_ANSWER_BYTES),
        }
    }
}

/// What a service says, for a client. What only the transport says is for our log: it names
/// addresses.
#[must_use]
pub fn failure(status: Status) -> Failure {
    let failure = Failure::from(status);
    match failure.reason.as_str() {
        "SERVICE_UNAVAILABLE" => {
            tracing::warn!(%failure, "a service is away");
            Failure { message: "a service is not available now".to_owned(), ..failure }
        }
        // Nothing that a service of ours says to a player: a fault between the services.
        "UNAUTHENTICATED" | "PERMISSION_DENIED" | "SERVICE_TOKEN_REQUIRED" => {
            tracing::error!(%failure, "a service refuses the gateway");
            Failure::internal()
        }
        "INTERNAL" => Failure::internal(),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use parlor_common::Code;

    use super::*;

    #[test]
    fn what_services_say_on_purpose_passes_through() {
        let said = Failure::new(Code::Precondition, "ALREADY_SEATED", "has a seat").with("n", 1);
        assert_eq!(failure(said.clone().into()), said);
    }

    #[test]
    fn what_the_transport_says_does_not() {
        for (status, reason) in [
            (Status::unavailable("tcp connect 10.9.8.7"), "SERVICE_UNAVAILABLE"),
            (Status::internal("panic at 10.9.8.7"), "INTERNAL"),
            (Status::unauthenticated("no token for 10.9.8.7"), "INTERNAL"),
            (Status::unknown("10.9.8.7"), "INTERNAL"),
        ] {
            let failure = failure(status);
            assert_eq!(failure.reason, reason);
            assert!(!failure.message.contains("10.9.8.7"), "{failure}");
        }
    }
}
