//! Cards, jokers, consumables, tags, offers.

use parlor_balatro::blind::Blind;
use parlor_balatro::card::{Card, Edition, Enhancement, Seal};
use parlor_balatro::content::ConsumableId;
use parlor_balatro::event::HandCard;
use parlor_balatro::joker::{ItemId, Joker};
use parlor_balatro::number::decimal;
use parlor_balatro::payout::Payout;
use parlor_balatro::poker::HandType;
use parlor_balatro::score::StepKind;
use parlor_balatro::state::{Consumable, Marks, RunSummary, TagOffer, Ware};
use parlor_proto::rules::v1 as pb;

pub(super) fn hand_id(hand: Option<HandType>) -> String {
    hand.map(HandType::id).unwrap_or_default().into()
}

pub(super) fn card(card: &Card) -> pb::BalatroCard {
    pb::BalatroCard {
        id: u32::from(card.id.0),
        card: card.to_string(),
        enhancement: card.enhancement.map(Enhancement::id).unwrap_or_default().into(),
        edition: card.edition.map(Edition::id).unwrap_or_default().into(),
        seal: card.seal.map(Seal::id).unwrap_or_default().into(),
        permanent_chips: card.permanent_chips,
        debuffed: card.debuffed,
        face_down: card.face_down,
        played_this_ante: card.played_this_ante,
    }
}

pub(super) fn cards(list: &[Card]) -> Vec<pb::BalatroCard> {
    list.iter().map(card).collect()
}

/// A card that the receiver may see; face down it has an id and nothing else.
pub(super) fn hand_card(held: &HandCard) -> pb::BalatroCard {
    held.card.as_ref().map_or_else(
        || pb::BalatroCard { id: u32::from(held.id.0), face_down: true, ..Default::default() },
        card,
    )
}

pub(super) fn joker(joker: &Joker) -> pb::BalatroJoker {
    let spec = joker.kind.spec();
    let (value_of, value) = match spec.value {
        Some((field, _)) => (field.id().into(), joker.state.value.to_string()),
        None => Default::default(),
    };
    let listed = spec.lists_hand.then(|| joker.state.listed_hand());
    pb::BalatroJoker {
        item: joker.item.0,
        joker: spec.id.into(),
        rarity: spec.rarity.id().into(),
        edition: joker.edition.map(Edition::id).unwrap_or_default().into(),
        eternal: joker.stickers.eternal,
        perishable: joker.stickers.perishable.map(u32::from),
        rental: joker.stickers.rental,
        value_of,
        value,
        listed_hand: hand_id(listed),
        countdown: spec
            .counter
            .map_or(0, |_| u32::try_from(joker.state.counter).unwrap_or_default()),
        sell_bonus: joker.sell_bonus,
        face_down: joker.face_down,
    }
}

/// A joker that the receiver may not see.
pub(super) fn hidden_joker(item: ItemId) -> pb::BalatroJoker {
    pb::BalatroJoker { item: item.0, face_down: true, ..Default::default() }
}

pub(super) fn consumable_kind(item: ItemId, kind: ConsumableId) -> pb::BalatroConsumable {
    let spec = kind.spec();
    pb::BalatroConsumable {
        item: item.0,
        consumable: spec.id.into(),
        kind: spec.kind.id().into(),
        negative: false,
        targets_min: spec.targets.0 as u32,
        targets_max: spec.targets.1 as u32,
    }
}

pub(super) fn consumable(consumable: &Consumable) -> pb::BalatroConsumable {
    pb::BalatroConsumable {
        negative: consumable.negative,
        ..consumable_kind(consumable.item, consumable.kind)
    }
}

pub(super) fn tag(tag: &TagOffer) -> pb::BalatroTag {
    pb::BalatroTag { tag: tag.tag.id().into(), hand: hand_id(tag.hand) }
}

pub(super) fn marks(marks: &Marks) -> pb::BalatroMarks {
    pb::BalatroMarks {
        mail_rank: marks.mail_rank.name().into(),
        castle_suit: marks.castle_suit.letter().into(),
        ancient_suit: marks.ancient_suit.letter().into(),
        idol: Card::new(marks.idol.0, marks.idol.1).to_string(),
    }
}

pub(super) fn ware(item: ItemId, ware: &Ware) -> pb::BalatroWare {
    let ware = match ware {
        Ware::Joker(it) => pb::balatro_ware::Ware::Joker(joker(it)),
        Ware::Consumable(kind) => pb::balatro_ware::Ware::Consumable(consumable_kind(item, *kind)),
        Ware::Card(it) => pb::balatro_ware::Ware::Card(card(it)),
    };
    pb::BalatroWare { ware: Some(ware) }
}

pub(super) fn payout(payout: &Payout) -> pb::BalatroPayout {
    pb::BalatroPayout {
        reward: payout.reward,
        hands: payout.hands,
        discards: payout.discards,
        jokers: payout.jokers,
        tags: payout.tags,
        interest: payout.interest,
        total: payout.total(),
    }
}

pub(super) fn summary(summary: &RunSummary) -> pb::BalatroSummary {
    pb::BalatroSummary {
        won: summary.won,
        gave_up: summary.gave_up,
        ante: summary.ante,
        round_no: summary.round_no,
        rounds_won: summary.rounds_won,
        blinds_skipped: summary.skips,
        hands_played: summary.hands_played,
        best_hand: decimal(summary.best_hand),
        favourite_hand: summary.favourite.id().into(),
        money: summary.money,
        daily: summary.daily.clone().unwrap_or_default(),
    }
}

pub(super) fn blind(blind: Blind) -> pb::BalatroBlind {
    match blind {
        Blind::Small => pb::BalatroBlind::Small,
        Blind::Big => pb::BalatroBlind::Big,
        Blind::Boss => pb::BalatroBlind::Boss,
    }
}

pub(super) fn gain(kind: StepKind) -> pb::BalatroGain {
    match kind {
        StepKind::Base => pb::BalatroGain::Base,
        StepKind::Chips => pb::BalatroGain::Chips,
        StepKind::Mult => pb::BalatroGain::Mult,
        StepKind::TimesMult => pb::BalatroGain::TimesMult,
        StepKind::Money => pb::BalatroGain::Money,
        StepKind::Level => pb::BalatroGain::Level,
        StepKind::Grow => pb::BalatroGain::Grow,
        StepKind::Again => pb::BalatroGain::Again,
        StepKind::Balance => pb::BalatroGain::Balance,
        StepKind::Blocked => pb::BalatroGain::Blocked,
        StepKind::Create => pb::BalatroGain::Create,
        StepKind::Destroy => pb::BalatroGain::Destroy,
    }
}
