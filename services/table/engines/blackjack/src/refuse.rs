//! Every reason with which this game refuses (rules: blackjack 10).

use parlor_game::{Amount, Refusal};

/// Every reason, sorted.
pub const REASONS: &[&str] = &[
    "already_bet",
    "already_decided",
    "bad_amount",
    "banker_cannot_act",
    "banker_cannot_cover",
    "bet_above_max",
    "bet_below_min",
    "bet_step",
    "cannot_double",
    "cannot_split",
    "cannot_surrender",
    "deck_exhausted",
    "double_after_split_off",
    "even_money_requires_natural",
    "insufficient_chips",
    "insurance_amount",
    "invalid_entrants",
    "invalid_settings",
    "match_over",
    "not_in_round",
    "not_your_turn",
    "round_over",
    "round_running",
    "split_aces_locked",
    "split_limit",
    "surrender_off",
    "unknown_action",
    "unknown_seat",
    "waiting_for_banker",
    "wrong_phase",
];

macro_rules! illegal {
    ($($(#[$doc:meta])* $reason:ident: $message:literal;)*) => {
        $($(#[$doc])* pub(crate) fn $reason() -> Refusal {
            Refusal::illegal(stringify!($reason), $message)
        })*
    };
}

illegal! {
    already_bet: "the seat has bet already";
    already_decided: "the seat has decided already";
    banker_cannot_act: "the banker has no decisions";
    cannot_double: "only a hand of two cards can be doubled";
    cannot_split: "only two cards that make a pair can be split";
    cannot_surrender: "a seat may surrender only as its first decision";
    deck_exhausted: "there are not enough cards left";
    double_after_split_off: "this table does not double after a split";
    even_money_requires_natural: "even money is for naturals";
    match_over: "the match is over";
    not_in_round: "the seat is not in this round";
    not_your_turn: "another seat is to act";
    round_over: "no round is running";
    round_running: "a round is running";
    split_aces_locked: "split aces take one card each";
    split_limit: "the seat has as many hands as the table allows";
    surrender_off: "this table has no surrender";
    unknown_seat: "the seat is not at this table";
    waiting_for_banker: "no seat can keep the bank";
    wrong_phase: "this is not the time for that";
}

pub(crate) fn invalid_settings(fault: &'static str) -> Refusal {
    Refusal::invalid("invalid_settings", fault)
}

pub(crate) fn invalid_entrants() -> Refusal {
    Refusal::invalid("invalid_entrants", "the entrants are not seats of this table in order")
}

pub(crate) fn unknown_action() -> Refusal {
    Refusal::invalid("unknown_action", "there is no such action")
}

pub(crate) fn bad_amount() -> Refusal {
    Refusal::invalid("bad_amount", "the amount is not a whole number")
}

pub(crate) fn bet_below_min(lowest: Amount) -> Refusal {
    Refusal::illegal("bet_below_min", "the bet is too low").with("lowest_bet", lowest.0)
}

pub(crate) fn bet_above_max(highest: Amount) -> Refusal {
    Refusal::illegal("bet_above_max", "the bet is too high").with("max_bet", highest.0)
}

pub(crate) fn bet_step(step: Amount) -> Refusal {
    Refusal::illegal("bet_step", "the bet is not a multiple of the step").with("bet_step", step.0)
}

pub(crate) fn insufficient_chips(available: Amount) -> Refusal {
    Refusal::illegal("insufficient_chips", "the seat has not enough chips")
        .with("available", available.0)
}

pub(crate) fn insurance_amount(largest: Amount) -> Refusal {
    Refusal::illegal("insurance_amount", "insurance is at least 1 and at most half the bet")
        .with("largest_insurance", largest.0)
}

/// `largest_bet` is 0 when the seat cannot bet at all.
pub(crate) fn banker_cannot_cover_bet(largest_bet: Amount) -> Refusal {
    banker_cannot_cover().with("largest_bet", largest_bet.0)
}

pub(crate) fn banker_cannot_cover() -> Refusal {
    Refusal::illegal("banker_cannot_cover", "the banker could not pay if this hand won")
}
