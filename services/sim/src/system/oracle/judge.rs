//! What the oracle knows, and its judgement of each thing that it hears.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use parlor_common::{PlayerId, TableId};
use parlor_game::shell::{Duty, Obligation, Outcome, Player};
use parlor_matchmaking::ids::{MatchId, TicketId};
use parlor_settlement::money::{Account, Changes};
use parlor_table::store::Stored;
use sha2::{Digest, Sha256};

use super::mirror::{Facts, Mirror};
use super::money::{Entered, key};
use super::{Invariant, Tally, Violation};

/// A table as the oracle knows it.
pub struct Kept {
    pub mirror: Box<dyn Mirror>,
    pub entries: Vec<Bytes>,
    pub opening: Bytes,
    pub epoch: u64,
    pub owner: String,
    /// It is not in the archive any more.
    pub removed: bool,
    /// Its log was lost.
    pub lost: bool,
    /// When it was opened and closed, in milliseconds since the run began.
    pub opened_ms: u64,
    pub closed_ms: Option<u64>,
}

impl Kept {
    /// Whether it is there and people may play at it.
    pub fn is_open(&self) -> bool {
        !self.removed && !self.mirror.is_closed()
    }
}

/// What a posting has changed for a player, and the house's share of it.
struct Won {
    table: TableId,
    /// The ledger's key of the hand.
    key: String,
    /// None: the house.
    player: Option<Player>,
    amount: i64,
}

/// Everything that the oracle knows.
#[derive(Default)]
pub struct State {
    pub tables: BTreeMap<TableId, Kept>,
    /// Where each request is.
    pub requests: BTreeMap<[u8; 16], (TableId, u64)>,
    pub entered: Entered,
    pub tally: Tally,
    pub wrong: Option<Violation>,
    /// The match to which each claimed ticket belongs.
    pub matches: BTreeMap<TicketId, MatchId>,
    won: Vec<Won>,
    /// Whose money each hold is; none for bots.
    holders: BTreeMap<(TableId, u64), Option<Player>>,
}

/// Fine, or what did not hold and how.
pub type Judged = Result<(), (Invariant, String)>;

impl State {
    /// Entries were kept.
    pub fn append(
        &mut self,
        owner: &str,
        table: TableId,
        entries: &[Bytes],
        permuted_by: [u8; 32],
        now_ms: u64,
    ) -> Judged {
        let unknown = || (Invariant::OneLog, format!("{table} was never opened"));
        for bytes in entries {
            let kept = self.tables.get_mut(&table).ok_or_else(unknown)?;
            let facts = kept.mirror.read(bytes).map_err(|how| (Invariant::OneLog, how))?;
            kept.entries.push(bytes.clone());
            if facts.epoch != kept.epoch || owner != kept.owner {
                let (epoch, force, rightful) = (facts.epoch, kept.epoch, &kept.owner);
                let how = format!(
                    "{owner} writes to {table} under epoch {epoch}; {rightful} owns it as {force}"
                );
                return Err((Invariant::OneOwner, how));
            }
            let seq = kept.entries.len() as u64;
            self.tally.entries += 1;
            self.tally.hands += facts.hands;
            self.take_note(table, seq, &facts)?;
        }
        let kept = self.tables.get_mut(&table).ok_or_else(unknown)?;
        kept.mirror.show(permuted_by);
        if kept.mirror.is_closed() {
            kept.closed_ms.get_or_insert(now_ms);
        }
        self.entered.compare(table, &*kept.mirror).map_err(|how| (Invariant::ExactMoney, how))?;
        self.check_seats(table)
    }

    fn take_note(&mut self, table: TableId, seq: u64, facts: &Facts) -> Judged {
        if let Some(request) = facts.request
            && let Some((at, first)) = self.requests.insert(request, (table, seq))
        {
            let how = format!("a request is entry {first} of {at} and entry {seq} of {table}");
            return Err((Invariant::NothingDoubled, how));
        }
        for duty in &facts.made {
            self.note_duty(table, duty);
        }
        if let Some((duty, outcome)) = &facts.answered
            && let Some(key) = key(table, duty)
        {
            let is_met = *outcome == Outcome::Met;
            if is_met != self.entered.has(&key) {
                let how = format!("{key} is struck off as {outcome:?}, unlike in the ledger");
                return Err((Invariant::DutiesMet, how));
            }
        }
        Ok(())
    }

    fn note_duty(&mut self, table: TableId, duty: &Obligation) {
        match &duty.duty {
            Duty::Hold { player, bot, .. } => {
                self.holders.insert((table, duty.id), (!bot).then_some(*player));
            }
            Duty::PostHand { changes, commission, .. } => {
                let Some(key) = key(table, duty) else { return };
                let won = |player, amount| Won { table, key: key.clone(), player, amount };
                self.won.push(won(None, commission.0));
                for (hold, change) in changes {
                    if let Some(Some(player)) = self.holders.get(&(table, *hold)) {
                        self.won.push(won(Some(*player), change.0));
                    }
                }
            }
            Duty::Release { .. } | Duty::Reveal { .. } => {}
        }
    }

    fn check_seats(&self, table: TableId) -> Judged {
        let Some(kept) = self.tables.get(&table) else { return Ok(()) };
        let here: BTreeSet<Player> = kept.mirror.seated().into_iter().collect();
        let others = self.tables.iter().filter(|(id, kept)| **id != table && !kept.removed);
        for (other, kept) in others {
            if let Some(player) = kept.mirror.seated().iter().find(|one| here.contains(one)) {
                let player = PlayerId::from_bytes(player.0);
                let how = format!("{player} sits at {table} and at {other}");
                return Err((Invariant::OneSeat, how));
            }
        }
        Ok(())
    }

    /// A table was loaded.
    pub fn load(&self, table: TableId, stored: &Stored) -> Judged {
        let Some(kept) = self.tables.get(&table) else { return Ok(()) };
        let from = stored.snapshot.as_ref().map_or(0, |(seq, _)| *seq);
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let same = kept.entries.get(from..).is_some_and(|tail| tail == stored.tail);
        if kept.opening == stored.opening && same {
            return Ok(());
        }
        Err((Invariant::NothingLost, format!("{table} is loaded with another log")))
    }

    /// A closed table was forgotten.
    pub fn remove(&mut self, table: TableId) -> Judged {
        let Some(kept) = self.tables.get_mut(&table) else { return Ok(()) };
        kept.removed = true;
        if kept.mirror.is_done() {
            return Ok(());
        }
        Err((Invariant::NothingLost, format!("{table} is removed and not done")))
    }

    /// The ledger has entered a batch.
    pub fn enter(&mut self, changes: &Changes) -> Judged {
        self.entered.enter(changes).map_err(|how| (Invariant::ExactMoney, how))?;
        for (table, kept) in self.tables.iter().filter(|(_, kept)| !kept.removed) {
            let compared = self.entered.compare(*table, &*kept.mirror);
            compared.map_err(|how| (Invariant::ExactMoney, how))?;
        }
        Ok(())
    }

    /// A match has claimed tickets, now or before.
    pub fn claim(&mut self, id: MatchId, tickets: &[TicketId]) -> Judged {
        for ticket in tickets {
            if let Some(other) = self.matches.insert(*ticket, id).filter(|other| *other != id) {
                let how = format!("ticket {ticket} belongs to the matches {other} and {id}");
                return Err((Invariant::OneMatch, how));
            }
        }
        Ok(())
    }

    /// A code that was asked for at a time has led to a table.
    pub fn lead(&self, code: &str, table: TableId, asked_ms: u64) -> Judged {
        let wrong = |how: String| Err((Invariant::RoomFound, how));
        let Some(kept) = self.tables.get(&table) else {
            return wrong(format!("code {code} leads to {table}, which does not exist"));
        };
        let true_code = kept.mirror.room_code();
        if true_code != code {
            return wrong(format!("code {code} leads to {table}, which has {true_code:?}"));
        }
        match kept.closed_ms {
            Some(closed_ms) if closed_ms < asked_ms => {
                wrong(format!("code {code} leads to {table}, which had closed at {closed_ms}"))
            }
            _ => Ok(()),
        }
    }

    /// A new table was opened: its code, if it has one, is its own.
    pub fn check_code(&self, table: TableId) -> Judged {
        let code = self.tables.get(&table).map_or("", |kept| kept.mirror.room_code());
        let has_it = |(other, kept): &(&TableId, &Kept)| {
            **other != table && kept.is_open() && kept.mirror.room_code() == code
        };
        match self.tables.iter().find(has_it) {
            Some((other, _)) if !code.is_empty() => {
                Err((Invariant::RoomFound, format!("{table} and {other} have the code {code}")))
            }
            _ => Ok(()),
        }
    }

    /// At the end, when nobody sits anywhere: each player has what it brought and won, and nothing
    /// was created or lost on the way.
    pub fn settle(&self, brought: &BTreeMap<PlayerId, i64>) -> Judged {
        let exact = |how: String| Err((Invariant::ExactMoney, how));
        let (mut won, mut house) = (BTreeMap::<Player, i64>::new(), 0);
        for one in &self.won {
            // What a lost log knew and the ledger does not has not happened.
            let is_lost = self.tables.get(&one.table).is_some_and(|kept| kept.lost);
            if is_lost && !self.entered.has(&one.key) {
                continue;
            }
            match one.player {
                Some(player) => *won.entry(player).or_default() += one.amount,
                None => house += one.amount,
            }
        }
        for (player, brought) in brought {
            let won = won.get(&Player(*player.as_bytes())).copied().unwrap_or(0);
            let wallet = self.entered.wallet(*player);
            if wallet != brought + won {
                let how = format!("{player} brought {brought}, won {won} and has {wallet}");
                return exact(how);
            }
        }
        let sum = |wanted: fn(&Account) -> bool| self.entered.sum(wanted);
        let held = sum(|account| matches!(account, Account::Stack(_)));
        if held != 0 {
            return Err((Invariant::NothingHeld, format!("{held} is held when all have left")));
        }
        let taken = sum(|account| *account == Account::House);
        if taken != house {
            return exact(format!("the house took {house} by the logs and has {taken}"));
        }
        let outside = -sum(|account| *account == Account::External);
        let brought: i64 = brought.values().sum();
        if outside != brought {
            return exact(format!("{brought} was brought, and {outside} has come from outside"));
        }
        match sum(|_| true) {
            0 => Ok(()),
            sum => exact(format!("all accounts sum to {sum}")),
        }
    }
}

/// The key under which a table remembers a request: SHA-256 of the player and of the client's id.
pub fn request_key(player: PlayerId, request: &str) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(player.as_bytes());
    hash.update(request.as_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize()[..16]);
    key
}
