//! Actions: what a line does.

use parlor_balatro::Command;
use parlor_balatro::blind::Blind;
use parlor_balatro::content::TagId;
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
