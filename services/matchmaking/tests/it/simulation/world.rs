//! The table service of the simulation: requests travel, get lost and arrive late.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use parlor_common::{Clock, Code, Failure, PlayerId, TableId};
use parlor_matchmaking::Error;
use parlor_matchmaking::room::RoomCode;
use parlor_matchmaking::tables::{CreateError, CreatedTable, NewTable, Seats, Tables, Whereabouts};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::stepping::step;

/// How long a seat is reserved, as the table service does it.
const RESERVED_MS: i64 = 15_000;

/// How long a request may travel before it arrives or is lost for good.
const TRAVELS_MS: i64 = 2_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    Reserved { until_ms: i64 },
    Sits,
}

#[derive(Debug)]
struct Table {
    seats: BTreeMap<u32, (PlayerId, Hold)>,
    number_of_seats: u32,
    code: String,
    host: Option<PlayerId>,
    hand_no: u64,
}

#[derive(Debug)]
struct Travelling {
    request: NewTable,
    lost_at_ms: i64,
}

/// What the table service knows, and what travels towards it.
#[derive(Debug)]
pub struct State {
    random: ChaCha20Rng,
    tables: BTreeMap<TableId, Table>,
    by_request: BTreeMap<String, CreatedTable>,
    travelling: BTreeMap<u64, Travelling>,
    next_request: u64,
    /// Whether calls fail.
    pub unreliable: bool,
    /// How many tables were created.
    pub created: usize,
    /// How many came too late and were closed.
    pub withdrawn: usize,
}

/// The table service.
#[derive(Clone, Debug)]
pub struct World {
    state: Arc<Mutex<State>>,
    clock: Clock,
}

impl World {
    pub fn new(seed: u64, clock: Clock) -> Self {
        let state = State {
            random: ChaCha20Rng::seed_from_u64(seed),
            tables: BTreeMap::new(),
            by_request: BTreeMap::new(),
            travelling: BTreeMap::new(),
            next_request: 0,
            unreliable: true,
            created: 0,
            withdrawn: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), clock }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Delivers some of the requests that travel, though nobody may wait for their answers any
    /// more, and lets reservations lapse.
    pub fn tick(&self) {
        let now_ms = self.clock.now_ms();
        let mut state = self.state();
        let waiting: Vec<u64> = state.travelling.keys().copied().collect();
        for id in waiting {
            if state.random.random_bool(0.08) {
                state.deliver(id, now_ms);
            }
        }
        state.travelling.retain(|_, request| request.lost_at_ms > now_ms);
        for table in state.tables.values_mut() {
            table.seats.retain(
                |_, (_, hold)| !matches!(hold, Hold::Reserved { until_ms } if *until_ms <= now_ms),
            );
        }
        state.tables.retain(|_, table| !table.seats.is_empty());
    }

    /// A player sits down where it was told to; false when the reservation has lapsed.
    pub fn sit(&self, player: PlayerId, table: TableId, seat: u32) -> bool {
        let mut state = self.state();
        let reserved = state.tables.get_mut(&table).and_then(|table| table.seats.get_mut(&seat));
        match reserved {
            Some((reserved_for, hold)) if *reserved_for == player => {
                *hold = Hold::Sits;
                true
            }
            _ => false,
        }
    }

    /// A hand begins wherever the player sits or is expected, who stays.
    pub fn deal_to(&self, player: PlayerId) {
        for table in self.state().tables.values_mut() {
            for (seated, hold) in table.seats.values_mut() {
                if *seated == player {
                    *hold = Hold::Sits;
                    table.hand_no += 1;
                }
            }
        }
    }

    /// A player leaves every table.
    pub fn stand_up(&self, player: PlayerId) {
        for table in self.state().tables.values_mut() {
            table.seats.retain(|_, (seated, _)| *seated != player);
        }
    }

    /// Everybody who sits or is expected, with the table.
    pub fn seated(&self) -> Vec<(PlayerId, TableId)> {
        let state = self.state();
        let at = |(id, table): (&TableId, &Table)| {
            let players: Vec<_> = table.seats.values().map(|(player, _)| (*player, *id)).collect();
            players
        };
        state.tables.iter().flat_map(at).collect()
    }

    fn chance(&self, probability: f64) -> bool {
        let mut state = self.state();
        state.unreliable && state.random.random_bool(probability)
    }
}

impl State {
    /// The request arrives: the same one twice finds the same table.
    fn deliver(&mut self, id: u64, now_ms: i64) -> Option<CreatedTable> {
        let Travelling { request, .. } = self.travelling.remove(&id)?;
        if let Some(earlier) = self.by_request.get(&request.request_id) {
            return Some(earlier.clone());
        }
        let hold = Hold::Reserved { until_ms: now_ms + RESERVED_MS };
        let players = request.players.iter().map(|member| (member.player, hold));
        let seats: BTreeMap<u32, (PlayerId, Hold)> = (0..).zip(players).collect();
        let created =
            CreatedTable { table: TableId::random(), seats: seats.keys().copied().collect() };
        let (code, host) = (request.settings.room_code, request.host);
        let table = Table { seats, number_of_seats: 4, code, host, hand_no: 0 };
        self.tables.insert(created.table, table);
        self.by_request.insert(request.request_id, created.clone());
        self.created += 1;
        Some(created)
    }
}

#[async_trait]
impl Tables for World {
    async fn create(&self, table: NewTable) -> Result<CreatedTable, CreateError> {
        step().await;
        if self.chance(0.1) {
            let full = Failure::new(Code::Exhausted, "TOO_MANY_TABLES", "the pod is full");
            return Err(CreateError::Refused(full));
        }
        let id = {
            let mut state = self.state();
            let id = state.next_request;
            state.next_request += 1;
            let lost_at_ms = self.clock.now_ms() + TRAVELS_MS;
            state.travelling.insert(id, Travelling { request: table.clone(), lost_at_ms });
            id
        };
        step().await;
        let unknown = Failure::new(Code::Unavailable, "SERVICE_UNAVAILABLE", "no answer");
        if self.chance(0.25) {
            return Err(CreateError::Unknown(unknown));
        }
        let delivered = {
            let now_ms = self.clock.now_ms();
            let mut state = self.state();
            let delivered = state.deliver(id, now_ms);
            // It may have arrived by itself already.
            delivered.or_else(|| state.by_request.get(&table.request_id).cloned())
        };
        step().await;
        match delivered {
            Some(created) if !self.chance(0.1) => Ok(created),
            _ => Err(CreateError::Unknown(unknown)),
        }
    }

    async fn whereabouts(&self, player: PlayerId) -> Whereabouts {
        step().await;
        if self.chance(0.05) {
            return Whereabouts { silent: 1, ..Whereabouts::default() };
        }
        let with = |(seated, table): (PlayerId, TableId)| (seated == player).then_some(table);
        let tables = self.seated().into_iter().filter_map(with).collect();
        step().await;
        Whereabouts { tables, answered: 1, silent: 0 }
    }

    async fn seats(&self, table: TableId) -> Result<Option<Seats>, Failure> {
        step().await;
        if self.chance(0.05) {
            return Err(Failure::new(Code::Unavailable, "SERVICE_UNAVAILABLE", "no answer"));
        }
        let state = self.state();
        Ok(state.tables.get(&table).map(|table| Seats {
            taken: table.seats.iter().map(|(seat, (player, _))| (*player, *seat)).collect(),
            free: table.number_of_seats.saturating_sub(table.seats.len() as u32),
            host: table.host,
            hand_no: table.hand_no,
        }))
    }

    async fn close(&self, table: TableId, _reason: &'static str) -> Result<(), Failure> {
        step().await;
        let mut state = self.state();
        if let Some(table) = state.tables.get_mut(&table) {
            table.seats.clear();
            state.withdrawn += 1;
        }
        Ok(())
    }

    async fn with_code(&self, code: RoomCode) -> Result<Option<TableId>, Error> {
        step().await;
        let code = code.to_string();
        let state = self.state();
        Ok(state.tables.iter().find(|(_, table)| table.code == code).map(|(id, _)| *id))
    }
}
