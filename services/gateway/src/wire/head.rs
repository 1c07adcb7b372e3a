//! The little that the gateway reads of what a table says.
//!
//! These messages are slices of the ones in `parlor.table.v1`, with the same numbers; everything
//! else is skipped without being decoded.

use bytes::Bytes;

/// Start of a `TableUpdate`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateHead {
    /// Counts the viewer's updates.
    #[prost(uint64, tag = "2")]
    pub seq: u64,
    /// What happened.
    #[prost(message, repeated, tag = "4")]
    pub events: Vec<EventHead>,
}

/// Kind of a `TableEvent`, as far as the gateway cares.
#[derive(Clone, PartialEq, prost::Message)]
pub struct EventHead {
    /// A hand has ended.
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub hand_ended: Option<Bytes>,
    /// The next hand's server seed is fixed: client seeds may be added.
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub seed_committed: Option<Bytes>,
}

impl UpdateHead {
    /// Whether the table takes seeds for a new hand.
    #[must_use]
    pub fn opens_a_hand(&self) -> bool {
        let opens =
            |event: &EventHead| event.hand_ended.is_some() || event.seed_committed.is_some();
        self.events.iter().any(opens)
    }
}

/// Start of a `TableResync`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ResyncHead {
    /// The next update is `seq + 1`.
    #[prost(uint64, tag = "2")]
    pub seq: u64,
    /// The table.
    #[prost(message, optional, tag = "4")]
    pub view: Option<ViewHead>,
}

/// Part of a `TableView`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ViewHead {
    /// The viewer's seat; absent for a spectator.
    #[prost(uint32, optional, tag = "9")]
    pub own_seat: Option<u32>,
}

impl ResyncHead {
    /// Whether the viewer has a seat.
    #[must_use]
    pub fn is_seated(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.own_seat.is_some())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use parlor_proto::table::v1::{
        HandEnded, Paused, SeedCommitted, TableEvent, TableResync, TableUpdate, TableView,
        table_event::Event,
    };
    use prost::Message;

    use super::*;

    fn head_of(events: Vec<Event>) -> UpdateHead {
        let events = events.into_iter().map(|event| TableEvent { event: Some(event) }).collect();
        let view = Some(TableView { game: "blackjack".into(), ..TableView::default() });
        let update = TableUpdate { table_id: "t".into(), seq: 7, time_ms: 5, events, view };
        UpdateHead::decode(Bytes::from(update.encode_to_vec())).unwrap()
    }

    #[test]
    fn the_head_of_an_update_has_its_seq() {
        assert_eq!(head_of(vec![]).seq, 7);
    }

    #[test]
    fn only_the_end_of_a_hand_or_a_commitment_opens_a_hand() {
        assert!(head_of(vec![Event::HandEnded(HandEnded::default())]).opens_a_hand());
        assert!(head_of(vec![Event::SeedCommitted(SeedCommitted::default())]).opens_a_hand());
        assert!(!head_of(vec![Event::Paused(Paused { paused: true })]).opens_a_hand());
    }

    #[test]
    fn the_head_of_a_resync_knows_whether_the_viewer_is_seated() {
        for (own_seat, seated) in [(Some(0), true), (None, false)] {
            let view = Some(TableView { own_seat, ..TableView::default() });
            let resync = TableResync { seq: 3, view, ..TableResync::default() };
            let head = ResyncHead::decode(Bytes::from(resync.encode_to_vec())).unwrap();
            assert_eq!((head.seq, head.is_seated()), (3, seated));
        }
    }
}
