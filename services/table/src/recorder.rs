//! Writes down a hand as it is played, for history, replay and verification.
//!
//! A [`Recorder`] looks on while a table changes, so it sees the same whether a step is new or is
//! read again from the log after a take-over.

use std::collections::BTreeMap;

use bytes::Bytes;
use parlor_common::{HandId, PlayerId, TableId};
use parlor_game::entry::{decode, encode};
use parlor_game::fair::SHARED_TABLE;
use parlor_game::shell::{Event, Hand, Input, Stakes, Table};
use parlor_game::{Entrant, Game, HandResult, Party};
use parlor_proto::settlement::v1 as pb;
use prost::Message;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::wire::envelope::Enveloped;

/// One step of the running hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Step {
    time_ms: i64,
    seat: Option<u8>,
    command: ByteBuf,
    /// Encoded events of the game.
    events: Vec<ByteBuf>,
}

/// Writes down the running hand, and keeps finished ones until they are posted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorder {
    /// The match before the deal, encoded.
    before: ByteBuf,
    steps: Vec<Step>,
    /// Finished hands by number, as serialized `HandRecord`s.
    finished: BTreeMap<u64, ByteBuf>,
}

impl Recorder {
    /// A finished hand that is not posted yet.
    #[must_use]
    pub fn finished(&self, number: u64) -> Option<&[u8]> {
        self.finished.get(&number).map(|record| record.as_slice())
    }

    /// Begins a step of the table: events that follow belong to it.
    pub fn begin<G: Game>(&mut self, table: &Table<G>, input: &Input<G::Command>, time_ms: i64) {
        let (seat, command) = match input {
            Input::Player(player, parlor_game::shell::Command::Play(command)) => {
                (table.seat_of(*player), encode(command))
            }
            _ => (None, Vec::new()),
        };
        let seat = seat.map(|seat| seat.0);
        let command = ByteBuf::from(command);
        self.steps.push(Step { time_ms, seat, command, events: Vec::new() });
    }

    /// Ends a step: one that did nothing to a hand is forgotten.
    pub fn end<G: Game>(&mut self, table: &Table<G>) {
        if table.hand.is_none() {
            self.steps.clear();
        } else if self.steps.last().is_some_and(|step| step.events.is_empty()) {
            self.steps.pop();
        }
    }

    /// Looks at an event just before it is folded into the table.
    pub fn observe<G: Enveloped>(&mut self, table: &Table<G>, event: &Event<G::Event>) {
        match event {
            Event::HandStarted { .. } => self.before = encode(&table.game).into(),
            Event::Play(event) => {
                if let Some(step) = self.steps.last_mut() {
                    step.events.push(encode(event).into());
                }
            }
            Event::HandEnded { time_ms, .. } => {
                if let Some(hand) = &table.hand {
                    let record = self.record(table, hand, *time_ms).encode_to_vec();
                    self.finished.insert(hand.number, record.into());
                }
                self.steps.clear();
            }
            Event::HandVoided { .. } => self.steps.clear(),
            Event::ObligationMet(id) => self.forget(table, *id),
            _ => {}
        }
    }

    fn forget<G: Game>(&mut self, table: &Table<G>, id: u64) {
        let met = table.obligations.iter().find(|obligation| obligation.id == id);
        if let Some(parlor_game::shell::Duty::PostHand { hand, .. }) = met.map(|met| &met.duty) {
            self.finished.remove(hand);
        }
    }

    /// Where the run ended: the last step of a hand says so.
    fn run<G: Enveloped>(&self) -> Option<pb::RunOutcome> {
        let events = self.steps.last()?.events.iter().rev();
        let mut events = events.filter_map(|bytes| decode::<G::Event>(bytes).ok());
        events.find_map(|event| G::run_to(&event))
    }

    fn record<G: Enveloped>(&self, table: &Table<G>, hand: &Hand, ended_ms: i64) -> pb::HandRecord {
        let table_id = TableId::from_bytes(table.id);
        let result = hand.result.clone().unwrap_or_default();
        let options = G::seal_options(G::options_to(&table.settings.options));
        let seat = |entrant: &Entrant| seat_to(table, entrant, &result);
        pb::HandRecord {
            hand_id: HandId { table: table_id, number: hand.number }.to_string(),
            table_id: table_id.to_string(),
            hand_no: hand.number,
            game: G::ID.to_owned(),
            rules_version: G::RULES_VERSION,
            started_ms: hand.started_ms,
            ended_ms,
            seats: hand.entrants.iter().map(seat).collect(),
            fairness: fairness_to(table, hand),
            options: options.encode_to_vec().into(),
            steps: self.steps.iter().map(step_to::<G>).collect(),
            stake_mode: match table.settings.stakes {
                Stakes::Chips { .. } => "chips".to_owned(),
                Stakes::Points => "points".to_owned(),
            },
            run: self.run::<G>(),
            state_before: bytes(&self.before),
        }
    }
}

fn seat_to<G: Game>(table: &Table<G>, entrant: &Entrant, result: &HandResult) -> pb::HandSeat {
    let occupant = table.occupant(entrant.seat);
    pb::HandSeat {
        seat: entrant.seat.0.into(),
        player_id: occupant
            .map(|occupant| PlayerId::from_bytes(occupant.player.0).to_string())
            .unwrap_or_default(),
        name: occupant.map(|occupant| occupant.name.clone()).unwrap_or_default(),
        bot: occupant.is_some_and(|occupant| occupant.bot),
        stack_before: occupant.map_or(0, |occupant| occupant.stack.0),
        change: result.net(Party::Seat(entrant.seat)).0,
    }
}

fn fairness_to<G: Game>(table: &Table<G>, hand: &Hand) -> Option<pb::HandFairness> {
    let seeds = table.unrevealed.iter().find(|seeds| seeds.hand == hand.number)?;
    let commitment = seeds.server.commitment().0.to_vec().into();
    if table.shares_deal() {
        let (server_seed, client_seeds) = (Bytes::new(), Vec::new());
        let table_id = SHARED_TABLE.to_vec().into();
        return Some(pb::HandFairness { commitment, server_seed, client_seeds, table_id });
    }
    let revealed = if hand.reveals { seeds.server.0.to_vec() } else { Vec::new() };
    Some(pb::HandFairness {
        commitment,
        server_seed: revealed.into(),
        client_seeds: seeds.clients.iter().map(|seed| seed.clone().into()).collect(),
        table_id: table.id.to_vec().into(),
    })
}

fn step_to<G: Enveloped>(step: &Step) -> pb::HandStep {
    let message = |bytes: &ByteBuf| -> Bytes {
        decode::<G::Event>(bytes)
            .map(|event| G::seal_event(G::event_to(&event)).encode_to_vec().into())
            .unwrap_or_default()
    };
    pb::HandStep {
        time_ms: step.time_ms,
        seat: step.seat.map(u32::from),
        command: bytes(&step.command),
        events: step.events.iter().map(bytes).collect(),
        messages: step.events.iter().map(message).collect(),
    }
}

fn bytes(buffer: &ByteBuf) -> Bytes {
    Bytes::copy_from_slice(buffer)
}
