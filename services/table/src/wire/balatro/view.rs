//! Views.

use parlor_balatro::card::{Card, Rank, Suit};
use parlor_balatro::content::BossId;
use parlor_balatro::number::decimal;
use parlor_balatro::poker::{HandRecord, HandType};
use parlor_balatro::state::Phase;
use parlor_balatro::view::{
    BlindStatus, BlindView, ChoiceView, ConsumableView, DeckView, JokerView, May, OfferView,
    PackView, RoundView, RunView, ShopView, Shown, View,
};
use parlor_balatro::{Balatro, content::ConsumableId};
use parlor_proto::rules::v1 as pb;

use super::items;
use crate::wire::Wire;

pub(super) fn view_to(view: &View) -> pb::BalatroView {
    pb::BalatroView { runs: view.runs, run: view.run.as_ref().map(run) }
}

fn run(run: &RunView) -> pb::BalatroRun {
    pb::BalatroRun {
        seat: u32::from(run.seat.0),
        options: Some(Balatro::options_to(&run.options)),
        phase: phase(run.phase).into(),
        won: run.won,
        ante: run.ante,
        blind: items::blind(run.blind).into(),
        round_no: run.round_no,
        blinds: run.blinds.iter().map(blind).collect(),
        money: run.money,
        round: run.round.as_ref().map(round),
        marks: Some(items::marks(&run.marks)),
        hand: run.hand.iter().map(items::hand_card).collect(),
        hand_size: run.hand_size as u32,
        deck: Some(deck(&run.deck)),
        hands: HandType::ALL.iter().map(|hand| line(*hand, &run.hands[hand.index()])).collect(),
        jokers: run.jokers.iter().map(joker).collect(),
        joker_slots: run.joker_slots as i32,
        consumables: run.consumables.iter().map(consumable).collect(),
        consumable_slots: run.consumable_slots as i32,
        vouchers: run.vouchers.iter().map(|voucher| voucher.id().into()).collect(),
        tags: run.tags.iter().map(items::tag).collect(),
        payout: run.payout.as_ref().map(items::payout),
        shop: run.shop.as_ref().map(shop),
        pack: run.pack.as_ref().map(pack),
        last_used: run.last_used.map(ConsumableId::id).unwrap_or_default().into(),
        summary: Some(items::summary(&run.summary)),
        may: Some(may(&run.may)),
    }
}

fn phase(phase: Phase) -> pb::BalatroPhase {
    match phase {
        Phase::BlindSelect => pb::BalatroPhase::BlindSelect,
        Phase::Playing => pb::BalatroPhase::Playing,
        Phase::RoundWon => pb::BalatroPhase::RoundWon,
        Phase::Shop => pb::BalatroPhase::Shop,
        Phase::Won => pb::BalatroPhase::Won,
        Phase::Over => pb::BalatroPhase::Over,
    }
}

fn blind(view: &BlindView) -> pb::BalatroBlindView {
    let status = match view.status {
        BlindStatus::Done => pb::BalatroBlindStatus::Done,
        BlindStatus::Current => pb::BalatroBlindStatus::Current,
        BlindStatus::Later => pb::BalatroBlindStatus::Later,
    };
    pb::BalatroBlindView {
        blind: items::blind(view.blind).into(),
        boss: view.boss.map(BossId::id).unwrap_or_default().into(),
        target: decimal(view.target),
        reward: u32::try_from(view.reward).unwrap_or_default(),
        tag: view.tag.as_ref().map(items::tag),
        status: status.into(),
    }
}

fn round(round: &RoundView) -> pb::BalatroRound {
    pb::BalatroRound {
        target: decimal(round.target),
        score: decimal(round.score),
        hands_left: round.hands_left,
        discards_left: round.discards_left,
        hands_played: round.hands_played,
        discards_used: round.discards_used,
        boss_disabled: round.boss_disabled,
        locked_hand: items::hand_id(round.locked),
        feared_hand: round.feared.id().into(),
        forced_card: round.forced.map(|card| u32::from(card.0)),
    }
}

fn deck(deck: &DeckView) -> pb::BalatroDeck {
    let all = Suit::ALL.into_iter().flat_map(|suit| Rank::ALL.map(|rank| Card::new(rank, suit)));
    let counts = all.map(|card| {
        let count = deck.unseen[card.suit as usize][card.rank as usize];
        pb::BalatroCardCount { card: card.to_string(), count: u32::from(count) }
    });
    pb::BalatroDeck {
        full: deck.full,
        draw_pile: deck.draw_pile,
        unseen: counts.filter(|it| it.count > 0).collect(),
        unseen_stones: u32::from(deck.unseen_stones),
    }
}

fn line(hand: HandType, record: &HandRecord) -> pb::BalatroHandLine {
    let (chips, mult) = hand.base(record.level);
    pb::BalatroHandLine {
        hand: hand.id().into(),
        level: record.level,
        chips,
        mult,
        played_run: record.run,
        played_round: record.round,
        visible: !hand.is_secret() || record.run > 0,
    }
}

fn joker(view: &JokerView) -> pb::BalatroJokerView {
    let shown = |shown: Shown| pb::BalatroShown {
        gain: items::gain(shown.kind).into(),
        value: shown.value.to_string(),
    };
    let joker = match &view.joker {
        Some(joker) => items::joker(joker),
        None => items::hidden_joker(view.item),
    };
    pb::BalatroJokerView {
        joker: Some(joker),
        debuffed: view.debuffed,
        sell: view.sell,
        shown: view.shown.map(shown),
        sellable: view.sellable,
    }
}

fn consumable(view: &ConsumableView) -> pb::BalatroConsumableView {
    pb::BalatroConsumableView {
        consumable: Some(items::consumable(&view.consumable)),
        sell: view.sell,
        usable: view.usable,
    }
}

fn shop(shop: &ShopView) -> pb::BalatroShop {
    let card = |offer: &OfferView| pb::BalatroOffer {
        item: offer.item.0,
        ware: Some(items::ware(offer.item, &offer.ware)),
        price: offer.price,
        buyable: offer.buyable,
    };
    let vouchers = shop.vouchers.iter().map(|offer| pb::BalatroVoucherOffer {
        item: offer.item.0,
        voucher: offer.voucher.id().into(),
        price: offer.price,
        buyable: offer.buyable,
    });
    let packs = shop.packs.iter().map(|view| pb::BalatroPackOffer {
        item: view.offer.item.0,
        pack: view.offer.pack.id().into(),
        price: view.price,
        buyable: view.buyable,
    });
    pb::BalatroShop {
        cards: shop.cards.iter().map(card).collect(),
        vouchers: vouchers.collect(),
        packs: packs.collect(),
        reroll_cost: shop.reroll_cost,
    }
}

fn pack(pack: &PackView) -> pb::BalatroPack {
    let choice = |choice: &ChoiceView| pb::BalatroChoice {
        item: choice.item.0,
        ware: Some(items::ware(choice.item, &choice.ware)),
        pickable: choice.pickable,
    };
    pb::BalatroPack {
        pack: pack.pack.id().into(),
        choices: pack.choices.iter().map(choice).collect(),
        picks_left: pack.picks_left,
    }
}

fn may(may: &May) -> pb::BalatroMay {
    pb::BalatroMay {
        select_blind: may.select_blind,
        skip_blind: may.skip_blind,
        reroll_boss: may.reroll_boss,
        play: may.play,
        discard: may.discard,
        reorder_hand: may.reorder_hand,
        reorder_jokers: may.reorder_jokers,
        cash_out: may.cash_out,
        reroll: may.reroll,
        leave_shop: may.leave_shop,
        skip_pack: may.skip_pack,
        continue_or_finish: may.continue_or_finish,
        give_up: may.give_up,
    }
}
