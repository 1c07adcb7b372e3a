//! What every store must do; run on each.

mod clubs;
mod leases;
mod parties;
mod ready;
mod rooms;
mod tickets;

use std::sync::Arc;

use parlor_common::{Clock, PlayerId, Shutdown};
use parlor_matchmaking::ids::{MatchId, QueueId, ReplicaId, TicketId};
use parlor_matchmaking::store::redis::{Durability, RedisStore};
use parlor_matchmaking::store::{Change, Claim, Claimed, Enqueued, Lease, NewClaim, Store};
use parlor_matchmaking::ticket::{Member, Rating, Ticket};
use tokio::sync::broadcast::Receiver;

/// A store under test and a time that only the test moves.
pub struct Bench {
    pub store: Arc<dyn Store>,
    pub queue: QueueId,
    pub replica: ReplicaId,
    pub now_ms: i64,
}

impl Bench {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            queue: "four".parse().unwrap(),
            replica: ReplicaId::random(),
            // Stores may let old entries lapse by the real time too.
            now_ms: Clock::system().now_ms(),
        }
    }

    /// A ticket of these players that entered `ago_ms` before now.
    pub fn ticket(&self, players: &[PlayerId], ago_ms: i64) -> Ticket {
        let id = TicketId::random();
        Ticket {
            id,
            queue: self.queue.clone(),
            request: id.to_string().parse().unwrap(),
            members: players.iter().map(|player| Member::new(*player, "小红").unwrap()).collect(),
            rating: Rating(2600),
            enqueued_ms: self.now_ms - ago_ms,
            expires_ms: self.now_ms + 60_000,
            party: None,
        }
    }

    pub async fn enqueue(&self, ticket: &Ticket) -> Enqueued {
        self.store.enqueue(ticket.clone(), 100).await.unwrap()
    }

    /// A new ticket of one new player, which waits.
    pub async fn waiter(&self) -> Ticket {
        let ticket = self.ticket(&[PlayerId::random()], 5_000);
        assert_eq!(self.enqueue(&ticket).await, Enqueued::Waiting);
        ticket
    }

    pub async fn lease(&self) -> Lease {
        let lease = self.store.lease(&self.queue, self.replica, self.now_ms, self.now_ms + 1_000);
        lease.await.unwrap().unwrap()
    }

    pub async fn try_claim(&self, lease: &Lease, tickets: &[TicketId]) -> Claimed {
        let claim = NewClaim {
            id: MatchId::random(),
            tickets: tickets.to_vec(),
            until_ms: self.now_ms + 1_000,
            ready_until_ms: None,
        };
        self.store.claim(lease, claim, self.now_ms).await.unwrap()
    }

    pub async fn claim(&self, tickets: &[&Ticket]) -> Claim {
        let ids: Vec<TicketId> = tickets.iter().map(|ticket| ticket.id).collect();
        match self.try_claim(&self.lease().await, &ids).await {
            Claimed::Done(claim) => claim,
            other => panic!("not claimed but {other:?}"),
        }
    }

    pub async fn waiting(&self) -> Vec<Ticket> {
        let waiting = self.store.waiting(&self.queue).await.unwrap();
        waiting.iter().map(|ticket| (**ticket).clone()).collect()
    }

    pub fn keep_ms(&self) -> i64 {
        self.now_ms + 600_000
    }
}

/// Waits for a change, and passes over others.
pub async fn told(changes: &mut Receiver<Change>, wanted: &Change) {
    while crate::harness::soon(changes.recv()).await.unwrap() != *wanted {}
}

/// Runs the suite on one kind of store. `$new` makes an empty one, or `None` where it cannot run.
macro_rules! conformance {
    ($store:ident, $new:path, [$($part:ident :: $case:ident),* $(,)?]) => {
        mod $store {
            $(
                #[tokio::test]
                async fn $case() {
                    if let Some(fixture) = $new().await {
                        super::$part::$case(super::Bench::new(fixture.store())).await;
                    }
                }
            )*
        }
    };
}

/// All cases, for each store.
macro_rules! on_every_store {
    ($($case:tt)*) => {
        conformance!(embedded, crate::conformance::EmbeddedFixture::new, [$($case)*]);
        conformance!(redis, crate::conformance::RedisFixture::single, [$($case)*]);
        conformance!(redis_cluster, crate::conformance::RedisFixture::cluster, [$($case)*]);
    };
}

on_every_store![
    tickets::a_ticket_waits_and_is_found,
    tickets::a_repeated_request_gives_the_first_ticket,
    tickets::a_player_has_one_live_ticket,
    tickets::a_full_queue_takes_no_more,
    tickets::the_longest_waiting_come_first,
    tickets::a_cancelled_ticket_is_remembered_for_a_while,
    tickets::claimed_and_matched_tickets_cannot_be_cancelled,
    tickets::a_claim_takes_all_or_nothing,
    tickets::a_repeated_claim_is_the_same,
    tickets::a_ticket_of_another_queue_is_not_claimed,
    tickets::seated_tickets_end_with_their_seats,
    tickets::tickets_that_are_put_back_keep_their_place,
    tickets::one_claim_may_end_differently_for_its_tickets,
    tickets::waits_are_averaged,
    tickets::tickets_expire_and_are_forgotten,
    tickets::a_claimed_ticket_does_not_expire,
    tickets::enqueueing_and_ending_are_told,
    leases::a_lease_is_held_by_one,
    leases::a_lapsed_lease_changes_hands_with_a_new_epoch,
    leases::a_released_lease_is_free_at_once,
    leases::an_old_epoch_claims_nothing,
    leases::replicas_are_known_while_they_live,
    leases::only_overdue_claims_are_adopted,
    leases::an_adopted_claim_is_settled_by_the_adopter_only,
    leases::a_repeated_settlement_is_no_loss,
    ready::a_match_is_given_out_once_all_are_ready,
    ready::a_match_that_was_given_out_is_taken_over_with_its_answers,
    ready::a_check_ends_with_the_first_who_declines,
    ready::a_check_that_not_all_answer_ends_with_its_time,
    ready::only_those_who_are_asked_answer,
    ready::checks_are_told,
    parties::a_party_is_found_by_its_members_and_its_code,
    parties::a_player_is_in_one_party,
    parties::a_change_of_a_party_of_old_changes_nothing,
    parties::a_change_of_a_party_whose_answer_was_lost_is_known_again,
    parties::a_code_leads_to_one_party,
    parties::a_party_without_members_is_forgotten,
    parties::a_party_enters_a_queue_as_it_was_read_or_not_at_all,
    parties::members_enter_queues_with_their_party_only,
    parties::whoever_waits_in_a_queue_joins_no_party,
    parties::members_who_are_not_here_are_found,
    parties::changes_of_parties_are_told,
    clubs::a_club_is_found_by_its_members_invite_and_tables,
    clubs::a_change_of_an_old_version_changes_nothing,
    clubs::a_change_whose_answer_was_lost_is_known_again,
    clubs::an_invite_code_leads_to_one_club,
    clubs::the_card_book_is_read_from_the_newest_line,
    rooms::a_code_leads_to_its_table,
    rooms::one_code_is_held_once,
    rooms::one_request_makes_one_room,
    rooms::an_abandoned_code_is_free,
    rooms::codes_lapse,
    rooms::a_code_is_closed_with_its_own_table_only,
    rooms::a_learnt_code_does_not_replace_another,
    rooms::attempts_are_counted_in_windows,
];

/// An embedded store.
pub struct EmbeddedFixture(Arc<dyn Store>);

impl EmbeddedFixture {
    pub async fn new() -> Option<Self> {
        Some(Self(Arc::new(
            parlor_matchmaking::store::embedded::EmbeddedStore::in_memory().unwrap(),
        )))
    }

    pub fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.0)
    }
}

/// Keys of its own on a server that the test script started.
pub struct RedisFixture {
    store: Arc<dyn Store>,
    shutdown: Shutdown,
}

impl RedisFixture {
    pub async fn single() -> Option<Self> {
        Self::new("PARLOR_TEST_REDIS_URL", Durability::Local).await
    }

    /// Each of its masters has a replica, for which the store waits.
    pub async fn cluster() -> Option<Self> {
        Self::new("PARLOR_TEST_REDIS_CLUSTER_URLS", Durability::Replica).await
    }

    async fn new(variable: &str, durability: Durability) -> Option<Self> {
        let Ok(urls) = std::env::var(variable) else {
            let required = std::env::var_os("PARLOR_TEST_REQUIRE_SERVICES").is_some();
            assert!(!required, "{variable} is not set");
            println!("skipped: {variable} is not set");
            return None;
        };
        let shutdown = Shutdown::new();
        let tag = format!("test-{}", TicketId::random());
        let urls = urls.into();
        let store = RedisStore::connect(&urls, &tag, durability, &shutdown).await.unwrap();
        Some(Self { store: Arc::new(store), shutdown })
    }

    pub fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store)
    }
}

impl Drop for RedisFixture {
    fn drop(&mut self) {
        self.shutdown.begin();
    }
}
