//! The input of a case.

use parlor_blackjack::shoe::{Occasion, StockOrder};
use parlor_blackjack::{Card, Command};
use parlor_game::{Actor, Amount, Entrant, Seat};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::Error;

/// A seat that no case can have: stands for a seat that is absent or no number.
const NO_SEAT: Seat = Seat(u8::MAX);

/// Fewest and most seats of a table.
const SEATS: std::ops::RangeInclusive<usize> = 2..=8;

/// Highest stack of a case: what a round can win must fit on top of it, as sums saturate.
const STACK_MAX: i64 = i64::MAX / 2;

/// A round to play.
pub(super) struct Case {
    pub(super) settings: Map<String, Value>,
    pub(super) banker: Seat,
    seats: Vec<SeatInput>,
    pub(super) deck: Vec<Card>,
    pub(super) tray: Vec<Card>,
    pub(super) reshuffles: Vec<Vec<Card>>,
    pub(super) actions: Vec<Action>,
}

/// One step of a case.
pub(super) enum Action {
    /// A seat asks for something.
    Command(Actor, Command),
    /// The time of whoever owes a decision runs out.
    Timeout,
}

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    settings: Map<String, Value>,
    banker: u8,
    seats: Vec<SeatInput>,
    #[serde(deserialize_with = "cards")]
    deck: Vec<Card>,
    #[serde(default, deserialize_with = "cards")]
    tray: Vec<Card>,
    #[serde(default)]
    reshuffles: Vec<Cards>,
    actions: Vec<ActionInput>,
}

#[derive(Clone, Deserialize)]
struct SeatInput {
    seat: u8,
    #[serde(default)]
    stack: Option<i64>,
}

#[derive(Deserialize)]
struct ActionInput {
    #[serde(default)]
    seat: Value,
    #[serde(rename = "type", default)]
    action: Value,
    #[serde(default)]
    amount: Value,
}

#[derive(Deserialize)]
struct Cards(#[serde(deserialize_with = "cards")] Vec<Card>);

fn cards<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Card>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    names.iter().map(|name| name.parse().map_err(serde::de::Error::custom)).collect()
}

impl Case {
    pub(super) fn read(input: &Value) -> Result<Self, Error> {
        let input = Input::deserialize(input)?;
        if input.seats.iter().any(|seat| seat.stack.is_some_and(|stack| stack > STACK_MAX)) {
            return Err(Error::Malformed("a stack is too high".into()));
        }
        Ok(Self {
            settings: input.settings,
            banker: Seat(input.banker),
            seats: input.seats,
            deck: input.deck,
            tray: input.tray,
            reshuffles: input.reshuffles.into_iter().map(|cards| cards.0).collect(),
            actions: input.actions.iter().map(ActionInput::read).collect(),
        })
    }

    /// The seats in order; `None` when they are too few or too many, not distinct, or the banker
    /// is not among them.
    pub(super) fn entrants(&self) -> Option<Vec<Entrant>> {
        let mut entrants: Vec<_> = self
            .seats
            .iter()
            .map(|input| Entrant { seat: Seat(input.seat), stack: input.stack.map(Amount) })
            .collect();
        entrants.sort_unstable_by_key(|entrant| entrant.seat);
        let distinct = entrants.is_sorted_by(|a, b| a.seat < b.seat);
        let banker = entrants.iter().any(|entrant| entrant.seat == self.banker);
        let stranger = entrants.iter().any(|entrant| entrant.seat == NO_SEAT);
        let valid = SEATS.contains(&entrants.len()) && distinct && banker && !stranger;
        valid.then_some(entrants)
    }
}

impl ActionInput {
    fn read(&self) -> Action {
        let amount = whole_number(&self.amount);
        let command = match self.action.as_str().unwrap_or_default() {
            "timeout" => return Action::Timeout,
            "bet" => Command::Bet { amount },
            "sit_out" => Command::SitOut,
            "insurance" => Command::Insurance { amount },
            "decline_insurance" => Command::DeclineInsurance,
            "even_money" => Command::EvenMoney,
            "hit" => Command::Hit,
            "stand" => Command::Stand,
            "double" => Command::Double,
            "split" => Command::Split,
            "surrender" => Command::Surrender,
            "leave" => Command::Leave,
            _ => Command::Unknown,
        };
        let seat =
            self.seat.as_u64().and_then(|seat| u8::try_from(seat).ok()).map_or(NO_SEAT, Seat);
        Action::Command(Actor::Seat(seat), command)
    }
}

/// A whole number, however it is written; one beyond 64 bits is as good as the largest.
fn whole_number(value: &Value) -> Option<Amount> {
    if let Some(number) = value.as_i64() {
        return Some(Amount(number));
    }
    let number = value.as_f64()?;
    (number.fract() == 0.0).then_some(Amount(number as i64))
}

/// The order of each reshuffle as the case has it.
pub(super) struct Prescribed<'a> {
    orders: std::slice::Iter<'a, Vec<Card>>,
    wrong: bool,
}

impl<'a> Prescribed<'a> {
    pub(super) fn new(orders: &'a [Vec<Card>]) -> Self {
        Self { orders: orders.iter(), wrong: false }
    }

    /// Whether a reshuffle was asked for that the case does not have or whose cards are others.
    pub(super) const fn is_wrong(&self) -> bool {
        self.wrong
    }
}

impl StockOrder for Prescribed<'_> {
    fn arrange(&mut self, _: Occasion, cards: &mut [Card]) {
        let order = self.orders.next().map_or(&[][..], Vec::as_slice);
        let (mut asked, mut given) = (cards.to_vec(), order.to_vec());
        asked.sort_unstable();
        given.sort_unstable();
        if asked == given {
            cards.copy_from_slice(order);
        } else {
            self.wrong = true;
        }
    }
}
