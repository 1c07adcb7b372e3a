//! blackjack in the words of `parlor.rules.v1`.
