//! Builds views.

use alloc::vec::Vec;

use parlor_game::Viewer;

use super::{
    BlindStatus, BlindView, ChoiceView, ConsumableView, DeckView, JokerView, May, OfferView,
    PackOfferView, PackView, RoundView, RunView, ShopView, View, VoucherView,
};
use crate::blind::{Blind, Disabled, reward};
use crate::card::Card;
use crate::content::ConsumableId;
use crate::event::HandCard;
use crate::joker::Joker;
use crate::state::{Consumable, Ending, Phase, Run, State, Ware};

/// What a viewer is entitled to.
#[derive(Clone, Copy)]
struct Eyes {
    /// It is the player of a run that goes on.
    plays: bool,
    /// It sees what is face down.
    see_all: bool,
}

impl State {
    /// What a viewer may know.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> View {
        View { runs: self.runs, run: self.run.as_ref().map(|run| run.view(viewer)) }
    }
}

impl Run {
    fn view(&self, viewer: Viewer) -> RunView {
        let eyes = Eyes {
            plays: viewer == Viewer::Seat(self.seat) && self.phase != Phase::Over,
            see_all: viewer == Viewer::Auditor,
        };
        RunView {
            seat: self.seat,
            options: self.options.clone(),
            phase: self.phase,
            won: self.won,
            ante: self.ante,
            blind: self.blind,
            round_no: self.round_no,
            blinds: [Blind::Small, Blind::Big, Blind::Boss].map(|blind| self.blind_view(blind)),
            money: self.money,
            round: (self.phase == Phase::Playing).then(|| self.round_view()),
            marks: self.round.marks,
            hand: self.hand_view(eyes),
            hand_size: self.hand_size(),
            deck: self.deck_view(),
            hands: self.hands,
            jokers: self.jokers.iter().map(|it| self.joker_view(it, eyes)).collect(),
            joker_slots: self.joker_slots(),
            consumables: self.consumable_views(eyes),
            consumable_slots: self.consumable_slots(),
            vouchers: self.vouchers.iter().collect(),
            tags: self.tags.clone(),
            payout: (self.phase == Phase::RoundWon).then_some(self.payout),
            shop: self.shop_view(eyes),
            pack: self.pack_view(eyes),
            last_used: self.tally.last_used,
            summary: self.summary(Ending::Decided),
            may: if eyes.plays { self.may() } else { May::default() },
            boss_scene: self.boss_scene(),
            facts: self.facts(),
        }
    }

    fn blind_view(&self, blind: Blind) -> BlindView {
        let is_boss = blind == Blind::Boss;
        let status = match blind.cmp(&self.blind) {
            core::cmp::Ordering::Less => BlindStatus::Done,
            core::cmp::Ordering::Equal => BlindStatus::Current,
            core::cmp::Ordering::Greater => BlindStatus::Later,
        };
        let played = self.phase == Phase::Playing && status == BlindStatus::Current;
        BlindView {
            blind,
            boss: is_boss.then_some(self.boss),
            target: if played { self.round.target } else { self.target_of(blind, Disabled::No) },
            reward: reward(blind, self.boss, self.options.stake),
            tag: match blind {
                Blind::Small => Some(self.tag_offers[0]),
                Blind::Big => Some(self.tag_offers[1]),
                Blind::Boss => None,
            },
            status,
        }
    }

    fn round_view(&self) -> RoundView {
        let round = &self.round;
        RoundView {
            target: round.target,
            score: round.score,
            hands_left: round.hands_left,
            discards_left: round.discards_left,
            hands_played: round.hands_played,
            discards_used: round.discards_used,
            boss_disabled: round.boss == Disabled::Yes,
            locked: round.locked,
            feared: round.feared,
            forced: round.forced,
        }
    }

    fn hand_view(&self, eyes: Eyes) -> Vec<HandCard> {
        let (mods, _) = self.mods();
        let boss = self.boss_scene();
        let seen = |card: &Card| {
            let visible = !card.face_down || eyes.see_all;
            let card = Card { debuffed: boss.debuffs(card, mods), ..*card };
            HandCard { id: card.id, card: visible.then_some(card) }
        };
        self.hand.iter().map(seen).collect()
    }

    fn deck_view(&self) -> DeckView {
        let played = self.hand.len() + self.table.len() + self.discarded.len();
        let mut view = DeckView {
            full: (self.draw_pile.len() + played) as u32,
            draw_pile: self.draw_pile.len() as u32,
            unseen: [[0; 13]; 4],
            unseen_stones: 0,
        };
        let hidden = self.hand.iter().filter(|card| card.face_down);
        self.draw_pile.iter().chain(hidden).for_each(|card| {
            if card.is_stone() {
                view.unseen_stones += 1;
            } else {
                view.unseen[card.suit as usize][card.rank as usize] += 1;
            }
        });
        view
    }

    fn joker_view(&self, joker: &Joker, eyes: Eyes) -> JokerView {
        let visible = !joker.face_down || eyes.see_all;
        JokerView {
            item: joker.item,
            joker: visible.then_some(*joker),
            debuffed: visible && self.is_debuffed(joker),
            sell: if visible { self.joker_sell_value(joker) } else { 0 },
            shown: if visible { self.shown(joker) } else { None },
            sellable: eyes.plays && (!visible || !joker.stickers.eternal),
        }
    }

    fn consumable_views(&self, eyes: Eyes) -> Vec<ConsumableView> {
        let view = |consumable: &Consumable| ConsumableView {
            consumable: *consumable,
            sell: self.consumable_sell_value(consumable),
            usable: eyes.plays
                && self.may_use_consumables()
                && self.has_use(consumable.kind, Some(consumable)),
        };
        self.consumables.iter().map(view).collect()
    }

    /// Whether there are cards on which a consumable can be used now.
    #[must_use]
    pub fn has_use(&self, kind: ConsumableId, from: Option<&Consumable>) -> bool {
        let least = kind.spec().targets.0;
        match least {
            0 => self.check_use(kind, from, &[]).is_ok(),
            // What is face down may fit: saying otherwise would tell something about it.
            1 => self
                .hand
                .iter()
                .any(|card| card.face_down || self.check_use(kind, from, &[card.id]).is_ok()),
            _ => self.hand.len() >= least,
        }
    }

    fn shop_view(&self, eyes: Eyes) -> Option<ShopView> {
        let shop = self.shop.as_ref()?;
        let buys = eyes.plays && self.pack.is_none();
        let cards = shop.cards.iter().map(|offer| {
            let price = self.offer_price(offer);
            OfferView {
                item: offer.item,
                ware: offer.ware,
                price,
                buyable: buys && self.can_afford(price) && self.has_room_for(&offer.ware),
            }
        });
        let price = self.voucher_price();
        let vouchers = shop.vouchers.iter().map(|offer| VoucherView {
            item: offer.item,
            voucher: offer.voucher,
            price,
            buyable: buys && self.can_afford(price),
        });
        let packs = shop.packs.iter().map(|offer| {
            let price = self.pack_price(offer);
            PackOfferView { offer: *offer, price, buyable: buys && self.can_afford(price) }
        });
        Some(ShopView {
            cards: cards.collect(),
            vouchers: vouchers.collect(),
            packs: packs.collect(),
            reroll_cost: self.reroll_cost(),
        })
    }

    fn pack_view(&self, eyes: Eyes) -> Option<PackView> {
        let pack = self.pack.as_ref()?;
        let choices = pack.choices.iter().map(|choice| ChoiceView {
            item: choice.item,
            ware: choice.ware,
            pickable: eyes.plays && self.may_pick(&choice.ware),
        });
        let choices = choices.collect();
        Some(PackView { pack: pack.pack, choices, picks_left: pack.picks_left })
    }

    /// Whether a card of the open pack can be taken, with cards that fit.
    #[must_use]
    pub fn may_pick(&self, ware: &Ware) -> bool {
        match ware {
            Ware::Joker(_) | Ware::Card(_) => self.has_room_for(ware),
            Ware::Consumable(kind) => self.has_use(*kind, None),
        }
    }

    fn may(&self) -> May {
        let free = self.pack.is_none();
        let at = |phase| self.phase == phase && free;
        let playing = at(Phase::Playing);
        let choosing = at(Phase::BlindSelect);
        let shopping = at(Phase::Shop);
        May {
            select_blind: choosing,
            skip_blind: choosing && self.blind != Blind::Boss,
            reroll_boss: choosing
                && self.may_reroll_boss()
                && self.can_afford(self.boss_reroll_cost()),
            play: playing && self.round.hands_left > 0,
            discard: playing && self.round.discards_left > 0,
            reorder_hand: !self.hand.is_empty(),
            reorder_jokers: self.may_reorder_jokers(),
            cash_out: at(Phase::RoundWon),
            reroll: shopping && self.can_afford(self.reroll_cost()),
            leave_shop: shopping,
            skip_pack: !free,
            continue_or_finish: at(Phase::Won),
            give_up: true,
        }
    }
}
