//! Random rounds of random tables: the contract holds, money is neither made nor lost.

use parlor_blackjack::options::{BankerMode, Payout, Shuffle, SplitRule, Surrender};
use parlor_blackjack::{Blackjack, Event, Options, evolve};
use parlor_game::playout::random_hand;
use parlor_game::{Amount, Entrant, Game, Party, Seat, Stream};

use crate::support::entropy;

/// Any table that the rules allow.
pub fn random_options(choices: &mut Stream) -> Options {
    let mut flip = || choices.chance(1, 2);
    let dealer_peek = flip();
    let (soft, das, insurance, resplit) = (flip(), flip(), flip(), flip());
    let (original, stand, public, rotate) = (flip(), flip(), flip(), flip());
    let (rank, early) = (flip(), flip());
    let seats = 2 + u8::try_from(choices.below(7)).unwrap();
    Options {
        seats,
        bet_step: Amount(i64::from(1 + choices.below(5))),
        natural_payout: [(3, 2), (6, 5), (1, 1), (2, 1)]
            .map(|(numerator, denominator)| Payout { numerator, denominator })
            [usize::try_from(choices.below(4)).unwrap()],
        soft_hit_17: soft,
        double_after_split: das,
        dealer_peek,
        insurance,
        max_split_hands: 1 + u8::try_from(choices.below(8)).unwrap(),
        split_rule: if rank { SplitRule::Rank } else { SplitRule::Value },
        resplit_aces: resplit,
        surrender: match choices.below(3) {
            0 => Surrender::Off,
            1 if early && !dealer_peek => Surrender::Early,
            1 => Surrender::Late,
            _ => Surrender::ByPeek,
        },
        original_bets_only: original,
        auto_stand_21: stand,
        player_cards_public: public,
        commission_flat: Amount(i64::from(choices.below(4))),
        commission_win_bps: u16::try_from(choices.below(2) * choices.below(10_001)).unwrap(),
        decks: 1 + u8::try_from(choices.below(2) * choices.below(8)).unwrap(),
        penetration_percent: u8::try_from(choices.below(101)).unwrap(),
        shuffle: [Shuffle::ByDecks, Shuffle::EveryRound, Shuffle::CutCard]
            [usize::try_from(choices.below(3)).unwrap()],
        banker_mode: if rotate { BankerMode::Rotate } else { BankerMode::Fixed },
        banker: Seat(u8::try_from(choices.below(u32::from(seats))).unwrap()),
        banker_rounds: 1 + u16::try_from(choices.below(3)).unwrap(),
        ..Options::default()
    }
}

/// Some of the seats, the fixed banker among them, rich and poor.
pub fn random_entrants(options: &Options, choices: &mut Stream) -> Vec<Entrant> {
    let points = choices.chance(1, 5);
    let other = Seat((options.banker.0 + 1) % options.seats);
    let mut entrants = Vec::new();
    for seat in (0..options.seats).map(Seat) {
        if seat == options.banker || seat == other || choices.chance(2, 3) {
            let stack = Amount(i64::from(200 + choices.below(400)));
            entrants.push(Entrant { seat, stack: (!points).then_some(stack) });
        }
    }
    entrants
}

#[test]
fn random_rounds_keep_the_contract_and_every_chip() {
    let mut settled = 0;
    for number in 0..1_500 {
        let mut choices = entropy(number).labelled("choices");
        let options = random_options(&mut choices);
        let mut state = Blackjack::open(&options).unwrap();
        let mut entrants = random_entrants(&options, &mut choices);
        for hand in 0..4 {
            let key = entropy(number * 1_000 + hand);
            let before = state.clone();
            let played = random_hand::<Blackjack>(&mut state, &entrants, &key, &mut choices);
            let played = match played {
                Ok(played) => played,
                // A banker may have lost too much to go on.
                Err(text) if text.contains("waiting_for_banker") => break,
                Err(text) => panic!("table {number}, hand {hand}: {text}\n{options:?}"),
            };
            settled += usize::from(check_end(&played.events, &mut entrants));
            let mut again = before;
            played.events.iter().for_each(|event| evolve(&mut again, event));
            assert_eq!(again, state, "events alone make the same state");
        }
    }
    assert!(settled > 3_000, "only {settled} rounds were settled");
}

/// Checks the money of a round, and pays it.
fn check_end(events: &[Event], entrants: &mut [Entrant]) -> bool {
    let ends = events.iter().filter(|event| Blackjack::hand_result(event).is_some()).count();
    assert_eq!(ends, 1);
    let Some(Event::Settled { settlement, result, .. }) = events.last() else { return false };
    assert!(result.transfers.iter().all(|transfer| transfer.short == Amount::ZERO));
    let mut sum = settlement.house;
    assert_eq!(settlement.house, result.net(Party::House));
    let seats = settlement.seats.iter().map(|seat| (seat.seat, seat.delta, seat.stack));
    let banker = &settlement.banker;
    for (seat, delta, stack) in seats.chain([(banker.seat, banker.delta, banker.stack)]) {
        sum += delta;
        assert_eq!(result.net(Party::Seat(seat)), delta);
        let entrant = entrants.iter_mut().find(|entrant| entrant.seat == seat).unwrap();
        assert_eq!(stack, entrant.stack.map(|before| before + delta));
        assert!(stack.is_none_or(|stack| stack >= Amount::ZERO));
        entrant.stack = stack;
    }
    assert_eq!(sum, Amount::ZERO);
    true
}
