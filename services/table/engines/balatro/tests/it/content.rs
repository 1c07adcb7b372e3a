//! Every piece of content, at work in a run.

use parlor_balatro::content::{BossId, ConsumableId, DeckId, JokerId, Stake, TagId, VoucherId};
use parlor_balatro::poker::HandType;
use parlor_balatro::state::TagOffer;

use crate::scenario::{assert_all_covered, run_table};

const JOKERS: &str = include_str!("jokers.txt");
const BOSSES: &str = include_str!("bosses.txt");
const TAGS: &str = include_str!("tags.txt");
const VOUCHERS: &str = include_str!("vouchers.txt");
const CONSUMABLES: &str = include_str!("consumables.txt");
const DECKS: &str = include_str!("decks.txt");

#[test]
fn every_joker_does_what_it_says() {
    assert_all_covered(JOKERS, JokerId::all().map(JokerId::id));
    run_table(JOKERS, |scenario, line| {
        scenario.subject = scenario.add_joker(line.subject);
    });
}

#[test]
fn every_boss_does_what_it_says() {
    assert_all_covered(BOSSES, BossId::all().map(BossId::id));
    run_table(BOSSES, |scenario, line| {
        scenario.set(&format!("boss={}", line.subject));
    });
}

#[test]
fn every_tag_does_what_it_says() {
    assert_all_covered(TAGS, TagId::all().map(TagId::id));
    run_table(TAGS, |scenario, line| {
        let tag = TagId::from_id(line.subject).unwrap();
        let hand = (line.subject == "orbital").then_some(HandType::Flush);
        scenario.run().tag_offers[0] = TagOffer { tag, hand };
    });
}

#[test]
fn every_voucher_does_what_it_says() {
    assert_all_covered(VOUCHERS, VoucherId::all().map(VoucherId::id));
    run_table(VOUCHERS, |_, _| {});
}

#[test]
fn every_consumable_does_what_it_says() {
    assert_all_covered(CONSUMABLES, ConsumableId::all().map(ConsumableId::id));
    run_table(CONSUMABLES, |scenario, line| {
        scenario.subject = scenario.add_consumable(line.subject);
    });
}

#[test]
fn every_deck_and_stake_does_what_it_says() {
    assert_all_covered(DECKS, DeckId::all().map(DeckId::id));
    assert_all_covered(DECKS, Stake::ALL.into_iter().map(Stake::id));
    run_table(DECKS, |_, _| {});
}
