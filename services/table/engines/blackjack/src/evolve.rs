//! Folds events into the state: total, without rules and without chance.

use alloc::sync::Arc;

use parlor_game::Seat;

use crate::card::{Card, Cards};
use crate::event::{DealtHand, Event, ShoeFate};
use crate::shoe::{Occasion, Stock};
use crate::state::{
    Bet, Hand, HandStatus, Hole, Insurance, Origin, Phase, Presence, Round, State, Turn,
};

/// Folds one event into the state. An event that does not fit changes nothing.
pub fn evolve(state: &mut State, event: &Event) {
    match event {
        Event::RoundOpened { round, banker, entrants } => {
            state.rounds_opened = *round;
            state.bank.rounds = match state.bank.keeper {
                Some(keeper) if keeper == *banker => state.bank.rounds.saturating_add(1),
                _ => 1,
            };
            state.bank.keeper = Some(*banker);
            state.round = Some(Round::new(*round, *banker, entrants));
        }
        Event::Shuffled { occasion, stock: Some(stock), .. } => shuffled(state, *occasion, stock),
        Event::Shuffled { stock: None, .. } => {}
        Event::Settled { settlement, shoe, .. } => {
            end_round(state, *shoe);
            state.last = Some(Arc::clone(settlement));
        }
        Event::Voided { shoe } => end_round(state, *shoe),
        Event::Hit { seat, hand, card: Some(card), status, .. } => {
            take_card(state, *seat, *hand, *card, *status);
        }
        Event::Doubled { seat, hand, card: Some(card), stake, status, .. } => {
            if let Some(hand) = hand_mut(state, *seat, *hand) {
                hand.stake = *stake;
                hand.doubled = true;
            }
            take_card(state, *seat, *hand, *card, *status);
        }
        Event::Surrendered { seat, hand } => {
            if let Some(hand) = hand_mut(state, *seat, *hand) {
                hand.status = HandStatus::Surrendered;
            }
            discard(state, *seat, *hand);
        }
        Event::Split { seat, hand, stake: _, cards: Some(cards), .. } => {
            draw(state, cards.len());
            split(state, *seat, *hand, *cards);
        }
        Event::Dealt { hands, up, hole: Some(hole), .. } => deal(state, hands, [*up, *hole]),
        Event::BankerDrew { card } => {
            draw(state, 1);
            if let Some(round) = &mut state.round {
                push(&mut round.banker.cards, *card);
            }
        }
        event => {
            if let Some(round) = &mut state.round {
                evolve_round(round, event);
            }
        }
    }
}

/// The events that touch nothing but the round.
fn evolve_round(round: &mut Round, event: &Event) {
    match event {
        Event::BetPlaced { seat, amount } => set_bet(round, *seat, Bet::Placed(*amount)),
        Event::SatOut { seat } => set_bet(round, *seat, Bet::SatOut),
        Event::SeatLeft { seat } if round.banker.seat == *seat => {
            round.banker.presence = Presence::Left;
        }
        Event::SeatLeft { seat } => {
            if let Some(player) = round.player_mut(*seat) {
                player.presence = Presence::Left;
            }
        }
        Event::InsuranceOffered => {
            round.phase = Phase::Insurance;
            round.question = round.question.saturating_add(1);
        }
        Event::InsuranceTaken { seat, amount } => insure(round, *seat, Insurance::Taken(*amount)),
        Event::InsuranceDeclined { seat } => insure(round, *seat, Insurance::Declined),
        Event::EvenMoneyTaken { seat } => {
            insure(round, *seat, Insurance::EvenMoney);
            if let Some(hand) = round.hand_mut(*seat, 0) {
                hand.status = HandStatus::EvenMoney;
            }
        }
        Event::TurnStarted { seat, hand } => {
            round.phase = Phase::Playing;
            round.turn = Some(Turn { seat: *seat, hand: *hand });
            round.question = round.question.saturating_add(1);
        }
        Event::Stood { seat, hand } => {
            if let Some(hand) = round.hand_mut(*seat, *hand) {
                hand.status = HandStatus::Stood;
            }
        }
        Event::HoleRevealed { .. } => {
            round.phase = Phase::BankerTurn;
            round.turn = None;
            round.banker.hole = Hole::Up;
        }
        // A peek is public and leaves its mark in what follows; the rest is no event of a round,
        // or was redacted for somebody who keeps no state.
        _ => {}
    }
}

fn shuffled(state: &mut State, occasion: Occasion, stock: &Stock) {
    state.shoe.replace(stock);
    match occasion {
        Occasion::Shoe => {
            state.shuffle_due = false;
            state.shoe_since = state.rounds_opened;
        }
        Occasion::Tray { number } => {
            if let Some(round) = &mut state.round {
                round.reshuffles = number;
            }
        }
    }
}

fn end_round(state: &mut State, fate: ShoeFate) {
    let Some(round) = state.round.take() else { return };
    state.shuffle_due = fate == ShoeFate::Ends;
    if state.shuffle_due {
        return;
    }
    for hand in round.players.iter().flat_map(|player| &player.hands) {
        // The others went to the tray when they were done.
        if matches!(hand.status, HandStatus::Stood | HandStatus::EvenMoney | HandStatus::Open) {
            state.shoe.discard(&hand.cards);
        }
    }
    state.shoe.discard(&round.banker.cards);
}

fn deal(state: &mut State, hands: &[DealtHand], banker: [Card; 2]) {
    draw(state, (hands.len() + 1) * 2);
    let Some(round) = &mut state.round else { return };
    round.banker.cards = banker.into_iter().collect();
    for dealt in hands {
        let Some(player) = round.player_mut(dealt.seat) else { continue };
        let (Some(cards), Some(stake)) = (dealt.cards, player.stake()) else { continue };
        let mut hand = Hand::dealt(stake);
        hand.cards.extend(cards);
        player.hands.clear();
        player.hands.push(hand);
    }
}

fn take_card(state: &mut State, seat: Seat, hand: u8, card: Card, status: HandStatus) {
    draw(state, 1);
    let Some(round) = &mut state.round else { return };
    round.question = round.question.saturating_add(1);
    let Some(taker) = round.hand_mut(seat, hand) else { return };
    push(&mut taker.cards, card);
    taker.status = status;
    if status == HandStatus::Bust {
        discard(state, seat, hand);
    }
}

fn split(state: &mut State, seat: Seat, hand: u8, cards: [Card; 2]) {
    let Some(round) = &mut state.round else { return };
    round.question = round.question.saturating_add(1);
    let Some(player) = round.player_mut(seat) else { return };
    let place = usize::from(hand);
    let Some(left) = player.hands.get_mut(place) else { return };
    let Some(moved) = left.cards.pop() else { return };
    left.origin = if moved.is_ace() { Origin::SplitAces } else { Origin::Split };
    let mut right = Hand { origin: left.origin, ..Hand::dealt(left.stake) };
    push(&mut left.cards, cards[0]);
    right.cards.extend([moved, cards[1]]);
    if !player.hands.is_full() {
        player.hands.insert(place + 1, right);
    }
}

fn draw(state: &mut State, cards: usize) {
    state.shoe.draw(cards);
    if let Some(round) = &mut state.round {
        let cards = u16::try_from(cards).unwrap_or(u16::MAX);
        round.cards_used = round.cards_used.saturating_add(cards);
    }
}

fn discard(state: &mut State, seat: Seat, hand: u8) {
    let player = state.round.as_ref().and_then(|round| round.player(seat));
    if let Some(hand) = player.and_then(|player| player.hands.get(usize::from(hand))) {
        state.shoe.discard(&hand.cards);
    }
}

fn hand_mut(state: &mut State, seat: Seat, hand: u8) -> Option<&mut Hand> {
    state.round.as_mut()?.hand_mut(seat, hand)
}

fn set_bet(round: &mut Round, seat: Seat, bet: Bet) {
    if let Some(player) = round.player_mut(seat) {
        player.bet = bet;
    }
}

fn insure(round: &mut Round, seat: Seat, insurance: Insurance) {
    if let Some(player) = round.player_mut(seat) {
        player.insurance = insurance;
    }
}

/// Adds a card; a hand beyond [`crate::card::HAND_MAX`] cannot come up, and is cut rather than a
/// panic.
fn push(cards: &mut Cards, card: Card) {
    let _ = cards.try_push(card);
}
