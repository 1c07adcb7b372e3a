//! Jokers in a run: their state, what they are worth, and whom copies act as.

use serde::{Deserialize, Serialize};

use crate::card::Edition;
use crate::content::JokerId;
use crate::content::jokers::{JokerSpec, Neighbour};
use crate::content::vocabulary::Passive;
use crate::number::Hundredths;
use crate::poker::{HandType, Mods};

/// Most jokers of a run. Negative jokers bring their own slots, so a bound is needed; no run that
/// was not made for it comes near.
pub const MAX_JOKERS: usize = 48;

/// Names a joker, a consumable or an offer of the shop for the whole run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ItemId(pub u32);

/// What a joker remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JokerState {
    /// The value that its entry names ([`JokerSpec::value`]).
    pub value: Hundredths,
    /// Its countdown, or the place of the hand type that it lists.
    pub counter: i32,
}

impl JokerState {
    /// Where a joker of this kind starts.
    #[must_use]
    pub fn of(spec: &JokerSpec) -> Self {
        let plainest = if spec.lists_hand { HandType::HighCard as i32 } else { 0 };
        Self {
            value: spec.value.map_or(Hundredths(0), |(_, start)| start),
            counter: spec.counter.unwrap_or(plainest),
        }
    }

    /// The hand type that it lists.
    #[must_use]
    pub fn listed_hand(&self) -> HandType {
        let place = usize::try_from(self.counter).unwrap_or(0);
        HandType::ALL.get(place).copied().unwrap_or(HandType::HighCard)
    }
}

/// What binds a joker to its owner (rules: balatro 5.2, stickers).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stickers {
    /// It can be neither sold nor destroyed.
    pub eternal: bool,
    /// Rounds until it is debuffed for good; 0 when it is.
    pub perishable: Option<u8>,
    /// It costs $1 in the shop and $3 at each round end.
    pub rental: bool,
}

/// A joker that is owned or offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joker {
    /// Its name in the run.
    pub item: ItemId,
    /// Which joker it is.
    pub kind: JokerId,
    /// Its finish.
    pub edition: Option<Edition>,
    /// What binds it.
    pub stickers: Stickers,
    /// What it remembers.
    pub state: JokerState,
    /// Dollars that its sell value has gained.
    pub sell_bonus: i64,
    /// Hidden from the player.
    pub face_down: bool,
}

impl Joker {
    /// A new joker.
    #[must_use]
    pub fn new(item: ItemId, kind: JokerId) -> Self {
        Self {
            item,
            kind,
            edition: None,
            stickers: Stickers::default(),
            state: JokerState::of(kind.spec()),
            sell_bonus: 0,
            face_down: false,
        }
    }

    /// Whether it takes no slot because it brings its own.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.edition == Some(Edition::Negative)
    }

    /// Whether it has outlived its rounds.
    #[must_use]
    pub fn has_perished(&self) -> bool {
        self.stickers.perishable == Some(0)
    }
}

/// Dollars that something costs: base and edition with the discount in percent, at least 1
/// (rules: balatro 10).
#[must_use]
pub fn price(base: i64, edition: Option<Edition>, discount: i64) -> i64 {
    let doubled = 2 * (base + edition.map_or(0, Edition::price)) + 1;
    (doubled * (100 - discount) / 200).max(1)
}

/// Dollars that something of this price sells for, before what it has gained.
#[must_use]
pub fn sell_value(price: i64) -> i64 {
    (price / 2).max(1)
}

/// One joker as copies and passives see it.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Which joker it is.
    pub kind: JokerId,
    /// Does nothing.
    pub debuffed: bool,
}

/// The place of the joker as which the one at `place` of a row acts; `None` when it does nothing:
/// it is debuffed, or a copy whose chain ends nowhere (rules: balatro 5.3).
#[must_use]
pub fn acts_as(row: impl Fn(usize) -> Option<Link>, place: usize) -> Option<usize> {
    let mut at = place;
    // A chain longer than the longest row has come back to itself.
    for _ in 0..=MAX_JOKERS {
        let link = row(at)?;
        let spec = link.kind.spec();
        if link.debuffed || at != place && !spec.fit.copied {
            return None;
        }
        at = match spec.copies {
            None => return Some(at),
            Some(Neighbour::Right) => at + 1,
            Some(Neighbour::Leftmost) => 0,
        };
    }
    None
}

/// What the passives of a row of jokers come to in scoring.
#[must_use]
pub fn mods(row: impl Iterator<Item = Link>) -> (Mods, u32) {
    let (mut mods, mut doublings) = (Mods::default(), 0);
    for link in row.filter(|link| !link.debuffed) {
        for passive in link.kind.spec().passive {
            match passive {
                Passive::FourFingers => mods.four_fingers = true,
                Passive::Shortcut => mods.shortcut = true,
                Passive::Smeared => mods.smeared = true,
                Passive::Splash => mods.splash = true,
                Passive::Pareidolia => mods.pareidolia = true,
                Passive::DoubleChances => doublings += 1,
                _ => {}
            }
        }
    }
    (mods, doublings)
}
