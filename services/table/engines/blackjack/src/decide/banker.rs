//! The banker's turn and the end of the round (rules: blackjack 2.6).

use crate::card::Total;
use crate::croupier::Croupier;
use crate::event::{Event, ShoeFate};
use crate::options::Options;
use crate::settle;
use crate::state::{HandStatus, Round, State};

/// Turns the hole card, draws what the rule demands, and settles.
pub(super) fn settle(croupier: &mut Croupier) {
    let Some(&hole) = croupier.round().and_then(|round| round.banker.cards.get(1)) else {
        return;
    };
    croupier.record(Event::HoleRevealed { card: hole });
    let mut short = false;
    while must_draw(croupier) {
        let Some([card]) = croupier.next_cards() else {
            short = true;
            break;
        };
        croupier.record(Event::BankerDrew { card });
    }
    let shoe = shoe_fate(croupier.state());
    let Some(round) = croupier.round() else { return };
    let (settlement, result) = settle::settle(round, croupier.options(), short);
    croupier.record(Event::Settled { settlement: settlement.into(), result, shoe });
}

/// Whether the rule makes the banker draw: only against a hand that is still in play.
fn must_draw(croupier: &Croupier) -> bool {
    croupier.round().is_some_and(|round| {
        hits(Total::of(&round.banker.cards), croupier.options())
            && !round.banker.has_natural()
            && has_live_hand(round)
    })
}

const fn hits(total: Total, options: &Options) -> bool {
    total.points < 17 || (total.points == 17 && total.soft && options.soft_hit_17)
}

fn has_live_hand(round: &Round) -> bool {
    let mut hands = round.players.iter().flat_map(|player| &player.hands);
    hands.any(|hand| hand.status == HandStatus::Stood && !hand.is_natural())
}

/// Most rounds of one shoe. No shoe has cards for as many, so only rounds in which nobody bets get
/// there; each of them adds a seed that has to be kept until the shoe is over.
const SHOE_ROUNDS_MAX: u32 = 500;

/// Whether the stock serves another round.
pub(super) fn shoe_fate(state: &State) -> ShoeFate {
    let options = &state.options;
    let worn = state.rounds_opened.saturating_sub(state.shoe_since) + 1 >= SHOE_ROUNDS_MAX;
    if options.shuffles_every_round() || state.shoe.is_past_cut_card(options) || worn {
        ShoeFate::Ends
    } else {
        ShoeFate::GoesOn
    }
}
