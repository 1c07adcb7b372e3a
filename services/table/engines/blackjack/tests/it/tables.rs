//! The rule tables, one line a case: settings | deck | actions | what must then be so.
//!
//! The deck lies with its first card on top: one card for each player that bets, the banker's up
//! card, a second for each player, the hole card, and what is drawn later; it goes on with twos
//! unless it ends with a dot. `action!reason` is refused for that reason and changes nothing.

use std::collections::BTreeSet;

use parlor_blackjack::Blackjack;
use parlor_game::Game;

use crate::support::Setting;

const BETTING: &str = include_str!("tables/betting.txt");
const COVER: &str = include_str!("tables/cover.txt");
const INSURANCE: &str = include_str!("tables/insurance.txt");
const PEEK: &str = include_str!("tables/peek.txt");
const PLAYING: &str = include_str!("tables/playing.txt");
const SPLITTING: &str = include_str!("tables/splitting.txt");
const BANKER: &str = include_str!("tables/banker.txt");
const SETTLEMENT: &str = include_str!("tables/settlement.txt");
const COMMISSION: &str = include_str!("tables/commission.txt");
const CARDS: &str = include_str!("tables/cards.txt");
const LEAVING: &str = include_str!("tables/leaving.txt");

/// Runs every line; gives back the reasons that were met.
fn check(table: &str) -> BTreeSet<String> {
    let mut reasons = BTreeSet::new();
    let mut cases = 0;
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [setting, deck, actions, expected] = columns[..] else { panic!("columns: {line}") };
        let mut round = Setting::read(setting).open(deck);
        for action in actions.split(',').map(str::trim).filter(|action| !action.is_empty()) {
            let (action, reason) = action.split_once('!').unwrap_or((action, ""));
            let refused = round.act(action).err().map_or("", |refusal| refusal.reason);
            assert_eq!(refused, reason, "{action} in {line}");
            if !reason.is_empty() {
                reasons.insert(reason.to_owned());
            }
        }
        let facts = round.facts();
        for fact in expected.split(',').map(str::trim) {
            assert!(facts.iter().any(|found| found == fact), "{fact}: {line}\n{facts:#?}");
        }
        cases += 1;
    }
    assert!(cases > 0, "an empty table");
    reasons
}

macro_rules! tables {
    ($($name:ident: $table:ident;)*) => {
        $(#[test]
        fn $name() {
            check($table);
        })*

        #[test]
        fn every_reason_of_a_running_round_stands_in_a_table() {
            let mut met = BTreeSet::new();
            $(met.extend(check($table));)*
            let at_the_deal = [
                "invalid_entrants",
                "invalid_settings",
                "match_over",
                "round_running",
                "waiting_for_banker",
            ];
            for reason in Blackjack::REASONS {
                assert_ne!(met.contains(*reason), at_the_deal.contains(reason), "{reason}");
            }
        }
    };
}

tables! {
    bets_are_checked_in_order: BETTING;
    the_banker_never_owes_more_than_the_stack: COVER;
    insurance_and_even_money_follow_the_rules: INSURANCE;
    a_peek_comes_before_the_play: PEEK;
    hands_are_played_one_after_the_other: PLAYING;
    pairs_are_split_by_the_rules: SPLITTING;
    the_banker_draws_by_rule: BANKER;
    hands_are_settled_by_the_first_row_that_fits: SETTLEMENT;
    commission_goes_to_the_house: COMMISSION;
    cards_run_out_in_order: CARDS;
    who_is_gone_stands: LEAVING;
}

#[test]
fn the_reasons_are_sorted() {
    assert!(Blackjack::REASONS.is_sorted_by(|a, b| a < b));
}
