use parlor_common::TableId;
use parlor_matchmaking::ids::ReplicaId;
use parlor_matchmaking::store::{Claimed, Due, Outcome, Settled};
use parlor_matchmaking::ticket::TicketState;

use super::Bench;

pub async fn a_lease_is_held_by_one(bench: Bench) {
    let lease = bench.lease().await;
    let other = ReplicaId::random();
    let until_ms = bench.now_ms + 999;
    let taken = bench.store.lease(&bench.queue, other, until_ms, until_ms + 1_000).await.unwrap();
    assert_eq!(taken, None);
    // Renewed, it is the same lease for longer.
    let renewed = bench.store.lease(&bench.queue, bench.replica, until_ms, until_ms + 1_000);
    assert_eq!(renewed.await.unwrap(), Some(lease));
    let later_ms = bench.now_ms + 1_500;
    let taken = bench.store.lease(&bench.queue, other, later_ms, later_ms + 1_000).await.unwrap();
    assert_eq!(taken, None);
    // Each queue has its own.
    let queue = "another".parse().unwrap();
    assert!(bench.store.lease(&queue, other, bench.now_ms, until_ms).await.unwrap().is_some());
}

pub async fn a_lapsed_lease_changes_hands_with_a_new_epoch(bench: Bench) {
    let lease = bench.lease().await;
    let later_ms = bench.now_ms + 1_000;
    let other = ReplicaId::random();
    let taken = bench.store.lease(&bench.queue, other, later_ms, later_ms + 1_000).await.unwrap();
    let taken = taken.unwrap();
    assert!(taken.epoch > lease.epoch);
    assert_eq!(taken.replica, other);
    let back = bench.store.lease(&bench.queue, bench.replica, later_ms, later_ms + 1_000).await;
    assert_eq!(back.unwrap(), None);
}

pub async fn a_released_lease_is_free_at_once(bench: Bench) {
    let lease = bench.lease().await;
    let other = ReplicaId::random();
    // A lease that is not the held one releases nothing.
    let mut older = lease.clone();
    older.epoch.0 += 1;
    bench.store.release(&older).await.unwrap();
    let until_ms = bench.now_ms + 1_000;
    let taken = bench.store.lease(&bench.queue, other, bench.now_ms, until_ms).await.unwrap();
    assert_eq!(taken, None);
    bench.store.release(&lease).await.unwrap();
    let taken = bench.store.lease(&bench.queue, other, bench.now_ms, until_ms).await.unwrap();
    assert!(taken.unwrap().epoch > lease.epoch);
}

pub async fn an_old_epoch_claims_nothing(bench: Bench) {
    let ticket = bench.waiter().await;
    let old = bench.lease().await;
    let later_ms = bench.now_ms + 1_000;
    let other = ReplicaId::random();
    let new = bench.store.lease(&bench.queue, other, later_ms, later_ms + 1_000).await.unwrap();
    assert_eq!(bench.try_claim(&old, &[ticket.id]).await, Claimed::LeaseLost);
    assert_eq!(bench.waiting().await, std::slice::from_ref(&ticket));
    let claimed = bench.try_claim(&new.unwrap(), &[ticket.id]).await;
    assert!(matches!(claimed, Claimed::Done(_)));
    assert!(
        bench.store.take_on(&old, Due::Overdue, later_ms, later_ms, 9).await.unwrap().is_empty()
    );
}

pub async fn replicas_are_known_while_they_live(bench: Bench) {
    let (one, two) = (ReplicaId::numbered(1), ReplicaId::numbered(2));
    let now_ms = bench.now_ms;
    assert_eq!(bench.store.heartbeat(two, now_ms, now_ms + 100).await.unwrap(), [two]);
    assert_eq!(bench.store.heartbeat(one, now_ms, now_ms + 200).await.unwrap(), [one, two]);
    let later_ms = now_ms + 100;
    assert_eq!(bench.store.heartbeat(one, later_ms, later_ms + 200).await.unwrap(), [one]);
}

pub async fn only_overdue_claims_are_adopted(bench: Bench) {
    let (one, two) = (bench.waiter().await, bench.waiter().await);
    let claims = [bench.claim(&[&one]).await, bench.claim(&[&two]).await];
    let lease = bench.lease().await;
    let due_ms = claims[0].until_ms;
    let adopt =
        |now_ms, most| bench.store.take_on(&lease, Due::Overdue, now_ms, now_ms + 1_000, most);
    assert!(adopt(due_ms - 1, 9).await.unwrap().is_empty());
    let first = adopt(due_ms, 1).await.unwrap();
    let second = adopt(due_ms, 9).await.unwrap();
    assert_eq!((first.len(), second.len()), (1, 1));
    let mut adopted = [first[0].id, second[0].id];
    adopted.sort_unstable();
    let mut made = [claims[0].id, claims[1].id];
    made.sort_unstable();
    assert_eq!(adopted, made);
    let claim = claims.iter().find(|claim| claim.id == first[0].id).unwrap();
    assert_eq!((claim.attempt, first[0].attempt), (1, 2));
    assert_eq!(first[0].until_ms, due_ms + 1_000);
    assert_eq!((first[0].claimed_ms, &first[0].tickets), (claim.claimed_ms, &claim.tickets));
    assert!(adopt(due_ms + 999, 9).await.unwrap().is_empty());
    // Claims of another queue are not this lease's business.
    let other = "other".parse().unwrap();
    let lease = bench.store.lease(&other, bench.replica, bench.now_ms, due_ms).await.unwrap();
    let late_ms = due_ms + 2_000;
    let others = bench
        .store
        .take_on(&lease.unwrap(), Due::Overdue, late_ms, late_ms + 1_000, 9)
        .await
        .unwrap();
    assert!(others.is_empty());
}

pub async fn an_adopted_claim_is_settled_by_the_adopter_only(bench: Bench) {
    let ticket = bench.waiter().await;
    let claim = bench.claim(&[&ticket]).await;
    let lease = bench.lease().await;
    let due_ms = claim.until_ms;
    let adopted =
        bench.store.take_on(&lease, Due::Overdue, due_ms, due_ms + 1_000, 9).await.unwrap();
    let seated = Outcome::Seated { table: TableId::random(), seats: vec![0] };
    let outcomes = [(ticket.id, seated)];
    let late = bench.store.settle(&claim, &outcomes, due_ms, bench.keep_ms()).await.unwrap();
    assert_eq!(late, Settled::Lost);
    let record = bench.store.ticket(ticket.id).await.unwrap().unwrap();
    assert_eq!(record.state, TicketState::Claimed { claim: claim.id });

    let back = [(ticket.id, Outcome::PutBack)];
    let settled = bench.store.settle(&adopted[0], &back, due_ms, bench.keep_ms()).await.unwrap();
    assert_eq!(settled, Settled::Done);
    let late = bench.store.settle(&claim, &outcomes, due_ms, bench.keep_ms()).await.unwrap();
    assert_eq!(late, Settled::Lost);
    assert_eq!(bench.waiting().await, [ticket]);
}

pub async fn a_repeated_settlement_is_no_loss(bench: Bench) {
    let (one, two) = (bench.waiter().await, bench.waiter().await);
    let claim = bench.claim(&[&one, &two]).await;
    let table = TableId::random();
    let seated = |seat| Outcome::Seated { table, seats: vec![seat] };
    let outcomes = [(one.id, seated(0)), (two.id, seated(1))];
    for _ in 0..2 {
        let settled = bench.store.settle(&claim, &outcomes, bench.now_ms, bench.keep_ms());
        assert_eq!(settled.await.unwrap(), Settled::Done);
    }
    let otherwise = [(one.id, seated(1)), (two.id, seated(0))];
    let settled = bench.store.settle(&claim, &otherwise, bench.now_ms, bench.keep_ms());
    assert_eq!(settled.await.unwrap(), Settled::Lost);
}
