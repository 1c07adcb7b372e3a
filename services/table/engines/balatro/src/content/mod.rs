//! The content as data: what exists, what it costs and what it does.
//!
//! Ids are the document's slugs; players see names from a locale file keyed by id. Every table is
//! `const`, and a place in a table ([`JokerId`], [`ConsumableId`], …) is what states and events
//! hold.

/// A newtype over a place in a content table: cannot be decoded from a place that is not there.
macro_rules! content_id {
    ($(#[$doc:meta])* $name:ident, $spec:ty, $table:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        #[serde(try_from = "u8", into = "u8")]
        pub struct $name(u8);

        impl $name {
            /// How many there are.
            pub const COUNT: usize = $table.len();

            /// Every one in order.
            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..$table.len() as u8).map(Self)
            }

            /// Its place in the table, from 0.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Its entry.
            #[must_use]
            pub fn spec(self) -> &'static $spec {
                // A const table read through a static: one copy, never moved.
                static TABLE: [$spec; $table.len()] = $table;
                &TABLE[self.0 as usize]
            }

            /// Stable lower-case id.
            #[must_use]
            pub fn id(self) -> &'static str {
                self.spec().id
            }

            /// The one with an id.
            #[must_use]
            pub fn from_id(id: &str) -> Option<Self> {
                Self::all().find(|candidate| candidate.id() == id)
            }
        }

        impl TryFrom<u8> for $name {
            type Error = &'static str;

            fn try_from(place: u8) -> Result<Self, Self::Error> {
                if usize::from(place) < $table.len() {
                    Ok(Self(place))
                } else {
                    Err("no such entry of the content")
                }
            }
        }

        impl From<$name> for u8 {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    };
}
pub(crate) use content_id;

pub mod antes;
pub mod bosses;
pub mod consumables;
pub mod decks;
pub mod jokers;
pub mod packs;
pub mod tags;
pub mod vocabulary;
pub mod vouchers;

pub use bosses::BossId;
pub use consumables::{ConsumableId, ConsumableKind};
pub use decks::{DeckId, Stake};
pub use jokers::{JokerId, Rarity};
pub use packs::PackId;
pub use tags::TagId;
pub use vouchers::VoucherId;
