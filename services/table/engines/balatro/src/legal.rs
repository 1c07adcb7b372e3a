//! Commands that are accepted now (rules: balatro 2).
//!
//! Choices of cards are free parameters. The list holds for plays and discards: every single card,
//! the first two to five cards in hand order, and the best known selections of each hand type; with
//! a forced card each of them holds it. For consumables with targets: the first cards that fit, by
//! each allowed number. For orders: the reverse. Giving up is accepted at any time and not listed,
//! so that a random player does not end its runs by it.

use alloc::vec;
use alloc::vec::Vec;

use crate::bot::selections;
use crate::card::CardId;
use crate::command::Command;
use crate::content::ConsumableId;
use crate::selection::MAX_SELECTED;
use crate::state::{Consumable, Phase, Run, Ware};

/// Most cards of a hand that consumables are tried on.
const TARGETS_TRIED: usize = 8;

/// The commands, sorted, without duplicates.
#[must_use]
pub fn legal(run: &Run) -> Vec<Command> {
    let mut commands = Vec::new();
    if run.phase != Phase::Over {
        match &run.pack {
            Some(_) => in_pack(run, &mut commands),
            None => in_phase(run, &mut commands),
        }
        items(run, &mut commands);
        orders(run, &mut commands);
    }
    commands.sort_unstable();
    commands.dedup();
    commands
}

fn in_pack(run: &Run, commands: &mut Vec<Command>) {
    commands.push(Command::SkipPack);
    let choices = run.pack.iter().flat_map(|pack| &pack.choices);
    for choice in choices.filter(|choice| run.may_pick(&choice.ware)) {
        let item = choice.item;
        let targets = match choice.ware {
            Ware::Consumable(kind) => targets(run, kind, None),
            Ware::Joker(_) | Ware::Card(_) => vec![Vec::new()],
        };
        commands.extend(targets.into_iter().map(|targets| Command::Pick { item, targets }));
    }
}

fn in_phase(run: &Run, commands: &mut Vec<Command>) {
    match run.phase {
        Phase::BlindSelect => {
            commands.push(Command::SelectBlind);
            if run.blind != crate::blind::Blind::Boss {
                commands.push(Command::SkipBlind);
            }
            if run.may_reroll_boss() && run.can_afford(run.boss_reroll_cost()) {
                commands.push(Command::RerollBoss);
            }
        }
        Phase::Playing => {
            let selections = sample(run);
            if run.round.discards_left > 0 {
                commands.extend(selections.iter().cloned().map(Command::Discard));
            }
            if run.round.hands_left > 0 {
                commands.extend(selections.into_iter().map(Command::Play));
            }
        }
        Phase::RoundWon => commands.push(Command::CashOut),
        Phase::Shop => shop(run, commands),
        Phase::Won => commands.extend([Command::Continue, Command::Finish]),
        Phase::Over => {}
    }
}

fn shop(run: &Run, commands: &mut Vec<Command>) {
    commands.push(Command::LeaveShop);
    if run.can_afford(run.reroll_cost()) {
        commands.push(Command::Reroll);
    }
    let Some(shop) = &run.shop else { return };
    for offer in &shop.cards {
        if run.can_afford(run.offer_price(offer)) && run.has_room_for(&offer.ware) {
            commands.push(Command::Buy(offer.item));
        }
    }
    if run.can_afford(run.voucher_price()) {
        commands.extend(shop.vouchers.iter().map(|offer| Command::Redeem(offer.item)));
    }
    let packs = shop.packs.iter().filter(|offer| run.can_afford(run.pack_price(offer)));
    commands.extend(packs.map(|offer| Command::OpenPack(offer.item)));
}

fn items(run: &Run, commands: &mut Vec<Command>) {
    let jokers = run.jokers.iter().filter(|joker| !joker.stickers.eternal);
    commands.extend(jokers.map(|joker| Command::Sell(joker.item)));
    for consumable in &run.consumables {
        commands.push(Command::Sell(consumable.item));
        if run.may_use_consumables() {
            let item = consumable.item;
            let targets = targets(run, consumable.kind, Some(consumable));
            commands.extend(targets.into_iter().map(|targets| Command::Use { item, targets }));
        }
    }
}

fn orders(run: &Run, commands: &mut Vec<Command>) {
    if run.may_reorder_jokers() {
        let reverse = run.jokers.iter().rev().map(|joker| joker.item);
        commands.push(Command::ReorderJokers(reverse.collect()));
    }
    if run.hand.len() > 1 {
        let reverse = run.hand.iter().rev().map(|card| card.id);
        commands.push(Command::ReorderHand(reverse.collect()));
    }
}

/// Selections of held cards, each with the forced card.
fn sample(run: &Run) -> Vec<Vec<CardId>> {
    let held: Vec<CardId> = run.hand.iter().map(|card| card.id).collect();
    let mut sample: Vec<Vec<CardId>> = held.iter().map(|card| vec![*card]).collect();
    sample.extend((2..=held.len().min(MAX_SELECTED)).map(|count| held[..count].to_vec()));
    let seen: Vec<_> = run.hand.iter().filter(|card| !card.face_down).copied().collect();
    sample.extend(
        selections(&seen, run.mods().0).iter().map(|it| it.iter().map(|card| card.id).collect()),
    );
    if let Some(forced) = run.round.forced {
        for selection in sample.iter_mut().filter(|selection| !selection.contains(&forced)) {
            selection.truncate(MAX_SELECTED - 1);
            selection.push(forced);
        }
    }
    sample
}

fn targets(run: &Run, kind: ConsumableId, from: Option<&Consumable>) -> Vec<Vec<CardId>> {
    let (least, most) = kind.spec().targets;
    let held: Vec<CardId> = run.hand.iter().take(TARGETS_TRIED).map(|card| card.id).collect();
    let mut tried: Vec<Vec<CardId>> = Vec::new();
    for count in least..=most.min(held.len()) {
        match count {
            0 => tried.push(Vec::new()),
            1 => tried.extend(held.iter().map(|card| vec![*card])),
            count => tried.push(held[..count].to_vec()),
        }
    }
    tried.retain(|targets| run.check_use(kind, from, targets).is_ok());
    tried
}
