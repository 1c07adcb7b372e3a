//! What must always hold, and whether it does.
//!
//! The oracle hears of every entry that the archive keeps, of every transaction that the ledger's
//! database enters, and of every frame that a client gets, at the moment when it happens. It keeps
//! the first thing that is wrong.

mod judge;
mod mirror;
mod money;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parlor_common::{PlayerId, TableId};
use parlor_game::Viewer;
use parlor_game::shell::Player;
use parlor_matchmaking::ids::{MatchId, TicketId};
use parlor_proto::{rules, table};
use parlor_settlement::money::Changes;
use parlor_table::store::Stored;
use tokio::sync::Notify;

use super::fate::{Fate, digest};
use judge::{Judged, Kept, State, request_key};
pub use mirror::Posture;
use mirror::Untold;

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
    /// A ticket belongs to one match at a time.
    OneMatch,
    /// A room's code leads to its table, and to no other, while it is open and no longer.
    RoomFound,
    /// A later connection of a player ends the earlier ones, and never the other way round.
    OneSession,
    /// A table pod that is told to end, while nothing else goes wrong, leaves no table behind.
    HandedOver,
    /// Once the faults are over, every table comes to its end.
    Progress,
    /// Once the faults are over, every player gets what it asks for: no ticket is left behind.
    NobodyStuck,
    /// Once everybody has left, the ledger holds nothing for any table.
    NothingHeld,
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
    /// Tables that were opened, and private rooms among them.
    pub tables: u64,
    /// Private rooms.
    pub rooms: u64,
    /// Matches that were claimed.
    pub matches: u64,
    /// Sessions that clients had after their first.
    pub resumed: u64,
    /// Of these, at another gateway than the one before.
    pub elsewhere: u64,
    /// Earlier sessions that were told of a later one.
    pub replaced: u64,
}

/// How old a table is that is not asked for again: longer than its creation can take.
const LOSABLE_MS: u64 = 10_000;

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

    fn judge(&self, judged: Judged) {
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
                let kept = Kept {
                    mirror,
                    entries: Vec::new(),
                    opening: opening.clone(),
                    epoch: 1,
                    owner: owner.to_owned(),
                    removed: false,
                    lost: false,
                    opened_ms: self.fate.now_ms(),
                    closed_ms: None,
                };
                let judged = {
                    let mut state = self.state();
                    state.tally.tables += 1;
                    state.tally.rooms += u64::from(!kept.mirror.room_code().is_empty());
                    state.tables.insert(table, kept);
                    state.check_code(table)
                };
                self.judge(judged);
            }
            Ok(_) => self.accuse(Invariant::OneLog, format!("{table} opens as another table")),
            Err(how) => self.accuse(Invariant::OneLog, how),
        }
    }

    /// Entries were kept.
    pub fn appended(&self, owner: &str, table: TableId, entries: &[Bytes]) {
        let hash = entries.iter().fold(0, |hash, bytes| hash ^ digest(bytes));
        let permuted_by = self.fate.bytes();
        let now_ms = self.fate.now_ms();
        let judged = self.state().append(owner, table, entries, permuted_by, now_ms);
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

    /// All copies of a table's log are gone: what only they knew is excused.
    pub fn lost(&self, table: TableId) {
        self.fate.note(format_args!("the log of {table} is lost"));
        if let Some(kept) = self.state().tables.get_mut(&table) {
            kept.removed = true;
            kept.lost = true;
        }
    }

    /// Tables that play and are so old that nobody asks again for them to be created.
    pub fn tables_to_lose(&self) -> Vec<TableId> {
        let before_ms = self.fate.now_ms().saturating_sub(LOSABLE_MS);
        let state = self.state();
        let old = |(_, kept): &(&TableId, &Kept)| kept.is_open() && kept.opened_ms < before_ms;
        state.tables.iter().filter(old).map(|(table, _)| *table).collect()
    }

    /// A match has claimed tickets, for the first time or again.
    pub fn claimed_tickets(&self, id: MatchId, tickets: &[TicketId]) {
        self.fate.note(format_args!("match {id} claims {} tickets", tickets.len()));
        let judged = {
            let mut state = self.state();
            state.tally.matches += 1;
            state.claim(id, tickets)
        };
        self.judge(judged);
    }

    /// A match was settled, one way or the other: its tickets are free.
    pub fn settled_tickets(&self, id: MatchId) {
        self.fate.note(format_args!("match {id} is settled"));
        self.state().matches.retain(|_, other| *other != id);
    }

    /// A code that a client asked for at a time, in milliseconds since the run began, has led to a
    /// table.
    pub fn led(&self, code: &str, table: TableId, asked_ms: u64) {
        self.fate.note(format_args!("code {code} leads to {table}"));
        let judged = self.state().lead(code, table, asked_ms);
        self.judge(judged);
    }

    /// A client has a session after its first.
    pub fn resumed(&self, elsewhere: bool) {
        let mut state = self.state();
        state.tally.resumed += 1;
        state.tally.elsewhere += u64::from(elsewhere);
    }

    /// An earlier session was told of a later one.
    pub fn replaced(&self) {
        self.state().tally.replaced += 1;
    }

    /// Tables that a process owns and that are not done.
    pub fn tables_of(&self, owner: &str) -> Vec<TableId> {
        let state = self.state();
        let own = |(_, kept): &(&TableId, &Kept)| !kept.removed && kept.owner == owner;
        state.tables.iter().filter(own).map(|(table, _)| *table).collect()
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

    /// What the player sees of a table around the game.
    pub fn posture(&self, table: TableId, player: PlayerId) -> Option<Posture> {
        self.state().tables.get(&table)?.mirror.posture(Player(*player.as_bytes()))
    }

    /// Whether people may play at the table.
    pub fn is_open(&self, table: TableId) -> bool {
        self.state().tables.get(&table).is_some_and(Kept::is_open)
    }

    /// Whether the table is a private room.
    pub fn is_room(&self, table: TableId) -> bool {
        self.state().tables.get(&table).is_some_and(|kept| !kept.mirror.room_code().is_empty())
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
