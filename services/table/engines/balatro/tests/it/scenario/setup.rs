//! Setups: what a line finds.

use parlor_balatro::blind::Blind;
use parlor_balatro::card::{Card, CardId, Edition, Enhancement, Rank};
use parlor_balatro::content::{BossId, ConsumableId, TagId, VoucherId};
use parlor_balatro::number::Hundredths;
use parlor_balatro::poker::HandType;
use parlor_balatro::state::{Phase, Round, TagOffer};

use super::{FIRST_CARD, Scenario, card, hand, number, pair, suit, words};

impl Scenario {
    /// Enters a round with a known hand: what is played, then what is held.
    fn deal_hand(&mut self, played: &str, held: &str) {
        let texts = played.split(',').chain(held.split(',')).filter(|text| !text.is_empty());
        let ids = (FIRST_CARD..).map(CardId);
        let hand: Vec<Card> = ids.zip(texts).map(|(id, text)| Card { id, ..card(text) }).collect();
        let count = played.split(',').filter(|text| !text.is_empty()).count();
        self.played = hand.iter().take(count).map(|card| card.id).collect();
        let run = self.run();
        for card in &hand {
            let same = |other: &Card| (other.rank, other.suit) == (card.rank, card.suit);
            let place = run.draw_pile.iter().position(same).unwrap_or(0);
            run.draw_pile.remove(place);
        }
        run.hand = hand;
    }

    /// Applies the words of a setup.
    pub fn set(&mut self, setup: &str) {
        let found = |name| words(setup).find(|word| word.0 == name).map(|word| word.1);
        if found("play").is_some() || found("hold").is_some() {
            self.deal_hand(found("play").unwrap_or(""), found("hold").unwrap_or(""));
            self.run().phase = Phase::Playing;
            self.run().round_no = 1;
            self.run().round = Round {
                target: 1e9,
                hands_left: 4,
                discards_left: 3,
                marks: Default::default(),
                ..Round::default()
            };
        }
        for (name, value) in words(setup) {
            self.set_word(name, value);
        }
        self.before = self.run().clone();
    }

    fn set_word(&mut self, name: &str, value: &str) {
        let subject = self.subject;
        match name {
            "play" | "hold" | "starting" | "stake" | "subject" | "owned" => {}
            "with" => value.split(',').for_each(|id| {
                self.add_joker(id);
            }),
            "before" => {
                let count = value.split(',').count();
                value.split(',').for_each(|id| {
                    self.add_joker(id);
                });
                self.run().jokers.rotate_right(count);
            }
            "items" => value.split(',').for_each(|id| {
                self.add_consumable(id);
            }),
            "tags" => {
                for id in value.split(',') {
                    let (id, hand) = id.split_once('/').unwrap_or((id, ""));
                    let hand = HandType::from_id(hand);
                    self.run().tags.push(TagOffer { tag: TagId::from_id(id).unwrap(), hand });
                }
            }
            "vouchers" => value.split(',').for_each(|id| {
                self.run().vouchers.insert(VoucherId::from_id(id).unwrap());
            }),
            "value" | "counter" | "ed" | "eternal" | "perish" | "rental" => {
                let run = self.run();
                let joker = run.jokers.iter_mut().find(|joker| joker.item == subject).unwrap();
                match name {
                    "value" => {
                        let value: f64 = number(value);
                        joker.state.value = Hundredths((value * 100.0).round() as i64);
                    }
                    "counter" => joker.state.counter = number(value),
                    "ed" => joker.edition = Some(Edition::from_id(value).unwrap()),
                    "eternal" => joker.stickers.eternal = true,
                    "perish" => joker.stickers.perishable = Some(number(value)),
                    _ => joker.stickers.rental = true,
                }
            }
            _ => self.set_run(name, value),
        }
    }

    fn set_run(&mut self, name: &str, value: &str) {
        let run = self.run();
        match name {
            "money" => run.money = number(value),
            "ante" => run.ante = number(value),
            "hands" => run.round.hands_left = number(value),
            "discards" => run.round.discards_left = number(value),
            "discarded" => run.round.discards_used = number(value),
            "played" => run.round.hands_played = number(value),
            "target" => run.round.target = number(value),
            "scored" => run.round.score = number(value),
            "skips" => run.tally.skips = number(value),
            "tarots" => run.tally.tarots_used = number(value),
            "planets" => run.tally.planets_used = (1 << number::<u32>(value)) - 1,
            "hands_played" => run.tally.hands_played = number(value),
            "discards_saved" => run.tally.discards_saved = number(value),
            "last" => run.tally.last_used = ConsumableId::from_id(value),
            "extinct" => run.tally.extinct = true,
            "level" => run.hands[hand(pair(value).0).index()].level = number(pair(value).1),
            "plays" => run.hands[hand(pair(value).0).index()].run = number(pair(value).1),
            "plays_round" => {
                run.hands[hand(pair(value).0).index()].round = number(pair(value).1);
            }
            "locked" => run.round.locked = Some(hand(value)),
            "feared" => run.round.feared = hand(value),
            "mail" => run.round.marks.mail_rank = Rank::from_name(value).unwrap(),
            "castle" => run.round.marks.castle_suit = suit(value),
            "ancient" => run.round.marks.ancient_suit = suit(value),
            "idol" => {
                let card = card(value);
                run.round.marks.idol = (card.rank, card.suit);
            }
            "deck" => {
                let (enhancement, count) = pair(value);
                let enhancement = Enhancement::from_id(enhancement);
                run.draw_pile.iter_mut().take(number(count)).for_each(|card| {
                    card.enhancement = enhancement;
                });
            }
            "pile" => run.draw_pile.truncate(number(value)),
            "blind" => {
                run.blind = match value {
                    "small" => Blind::Small,
                    "big" => Blind::Big,
                    _ => Blind::Boss,
                }
            }
            "boss" => {
                run.blind = Blind::Boss;
                run.boss = BossId::from_id(value).unwrap_or_else(|| panic!("boss {value}"));
            }
            "forced" => {
                let is_it = |held: &&Card| held.to_string() == value;
                run.round.forced = run.hand.iter().find(is_it).map(|held| held.id);
            }
            "already" => run.hand.iter_mut().for_each(|card| card.played_this_ante = true),
            "seen" => {}
            other => panic!("unknown setup {other}"),
        }
    }
}
