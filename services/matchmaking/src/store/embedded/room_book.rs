//! Codes of rooms in memory.

use std::collections::{BTreeSet, HashMap};

use parlor_common::{PlayerId, TableId};

use crate::ids::RequestId;
use crate::room::RoomCode;
use crate::store::{Attempt, AttemptLimit, NewRoom, Opened, Room};

/// Players whose tries are counted; beyond it, those whose window is over are forgotten.
const COUNTED_PLAYERS: usize = 65_536;

/// Codes that are freed in one step, so that no step is long.
const FREED_AT_ONCE: usize = 64;

#[derive(Debug)]
struct Entry {
    /// Absent when the room was learnt from its table.
    request: Option<(PlayerId, RequestId)>,
    /// Absent while the table is being created.
    table: Option<(TableId, u32)>,
    until_ms: i64,
}

/// Codes of rooms. Each method is one step of [`crate::store::RoomStore`].
#[derive(Debug, Default)]
pub(super) struct RoomBook {
    codes: HashMap<RoomCode, Entry>,
    requests: HashMap<(PlayerId, RequestId), RoomCode>,
    ends: BTreeSet<(i64, RoomCode)>,
    /// End of the window and tries in it.
    attempts: HashMap<PlayerId, (i64, u32)>,
}

impl RoomBook {
    pub(super) fn open(&mut self, room: &NewRoom, now_ms: i64) -> Opened {
        self.free_ended(now_ms);
        let request = (room.host, room.request.clone());
        if let Some(&code) = self.requests.get(&request)
            && let Some(entry) = self.live(code, now_ms)
        {
            return match entry.table {
                Some((table, seat)) => Opened::Repeated(Room { code, table, seat }),
                // The answer of this very try may have been lost.
                None if code == room.code && entry.until_ms == room.until_ms => Opened::Done,
                None => Opened::Pending,
            };
        }
        if self.live(room.code, now_ms).is_some() {
            return Opened::CodeTaken;
        }
        self.insert(room.code, Some(request), None, room.until_ms);
        Opened::Done
    }

    pub(super) fn bind(
        &mut self,
        room: &NewRoom,
        table: TableId,
        seat: u32,
        until_ms: i64,
    ) -> bool {
        let Some(entry) = self.held_by(room) else { return false };
        match entry.table {
            Some(bound) => bound == (table, seat),
            None => {
                let request = entry.request.clone();
                self.insert(room.code, request, Some((table, seat)), until_ms);
                true
            }
        }
    }

    pub(super) fn abandon(&mut self, room: &NewRoom) {
        if self.held_by(room).is_some_and(|entry| entry.table.is_none()) {
            self.remove(room.code);
        }
    }

    pub(super) fn learn(&mut self, code: RoomCode, table: TableId, now_ms: i64, until_ms: i64) {
        self.free_ended(now_ms);
        if self.live(code, now_ms).is_none() {
            self.insert(code, None, Some((table, 0)), until_ms);
        }
    }

    pub(super) fn table(&self, code: RoomCode, now_ms: i64) -> Option<TableId> {
        self.live(code, now_ms).and_then(|entry| entry.table).map(|(table, _)| table)
    }

    pub(super) fn close(&mut self, code: RoomCode, table: TableId) {
        let bound = self.codes.get(&code).and_then(|entry| entry.table);
        if bound.is_some_and(|(bound, _)| bound == table) {
            self.remove(code);
        }
    }

    pub(super) fn attempt(
        &mut self,
        player: PlayerId,
        limit: AttemptLimit,
        now_ms: i64,
    ) -> Attempt {
        if self.attempts.len() >= COUNTED_PLAYERS && !self.attempts.contains_key(&player) {
            self.attempts.retain(|_, (end_ms, _)| *end_ms > now_ms);
            if self.attempts.len() >= COUNTED_PLAYERS {
                return Attempt::Wait { retry_after_ms: u64::from(limit.window_ms.max(1)) };
            }
        }
        let (end_ms, count) = self.attempts.entry(player).or_insert((i64::MIN, 0));
        if *end_ms <= now_ms {
            (*end_ms, *count) = (now_ms.saturating_add(i64::from(limit.window_ms)), 0);
        }
        if *count >= limit.attempts {
            let wait_ms = end_ms.saturating_sub(now_ms).max(1);
            return Attempt::Wait { retry_after_ms: u64::try_from(wait_ms).unwrap_or(1) };
        }
        *count += 1;
        Attempt::Allowed
    }

    fn live(&self, code: RoomCode, now_ms: i64) -> Option<&Entry> {
        self.codes.get(&code).filter(|entry| entry.until_ms > now_ms)
    }

    fn held_by(&self, room: &NewRoom) -> Option<&Entry> {
        let request = Some((room.host, room.request.clone()));
        self.codes.get(&room.code).filter(|entry| entry.request == request)
    }

    fn insert(
        &mut self,
        code: RoomCode,
        request: Option<(PlayerId, RequestId)>,
        table: Option<(TableId, u32)>,
        until_ms: i64,
    ) {
        self.remove(code);
        self.requests.extend(request.clone().map(|request| (request, code)));
        self.ends.insert((until_ms, code));
        self.codes.insert(code, Entry { request, table, until_ms });
    }

    fn remove(&mut self, code: RoomCode) {
        let Some(entry) = self.codes.remove(&code) else { return };
        self.ends.remove(&(entry.until_ms, code));
        if let Some(request) = entry.request
            && self.requests.get(&request) == Some(&code)
        {
            self.requests.remove(&request);
        }
    }

    fn free_ended(&mut self, now_ms: i64) {
        for _ in 0..FREED_AT_ONCE {
            match self.ends.first() {
                Some(&(until_ms, code)) if until_ms <= now_ms => self.remove(code),
                _ => return,
            }
        }
    }
}
