//! blackjack questions.
