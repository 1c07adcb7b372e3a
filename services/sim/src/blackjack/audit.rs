//! What must hold after every round.

use parlor_blackjack::event::ShoeFate;
use parlor_blackjack::options::Surrender;
use parlor_blackjack::settlement::HandOutcome;
use parlor_blackjack::shoe::shoe_size;
use parlor_blackjack::{Card, Event, Options, Settlement};
use parlor_game::{Amount, Party};

use super::Played;

/// Checks a round.
///
/// # Errors
/// What does not hold, as text.
pub(super) fn audit<'a>(round: &'a Played, options: &Options) -> Result<&'a Settlement, String> {
    let Some(Event::Settled { settlement, shoe, .. }) = &round.end else {
        return Err(String::from("a round ended without a settlement"));
    };
    check_money(settlement, round)?;
    check_cards(settlement, options)?;
    if *shoe == ShoeFate::GoesOn && round.cards_left != shoe_size(options) {
        return Err(format!("the shoe has {} cards between rounds", round.cards_left));
    }
    Ok(settlement)
}

/// The deltas sum to zero and are what the transfers moved; nobody is in debt.
fn check_money(settlement: &Settlement, round: &Played) -> Result<(), String> {
    let seats = settlement.seats.iter().map(|seat| (seat.seat, seat.delta, seat.stack));
    let banker = &settlement.banker;
    let mut sum = settlement.house;
    for (seat, delta, stack) in seats.chain([(banker.seat, banker.delta, banker.stack)]) {
        sum += delta;
        if stack.is_some_and(|stack| stack < Amount::ZERO) {
            return Err(format!("seat {seat} owes chips"));
        }
        let moved = round.result().map_or(Amount::ZERO, |result| result.net(Party::Seat(seat)));
        if moved != delta {
            return Err(format!("seat {seat} was to get {delta} and got {moved}"));
        }
    }
    if sum == Amount::ZERO { Ok(()) } else { Err(format!("a round made {sum} chips")) }
}

/// No card was on the table more often than the shoe has it, and none was drawn for nothing.
fn check_cards(settlement: &Settlement, options: &Options) -> Result<(), String> {
    let mut counts = [0_u8; 52];
    let mut total = settlement.banker.cards.len();
    let mut on_table: Vec<Card> = settlement.banker.cards.to_vec();
    for hand in settlement.seats.iter().flat_map(|seat| &seat.hands) {
        total += hand.cards.len();
        if !may_come_back(hand.outcome, options) {
            on_table.extend(&hand.cards);
        }
    }
    for card in on_table {
        match counts.get_mut(usize::from(u8::from(card))) {
            Some(count) if *count < options.decks => *count += 1,
            _ => return Err(repeated(card)),
        }
    }
    if total == usize::from(settlement.cards_used) {
        Ok(())
    } else {
        Err(format!("{} cards were drawn and {total} are on the table", settlement.cards_used))
    }
}

/// Whether the hand's cards were in the tray and may have been dealt again in the same round: it
/// went bust or was surrendered, late even against a natural.
fn may_come_back(outcome: HandOutcome, options: &Options) -> bool {
    match outcome {
        HandOutcome::Bust | HandOutcome::Surrender => true,
        HandOutcome::LoseBankerNatural => options.surrender_rule() == Surrender::Late,
        _ => false,
    }
}

fn repeated(card: Card) -> String {
    format!("the {card} was dealt more often than the shoe has it")
}
