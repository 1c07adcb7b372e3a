//! The bot: legal, blind to what its seat does not see, and better than chance.

use parlor_game::playout::check_secrecy;
use parlor_game::{Actor, Game, Seat, Stream, Viewer};
use parlor_mahjong::bot::{self, Sight};
use parlor_mahjong::event::Event;
use parlor_mahjong::{Command, Mahjong, Options, State};

use crate::support::{any_options, entrants, entropy, open};

fn pick(chance: &mut Stream, commands: &[Command]) -> Command {
    commands[chance.below(u32::try_from(commands.len()).unwrap()) as usize]
}

/// Plays a hand; `decide` chooses for the first seat that is awaited.
fn play(
    state: &mut State,
    seed: u64,
    mut decide: impl FnMut(&State, Seat) -> Command,
    mut show: impl FnMut(&State, &[Event]),
) {
    let entrants = entrants(state.options.players, None);
    let mut events = Mahjong::deal(state, &entrants, &entropy(seed)).unwrap();
    loop {
        events.iter().for_each(|event| Mahjong::evolve(state, event));
        show(state, &events);
        if !Mahjong::in_hand(state) {
            return;
        }
        let awaiting = Mahjong::awaiting(state);
        let (actor, command) = match awaiting.seats.first() {
            Some(pending) => (Actor::Seat(pending.seat), decide(state, pending.seat)),
            None => (Actor::System, awaiting.system.unwrap().command),
        };
        events = Mahjong::decide(state, actor, &command, &entropy(seed)).unwrap();
    }
}

/// Hands of a tournament of two bots against two seats that move at random.
const HANDS: u64 = 2_000;
/// What each bot must at least win a hand, in units of the base. Measured: 3.32.
const MARGIN: f64 = 2.8;

#[test]
fn a_bot_beats_random_moves() {
    let options = Options { rounds: 16, ..Options::default() };
    let mut chance = entropy(1).labelled("test/random-moves");
    let mut bots = 0;
    let mut state = open(&options);
    for hand in 0..HANDS {
        if Mahjong::finished(&state) {
            state = open(&options);
        }
        // The bots change places from hand to hand.
        let is_bot = |seat: Seat| u64::from(seat.0) % 2 == hand % 2;
        let decide = |state: &State, seat| {
            if is_bot(seat) {
                Sight::of_state(state, seat, bot::choose).flatten().unwrap()
            } else {
                pick(&mut chance, &Mahjong::legal(state, seat))
            }
        };
        play(&mut state, hand, decide, |_, _| {});
        let nets = state.sheet.hands.last().unwrap();
        let won = (0..).map(Seat).zip(nets).filter(|(seat, _)| is_bot(*seat));
        bots += won.map(|(_, net)| net.0).sum::<i64>();
    }
    let per_bot = bots as f64 / HANDS as f64 / 2.0;
    println!("a bot wins {per_bot:.2} a hand");
    assert!(per_bot > MARGIN, "a bot wins {per_bot:.2} a hand");
}

#[test]
fn the_bot_sees_in_the_state_what_its_view_shows() {
    for seed in 0..120 {
        let mut chance = entropy(seed).labelled("test/bots");
        let mut state = open(&any_options(&mut chance));
        let decide = |state: &State, seat| {
            let view = Mahjong::view(state, Viewer::Seat(seat));
            let by_view = Mahjong::bot(&view);
            let seen = |sight: &Sight<'_>| (format!("{sight:?}"), (sight.seen)());
            assert_eq!(Sight::of_view(&view, seen), Sight::of_state(state, seat, seen));
            assert_eq!(by_view, Sight::of_state(state, seat, bot::choose).flatten());
            let legal = Mahjong::legal(state, seat);
            let choice = by_view.unwrap();
            assert!(legal.contains(&choice), "{choice:?} is not in {legal:?}");
            if chance.chance(1, 8) { pick(&mut chance, &legal) } else { choice }
        };
        play(&mut state, seed, decide, |_, _| {});
    }
}

#[test]
fn hands_full_of_wins_and_kongs_leak_nothing() {
    let mut wins = 0;
    for seed in 0..60 {
        let mut chance = entropy(seed).labelled("test/leaks");
        let mut state = open(&any_options(&mut chance));
        let players = state.options.players;
        let decide =
            |state: &State, seat| Sight::of_state(state, seat, bot::choose).flatten().unwrap();
        play(&mut state, seed, decide, |state, events| {
            wins += events.iter().filter(|event| matches!(event, Event::Won { .. })).count();
            for key in [seed, seed + 1_000] {
                check_secrecy::<Mahjong>(state, events, players, &entropy(key)).unwrap();
            }
        });
    }
    assert!(wins > 90, "{wins} wins");
}

#[test]
fn a_seat_without_a_question_has_no_choice() {
    let state = open(&Options::default());
    assert_eq!(Mahjong::bot(&Mahjong::view(&state, Viewer::Seat(Seat(0)))), None);
    assert_eq!(Mahjong::bot(&Mahjong::view(&state, Viewer::Spectator)), None);
}
