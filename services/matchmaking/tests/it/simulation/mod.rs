//! Two matchmakers share a store and die at any step; requests to the table service are refused,
//! lost or late. Whatever happens: no player is ever sent to two tables, nobody is stuck, and no
//! ticket is lost. Every run follows from its seed.

mod club_rooms;
mod driver;
mod parties;
mod stepping;
mod world;

use driver::{Pace, Ready, Simulation};

/// Runs one after the other from this many seeds.
const SEEDS: u64 = 50;

/// Steps of the scheduler in one run, before everything is left to settle.
const STEPS: usize = 4_000;

#[test]
fn whatever_dies_no_player_is_seated_twice_or_stuck_and_no_ticket_is_lost() {
    let mut crashes = 0;
    let mut seated = 0;
    for seed in 0..SEEDS {
        let mut simulation = Simulation::new(seed, Pace::Lively, Ready::Assumed);
        simulation.run(STEPS);
        simulation.settle();
        crashes += simulation.crashes;
        seated += simulation.arrived;
    }
    println!("{crashes} crashes, {seated} players seated");
    // The runs must have had something in them.
    assert!(crashes > 10 * SEEDS as usize, "only {crashes} crashes");
    assert!(seated > 20 * SEEDS as usize, "only {seated} players were seated");
}

#[test]
fn a_matchmaker_that_sleeps_for_longer_than_its_claims_does_no_lasting_harm() {
    let mut withdrawn = 0;
    for seed in 1_000..1_000 + 2 * SEEDS {
        let mut simulation = Simulation::new(seed, Pace::Drowsy, Ready::Assumed);
        simulation.run(STEPS);
        simulation.settle();
        withdrawn += simulation.withdrawn();
    }
    println!("{withdrawn} late tables withdrawn");
    assert!(withdrawn > 0, "no matchmaker ever came too late");
}

#[test]
fn a_ready_check_outlives_whoever_began_it_and_holds_nobody_up() {
    let (mut crashes, mut seated, mut not_ready) = (0, 0, 0);
    for seed in 2_000..2_000 + SEEDS {
        let mut simulation = Simulation::new(seed, Pace::Lively, Ready::Asked);
        simulation.run(STEPS);
        simulation.settle();
        crashes += simulation.crashes;
        seated += simulation.arrived;
        not_ready += simulation.not_ready;
    }
    println!("{crashes} crashes, {seated} players seated, {not_ready} not ready");
    assert!(crashes > 10 * SEEDS as usize, "only {crashes} crashes");
    assert!(seated > 5 * SEEDS as usize, "only {seated} players were seated");
    assert!(not_ready > SEEDS as usize, "only {not_ready} were not ready");
}
