//! Commands, both ways.

use parlor_balatro::Command;
use parlor_balatro::card::CardId;
use parlor_balatro::joker::ItemId;
use parlor_game::Refusal;
use parlor_proto::rules::v1 as pb;
use pb::BalatroAction;
use pb::balatro_command::Command as Message;

use super::malformed;

/// Most cards or items that a command names; the engine's own bounds are below it.
const LIST_MAX: usize = 1000;

pub(super) fn command_from(message: pb::BalatroCommand) -> Result<Command, Refusal> {
    Ok(match message.command.ok_or_else(|| malformed("no command"))? {
        Message::Action(action) => action_from(action)?,
        Message::Play(cards) => Command::Play(cards_from(&cards.cards)?),
        Message::Discard(cards) => Command::Discard(cards_from(&cards.cards)?),
        Message::ReorderHand(cards) => Command::ReorderHand(cards_from(&cards.cards)?),
        Message::ReorderJokers(items) => {
            check_length(&items.items)?;
            Command::ReorderJokers(items.items.into_iter().map(ItemId).collect())
        }
        Message::Use(chosen) => {
            Command::Use { item: ItemId(chosen.item), targets: cards_from(&chosen.targets)? }
        }
        Message::Sell(item) => Command::Sell(ItemId(item)),
        Message::Buy(item) => Command::Buy(ItemId(item)),
        Message::Redeem(item) => Command::Redeem(ItemId(item)),
        Message::OpenPack(item) => Command::OpenPack(ItemId(item)),
        Message::Pick(chosen) => {
            Command::Pick { item: ItemId(chosen.item), targets: cards_from(&chosen.targets)? }
        }
    })
}

fn action_from(action: i32) -> Result<Command, Refusal> {
    Ok(match BalatroAction::try_from(action) {
        Ok(BalatroAction::SelectBlind) => Command::SelectBlind,
        Ok(BalatroAction::SkipBlind) => Command::SkipBlind,
        Ok(BalatroAction::RerollBoss) => Command::RerollBoss,
        Ok(BalatroAction::CashOut) => Command::CashOut,
        Ok(BalatroAction::Reroll) => Command::Reroll,
        Ok(BalatroAction::LeaveShop) => Command::LeaveShop,
        Ok(BalatroAction::SkipPack) => Command::SkipPack,
        Ok(BalatroAction::Continue) => Command::Continue,
        Ok(BalatroAction::Finish) => Command::Finish,
        Ok(BalatroAction::GiveUp) => Command::GiveUp,
        Ok(BalatroAction::Unspecified) | Err(_) => return Err(malformed("unknown action")),
    })
}

fn check_length<T>(list: &[T]) -> Result<(), Refusal> {
    if list.len() > LIST_MAX { Err(malformed("the list is too long")) } else { Ok(()) }
}

fn cards_from(cards: &[u32]) -> Result<Vec<CardId>, Refusal> {
    check_length(cards)?;
    let card = |id: &u32| u16::try_from(*id).map(CardId).map_err(|_| malformed("no such card"));
    cards.iter().map(card).collect()
}

pub(super) fn cards_to(cards: &[CardId]) -> pb::BalatroCards {
    pb::BalatroCards { cards: cards.iter().map(|card| u32::from(card.0)).collect() }
}

pub(super) fn items_to(items: &[ItemId]) -> pb::BalatroItems {
    pb::BalatroItems { items: items.iter().map(|item| item.0).collect() }
}

fn use_to(item: ItemId, targets: &[CardId]) -> pb::BalatroUse {
    pb::BalatroUse { item: item.0, targets: cards_to(targets).cards }
}

pub(super) fn command_to(command: &Command) -> pb::BalatroCommand {
    let action = |action: BalatroAction| Message::Action(action.into());
    let message = match command {
        Command::SelectBlind => action(BalatroAction::SelectBlind),
        Command::SkipBlind => action(BalatroAction::SkipBlind),
        Command::RerollBoss => action(BalatroAction::RerollBoss),
        Command::Play(cards) => Message::Play(cards_to(cards)),
        Command::Discard(cards) => Message::Discard(cards_to(cards)),
        Command::ReorderHand(cards) => Message::ReorderHand(cards_to(cards)),
        Command::ReorderJokers(jokers) => Message::ReorderJokers(items_to(jokers)),
        Command::Use { item, targets } => Message::Use(use_to(*item, targets)),
        Command::Sell(item) => Message::Sell(item.0),
        Command::CashOut => action(BalatroAction::CashOut),
        Command::Buy(item) => Message::Buy(item.0),
        Command::Redeem(item) => Message::Redeem(item.0),
        Command::OpenPack(item) => Message::OpenPack(item.0),
        Command::Pick { item, targets } => Message::Pick(use_to(*item, targets)),
        Command::SkipPack => action(BalatroAction::SkipPack),
        Command::Reroll => action(BalatroAction::Reroll),
        Command::LeaveShop => action(BalatroAction::LeaveShop),
        Command::Continue => action(BalatroAction::Continue),
        Command::Finish => action(BalatroAction::Finish),
        Command::GiveUp => action(BalatroAction::GiveUp),
    };
    pb::BalatroCommand { command: Some(message) }
}
