//! Whole runs of the bot, as the player and a spectator see them, written down.
//!
//! A file holds the view before each command, and the command. `PARLOR_BLESS=1` writes the files
//! anew; the difference then shows in review.

use std::fmt::Write as _;
use std::path::Path;

use parlor_balatro::content::decks::Profile;
use parlor_balatro::content::{DeckId, Stake};
use parlor_balatro::number::decimal;
use parlor_balatro::state::Ware;
use parlor_balatro::view::RunView;
use parlor_balatro::{Balatro, Options};
use parlor_game::{Actor, Game, Viewer};

use crate::support::{PLAYER, dealt, entropy};

fn ware(ware: &Ware) -> String {
    match ware {
        Ware::Joker(joker) => format!("{}{}", joker.kind.id(), edition(joker.edition)),
        Ware::Consumable(kind) => kind.id().to_owned(),
        Ware::Card(card) => card.to_string(),
    }
}

fn edition(edition: Option<parlor_balatro::card::Edition>) -> String {
    edition.map(|edition| format!("+{}", edition.id())).unwrap_or_default()
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// A view in a few lines.
fn written(run: &RunView) -> String {
    let mut text = String::new();
    let place = (run.ante, run.blind.id(), run.phase.id());
    let _ = writeln!(text, "ante {} {} {} ${}", place.0, place.1, place.2, run.money);
    if let Some(round) = &run.round {
        let (score, target) = (decimal(round.score), decimal(round.target));
        let (hands, discards) = (round.hands_left, round.discards_left);
        let _ = writeln!(text, "  {score} of {target}, {hands} hands, {discards} discards");
    }
    let hand = run.hand.iter().map(|held| match &held.card {
        Some(card) => format!("{}:{card}", held.id.0),
        None => format!("{}:??", held.id.0),
    });
    let hand = joined(hand);
    if !hand.is_empty() {
        let _ = writeln!(text, "  hand {hand}; {} in the pile", run.deck.draw_pile);
    }
    let jokers = run.jokers.iter().map(|view| match &view.joker {
        Some(joker) => {
            let shown = view.shown.map(|it| format!("({})", it.value)).unwrap_or_default();
            format!("{}{}{shown}", joker.kind.id(), edition(joker.edition))
        }
        None => "??".to_owned(),
    });
    let items = run.consumables.iter().map(|view| view.consumable.kind.id().to_owned());
    let (jokers, items) = (joined(jokers), joined(items));
    if !jokers.is_empty() || !items.is_empty() {
        let _ = writeln!(text, "  jokers {jokers}; items {items}");
    }
    if let Some(shop) = &run.shop {
        let cards = shop.cards.iter().map(|it| format!("{}${}", ware(&it.ware), it.price));
        let packs = shop.packs.iter().map(|it| format!("{}${}", it.offer.pack.id(), it.price));
        let vouchers = shop.vouchers.iter().map(|it| format!("{}${}", it.voucher.id(), it.price));
        let offers = joined(cards.chain(packs).chain(vouchers));
        let _ = writeln!(text, "  offers {offers}; reroll ${}", shop.reroll_cost);
    }
    if let Some(pack) = &run.pack {
        let choices = joined(pack.choices.iter().map(|choice| ware(&choice.ware)));
        let _ = writeln!(text, "  pack {} {choices}", pack.pack.id());
    }
    text
}

fn playthrough(options: &Options, seed: u64) -> String {
    let entropy = entropy(seed);
    let mut state = dealt(options, &entropy);
    let mut text = String::new();
    while Balatro::in_hand(&state) {
        let view = Balatro::view(&state, Viewer::Seat(PLAYER));
        let seen = written(view.run.as_ref().unwrap());
        let spectator = Balatro::view(&state, Viewer::Spectator);
        assert_eq!(written(spectator.run.as_ref().unwrap()), seen);
        let command = Balatro::bot(&view).unwrap();
        let _ = writeln!(text, "{seen}> {command:?}");
        let events = Balatro::decide(&state, Actor::Seat(PLAYER), &command, &entropy).unwrap();
        events.iter().for_each(|event| Balatro::evolve(&mut state, event));
    }
    let end = Balatro::view(&state, Viewer::Seat(PLAYER)).run.unwrap().summary;
    let _ = writeln!(text, "{end:#?}");
    text
}

fn check(name: &str, options: &Options, seed: u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden").join(name);
    let actual = playthrough(options, seed);
    if std::env::var_os("PARLOR_BLESS").is_some() {
        std::fs::write(&path, &actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    for (number, (actual, expected)) in actual.lines().zip(expected.lines()).enumerate() {
        assert_eq!(actual, expected, "{name} line {}", number + 1);
    }
    assert_eq!(actual.lines().count(), expected.lines().count(), "{name}");
}

#[test]
fn a_classic_run_goes_as_written_down() {
    check("classic.txt", &Options::default(), 1);
}

#[test]
fn a_run_of_the_seed_profile_goes_as_written_down() {
    check("seed.txt", &Options { profile: Profile::Seed, ..Options::default() }, 2);
}

#[test]
fn a_gold_stake_run_on_the_plasma_deck_goes_as_written_down() {
    let deck = DeckId::from_id("plasma");
    check("plasma_gold.txt", &Options { deck, stake: Stake::Gold, ..Options::default() }, 3);
}
