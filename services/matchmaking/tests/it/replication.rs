//! A Redis with one replica: what somebody relies on is not acknowledged before the replica has it.

use std::sync::Arc;

use parlor_common::{PlayerId, Shutdown};
use parlor_matchmaking::Error;
use parlor_matchmaking::club::{Club, ClubId};
use parlor_matchmaking::ids::MatchId;
use parlor_matchmaking::invite::InviteCode;
use parlor_matchmaking::party::rules::Invite;
use parlor_matchmaking::party::{Party, PartyId};
use parlor_matchmaking::store::redis::{Durability, RedisStore};
use parlor_matchmaking::store::{
    ClubSave, Due, Enqueued, NewClaim, Outcome, PartySave, PartyStore, RoomStore, Store,
    TicketStore,
};
use parlor_matchmaking::ticket::{Member, ReadyAnswer};
use tempfile::TempDir;

use crate::conformance::Bench;
use crate::redis_nodes::{Node, cli, free_ports, is_there, until};

/// A server and its replica.
struct Pair {
    port: u16,
    _master: Node,
    replica: Node,
    _folder: TempDir,
}

impl Pair {
    async fn start() -> Option<Self> {
        if !is_there() {
            return None;
        }
        let (folder, ports) = (TempDir::new().unwrap(), free_ports(2));
        let master = Node::start(ports[0], folder.path(), &[]);
        let of = ports[0].to_string();
        let replica = Node::start(ports[1], folder.path(), &["--replicaof", "127.0.0.1", &of]);
        until(|| cli(ports[1], &["INFO", "replication"]).contains("master_link_status:up")).await;
        Some(Self { port: ports[0], _master: master, replica, _folder: folder })
    }

    async fn store(&self, durability: Durability, shutdown: &Shutdown) -> RedisStore {
        let url = format!("redis://127.0.0.1:{}", self.port).into();
        RedisStore::connect(&url, "pair", durability, shutdown).await.unwrap()
    }
}

fn is_away<T: std::fmt::Debug>(answer: Result<T, Error>) -> bool {
    matches!(answer, Err(Error::StoreUnavailable(_)))
}

fn member() -> Member {
    Member::new(PlayerId::random(), "小红").unwrap()
}

#[tokio::test]
async fn nothing_is_acknowledged_before_a_replica_has_it() {
    let Some(pair) = Pair::start().await else { return };
    let shutdown = Shutdown::new();
    let store = pair.store(Durability::Replica, &shutdown).await;
    let local = pair.store(Durability::Local, &shutdown).await;
    let bench = Bench::new(Arc::new(store.clone()) as Arc<dyn Store>);
    let (waits, claimed) = (bench.waiter().await, bench.waiter().await);
    let (asked, leaves) = (bench.waiter().await, bench.waiter().await);
    let claim = bench.claim(&[&claimed]).await;
    let lease = bench.lease().await;
    let new_claim = |id, ready_until_ms| NewClaim {
        id: MatchId::random(),
        tickets: vec![id],
        until_ms: bench.now_ms + 1_000,
        ready_until_ms,
    };
    let question = new_claim(asked.id, Some(bench.now_ms + 9_000));
    store.claim(&lease, question, bench.now_ms).await.unwrap();

    pair.replica.signal("STOP");
    let ticket = bench.ticket(&[PlayerId::random()], 0);
    let fresh = new_claim(waits.id, None);
    let party = {
        let (leader, code) = (member(), InviteCode::random().unwrap());
        let id = PartyId::begun_by(leader.player, &"r".parse().unwrap());
        let party = Party::begin(id, leader, Invite { code, until_ms: bench.now_ms });
        PartySave::new(None, party, bench.now_ms)
    };
    let club = {
        let owner = member();
        let id = ClubId::founded_by(owner.player, &"r".parse().unwrap());
        let invite = InviteCode::random().unwrap();
        let club = Club::found(id, "雀友会".to_owned(), owner, invite, bench.now_ms);
        ClubSave::new(None, club, None)
    };
    let back = [(claimed.id, Outcome::PutBack)];
    let (player, leaver) = (asked.members[0].player, leaves.members[0].player);
    let (now_ms, keep_ms) = (bench.now_ms, bench.keep_ms());
    // Side by side: they share their waits.
    let answers = tokio::join!(
        async { is_away(store.enqueue(ticket.clone(), 9).await) },
        async { is_away(store.claim(&lease, fresh.clone(), now_ms).await) },
        async { is_away(store.answer_ready(player, ReadyAnswer::Ready, now_ms).await) },
        async { is_away(store.take_on(&lease, Due::Overdue, now_ms, now_ms, 9).await) },
        async { is_away(store.settle(&claim, &back, now_ms, keep_ms).await) },
        async { is_away(store.cancel(leaver, keep_ms).await) },
        async { is_away(store.save_party(&party).await) },
        async { is_away(bench.store.save_club(&club).await) },
    );
    assert_eq!(answers, (true, true, true, true, true, true, true, true));
    // What costs no seat waits for nobody, and neither does a store that was told not to.
    store.heartbeat(bench.replica, now_ms, now_ms + 1_000).await.unwrap();
    let code = "123456".parse().unwrap();
    assert_eq!(store.room(code, now_ms).await.unwrap(), None);
    let unsafe_one = bench.ticket(&[PlayerId::random()], 0);
    assert_eq!(local.enqueue(unsafe_one, 99).await.unwrap(), Enqueued::Waiting);

    pair.replica.signal("CONT");
    until(|| cli(pair.port, &["WAIT", "1", "200"]).trim() == "1").await;
    // Asked again, the same was done.
    assert_eq!(bench.enqueue(&ticket).await, Enqueued::Repeated(ticket.id));
    let again = store.claim(&lease, fresh, now_ms).await.unwrap();
    assert!(matches!(again, parlor_matchmaking::store::Claimed::Done(_)), "{again:?}");
    assert_eq!(
        store.save_party(&party).await.unwrap(),
        parlor_matchmaking::store::PartySaved::Done
    );
    shutdown.begin();
}
