//! The queues that players may join. They are configuration.
//!
//! A file has the shape of `queues.json`, which is what a service without a file offers:
//!
//! | field | meaning |
//! |---|---|
//! | `id` | 1 to 48 of `a-z`, `0-9`, `-` |
//! | `players` | players that a match needs before bots fill in, 1 to 10 |
//! | `settings` | `parlor.table.v1.TableSettings` in proto3 JSON |
//! | `rating_window` | `start`, `widen_per_s`, `widest` in hundredths of a Weng-Lin point; or none
//! |
//! | `bot_fill_after_ms` | bots take the free seats after this wait; without it, never |
//! | `ready_check_ms` | how long players have to say that they are ready for the match that was
//! found, 3000 to 120000; without it, they are not asked |
//! | `largest_party` | most players of one ticket; without it, `players` |
//! | `ticket_ttl_ms` | how long a ticket waits at most; without it, ten minutes |

use std::collections::BTreeMap;
use std::sync::Arc;

use parlor_proto::rules::v1::options::Game;
use parlor_proto::table::v1::TableSettings;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde::Deserialize;

use crate::error::Error;
use crate::ids::QueueId;
use crate::matcher::{MatchRules, RatingWindow};
use crate::settings;

/// Most queues; each has a task of its own.
pub const MAX_QUEUES: usize = 64;

/// Most players of one match.
pub const MAX_PLAYERS: u32 = 10;

/// How long a ticket waits when its queue does not say.
const TICKET_TTL_MS: u32 = 600_000;

/// Shortest and longest ready check: time to look at the screen, and no longer than others wait.
const READY_CHECK_MS: std::ops::RangeInclusive<u32> = 3_000..=120_000;

/// A friendly first start.
const BUILT_IN: &str = include_str!("queues.json");

/// One queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// Its name.
    pub id: QueueId,
    /// The game's id, such as `blackjack`.
    pub game: &'static str,
    /// The settings of its tables.
    pub settings: TableSettings,
    /// Who plays with whom.
    pub rules: MatchRules,
    /// Most players of one ticket.
    pub largest_party: u32,
    /// How long a ticket waits at most.
    pub ticket_ttl_ms: u32,
    /// How long players have to say that they are ready; `None`: they are not asked.
    pub ready_check_ms: Option<u32>,
}

/// All queues, by name.
#[derive(Clone, Debug)]
pub struct Queues(BTreeMap<QueueId, Arc<Queue>>);

impl Queues {
    /// What a service offers that was given no file.
    ///
    /// # Errors
    /// [`Error::Queues`] when the built-in list is wrong, which the tests rule out.
    pub fn built_in() -> Result<Self, Error> {
        Self::from_json(BUILT_IN)
    }

    /// Reads a list of queues.
    ///
    /// # Errors
    /// [`Error::Queues`], naming the queue and what is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let file: FileShape = serde_json::from_str(text).map_err(bad)?;
        if file.queues.is_empty() || file.queues.len() > MAX_QUEUES {
            return Err(bad(format!("there are 1 to {MAX_QUEUES} queues")));
        }
        let reflect = DescriptorPool::decode(parlor_proto::DESCRIPTORS).map_err(bad)?;
        let mut queues = BTreeMap::new();
        for shape in file.queues {
            let queue = Queue::from_shape(shape, &reflect)?;
            if let Some(twice) = queues.insert(queue.id.clone(), Arc::new(queue)) {
                return Err(bad(format!("{} is given twice", twice.id)));
            }
        }
        Ok(Self(queues))
    }

    /// The queue of this name.
    ///
    /// # Errors
    /// [`Error::QueueNotFound`].
    pub fn get(&self, id: &QueueId) -> Result<&Arc<Queue>, Error> {
        self.0.get(id).ok_or(Error::QueueNotFound)
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Queue>> {
        self.0.values()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileShape {
    queues: Vec<QueueShape>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QueueShape {
    id: String,
    players: u32,
    settings: serde_json::Value,
    rating_window: Option<RatingWindow>,
    bot_fill_after_ms: Option<u32>,
    largest_party: Option<u32>,
    ticket_ttl_ms: Option<u32>,
    ready_check_ms: Option<u32>,
}

impl Queue {
    fn from_shape(shape: QueueShape, reflect: &DescriptorPool) -> Result<Self, Error> {
        let name = shape.id.clone();
        let wrong = |what: String| Error::Queues(format!("{name:?}: {what}"));
        let id = shape
            .id
            .parse()
            .map_err(|_| wrong("a name has 1 to 48 characters of a-z, 0-9 and -".to_owned()))?;
        let settings = table_settings(shape.settings, reflect).map_err(wrong)?;
        settings::check(&settings).map_err(|error| wrong(error.to_string()))?;
        let game = game_of(&settings).ok_or_else(|| wrong("options name no game".to_owned()))?;
        let queue = Self {
            id,
            game,
            rules: MatchRules {
                players: shape.players,
                window: shape.rating_window,
                bot_fill_after_ms: shape.bot_fill_after_ms,
            },
            largest_party: shape.largest_party.unwrap_or(shape.players),
            ticket_ttl_ms: shape.ticket_ttl_ms.unwrap_or(TICKET_TTL_MS),
            ready_check_ms: shape.ready_check_ms,
            settings,
        };
        queue.check().map_err(|what| wrong(what.to_owned()))?;
        Ok(queue)
    }

    fn check(&self) -> Result<(), &'static str> {
        let (players, seats) = (self.rules.players, self.settings.seats);
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err("players must be 1 to 10");
        }
        if seats != 0 && players > seats {
            return Err("there are more players than seats");
        }
        if !(1..=players).contains(&self.largest_party) {
            return Err("largest_party must be 1 to players");
        }
        if self.ticket_ttl_ms < 1000 {
            return Err("ticket_ttl_ms must be 1000 at least");
        }
        if self.ready_check_ms.is_some_and(|length_ms| !READY_CHECK_MS.contains(&length_ms)) {
            return Err("ready_check_ms must be 3000 to 120000");
        }
        if self.ready_check_ms.is_some() && players < 2 {
            return Err("ready_check_ms is for matches of several players");
        }
        if !self.settings.room_code.is_empty() {
            return Err("a queue's tables have no room code");
        }
        Ok(())
    }
}

fn table_settings(
    json: serde_json::Value,
    reflect: &DescriptorPool,
) -> Result<TableSettings, String> {
    let shape = reflect
        .get_message_by_name("parlor.table.v1.TableSettings")
        .ok_or("TableSettings is not among the descriptors")?;
    let message = DynamicMessage::deserialize(shape, json).map_err(|error| error.to_string())?;
    message.transcode_to().map_err(|error| error.to_string())
}

/// The game's id.
#[must_use]
pub fn game_of(settings: &TableSettings) -> Option<&'static str> {
    Some(match settings.options.as_ref()?.game.as_ref()? {
        Game::Blackjack(_) => "blackjack",
        Game::Mahjong(_) => "mahjong",
        Game::Balatro(_) => "balatro",
        Game::Echo(_) => "echo",
    })
}

fn bad(cause: impl ToString) -> Error {
    Error::Queues(cause.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_built_in_queues_offer_every_game() {
        let queues = Queues::built_in().unwrap();
        let names: Vec<(&str, &str)> =
            queues.iter().map(|queue| (queue.id.as_str(), queue.game)).collect();
        assert_eq!(
            names,
            [
                ("balatro-daily", "balatro"),
                ("balatro-run", "balatro"),
                ("blackjack-quick", "blackjack"),
                ("mahjong-3p", "mahjong"),
                ("mahjong-quick", "mahjong"),
            ]
        );
    }

    #[test]
    fn a_wrong_queue_is_refused_by_name() {
        let good = r#"{"id":"q","players":2,"settings":{"options":{"mahjong":{}},
            "stakeMode":"STAKE_MODE_POINTS","seats":4}}"#;
        assert!(Queues::from_json(&format!(r#"{{"queues":[{good}]}}"#)).is_ok());
        for (from, to, complaint) in [
            (r#""id":"q""#, r#""id":"Q!""#, "a name has"),
            (r#""players":2"#, r#""players":0"#, "players must be"),
            (r#""players":2"#, r#""players":5"#, "more players than seats"),
            (r#""seats":4"#, r#""chairs":4"#, "chairs"),
            (r#""players":2"#, r#""players":2,"bots":1"#, "bots"),
            (r#""mahjong":{}"#, "", "options"),
            ("STAKE_MODE_POINTS", "STAKE_MODE_CHIPS", "buy-in"),
            (r#""players":2"#, r#""players":2,"largest_party":3"#, "largest_party"),
            (r#""players":2"#, r#""players":2,"ready_check_ms":2999"#, "ready_check_ms"),
            (r#""players":2"#, r#""players":1,"ready_check_ms":9000"#, "several players"),
        ] {
            let wrong = good.replace(from, to);
            assert_ne!(wrong, good);
            let error = Queues::from_json(&format!(r#"{{"queues":[{wrong}]}}"#)).unwrap_err();
            assert!(error.to_string().contains(complaint), "{to}: {error}");
        }
        let twice = Queues::from_json(&format!(r#"{{"queues":[{good},{good}]}}"#)).unwrap_err();
        assert!(twice.to_string().contains("given twice"));
    }
}
