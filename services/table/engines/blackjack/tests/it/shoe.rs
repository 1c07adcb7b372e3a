//! Shuffles, the cut card and whose seed may be revealed when (rules: blackjack 8).

use parlor_blackjack::event::ShoeFate;
use parlor_blackjack::options::Shuffle;
use parlor_blackjack::shoe::{Fair, Occasion, Shoe, StockOrder, shoe_size};
use parlor_blackjack::{Blackjack, Card, Event, Options, State};
use parlor_game::{Actor, Entropy, Game, Viewer};

use crate::support::{apply, cards, entrants, entropy};

/// Plays a round with the bots; gives back its events.
fn round(state: &mut State, entropy: &Entropy) -> Vec<Event> {
    let mut all = Blackjack::deal(state, &entrants(3, Some(10_000)), entropy).unwrap();
    apply(state, &all);
    while let Some(pending) = Blackjack::awaiting(state).seats.first() {
        let view = Blackjack::view(state, Viewer::Seat(pending.seat));
        let command = Blackjack::bot(&view).unwrap();
        let events =
            Blackjack::decide(state, Actor::Seat(pending.seat), &command, entropy).unwrap();
        apply(state, &events);
        all.extend(events);
    }
    all
}

fn shuffles(events: &[Event]) -> usize {
    let full = |event: &&Event| matches!(event, Event::Shuffled { occasion: Occasion::Shoe, .. });
    events.iter().filter(full).count()
}

fn table(decks: u8, shuffle: Shuffle) -> State {
    Blackjack::open(&Options { decks, shuffle, ..Options::default() }).unwrap()
}

#[test]
fn one_deck_is_shuffled_before_every_round() {
    let mut state = table(1, Shuffle::ByDecks);
    for number in 0..20 {
        let events = round(&mut state, &entropy(number));
        assert_eq!(shuffles(&events), 1);
        assert!(Blackjack::reveals_seed(events.last().unwrap()));
    }
}

#[test]
fn a_shoe_goes_on_until_the_cut_card_has_come() {
    let mut state = table(4, Shuffle::ByDecks);
    let size = shoe_size(state.options());
    let mut rounds_of_shoe = 0;
    let mut shoes = 0;
    for number in 0..200 {
        let due = rounds_of_shoe == 0;
        let events = round(&mut state, &entropy(number));
        assert_eq!(shuffles(&events), usize::from(due), "round {number}");
        rounds_of_shoe += 1;
        let end = events.last().unwrap();
        let below_cut_card = state.shoe().stock().len() * 4 < size;
        let Event::Settled { shoe, .. } = end else { panic!("{end:?}") };
        if below_cut_card {
            assert_eq!(*shoe, ShoeFate::Ends);
            assert!(rounds_of_shoe > 5);
            (rounds_of_shoe, shoes) = (0, shoes + 1);
        } else {
            assert_eq!(*shoe, ShoeFate::GoesOn);
            assert_eq!(state.shoe().available(), size, "cards were lost");
        }
        // Only the last round of a shoe may tell its order.
        assert_eq!(Blackjack::reveals_seed(end), below_cut_card);
    }
    assert!(shoes > 5);
}

/// A round in which every seat lets its time run out.
fn idle_round(state: &mut State, entropy: &Entropy) -> Vec<Event> {
    let mut all = Blackjack::deal(state, &entrants(3, Some(10_000)), entropy).unwrap();
    apply(state, &all);
    while let Some(pending) = Blackjack::awaiting(state).seats.first().cloned() {
        let actor = Actor::Seat(pending.seat);
        let events = Blackjack::decide(state, actor, &pending.default, entropy).unwrap();
        apply(state, &events);
        all.extend(events);
    }
    all
}

#[test]
fn a_shoe_in_which_nobody_bets_ends_all_the_same() {
    let mut state = table(8, Shuffle::ByDecks);
    for number in 0..1_500 {
        let events = idle_round(&mut state, &entropy(number));
        assert_eq!(shuffles(&events), usize::from(number % 500 == 0), "round {number}");
        let end = events.last().unwrap();
        assert!(matches!(end, Event::Voided { .. }), "{end:?}");
        assert_eq!(Blackjack::reveals_seed(end), number % 500 == 499, "round {number}");
    }
}

#[test]
fn the_policy_may_differ_from_what_the_decks_suggest() {
    let mut every = table(8, Shuffle::EveryRound);
    let mut cut = table(1, Shuffle::CutCard);
    round(&mut every, &entropy(1));
    round(&mut cut, &entropy(1));
    assert_eq!(shuffles(&round(&mut every, &entropy(2))), 1);
    assert_eq!(shuffles(&round(&mut cut, &entropy(2))), 0);
}

#[test]
fn the_stock_is_what_anybody_can_compute_from_the_revealed_seed() {
    let state = table(2, Shuffle::ByDecks);
    let entropy = entropy(9);
    let events = Blackjack::deal(&state, &entrants(2, None), &entropy).unwrap();
    let Event::Shuffled { stock: Some(stock), count: 104, .. } = &events[1] else { panic!() };
    let mut expected: Vec<Card> = Card::deck().chain(Card::deck()).collect();
    entropy.deal().shuffle(&mut expected);
    assert_eq!(stock[..], expected[..]);

    let mut tray = cards("2S 3S 4S 5S 6S 7S");
    let mut again = tray.clone();
    Fair(&entropy).arrange(Occasion::Tray { number: 2 }, &mut tray);
    entropy.labelled("blackjack/tray/2").shuffle(&mut again);
    assert_eq!(tray, again);
}

#[test]
fn every_whole_shoe_has_every_card_as_often_as_it_has_decks() {
    for decks in 1..=8 {
        let options = Options { decks, ..Options::default() };
        let mut stock = Shoe::shuffled(&options, &mut Fair(&entropy(3))).to_vec();
        let mut expected: Vec<Card> = (0..decks).flat_map(|_| Card::deck()).collect();
        stock.sort_unstable();
        expected.sort_unstable();
        assert_eq!(stock, expected);
    }
}

#[test]
fn a_deck_without_a_cut_card_is_reshuffled_in_the_middle_of_a_round() {
    let options =
        Options { shuffle: Shuffle::CutCard, penetration_percent: 100, ..Options::default() };
    let mut state = Blackjack::open(&options).unwrap();
    let mut reshuffles = 0;
    for number in 0..200 {
        let entropy = entropy(number);
        let mut events = Blackjack::deal(&state, &entrants(4, None), &entropy).unwrap();
        assert_eq!(shuffles(&events), usize::from(number == 0));
        loop {
            for event in &events {
                Blackjack::evolve(&mut state, event);
                assert_eq!(cards_of(&state), 52, "after {event:?}");
                let tray = Occasion::Tray { number: 1 };
                reshuffles += usize::from(
                    matches!(event, Event::Shuffled { occasion, .. } if *occasion == tray),
                );
            }
            let Some(pending) = Blackjack::awaiting(&state).seats.first().cloned() else { break };
            let seat = pending.seat;
            let command = Blackjack::bot(&Blackjack::view(&state, Viewer::Seat(seat))).unwrap();
            events = Blackjack::decide(&state, Actor::Seat(seat), &command, &entropy).unwrap();
        }
    }
    assert!(reshuffles > 20, "{reshuffles}");
}

/// The different cards in the stock, in the tray and in live hands: nothing twice, nothing lost.
fn cards_of(state: &State) -> usize {
    let shoe = state.shoe();
    let mut cards: Vec<Card> = shoe.stock().iter().chain(shoe.tray()).copied().collect();
    if let Some(round) = state.round() {
        let hands = round.players.iter().flat_map(|player| &player.hands);
        let live = hands.filter(|hand| !matches!(hand.status.name(), "bust" | "surrendered"));
        cards.extend(live.flat_map(|hand| &hand.cards));
        cards.extend(&round.banker.cards);
    }
    let total = cards.len();
    cards.sort_unstable();
    cards.dedup();
    assert_eq!(cards.len(), total, "a card is in two places");
    // The first event of a table comes before there are any cards.
    if total == 0 { 52 } else { total }
}

#[test]
fn every_text_of_a_card_is_read_back_and_no_other() {
    for card in Card::deck() {
        assert_eq!(card.to_string().parse(), Ok(card));
    }
    for text in ["", "S", "1S", "11S", "10", "AX", "as", "A S", "10♠", "♠", "ASS", "0H"] {
        assert!(text.parse::<Card>().is_err(), "{text}");
    }
}
