//! A table with everything that goes into its log: the part of an actor that is the same whether a
//! step is new or is read again.

use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use parlor_common::TableId;
use parlor_game::entry::{Entry, Link, Opening, decode, encode, link};
use parlor_game::shell::{Chance, Event, Input, Moment, Observer, Settings, Table};
use parlor_game::{Game, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::recorder::Recorder;
use crate::store::Stored;
use crate::wire::envelope::Enveloped;
use crate::wire::table::{Aside, visible};

/// Requests that a table remembers, to answer a repetition without doing it twice.
const REQUESTS_MAX: usize = 256;

/// Identifies a request of a player across repetitions.
pub type RequestKey = [u8; 16];

/// How many updates each viewer has had; what its next one is numbered after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sequences {
    seats: Vec<u64>,
    /// What each seat's number was when its occupant sat down.
    seated: Vec<u64>,
    spectator: u64,
}

impl Sequences {
    /// The number of the viewer's last update.
    #[must_use]
    pub fn of(&self, viewer: Viewer) -> u64 {
        match viewer {
            Viewer::Seat(seat) => self.seats.get(seat.index()).copied().unwrap_or(0),
            Viewer::Spectator | Viewer::Auditor => self.spectator,
        }
    }

    /// Whether a position that a client names was surely counted for these eyes: an occupant may
    /// have watched as a spectator before, in another count.
    #[must_use]
    pub fn counts(&self, viewer: Viewer, position: u64) -> bool {
        match viewer {
            Viewer::Seat(seat) => {
                self.seated.get(seat.index()).is_some_and(|seated| position > *seated)
            }
            Viewer::Spectator | Viewer::Auditor => false,
        }
    }
}

/// A table, the end of its log, and what is derived from the log beside the table itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Core<G: Game> {
    /// The table.
    pub table: Table<G>,
    /// Number of the last entry.
    pub seq: u64,
    /// Time of the last entry, in milliseconds since the Unix epoch.
    pub time_ms: i64,
    /// Hash of the last entry, or of the opening.
    pub head: Link,
    /// Updates by viewer.
    pub sequences: Sequences,
    /// Requests that were carried out lately, oldest first, with the entry of each.
    requests: VecDeque<(RequestKey, u64)>,
    /// Hands as they are written down.
    pub recorder: Recorder,
    /// The version of the game's rules under which the running hand was dealt, and else the next
    /// one is.
    rules_version: u32,
    /// The version has changed since the last snapshot.
    #[serde(skip)]
    new_rules: bool,
    /// W3C trace contexts of the entries that obligations stem from, where they had one. Not worth
    /// a place in snapshots: after a take-over a trace may end at the log.
    #[serde(skip)]
    traces: BTreeMap<u64, String>,
}

/// One step that is folded into a core, and is shown to nobody before it is durable.
#[derive(Debug)]
pub struct Step<E> {
    /// Number of the entry.
    pub seq: u64,
    /// Milliseconds since the Unix epoch.
    pub time_ms: i64,
    /// What happened.
    pub events: Vec<Event<E>>,
    /// What each event needs from the time before it.
    pub asides: Vec<Aside>,
    /// Who is told of it.
    pub shown: Shown,
    /// Updates by viewer after the step.
    pub sequences: Sequences,
    /// The encoded entry; empty when the step was read from the log.
    pub encoded: Bytes,
}

/// Who asks, and since when the trace runs.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Set for requests that a client may repeat.
    pub request: Option<RequestKey>,
    /// W3C trace context; empty: none.
    pub trace: String,
}

impl<G: Enveloped> Core<G> {
    /// A new table and its encoded opening.
    ///
    /// # Errors
    /// The game's or the table's reason when the settings are out of range.
    pub fn open(
        id: TableId,
        settings: Settings<G::Options>,
        request_id: &str,
        now_ms: i64,
    ) -> Result<(Self, Bytes), Refusal> {
        let opening = Opening {
            table_id: *id.as_bytes(),
            game: G::ID.to_owned(),
            rules_version: G::RULES_VERSION,
            opened_ms: now_ms,
            request_id: request_id.to_owned(),
            settings: encode(&settings),
        };
        let bytes = Bytes::from(encode(&opening));
        let table = Table::open(*id.as_bytes(), settings, now_ms)?;
        Ok((Self::at_opening(table, link(&bytes), now_ms), bytes))
    }

    fn at_opening(table: Table<G>, head: Link, time_ms: i64) -> Self {
        let (seats, seated) = (vec![0; table.seats.len()], vec![0; table.seats.len()]);
        Self {
            table,
            seq: 0,
            time_ms,
            head,
            sequences: Sequences { seats, seated, spectator: 0 },
            requests: VecDeque::new(),
            recorder: Recorder::default(),
            rules_version: G::RULES_VERSION,
            new_rules: false,
            traces: BTreeMap::new(),
        }
    }

    /// A table as it was kept.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when the log cannot be read, has a gap, or its chain is broken, and
    /// [`Error::RulesVersion`] when its hand was dealt under rules that this engine does not know.
    pub fn recover(opening: &Opening, stored: &Stored) -> Result<Self, Error> {
        let mut core = match &stored.snapshot {
            Some((_, snapshot)) => decode::<Self>(snapshot)?,
            None => {
                let settings = decode::<Settings<G::Options>>(&opening.settings)?;
                let table = Table::open(opening.table_id, settings, opening.opened_ms)
                    .map_err(|_| Error::Unreadable)?;
                let core = Self::at_opening(table, link(&stored.opening), opening.opened_ms);
                Self { rules_version: opening.rules_version, ..core }
            }
        };
        for bytes in &stored.tail {
            core.replay(bytes)?;
        }
        core.pin_rules()?;
        Ok(core)
    }

    /// A hand is played to its end under the rules that it was dealt under; the next one is under
    /// those of this engine.
    fn pin_rules(&mut self) -> Result<(), Error> {
        let version = self.rules_version;
        // An engine knows of its past, not of its future.
        let newer = version < G::RULES_VERSION && self.table.hand.is_none();
        if version != G::RULES_VERSION && !newer {
            return Err(Error::RulesVersion { version });
        }
        self.rules_version = G::RULES_VERSION;
        self.new_rules = version != G::RULES_VERSION;
        Ok(())
    }

    /// Whether the rules have changed since the table was last written.
    #[must_use]
    pub const fn is_under_new_rules(&self) -> bool {
        self.new_rules
    }

    /// Reads the next entry of the log.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when it is not the next one, or cannot be read.
    pub fn replay(&mut self, bytes: &Bytes) -> Result<(), Error> {
        let entry = decode::<Entry>(bytes)?;
        if entry.seq != self.seq + 1 || entry.previous != self.head {
            return Err(Error::Unreadable);
        }
        let input = decode::<Input<G::Command>>(&entry.input)?;
        let events = decode::<Vec<Event<G::Event>>>(&entry.events)?;
        let owed = self.last_obligation();
        self.recorder.begin(&self.table, &input, entry.time_ms);
        let mut witness = Witness {
            asides: Vec::new(),
            sequences: &mut self.sequences,
            recorder: &mut self.recorder,
            shown: Shown::default(),
        };
        self.table.take_notice(&events, &mut witness);
        self.recorder.end(&self.table);
        self.keep_trace(owed, &entry.trace);
        self.advance(&entry, link(bytes));
        Ok(())
    }

    /// The entry in which a request was carried out already.
    #[must_use]
    pub fn repeated(&self, request: &RequestKey) -> Option<u64> {
        self.requests.iter().rev().find(|(key, _)| key == request).map(|(_, seq)| *seq)
    }

    /// Deals with an input; `None` when there was nothing to do.
    ///
    /// # Errors
    /// The stable reason for which the input is refused; nothing has changed.
    pub fn step(
        &mut self,
        input: &Input<G::Command>,
        origin: Origin,
        epoch: u64,
        now_ms: i64,
        chance: &mut dyn Chance,
    ) -> Result<Option<Step<G::Event>>, Refusal> {
        let time_ms = now_ms.max(self.time_ms);
        let mut moment = Moment { now_ms: time_ms, chance };
        let owed = self.last_obligation();
        self.recorder.begin(&self.table, input, time_ms);
        let mut witness = Witness {
            asides: Vec::new(),
            sequences: &mut self.sequences,
            recorder: &mut self.recorder,
            shown: Shown::default(),
        };
        let stepped = self.table.step(input, &mut moment, &mut witness);
        let (asides, shown) = (witness.asides, witness.shown);
        self.recorder.end(&self.table);
        let events = stepped?;
        if events.is_empty() && origin.request.is_none() {
            return Ok(None);
        }
        let entry = Entry {
            seq: self.seq + 1,
            time_ms,
            epoch,
            request: origin.request,
            trace: origin.trace,
            input: encode(input),
            events: encode(&events),
            previous: self.head,
        };
        let encoded = Bytes::from(encode(&entry));
        self.keep_trace(owed, &entry.trace);
        self.advance(&entry, link(&encoded));
        let sequences = self.sequences.clone();
        Ok(Some(Step { seq: self.seq, time_ms, events, asides, shown, sequences, encoded }))
    }

    /// The trace that an obligation stems from; empty: none.
    #[must_use]
    pub fn trace_of(&self, obligation: u64) -> &str {
        self.traces.get(&obligation).map_or("", String::as_str)
    }

    /// Number of the last obligation that is open; 0: none.
    fn last_obligation(&self) -> u64 {
        self.table.obligations.back().map_or(0, |last| last.id)
    }

    /// Keeps an entry's trace for the obligations after `owed`, and forgets those of the met ones.
    fn keep_trace(&mut self, owed: u64, trace: &str) {
        let obligations = &self.table.obligations;
        if !self.traces.is_empty() {
            let first = obligations.front().map_or(u64::MAX, |first| first.id);
            self.traces.retain(|id, _| *id >= first);
        }
        if !trace.is_empty() {
            let new = obligations.iter().rev().take_while(|obligation| obligation.id > owed);
            self.traces.extend(new.map(|obligation| (obligation.id, trace.to_owned())));
        }
    }

    fn advance(&mut self, entry: &Entry, head: Link) {
        self.seq = entry.seq;
        self.time_ms = entry.time_ms;
        self.head = head;
        if let Some(request) = entry.request {
            if self.requests.len() == REQUESTS_MAX {
                self.requests.pop_front();
            }
            self.requests.push_back((request, entry.seq));
        }
    }
}

/// Which viewers are told of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// A bit a seat; tables have far fewer than 64.
    seats: u64,
    spectator: bool,
}

impl Shown {
    /// Whether the viewer is told.
    #[must_use]
    pub fn to(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.seats & bit(seat.0) != 0,
            Viewer::Spectator | Viewer::Auditor => self.spectator,
        }
    }
}

const fn bit(seat: u8) -> u64 {
    1 << (seat & 63)
}

/// Looks on while a step is folded in: counts updates, keeps asides, writes hands down.
struct Witness<'a> {
    asides: Vec<Aside>,
    sequences: &'a mut Sequences,
    recorder: &'a mut Recorder,
    shown: Shown,
}

impl<G: Enveloped> Observer<G> for Witness<'_> {
    fn observe(&mut self, before: &Table<G>, event: &Event<G::Event>) {
        self.recorder.observe(before, event);
        self.asides.push(Aside::before(before, event));
        for (sequence, seat) in self.sequences.seats.iter_mut().zip(0_u8..) {
            let told = self.shown.seats & bit(seat) != 0;
            if !told && visible::<G>(event, Viewer::Seat(Seat(seat))) {
                self.shown.seats |= bit(seat);
                *sequence += 1;
            }
        }
        if let Event::Sat { seat, .. } = event
            && let Some(seated) = self.sequences.seated.get_mut(seat.index())
        {
            // Sitting down is shown to everybody, so the number counts it already.
            *seated = self.sequences.seats.get(seat.index()).copied().unwrap_or(0);
        }
        if !self.shown.spectator && visible::<G>(event, Viewer::Spectator) {
            self.shown.spectator = true;
            self.sequences.spectator += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use parlor_blackjack::{Blackjack, Options};
    use parlor_game::shell::{Admission, Pacing, Player, Reservation, Stakes};

    use super::*;
    use crate::chance::OsChance;
    use crate::store::NOBODY;

    const PLAYER: Player = Player([1; 16]);

    fn settings() -> Settings<Options> {
        let admission =
            Admission { fill_with_bots: true, always_ready: true, ..Admission::default() };
        Settings {
            options: Options::default(),
            stakes: Stakes::Points,
            seats: 4,
            admission,
            pacing: Pacing::default(),
            hands_limit: 0,
            room_code: String::new(),
        }
    }

    /// A table that was opened under this version of the rules, and its log.
    fn written(version: u32, until: impl Fn(&Table<Blackjack>) -> bool) -> Stored {
        let opened = Core::<Blackjack>::open(TableId::random(), settings(), "r", 0);
        let (core, opening) = opened.unwrap();
        let opening = Opening { rules_version: version, ..decode(&opening).unwrap() };
        let opening = Bytes::from(encode(&opening));
        let mut core = Core::at_opening(core.table, link(&opening), 0);
        let reservation =
            Reservation { player: PLAYER, name: "One".into(), seat: None, host: true };
        let reserve = Input::Reserve(vec![reservation]);
        let arrive = Input::Connection { player: PLAYER, connected: true };
        let (mut tail, mut now_ms) = (Vec::new(), 1_000);
        for input in [reserve, arrive].into_iter().chain(std::iter::repeat(Input::Tick)) {
            let mut chance = OsChance { daily: None };
            let step = core.step(&input, Origin::default(), 1, now_ms, &mut chance).unwrap();
            tail.extend(step.map(|step| step.encoded));
            if until(&core.table) {
                break;
            }
            now_ms = now_ms.max(core.table.next_deadline().unwrap());
        }
        Stored { opening, epoch: 1, owner: NOBODY, snapshot: None, tail }
    }

    fn read(stored: &Stored) -> Result<Core<Blackjack>, Error> {
        Core::recover(&decode(&stored.opening).unwrap(), stored)
    }

    #[test]
    fn a_table_between_hands_goes_on_under_newer_rules() {
        let past = Blackjack::RULES_VERSION - 1;
        let stored = written(past, |table| table.seat_of(PLAYER).is_some());
        let core = read(&stored).unwrap();
        assert!(core.is_under_new_rules());
        // What follows is read under the new version, also in a hand.
        let bytes = Bytes::from(encode(&core));
        let stored = Stored { snapshot: Some((core.seq, bytes)), tail: Vec::new(), ..stored };
        assert!(!read(&stored).unwrap().is_under_new_rules());
        let stored = written(Blackjack::RULES_VERSION, |table| table.hand.is_some());
        assert!(!read(&stored).unwrap().is_under_new_rules());
    }

    #[test]
    fn a_hand_is_not_read_under_other_rules() {
        let past = Blackjack::RULES_VERSION - 1;
        let stored = written(past, |table| table.hand.is_some());
        assert!(matches!(read(&stored), Err(Error::RulesVersion { version }) if version == past));
    }

    #[test]
    fn a_table_of_a_newer_engine_is_not_read() {
        let future = Blackjack::RULES_VERSION + 1;
        let stored = written(future, |table| table.seat_of(PLAYER).is_some());
        let read = read(&stored);
        assert!(matches!(read, Err(Error::RulesVersion { version }) if version == future));
    }
}
