use parlor_balatro::content::{DeckId, Stake};
use parlor_balatro::{Balatro, Command, Event, Options};
use parlor_game::{Actor, Entrant, Entropy, Game, Seat, Viewer};
use parlor_proto::rules::v1 as pb;
use prost::Message;

use crate::wire::Wire;

const PLAYER: Seat = Seat(0);

/// Walks through a run with random legal commands, and the bot's so often in ten; `each` sees every
/// state and its new events.
fn walk(
    seed: u8,
    options: &Options,
    by_bot: u32,
    mut each: impl FnMut(&<Balatro as Game>::State, &[Event]),
) {
    let entropy = Entropy::from_key([seed; 32]);
    let mut choices = entropy.labelled("choices");
    let mut state = Balatro::open(options).unwrap();
    let entrants = [Entrant { seat: PLAYER, stack: None }];
    let mut events = Balatro::deal(&state, &entrants, &entropy).unwrap();
    for _ in 0..400 {
        events.iter().for_each(|event| Balatro::evolve(&mut state, event));
        each(&state, &events);
        if !Balatro::in_hand(&state) {
            return;
        }
        let legal = Balatro::legal(&state, PLAYER);
        let bot = Balatro::bot(&Balatro::view(&state, Viewer::Seat(PLAYER)));
        let random = legal[choices.below(legal.len() as u32) as usize].clone();
        let command = bot.filter(|_| choices.chance(by_bot, 10)).unwrap_or(random);
        events = Balatro::decide(&state, Actor::Seat(PLAYER), &command, &entropy).unwrap();
    }
}

#[test]
fn every_legal_command_survives_the_wire() {
    let mut seen = 0;
    for seed in 0..12 {
        walk(seed, &Options::default(), 6, |state, _| {
            let mut commands = Balatro::legal(state, PLAYER);
            commands.push(Command::GiveUp);
            for command in commands {
                let bytes = Balatro::command_to(&command).encode_to_vec();
                let message = pb::BalatroCommand::decode(&bytes[..]).unwrap();
                assert_eq!(Balatro::command_from(message).unwrap(), command);
                seen += 1;
            }
        });
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn options_survive_the_wire() {
    for deck in DeckId::all().map(Some).chain([None]) {
        for stake in Stake::ALL {
            let daily = deck.map(|deck| format!("2026-01-{}", deck.index()));
            let options = Options { deck, stake, daily, ..Options::default() };
            let message = Balatro::options_to(&options);
            assert_eq!(Balatro::options_from(message).unwrap(), options);
        }
    }
    let defaults = Balatro::options_from(pb::BalatroOptions::default()).unwrap();
    assert_eq!(defaults, Options::default());
}

#[test]
fn what_cannot_be_read_is_refused() {
    let unknown = |field: &str| {
        let mut options = pb::BalatroOptions::default();
        let text = Some("no-such".to_owned());
        match field {
            "profile" => options.profile = text,
            "deck" => options.deck = text,
            _ => options.stake = text,
        }
        Balatro::options_from(options)
    };
    for field in ["profile", "deck", "stake"] {
        assert_eq!(unknown(field).unwrap_err().reason, super::MALFORMED, "{field}");
    }
    let bad = [
        None,
        Some(pb::balatro_command::Command::Action(0)),
        Some(pb::balatro_command::Command::Action(99)),
        Some(pb::balatro_command::Command::Play(pb::BalatroCards { cards: vec![70_000] })),
        Some(pb::balatro_command::Command::Play(pb::BalatroCards { cards: vec![1; 2000] })),
        Some(pb::balatro_command::Command::ReorderJokers(pb::BalatroItems {
            items: vec![1; 2000],
        })),
    ];
    for command in bad {
        let refusal = Balatro::command_from(pb::BalatroCommand { command }).unwrap_err();
        assert_eq!(refusal.reason, super::MALFORMED);
    }
}

#[test]
fn face_down_cards_and_jokers_have_no_face_on_the_wire() {
    let (mut cards, mut jokers) = (0, 0);
    for seed in 0..60 {
        walk(seed, &Options::default(), 10, |state, events| {
            let view = Balatro::view_to(&Balatro::view(state, Viewer::Seat(PLAYER)));
            let run = view.run.unwrap();
            for card in run.hand.iter().filter(|card| card.face_down) {
                let hidden = pb::BalatroCard { id: card.id, face_down: true, ..Default::default() };
                assert_eq!(*card, hidden);
                cards += 1;
            }
            for joker in run.jokers.iter().filter_map(|view| view.joker.as_ref()) {
                jokers += usize::from(joker.face_down);
                assert_eq!(joker.face_down, joker.joker.is_empty());
            }
            for event in events {
                let redacted = Balatro::redact(event, Viewer::Seat(PLAYER)).unwrap();
                let message = Balatro::event_to(&redacted);
                if let Some(pb::balatro_event::Event::Drawn(drawn)) = message.event {
                    assert!(drawn.cards.iter().all(|card| card.face_down == card.card.is_empty()));
                }
            }
        });
    }
    assert!(cards > 0, "no card was face down; jokers face down: {jokers}");
}

#[test]
fn every_event_has_a_message_of_its_own() {
    for seed in 0..12 {
        walk(seed, &Options::default(), 6, |_, events| {
            for event in events {
                let message = Balatro::event_to(event).event.unwrap();
                let shuffled = matches!(message, pb::balatro_event::Event::Shuffled(_));
                assert_eq!(shuffled, matches!(event, Event::Shuffled { .. }), "{event:?}");
            }
        });
    }
}
