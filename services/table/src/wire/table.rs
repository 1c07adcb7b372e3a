//! The table around a game in the words of `parlor.table.v1`.

use parlor_common::{HandId, PlayerId, TableId};
use parlor_game::shell::{
    Event, Occupant, Phase, Player, SeatClock, Seeds, Stakes, Table, Tenure, Vote,
};
use parlor_game::{Amount, Game, Seat, Viewer};
use parlor_proto::table::v1 as pb;

use super::envelope::Enveloped;
use super::result::result_to;

/// Whether a viewer may know that an event happened at all. Steps without such an event are not
/// counted in the viewer's updates.
#[must_use]
pub fn visible<G: Game>(event: &Event<G::Event>, viewer: Viewer) -> bool {
    let own = |seat: Seat, secret: bool| {
        !secret || viewer == Viewer::Seat(seat) || viewer == Viewer::Auditor
    };
    match event {
        Event::Play(event) => G::redact(event, viewer).is_some(),
        Event::ClockStarted(clock) => own(clock.seat, clock.secret),
        Event::ClockStopped(seat, secret) | Event::TimedOut(seat, secret) => own(*seat, *secret),
        Event::Attended(_)
        | Event::SystemClockSet(_)
        | Event::StartSet(_)
        | Event::StartBlocked(_) => viewer == Viewer::Auditor,
        Event::ObligationMet(_) => viewer == Viewer::Auditor,
        _ => true,
    }
}

/// The viewer's whole view of a table.
#[must_use]
pub fn view_to<G: Enveloped>(table: &Table<G>, viewer: Viewer, spectators: u32) -> pb::TableView {
    let occupant = matches!(viewer, Viewer::Seat(_) | Viewer::Auditor);
    let table_id = TableId::from_bytes(table.id);
    pb::TableView {
        table_id: table_id.to_string(),
        game: G::ID.to_owned(),
        options: Some(G::seal_options(G::options_to(&table.settings.options))),
        phase: phase_to(table.phase).into(),
        paused: table.paused,
        stake_mode: stake_mode_to(table.settings.stakes).into(),
        buy_in: match table.settings.stakes {
            Stakes::Chips { buy_in } => buy_in.0,
            Stakes::Points => 0,
        },
        seats: (0..table.settings.seats).map(|seat| seat_to(table, Seat(seat))).collect(),
        own_seat: match viewer {
            Viewer::Seat(seat) => Some(seat.0.into()),
            _ => None,
        },
        hand_no: table.hands_started,
        clocks: clocks_to(table, viewer),
        vote: table.vote.as_ref().map(vote_to),
        fair: Some(fair_to(table)),
        view: (table.hands_started > 0)
            .then(|| G::seal_view(G::view_to(&G::view(&table.game, viewer)))),
        room_code: if occupant { table.settings.room_code.clone() } else { String::new() },
        spectators,
        bots_allowed: table.settings.admission.bots_allowed,
        last_hand_id: match table.last_finished {
            0 => String::new(),
            number => hand_id(table, number),
        },
    }
}

/// The clocks that a viewer may know of.
#[must_use]
pub fn clocks_to<G: Game>(table: &Table<G>, viewer: Viewer) -> Vec<pb::Clock> {
    let mine = |clock: &&SeatClock| !clock.secret || viewer == Viewer::Seat(clock.seat);
    let clock_to = |clock: &SeatClock| pb::Clock {
        seat: clock.seat.0.into(),
        deadline_ms: clock.deadline_ms,
        time_bank_ms: clock.bank_ms,
    };
    table.clocks.iter().filter(mine).map(clock_to).collect()
}

/// One seat; whatever happened to it, this is its new state.
#[must_use]
pub fn seat_to<G: Game>(table: &Table<G>, seat: Seat) -> pb::SeatView {
    let empty = pb::SeatView {
        seat: seat.0.into(),
        occupant: pb::Occupant::Empty.into(),
        ..pb::SeatView::default()
    };
    let Some(occupant) = table.occupant(seat) else { return empty };
    pb::SeatView {
        occupant: occupant_to(occupant).into(),
        player_id: player_id(occupant.player),
        name: occupant.name.clone(),
        stack: occupant.stack.0,
        ready: occupant.ready,
        connected: occupant.away_since_ms.is_none() && seated(occupant),
        sitting_out: occupant.sitting_out,
        auto_play: occupant.auto_play,
        leaving: occupant.leaving,
        time_bank_ms: occupant.time_bank_ms,
        host: occupant.host,
        ..empty
    }
}

/// What a table must know of the hand that an event speaks of, before the event is folded in.
#[derive(Debug, Default)]
pub struct Aside {
    /// Seeds that the event reveals.
    pub seeds: Vec<Seeds>,
    /// The money of the hand that the event ends.
    pub result: Option<parlor_game::HandResult>,
    /// The player whose buy-in the event refuses.
    pub player: Option<Player>,
}

impl Aside {
    /// Looks at a table just before `event`.
    #[must_use]
    pub fn before<G: Game>(table: &Table<G>, event: &Event<G::Event>) -> Self {
        match event {
            Event::SeedsRevealed => Self { seeds: table.unrevealed.clone(), ..Self::default() },
            Event::HandEnded { .. } => Self {
                result: table.hand.as_ref().and_then(|hand| hand.result.clone()),
                ..Self::default()
            },
            Event::Unfunded { seat, .. } => Self {
                player: table.occupant(*seat).map(|occupant| occupant.player),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

/// The messages of an event for a viewer; empty when it has nothing to tell.
///
/// `table` is the table after the whole step, so a seat is told in its newest state.
#[must_use]
pub fn event_to<G: Enveloped>(
    table: &Table<G>,
    event: &Event<G::Event>,
    aside: &Aside,
    viewer: Viewer,
) -> Vec<pb::table_event::Event> {
    use pb::table_event::Event as Out;
    if !visible::<G>(event, viewer) {
        return Vec::new();
    }
    let told = match event {
        Event::Play(event) => match G::redact(event, viewer) {
            Some(event) => Out::Play(G::seal_event(G::event_to(&event))),
            None => return Vec::new(),
        },
        Event::HandStarted { number, entrants, .. } => Out::HandStarted(pb::HandStarted {
            hand_no: *number,
            seats: entrants.iter().map(|entrant| entrant.seat.0.into()).collect(),
            hand_id: hand_id(table, *number),
        }),
        Event::HandEnded { number, .. } => Out::HandEnded(pb::HandEnded {
            hand_no: *number,
            hand_id: hand_id(table, *number),
            result: aside.result.as_ref().map(result_to),
        }),
        Event::SeedDrawn(seed) => {
            let commitment = seed.commitment().0.to_vec().into();
            Out::SeedCommitted(pb::SeedCommitted { commitment })
        }
        Event::SeedsRevealed => return aside.seeds.iter().map(revealed_to).collect(),
        Event::Emoted(seat, emote, _) => {
            Out::Emote(pb::EmoteShown { seat: seat.0.into(), emote: (*emote).into() })
        }
        Event::Chatted(seat, sentence, _) => {
            Out::QuickChat(pb::QuickChatSaid { seat: seat.0.into(), sentence: (*sentence).into() })
        }
        Event::VoteOpened(..) | Event::VoteAgreed(_) | Event::VoteClosed => {
            Out::Vote(pb::VoteChanged { vote: table.vote.as_ref().map(vote_to) })
        }
        Event::Paused(paused) => Out::Paused(pb::Paused { paused: *paused }),
        Event::MatchEnded => Out::MatchEnded(pb::MatchEnded { scores: scores_to(table) }),
        Event::Closed(reason) => Out::Closed(pb::TableClosed { reason: reason.clone() }),
        Event::ClockStarted(_) | Event::ClockStopped(..) => {
            Out::Clocks(pb::ClocksChanged { clocks: clocks_to(table, viewer) })
        }
        Event::HandPosted(number) => Out::HandPosted(pb::HandPosted { hand_no: *number }),
        Event::TimedOut(seat, _) => Out::TimedOut(pb::TimedOut { seat: seat.0.into() }),
        Event::Unfunded { seat, reason } => Out::SeatRefused(pb::SeatRefused {
            seat: seat.0.into(),
            player_id: aside.player.map(player_id).unwrap_or_default(),
            reason: reason.clone(),
        }),
        _ => match seat_of(event) {
            Some(seat) => Out::SeatChanged(pb::SeatChanged { seat: Some(seat_to(table, seat)) }),
            // What is left changes the view and has no message of its own.
            None => return Vec::new(),
        },
    };
    vec![told]
}

/// The seat whose state an event changes and which is told as a whole.
const fn seat_of<E>(event: &Event<E>) -> Option<Seat> {
    match event {
        Event::Reserved { seat, .. }
        | Event::Sat { seat, .. }
        | Event::Funded { seat }
        | Event::Freed { seat, .. }
        | Event::Readied(seat, _)
        | Event::Presence(seat, _)
        | Event::SatOut(seat, _)
        | Event::AutoPlayed(seat, _)
        | Event::Leaving(seat)
        | Event::TimeBankLeft(seat, _)
        | Event::ClientSeeded(seat, _) => Some(*seat),
        _ => None,
    }
}

fn hand_id<G: Game>(table: &Table<G>, number: u64) -> String {
    HandId { table: TableId::from_bytes(table.id), number }.to_string()
}

fn player_id(player: Player) -> String {
    PlayerId::from_bytes(player.0).to_string()
}

/// The phase of a table.
#[must_use]
pub const fn phase_to(phase: Phase) -> pb::Phase {
    match phase {
        Phase::Waiting => pb::Phase::Waiting,
        Phase::InHand => pb::Phase::InHand,
        Phase::MatchOver => pb::Phase::MatchOver,
        Phase::Closed => pb::Phase::Closed,
    }
}

const fn stake_mode_to(stakes: Stakes) -> pb::StakeMode {
    match stakes {
        Stakes::Chips { .. } => pb::StakeMode::Chips,
        Stakes::Points => pb::StakeMode::Points,
    }
}

fn occupant_to(occupant: &Occupant) -> pb::Occupant {
    match occupant.tenure {
        Tenure::Reserved { .. } | Tenure::Funding => pb::Occupant::Reserved,
        Tenure::Seated if occupant.bot => pb::Occupant::Bot,
        Tenure::Seated => pb::Occupant::Player,
    }
}

fn seated(occupant: &Occupant) -> bool {
    !matches!(occupant.tenure, Tenure::Reserved { .. })
}

fn vote_to(vote: &Vote) -> pb::DissolveVote {
    pb::DissolveVote {
        proposed_by: vote.proposed_by.0.into(),
        agreed: vote.agreed.iter().map(|seat| seat.0.into()).collect(),
        deadline_ms: vote.deadline_ms,
    }
}

fn fair_to<G: Game>(table: &Table<G>) -> pb::FairState {
    // Between hands the seed that is announced is the next hand's, during a hand the hand's own.
    let running = table.unrevealed.last().filter(|_| table.phase == Phase::InHand);
    let (seed, clients) = match running {
        Some(seeds) => (Some(&seeds.server), &seeds.clients),
        None => (table.next_seed.as_ref(), &table.client_seeds),
    };
    pb::FairState {
        commitment: seed.map(|seed| seed.commitment().0.to_vec().into()).unwrap_or_default(),
        seeded: clients
            .iter()
            .zip(0_u32..)
            .filter(|(seed, _)| !seed.is_empty())
            .map(|(_, seat)| seat)
            .collect(),
    }
}

fn revealed_to(seeds: &Seeds) -> pb::table_event::Event {
    pb::table_event::Event::SeedRevealed(pb::SeedRevealed {
        hand_no: seeds.hand,
        server_seed: seeds.server.0.to_vec().into(),
        client_seeds: seeds.clients.iter().map(|seed| seed.clone().into()).collect(),
    })
}

fn scores_to<G: Game>(table: &Table<G>) -> Vec<pb::SeatScore> {
    table
        .occupants()
        .map(|(seat, occupant)| pb::SeatScore {
            seat: seat.0.into(),
            player_id: player_id(occupant.player),
            score: score(occupant).0,
        })
        .collect()
}

fn score(occupant: &Occupant) -> Amount {
    occupant.stack - occupant.bought_in
}
