//! Scoring one play: the pipeline in its exact order and arithmetic (rules: balatro 5).
//!
//! [`score`] is a pure function of a [`Scene`] (cards, jokers, levels, boss, facts of the run) and
//! of its [`Rolls`]. It tells what happened as an [`Outcome`] and, when asked, every step as
//! a [`Step`].
//!
//! * `scene`: what goes in.
//! * `outcome`: what comes out.
//! * `pipeline`: the order of things; `scorer`: the play meanwhile.
//! * `effects`: conditions, amounts and acts of jokers during a play.
//! * `rolls`: chance.

mod effects;
mod outcome;
mod pipeline;
mod rolls;
mod scene;
mod scorer;

pub use outcome::{Created, CreatedKind, Outcome, Step, StepKind, StepSource};
pub use pipeline::{estimate, score, score_traced};
pub use rolls::{Certain, RollKey, Rolls};
pub use scene::{BossScene, Facts, Scene, SceneJoker, first_five};
pub use scorer::Row;
