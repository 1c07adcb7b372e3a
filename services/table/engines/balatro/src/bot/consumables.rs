//! Using consumables.

use alloc::vec::Vec;

use crate::card::{Card, CardId, Enhancement};
use crate::command::Command;
use crate::content::ConsumableId;
use crate::content::consumables::ConsumableAct;
use crate::view::RunView;

/// The first consumable that is worth using now.
pub fn use_one(run: &RunView) -> Option<Command> {
    run.consumables.iter().filter(|view| view.usable).find_map(|view| {
        let (item, kind) = (view.consumable.item, view.consumable.kind);
        targets(run, kind).map(|targets| Command::Use { item, targets })
    })
}

/// The cards to use a consumable on; `None` when it is better not used.
pub fn targets(run: &RunView, kind: ConsumableId) -> Option<Vec<CardId>> {
    let spec = kind.spec();
    match spec.act {
        // What costs hand size, money or jokers.
        ConsumableAct::RareForMoney
        | ConsumableAct::OneRank
        | ConsumableAct::MakeNegative
        | ConsumableAct::DestroyHeld(..)
        | ConsumableAct::KeepAndCopyOne
        | ConsumableAct::KeepOnePoly
        | ConsumableAct::Exchange(..) => None,
        ConsumableAct::Enhance(Enhancement::Stone) | ConsumableAct::SetSuit(_) => None,
        _ if spec.targets.1 == 0 => Some(Vec::new()),
        ConsumableAct::DestroyTargets => on_lowest(run, spec.targets.1),
        ConsumableAct::CopyRight => None,
        _ => on_highest(run, spec.targets.1),
    }
}

fn plain_cards(run: &RunView) -> Vec<Card> {
    let seen = run.hand.iter().filter_map(|held| held.card);
    let mut plain: Vec<Card> = seen.filter(Card::is_plain).collect();
    plain.sort_unstable_by_key(|card| card.rank);
    plain
}

fn on_highest(run: &RunView, most: usize) -> Option<Vec<CardId>> {
    let plain = plain_cards(run);
    let chosen: Vec<CardId> = plain.iter().rev().take(most).map(|card| card.id).collect();
    (chosen.len() == most).then_some(chosen)
}

fn on_lowest(run: &RunView, most: usize) -> Option<Vec<CardId>> {
    let plain = plain_cards(run);
    let chosen: Vec<CardId> = plain.iter().take(most).map(|card| card.id).collect();
    (chosen.len() == most && run.hand.len() > 5).then_some(chosen)
}
