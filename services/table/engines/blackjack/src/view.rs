//! What a viewer may know, built from nothing (rules: blackjack 11).
//!
//! **Invariant**: the order of the stock and of the tray is in no view, and the hole card in none
//! but the auditor's before it is turned.

use alloc::sync::Arc;
use alloc::vec::Vec;

use parlor_game::{Amount, Seat, Viewer};
use serde::{Deserialize, Serialize};

use crate::actions::Actions;
use crate::card::{Cards, Total};
use crate::options::Options;
use crate::settlement::Settlement;
use crate::shoe::shoe_size;
use crate::state::{
    Banker, Bet, Hand, HandStatus, Hole, Insurance, Phase, Player, Presence, Round, State, Turn,
};

/// The table as one viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The settings of the table.
    pub options: Options,
    /// Counts the rounds from 1; 0 before the first.
    pub round: u32,
    /// How far the round is; `None` between rounds.
    pub phase: Option<Phase>,
    /// The banker of the round; `None` between rounds.
    pub banker: Option<BankerView>,
    /// The other seats in the order of play; empty between rounds.
    pub seats: Vec<SeatView>,
    /// The hand that is to act.
    pub turn: Option<Turn>,
    /// The viewer's own seat; `None` for a spectator and the auditor.
    pub you: Option<Seat>,
    /// What the viewer may do now.
    pub actions: Actions,
    /// The shoe.
    pub shoe: ShoeView,
    /// The last round that was settled.
    pub last: Option<Arc<Settlement>>,
}

/// The banker as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankerView {
    /// Who.
    pub seat: Seat,
    /// The stack when the round began; `None` in points mode.
    pub stack: Option<Amount>,
    /// Whether the occupant is still there.
    pub presence: Presence,
    /// The cards that the viewer sees, the up card first.
    pub cards: Cards,
    /// Cards that lie face down.
    pub face_down: u8,
    /// What the visible cards count; `None` before the deal.
    pub total: Option<Total>,
}

/// A player's seat as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    /// Who.
    pub seat: Seat,
    /// The stack when the round began; `None` in points mode.
    pub stack: Option<Amount>,
    /// What of it is at risk: bets and insurance.
    pub at_risk: Amount,
    /// Whether the occupant is still there.
    pub presence: Presence,
    /// The bet.
    pub bet: Bet,
    /// The insurance.
    pub insurance: Insurance,
    /// The hands from left to right.
    pub hands: Vec<HandView>,
}

/// A hand as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandView {
    /// The cards that the viewer sees: all of them or none.
    pub cards: Cards,
    /// Cards that lie face down for the viewer.
    pub face_down: u8,
    /// What the cards count; `None` when they lie face down.
    pub total: Option<Total>,
    /// Whether the hand is a natural; `false` also when its cards lie face down.
    pub natural: bool,
    /// What is at risk.
    pub stake: Amount,
    /// Whether the hand was doubled.
    pub doubled: bool,
    /// What became of the hand so far.
    pub status: HandStatus,
}

/// What everybody may know about the shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShoeView {
    /// Cards of the whole shoe.
    pub size: u16,
    /// Cards left in the stock.
    pub stock: u16,
    /// Discards in the tray.
    pub tray: u16,
    /// Whether the next round begins with a shuffle of the whole shoe.
    pub shuffle_next: bool,
}

/// What a viewer may know now.
#[must_use]
pub fn view(state: &State, viewer: Viewer) -> View {
    let you = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::Auditor => None,
    };
    let round = state.round.as_ref();
    View {
        options: state.options.clone(),
        round: state.rounds_opened,
        phase: round.map(|round| round.phase),
        banker: round.map(|round| banker_view(&round.banker, viewer)),
        seats: round.map_or_else(Vec::new, |round| seat_views(state, round, viewer)),
        turn: round.and_then(|round| round.turn),
        you,
        actions: you.map_or_else(Actions::default, |seat| Actions::of(state, seat)),
        shoe: ShoeView {
            size: count(shoe_size(&state.options)),
            stock: count(state.shoe.stock().len()),
            tray: count(state.shoe.tray().len()),
            shuffle_next: round.is_none() && state.shuffle_due,
        },
        last: state.last.clone(),
    }
}

fn banker_view(banker: &Banker, viewer: Viewer) -> BankerView {
    let seen = match (banker.hole, viewer) {
        (Hole::Up, _) | (_, Viewer::Auditor) => banker.cards.len(),
        (Hole::Down, _) => banker.cards.len().min(1),
    };
    let cards: Cards = banker.cards.iter().take(seen).copied().collect();
    BankerView {
        seat: banker.seat,
        stack: banker.stack,
        presence: banker.presence,
        face_down: small(banker.cards.len() - seen),
        total: (!cards.is_empty()).then(|| Total::of(&cards)),
        cards,
    }
}

fn seat_views(state: &State, round: &Round, viewer: Viewer) -> Vec<SeatView> {
    round
        .players
        .iter()
        .map(|player| {
            let seen = state.options.player_cards_public || sees_cards_of(viewer, player);
            SeatView {
                seat: player.seat,
                stack: player.stack,
                at_risk: player.at_risk(),
                presence: player.presence,
                bet: player.bet,
                insurance: player.insurance,
                hands: player
                    .hands
                    .iter()
                    .map(|hand| if seen { open_hand(hand) } else { closed_hand(hand) })
                    .collect(),
            }
        })
        .collect()
}

fn sees_cards_of(viewer: Viewer, player: &Player) -> bool {
    match viewer {
        Viewer::Seat(seat) => seat == player.seat,
        Viewer::Spectator => false,
        Viewer::Auditor => true,
    }
}

fn open_hand(hand: &Hand) -> HandView {
    HandView {
        cards: hand.cards.clone(),
        face_down: 0,
        total: Some(hand.total()),
        natural: hand.is_natural(),
        stake: hand.stake,
        doubled: hand.doubled,
        status: hand.status,
    }
}

fn closed_hand(hand: &Hand) -> HandView {
    HandView {
        cards: Cards::new(),
        face_down: small(hand.cards.len()),
        total: None,
        natural: false,
        stake: hand.stake,
        doubled: hand.doubled,
        status: hand.status,
    }
}

fn count(cards: usize) -> u16 {
    u16::try_from(cards).unwrap_or(u16::MAX)
}

fn small(cards: usize) -> u8 {
    u8::try_from(cards).unwrap_or(u8::MAX)
}
