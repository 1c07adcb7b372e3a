//! Replays of hands: their events pass through as the bytes in which they were recorded.
//!
//! The messages are those of `parlor.gateway.v1` with the same numbers, only that events are bytes.

use bytes::Bytes;
use parlor_proto::settlement::v1::{HandFairness, HandRecord, HandSummary};
use prost::Message;

/// `Response`.
#[derive(Clone, PartialEq, prost::Message)]
struct Response {
    #[prost(string, tag = "1")]
    id: String,
    #[prost(message, optional, tag = "9")]
    hand: Option<Replay>,
}

/// `HandReplay`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Replay {
    /// Who played, and what came of it.
    #[prost(message, optional, tag = "1")]
    pub summary: Option<HandSummary>,
    /// To check the shuffle.
    #[prost(message, optional, tag = "2")]
    pub fairness: Option<HandFairness>,
    /// What happened, in order.
    #[prost(message, repeated, tag = "3")]
    pub steps: Vec<Step>,
}

/// `ReplayStep`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Step {
    /// When.
    #[prost(int64, tag = "1")]
    pub time_ms: i64,
    /// What.
    #[prost(message, repeated, tag = "2")]
    pub events: Vec<Play>,
}

/// `TableEvent` with an event of the game.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Play {
    /// A serialized `parlor.rules.v1.Event`.
    #[prost(bytes = "bytes", tag = "3")]
    pub play: Bytes,
}

impl From<HandRecord> for Replay {
    fn from(hand: HandRecord) -> Self {
        let summary = HandSummary {
            hand_id: hand.hand_id,
            table_id: hand.table_id,
            hand_no: hand.hand_no,
            game: hand.game,
            ended_ms: hand.ended_ms,
            seats: hand.seats,
            stake_mode: hand.stake_mode,
            run: hand.run,
        };
        // The events are the auditor's: with a shoe that goes on, they name its coming cards. What
        // the revealed seed tells anyway, and no more, may be told.
        let seed_is_known =
            hand.fairness.as_ref().is_some_and(|fairness| !fairness.server_seed.is_empty());
        let steps = if seed_is_known { hand.steps } else { Vec::new() };
        let steps = steps.into_iter().map(|step| Step {
            time_ms: step.time_ms,
            events: step.messages.into_iter().map(|play| Play { play }).collect(),
        });
        Self { summary: Some(summary), fairness: hand.fairness, steps: steps.collect() }
    }
}

/// The serialized `Response` that carries a replay.
#[must_use]
pub fn response(id: String, hand: Replay) -> Bytes {
    Response { id, hand: Some(hand) }.encode_to_vec().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use parlor_proto::gateway::v1::{self as schema, response::Result};
    use parlor_proto::rules::v1::{BlackjackEvent, Event, event::Game};
    use parlor_proto::settlement::v1::HandStep;
    use parlor_proto::table::v1::table_event;

    use super::*;

    fn record(messages: Vec<Bytes>) -> HandRecord {
        HandRecord {
            hand_id: "t/1".into(),
            fairness: Some(HandFairness { server_seed: vec![7; 32].into(), ..Default::default() }),
            steps: vec![HandStep { time_ms: 5, messages, ..HandStep::default() }],
            ..HandRecord::default()
        }
    }

    #[test]
    fn a_replay_is_the_response_that_the_schema_describes() {
        let event = Event { game: Some(Game::Blackjack(BlackjackEvent::default())) };
        let hand = record(vec![event.encode_to_vec().into()]);
        let bytes = response("r".into(), hand.into());
        let response = schema::Response::decode(bytes).unwrap();
        assert_eq!(response.id, "r");
        let Some(Result::Hand(replay)) = response.result else { unreachable!("a hand") };
        assert_eq!(replay.summary.unwrap().hand_id, "t/1");
        assert_eq!(replay.fairness.unwrap().server_seed.len(), 32);
        let step = &replay.steps[0];
        assert_eq!((step.time_ms, step.events.len()), (5, 1));
        assert_eq!(step.events[0].event, Some(table_event::Event::Play(event)));
    }

    #[test]
    fn the_events_of_a_shoe_that_goes_on_are_not_told() {
        for fairness in [None, Some(HandFairness::default())] {
            let hand = HandRecord { fairness, ..record(vec![Bytes::from_static(b"coming cards")]) };
            let bytes = response("r".into(), hand.into());
            assert!(!bytes.windows(6).any(|window| window == b"coming"));
        }
    }

    #[test]
    fn events_that_only_a_newer_table_knows_survive() {
        // Field 90 of a message that this gateway does not know.
        let newer = Bytes::from_static(&[0xd2, 0x05, 0x02, 0x08, 0x01]);
        let bytes = response("r".into(), record(vec![newer.clone()]).into());
        assert!(bytes.windows(newer.len()).any(|window| window == newer));
    }
}
