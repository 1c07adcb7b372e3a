//! mahjong questions.
