//! The contract between a game and the table shell.

use alloc::vec::Vec;
use core::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fair::Entropy;
use crate::refusal::Refusal;
use crate::result::HandResult;
use crate::units::{Amount, Seat};

/// Who sends a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Actor {
    /// The occupant of a seat, or the shell in its name when its time has run out.
    Seat(Seat),
    /// The table itself: closes a window that has no player's decision in it.
    System,
}

/// Whose eyes a view or a redacted event is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    /// The occupant of a seat: sees its own hidden cards.
    Seat(Seat),
    /// Sees what is public.
    Spectator,
    /// Sees everything: audit and replay, never a player during a hand.
    Auditor,
}

/// A seat that takes part in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Entrant {
    /// The seat.
    pub seat: Seat,
    /// Minor units it can lose in this hand; `None` in points mode, where debt is allowed.
    pub stack: Option<Amount>,
}

/// A decision that one seat owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending<C> {
    /// Who decides.
    pub seat: Seat,
    /// Number of the decision within the hand. It changes when the seat faces a new question, and
    /// with it the clock starts anew; it stays while other seats answer the same question.
    pub decision: u32,
    /// How long the seat may think, in milliseconds.
    pub clock_ms: u32,
    /// What the shell commands in the seat's name when its time has run out.
    pub default: C,
    /// Who may know that this seat is asked at all.
    pub audience: Audience,
}

/// Who may know that a seat owes a decision, and how long it still has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody: it is the seat's turn.
    Everyone,
    /// Only the seat itself: an offer that others must not learn of.
    Own,
}

/// A step that the table takes by itself after a pause, such as closing a claim window.
///
/// The pause is drawn uniformly by the shell, so that its length tells nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPending<C> {
    /// Number of the decision within the hand, as for [`Pending::decision`].
    pub decision: u32,
    /// Shortest pause in milliseconds.
    pub min_ms: u32,
    /// Longest pause in milliseconds.
    pub max_ms: u32,
    /// The command that the table then gives as [`Actor::System`].
    pub command: C,
}

/// Who may act now. Empty between hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaiting<C> {
    /// Decisions owed by seats, by seat.
    pub seats: Vec<Pending<C>>,
    /// A step owed by the table.
    pub system: Option<SystemPending<C>>,
}

impl<C> Default for Awaiting<C> {
    fn default() -> Self {
        Self { seats: Vec::new(), system: None }
    }
}

impl<C> Awaiting<C> {
    /// Whether nobody owes anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty() && self.system.is_none()
    }
}

/// How a game's occupants come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Hand after hand: anyone may leave between two hands.
    Continuous,
    /// A match of several hands: occupants stay to its end, on auto-play if need be.
    Match,
    /// One player and no opponent: the table waits for as long as its player is away.
    Solo,
}

/// A table game. One value of [`Game::State`] lives as long as a match: it spans several hands.
///
/// Every function is pure. None may panic on any state that [`Game::open`] and [`Game::evolve`]
/// produced, whatever the command.
pub trait Game: Sized + 'static {
    /// Stable lower-case name, such as `blackjack`.
    const ID: &'static str;
    /// Version of the rules. Raise it when the meaning of a stored event changes.
    const RULES_VERSION: u32;
    /// Every reason that this game's refusals can carry, sorted.
    const REASONS: &'static [&'static str];
    /// How occupants come and go.
    const PACE: Pace = Pace::Continuous;

    /// The room options of the rules, with their defaults.
    type Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What a seat (or the table) may ask for.
    type Command: Clone + Debug + PartialEq + Ord + Serialize + DeserializeOwned + Send + Sync;
    /// What happened, complete: the auditor's version.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// Everything the game remembers.
    type State: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What one viewer may know.
    type View: Clone + Debug + PartialEq + Serialize + Send + Sync;

    /// How many seats a table with these options has: fewest entrants of a hand, and seats.
    ///
    /// # Errors
    /// The reason of the first option that is out of range.
    fn seats(options: &Self::Options) -> Result<(u8, u8), Refusal>;

    /// The state of a new match, before its first hand.
    ///
    /// # Errors
    /// The reason of the first option that is out of range.
    fn open(options: &Self::Options) -> Result<Self::State, Refusal>;

    /// Starts the next hand with these entrants (sorted by seat).
    ///
    /// # Errors
    /// When a hand runs already, the match is over, or these entrants cannot play.
    fn deal(
        state: &Self::State,
        entrants: &[Entrant],
        entropy: &Entropy,
    ) -> Result<Vec<Self::Event>, Refusal>;

    /// What a command does, as events. Changes nothing.
    ///
    /// # Errors
    /// The rule's reason when the command is not allowed.
    fn decide(
        state: &Self::State,
        actor: Actor,
        command: &Self::Command,
        entropy: &Entropy,
    ) -> Result<Vec<Self::Event>, Refusal>;

    /// Folds one event into the state: total, without rules and without chance.
    fn evolve(state: &mut Self::State, event: &Self::Event);

    /// Who may act now, how long, and what happens otherwise. Empty between hands.
    fn awaiting(state: &Self::State) -> Awaiting<Self::Command>;

    /// Commands that [`Game::decide`] accepts from this seat now, sorted, without duplicates.
    ///
    /// Where a command has a free parameter (an amount, a choice of cards) the list holds the
    /// bounds or a documented sample. It is not empty for a seat that the game awaits.
    fn legal(state: &Self::State, seat: Seat) -> Vec<Self::Command>;

    /// The part of an event that a viewer may know; `None` when it may not know of it at all.
    fn redact(event: &Self::Event, viewer: Viewer) -> Option<Self::Event>;

    /// What a viewer may know now, built from nothing. It holds what the viewer may do as well.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;

    /// The money of a hand, when this event ends one.
    fn hand_result(event: &Self::Event) -> Option<&HandResult>;

    /// Whether a hand is in progress.
    fn in_hand(state: &Self::State) -> bool;

    /// Whether the match is over and no further hand can be dealt.
    fn finished(state: &Self::State) -> bool;

    /// Names the deal that all tables with these options have in common, such as a day's challenge;
    /// `None` when every hand has a deal of its own.
    ///
    /// Its seed is not revealed with the hand: others are still to play the same deal.
    fn shared_deal(_options: &Self::Options) -> Option<&str> {
        None
    }

    /// Whether the seed of the hand may be revealed once this event has happened. A shoe that goes
    /// on into the next hand must say no.
    fn reveals_seed(event: &Self::Event) -> bool {
        Self::hand_result(event).is_some()
    }

    /// The command that the shell gives in the name of a seat whose occupant leaves during a
    /// hand; `None` when the defaults of [`Game::awaiting`] suffice.
    fn leave(_state: &Self::State, _seat: Seat) -> Option<Self::Command> {
        None
    }

    /// A bot's choice from its own view; `None` when it has nothing to decide.
    fn bot(view: &Self::View) -> Option<Self::Command>;
}

/// A game whose hidden information can be permuted, for the proof that it does not leak.
///
/// For every viewer, the view of a permuted state and the redaction of a permuted event must be
/// the same bytes as those of the original.
pub trait Hidden: Game {
    /// A state that differs from `state` only in what `viewer` may not know.
    fn permute_state(state: &Self::State, viewer: Viewer, entropy: &Entropy) -> Self::State;

    /// An event that differs from `event` only in what `viewer` may not know.
    fn permute_event(event: &Self::Event, viewer: Viewer, entropy: &Entropy) -> Self::Event;
}
