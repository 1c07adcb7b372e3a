//! Playing the hands, one after the other (rules: blackjack 2.5).

use alloc::vec::Vec;

use parlor_game::{Amount, Refusal, Seat};

use super::banker;
use crate::card::{Card, Total};
use crate::cover;
use crate::croupier::Croupier;
use crate::event::Event;
use crate::options::{Options, SplitRule, Surrender};
use crate::refuse;
use crate::shoe::StockOrder;
use crate::state::{Hand, HandStatus, Origin, Phase, Player, Presence, Round, State, Turn};

/// The hand that is to act and all that its actions depend on.
#[derive(Clone, Copy)]
pub(crate) struct Acting<'a> {
    state: &'a State,
    round: &'a Round,
    player: &'a Player,
    hand: &'a Hand,
    place: u8,
}

impl<'a> Acting<'a> {
    /// The hand of `seat` that is to act.
    ///
    /// # Errors
    /// `wrong_phase`, `not_in_round`, `not_your_turn`.
    pub(crate) fn new(state: &'a State, round: &'a Round, seat: Seat) -> Result<Self, Refusal> {
        if round.phase != Phase::Playing {
            return Err(refuse::wrong_phase());
        }
        let player = round.player(seat).ok_or_else(refuse::unknown_seat)?;
        if player.stake().is_none() {
            return Err(refuse::not_in_round());
        }
        let place = match round.turn {
            Some(turn) if turn.seat == seat => turn.hand,
            _ => return Err(refuse::not_your_turn()),
        };
        let hand = player.hands.get(usize::from(place)).ok_or_else(refuse::not_your_turn)?;
        Ok(Self { state, round, player, hand, place })
    }

    pub(crate) const fn stake(&self) -> Amount {
        self.hand.stake
    }

    const fn options(&self) -> &'a Options {
        &self.state.options
    }

    fn check_cards(&self, count: usize) -> Result<(), Refusal> {
        if self.state.shoe.available() < count { Err(refuse::deck_exhausted()) } else { Ok(()) }
    }

    fn check_unlocked(&self) -> Result<(), Refusal> {
        match self.hand.origin {
            Origin::SplitAces => Err(refuse::split_aces_locked()),
            Origin::Deal | Origin::Split => Ok(()),
        }
    }

    /// Whether the seat can stake as much again, and the banker pay it on top of what is reserved
    /// for the hand, which for a natural is more than its stake.
    fn check_stake(&self) -> Result<(), Refusal> {
        let (stake, options) = (self.hand.stake, self.options());
        if !self.player.can_stake(stake, options) {
            let available = self.player.available(options).unwrap_or_default();
            return Err(refuse::insufficient_chips(available.max(Amount::ZERO)));
        }
        if cover::covers(self.round, options, stake) {
            Ok(())
        } else {
            Err(refuse::banker_cannot_cover())
        }
    }
}

pub(crate) fn may_hit(acting: &Acting) -> Result<(), Refusal> {
    acting.check_unlocked()?;
    acting.check_cards(1)
}

pub(crate) fn may_double(acting: &Acting) -> Result<(), Refusal> {
    if !acting.hand.is_fresh() {
        return Err(refuse::cannot_double());
    }
    acting.check_unlocked()?;
    if acting.hand.origin != Origin::Deal && !acting.options().double_after_split {
        return Err(refuse::double_after_split_off());
    }
    acting.check_cards(1)?;
    acting.check_stake()
}

pub(crate) fn may_split(acting: &Acting) -> Result<(), Refusal> {
    if !is_pair(acting.hand, acting.options()) {
        return Err(refuse::cannot_split());
    }
    if !may_have_another_hand(acting.player, acting.options()) {
        return Err(refuse::split_limit());
    }
    acting.check_cards(2)?;
    acting.check_stake()
}

pub(crate) fn may_surrender(acting: &Acting) -> Result<(), Refusal> {
    if acting.options().surrender_rule() == Surrender::Off {
        return Err(refuse::surrender_off());
    }
    let hand = acting.hand;
    let first_decision = hand.origin == Origin::Deal && hand.is_fresh();
    if first_decision && !hand.is_natural() { Ok(()) } else { Err(refuse::cannot_surrender()) }
}

pub(super) fn hit(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let acting = Acting::new(state, round, seat)?;
    may_hit(&acting)?;
    let hand = acting.place;
    let mut croupier = Croupier::new(state, order);
    let [card] = croupier.next_cards().ok_or_else(refuse::deck_exhausted)?;
    let status = match total_with(acting.hand, card) {
        total if total.is_bust() => HandStatus::Bust,
        total if total.points == 21 && state.options.auto_stand_21 => HandStatus::Stood,
        _ => HandStatus::Open,
    };
    let faces = croupier.faces();
    croupier.record(Event::Hit { faces, seat, hand, card: Some(card), status });
    advance(&mut croupier);
    Ok(croupier.finish())
}

pub(super) fn stand(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let hand = Acting::new(state, round, seat)?.place;
    let mut croupier = Croupier::new(state, order);
    croupier.record(Event::Stood { seat, hand });
    advance(&mut croupier);
    Ok(croupier.finish())
}

pub(super) fn double(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let acting = Acting::new(state, round, seat)?;
    may_double(&acting)?;
    let (hand, stake) = (acting.place, acting.hand.stake + acting.hand.stake);
    let mut croupier = Croupier::new(state, order);
    let [card] = croupier.next_cards().ok_or_else(refuse::deck_exhausted)?;
    let bust = total_with(acting.hand, card).is_bust();
    let status = if bust { HandStatus::Bust } else { HandStatus::Stood };
    let faces = croupier.faces();
    croupier.record(Event::Doubled { faces, seat, hand, card: Some(card), stake, status });
    advance(&mut croupier);
    Ok(croupier.finish())
}

pub(super) fn split(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let acting = Acting::new(state, round, seat)?;
    may_split(&acting)?;
    let (hand, stake) = (acting.place, acting.hand.stake);
    let mut croupier = Croupier::new(state, order);
    let cards = croupier.next_cards().ok_or_else(refuse::deck_exhausted)?;
    let faces = croupier.faces();
    croupier.record(Event::Split { faces, seat, hand, stake, cards: Some(cards) });
    advance(&mut croupier);
    Ok(croupier.finish())
}

pub(super) fn surrender(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let acting = Acting::new(state, round, seat)?;
    may_surrender(&acting)?;
    let mut croupier = Croupier::new(state, order);
    croupier.record(Event::Surrendered { seat, hand: acting.place });
    advance(&mut croupier);
    Ok(croupier.finish())
}

/// Finds the next hand that has something to decide, standing on those before it; after the last
/// one it is the banker's turn.
pub(super) fn advance(croupier: &mut Croupier) {
    while let Some((turn, decides)) = next_open(croupier) {
        let Turn { seat, hand } = turn;
        if !decides {
            croupier.record(Event::Stood { seat, hand });
            continue;
        }
        if croupier.round().and_then(|round| round.turn) != Some(turn) {
            croupier.record(Event::TurnStarted { seat, hand });
        }
        return;
    }
    banker::settle(croupier);
}

/// The first hand in the order of play that is open, and whether there is anything to decide.
fn next_open(croupier: &Croupier) -> Option<(Turn, bool)> {
    croupier.round()?.players.iter().find_map(|player| {
        let place = player.hands.iter().position(|hand| hand.status == HandStatus::Open)?;
        let decides = player.presence == Presence::Present
            && has_decision(player, &player.hands[place], croupier.options());
        let hand = u8::try_from(place).unwrap_or(u8::MAX);
        Some((Turn { seat: player.seat, hand }, decides))
    })
}

/// Whether an open hand leaves anything to decide.
fn has_decision(player: &Player, hand: &Hand, options: &Options) -> bool {
    if hand.origin == Origin::SplitAces {
        return options.resplit_aces
            && is_pair(hand, options)
            && may_have_another_hand(player, options);
    }
    !(options.auto_stand_21 && hand.total().points == 21)
}

fn is_pair(hand: &Hand, options: &Options) -> bool {
    let [first, second] = hand.cards[..] else { return false };
    match options.split_rule {
        SplitRule::Value => first.points() == second.points(),
        SplitRule::Rank => first.rank() == second.rank(),
    }
}

fn may_have_another_hand(player: &Player, options: &Options) -> bool {
    player.hands.len() < usize::from(options.max_split_hands) && !player.hands.is_full()
}

fn total_with(hand: &Hand, card: Card) -> Total {
    let mut cards = hand.cards.clone();
    let _ = cards.try_push(card);
    Total::of(&cards)
}
