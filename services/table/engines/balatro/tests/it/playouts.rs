//! Random and greedy runs over the contract.

use parlor_balatro::blind::Blind;
use parlor_balatro::content::{BossId, JokerId};
use parlor_balatro::joker::{ItemId, Joker};
use parlor_balatro::state::Phase;
use parlor_balatro::{Balatro, Command, Event, Options, State};
use parlor_game::playout::{check_secrecy, random_hand};
use parlor_game::{Actor, Entropy, Game, Viewer};

use crate::support::{PLAYER, dealt, entrants, entropy, random_options};

/// Runs of a playout: `PARLOR_PLAYOUTS`, or a number that takes seconds.
fn playouts(default: u64) -> u64 {
    let asked = std::env::var("PARLOR_PLAYOUTS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(default)
}

/// Lets the bot play a run to its end; `each` sees every state and the events that led to it.
fn greedy_run(
    state: &mut State,
    entropy: &Entropy,
    mut each: impl FnMut(&State, &Command, &[Event]),
) {
    let mut steps = 0;
    while Balatro::in_hand(state) {
        let view = Balatro::view(state, Viewer::Seat(PLAYER));
        let command = Balatro::bot(&view).unwrap();
        let events = Balatro::decide(state, Actor::Seat(PLAYER), &command, entropy);
        let events = events.unwrap_or_else(|refusal| panic!("{command:?}: {}", refusal.reason));
        for event in &events {
            Balatro::evolve(state, event);
        }
        each(state, &command, &events);
        steps += 1;
        assert!(steps < 20_000, "the bot does not come to an end");
    }
}

#[test]
fn random_runs_keep_the_contract() {
    for seed in 0..playouts(400) {
        let entropy = entropy(seed);
        let mut choices = entropy.labelled("choices");
        let options = random_options(&mut choices);
        let mut state = Balatro::open(&options).unwrap();
        let played = random_hand::<Balatro>(&mut state, &entrants(), &entropy, &mut choices);
        let played = played.unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
        assert!(played.commands > 0, "seed {seed}");
    }
}

/// Runs that cannot be lost soon: every deck and stake, deep into endless antes, with more money
/// and jokers than any player will have.
#[test]
fn rich_random_runs_keep_the_contract_in_late_antes() {
    let (mut deepest, mut most_jokers, mut best) = (0, 0, 0.0_f64);
    for seed in 0..playouts(60).min(2000) {
        let entropy = entropy(seed);
        let mut choices = entropy.labelled("rich");
        let options = random_options(&mut choices);
        let mut state = dealt(&options, &entropy);
        for step in 0..1500_u64 {
            if !Balatro::in_hand(&state) {
                break;
            }
            let run = state.run.as_mut().unwrap();
            if step % 50 == 0 {
                run.money = 1_000_000;
                run.hands.iter_mut().for_each(|record| record.level = 100_000_000);
            }
            run.round.target = run.round.target.min(1e300);
            let legal = Balatro::legal(&state, PLAYER);
            assert!(legal.is_sorted_by(|a, b| a < b), "seed {seed}");
            let command = &legal[choices.below(legal.len() as u32) as usize];
            let decided = Balatro::decide(&state, Actor::Seat(PLAYER), command, &entropy);
            let events = decided.unwrap_or_else(|no| panic!("{command:?}: {}", no.reason));
            let bytes = postcard::to_allocvec(&events).unwrap();
            assert_eq!(postcard::from_bytes::<Vec<Event>>(&bytes).unwrap(), events);
            events.iter().for_each(|event| Balatro::evolve(&mut state, event));
            check_secrecy::<Balatro>(&state, &events, 1, &self::entropy(step))
                .unwrap_or_else(|leak| panic!("seed {seed} step {step}: {leak}"));
            let run = state.run.as_ref().unwrap();
            assert!(run.round.score.is_finite() && run.tally.best_hand.is_finite());
            deepest = deepest.max(run.ante);
            most_jokers = most_jokers.max(run.jokers.len());
            best = best.max(run.tally.best_hand);
        }
    }
    assert!(deepest > 12, "deepest ante {deepest}, {most_jokers} jokers, best hand {best}");
}

/// Bosses that hide: the player cannot tell what is face down, whatever happens in the round.
#[test]
fn no_boss_leaks_what_it_hides() {
    let (mut cards, mut jokers) = (0, 0);
    for (number, boss) in BossId::all().enumerate() {
        for seed in 0..4 {
            let entropy = entropy(seed * 100 + number as u64);
            let mut choices = entropy.labelled("bosses");
            let mut state = dealt(&Options::default(), &entropy);
            let run = state.run.as_mut().unwrap();
            run.blind = Blind::Boss;
            run.boss = boss;
            for (item, kind) in (900..).zip(JokerId::all().skip(number * 4).step_by(7).take(5)) {
                run.jokers.push(Joker::new(ItemId(item), kind));
            }
            let mut command = Command::SelectBlind;
            for step in 0..40 {
                let decided = Balatro::decide(&state, Actor::Seat(PLAYER), &command, &entropy);
                let events = decided.unwrap();
                events.iter().for_each(|event| Balatro::evolve(&mut state, event));
                check_secrecy::<Balatro>(&state, &events, 1, &self::entropy(step))
                    .unwrap_or_else(|leak| panic!("{} step {step}: {leak}", boss.id()));
                let run = state.run.as_ref().unwrap();
                cards += run.hand.iter().filter(|card| card.face_down).count();
                jokers += run.jokers.iter().filter(|joker| joker.face_down).count();
                if run.phase != Phase::Playing {
                    break;
                }
                let legal = Balatro::legal(&state, PLAYER);
                command = legal[choices.below(legal.len() as u32) as usize].clone();
            }
        }
    }
    assert!(cards > 200 && jokers > 50, "{cards} cards and {jokers} jokers were face down");
}

#[test]
fn nothing_hidden_can_be_told_from_views_and_events() {
    for seed in 0..playouts(60).min(2000) {
        let entropy = entropy(seed);
        let options = random_options(&mut entropy.labelled("choices"));
        let mut state = dealt(&options, &entropy);
        let mut step = 0;
        greedy_run(&mut state, &entropy, |state, _, events| {
            let other = self::entropy(seed ^ 0xffff_0000 ^ step);
            check_secrecy::<Balatro>(state, events, 1, &other)
                .unwrap_or_else(|leak| panic!("seed {seed} step {step}: {leak}"));
            step += 1;
        });
    }
}

#[test]
fn every_command_that_is_offered_on_the_way_of_the_bot_is_accepted() {
    for seed in 0..playouts(40).min(1000) {
        let entropy = entropy(seed);
        let options = random_options(&mut entropy.labelled("choices"));
        let mut state = dealt(&options, &entropy);
        greedy_run(&mut state, &entropy, |state, _, _| {
            for command in Balatro::legal(state, PLAYER) {
                let decided = Balatro::decide(state, Actor::Seat(PLAYER), &command, &entropy);
                let events = decided.unwrap_or_else(|no| panic!("{command:?}: {}", no.reason));
                assert!(!events.is_empty(), "{command:?} does nothing");
            }
            for pending in Balatro::awaiting(state).seats {
                let decided =
                    Balatro::decide(state, Actor::Seat(PLAYER), &pending.default, &entropy);
                assert!(decided.is_ok(), "default {:?}: {decided:?}", pending.default);
            }
        });
    }
}

#[test]
fn the_same_key_and_commands_give_the_same_bytes() {
    for seed in 0..20 {
        let entropy = entropy(seed);
        let options = random_options(&mut entropy.labelled("choices"));
        let mut commands = Vec::new();
        let mut log = Vec::new();
        let mut first = dealt(&options, &entropy);
        greedy_run(&mut first, &entropy, |_, command, events| {
            commands.push(command.clone());
            log.push(postcard::to_allocvec(events).unwrap());
        });
        let mut second = dealt(&options, &entropy);
        for (command, bytes) in commands.iter().zip(&log) {
            let events = Balatro::decide(&second, Actor::Seat(PLAYER), command, &entropy).unwrap();
            assert_eq!(&postcard::to_allocvec(&events).unwrap(), bytes);
            events.iter().for_each(|event| Balatro::evolve(&mut second, event));
        }
        assert_eq!(first, second);
    }
}
