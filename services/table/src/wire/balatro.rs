//! Balatro in the words of `parlor.rules.v1`.

mod command;
mod event;
mod items;
#[cfg(test)]
mod tests;
mod view;

use parlor_balatro::content::decks::Profile;
use parlor_balatro::content::{DeckId, Stake};
use parlor_balatro::number::decimal;
use parlor_balatro::{Balatro, Command, Event, Options, View};
use parlor_game::Refusal;
use parlor_proto::rules::v1 as pb;
use parlor_proto::settlement::v1::RunOutcome;

use super::{MALFORMED, Wire};

impl Wire for Balatro {
    type OptionsMessage = pb::BalatroOptions;
    type CommandMessage = pb::BalatroCommand;
    type EventMessage = pb::BalatroEvent;
    type ViewMessage = pb::BalatroView;

    fn options_from(message: pb::BalatroOptions) -> Result<Options, Refusal> {
        let defaults = Options::default();
        let deck = message.deck.as_deref().filter(|id| !id.is_empty());
        Ok(Options {
            profile: match message.profile.as_deref() {
                None => defaults.profile,
                Some("classic") => Profile::Classic,
                Some("seed") => Profile::Seed,
                Some(_) => return Err(malformed("unknown profile")),
            },
            deck: deck
                .map(|id| DeckId::from_id(id).ok_or_else(|| malformed("unknown deck")))
                .transpose()?,
            stake: match message.stake.as_deref() {
                None => defaults.stake,
                Some(id) => Stake::from_id(id).ok_or_else(|| malformed("unknown stake"))?,
            },
            daily: message.daily,
        })
    }

    fn options_to(options: &Options) -> pb::BalatroOptions {
        let profile = match options.profile {
            Profile::Classic => "classic",
            Profile::Seed => "seed",
        };
        pb::BalatroOptions {
            profile: Some(profile.into()),
            deck: Some(options.deck.map(DeckId::id).unwrap_or_default().into()),
            stake: Some(options.stake.id().into()),
            daily: options.daily.clone(),
        }
    }

    fn command_from(message: pb::BalatroCommand) -> Result<Command, Refusal> {
        command::command_from(message)
    }

    fn command_to(command: &Command) -> pb::BalatroCommand {
        command::command_to(command)
    }

    fn event_to(event: &Event) -> pb::BalatroEvent {
        event::event_to(event)
    }

    fn view_to(view: &View) -> pb::BalatroView {
        view::view_to(view)
    }

    fn run_to(event: &Event) -> Option<RunOutcome> {
        let Event::RunEnded(end) = event else { return None };
        let summary = &end.summary;
        Some(RunOutcome {
            won: summary.won,
            ante: u32::try_from(summary.ante).unwrap_or(0),
            round: summary.round_no,
            best_score: decimal(summary.best_hand),
            daily: summary.daily.clone().unwrap_or_default(),
        })
    }
}

fn malformed(message: &'static str) -> Refusal {
    Refusal::invalid(MALFORMED, message)
}
