//! Options and commands survive the way to a message and back; views and events say to a client
//! what it may know and no more.
#![allow(clippy::unwrap_used)]

use parlor_blackjack::options::{BankerMode, Payout, Shuffle, SplitRule, Surrender};
use parlor_blackjack::{Blackjack, Command, Event, Options, State};
use parlor_game::{Actor, Amount, Entrant, Entropy, Game, Seat, Stream, Viewer};
use parlor_proto::rules::v1 as pb;
use prost::Message;

use crate::wire::Wire;

const SEATS: u8 = 4;

fn entropy(number: u16) -> Entropy {
    let mut key = [0; 32];
    key[..2].copy_from_slice(&number.to_le_bytes());
    Entropy::from_key(key)
}

fn entrants() -> Vec<Entrant> {
    (0..SEATS).map(|seat| Entrant { seat: Seat(seat), stack: Some(Amount(1_000)) }).collect()
}

/// Plays a round of random legal commands, showing every state and every event to `see`.
fn play(options: &Options, number: u16, see: &mut dyn FnMut(&State, Option<&Event>)) {
    let (entropy, mut choices) = (entropy(number), entropy(number).labelled("choices"));
    let mut state = Blackjack::open(options).unwrap();
    let events = Blackjack::deal(&state, &entrants(), &entropy).unwrap();
    apply(&mut state, &events, see);
    while let Some((seat, command)) = choose(&state, &mut choices) {
        let events = Blackjack::decide(&state, Actor::Seat(seat), &command, &entropy).unwrap();
        apply(&mut state, &events, see);
    }
}

fn apply(state: &mut State, events: &[Event], see: &mut dyn FnMut(&State, Option<&Event>)) {
    for event in events {
        Blackjack::evolve(state, event);
        see(state, Some(event));
    }
    see(state, None);
}

fn choose(state: &State, choices: &mut Stream) -> Option<(Seat, Command)> {
    let seat = Blackjack::awaiting(state).seats.first()?.seat;
    let legal = Blackjack::legal(state, seat);
    let pick = choices.below(u32::try_from(legal.len()).unwrap());
    Some((seat, legal[usize::try_from(pick).unwrap()].clone()))
}

#[test]
fn every_option_survives_the_way_there_and_back() {
    let odd = Options {
        seats: 7,
        rounds: 12,
        min_bet: Amount(4),
        max_bet: Amount(80),
        bet_step: Amount(2),
        natural_payout: Payout { numerator: 6, denominator: 5 },
        soft_hit_17: true,
        double_after_split: false,
        dealer_peek: false,
        insurance: false,
        max_split_hands: 3,
        split_rule: SplitRule::Rank,
        resplit_aces: true,
        surrender: Surrender::Early,
        original_bets_only: true,
        auto_stand_21: false,
        player_cards_public: false,
        commission_flat: Amount(1),
        commission_win_bps: 250,
        decks: 6,
        penetration_percent: 60,
        shuffle: Shuffle::EveryRound,
        banker_mode: BankerMode::Rotate,
        banker: Seat(2),
        banker_rounds: 5,
        min_banker_stack: Amount(900),
        bet_ms: 5_000,
        decision_ms: 6_000,
        insurance_ms: 7_000,
    };
    for options in [odd, Options::default()] {
        let message = Blackjack::options_to(&options);
        let decoded = pb::BlackjackOptions::decode(&message.encode_to_vec()[..]).unwrap();
        assert_eq!(Blackjack::options_from(decoded).unwrap(), options);
    }
}

#[test]
fn absent_options_take_the_default_and_impossible_ones_are_refused() {
    let absent = pb::BlackjackOptions::default();
    assert_eq!(Blackjack::options_from(absent).unwrap(), Options::default());
    let impossible = [
        pb::BlackjackOptions { seats: Some(256), ..Default::default() },
        pb::BlackjackOptions { decks: Some(u32::MAX), ..Default::default() },
        pb::BlackjackOptions { banker_rounds: Some(65_536), ..Default::default() },
        pb::BlackjackOptions { surrender: Some(77), ..Default::default() },
        pb::BlackjackOptions { shuffle: Some(-1), ..Default::default() },
    ];
    for message in impossible {
        assert_eq!(Blackjack::options_from(message).unwrap_err().reason, "invalid_settings");
    }
}

#[test]
fn every_legal_command_survives_the_way_there_and_back() {
    let mut kinds = std::collections::HashSet::new();
    let options = Options { min_bet: Amount(2), ..Options::default() };
    for number in 0..400 {
        play(&options, number, &mut |state, _| {
            for seat in 0..SEATS {
                for command in Blackjack::legal(state, Seat(seat)) {
                    let bytes = Blackjack::command_to(&command).encode_to_vec();
                    let message = pb::BlackjackCommand::decode(&bytes[..]).unwrap();
                    assert_eq!(Blackjack::command_from(message).unwrap(), command);
                    kinds.insert(std::mem::discriminant(&command));
                }
            }
        });
    }
    assert_eq!(kinds.len(), 10, "a kind of command did not come up");
}

#[test]
fn what_no_command_stands_for_is_unknown_to_the_engine() {
    use pb::blackjack_command::Action;
    let empty = pb::BlackjackCommand { action: None };
    let strange = pb::BlackjackCommand { action: Some(Action::Move(99)) };
    let unspecified = pb::BlackjackCommand { action: Some(Action::Move(0)) };
    for message in [empty, strange, unspecified] {
        assert_eq!(Blackjack::command_from(message).unwrap(), Command::Unknown);
    }
    let no_amount = Action::Bet(pb::BlackjackStake { amount: None });
    let message = pb::BlackjackCommand { action: Some(no_amount) };
    assert_eq!(Blackjack::command_from(message).unwrap(), Command::Bet { amount: None });
}

#[test]
fn a_client_is_told_of_every_event_and_of_no_hidden_card() {
    let options = Options { player_cards_public: false, ..Options::default() };
    for number in 0..40 {
        play(&options, number, &mut |state, event| {
            let Some(event) = event else { return };
            let seen = Blackjack::redact(event, Viewer::Spectator).unwrap();
            match Blackjack::event_to(&seen).event.unwrap() {
                pb::blackjack_event::Event::Shuffled(shuffled) => {
                    assert!(shuffled.stock.is_empty());
                    assert_eq!(shuffled.count, 52);
                }
                pb::blackjack_event::Event::Dealt(dealt) => {
                    assert_eq!(dealt.hole, None);
                    assert!(dealt.hands.iter().all(|hand| hand.cards.is_empty()));
                }
                pb::blackjack_event::Event::Hit(taken)
                | pb::blackjack_event::Event::Doubled(taken) => assert_eq!(taken.card, None),
                pb::blackjack_event::Event::Split(split) => assert!(split.cards.is_empty()),
                pb::blackjack_event::Event::Settled(settled) => {
                    let settlement = settled.settlement.unwrap();
                    let banker = settlement.banker.unwrap();
                    assert!(banker.cards.len() >= 2);
                    let deltas: i64 = settlement.seats.iter().map(|seat| seat.delta).sum();
                    assert_eq!(deltas + banker.delta + settlement.house, 0);
                }
                _ => {}
            }
            let view = Blackjack::view_to(&Blackjack::view(state, Viewer::Spectator));
            assert!(view.actions.is_none() && view.you.is_none());
            let hands = view.seats.iter().flat_map(|seat| &seat.hands);
            assert!(hands.into_iter().all(|hand| hand.cards.is_empty() && hand.total.is_none()));
        });
    }
}

#[test]
fn a_player_sees_the_bets_that_will_be_accepted() {
    let mut state = Blackjack::open(&Options::default()).unwrap();
    for event in Blackjack::deal(&state, &entrants(), &entropy(1)).unwrap() {
        Blackjack::evolve(&mut state, &event);
    }
    let view = Blackjack::view_to(&Blackjack::view(&state, Viewer::Seat(Seat(1))));
    assert_eq!(view.phase(), pb::BlackjackPhase::Betting);
    assert_eq!(view.you, Some(1));
    let actions = view.actions.unwrap();
    assert_eq!(actions.bet, Some(pb::BlackjackBetBounds { lowest: 10, highest: 100, step: 1 }));
    assert!(actions.sit_out && !actions.hit);
    let banker = Blackjack::view_to(&Blackjack::view(&state, Viewer::Seat(Seat(0))));
    assert_eq!(banker.actions, None);
}
