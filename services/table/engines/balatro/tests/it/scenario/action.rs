//! Actions: what a line does.

use parlor_balatro::Command;
use parlor_balatro::blind::Blind;
use parlor_balatro::card::CardId;
use parlor_balatro::content::TagId;
use parlor_balatro::joker::ItemId;
use parlor_balatro::state::Ware;

use super::{Scenario, number};

impl Scenario {
    /// Carries out an action: commands separated by `;`.
    pub fn act(&mut self, action: &str) {
        for step in action.split(';').map(str::trim).filter(|step| !step.is_empty()) {
            let (verb, object) = step.split_once(' ').unwrap_or((step, ""));
            self.step(verb, object);
        }
    }

    fn step(&mut self, verb: &str, object: &str) {
        let played = self.played.clone();
        let command = match verb {
            "play" => Command::Play(played),
            "discard" => Command::Discard(played),
            "win" => {
                self.run().round.target = 1.0;
                Command::Play(played)
            }
            "select" => Command::SelectBlind,
            "skip" => Command::SkipBlind,
            "sell" => Command::Sell(self.subject),
            "cash" => Command::CashOut,
            "leave" => Command::LeaveShop,
            "reroll" => Command::Reroll,
            "reroll_boss" => Command::RerollBoss,
            "skip_pack" => Command::SkipPack,
            "use" => Command::Use { item: self.subject, targets: played },
            "sell_item" => Command::Sell(self.run().consumables[0].item),
            "lose" => {
                let run = self.run();
                (run.round.target, run.round.hands_left) = (f64::INFINITY, 1);
                Command::Play(vec![run.hand[0].id])
            }
            "play_first" => Command::Play(vec![self.run().hand[0].id]),
            "discard_first" => Command::Discard(vec![self.run().hand[0].id]),
            "play_ids" => Command::Play(ids(object).map(CardId).collect()),
            "order_hand" => Command::ReorderHand(ids(object).map(CardId).collect()),
            "order_jokers" => {
                Command::ReorderJokers(ids(object).map(|id| ItemId(u32::from(id))).collect())
            }
            "buy_item" => Command::Buy(ItemId(number(object))),
            "continue" => Command::Continue,
            "finish" => Command::Finish,
            "give_up" => Command::GiveUp,
            "shop" => {
                self.open_shop();
                self.before = self.run().clone();
                return;
            }
            "put" => {
                self.offer(object);
                return;
            }
            "to_boss" => {
                self.run().blind = Blind::Boss;
                return;
            }
            "next_tag" => {
                self.run().tag_offers[1].tag = TagId::from_id(object).unwrap();
                return;
            }
            "stock" => return self.sample_stock(number(object)),
            "packs" => return self.sample_packs(object),
            "clear" => {
                self.run().round.target = 0.0;
                Command::Play(vec![self.run().hand[0].id])
            }
            "sell_joker" => Command::Sell(self.run().jokers[0].item),
            "buy" => Command::Buy(self.offer(object)),
            "redeem" => Command::Redeem(self.offer(&format!("voucher:{object}"))),
            "open" => Command::OpenPack(self.offer(&format!("pack:{object}"))),
            other => panic!("unknown action {other}"),
        };
        self.command(&command);
    }

    /// Rerolls the shop until it has offered so many cards.
    fn sample_stock(&mut self, count: usize) {
        while self.samples.len() < count {
            self.run().money = 1000;
            self.command(&Command::Reroll);
            let shop = self.run().shop.as_ref().unwrap();
            let wares: Vec<Ware> = shop.cards.iter().map(|offer| offer.ware).collect();
            self.samples.extend(wares);
        }
    }

    /// Opens and skips packs, as `PACK COUNT`.
    fn sample_packs(&mut self, object: &str) {
        let (id, count) = object.split_once(' ').unwrap();
        for _ in 0..number(count) {
            self.run().money = 1000;
            let offer = self.offer(&format!("pack:{id}"));
            self.command(&Command::OpenPack(offer));
            let pack = self.run().pack.as_ref().unwrap();
            let wares: Vec<Ware> = pack.choices.iter().map(|choice| choice.ware).collect();
            self.samples.extend(wares);
            self.command(&Command::SkipPack);
        }
    }
}

fn ids(text: &str) -> impl Iterator<Item = u16> {
    text.split(',').map(number)
}
