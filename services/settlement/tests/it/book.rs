//! The rules of money against a small model, over random requests in random batches.

use std::collections::HashMap;

use parlor_common::{HandId, HoldId, PlayerId, TableId};
use parlor_settlement::Error;
use parlor_settlement::money::{
    Account, Book, Changes, Chips, Deposit, Head, Hold, HoldState, Kind, Pages, PostHand, Posted,
    Receipt, Release, Request, Reverse, Staked, Submission, Target, Transaction, Wanted,
};
use proptest::prelude::*;

use crate::scene::{Play, Script};

const PLAYERS: u8 = 4;
const TABLES: u8 = 2;
const KEYS: u8 = 24;

/// A database in memory: gives out exactly what is wanted, as the real ones do.
#[derive(Default)]
struct Memory {
    journal: Vec<Transaction>,
    posted: HashMap<String, Posted>,
    holds: HashMap<HoldId, HoldState>,
    balances: HashMap<Account, Chips>,
    /// Whether pages stay from one batch to the next, as they do in a process that writes alone.
    keeps: bool,
    kept: Pages,
}

impl Memory {
    fn head(&self) -> Head {
        let head =
            |last: &Transaction| Head { seq: last.seq, time_ms: last.time_ms, link: last.link };
        self.journal.last().map_or(Head::GENESIS, head)
    }

    fn write(&mut self, batch: &[Submission]) -> Vec<Result<Receipt, Error>> {
        let mut wanted = Wanted::of(batch);
        let mut targets = HashMap::new();
        for number in wanted.targets.clone() {
            let Some(target) = self.target(number) else { continue };
            wanted.add_target(&target);
            targets.insert(number, target);
        }
        let posted = wanted.keys.iter();
        let posted = posted.filter_map(|key| Some((key.clone(), *self.posted.get(key.as_str())?)));
        let posted = posted.collect();
        let mut pages = std::mem::take(&mut self.kept);
        let missing = pages.missing_holds(&wanted);
        pages.add_holds(missing.iter().filter_map(|id| self.holds.get(id).copied()));
        let missing = pages.missing_accounts(wanted);
        let balances = missing.iter().filter_map(|of| Some((*of, *self.balances.get(of)?)));
        let balances = balances.collect();
        pages.add_balances(&missing, balances);
        let mut book = Book::new(self.head(), posted, targets, pages);
        let results = batch.iter().map(|submission| book.enter(submission, 5)).collect();
        let (changes, pages) = book.close();
        self.apply(changes);
        if self.keeps {
            self.kept = pages;
        }
        results
    }

    fn target(&self, number: u64) -> Option<Target> {
        let entry = self.journal.iter().find(|entry| entry.seq == number)?;
        let postings = entry.postings.iter().map(|line| (line.account, line.amount)).collect();
        let reversed = self.journal.iter().any(|other| other.reverses == Some(number));
        Some(Target { kind: entry.kind, reversed, postings })
    }

    fn apply(&mut self, changes: Changes) {
        for entry in &changes.transactions {
            let posted = Posted { seq: entry.seq, body: entry.body, balance: entry.balance };
            self.posted.insert(entry.key.as_str().to_owned(), posted);
        }
        self.journal.extend(changes.transactions);
        self.balances.extend(changes.balances);
        self.holds.extend(changes.opened.iter().map(|(hold, ..)| (hold.id, *hold)));
        for (id, _) in changes.closed {
            self.holds.get_mut(&id).unwrap().open = false;
        }
        assert_eq!(self.head(), changes.head);
    }

    /// What an accountant would check.
    fn check(&self) {
        let mut previous = Head::GENESIS;
        let mut sums: HashMap<Account, i64> = HashMap::new();
        for entry in &self.journal {
            assert_eq!(entry.seq, previous.seq + 1);
            assert_eq!(entry.link, entry.link_after(&previous.link));
            assert_eq!(entry.postings.iter().map(|line| line.amount.0).sum::<i64>(), 0);
            for line in &entry.postings {
                let sum = sums.entry(line.account).or_default();
                *sum += line.amount.0;
                assert_eq!(*sum, line.balance.0);
                assert!(*sum >= 0 || line.account.may_be_negative(), "{entry:?}");
            }
            previous = Head { seq: entry.seq, time_ms: entry.time_ms, link: entry.link };
        }
        for (account, balance) in &self.balances {
            assert_eq!(sums.get(account).copied().unwrap_or(0), balance.0, "{account}");
        }
        for hold in self.holds.values().filter(|hold| !hold.open) {
            let left = self.balances.get(&Account::Stack(hold.id)).copied().unwrap_or_default();
            assert_eq!(left, Chips::ZERO, "a closed stack is empty");
        }
    }
}

fn player(number: u8) -> PlayerId {
    PlayerId::from_bytes([number + 1; 16])
}

fn table(number: u8) -> TableId {
    TableId::from_bytes([0xa0 + number; 16])
}

fn hold_id(number: u8) -> HoldId {
    HoldId::of(&format!("key/{number}"))
}

/// A hold that a request with this key opens is this player's, at this table.
const fn place(key: u8) -> (u8, u8) {
    (key % PLAYERS, key / PLAYERS % TABLES)
}

fn hand(number: u64, winner: u8, loser: u8, won: i64, commission: i64) -> Option<Submission> {
    let play = |(hold, change): (u8, i64)| Play {
        player: player(place(hold).0),
        hold: Some(hold_id(hold)),
        change,
    };
    let table = table(place(winner).1);
    let plays = [(winner, won - commission), (loser, -won)].map(play);
    let script = Script::new(table, number, plays.to_vec());
    let post = PostHand::new(script.changes(), Chips(commission), script.hand().ok()?.into());
    let key = HandId { table, number }.to_string().parse().unwrap();
    Submission::new(key, Request::PostHand(post.ok()?)).ok()
}

/// Requests on few keys, players and tables, so that they meet.
fn request() -> impl Strategy<Value = Submission> {
    let seal = |number: u8, request| {
        let key = format!("key/{number}").parse().unwrap();
        Submission::new(key, request).unwrap()
    };
    let deposit =
        (0..KEYS, 0..PLAYERS, -60_i64..100).prop_filter_map("zero", move |(key, of, amount)| {
            let deposit = Deposit::new(player(of), Chips(amount), "test".parse().unwrap()).ok()?;
            Some(seal(key, Request::Deposit(deposit)))
        });
    let hold = (0..KEYS, any::<bool>(), 1_i64..60).prop_map(move |(key, bot, amount)| {
        let staked = if bot { Staked::Bot } else { Staked::Player };
        let (of, at) = place(key);
        let hold = Hold::new(table(at), player(of), staked, Chips(amount)).unwrap();
        seal(key, Request::Hold(hold))
    });
    let hands = (1_u64..20, 0..KEYS, 0..KEYS, 0_i64..40, 0_i64..3)
        .prop_filter_map("one player twice", |(number, winner, loser, won, commission)| {
            hand(number, winner, loser, won, commission)
        });
    let release = (0..KEYS, 0..KEYS, 0_i64..80).prop_map(move |(key, hold, amount)| {
        seal(key, Request::Release(Release::new(hold_id(hold), Chips(amount)).unwrap()))
    });
    let reverse = (0..KEYS, 0_u64..30).prop_map(move |(key, number)| {
        seal(key, Request::Reverse(Reverse::new(number, "test".parse().unwrap())))
    });
    prop_oneof![3 => deposit, 4 => hold, 4 => hands, 3 => release, 1 => reverse]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_journal_is_sound_however_the_batches_are_cut(
        requests in prop::collection::vec(request(), 1..100),
        cuts in prop::collection::vec(1_usize..40, 1..8),
        keeps in any::<bool>(),
    ) {
        let mut singly = Memory::default();
        let mut expected = Vec::new();
        for request in &requests {
            expected.extend(singly.write(std::slice::from_ref(request)));
        }
        singly.check();

        let mut batched = Memory { keeps, ..Memory::default() };
        let mut results = Vec::new();
        let mut left = requests.as_slice();
        for cut in cuts.iter().cycle() {
            if left.is_empty() {
                break;
            }
            // Nobody knows the number of a transaction before its batch is committed.
            let reversal = |submission: &Submission| {
                matches!(submission.request(), Request::Reverse(_))
            };
            let until = left.iter().skip(1).position(reversal).map_or(left.len(), |at| at + 1);
            let (batch, rest) = left.split_at((*cut).min(until));
            results.extend(batched.write(batch));
            left = rest;
        }
        batched.check();
        prop_assert_eq!(&results, &expected);
        prop_assert_eq!(batched.journal, singly.journal);
    }
}

type Alteration = (&'static str, fn(&mut Transaction));

#[test]
fn a_changed_entry_breaks_its_link_and_all_that_follow() {
    let mut memory = Memory::default();
    for number in 0..3 {
        let deposit = Deposit::new(player(0), Chips(10), "test".parse().unwrap()).unwrap();
        let key = format!("key/{number}").parse().unwrap();
        let sealed = Submission::new(key, Request::Deposit(deposit)).unwrap();
        memory.write(&[sealed])[0].clone().unwrap();
    }
    let [first, second, third] = memory.journal.as_slice() else { panic!() };
    assert_eq!(second.link, second.link_after(&first.link));
    let alter: [Alteration; 8] = [
        ("number", |entry| entry.seq += 1),
        ("kind", |entry| entry.kind = Kind::Withdrawal),
        ("time", |entry| entry.time_ms += 1),
        ("reference", |entry| entry.reference.push('x')),
        ("amount", |entry| entry.postings[0].amount.0 += 1),
        ("balance", |entry| entry.postings[0].balance.0 += 1),
        ("account", |entry| entry.postings[0].account = Account::House),
        ("line", |entry| entry.postings.truncate(1)),
    ];
    for (what, alter) in alter {
        let mut changed = second.clone();
        alter(&mut changed);
        assert_ne!(changed.link_after(&first.link), second.link, "{what}");
        changed.link = changed.link_after(&first.link);
        assert_ne!(third.link_after(&changed.link), third.link, "{what}");
    }
}
