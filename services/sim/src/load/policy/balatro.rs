//! The roguelike: the largest group or a flush, nothing from the shop.

use std::collections::BTreeMap;

use parlor_proto::rules::v1 as pb;
use pb::balatro_command::Command;

/// Cards that are played at once.
const PLAYED: usize = 5;

pub fn choose(view: &pb::BalatroView, refused: u32) -> Option<pb::BalatroCommand> {
    let run = view.run.as_ref()?;
    let may = run.may.as_ref()?;
    let act = |action: pb::BalatroAction| Some(Command::Action(action.into()));
    let command = if refused > 1 {
        None
    } else if refused > 0 {
        // Whatever it was, the run need not go on.
        may.give_up.then(|| Command::Action(pb::BalatroAction::GiveUp.into()))
    } else if may.skip_pack {
        act(pb::BalatroAction::SkipPack)
    } else if may.select_blind {
        act(pb::BalatroAction::SelectBlind)
    } else if may.play {
        Some(Command::Play(pb::BalatroCards { cards: selection(run) }))
    } else if may.cash_out {
        act(pb::BalatroAction::CashOut)
    } else if may.leave_shop {
        act(pb::BalatroAction::LeaveShop)
    } else if may.continue_or_finish {
        act(pb::BalatroAction::Finish)
    } else {
        None
    };
    command.map(|command| pb::BalatroCommand { command: Some(command) })
}

/// Up to five cards: a flush if there is one, else the largest groups of a rank.
fn selection(run: &pb::BalatroRun) -> Vec<u32> {
    let mut suits: BTreeMap<char, Vec<u32>> = BTreeMap::new();
    let mut ranks: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for card in &run.hand {
        let suit = card.card.chars().last().unwrap_or('?');
        suits.entry(suit).or_default().push(card.id);
        ranks.entry(card.card.trim_end_matches(suit)).or_default().push(card.id);
    }
    let flush = suits.into_iter().find(|(suit, cards)| *suit != '?' && cards.len() >= PLAYED);
    let mut cards = match flush {
        Some((_, cards)) => cards,
        None => {
            let mut groups: Vec<Vec<u32>> = ranks.into_values().collect();
            groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
            groups.concat()
        }
    };
    cards.truncate(PLAYED);
    if let Some(forced) = run.round.as_ref().and_then(|round| round.forced_card)
        && !cards.contains(&forced)
    {
        cards.pop();
        cards.push(forced);
    }
    cards
}
