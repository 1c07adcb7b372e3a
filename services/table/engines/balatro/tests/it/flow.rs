//! How runs begin, go on and end.

use parlor_balatro::blind::Blind;
use parlor_balatro::card::Card;
use parlor_balatro::content::JokerId;
use parlor_balatro::joker::JokerState;
use parlor_balatro::number::{Hundredths, beats, decimal};
use parlor_balatro::score::{Certain, Scene, SceneJoker, score};
use parlor_balatro::state::{Phase, RunSummary};
use parlor_balatro::{Balatro, CLOCK_MS, Command, Event, Options, State, reason};
use parlor_game::{Actor, Entrant, Game, Seat, Viewer};

use crate::scenario::{Scenario, lines, run_table};
use crate::support::{PLAYER, dealt, entrants, entropy};

const FAULTS: &str = include_str!("faults.txt");

#[test]
fn every_fault_is_refused_with_its_reason() {
    run_table(FAULTS, |scenario, line| {
        for (name, id) in line.setup.split_whitespace().filter_map(|word| word.split_once('=')) {
            match name {
                "subject" => scenario.subject = scenario.add_joker(id),
                "owned" => scenario.subject = scenario.add_consumable(id),
                _ => {}
            }
        }
    });
    // What a player's command cannot cause is tested below.
    let elsewhere = [
        reason::BAD_OPTIONS,
        reason::NOT_YOUR_RUN,
        reason::RUN_IN_PROGRESS,
        reason::WRONG_NUMBER_OF_PLAYERS,
    ];
    let lines = lines(FAULTS);
    for reason in reason::ALL {
        let covered = lines.iter().any(|line| line.subject == *reason);
        assert!(covered || elsewhere.contains(reason), "no line for {reason}");
    }
}

#[test]
fn reasons_are_sorted() {
    assert!(reason::ALL.is_sorted());
}

#[test]
fn only_one_player_and_only_the_own_run() {
    let state = Balatro::open(&Options::default()).unwrap();
    let two = [Seat(0), Seat(1)].map(|seat| Entrant { seat, stack: None });
    let refused =
        |entrants: &[Entrant]| Balatro::deal(&state, entrants, &entropy(1)).unwrap_err().reason;
    assert_eq!(refused(&[]), reason::WRONG_NUMBER_OF_PLAYERS);
    assert_eq!(refused(&two), reason::WRONG_NUMBER_OF_PLAYERS);
    let state = dealt(&Options::default(), &entropy(1));
    let again = Balatro::deal(&state, &entrants(), &entropy(1)).unwrap_err();
    assert_eq!(again.reason, reason::RUN_IN_PROGRESS);
    for actor in [Actor::Seat(Seat(1)), Actor::System] {
        let refusal = Balatro::decide(&state, actor, &Command::SelectBlind, &entropy(1));
        assert_eq!(refusal.unwrap_err().reason, reason::NOT_YOUR_RUN);
    }
    assert!(Balatro::legal(&state, Seat(1)).is_empty());
}

#[test]
fn malformed_options_are_refused() {
    let daily = |id: &str| Options { daily: Some(id.to_owned()), ..Options::default() };
    for bad in [daily(""), daily("Über"), daily("a b"), daily(&"x".repeat(41))] {
        assert_eq!(Balatro::open(&bad).unwrap_err().reason, reason::BAD_OPTIONS);
        assert_eq!(Balatro::seats(&bad).unwrap_err().reason, reason::BAD_OPTIONS);
    }
    assert!(Balatro::open(&daily("2026-10-31")).is_ok());
}

#[test]
fn a_run_starts_as_the_profile_says() {
    let classic = dealt(&Options::default(), &entropy(1));
    let run = classic.run.as_ref().unwrap();
    assert_eq!((run.money, run.hands_per_round(), run.discards_per_round()), (4, 4, 3));
    let profile = parlor_balatro::content::decks::Profile::Seed;
    let mut seed = dealt(&Options { profile, ..Options::default() }, &entropy(1));
    let run = seed.run.as_mut().unwrap();
    assert_eq!((run.money, run.hands_per_round(), run.discards_per_round()), (0, 5, 3));
    let mut targets = Vec::new();
    for ante in [1, 2, 8, 9] {
        run.ante = ante;
        let target = |blind| run.target_of(blind, parlor_balatro::blind::Disabled::No);
        targets.push([Blind::Small, Blind::Big, Blind::Boss].map(target));
    }
    let expected = [[150, 250, 350], [200, 300, 400], [500, 600, 700], [550, 650, 750]];
    assert_eq!(targets, expected.map(|ante| ante.map(f64::from)));
}

#[test]
fn blinds_follow_one_another_and_the_boss_ends_the_ante() {
    let mut scenario = Scenario::new(3, "");
    for (ante, blind) in [(1, Blind::Small), (1, Blind::Big), (1, Blind::Boss), (2, Blind::Small)] {
        let run = scenario.run();
        assert_eq!((run.ante, run.blind, run.phase), (ante, blind, Phase::BlindSelect));
        scenario.act("select; clear; cash; leave");
        assert_eq!(scenario.refused, None);
    }
    assert_eq!(scenario.run().round_no, 4);
}

#[test]
fn skipping_leads_to_the_next_blind_without_a_shop() {
    let mut scenario = Scenario::new(3, "");
    scenario.act("next_tag handy");
    scenario.run().tag_offers[0] = scenario.run().tag_offers[1];
    scenario.act("skip; skip");
    let run = scenario.run();
    assert_eq!((run.blind, run.phase, run.tally.skips), (Blind::Boss, Phase::BlindSelect, 2));
    scenario.act("skip");
    assert_eq!(scenario.refused, Some(reason::BOSS_CANNOT_BE_SKIPPED));
}

fn summary(scenario: &Scenario) -> Option<RunSummary> {
    scenario.events.iter().find_map(|event| match event {
        Event::RunEnded(end) => Some(end.summary.clone()),
        _ => None,
    })
}

#[test]
fn beating_the_boss_of_ante_8_wins_and_may_go_on() {
    let mut scenario = Scenario::new(5, "");
    scenario.set("play=AC boss=violet_vessel ante=8");
    scenario.act("win");
    assert_eq!((scenario.run().phase, scenario.run().won), (Phase::Won, true));
    assert!(Balatro::in_hand(&scenario.state), "the run goes on until it is finished");
    scenario.act("continue");
    let run = scenario.run();
    assert_eq!((run.phase, run.ante, run.blind), (Phase::RoundWon, 9, Blind::Small));
    // The next finisher is beaten without winning once more, and losing keeps the win.
    scenario.act("cash; leave; to_boss; select; clear");
    assert_eq!(scenario.run().phase, Phase::RoundWon);
    scenario.act("cash; leave; select; lose");
    let end = summary(&scenario).unwrap();
    assert_eq!((end.won, end.gave_up, end.ante), (true, false, 10));
}

#[test]
fn a_won_run_can_be_finished() {
    let mut scenario = Scenario::new(5, "");
    scenario.set("play=AC boss=violet_vessel ante=8");
    scenario.act("win; finish");
    let end = summary(&scenario).unwrap();
    assert_eq!((end.won, end.gave_up, end.ante, end.rounds_won), (true, false, 8, 1));
    assert!(!Balatro::in_hand(&scenario.state));
    assert!(Balatro::awaiting(&scenario.state).is_empty());
}

#[test]
fn giving_up_ends_the_run_at_any_time_and_moves_no_money() {
    for steps in ["", "select", "select; clear", "select; clear; cash"] {
        let mut scenario = Scenario::new(5, "");
        scenario.act(steps);
        scenario.act("give_up");
        let end = summary(&scenario).unwrap();
        assert_eq!((end.won, end.gave_up), (false, true), "{steps}");
        let results: Vec<_> = scenario.events.iter().filter_map(Balatro::hand_result).collect();
        assert_eq!(results.len(), 1);
        assert!(results[0].transfers.is_empty());
        assert!(scenario.events.last().is_some_and(Balatro::reveals_seed));
    }
}

#[test]
fn a_table_sees_run_after_run_but_a_daily_challenge_once() {
    for daily in [None, Some("2026-10-31".to_owned())] {
        let once = daily.is_some();
        let mut state = dealt(&Options { daily, ..Options::default() }, &entropy(1));
        let ended =
            Balatro::decide(&state, Actor::Seat(PLAYER), &Command::GiveUp, &entropy(1)).unwrap();
        ended.iter().for_each(|event| Balatro::evolve(&mut state, event));
        assert_eq!(Balatro::finished(&state), once);
        assert_eq!(Balatro::deal(&state, &entrants(), &entropy(2)).is_err(), once);
    }
}

#[test]
fn who_leaves_gives_up_and_who_is_away_has_a_day() {
    let state = dealt(&Options::default(), &entropy(1));
    assert_eq!(Balatro::leave(&state, PLAYER), Some(Command::GiveUp));
    let pending = &Balatro::awaiting(&state).seats[0];
    assert_eq!((pending.clock_ms, CLOCK_MS), (CLOCK_MS, 86_400_000));
    assert_eq!(pending.default, Command::SelectBlind);
}

/// Commands that only the player sees the effect of do not shift what others can compare.
#[test]
fn the_same_key_gives_the_same_offers_whatever_was_done_before() {
    let offers = |action: &str| {
        let mut scenario = Scenario::new(11, "");
        scenario.run().options.daily = Some("today".to_owned());
        scenario.act(action);
        scenario.act("clear; cash");
        let shop = scenario.run().shop.clone().unwrap();
        let wares = |state: &mut Scenario| state.run().wares().copied().collect::<Vec<_>>();
        let packs: Vec<_> = shop.packs.iter().map(|offer| offer.pack).collect();
        let vouchers: Vec<_> = shop.vouchers.iter().map(|offer| offer.voucher).collect();
        let cards = wares(&mut scenario);
        scenario.run().money = 100;
        scenario.act("leave; select; clear; cash; leave; select; clear");
        let run = scenario.run();
        (cards, packs, vouchers, run.boss, run.tag_offers)
    };
    let plain = offers("select");
    assert_eq!(offers("select; discard_first; discard_first"), plain);
    assert_ne!(plain.0, {
        let mut other = Scenario::new(12, "");
        other.act("select; clear; cash");
        other.run().wares().copied().collect::<Vec<_>>()
    });
}

#[test]
fn a_score_beyond_all_numbers_is_the_largest_number_and_beats_every_target() {
    let joker = |id: &str| {
        let kind = JokerId::from_id(id).unwrap();
        let state = JokerState { value: Hundredths(i64::MAX), counter: 0 };
        SceneJoker { kind, edition: None, debuffed: false, sell: i64::MAX, state }
    };
    let mut scene = Scene {
        played: ["KH"; 5].iter().filter_map(|card| Card::parse(card)).collect(),
        jokers: vec![joker("triboulet"); 24],
        ..Scene::default()
    };
    scene.jokers.extend([joker("sock_and_buskin"); 20]);
    scene.jokers.extend([joker("constellation"), joker("runner"), joker("bull")]);
    scene.facts.money = i64::MAX;
    scene.hands[0].level = u32::MAX;
    for balances in [false, true] {
        scene.facts.balances = balances;
        let outcome = score(&scene, &mut Certain);
        assert_eq!(outcome.score, f64::MAX);
        assert!(outcome.chips.is_finite() && outcome.mult.is_finite());
        assert!(beats(outcome.score, f64::INFINITY));
    }
    assert_eq!(decimal(9_007_199_254_740_993.0), "9007199254740992");
    assert_eq!(decimal(1e23), "99999999999999991611392");
}

#[test]
fn the_boss_that_disables_jokers_never_picks_the_same_twice_in_a_row() {
    for seed in 0..20 {
        let mut scenario = Scenario::new(seed, "");
        scenario.set("boss=crimson_heart ante=8 with=egg,splash");
        scenario.act("select");
        let mut last = scenario.run().round.disabled_joker;
        for _ in 0..3 {
            scenario.act("play_first");
            let now = scenario.run().round.disabled_joker;
            assert!(now.is_some() && now != last, "{now:?} after {last:?}");
            last = now;
        }
    }
}

#[test]
fn a_spectator_sees_what_the_player_sees_and_may_do_nothing() {
    let state: State = dealt(&Options::default(), &entropy(1));
    let player = Balatro::view(&state, Viewer::Seat(PLAYER)).run.unwrap();
    let spectator = Balatro::view(&state, Viewer::Spectator).run.unwrap();
    assert!(player.may.select_blind && !spectator.may.select_blind && !spectator.may.give_up);
    assert_eq!((player.hand, player.money), (spectator.hand, spectator.money));
    assert_eq!(Balatro::bot(&Balatro::view(&state, Viewer::Spectator)), None);
}

#[test]
fn copies_of_a_hidden_card_stay_hidden() {
    let mut scenario = Scenario::new(1, "");
    scenario.subject = scenario.add_consumable("cryptid");
    scenario.set("play=KH hold=2C");
    scenario.run().hand[0].face_down = true;
    scenario.act("use");
    let added = scenario.events.iter().find_map(|event| match event {
        Event::CardsAdded { .. } => Balatro::redact(event, Viewer::Seat(PLAYER)),
        _ => None,
    });
    let Some(Event::CardsAdded { cards, .. }) = added else { panic!("no cards were added") };
    assert_eq!(cards.len(), 2);
    assert!(cards.iter().all(|added| added.card.is_none()));
    let hand = Balatro::view(&scenario.state, Viewer::Seat(PLAYER)).run.unwrap().hand;
    let seen: Vec<bool> = hand.iter().map(|held| held.card.is_some()).collect();
    assert_eq!(seen, [false, true, false, false]);
}
