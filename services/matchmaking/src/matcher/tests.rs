#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

const RULES: MatchRules = MatchRules {
    players: 4,
    window: Some(RatingWindow { start: 100, widen_per_s: 10, widest: 400 }),
    bot_fill_after_ms: Some(30_000),
};

/// `players@rating+waited_s` for each ticket; tickets are numbered from 0.
fn tickets(line: &str) -> Vec<Candidate> {
    line.split_whitespace()
        .enumerate()
        .map(|(number, word)| {
            let (players, rest) = word.split_once('@').unwrap();
            let (rating, waited_s) = rest.split_once('+').unwrap();
            Candidate {
                id: TicketId::numbered(number as u128),
                players: players.parse().unwrap(),
                rating: Rating(rating.parse().unwrap()),
                enqueued_ms: -1000 * waited_s.parse::<i64>().unwrap(),
            }
        })
        .collect()
}

/// The groups as numbers of tickets, each group sorted: `0 1 2 3 | 4 5`.
fn played(rules: &MatchRules, line: &str) -> String {
    let number = |id: &TicketId| u128::from_be_bytes(*id.as_bytes());
    let groups = groups(rules, &tickets(line), 0);
    let words = groups.iter().map(|group| {
        let mut members: Vec<u128> = group.tickets.iter().map(number).collect();
        members.sort_unstable();
        members.iter().map(u128::to_string).collect::<Vec<_>>().join(" ")
    });
    words.collect::<Vec<_>>().join(" | ")
}

#[test]
fn tickets_are_grouped_by_the_rules() {
    // Tickets, and who plays with whom.
    let cases = [
        // Four that fit; the fifth is the youngest and waits.
        ("1@2500+5 1@2500+4 1@2500+3 1@2500+2 1@2500+1", "0 1 2 3"),
        // A party is never split, and the sizes must add up.
        ("2@2500+5 3@2500+4 1@2500+3", "1 2"),
        ("2@2500+5 1@2500+4 2@2500+3 1@2500+2", "0 1 3"),
        // The nearest single does not help, but the party of two does.
        ("2@2500+5 1@2500+4 2@2500+3", "0 2"),
        // Too far apart at first, near enough after ten seconds: but both must have waited.
        ("2@2500+0 2@2650+0", ""),
        ("2@2500+9 2@2650+5", "0 1"),
        ("2@2500+9 2@2650+0", ""),
        // The window never grows beyond its widest.
        ("2@2500+29 2@2901+29", ""),
        // The nearest are taken.
        ("1@2500+9 3@2590+8 3@2510+1", "0 2"),
        // In a chain of neighbours the ends do not accept each other.
        ("1@2500+0 1@2580+0 1@2590+0 1@2670+0", ""),
        // After thirty seconds bots take the free seats, next to whoever fits.
        ("1@2500+30 1@3500+1", "0"),
        ("1@2500+30 1@2510+1 1@4000+1", "0 1"),
        // Parties that are larger than a match never play.
        ("5@2500+60", ""),
    ];
    for (line, expected) in cases {
        assert_eq!(played(&RULES, line), expected, "{line}");
    }
}

#[test]
fn a_match_of_one_is_made_at_once() {
    let rules = MatchRules { players: 1, window: None, bot_fill_after_ms: None };
    assert_eq!(played(&rules, "1@1+0 1@9000+0"), "0 | 1");
}

#[test]
fn without_a_window_the_longest_waiting_play() {
    let rules = MatchRules { players: 2, window: None, bot_fill_after_ms: None };
    assert_eq!(played(&rules, "1@1+1 1@9000+2 1@5000+3 1@1+4"), "2 3 | 0 1");
}

#[test]
fn a_ticket_that_is_given_twice_plays_once() {
    let rules = MatchRules { players: 2, window: None, bot_fill_after_ms: None };
    let one = tickets("1@2500+1");
    assert_eq!(groups(&rules, &[one[0], one[0]], 0), Vec::new());
}

/// Whether every ticket accepts every other.
fn all_accept(rules: &MatchRules, group: &[Candidate]) -> bool {
    let width = |ticket: &Candidate| rules.window.unwrap().after(-ticket.enqueued_ms);
    group.iter().all(|one| {
        let fits = |other: &Candidate| one.rating.0.abs_diff(other.rating.0) <= width(one);
        group.iter().all(fits)
    })
}

/// Whether any of the tickets make a full match, by trying every subset.
fn any_full_match(rules: &MatchRules, tickets: &[Candidate]) -> bool {
    (0_u32..1 << tickets.len()).any(|subset| {
        let chosen = tickets.iter().enumerate().filter(|(place, _)| subset & (1 << place) != 0);
        let chosen: Vec<Candidate> = chosen.map(|(_, ticket)| *ticket).collect();
        let players: u32 = chosen.iter().map(|ticket| ticket.players).sum();
        players == rules.players && all_accept(rules, &chosen)
    })
}

fn any_ticket() -> impl Strategy<Value = (u32, i32, i64)> {
    (1_u32..=3, 2300_i32..2800, 0_i64..29)
}

proptest! {
    #[test]
    fn groups_are_sound_and_no_full_match_is_left(
        drawn in prop::collection::vec(any_ticket(), 0..13),
    ) {
        let candidates: Vec<Candidate> = drawn.iter().enumerate().map(|(number, ticket)| {
            let &(players, rating, waited_s) = ticket;
            Candidate {
                id: TicketId::numbered(number as u128),
                players,
                rating: Rating(rating),
                enqueued_ms: -1000 * waited_s,
            }
        }).collect();
        let made = groups(&RULES, &candidates, 0);

        let mut left = candidates.clone();
        for group in &made {
            let members: Vec<Candidate> = group
                .tickets
                .iter()
                .map(|id| {
                    let place = left.iter().position(|ticket| ticket.id == *id);
                    left.swap_remove(place.expect("a ticket plays once"))
                })
                .collect();
            prop_assert!(all_accept(&RULES, &members));
            prop_assert_eq!(members.iter().map(|ticket| ticket.players).sum::<u32>(), 4);
            prop_assert_eq!(group.players, 4);
        }
        prop_assert!(!any_full_match(&RULES, &left));

        let mut shuffled = candidates;
        shuffled.reverse();
        prop_assert_eq!(groups(&RULES, &shuffled, 0), made);
    }
}
