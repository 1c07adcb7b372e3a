//! Expectations: what a line leaves.

use parlor_balatro::Event;
use parlor_balatro::blind::Disabled;
use parlor_balatro::card::{Card, Edition, Enhancement, Seal, Suit};
use parlor_balatro::content::ConsumableKind;
use parlor_balatro::joker::Joker;
use parlor_balatro::number::decimal;
use parlor_balatro::state::{Phase, Run, Ware};

use super::{Scenario, hand, number, pair, suit, words};

impl Scenario {
    /// The percentage of samples, checked to lie between two bounds.
    fn share(&self, name: &str, bounds: &str) -> String {
        let kind = |ware: &Ware| match ware {
            Ware::Consumable(kind) => Some(kind.spec().kind),
            Ware::Joker(_) | Ware::Card(_) => None,
        };
        let jokers: Vec<Joker> = self
            .samples
            .iter()
            .filter_map(|ware| match ware {
                Ware::Joker(joker) => Some(*joker),
                _ => None,
            })
            .collect();
        let cards: Vec<Card> = self
            .samples
            .iter()
            .filter_map(|ware| match ware {
                Ware::Card(card) => Some(*card),
                _ => None,
            })
            .collect();
        let of_jokers = |is_it: &dyn Fn(&Joker) -> bool| {
            (jokers.iter().filter(|joker| is_it(joker)).count(), jokers.len())
        };
        let of_kind = |wanted| {
            let count = self.samples.iter().filter(|ware| kind(ware) == Some(wanted)).count();
            (count, self.samples.len())
        };
        let (count, of) = match name {
            "edition_share" => of_jokers(&|joker| joker.edition.is_some()),
            "eternal_share" => of_jokers(&|joker| joker.stickers.eternal),
            "perishable_share" => of_jokers(&|joker| joker.stickers.perishable == Some(5)),
            "rental_share" => of_jokers(&|joker| joker.stickers.rental),
            "tarot_share" => of_kind(ConsumableKind::Tarot),
            "planet_share" => of_kind(ConsumableKind::Planet),
            "spectral_share" => of_kind(ConsumableKind::Spectral),
            "card_share" => (cards.len(), self.samples.len()),
            _ => {
                let fine = |card: &&Card| card.enhancement.is_some() || card.edition.is_some();
                (cards.iter().filter(fine).count(), cards.len())
            }
        };
        let percent = count * 100 / of.max(1);
        let (low, high) = pair(bounds);
        let inside = (number(low)..=number(high)).contains(&percent);
        if inside { bounds.to_owned() } else { percent.to_string() }
    }

    /// Checks the words of an expectation.
    pub fn check(&mut self, expected: &str) -> Result<(), String> {
        if let Some(reason) = self.refused
            && !expected.contains("refused=")
        {
            return Err(format!("refused: {reason}"));
        }
        for (name, value) in words(expected) {
            let actual = self.actual(name, value);
            if actual != value {
                return Err(format!("{name} is {actual}, not {value}"));
            }
        }
        Ok(())
    }

    fn actual(&mut self, name: &str, value: &str) -> String {
        if name.ends_with("_share") {
            return self.share(name, value);
        }
        let (before, subject) = (self.before.clone(), self.subject);
        let events = self.events.clone();
        let refused = self.refused;
        let run = self.run();
        let signed = |change: i64| format!("{change:+}");
        let joker = run.jokers.iter().find(|joker| joker.item == subject).copied();
        let made = |kind: ConsumableKind| {
            let is_it = |event: &&Event| match event {
                Event::ConsumableGained { consumable } => consumable.kind.spec().kind == kind,
                _ => false,
            };
            events.iter().filter(is_it).count().to_string()
        };
        match name {
            "score" => decimal(last_score(&events)),
            "score_in" => {
                let (low, high) = pair(value);
                let score = last_score(&events);
                let inside = (number(low)..=number(high)).contains(&score);
                if inside { value.to_owned() } else { decimal(score) }
            }
            "refused" => refused.unwrap_or("no").to_owned(),
            "money" => signed(run.money - before.money),
            "value" => joker.map_or("gone".into(), |joker| joker.state.value.to_string()),
            "counter" => joker.map_or("gone".into(), |joker| joker.state.counter.to_string()),
            "debuffed" => joker.is_some_and(|joker| run.is_debuffed(&joker)).to_string(),
            "gone" => if joker.is_none() { "" } else { "no" }.into(),
            "jokers" => signed(run.jokers.len() as i64 - before.jokers.len() as i64),
            "has" => {
                let has = run.jokers.iter().any(|joker| joker.kind.id() == value);
                if has { value } else { "missing" }.into()
            }
            "sell" => joker.map_or(0, |joker| run.joker_sell_value(&joker)).to_string(),
            "tarot" => made(ConsumableKind::Tarot),
            "planet" => made(ConsumableKind::Planet),
            "spectral" => made(ConsumableKind::Spectral),
            "items" => run.consumables.len().to_string(),
            "item" => run.consumables.iter().map(|it| it.kind.id()).collect::<Vec<_>>().join(","),
            "tags" => run.tags.iter().map(|held| held.tag.id()).collect::<Vec<_>>().join(","),
            "won" => if run.phase == Phase::RoundWon { "" } else { "no" }.into(),
            "lost" => if run.phase == Phase::Over { "" } else { "no" }.into(),
            "phase" => run.phase.id().into(),
            "pays" => run.payout.jokers.to_string(),
            "paid_tags" => run.payout.tags.to_string(),
            "reward" => run.payout.reward.to_string(),
            "interest" => run.payout.interest.to_string(),
            "disabled" => if run.round.boss == Disabled::Yes { "" } else { "no" }.into(),
            "dollars" => run.money.to_string(),
            "left_over" => (run.payout.hands + run.payout.discards).to_string(),
            "boss_changed" => if run.boss == before.boss { "no" } else { "" }.into(),
            "owns" => {
                let owned = run.vouchers.iter().any(|voucher| voucher.id() == value);
                if owned { value } else { "missing" }.into()
            }
            "gained_rarity" => run.jokers.last().unwrap().kind.spec().rarity.id().into(),
            "all_same" => {
                let same = run.jokers.windows(2).all(|pair| pair[0].kind == pair[1].kind);
                if same { "" } else { "no" }.into()
            }
            "joker_disabled" => {
                run.jokers.iter().filter(|joker| run.is_debuffed(joker)).count().to_string()
            }
            _ => actual_of_round(run, &before, name, value),
        }
    }
}

fn last_score(events: &[Event]) -> f64 {
    let score = |event: &Event| match event {
        Event::Scored(scored) => Some(scored.score),
        _ => None,
    };
    events.iter().rev().find_map(score).unwrap_or(-1.0)
}

fn actual_of_round(run: &Run, before: &Run, name: &str, value: &str) -> String {
    let signed = |change: i64| format!("{change:+}");
    match name {
        "hands" => run.round.hands_left.to_string(),
        "discards" => run.round.discards_left.to_string(),
        "hand" => run.hand.len().to_string(),
        "cards" => run.hand.iter().map(Card::to_string).collect::<Vec<_>>().join(","),
        "hand_size" => run.hand_size().to_string(),
        "face_down" => run.hand.iter().filter(|card| card.face_down).count().to_string(),
        "hidden" => run.jokers.iter().filter(|joker| joker.face_down).count().to_string(),
        "forced" => run.round.forced.is_some().to_string(),
        "deck" => signed(run.full_deck().count() as i64 - before.full_deck().count() as i64),
        "ante" => run.ante.to_string(),
        "blind" => run.blind.id().into(),
        "target" => decimal(run.round.target),
        "level" => {
            let (type_id, _) = pair(value);
            format!("{type_id}:{}", run.hands[hand(type_id).index()].level)
        }
        "levels" => run.hands.iter().map(|record| record.level).sum::<u32>().to_string(),
        _ => actual_of_cards(run, name, value),
    }
}

fn actual_of_cards(run: &Run, name: &str, value: &str) -> String {
    let count = |of: &dyn Fn(&Card) -> bool| run.full_deck().filter(|card| of(card)).count();
    match name {
        "enhanced" => {
            let id = pair(value).0;
            let is_it = |card: &Card| card.enhancement.map(Enhancement::id) == Some(id);
            format!("{id}:{}", count(&is_it))
        }
        "sealed" => {
            let id = pair(value).0;
            format!("{id}:{}", count(&|card| card.seal.map(Seal::id) == Some(id)))
        }
        "editions" => {
            let with = |it: &&Joker| it.edition.is_some();
            let jokers = run.jokers.iter().filter(with).count();
            (jokers + count(&|card| card.edition.is_some())).to_string()
        }
        "suits" => {
            let id = pair(value).0;
            let held = run.hand.iter().filter(|card| card.suit == suit(id));
            format!("{id}:{}", held.count())
        }
        "faces_hidden" => {
            let matches = |card: &Card| card.face_down == card.rank.is_face();
            if run.hand.iter().all(matches) { "" } else { "no" }.into()
        }
        "one_suit" => {
            let same = run.hand.windows(2).all(|pair| pair[0].suit == pair[1].suit);
            if same { "" } else { "no" }.into()
        }
        "one_rank" => {
            let same = run.hand.windows(2).all(|pair| pair[0].rank == pair[1].rank);
            if same { "" } else { "no" }.into()
        }
        "full" => run.full_deck().count().to_string(),
        "faces" => count(&|card| card.rank.is_face()).to_string(),
        "spades_and_hearts" => {
            count(&|card| matches!(card.suit, Suit::Spades | Suit::Hearts)).to_string()
        }
        _ => actual_of_shop(run, name),
    }
}

fn actual_of_shop(run: &Run, name: &str) -> String {
    match name {
        "joker_slots" => run.joker_slots().to_string(),
        "item_slots" => run.consumable_slots().to_string(),
        "shop_slots" => run.shop_slots().to_string(),
        "hands_per_round" => run.hands_per_round().to_string(),
        "discards_per_round" => run.discards_per_round().to_string(),
        "interest_steps" => run.interest().0.to_string(),
        "discount" => run.discount().to_string(),
        "reroll_cost" => run.reroll_cost().to_string(),
        "offers" => run.shop.as_ref().map_or(0, |shop| shop.cards.len()).to_string(),
        "vouchers_offered" => run.shop.as_ref().map_or(0, |shop| shop.vouchers.len()).to_string(),
        "free" => {
            let shop = run.shop.as_ref().unwrap();
            let packs = shop.packs.iter().filter(|offer| run.pack_price(offer) == 0).count();
            let cards = shop.cards.iter().filter(|offer| run.offer_price(offer) == 0).count();
            (packs + cards).to_string()
        }
        "rarity" => offered_joker(run).map_or("none", |joker| joker.kind.spec().rarity.id()).into(),
        "offered_edition" => {
            let edition = offered_joker(run).and_then(|joker| joker.edition);
            edition.map_or("none", Edition::id).into()
        }
        "offered_price" => {
            let offers = &run.shop.as_ref().unwrap().cards;
            run.offer_price(&offers[0]).to_string()
        }
        "first_choice" => match run.pack.as_ref().unwrap().choices[0].ware {
            Ware::Consumable(kind) => kind.id().into(),
            other => format!("{other:?}"),
        },
        "choices" => run.pack.as_ref().map_or(0, |pack| pack.choices.len()).to_string(),
        "pack" => run.pack.as_ref().map_or("none", |pack| pack.pack.id()).into(),
        "least_money" => {
            let least = (-200..=0).find(|dollars| run.can_afford(run.money - dollars));
            least.map_or("none".into(), |dollars| dollars.to_string())
        }
        "may_reroll_boss" => run.may_reroll_boss().to_string(),
        "duplicates" => run.allows_duplicates().to_string(),
        other => panic!("unknown expectation {other}"),
    }
}

fn offered_joker(run: &Run) -> Option<Joker> {
    match run.shop.as_ref()?.cards.first()?.ware {
        Ware::Joker(joker) => Some(joker),
        _ => None,
    }
}
