use parlor_common::PlayerId;
use parlor_matchmaking::ids::MatchId;
use parlor_matchmaking::store::{
    Answered, Change, Claim, Claimed, Due, NewClaim, Outcome, Settled,
};
use parlor_matchmaking::ticket::{Closed, ReadyAnswer, Ticket, TicketState};

use super::{Bench, told};

const LENGTH_MS: i64 = 10_000;

impl Bench {
    fn deadline_ms(&self) -> i64 {
        self.now_ms + LENGTH_MS
    }

    /// Claims these tickets and asks their players.
    async fn ask(&self, tickets: &[&Ticket]) -> Claim {
        let claim = NewClaim {
            id: MatchId::random(),
            tickets: tickets.iter().map(|ticket| ticket.id).collect(),
            until_ms: self.now_ms + 1_000,
            ready_until_ms: Some(self.deadline_ms()),
        };
        match self.store.claim(&self.lease().await, claim, self.now_ms).await.unwrap() {
            Claimed::Done(claim) => claim,
            other => panic!("not claimed but {other:?}"),
        }
    }

    async fn answer(&self, player: PlayerId, answer: ReadyAnswer) -> Answered {
        self.store.answer_ready(player, answer, self.now_ms).await.unwrap()
    }

    async fn checked(&self, now_ms: i64) -> Vec<Claim> {
        let lease = self.lease().await;
        self.store.take_on(&lease, Due::Checked, now_ms, now_ms + 1_000, 9).await.unwrap()
    }
}

fn player(ticket: &Ticket) -> PlayerId {
    ticket.members[0].player
}

pub async fn a_match_is_given_out_once_all_are_ready(bench: Bench) {
    let (one, two) = (bench.waiter().await, bench.waiter().await);
    let claim = bench.ask(&[&one, &two]).await;
    let check = claim.ready.clone().unwrap();
    assert_eq!((check.until_ms, check.players), (bench.deadline_ms(), 2));
    assert!(bench.checked(bench.now_ms).await.is_empty());
    // Its time as a claim does not run yet.
    let lease = bench.lease().await;
    let late_ms = claim.until_ms + 1;
    assert!(
        bench
            .store
            .take_on(&lease, Due::Overdue, late_ms, late_ms + 9, 9)
            .await
            .unwrap()
            .is_empty()
    );

    for _ in 0..2 {
        assert_eq!(bench.answer(player(&one), ReadyAnswer::Ready).await, Answered::Noted);
    }
    let record = bench.store.ticket(two.id).await.unwrap().unwrap();
    assert_eq!(record.state, TicketState::Claimed { claim: claim.id });
    assert_eq!(record.ready.unwrap().ready, [player(&one)].into());
    assert!(bench.checked(bench.now_ms).await.is_empty());

    assert_eq!(bench.answer(player(&two), ReadyAnswer::Ready).await, Answered::Noted);
    let given = bench.checked(bench.now_ms).await;
    assert_eq!(given.len(), 1);
    assert_eq!((given[0].id, given[0].attempt), (claim.id, 1));
    assert!(given[0].ready.as_ref().unwrap().all_ready());
    assert!(bench.checked(bench.deadline_ms() + 1).await.is_empty());
    // It is too late to decline, and a repetition is no failure.
    assert_eq!(bench.answer(player(&one), ReadyAnswer::Declined).await, Answered::NotAsked);
    assert_eq!(bench.answer(player(&one), ReadyAnswer::Ready).await, Answered::Noted);
}

pub async fn a_match_that_was_given_out_is_taken_over_with_its_answers(bench: Bench) {
    let ticket = bench.waiter().await;
    let claim = bench.ask(&[&ticket]).await;
    bench.answer(player(&ticket), ReadyAnswer::Ready).await;
    let given = bench.checked(bench.now_ms).await;
    let (lease, due_ms) = (bench.lease().await, given[0].until_ms);
    let adopted =
        bench.store.take_on(&lease, Due::Overdue, due_ms, due_ms + 1_000, 9).await.unwrap();
    assert_eq!((adopted[0].id, adopted[0].attempt), (claim.id, 2));
    assert!(adopted[0].ready.as_ref().unwrap().all_ready());
}

pub async fn a_check_ends_with_the_first_who_declines(bench: Bench) {
    let (one, two, three) = (bench.waiter().await, bench.waiter().await, bench.waiter().await);
    bench.ask(&[&one, &two, &three]).await;
    bench.answer(player(&one), ReadyAnswer::Ready).await;
    // Even one who was ready may still decline.
    bench.answer(player(&one), ReadyAnswer::Declined).await;
    let given = bench.checked(bench.now_ms).await;
    let check = given[0].ready.clone().unwrap();
    assert!(check.is_decided() && !check.all_ready());
    // Whoever had not answered has done no wrong.
    assert!(check.is_spoilt_by(&one.members) && !check.is_spoilt_by(&two.members));
    assert_eq!(bench.answer(player(&two), ReadyAnswer::Ready).await, Answered::NotAsked);

    let outcomes = [
        (one.id, Outcome::Closed { reason: Closed::NotReady }),
        (two.id, Outcome::PutBack),
        (three.id, Outcome::PutBack),
    ];
    let settled = bench.store.settle(&given[0], &outcomes, bench.now_ms, bench.keep_ms()).await;
    assert_eq!(settled.unwrap(), Settled::Done);
    assert_eq!(bench.waiting().await, [two.clone(), three]);
    assert_eq!(bench.store.ticket(two.id).await.unwrap().unwrap().ready, None);
    // The next match asks afresh.
    let again = bench.ask(&[&two]).await;
    assert!(again.ready.unwrap().ready.is_empty());
}

pub async fn a_check_that_not_all_answer_ends_with_its_time(bench: Bench) {
    let (one, two) = (bench.waiter().await, bench.waiter().await);
    bench.ask(&[&one, &two]).await;
    bench.answer(player(&one), ReadyAnswer::Ready).await;
    assert!(bench.checked(bench.deadline_ms() - 1).await.is_empty());
    let late = bench.store.answer_ready(player(&two), ReadyAnswer::Ready, bench.deadline_ms());
    assert_eq!(late.await.unwrap(), Answered::NotAsked);
    let given = bench.checked(bench.deadline_ms()).await;
    let check = given[0].ready.clone().unwrap();
    assert!(!check.is_spoilt_by(&one.members) && check.is_spoilt_by(&two.members));
    // Given out, it takes no answers any more, whatever the clock says.
    assert_eq!(bench.answer(player(&two), ReadyAnswer::Ready).await, Answered::NotAsked);
}

pub async fn only_those_who_are_asked_answer(bench: Bench) {
    let (waits, claimed) = (bench.waiter().await, bench.waiter().await);
    bench.claim(&[&claimed]).await;
    for player in [player(&waits), player(&claimed), PlayerId::random()] {
        assert_eq!(bench.answer(player, ReadyAnswer::Ready).await, Answered::NotAsked);
    }
}

pub async fn checks_are_told(bench: Bench) {
    let mut changes = bench.store.changes();
    let ticket = bench.waiter().await;
    let claim = bench.ask(&[&ticket]).await;
    told(&mut changes, &Change::Moved(ticket.id)).await;
    bench.answer(player(&ticket), ReadyAnswer::Declined).await;
    told(&mut changes, &Change::Checked(bench.queue.clone())).await;
    told(&mut changes, &Change::Moved(ticket.id)).await;
    let given = bench.checked(bench.now_ms).await;
    assert_eq!(given[0].id, claim.id);
    let back = [(ticket.id, Outcome::PutBack)];
    bench.store.settle(&given[0], &back, bench.now_ms, bench.keep_ms()).await.unwrap();
    told(&mut changes, &Change::Moved(ticket.id)).await;
}
