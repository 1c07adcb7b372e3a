//! Ratings by Weng and Lin's method for any number of seats.

use std::collections::BTreeMap;

use parlor_common::PlayerId;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// How much chance there is in one hand: twice the usual value, because a single hand of cards or
/// tiles says little about skill.
const BETA: f64 = 25.0 / 3.0;
/// A player surely plays at least as well as the mean less so many deviations.
const CAUTION: f64 = 3.0;

/// A player's rating in one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// Hands that it rests on.
    pub hands: u64,
    /// The player's name at the last of them.
    pub name: String,
}

impl Default for Rating {
    fn default() -> Self {
        let start = WengLinRating::new();
        let (mean, deviation) = (start.rating, start.uncertainty);
        Self { mean, deviation, hands: 0, name: String::new() }
    }
}

impl Rating {
    /// What boards are ordered by: a rating that is surely not too high.
    #[must_use]
    pub fn standing(&self) -> f64 {
        self.mean - CAUTION * self.deviation
    }
}

/// Ratings of some players by game.
#[derive(Clone, Debug, Default)]
pub struct Ratings(pub BTreeMap<(String, PlayerId), Rating>);

impl Ratings {
    /// Rates the people of a hand against each other by what they won. Bots neither give nor take
    /// rating, and a hand with fewer than two people says nothing.
    pub fn hand<'a>(
        &mut self,
        game: &str,
        people: impl IntoIterator<Item = (PlayerId, &'a str, i64)>,
    ) {
        let people: Vec<_> = people.into_iter().collect();
        if people.len() < 2 {
            return;
        }
        let before: Vec<[WengLinRating; 1]> = people
            .iter()
            .map(|(player, ..)| {
                let rating = self.0.get(&(game.to_owned(), *player)).cloned().unwrap_or_default();
                [WengLinRating { rating: rating.mean, uncertainty: rating.deviation }]
            })
            .collect();
        let places = people.iter().map(|(_, _, change)| {
            let better = people.iter().filter(|(_, _, other)| other > change).count();
            MultiTeamOutcome::new(better + 1)
        });
        let teams: Vec<_> = before.iter().map(|team| team.as_slice()).zip(places).collect();
        let config = WengLinConfig { beta: BETA, ..WengLinConfig::default() };
        let after = weng_lin_multi_team(&teams, &config);
        for ((player, name, _), team) in people.iter().zip(after) {
            let Some(new) = team.first() else { continue };
            let rating = self.0.entry((game.to_owned(), *player)).or_default();
            rating.mean = new.rating;
            rating.deviation = new.uncertainty;
            rating.hands += 1;
            (*name).clone_into(&mut rating.name);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn player(number: u8) -> PlayerId {
        PlayerId::from_bytes([number; 16])
    }

    fn rating(ratings: &Ratings, number: u8) -> Rating {
        ratings.0.get(&("mahjong".to_owned(), player(number))).cloned().unwrap_or_default()
    }

    fn play(ratings: &mut Ratings, changes: &[i64]) {
        let people = (0..).zip(changes).map(|(seat, change)| (player(seat), "", *change));
        ratings.hand("mahjong", people);
    }

    #[test]
    fn winners_rise_and_losers_fall_and_all_become_surer() {
        let mut ratings = Ratings::default();
        play(&mut ratings, &[30, 0, 0, -30]);
        let [first, second, third, last] = [0, 1, 2, 3].map(|seat| rating(&ratings, seat));
        assert!(first.mean > second.mean && second.mean > last.mean);
        assert!((second.mean - third.mean).abs() < 1e-9, "a tie");
        assert!(first.mean > Rating::default().mean && last.mean < Rating::default().mean);
        for rating in [&first, &second, &third, &last] {
            assert!(rating.deviation < Rating::default().deviation);
            assert_eq!(rating.hands, 1);
        }
    }

    #[test]
    fn a_better_player_ends_up_above_whatever_the_luck() {
        let mut ratings = Ratings::default();
        for hand in 0..400 {
            // Wins three hands of five.
            let change = if hand % 5 < 3 { 10 } else { -10 };
            play(&mut ratings, &[change, -change]);
        }
        let (better, worse) = (rating(&ratings, 0), rating(&ratings, 1));
        assert!(better.mean - worse.mean > 1.0, "{better:?} {worse:?}");
        assert!(better.standing() > worse.standing());
        assert!(better.deviation > 0.0 && better.mean.is_finite());
    }

    #[test]
    fn a_hand_alone_or_among_bots_is_not_rated() {
        let mut ratings = Ratings::default();
        play(&mut ratings, &[30]);
        play(&mut ratings, &[]);
        assert!(ratings.0.is_empty());
    }

    #[test]
    fn games_are_rated_apart() {
        let mut ratings = Ratings::default();
        play(&mut ratings, &[1, -1]);
        assert!(!ratings.0.contains_key(&("blackjack".to_owned(), player(0))));
    }
}
