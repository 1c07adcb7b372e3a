//! Random and greedy runs over the contract.

use parlor_balatro::{Balatro, Command, State};
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
    mut each: impl FnMut(&State, &Command, &[parlor_balatro::Event]),
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
