//! A run as scoring sees it (rules: balatro 5).

use alloc::vec::Vec;

use super::Run;
use crate::card::{Card, Enhancement, Rank};
use crate::content::bosses::BossEffect;
use crate::content::vouchers::VoucherEffect;
use crate::joker::Joker;
use crate::poker::{HandSet, HandType, Mods};
use crate::score::{BossScene, Facts, Scene, SceneJoker, first_five};

impl Run {
    /// Nines in the full deck.
    #[must_use]
    pub fn nines(&self) -> i64 {
        let nine = |card: &&Card| !card.is_stone() && card.rank == Rank::Nine;
        self.full_deck().filter(nine).count() as i64
    }

    /// Whether the full deck has a card with an enhancement.
    #[must_use]
    pub fn deck_has(&self, enhancement: Enhancement) -> bool {
        self.full_deck().any(|card| card.enhancement == Some(enhancement))
    }

    /// A held card with the boss's debuff on it.
    #[must_use]
    pub fn with_debuff(&self, card: &Card, mods: Mods) -> Card {
        let boss = self.boss_scene();
        Card { debuffed: boss.debuffs(card, mods), ..*card }
    }

    /// The blind as scoring sees it.
    #[must_use]
    pub fn boss_scene(&self) -> BossScene {
        if self.boss_effect() == BossEffect::Plain {
            return BossScene::default();
        }
        let mut seen = HandSet::default();
        for hand in HandType::ALL {
            if self.hands[hand.index()].round > 0 {
                seen.insert(hand);
            }
        }
        BossScene {
            boss: Some(self.boss),
            seen,
            locked: self.round.locked,
            most_played: Some(self.round.feared),
        }
    }

    /// The joker row as scoring sees it.
    #[must_use]
    pub fn scene_jokers(&self) -> Vec<SceneJoker> {
        let seen = |joker: &Joker| SceneJoker {
            kind: joker.kind,
            edition: joker.edition,
            debuffed: self.is_debuffed(joker),
            sell: self.joker_sell_value(joker),
            state: joker.state,
        };
        self.jokers.iter().map(seen).collect()
    }

    /// Everything that the score of the cards on the table depends on.
    #[must_use]
    pub fn scene(&self) -> Scene {
        Scene {
            played: first_five(&self.table),
            held: self.hand.clone(),
            jokers: self.scene_jokers(),
            hands: self.hands,
            boss: self.boss_scene(),
            facts: self.facts(),
        }
    }

    /// Numbers of the run that scoring reads.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let mut facts = Facts {
            money: self.money,
            hands_left: self.round.hands_left,
            discards_left: self.round.discards_left,
            hands_played: self.round.hands_played,
            draw_pile: self.draw_pile.len() as u32,
            deck_size: 0,
            starting_deck_size: self.starting_deck,
            joker_slots: self.joker_slots(),
            skips: self.tally.skips,
            tarots_used: self.tally.tarots_used,
            consumable_room: self.consumable_room() as u32,
            ancient_suit: Some(self.round.marks.ancient_suit),
            idol: Some(self.round.marks.idol),
            balances: self.options.deck_spec().balances,
            ..Facts::default()
        };
        for cards in self.zones() {
            facts.deck_size += cards.len() as u32;
            // Most decks have no enhanced card.
            if cards.iter().any(|card| card.enhancement.is_some()) {
                for enhancement in cards.iter().filter_map(|card| card.enhancement) {
                    facts.enhanced_cards += 1;
                    facts.steel_cards += u32::from(enhancement == Enhancement::Steel);
                    facts.stone_cards += u32::from(enhancement == Enhancement::Stone);
                }
            }
        }
        if self.vouchers.has(VoucherEffect::HeldPlanets) {
            for hand in self.consumables.iter().filter_map(|held| held.kind.planet_hand()) {
                let held = &mut facts.planets_held[hand.index()];
                *held = held.saturating_add(1);
            }
        }
        facts
    }
}
