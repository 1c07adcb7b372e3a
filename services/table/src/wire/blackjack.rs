//! Blackjack in the words of `parlor.rules.v1`.

mod event;
mod options;
mod settlement;
#[cfg(test)]
mod tests;
mod view;

use parlor_blackjack::state::HandStatus;
use parlor_blackjack::{Blackjack, Card, Command, Event, Options, View};
use parlor_game::{Amount, Refusal, Seat};
use parlor_proto::rules::v1 as pb;
use pb::blackjack_command::Action;

use super::Wire;

impl Wire for Blackjack {
    type OptionsMessage = pb::BlackjackOptions;
    type CommandMessage = pb::BlackjackCommand;
    type EventMessage = pb::BlackjackEvent;
    type ViewMessage = pb::BlackjackView;

    fn options_from(message: pb::BlackjackOptions) -> Result<Options, Refusal> {
        options::options_from(&message)
    }

    fn options_to(options: &Options) -> pb::BlackjackOptions {
        options::options_to(options)
    }

    /// What no command stands for is one that the engine does not know: the engine says so in its
    /// own order of checks.
    fn command_from(message: pb::BlackjackCommand) -> Result<Command, Refusal> {
        let amount = |stake: pb::BlackjackStake| stake.amount.map(Amount);
        Ok(match message.action {
            Some(Action::Bet(stake)) => Command::Bet { amount: amount(stake) },
            Some(Action::Insurance(stake)) => Command::Insurance { amount: amount(stake) },
            Some(Action::Move(number)) => match pb::BlackjackMove::try_from(number) {
                Ok(pb::BlackjackMove::SitOut) => Command::SitOut,
                Ok(pb::BlackjackMove::DeclineInsurance) => Command::DeclineInsurance,
                Ok(pb::BlackjackMove::EvenMoney) => Command::EvenMoney,
                Ok(pb::BlackjackMove::Hit) => Command::Hit,
                Ok(pb::BlackjackMove::Stand) => Command::Stand,
                Ok(pb::BlackjackMove::Double) => Command::Double,
                Ok(pb::BlackjackMove::Split) => Command::Split,
                Ok(pb::BlackjackMove::Surrender) => Command::Surrender,
                Ok(pb::BlackjackMove::Leave) => Command::Leave,
                Ok(pb::BlackjackMove::Unspecified) | Err(_) => Command::Unknown,
            },
            None => Command::Unknown,
        })
    }

    fn command_to(command: &Command) -> pb::BlackjackCommand {
        let stake = |amount: Option<Amount>| pb::BlackjackStake { amount: amount.map(|it| it.0) };
        let plain = |chosen: pb::BlackjackMove| Some(Action::Move(chosen.into()));
        let action = match command {
            Command::Bet { amount } => Some(Action::Bet(stake(*amount))),
            Command::Insurance { amount } => Some(Action::Insurance(stake(*amount))),
            Command::SitOut => plain(pb::BlackjackMove::SitOut),
            Command::DeclineInsurance => plain(pb::BlackjackMove::DeclineInsurance),
            Command::EvenMoney => plain(pb::BlackjackMove::EvenMoney),
            Command::Hit => plain(pb::BlackjackMove::Hit),
            Command::Stand => plain(pb::BlackjackMove::Stand),
            Command::Double => plain(pb::BlackjackMove::Double),
            Command::Split => plain(pb::BlackjackMove::Split),
            Command::Surrender => plain(pb::BlackjackMove::Surrender),
            Command::Leave => plain(pb::BlackjackMove::Leave),
            Command::Unknown => None,
        };
        pb::BlackjackCommand { action }
    }

    fn event_to(event: &Event) -> pb::BlackjackEvent {
        event::event_to(event)
    }

    fn view_to(view: &View) -> pb::BlackjackView {
        view::view_to(view)
    }
}

fn seat_to(seat: Seat) -> u32 {
    u32::from(seat.0)
}

fn cards_to<'a>(cards: impl IntoIterator<Item = &'a Card>) -> Vec<String> {
    cards.into_iter().map(ToString::to_string).collect()
}

fn status_to(status: HandStatus) -> i32 {
    match status {
        HandStatus::Open => pb::BlackjackHandStatus::Open,
        HandStatus::Stood => pb::BlackjackHandStatus::Stood,
        HandStatus::Bust => pb::BlackjackHandStatus::Bust,
        HandStatus::Surrendered => pb::BlackjackHandStatus::Surrendered,
        HandStatus::EvenMoney => pb::BlackjackHandStatus::EvenMoney,
    }
    .into()
}
