//! What a run plays, and what happens in it on purpose: drawn before anything else.

use std::fmt;

use parlor_matchmaking::queue::Queues;
use parlor_proto::rules::v1::options::Game as Rules;
use parlor_proto::table::v1::TableSettings;

use super::fate::Fate;

/// The games, by the name under which a queue's options have them.
const GAMES: [Game; 3] = [Game::Blackjack, Game::Mahjong, Game::Balatro];

/// The game of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Three seats, one of them the bank; a table without end.
    Blackjack,
    /// Four seats, or three; matches of one hand.
    Mahjong,
    /// One seat.
    Balatro,
}

/// What a run is like.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The game at all of its tables.
    pub game: Game,
    /// Played for chips, which the ledger holds meanwhile.
    chips: bool,
    /// Seats of a table.
    seats: u32,
    /// Queues for the same; each has a matchmaker of its own.
    pub queues: u64,
    /// The queues ask whether players are ready.
    ready_check: bool,
    /// How often players who want to play make or look for a private room, in a thousand.
    pub rooms: u64,
    /// It goes on for long after the last fault, with one rolling restart of everything.
    pub long: bool,
    /// At the end of the faults a table's log is lost for ever.
    pub loses_a_log: bool,
}

impl Scene {
    /// Draws one.
    pub fn drawn(fate: &Fate) -> Self {
        let game = GAMES.get(fate.place(GAMES.len())).copied().unwrap_or(Game::Blackjack);
        let seats = match game {
            Game::Blackjack => 3,
            Game::Mahjong if fate.happens(300) => 3,
            Game::Mahjong => 4,
            Game::Balatro => 1,
        };
        Self {
            game,
            // A run against nobody is not for money.
            chips: game != Game::Balatro && fate.happens(800),
            seats,
            queues: fate.between(1, 2),
            ready_check: game != Game::Balatro && fate.happens(250),
            rooms: if fate.happens(500) { 500 } else { 0 },
            long: fate.happens(200),
            loses_a_log: fate.happens(150),
        }
    }

    fn options(self) -> String {
        match self.game {
            Game::Blackjack => {
                let house = r#""commissionFlat": "3", "commissionWinBps": 500"#;
                format!(
                    r#"{{"blackjack": {{"bankerMode": "BLACKJACK_BANKER_MODE_ROTATE", {house}}}}}"#
                )
            }
            Game::Mahjong => {
                let pauses = r#""claimPauseMinMs": 30, "claimPauseMaxMs": 90"#;
                let clocks = r#""discardMs": 6000, "claimMs": 3000"#;
                let (players, exchange) = (self.seats, self.queues == 2);
                format!(
                    r#"{{"mahjong": {{"players": {players}, "base": "20", "rounds": 1,
                    "huanSanZhang": {exchange}, {pauses}, {clocks}}}}}"#
                )
            }
            Game::Balatro => r#"{"balatro": {}}"#.to_owned(),
        }
    }

    /// The queues, as their file says it.
    pub fn queues(self) -> String {
        let (options, seats) = (self.options(), self.seats);
        let (mode, buy_in) = if self.chips { ("CHIPS", 10_000) } else { ("POINTS", 0) };
        let check = if self.ready_check { r#""ready_check_ms": 3000,"# } else { "" };
        let queue = |number: u64| {
            format!(
                r#"{{"id": "q{number}", "players": {seats}, "bot_fill_after_ms": 1500, {check}
                "settings": {{"options": {options}, "stakeMode": "STAKE_MODE_{mode}",
                "buyIn": "{buy_in}", "seats": {seats}, "fillWithBots": true, "alwaysReady": true,
                "botDelayMinMs": 50, "botDelayMaxMs": 200}}}}"#
            )
        };
        let queues: Vec<String> = (0..self.queues).map(queue).collect();
        format!(r#"{{"queues": [{}]}}"#, queues.join(", "))
    }

    /// The settings of a private room: what the queues play, but in matches, and without hurry.
    pub fn room(queues: &Queues) -> TableSettings {
        let mut settings =
            queues.iter().next().map(|queue| queue.settings.clone()).unwrap_or_default();
        settings.fill_with_bots = false;
        settings.always_ready = false;
        settings.bots_allowed = true;
        let rules = settings.options.as_mut().and_then(|options| options.game.as_mut());
        if let Some(Rules::Blackjack(blackjack)) = rules {
            blackjack.rounds = Some(2);
        }
        settings
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, chips, seats, queues, ready_check, rooms, long, loses_a_log } = self;
        write!(
            formatter,
            "{game:?}, {seats} seats, chips {chips}, {queues} queues, ready checks {ready_check}, \
             rooms {rooms}, long {long}, loses a log {loses_a_log}"
        )
    }
}
