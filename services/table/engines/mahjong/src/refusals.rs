//! Every way in which the game says no.

use parlor_game::Refusal;

use crate::tile::Tile;

/// The reasons of all refusals, sorted.
pub const REASONS: &[&str] = &[
    "already_chosen",
    "bad_entrants",
    "bad_exchange",
    "bad_option",
    "hand_in_progress",
    "kong_not_possible",
    "match_over",
    "must_discard_void",
    "no_hand",
    "not_offered",
    "not_your_turn",
    "tile_not_in_hand",
    "win_not_possible",
    "wrong_phase",
];

pub fn already_chosen() -> Refusal {
    Refusal::illegal("already_chosen", "the seat has chosen already and cannot change it")
}

pub fn bad_entrants(seats: u8) -> Refusal {
    Refusal::invalid("bad_entrants", "every seat of the table must take part")
        .with("seats", i64::from(seats))
}

pub fn bad_exchange() -> Refusal {
    Refusal::illegal("bad_exchange", "three tiles of one suit from the hand must be given")
}

pub fn hand_in_progress() -> Refusal {
    Refusal::illegal("hand_in_progress", "a hand is in progress")
}

pub fn kong_not_possible() -> Refusal {
    Refusal::illegal("kong_not_possible", "this kong cannot be made now")
}

pub fn match_over() -> Refusal {
    Refusal::illegal("match_over", "all hands of the match are played")
}

pub fn must_discard_void() -> Refusal {
    Refusal::illegal("must_discard_void", "tiles of the void suit must be discarded first")
}

pub fn no_hand() -> Refusal {
    Refusal::illegal("no_hand", "no hand is in progress")
}

pub fn not_offered() -> Refusal {
    Refusal::illegal("not_offered", "the seat was not offered this, or has answered")
}

pub fn not_your_turn() -> Refusal {
    Refusal::illegal("not_your_turn", "it is not the seat's turn")
}

pub fn tile_not_in_hand(tile: Tile) -> Refusal {
    Refusal::illegal("tile_not_in_hand", alloc::format!("{tile} is not in the hand"))
}

pub fn win_not_possible() -> Refusal {
    Refusal::illegal("win_not_possible", "the hand is not complete with the drawn tile")
}

pub fn wrong_phase() -> Refusal {
    Refusal::illegal("wrong_phase", "the command does not belong to this part of the hand")
}
