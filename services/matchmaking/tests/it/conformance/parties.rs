use parlor_common::PlayerId;
use parlor_matchmaking::invite::InviteCode;
use parlor_matchmaking::party::rules::Invite;
use parlor_matchmaking::party::{Departure, Party, PartyId};
use parlor_matchmaking::store::{Change, Enqueued, PartySave, PartySaved, StoredParty};
use parlor_matchmaking::ticket::{Member, Ticket, TicketParty};

use super::Bench;

fn member() -> Member {
    Member::new(PlayerId::random(), "小红").unwrap()
}

impl Bench {
    fn new_party(&self) -> Party {
        let leader = member();
        let id = PartyId::begun_by(leader.player, &"r".parse().unwrap());
        let code = InviteCode::random().unwrap();
        Party::begin(id, leader, Invite { code, until_ms: self.now_ms + 1_000 })
    }

    async fn put(&self, stored: Option<&StoredParty>, party: Party) -> PartySaved {
        self.try_save(&PartySave::new(stored, party, self.now_ms)).await
    }

    async fn try_save(&self, save: &PartySave) -> PartySaved {
        self.store.save_party(save).await.unwrap()
    }

    /// A party of a leader and these.
    async fn party(&self, others: &[&Member]) -> StoredParty {
        let mut party = self.new_party();
        let code = party.invite;
        for other in others {
            party.join((*other).clone(), code, 9, self.now_ms).unwrap();
        }
        let id = party.id;
        assert_eq!(self.put(None, party).await, PartySaved::Done);
        self.store.party(id).await.unwrap().unwrap()
    }

    async fn party_of(&self, player: PlayerId) -> Option<StoredParty> {
        self.store.party_of(player).await.unwrap()
    }

    fn ticket_of_party(&self, stored: &StoredParty) -> Ticket {
        let players: Vec<PlayerId> =
            stored.party.members.iter().map(|member| member.player).collect();
        let party = TicketParty { id: stored.party.id, version: stored.version };
        Ticket { party: Some(party), ..self.ticket(&players, 0) }
    }
}

fn leader(stored: &StoredParty) -> PlayerId {
    stored.party.members[0].player
}

pub async fn a_party_is_found_by_its_members_and_its_code(bench: Bench) {
    let one = member();
    let stored = bench.party(&[&one]).await;
    assert_eq!((stored.version, stored.ticket), (1, None));
    for player in [leader(&stored), one.player] {
        assert_eq!(bench.party_of(player).await.as_ref(), Some(&stored));
    }
    let by_code = bench.store.party_of_invite(stored.party.invite).await.unwrap();
    assert_eq!(by_code.as_ref(), Some(&stored));
    let mut party = stored.party.clone();
    party.depart(one.player, Departure::Left);
    let code = InviteCode::random().unwrap();
    party.renew_invite(leader(&stored), Invite { code, until_ms: 7 }).unwrap();
    assert_eq!(bench.put(Some(&stored), party.clone()).await, PartySaved::Done);
    assert_eq!(bench.party_of(one.player).await, None);
    assert_eq!(bench.store.party_of_invite(stored.party.invite).await.unwrap(), None);
    let now = bench.store.party_of_invite(code).await.unwrap().unwrap();
    assert_eq!((now.version, now.party), (2, party));
}

pub async fn a_player_is_in_one_party(bench: Bench) {
    let one = member();
    let stored = bench.party(&[&one]).await;
    let other = bench.party(&[]).await;
    let mut party = other.party.clone();
    let code = party.invite;
    party.join(one.clone(), code, 9, bench.now_ms).unwrap();
    assert_eq!(bench.put(Some(&other), party).await, PartySaved::InParty(one.player));
    assert_eq!(bench.store.party(other.party.id).await.unwrap(), Some(other));
    assert_eq!(bench.party_of(one.player).await, Some(stored));
}

pub async fn a_change_of_a_party_of_old_changes_nothing(bench: Bench) {
    let stored = bench.party(&[]).await;
    let change = |player: &Member| {
        let mut party = stored.party.clone();
        let code = party.invite;
        party.join(player.clone(), code, 9, bench.now_ms).unwrap();
        party
    };
    let (one, two) = (member(), member());
    assert_eq!(bench.put(Some(&stored), change(&one)).await, PartySaved::Done);
    assert_eq!(bench.put(Some(&stored), change(&two)).await, PartySaved::Changed);
    assert_eq!(bench.put(None, change(&two)).await, PartySaved::Changed);
    assert_eq!(bench.party_of(two.player).await, None);
    assert_eq!(bench.party_of(one.player).await.unwrap().version, 2);
}

pub async fn a_change_of_a_party_whose_answer_was_lost_is_known_again(bench: Bench) {
    let one = member();
    let stored = bench.party(&[]).await;
    let mut party = stored.party.clone();
    let code = party.invite;
    party.join(one.clone(), code, 9, bench.now_ms).unwrap();
    let save = PartySave::new(Some(&stored), party, bench.now_ms);
    for _ in 0..2 {
        assert_eq!(bench.try_save(&save).await, PartySaved::Done);
    }
    assert_eq!(bench.party_of(one.player).await.unwrap().version, 2);
}

pub async fn a_code_leads_to_one_party(bench: Bench) {
    let stored = bench.party(&[]).await;
    let mut other = bench.new_party();
    other.invite = stored.party.invite;
    assert_eq!(bench.put(None, other).await, PartySaved::CodeTaken);
    let found = bench.store.party_of_invite(stored.party.invite).await.unwrap();
    assert_eq!(found, Some(stored));
}

pub async fn a_party_without_members_is_forgotten(bench: Bench) {
    let stored = bench.party(&[]).await;
    let mut party = stored.party.clone();
    party.depart(leader(&stored), Departure::Left);
    assert_eq!(bench.put(Some(&stored), party).await, PartySaved::Done);
    assert_eq!(bench.store.party(stored.party.id).await.unwrap(), None);
    assert_eq!(bench.party_of(leader(&stored)).await, None);
    assert_eq!(bench.store.party_of_invite(stored.party.invite).await.unwrap(), None);
    assert!(bench.store.absent(i64::MAX >> 12, 9).await.unwrap().is_empty());
    // It may be begun again.
    assert_eq!(bench.put(None, stored.party.clone()).await, PartySaved::Done);
}

pub async fn a_party_enters_a_queue_as_it_was_read_or_not_at_all(bench: Bench) {
    let (one, two) = (member(), member());
    let stored = bench.party(&[&one]).await;
    let ticket = bench.ticket_of_party(&stored);
    let mut party = stored.party.clone();
    let code = party.invite;
    party.join(two.clone(), code, 9, bench.now_ms).unwrap();
    assert_eq!(bench.put(Some(&stored), party).await, PartySaved::Done);
    assert_eq!(bench.enqueue(&ticket).await, Enqueued::PartyChanged);
    assert!(bench.waiting().await.is_empty());

    let now = bench.party_of(two.player).await.unwrap();
    let ticket = bench.ticket_of_party(&now);
    assert_eq!(bench.enqueue(&ticket).await, Enqueued::Waiting);
    assert_eq!(bench.enqueue(&ticket).await, Enqueued::Repeated(ticket.id));
    assert_eq!(bench.waiting().await, std::slice::from_ref(&ticket));
    let queued = bench.party_of(two.player).await.unwrap();
    assert_eq!((queued.version, queued.ticket), (now.version + 1, Some(ticket.id)));
    // Nobody comes or goes who has not seen the ticket.
    let mut party = now.party.clone();
    party.depart(two.player, Departure::Left);
    assert_eq!(bench.put(Some(&now), party.clone()).await, PartySaved::Changed);
    assert_eq!(bench.put(Some(&queued), party).await, PartySaved::Done);
    assert_eq!(bench.party_of(one.player).await.unwrap().ticket, None);
    let gone = TicketParty { id: PartyId::begun_by(two.player, &"x".parse().unwrap()), version: 1 };
    let nowhere = Ticket { party: Some(gone), ..bench.ticket(&[PlayerId::random()], 0) };
    assert_eq!(bench.enqueue(&nowhere).await, Enqueued::PartyChanged);
}

pub async fn members_enter_queues_with_their_party_only(bench: Bench) {
    let one = member();
    let stored = bench.party(&[&one]).await;
    let alone = bench.ticket(&[one.player], 0);
    assert_eq!(bench.enqueue(&alone).await, Enqueued::InParty(one.player));
    let with_a_friend = bench.ticket(&[PlayerId::random(), one.player], 0);
    assert_eq!(bench.enqueue(&with_a_friend).await, Enqueued::InParty(one.player));
    let mut party = stored.party.clone();
    party.depart(one.player, Departure::Left);
    assert_eq!(bench.put(Some(&stored), party).await, PartySaved::Done);
    assert_eq!(bench.enqueue(&alone).await, Enqueued::Waiting);
}

pub async fn whoever_waits_in_a_queue_joins_no_party(bench: Bench) {
    let waiter = bench.waiter().await.members.remove(0);
    let stored = bench.party(&[]).await;
    let mut party = stored.party.clone();
    let code = party.invite;
    party.join(waiter.clone(), code, 9, bench.now_ms).unwrap();
    assert_eq!(bench.put(Some(&stored), party.clone()).await, PartySaved::Queued(waiter.player));
    assert_eq!(bench.party_of(waiter.player).await, None);
    bench.store.cancel(waiter.player, bench.keep_ms()).await.unwrap();
    assert_eq!(bench.put(Some(&stored), party).await, PartySaved::Done);
}

pub async fn members_who_are_not_here_are_found(mut bench: Bench) {
    let (one, stranger) = (member().player, PlayerId::random());
    let one_member = Member::new(one, "小红").unwrap();
    let stored = bench.party(&[&one_member]).await;
    let begun_ms = bench.now_ms;
    let leader = leader(&stored);
    assert!(bench.store.absent(begun_ms, 9).await.unwrap().is_empty());
    bench.now_ms += 500;
    bench.store.here(&[one, stranger], bench.now_ms).await.unwrap();
    bench.store.here(&[], bench.now_ms).await.unwrap();
    assert_eq!(bench.store.absent(bench.now_ms, 9).await.unwrap(), [leader]);
    assert_eq!(bench.store.absent(bench.now_ms + 1, 9).await.unwrap(), [leader, one]);
    assert_eq!(bench.store.absent(bench.now_ms + 1, 1).await.unwrap(), [leader]);
}

pub async fn changes_of_parties_are_told(bench: Bench) {
    let mut changes = bench.store.changes();
    let stored = bench.party(&[]).await;
    let told = Change::Party(stored.party.id);
    super::told(&mut changes, &told).await;
    bench.enqueue(&bench.ticket_of_party(&stored)).await;
    super::told(&mut changes, &told).await;
}
