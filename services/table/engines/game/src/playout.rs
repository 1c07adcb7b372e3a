//! A random playout over any game that checks the contract of [`Game`] after every step.
//!
//! For the tests of the engines and for `parlor simulate`: a violation is returned as text, so that
//! a simulation can count violations and a test can fail with one.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::contract::{Actor, Entrant, Game, Hidden, Viewer};
use crate::fair::{Entropy, Stream};
use crate::result::Party;
use crate::units::{Amount, Seat};

/// Most commands of one hand before the playout calls it endless.
pub const MAX_STEPS: usize = 100_000;

/// What a playout of one hand saw.
#[derive(Clone, Debug)]
pub struct Played<E> {
    /// Events in order, complete.
    pub events: Vec<E>,
    /// Commands that were given.
    pub commands: usize,
}

/// Plays one hand to its end. Seats choose a random legal command; now and then a seat's default
/// is taken instead, as after a time-out.
///
/// # Errors
/// The first violation of the contract, as text.
pub fn random_hand<G: Game>(
    state: &mut G::State,
    entrants: &[Entrant],
    entropy: &Entropy,
    choices: &mut Stream,
) -> Result<Played<G::Event>, String> {
    let mut played = Played { events: Vec::new(), commands: 0 };
    let events = G::deal(state, entrants, entropy)
        .map_err(|refusal| format!("the deal was refused: {} ({refusal})", refusal.reason))?;
    apply::<G>(state, events, &mut played)?;
    while G::in_hand(state) {
        if played.commands == MAX_STEPS {
            return Err(format!("the hand did not end within {MAX_STEPS} commands"));
        }
        let (actor, command) = choose::<G>(state, choices)?;
        let before = state.clone();
        let events = G::decide(state, actor, &command, entropy).map_err(|refusal| {
            format!("{actor:?} was offered {command:?} and refused: {}", refusal.reason)
        })?;
        if *state != before {
            return Err(String::from("decide changed the state"));
        }
        apply::<G>(state, events, &mut played)?;
        played.commands += 1;
    }
    if !G::awaiting(state).is_empty() {
        return Err(String::from("the hand is over and somebody is awaited"));
    }
    check_money::<G>(entrants, &played.events)?;
    Ok(played)
}

/// Checks that neither the views of `state` nor the redacted `events` tell any viewer what it may
/// not know: permuting the hidden part must leave both unchanged.
///
/// # Errors
/// The viewer that could tell the difference, and where.
pub fn check_secrecy<G: Hidden>(
    state: &G::State,
    events: &[G::Event],
    seats: u8,
    entropy: &Entropy,
) -> Result<(), String> {
    let viewers = (0..seats).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator]);
    for viewer in viewers {
        let permuted = G::permute_state(state, viewer, entropy);
        if encode(&G::view(state, viewer)) != encode(&G::view(&permuted, viewer)) {
            return Err(format!("{viewer:?} can tell two states apart that it may not"));
        }
        for event in events {
            let permuted = G::permute_event(event, viewer, entropy);
            let (seen, same) = (G::redact(event, viewer), G::redact(&permuted, viewer));
            if encode(&seen) != encode(&same) {
                return Err(format!("{viewer:?} can tell two events apart: {event:?}"));
            }
        }
    }
    Ok(())
}

fn encode<T: serde::Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

fn apply<G: Game>(
    state: &mut G::State,
    events: Vec<G::Event>,
    played: &mut Played<G::Event>,
) -> Result<(), String> {
    if events.is_empty() {
        return Err(String::from("an accepted command had no event"));
    }
    for event in events {
        let bytes = encode(&event);
        match postcard::from_bytes::<G::Event>(&bytes) {
            Ok(decoded) if decoded == event => {}
            _ => return Err(format!("the event does not survive encoding: {event:?}")),
        }
        G::evolve(state, &event);
        played.events.push(event);
    }
    match postcard::from_bytes::<G::State>(&encode(state)) {
        Ok(decoded) if decoded == *state => Ok(()),
        _ => Err(String::from("the state does not survive encoding")),
    }
}

fn choose<G: Game>(state: &G::State, choices: &mut Stream) -> Result<(Actor, G::Command), String> {
    let awaiting = G::awaiting(state);
    if awaiting.is_empty() {
        return Err(String::from("a hand is in progress and nobody is awaited"));
    }
    let count = u32::try_from(awaiting.seats.len()).unwrap_or(u32::MAX);
    if let Some(system) = &awaiting.system
        && (count == 0 || choices.chance(1, 4))
    {
        return Ok((Actor::System, system.command.clone()));
    }
    let pending = &awaiting.seats[choices.below(count) as usize];
    let legal = G::legal(state, pending.seat);
    if legal.is_empty() {
        return Err(format!("seat {} is awaited and may do nothing", pending.seat));
    }
    if !legal.is_sorted_by(|a, b| a < b) {
        return Err(format!("the legal commands are not sorted or repeat: {legal:?}"));
    }
    let pick = choices.below(u32::try_from(legal.len()).unwrap_or(u32::MAX)) as usize;
    let by_default = choices.chance(1, 16);
    let command = if by_default { pending.default.clone() } else { legal[pick].clone() };
    Ok((Actor::Seat(pending.seat), command))
}

fn check_money<G: Game>(entrants: &[Entrant], events: &[G::Event]) -> Result<(), String> {
    for result in events.iter().filter_map(G::hand_result) {
        if result.transfers.iter().any(|transfer| transfer.amount < Amount::ZERO) {
            return Err(String::from("a transfer is negative"));
        }
        for entrant in entrants {
            let net = result.net(Party::Seat(entrant.seat));
            if entrant.stack.is_some_and(|stack| stack + net < Amount::ZERO) {
                return Err(format!("seat {} lost more than its stack", entrant.seat));
            }
        }
    }
    Ok(())
}
