//! balatro questions.
