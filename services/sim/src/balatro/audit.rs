//! What must hold of every run.

use parlor_balatro::Event;
use parlor_balatro::state::Phase;
use parlor_game::Game;

use super::Played;

/// Checks a finished run.
///
/// # Errors
/// The first invariant that does not hold, as text.
pub fn audit(played: &Played) -> Result<(), String> {
    let run = played.state.run.as_ref().ok_or("no run was started")?;
    if run.phase != Phase::Over {
        return Err(String::from("the run has not ended"));
    }
    cards(played)?;
    jokers(played)?;
    scores(played)?;
    money(played)?;
    let ends = played.events.iter().filter_map(parlor_balatro::Balatro::hand_result);
    match ends.collect::<Vec<_>>()[..] {
        [result] if result.transfers.is_empty() => Ok(()),
        _ => Err(String::from("the run has not exactly one end, or money has moved")),
    }
}

/// Every card is where the events have put it: none is lost, none is there twice.
fn cards(played: &Played) -> Result<(), String> {
    let mut expected = 0_i64;
    for event in &played.events {
        expected += match event {
            Event::RunStarted(start) => start.cards.len() as i64,
            Event::CardsAdded { cards, .. } => cards.len() as i64,
            Event::CardsDestroyed { cards } => -(cards.len() as i64),
            Event::Scored(scored) => scored.added.len() as i64 - scored.destroyed.len() as i64,
            _ => 0,
        };
    }
    let run = played.state.run.as_ref().ok_or("no run was started")?;
    let actual = run.full_deck().count() as i64;
    if actual != expected {
        return Err(format!("{actual} cards, not {expected}"));
    }
    let mut ids: Vec<u16> =
        run.hand.iter().chain(&run.draw_pile).chain(&run.discarded).map(|card| card.id.0).collect();
    ids.sort_unstable();
    if run.blind == parlor_balatro::blind::Blind::Small && run.round_no == 0 {
        return Ok(());
    }
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two cards have the id {}", pair[0])),
        None => Ok(()),
    }
}

/// Jokers are as many as were gained and not removed.
fn jokers(played: &Played) -> Result<(), String> {
    let mut expected = 0_i64;
    for event in &played.events {
        expected += match event {
            Event::JokerGained { .. } => 1,
            Event::JokerRemoved { .. } => -1,
            Event::Scored(scored) => -(scored.gone.len() as i64),
            _ => 0,
        };
    }
    let run = played.state.run.as_ref().ok_or("no run was started")?;
    let actual = run.jokers.len() as i64;
    if actual != expected {
        return Err(format!("{actual} jokers, not {expected}"));
    }
    Ok(())
}

/// Scores are whole, finite and not below 0, and round scores are their sums.
fn scores(played: &Played) -> Result<(), String> {
    let mut total = 0.0;
    for event in &played.events {
        match event {
            Event::BlindSelected { .. } => total = 0.0,
            Event::Scored(scored) => {
                if !scored.score.is_finite() || scored.score < 0.0 || scored.score.fract() != 0.0 {
                    return Err(format!("a score of {}", scored.score));
                }
                total += scored.score;
                if scored.total != total {
                    return Err(format!("a round score of {}, not {total}", scored.total));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The money is what the events have paid.
fn money(played: &Played) -> Result<(), String> {
    let mut expected = 0_i64;
    for event in &played.events {
        match event {
            Event::RunStarted(start) => expected = start.money,
            Event::MoneyChanged { by, money, .. } => {
                expected += by;
                if *money != expected {
                    return Err(format!("{money} dollars, not {expected}"));
                }
            }
            Event::Scored(scored) => expected += scored.money,
            _ => {}
        }
    }
    let actual = played.state.run.as_ref().map_or(0, |run| run.money);
    if actual != expected {
        return Err(format!("{actual} dollars at the end, not {expected}"));
    }
    Ok(())
}
