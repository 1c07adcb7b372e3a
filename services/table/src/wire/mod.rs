//! The engines' types in the words of `parlor.rules.v1`, and back.
//!
//! Engines know nothing of protobuf; this is the only place where the two meet. Messages from
//! outside are checked here for form (known enum values, cards that exist, bounded lengths);
//! whether a move is allowed is the engine's question.

use parlor_game::{Game, Refusal};
use parlor_proto::settlement::v1::RunOutcome;

pub mod balatro;
pub mod blackjack;
pub mod command;
pub mod echo;
pub mod envelope;
pub mod mahjong;
pub mod result;
pub mod settings;
pub mod table;

/// The reason of a command or options message that cannot be read.
pub const MALFORMED: &str = "malformed_command";

/// A game whose commands, events and views have protobuf messages.
pub trait Wire: Game {
    /// The room options message.
    type OptionsMessage: prost::Message + Default;
    /// The command message.
    type CommandMessage: prost::Message + Default;
    /// The event message.
    type EventMessage: prost::Message + Default;
    /// The view message.
    type ViewMessage: prost::Message + Default;

    /// Options from a client or another service. Absent fields take the rule's default.
    ///
    /// # Errors
    /// `invalid` when a field cannot be read.
    fn options_from(message: Self::OptionsMessage) -> Result<Self::Options, Refusal>;

    /// Options with every field set.
    fn options_to(options: &Self::Options) -> Self::OptionsMessage;

    /// A command from a client.
    ///
    /// # Errors
    /// `invalid` with [`MALFORMED`] when it cannot be read.
    fn command_from(message: Self::CommandMessage) -> Result<Self::Command, Refusal>;

    /// A command as a client would send it.
    fn command_to(command: &Self::Command) -> Self::CommandMessage;

    /// A redacted event.
    fn event_to(event: &Self::Event) -> Self::EventMessage;

    /// A viewer's view.
    fn view_to(view: &Self::View) -> Self::ViewMessage;

    /// Where a run ended, when this event ends one: what leaderboards of solo games show.
    #[must_use]
    fn run_to(_event: &Self::Event) -> Option<RunOutcome> {
        None
    }
}
