//! What operators see of matchmaking.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Gauge, Histogram};
use parlor_common::telemetry::meter;

use crate::ids::QueueId;
use crate::ticket::Ticket;

/// From a single-player start to a patient wait in a thin queue, in seconds.
const WAITS_S: [f64; 13] =
    [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 600.0];

/// From equals to a newcomer among masters, in Weng-Lin points.
const SPREADS: [f64; 10] = [0.5, 1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 15.0, 20.0, 30.0];

/// How a claimed match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// Everybody has a seat.
    Seated,
    /// The table service refused.
    Refused,
    /// The table service did not answer, and there is no table.
    Lost,
    /// Not known yet: the claim is left for a later try.
    Undecided,
    /// A player had found another seat.
    Elsewhere,
    /// Somebody was not ready.
    NotReady,
    /// Somebody else settled it.
    Superseded,
}

impl MatchEnd {
    /// Its name as a label.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seated => "seated",
            Self::Refused => "refused",
            Self::Lost => "lost",
            Self::Undecided => "undecided",
            Self::Elsewhere => "elsewhere",
            Self::NotReady => "not_ready",
            Self::Superseded => "superseded",
        }
    }
}

/// The instruments. Make them after telemetry is set up.
#[derive(Debug)]
pub struct Metrics {
    waiting: Gauge<u64>,
    time_to_match: Histogram<f64>,
    rating_spread: Histogram<f64>,
    match_players: Histogram<u64>,
    matches: Counter<u64>,
    matching: Histogram<f64>,
    tickets: Counter<u64>,
    rooms: Counter<u64>,
    clubs: Counter<u64>,
    cards: Counter<u64>,
    watchers: Gauge<u64>,
    parties: Counter<u64>,
    party_watchers: Gauge<u64>,
}

impl Metrics {
    /// The instruments of the process-wide meter.
    #[must_use]
    pub fn new() -> Self {
        let meter = meter();
        Self {
            waiting: meter
                .u64_gauge("parlor_matchmaking_waiting_tickets")
                .with_description("Tickets that wait, by queue")
                .build(),
            time_to_match: meter
                .f64_histogram("parlor_matchmaking_time_to_match_seconds")
                .with_description("From entering a queue to a seat, by queue")
                .with_boundaries(WAITS_S.to_vec())
                .build(),
            rating_spread: meter
                .f64_histogram("parlor_matchmaking_match_rating_spread_points")
                .with_description("Highest less lowest rating of the tickets of a match, by queue")
                .with_boundaries(SPREADS.to_vec())
                .build(),
            match_players: meter
                .u64_histogram("parlor_matchmaking_match_players")
                .with_description("People of a match, without bots, by queue")
                .with_boundaries((1..=8).map(f64::from).collect())
                .build(),
            matches: meter
                .u64_counter("parlor_matchmaking_matches")
                .with_description("Claimed matches, by queue and how they ended")
                .build(),
            matching: meter
                .f64_histogram("parlor_matchmaking_matcher_seconds")
                .with_description("Time that one run of the matcher took, by queue")
                .with_boundaries(parlor_common::telemetry::LATENCY_S.to_vec())
                .build(),
            tickets: meter
                .u64_counter("parlor_matchmaking_tickets")
                .with_description("Tickets that entered, were cancelled or expired")
                .build(),
            rooms: meter
                .u64_counter("parlor_matchmaking_rooms")
                .with_description("Rooms created and joined, and codes that were wrong")
                .build(),
            clubs: meter
                .u64_counter("parlor_matchmaking_clubs")
                .with_description("Clubs founded, players who joined or asked to, rooms closed")
                .build(),
            cards: meter
                .u64_counter("parlor_matchmaking_cards")
                .with_description("Room cards granted, taken and spent")
                .build(),
            watchers: meter
                .u64_gauge("parlor_matchmaking_watched_tickets")
                .with_description("Tickets that somebody watches here")
                .build(),
            parties: meter
                .u64_counter("parlor_matchmaking_parties")
                .with_description("Parties begun and queued, members who came and went")
                .build(),
            party_watchers: meter
                .u64_gauge("parlor_matchmaking_watched_parties")
                .with_description("Parties that somebody watches here")
                .build(),
        }
    }

    /// Tickets of a queue.
    pub fn waiting(&self, queue: &QueueId, tickets: usize) {
        self.waiting.record(tickets as u64, &[label("queue", queue)]);
    }

    /// A ticket got its seats after this wait.
    pub fn seated(&self, queue: &QueueId, waited_ms: i64) {
        // Waits are far below 2^52.
        #[allow(clippy::cast_precision_loss)]
        let waited_s = waited_ms.max(0) as f64 / 1000.0;
        self.time_to_match.record(waited_s, &[label("queue", queue)]);
    }

    /// How well a seated match fits: how far apart its ratings are, and how many people it has.
    pub fn quality(&self, queue: &QueueId, tickets: &[Ticket]) {
        let ratings = || tickets.iter().map(|ticket| ticket.rating.0);
        let (Some(lowest), Some(highest)) = (ratings().min(), ratings().max()) else { return };
        let spread = f64::from(highest.saturating_sub(lowest)) / 100.0;
        self.rating_spread.record(spread, &[label("queue", queue)]);
        let people: u32 = tickets.iter().map(Ticket::players).sum();
        self.match_players.record(u64::from(people), &[label("queue", queue)]);
    }

    /// A claimed match ended.
    pub fn match_ended(&self, queue: &QueueId, end: MatchEnd) {
        self.matches.add(1, &[label("queue", queue), KeyValue::new("end", end.name())]);
    }

    /// One run of the matcher.
    pub fn matched_in(&self, queue: &QueueId, took: std::time::Duration) {
        self.matching.record(took.as_secs_f64(), &[label("queue", queue)]);
    }

    /// Something happened to tickets: `entered`, `cancelled`, `expired`.
    pub fn tickets(&self, what: &'static str, count: u32) {
        if count > 0 {
            self.tickets.add(u64::from(count), &[KeyValue::new("what", what)]);
        }
    }

    /// Something happened with rooms: `created`, `joined`, `wrong_code`, `limited`.
    pub fn rooms(&self, what: &'static str) {
        self.rooms.add(1, &[KeyValue::new("what", what)]);
    }

    /// Something happened with clubs: `founded`, `joined`, `asked`, `room_closed`.
    pub fn clubs(&self, what: &'static str) {
        self.clubs.add(1, &[KeyValue::new("what", what)]);
    }

    /// Room cards were `granted` or `spent`; a negative grant has `taken` them.
    pub fn cards(&self, what: &'static str, cards: i64) {
        let what = if cards < 0 { "taken" } else { what };
        self.cards.add(cards.unsigned_abs(), &[KeyValue::new("what", what)]);
    }

    /// Something happened with parties: `begun`, `joined`, `left`, `removed`, `absent`, `queued`.
    pub fn parties(&self, what: &'static str) {
        self.parties.add(1, &[KeyValue::new("what", what)]);
    }

    /// Parties that are watched here.
    pub fn watched_parties(&self, parties: usize) {
        self.party_watchers.record(parties as u64, &[]);
    }

    /// Tickets that are watched here.
    pub fn watched(&self, tickets: usize) {
        self.watchers.record(tickets as u64, &[]);
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

fn label(key: &'static str, queue: &QueueId) -> KeyValue {
    KeyValue::new(key, queue.as_str().to_owned())
}
