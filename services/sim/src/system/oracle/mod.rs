//! What must always hold, and whether it does.
//!
//! The oracle hears of every entry that the archive keeps, of every transaction that the ledger's
//! database enters, and of every frame that a client gets, at the moment when it happens. It keeps
//! the first thing that is wrong.

mod mirror;
mod money;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parlor_common::{PlayerId, TableId};
use parlor_game::Viewer;
use parlor_game::shell::{Duty, Obligation, Outcome, Player};
use parlor_proto::{rules, table};
use parlor_settlement::money::Changes;
use parlor_table::store::Stored;
use sha2::{Digest, Sha256};
use tokio::sync::Notify;

use super::fate::{Fate, digest};
use mirror::{Facts, Mirror, Untold};
use money::{Entered, key};

/// What must always hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// An acknowledged request is in the log of its table, for ever.
    NothingLost,
    /// Nobody is told what the log of the table does not hold.
    DurableFirst,
    /// No request is in the logs twice.
    NothingDoubled,
    /// A log is one chain, and whoever loads it gets all of it.
    OneLog,
    /// Entries are written by the owner whose epoch is in force, and by nobody else.
    OneOwner,
    /// Each viewer gets each of its updates once and in order, or a resync.
    NoGap,
    /// Nobody is told what it may not know.
    NoLeak,
    /// The ledger's entries sum to zero and agree with what the tables say.
    ExactMoney,
    /// A duty is struck off when the ledger has met it, and the ledger meets each once.
    DutiesMet,
    /// A player has taken one seat at most.
    OneSeat,
    /// Once the faults are over, everything comes to its end.
    Progress,
}

/// A thing that was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What did not hold.
    pub invariant: Invariant,
    /// How.
    pub how: String,
    /// Milliseconds of simulated time since the run began.
    pub at_ms: u64,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} at {} ms: {}", self.invariant, self.at_ms, self.how)
    }
}

/// What has happened in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Entries of all tables.
    pub entries: u64,
    /// Requests that clients know to be done.
    pub acknowledged: u64,
    /// Hands that ended.
    pub hands: u64,
    /// Claims of a table by a new owner.
    pub takeovers: u64,
    /// Updates and resyncs that clients got.
    pub updates: u64,
}

struct Kept {
    mirror: Box<dyn Mirror>,
    entries: Vec<Bytes>,
    opening: Bytes,
    epoch: u64,
    owner: String,
    removed: bool,
}

#[derive(Default)]
struct State {
    tables: BTreeMap<TableId, Kept>,
    /// Where each request is.
    requests: BTreeMap<[u8; 16], (TableId, u64)>,
    entered: Entered,
    /// What hands have changed, by player.
    won: BTreeMap<Player, i64>,
    /// Whose money each hold is; none for bots.
    holders: BTreeMap<(TableId, u64), Option<Player>>,
    tally: Tally,
    wrong: Option<Violation>,
}

/// Hears of everything.
pub struct Oracle {
    state: Mutex<State>,
    fate: Arc<Fate>,
    /// Notified when something is wrong.
    pub alarm: Notify,
}

impl Oracle {
    /// An oracle that has heard of nothing.
    pub fn new(fate: Arc<Fate>) -> Self {
        Self { state: Mutex::default(), fate, alarm: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that something is wrong. The first thing stays.
    pub fn accuse(&self, invariant: Invariant, how: impl Into<String>) {
        let (how, at_ms) = (how.into(), self.fate.now_ms());
        self.fate.note(format_args!("WRONG {invariant:?}: {how}"));
        self.state().wrong.get_or_insert(Violation { invariant, how, at_ms });
        self.alarm.notify_one();
    }

    fn judge(&self, judged: Result<(), (Invariant, String)>) {
        if let Err((invariant, how)) = judged {
            self.accuse(invariant, how);
        }
    }

    /// The first thing that was wrong.
    pub fn wrong(&self) -> Option<Violation> {
        self.state().wrong.clone()
    }

    /// What has happened so far.
    pub fn tally(&self) -> Tally {
        self.state().tally
    }

    /// A table was created.
    pub fn opened(&self, owner: &str, table: TableId, opening: &Bytes) {
        self.fate.note(format_args!("{owner} opens {table}"));
        match mirror::mirror(opening) {
            Ok((id, mut mirror)) if id == table => {
                mirror.show(self.fate.bytes());
                let (opening, owner) = (opening.clone(), owner.to_owned());
                let entries = Vec::new();
                let kept = Kept { mirror, entries, opening, epoch: 1, owner, removed: false };
                self.state().tables.insert(table, kept);
            }
            Ok(_) => self.accuse(Invariant::OneLog, format!("{table} opens as another table")),
            Err(how) => self.accuse(Invariant::OneLog, how),
        }
    }

    /// Entries were kept.
    pub fn appended(&self, owner: &str, table: TableId, entries: &[Bytes]) {
        let hash = entries.iter().fold(0, |hash, bytes| hash ^ digest(bytes));
        let permuted_by = self.fate.bytes();
        let judged = self.state().append(owner, table, entries, permuted_by);
        let count = entries.len();
        self.fate.note(format_args!("{owner} appends {count} to {table}: {hash:08x}"));
        self.judge(judged);
    }

    /// A table was loaded.
    pub fn loaded(&self, table: TableId, stored: &Stored) {
        let judged = self.state().load(table, stored);
        self.judge(judged);
    }

    /// A table was claimed.
    pub fn claimed(&self, owner: &str, table: TableId, epoch: u64) {
        self.fate.note(format_args!("{owner} claims {table} as epoch {epoch}"));
        let mut state = self.state();
        state.tally.takeovers += 1;
        if let Some(kept) = state.tables.get_mut(&table) {
            kept.epoch = epoch;
            owner.clone_into(&mut kept.owner);
        }
    }

    /// A closed table was forgotten by the archive.
    pub fn removed(&self, owner: &str, table: TableId) {
        self.fate.note(format_args!("{owner} removes {table}"));
        let judged = self.state().remove(table);
        self.judge(judged);
    }

    /// The ledger's database has entered a batch.
    pub fn entered(&self, changes: &Changes) {
        for one in &changes.transactions {
            self.fate.note(format_args!("ledger {} {}", one.seq, one.key));
        }
        let judged = self.state().enter(changes);
        self.judge(judged);
    }

    /// A client was told that its request to a table is done.
    pub fn acknowledged(&self, player: PlayerId, table: TableId, request: &str) {
        self.fate.note(format_args!("{player} knows {request} to be done"));
        let mut state = self.state();
        state.tally.acknowledged += 1;
        let found = state.requests.get(&request_key(player, request)).copied();
        drop(state);
        if found.is_none_or(|(at, _)| at != table) {
            let how = format!("{request} of {player} is acknowledged and not in {table}");
            self.accuse(Invariant::NothingLost, how);
        }
    }

    /// A client was sent an update or, without moves, a resync.
    pub fn told(
        &self,
        table: TableId,
        viewer: Viewer,
        seq: u64,
        moves: Option<&[rules::v1::Event]>,
        view: Option<&table::v1::TableView>,
    ) {
        let judged = {
            let mut state = self.state();
            state.tally.updates += 1;
            let unknown = || (Invariant::NoLeak, format!("{table} does not exist"));
            state.tables.get(&table).ok_or_else(unknown).and_then(|kept| {
                let told = kept.mirror.may_tell(viewer, seq, moves, view);
                told.map_err(|untold| match untold {
                    Untold::NotInTheLog(how) => (Invariant::DurableFirst, how),
                    Untold::NotForTheViewer(how) => (Invariant::NoLeak, how),
                })
            })
        };
        self.judge(judged);
    }

    /// What a bot in the player's place would ask of a table.
    pub fn choose(&self, table: TableId, player: PlayerId) -> Option<rules::v1::Command> {
        self.state().tables.get(&table)?.mirror.choose(Player(*player.as_bytes()))
    }

    /// Whether the player has a seat, or the promise of one, at any table.
    pub fn has_seat(&self, player: PlayerId) -> bool {
        let player = Player(*player.as_bytes());
        let state = self.state();
        let mut live = state.tables.values().filter(|kept| !kept.removed);
        live.any(|kept| kept.mirror.seat_of(player).is_some())
    }

    /// Tables that are not done.
    pub fn unfinished(&self) -> Vec<TableId> {
        let state = self.state();
        let open = state.tables.iter().filter(|(_, kept)| !kept.removed && !kept.mirror.is_done());
        open.map(|(table, _)| *table).collect()
    }

    /// At the end of a run, when nobody sits anywhere: each player has what it brought and won.
    pub fn settled(&self, brought: &BTreeMap<PlayerId, i64>) {
        let judged = self.state().settle(brought);
        self.judge(judged);
    }
}

type Judged = Result<(), (Invariant, String)>;

impl State {
    fn append(
        &mut self,
        owner: &str,
        table: TableId,
        entries: &[Bytes],
        permuted_by: [u8; 32],
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
            Duty::PostHand { changes, .. } => {
                for (hold, change) in changes {
                    if let Some(Some(player)) = self.holders.get(&(table, *hold)) {
                        *self.won.entry(*player).or_default() += change.0;
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

    fn load(&self, table: TableId, stored: &Stored) -> Judged {
        let Some(kept) = self.tables.get(&table) else { return Ok(()) };
        let from = stored.snapshot.as_ref().map_or(0, |(seq, _)| *seq);
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let same = kept.entries.get(from..).is_some_and(|tail| tail == stored.tail);
        if kept.opening == stored.opening && same {
            return Ok(());
        }
        Err((Invariant::NothingLost, format!("{table} is loaded with another log")))
    }

    fn remove(&mut self, table: TableId) -> Judged {
        let Some(kept) = self.tables.get_mut(&table) else { return Ok(()) };
        kept.removed = true;
        if kept.mirror.is_done() {
            return Ok(());
        }
        Err((Invariant::NothingLost, format!("{table} is removed and not done")))
    }

    fn enter(&mut self, changes: &Changes) -> Judged {
        self.entered.enter(changes).map_err(|how| (Invariant::ExactMoney, how))?;
        for (table, kept) in self.tables.iter().filter(|(_, kept)| !kept.removed) {
            let compared = self.entered.compare(*table, &*kept.mirror);
            compared.map_err(|how| (Invariant::ExactMoney, how))?;
        }
        Ok(())
    }

    fn settle(&self, brought: &BTreeMap<PlayerId, i64>) -> Judged {
        for (player, brought) in brought {
            let won = self.won.get(&Player(*player.as_bytes())).copied().unwrap_or(0);
            let wallet = self.entered.wallet(*player);
            if wallet != brought + won {
                let how = format!("{player} brought {brought}, won {won} and has {wallet}");
                return Err((Invariant::ExactMoney, how));
            }
        }
        match self.entered.sum() {
            0 => Ok(()),
            sum => Err((Invariant::ExactMoney, format!("all accounts sum to {sum}"))),
        }
    }
}

/// The key under which a table remembers a request: SHA-256 of the player and of the client's id.
fn request_key(player: PlayerId, request: &str) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(player.as_bytes());
    hash.update(request.as_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize()[..16]);
    key
}
