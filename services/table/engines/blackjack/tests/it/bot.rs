//! The bot's charts, case by case.

use parlor_blackjack::{Blackjack, Command};
use parlor_game::{Game, Seat, Viewer};

use crate::support::{Setting, Table};

/// What the bot at seat 1 does with these two cards against this up card. The hole card is a seven.
fn choice(setting: &str, hand: &str, up: &str) -> Command {
    let [first, second] = hand.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{hand}") };
    let mut table = Setting::read(setting).open(&format!("{first} {up} {second} 7C"));
    table.act("bet 20").unwrap();
    let view =
        |table: &Table| Blackjack::bot(&Blackjack::view(&table.state, Viewer::Seat(Seat(1))));
    if view(&table) == Some(Command::DeclineInsurance) {
        table.act("decline").unwrap();
    }
    view(&table).unwrap()
}

#[test]
fn the_bot_plays_basic_strategy() {
    for (setting, hand, ups, expected) in [
        ("", "5S 3H", "2S 6S 10S AS", Command::Hit),
        ("", "5S 4H", "3S 6S", Command::Double),
        ("", "5S 4H", "2S 7S", Command::Hit),
        ("", "6S 4H", "2S 9S", Command::Double),
        ("", "6S 4H", "10S AS", Command::Hit),
        ("", "6S 5H", "2S 10S", Command::Double),
        ("", "6S 5H", "AS", Command::Hit),
        ("soft17", "6S 5H", "AS", Command::Double),
        ("no_peek", "6S 5H", "10S AS", Command::Hit),
        ("", "10S 2H", "4S 6S", Command::Stand),
        ("", "10S 2H", "2S 3S 7S", Command::Hit),
        ("", "10S 6H", "2S 6S", Command::Stand),
        ("", "10S 6H", "7S 8S", Command::Hit),
        ("", "10S 6H", "9S 10S AS", Command::Surrender),
        ("", "10S 5H", "10S", Command::Surrender),
        ("", "10S 5H", "9S AS", Command::Hit),
        ("soft17", "10S 7H", "AS", Command::Surrender),
        ("no_surrender", "10S 6H", "10S", Command::Hit),
        ("", "10S 7H", "2S 10S AS", Command::Stand),
        ("", "AS 6H", "3S 6S", Command::Double),
        ("", "AS 6H", "2S 7S", Command::Hit),
        ("", "AS 7H", "3S 6S", Command::Double),
        ("", "AS 7H", "2S 7S 8S", Command::Stand),
        ("", "AS 7H", "9S 10S AS", Command::Hit),
        ("soft17", "AS 7H", "2S", Command::Double),
        ("soft17", "AS 8H", "6S", Command::Double),
        ("", "AS 8H", "6S", Command::Stand),
        ("stack=20", "AS 7H", "6S", Command::Stand),
        ("stack=20", "6S 5H", "6S", Command::Hit),
        ("", "8S 8H", "2S 10S AS", Command::Split),
        ("no_peek", "8S 8H", "9S", Command::Split),
        ("no_peek no_surrender", "8S 8H", "10S AS", Command::Hit),
        ("", "AS AH", "AD", Command::Split),
        ("", "9S 9H", "2S 6S 8S 9S", Command::Split),
        ("", "9S 9H", "7S 10S AS", Command::Stand),
        ("", "2S 2H", "2D 3D", Command::Split),
        ("no_das", "2S 2H", "2D 3D", Command::Hit),
        ("", "4S 4H", "5D 6D", Command::Split),
        ("no_das", "4S 4H", "5D", Command::Hit),
        ("", "5S 5H", "9D", Command::Double),
        ("", "10S KH", "6D", Command::Stand),
    ] {
        for up in ups.split_whitespace() {
            let chosen = choice(setting, hand, up);
            assert_eq!(chosen, expected, "{hand} against {up} ({setting})");
        }
    }
}

#[test]
fn the_bot_bets_the_least_sits_out_when_poor_and_takes_no_insurance() {
    for (setting, expected) in
        [("min=11 step=5", Some("Bet { amount: Some(Amount(15)) }")), ("stack=9", Some("SitOut"))]
    {
        let table = Setting::read(setting).open("");
        let view = Blackjack::view(&table.state, Viewer::Seat(Seat(1)));
        let chosen = Blackjack::bot(&view).map(|command| format!("{command:?}"));
        assert_eq!(chosen.as_deref(), expected);
    }
    let mut table = Setting::read("").open("AS AH KS 8H");
    table.act("bet 20").unwrap();
    let view = Blackjack::view(&table.state, Viewer::Seat(Seat(1)));
    assert_eq!(Blackjack::bot(&view), Some(Command::DeclineInsurance));
}

#[test]
fn the_bot_has_nothing_to_say_when_it_is_not_asked() {
    let mut table = Setting::read("seats=3").open("10S 10H 9S 5H 6H 8S");
    table.act("bet 20").unwrap();
    for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator] {
        assert_eq!(Blackjack::bot(&Blackjack::view(&table.state, viewer)), None);
    }
}
