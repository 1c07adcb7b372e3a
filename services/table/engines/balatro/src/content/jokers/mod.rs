//! The jokers: one entry each, in files by rarity. Adding a joker is adding an entry.

use serde::{Deserialize, Serialize};

use super::vocabulary::{Effect, Passive, Trigger};
use crate::card::Enhancement;
use crate::number::Hundredths;

mod common;
mod legendary;
mod prelude;
mod rare;
mod uncommon;

/// How rare a joker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Rarity {
    /// 70% of offers.
    Common,
    /// 25% of offers.
    Uncommon,
    /// 5% of offers.
    Rare,
    /// Only from The Soul.
    Legendary,
}

impl Rarity {
    /// How many there are.
    pub const COUNT: usize = Self::Legendary as usize + 1;

    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Uncommon => "uncommon",
            Self::Rare => "rare",
            Self::Legendary => "legendary",
        }
    }
}

/// What may be done with a joker (the flags of the document's table).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Copies may act as it.
    pub copied: bool,
    /// It may be eternal.
    pub eternal: bool,
    /// It may be perishable.
    pub perishable: bool,
}

impl Fit {
    const ALL: Self = Self { copied: true, eternal: true, perishable: true };

    const fn not_copied(self) -> Self {
        Self { copied: false, ..self }
    }

    const fn not_eternal(self) -> Self {
        Self { eternal: false, ..self }
    }

    const fn not_perishable(self) -> Self {
        Self { perishable: false, ..self }
    }
}

/// When a joker may appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The full deck has a card with this enhancement.
    DeckHas(Enhancement),
    /// Not once its kind is extinct.
    UntilExtinct,
    /// Only once the other kind is extinct.
    OnceExtinct,
}

/// Which joker a copy acts as (rules: balatro 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// The next one to the right.
    Right,
    /// The leftmost one.
    Leftmost,
}

/// What a joker's own value means; the name under which it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Mult that it gives.
    Mult,
    /// The factor that it multiplies mult with.
    X,
    /// Chips that it gives.
    Chips,
    /// Hands played since it was acquired.
    Plays,
    /// Uses left.
    Uses,
    /// Dollars that it pays.
    Money,
    /// Cards that it adds to the hand.
    HandSize,
    /// Rounds it has been through.
    Rounds,
}

impl Field {
    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Mult => "mult",
            Self::X => "x",
            Self::Chips => "chips",
            Self::Plays => "hands_since",
            Self::Uses => "uses",
            Self::Money => "money",
            Self::HandSize => "hand_size",
            Self::Rounds => "rounds",
        }
    }
}

/// The entry of a joker.
#[derive(Clone, Copy, Debug)]
pub struct JokerSpec {
    /// Its number in the document, from 1; stored logs hold it.
    pub order: u8,
    /// Stable lower-case id.
    pub id: &'static str,
    /// How rare it is.
    pub rarity: Rarity,
    /// Dollars before edition and discount.
    pub cost: i64,
    /// What may be done with it.
    pub fit: Fit,
    /// When it may appear.
    pub gate: Option<Gate>,
    /// What its own value means and where it starts.
    pub value: Option<(Field, Hundredths)>,
    /// Where its countdown starts.
    pub counter: Option<i32>,
    /// Whether it lists a hand type.
    pub lists_hand: bool,
    /// What holds while it is owned.
    pub passive: &'static [Passive],
    /// What it does.
    pub effects: &'static [Effect],
    /// Whom it copies.
    pub copies: Option<Neighbour>,
    /// Triggers of its effects, one bit each.
    triggers: u32,
}

impl JokerSpec {
    /// A joker that does nothing.
    pub(crate) const NOTHING: Self = Self::new(0, "", Rarity::Common, 0);

    const fn new(order: u8, id: &'static str, rarity: Rarity, cost: i64) -> Self {
        Self {
            order,
            id,
            rarity,
            cost,
            fit: Fit::ALL,
            gate: None,
            value: None,
            counter: None,
            lists_hand: false,
            passive: &[],
            effects: &[],
            copies: None,
            triggers: 0,
        }
    }

    const fn fit(self, fit: Fit) -> Self {
        Self { fit, ..self }
    }

    const fn gate(self, gate: Gate) -> Self {
        Self { gate: Some(gate), ..self }
    }

    const fn value(self, field: Field, start: i64) -> Self {
        Self { value: Some((field, Hundredths::whole(start))), ..self }
    }

    const fn counter(self, start: i32) -> Self {
        Self { counter: Some(start), ..self }
    }

    const fn lists_a_hand(self) -> Self {
        Self { lists_hand: true, ..self }
    }

    const fn passive(self, passive: &'static [Passive]) -> Self {
        Self { passive, ..self }
    }

    const fn copies(self, whom: Neighbour) -> Self {
        Self { copies: Some(whom), ..self }
    }

    const fn effects(self, effects: &'static [Effect]) -> Self {
        let (mut triggers, mut place) = (0, 0);
        while place < effects.len() {
            triggers |= 1 << effects[place].on as u32;
            place += 1;
        }
        Self { effects, triggers, ..self }
    }

    /// The places of the triggers of its effects, as [`Trigger`] numbers them.
    pub fn triggers(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.triggers;
        core::iter::from_fn(move || {
            let place = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                place
            })
        })
    }

    /// Whether an effect of it happens at a trigger.
    #[must_use]
    pub const fn reacts(&self, trigger: Trigger) -> bool {
        self.triggers & 1 << trigger as u32 != 0
    }
}

const COUNT: usize =
    common::COMMON.len() + uncommon::UNCOMMON.len() + rare::RARE.len() + legendary::LEGENDARY.len();

/// All jokers by number.
pub const JOKERS: [JokerSpec; COUNT] = {
    let mut table = [JokerSpec::NOTHING; COUNT];
    let files = [common::COMMON, uncommon::UNCOMMON, rare::RARE, legendary::LEGENDARY];
    let mut file = 0;
    while file < files.len() {
        let mut entry = 0;
        while entry < files[file].len() {
            let spec = files[file][entry];
            let place = spec.order as usize - 1;
            assert!(table[place].order == 0, "two jokers have the same number");
            table[place] = spec;
            entry += 1;
        }
        file += 1;
    }
    table
};

super::content_id! {
    /// A joker's number in [`JOKERS`].
    JokerId, JokerSpec, JOKERS
}

/// The jokers by rarity, each rarity in order; and where each begins, with the end of the last.
const BY_RARITY: ([JokerId; COUNT], [usize; Rarity::COUNT + 1]) = {
    let (mut jokers, mut begins) = ([JokerId(0); COUNT], [0; Rarity::COUNT + 1]);
    let (mut rarity, mut filled) = (0, 0);
    while rarity < Rarity::COUNT {
        let mut place = 0;
        while place < COUNT {
            if JOKERS[place].rarity as usize == rarity {
                jokers[filled] = JokerId(place as u8);
                filled += 1;
            }
            place += 1;
        }
        rarity += 1;
        begins[rarity] = filled;
    }
    (jokers, begins)
};

impl JokerId {
    /// Every joker of a rarity, in order.
    #[must_use]
    pub fn of_rarity(rarity: Rarity) -> &'static [Self] {
        static JOKERS: [JokerId; COUNT] = BY_RARITY.0;
        let begins = BY_RARITY.1;
        &JOKERS[begins[rarity as usize]..begins[rarity as usize + 1]]
    }
}
