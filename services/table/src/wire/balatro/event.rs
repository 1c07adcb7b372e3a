//! Events.

use parlor_balatro::Event;
use parlor_balatro::card::CardId;
use parlor_balatro::event::{Destination, Discarder, HandCard, MoneyCause, Removal, Scored};
use parlor_balatro::joker::ItemId;
use parlor_balatro::number::decimal;
use parlor_balatro::poker::HandType;
use parlor_balatro::score::{Step, StepSource};
use parlor_balatro::state::{Offer, OpenPack, Shop, Start};
use parlor_proto::rules::v1 as pb;
use pb::balatro_event::Event as Message;

use super::command::{cards_to, items_to};
use super::items;

const NOTHING: pb::BalatroNothing = pb::BalatroNothing {};

pub(super) fn event_to(event: &Event) -> pb::BalatroEvent {
    pb::BalatroEvent { event: Some(message(event)) }
}

fn message(event: &Event) -> Message {
    match event {
        Event::RunStarted(start) => Message::RunStarted(run_started(start)),
        Event::AnteStarted { ante, boss, tags: [small, big] } => {
            Message::AnteStarted(pb::BalatroAnteStarted {
                ante: *ante,
                boss: boss.id().into(),
                small_tag: Some(items::tag(small)),
                big_tag: Some(items::tag(big)),
            })
        }
        Event::BossRerolled { boss, .. } => Message::BossRerolled(boss.id().into()),
        Event::BlindSelected { target, hands, discards, feared } => {
            Message::BlindSelected(pb::BalatroBlindSelected {
                target: decimal(*target),
                hands: *hands,
                discards: *discards,
                feared_hand: feared.id().into(),
            })
        }
        Event::BlindSkipped => Message::BlindSkipped(NOTHING),
        Event::MarksDrawn(marks) => Message::MarksDrawn(items::marks(marks)),
        Event::RoundChanged { hands_left, discards_left, hand_size } => {
            Message::RoundChanged(pb::BalatroRoundChanged {
                hands_left: *hands_left,
                discards_left: *discards_left,
                hand_size: *hand_size,
            })
        }
        Event::BossDisabled { target, hand, jokers } => {
            Message::BossDisabled(pb::BalatroBossDisabled {
                target: decimal(*target),
                hand: items::cards(hand),
                jokers: jokers.iter().map(items::joker).collect(),
            })
        }
        Event::HandLevelled { hand, level } => Message::HandLevelled(levelled(*hand, *level)),
        Event::MoneyChanged { by, cause, money } => {
            Message::MoneyChanged(money_changed(*by, cause, *money))
        }
        Event::HandSizeChanged { by, .. } => Message::HandSizeChanged(*by),
        Event::KindExtinct => Message::KindExtinct(NOTHING),
        Event::RoundWon { payout, saved } => Message::RoundWon(pb::BalatroRoundWon {
            payout: Some(items::payout(payout)),
            saved: *saved,
        }),
        Event::CashedOut => Message::CashedOut(NOTHING),
        Event::RunWon => Message::RunWon(NOTHING),
        Event::EndlessChosen => Message::EndlessChosen(NOTHING),
        Event::RunEnded(end) => Message::RunEnded(items::summary(&end.summary)),
        other => thing(other),
    }
}

/// Events about cards, jokers, consumables, tags and offers.
fn thing(event: &Event) -> Message {
    match event {
        Event::Drawn { cards } => Message::Drawn(hand_cards(cards)),
        Event::CardForced { card } => {
            Message::CardForced(pb::BalatroCardForced { card: card.map(card_id) })
        }
        Event::JokerDisabled { joker } => {
            Message::JokerDisabled(pb::BalatroJokerDisabled { joker: joker.map(|joker| joker.0) })
        }
        Event::JokersHidden { order, first } => Message::JokersHidden(pb::BalatroJokersHidden {
            items: (0..order.len() as u32).map(|place| first.0 + place).collect(),
        }),
        Event::CardsPlayed { cards } => {
            Message::CardsPlayed(pb::BalatroCardList { cards: items::cards(cards) })
        }
        Event::Scored(play) => Message::Scored(scored(play)),
        Event::CardsDiscarded { cards, by } => Message::CardsDiscarded(pb::BalatroCardsDiscarded {
            cards: items::cards(cards),
            by_boss: *by == Discarder::Boss,
        }),
        Event::CardsAdded { cards, to } => Message::CardsAdded(pb::BalatroCardsAdded {
            cards: hand_cards(cards).cards,
            to_hand: *to == Destination::Hand,
        }),
        Event::CardsChanged { cards } => Message::CardsChanged(hand_cards(cards)),
        Event::CardsDestroyed { cards } => Message::CardsDestroyed(cards_to(cards)),
        Event::HandReordered { cards } => Message::HandReordered(cards_to(cards)),
        Event::JokerGained { joker } => Message::JokerGained(items::joker(joker)),
        Event::JokerChanged { joker } => Message::JokerChanged(items::joker(joker)),
        Event::JokerRemoved { joker, removal } => Message::JokerRemoved(removed(*joker, *removal)),
        Event::JokersReordered { jokers } => Message::JokersReordered(items_to(jokers)),
        Event::ConsumableGained { consumable } => {
            Message::ConsumableGained(items::consumable(consumable))
        }
        Event::ConsumableChanged { consumable } => {
            Message::ConsumableChanged(items::consumable(consumable))
        }
        Event::ConsumableRemoved { item, removal } => {
            Message::ConsumableRemoved(removed(*item, *removal))
        }
        Event::ConsumableUsed { kind } => Message::ConsumableUsed(kind.id().into()),
        Event::TagGained { tag } => Message::TagGained(items::tag(tag)),
        Event::TagUsed { tag } => Message::TagUsed(tag.id().into()),
        other => shopping(other),
    }
}

/// Events about the shop and its packs.
fn shopping(event: &Event) -> Message {
    match event {
        Event::ShopOpened { shop, .. } => Message::ShopOpened(shop_opened(shop)),
        Event::ShopRestocked { cards, free } => {
            Message::ShopRestocked(pb::BalatroShopRestocked { cards: offers(cards), free: *free })
        }
        Event::OffersAdded { cards } => {
            Message::OffersAdded(pb::BalatroOffers { cards: offers(cards) })
        }
        Event::OfferTaken { item } => Message::OfferTaken(item.0),
        Event::VoucherRedeemed { voucher } => Message::VoucherRedeemed(voucher.id().into()),
        Event::PackOpened { pack } => Message::PackOpened(pack_opened(pack)),
        Event::PackPicked { item } => Message::PackPicked(item.0),
        Event::PackClosed => Message::PackClosed(NOTHING),
        Event::ShopLeft => Message::ShopLeft(NOTHING),
        // The order of a shuffle is never sent; all other events have a message above.
        _ => Message::Shuffled(NOTHING),
    }
}

fn card_id(card: CardId) -> u32 {
    u32::from(card.0)
}

fn hand_cards(cards: &[HandCard]) -> pb::BalatroCardList {
    pb::BalatroCardList { cards: cards.iter().map(items::hand_card).collect() }
}

fn run_started(start: &Start) -> pb::BalatroRunStarted {
    pb::BalatroRunStarted {
        seat: u32::from(start.seat.0),
        money: start.money,
        cards: items::cards(&start.cards),
        vouchers: start.vouchers.iter().map(|voucher| voucher.id().into()).collect(),
        consumables: start.consumables.iter().map(items::consumable).collect(),
    }
}

fn levelled(hand: HandType, level: u32) -> pb::BalatroHandLevelled {
    let (chips, mult) = hand.base(level);
    pb::BalatroHandLevelled { hand: hand.id().into(), level, chips, mult }
}

fn money_changed(by: i64, cause: &MoneyCause, money: i64) -> pb::BalatroMoneyChanged {
    let (cause, item, id) = match cause {
        MoneyCause::Payout => ("payout", None, ""),
        MoneyCause::Purchase => ("purchase", None, ""),
        MoneyCause::Sale => ("sale", None, ""),
        MoneyCause::Reroll => ("reroll", None, ""),
        MoneyCause::BossReroll => ("boss_reroll", None, ""),
        MoneyCause::Joker(joker) => ("joker", Some(joker.0), ""),
        MoneyCause::Rental(joker) => ("rental", Some(joker.0), ""),
        MoneyCause::Card(card) => ("card", Some(card_id(*card)), ""),
        MoneyCause::Tag(tag) => ("tag", None, tag.id()),
        MoneyCause::Consumable(kind) => ("consumable", None, kind.id()),
    };
    pb::BalatroMoneyChanged { by, money, cause: cause.into(), item, id: id.into() }
}

fn removed(item: ItemId, removal: Removal) -> pb::BalatroRemoved {
    let why = match removal {
        Removal::Sold => "sold",
        Removal::Destroyed => "destroyed",
        Removal::UsedUp => "used_up",
    };
    pb::BalatroRemoved { item: item.0, why: why.into() }
}

fn scored(play: &Scored) -> pb::BalatroScored {
    let is_scoring = |place: &usize| play.scoring & 1 << place != 0;
    let scoring = (0..play.cards.len()).filter(is_scoring);
    pb::BalatroScored {
        hand: play.hand.id().into(),
        level: play.record.level,
        played_run: play.record.run,
        played_round: play.record.round,
        cards: items::cards(&play.cards),
        scoring: scoring.map(|place| card_id(play.cards[place].id)).collect(),
        blocked: play.blocked,
        chips: play.chips,
        mult: play.mult,
        score: decimal(play.score),
        total: decimal(play.total),
        money: play.money,
        steps: play.trace.iter().map(step).collect(),
        jokers: play.jokers.iter().map(items::joker).collect(),
        jokers_gone: play.gone.iter().map(|joker| joker.0).collect(),
        destroyed: cards_to(&play.destroyed).cards,
        added: items::cards(&play.added),
    }
}

fn step(step: &Step) -> pb::BalatroStep {
    use pb::balatro_step_source::Source;
    let source = match step.source {
        StepSource::Hand => Source::Hand(NOTHING),
        StepSource::Boss => Source::Boss(NOTHING),
        StepSource::Card(card) => Source::Card(card_id(card)),
        StepSource::Joker(place) => Source::Joker(u32::from(place)),
        StepSource::Planet => Source::Planet(NOTHING),
        StepSource::Deck => Source::Deck(NOTHING),
    };
    pb::BalatroStep {
        source: Some(pb::BalatroStepSource { source: Some(source) }),
        on_card: step.on.map(card_id),
        gain: items::gain(step.kind).into(),
        value: step.value,
        chips: step.chips,
        mult: step.mult,
    }
}

fn offers(cards: &[Offer]) -> Vec<pb::BalatroOffer> {
    let offer = |offer: &Offer| pb::BalatroOffer {
        item: offer.item.0,
        ware: Some(items::ware(offer.item, &offer.ware)),
        ..Default::default()
    };
    cards.iter().map(offer).collect()
}

fn shop_opened(shop: &Shop) -> pb::BalatroShop {
    let vouchers = shop.vouchers.iter().map(|offer| pb::BalatroVoucherOffer {
        item: offer.item.0,
        voucher: offer.voucher.id().into(),
        ..Default::default()
    });
    let packs = shop.packs.iter().map(|offer| pb::BalatroPackOffer {
        item: offer.item.0,
        pack: offer.pack.id().into(),
        ..Default::default()
    });
    pb::BalatroShop {
        cards: offers(&shop.cards),
        vouchers: vouchers.collect(),
        packs: packs.collect(),
        reroll_cost: 0,
    }
}

fn pack_opened(pack: &OpenPack) -> pb::BalatroPack {
    let choices = pack.choices.iter().map(|choice| pb::BalatroChoice {
        item: choice.item.0,
        ware: Some(items::ware(choice.item, &choice.ware)),
        pickable: false,
    });
    pb::BalatroPack {
        pack: pack.pack.id().into(),
        choices: choices.collect(),
        picks_left: pack.picks_left,
    }
}
