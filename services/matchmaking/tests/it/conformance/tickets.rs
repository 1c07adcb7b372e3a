use std::time::Duration;

use parlor_common::{PlayerId, TableId};
use parlor_matchmaking::ids::{MatchId, TicketId};
use parlor_matchmaking::store::{
    Cancelled, Change, Claimed, Enqueued, NewClaim, Outcome, QueueStats, Settled, Swept,
};
use parlor_matchmaking::ticket::{Closed, Ticket, TicketRecord, TicketState};

use super::Bench;

pub async fn a_ticket_waits_and_is_found(bench: Bench) {
    let (player, friend) = (PlayerId::random(), PlayerId::random());
    let ticket = bench.ticket(&[player, friend], 0);
    assert_eq!(bench.enqueue(&ticket).await, Enqueued::Waiting);
    let record = TicketRecord { ticket: ticket.clone(), state: TicketState::Waiting, ready: None };
    assert_eq!(bench.store.ticket(ticket.id).await.unwrap(), Some(record.clone()));
    assert_eq!(bench.store.ticket_of(player).await.unwrap(), Some(record.clone()));
    assert_eq!(bench.store.ticket_of(friend).await.unwrap(), Some(record));
    assert_eq!(bench.store.ticket_of(PlayerId::random()).await.unwrap(), None);
    assert_eq!(bench.store.ticket(TicketId::random()).await.unwrap(), None);
    assert_eq!(bench.waiting().await, [ticket]);
    let stats = QueueStats { waiting: 1, recent_wait_ms: 0 };
    assert_eq!(bench.store.stats(&bench.queue).await.unwrap(), stats);
}

pub async fn a_repeated_request_gives_the_first_ticket(bench: Bench) {
    let (player, friend) = (PlayerId::random(), PlayerId::random());
    let ticket = bench.ticket(&[player], 0);
    bench.enqueue(&ticket).await;
    let again = Ticket { id: TicketId::random(), ..ticket.clone() };
    assert_eq!(bench.enqueue(&again).await, Enqueued::Repeated(ticket.id));
    bench.store.cancel(player, bench.keep_ms()).await.unwrap();
    assert_eq!(bench.enqueue(&again).await, Enqueued::Repeated(ticket.id));
    // Another caller's request of the same name is another request.
    let other = Ticket { members: bench.ticket(&[friend], 0).members, ..again };
    assert_eq!(bench.enqueue(&other).await, Enqueued::Waiting);
}

pub async fn a_player_has_one_live_ticket(bench: Bench) {
    let (player, friend, third) = (PlayerId::random(), PlayerId::random(), PlayerId::random());
    let first = bench.ticket(&[player, friend], 0);
    bench.enqueue(&first).await;
    let mut second = bench.ticket(&[third, friend], 0);
    second.queue = "other".parse().unwrap();
    assert_eq!(bench.enqueue(&second).await, Enqueued::AlreadyQueued(friend));
    assert_eq!(bench.store.ticket_of(third).await.unwrap(), None);

    let claim = bench.claim(&[&first]).await;
    assert_eq!(bench.enqueue(&second).await, Enqueued::AlreadyQueued(friend));
    let seated = Outcome::Seated { table: TableId::random(), seats: vec![0, 1] };
    let outcomes = [(first.id, seated)];
    bench.store.settle(&claim, &outcomes, bench.now_ms, bench.keep_ms()).await.unwrap();
    assert_eq!(bench.enqueue(&second).await, Enqueued::Waiting);
}

pub async fn a_full_queue_takes_no_more(bench: Bench) {
    for _ in 0..2 {
        bench.waiter().await;
    }
    let third = bench.ticket(&[PlayerId::random()], 0);
    assert_eq!(bench.store.enqueue(third.clone(), 2).await.unwrap(), Enqueued::Full);
    assert_eq!(bench.store.enqueue(third, 3).await.unwrap(), Enqueued::Waiting);
}

pub async fn the_longest_waiting_come_first(bench: Bench) {
    for ago_ms in [3_000, 9_000, 1_000] {
        bench.enqueue(&bench.ticket(&[PlayerId::random()], ago_ms)).await;
    }
    let since: Vec<i64> =
        bench.waiting().await.iter().map(|ticket| bench.now_ms - ticket.enqueued_ms).collect();
    assert_eq!(since, [9_000, 3_000, 1_000]);
}

pub async fn a_cancelled_ticket_is_remembered_for_a_while(bench: Bench) {
    let (player, friend) = (PlayerId::random(), PlayerId::random());
    let ticket = bench.ticket(&[player, friend], 0);
    bench.enqueue(&ticket).await;
    for canceller in [friend, player] {
        let cancelled = bench.store.cancel(canceller, bench.keep_ms()).await.unwrap();
        assert_eq!(cancelled, Cancelled::Done(ticket.id));
    }
    let record = bench.store.ticket(ticket.id).await.unwrap().unwrap();
    assert_eq!(record.state, TicketState::Closed { reason: Closed::Cancelled });
    assert!(bench.waiting().await.is_empty());
    let nobody = bench.store.cancel(PlayerId::random(), bench.keep_ms()).await.unwrap();
    assert_eq!(nobody, Cancelled::NoTicket);
}

pub async fn claimed_and_matched_tickets_cannot_be_cancelled(bench: Bench) {
    let ticket = bench.waiter().await;
    let player = ticket.members[0].player;
    let claim = bench.claim(&[&ticket]).await;
    let cancelled = bench.store.cancel(player, bench.keep_ms()).await.unwrap();
    assert_eq!(cancelled, Cancelled::TooLate);
    let seated = Outcome::Seated { table: TableId::random(), seats: vec![0] };
    let outcomes = [(ticket.id, seated)];
    bench.store.settle(&claim, &outcomes, bench.now_ms, bench.keep_ms()).await.unwrap();
    let cancelled = bench.store.cancel(player, bench.keep_ms()).await.unwrap();
    assert_eq!(cancelled, Cancelled::TooLate);
}

pub async fn a_claim_takes_all_or_nothing(bench: Bench) {
    let (one, two, three) = (bench.waiter().await, bench.waiter().await, bench.waiter().await);
    let lease = bench.lease().await;
    let claimed = bench.try_claim(&lease, &[one.id, two.id]).await;
    assert!(matches!(claimed, Claimed::Done(ref claim) if claim.tickets == [one.id, two.id]));
    assert_eq!(bench.try_claim(&lease, &[three.id, two.id]).await, Claimed::TicketGone);
    assert_eq!(bench.try_claim(&lease, &[three.id, TicketId::random()]).await, Claimed::TicketGone);
    assert_eq!(bench.waiting().await, [three]);
}

pub async fn a_repeated_claim_is_the_same(bench: Bench) {
    let ticket = bench.waiter().await;
    let lease = bench.lease().await;
    let until_ms = bench.now_ms + 500;
    let (id, tickets) = (MatchId::random(), vec![ticket.id]);
    let new = NewClaim { id, tickets, until_ms, ready_until_ms: None };
    let first = bench.store.claim(&lease, new.clone(), bench.now_ms).await.unwrap();
    let again = bench.store.claim(&lease, new, bench.now_ms + 1).await.unwrap();
    assert!(matches!(first, Claimed::Done(_)));
    assert_eq!(first, again);
}

pub async fn a_ticket_of_another_queue_is_not_claimed(bench: Bench) {
    let ticket = bench.waiter().await;
    let other = "other".parse().unwrap();
    let lease = bench.store.lease(&other, bench.replica, bench.now_ms, bench.now_ms + 1_000);
    let lease = lease.await.unwrap().unwrap();
    assert_eq!(bench.try_claim(&lease, &[ticket.id]).await, Claimed::TicketGone);
}

pub async fn seated_tickets_end_with_their_seats(bench: Bench) {
    let ticket = bench.waiter().await;
    let claim = bench.claim(&[&ticket]).await;
    let record = bench.store.ticket(ticket.id).await.unwrap().unwrap();
    assert_eq!(record.state, TicketState::Claimed { claim: claim.id });
    let (table, seats) = (TableId::random(), vec![3]);
    let outcomes = [(ticket.id, Outcome::Seated { table, seats: seats.clone() })];
    let settled = bench.store.settle(&claim, &outcomes, bench.now_ms, bench.keep_ms());
    assert_eq!(settled.await.unwrap(), Settled::Done);
    let record = bench.store.ticket(ticket.id).await.unwrap().unwrap();
    assert_eq!(record.ticket, ticket);
    assert_eq!(record.state, TicketState::Matched { claim: claim.id, table, seats });
}

pub async fn tickets_that_are_put_back_keep_their_place(bench: Bench) {
    let old = bench.ticket(&[PlayerId::random()], 9_000);
    let young = bench.ticket(&[PlayerId::random()], 1_000);
    bench.enqueue(&old).await;
    bench.enqueue(&young).await;
    let claim = bench.claim(&[&old]).await;
    assert_eq!(bench.waiting().await, std::slice::from_ref(&young));
    let outcomes = [(old.id, Outcome::PutBack)];
    let settled = bench.store.settle(&claim, &outcomes, bench.now_ms, bench.keep_ms());
    assert_eq!(settled.await.unwrap(), Settled::Done);
    assert_eq!(bench.waiting().await, [old.clone(), young]);
    bench.claim(&[&old]).await;
}

pub async fn one_claim_may_end_differently_for_its_tickets(bench: Bench) {
    let (one, two, three) = (bench.waiter().await, bench.waiter().await, bench.waiter().await);
    let claim = bench.claim(&[&one, &two, &three]).await;
    let outcomes = [
        (one.id, Outcome::Seated { table: TableId::random(), seats: vec![2] }),
        (two.id, Outcome::PutBack),
        (three.id, Outcome::Closed { reason: Closed::Failed }),
    ];
    let settled = bench.store.settle(&claim, &outcomes, bench.now_ms, bench.keep_ms());
    assert_eq!(settled.await.unwrap(), Settled::Done);
    assert_eq!(bench.waiting().await, [two]);
    let record = bench.store.ticket(one.id).await.unwrap().unwrap();
    assert!(matches!(record.state, TicketState::Matched { .. }));
    let record = bench.store.ticket(three.id).await.unwrap().unwrap();
    assert_eq!(record.state, TicketState::Closed { reason: Closed::Failed });
}

pub async fn waits_are_averaged(bench: Bench) {
    for (ago_ms, mean_ms) in [(1_000, 1_000), (5_000, 2_000), (0, 1_500)] {
        let ticket = bench.ticket(&[PlayerId::random()], ago_ms);
        bench.enqueue(&ticket).await;
        let claim = bench.claim(&[&ticket]).await;
        let seated = Outcome::Seated { table: TableId::random(), seats: vec![0] };
        let outcomes = [(ticket.id, seated)];
        bench.store.settle(&claim, &outcomes, bench.now_ms, bench.keep_ms()).await.unwrap();
        let stats = bench.store.stats(&bench.queue).await.unwrap();
        assert_eq!(stats, QueueStats { waiting: 0, recent_wait_ms: mean_ms });
    }
}

pub async fn tickets_expire_and_are_forgotten(bench: Bench) {
    let ticket = bench.waiter().await;
    let other = bench.waiter().await;
    bench.store.cancel(other.members[0].player, bench.keep_ms() * 2).await.unwrap();
    let sweep = |now_ms, most| bench.store.sweep(now_ms, now_ms + 1_000, most);
    assert_eq!(sweep(ticket.expires_ms - 1, 9).await.unwrap(), Swept::default());
    assert_eq!(sweep(ticket.expires_ms, 0).await.unwrap(), Swept::default());
    let expired = Swept { expired: 1, forgotten: 0 };
    assert_eq!(sweep(ticket.expires_ms, 9).await.unwrap(), expired);
    let record = bench.store.ticket(ticket.id).await.unwrap().unwrap();
    assert_eq!(record.state, TicketState::Closed { reason: Closed::Expired });
    assert!(bench.waiting().await.is_empty());

    let forgotten = Swept { expired: 0, forgotten: 1 };
    assert_eq!(sweep(ticket.expires_ms + 999, 9).await.unwrap(), Swept::default());
    assert_eq!(sweep(ticket.expires_ms + 1_000, 9).await.unwrap(), forgotten);
    assert_eq!(bench.store.ticket(ticket.id).await.unwrap(), None);
    assert_eq!(bench.store.ticket_of(ticket.members[0].player).await.unwrap(), None);
    // Its request may be made anew.
    assert_eq!(bench.enqueue(&ticket).await, Enqueued::Waiting);
    assert!(bench.store.ticket(other.id).await.unwrap().is_some());
}

pub async fn a_claimed_ticket_does_not_expire(bench: Bench) {
    let ticket = bench.waiter().await;
    let claim = bench.claim(&[&ticket]).await;
    let late_ms = ticket.expires_ms + 1;
    let sweep = bench.store.sweep(late_ms, late_ms + 1_000, 9).await.unwrap();
    assert_eq!(sweep, Swept::default());
    let outcomes = [(ticket.id, Outcome::PutBack)];
    bench.store.settle(&claim, &outcomes, late_ms, late_ms + 1_000).await.unwrap();
    let sweep = bench.store.sweep(late_ms, late_ms + 1_000, 9).await.unwrap();
    assert_eq!(sweep, Swept { expired: 1, forgotten: 0 });
}

pub async fn enqueueing_and_ending_are_told(bench: Bench) {
    let mut changes = bench.store.changes();
    let ticket = bench.waiter().await;
    bench.store.cancel(ticket.members[0].player, bench.keep_ms()).await.unwrap();
    for expected in [Change::Enqueued(bench.queue.clone()), Change::Ended(ticket.id)] {
        let told = tokio::time::timeout(Duration::from_secs(5), changes.recv()).await;
        assert_eq!(told.unwrap().unwrap(), expected);
    }
}
