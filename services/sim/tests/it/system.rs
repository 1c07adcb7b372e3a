//! The whole system from fixed seeds, and the faults of ours that it must catch.

use parlor_sim::system::{Invariant, Mutation, Outcome, Plan, Telling, simulate};

fn run(seed: u64, mutation: Option<Mutation>) -> Outcome {
    simulate(Plan { seed, mutation, telling: Telling::Silent }).unwrap()
}

/// Runs these seeds, in which nothing may be wrong and something must have happened.
fn hold(seeds: std::ops::Range<u64>) {
    let (mut hands, mut acknowledged, mut takeovers) = (0, 0, 0);
    for seed in seeds {
        let outcome = run(seed, None);
        if let Some(violation) = outcome.violation {
            panic!(
                "{violation}\nrun it again: cargo run --release -p parlor-sim --example system -- \
                 --seed {seed} --aloud"
            );
        }
        hands += outcome.tally.hands;
        acknowledged += outcome.tally.acknowledged;
        takeovers += outcome.tally.takeovers;
    }
    println!("{hands} hands, {acknowledged} requests acknowledged, {takeovers} take-overs");
    assert!(hands > 100 && acknowledged > 400 && takeovers > 5, "the runs were empty");
}

/// Looks for a seed with which the mutation breaks an invariant that the code keeps.
fn catch(mutation: Mutation, seeds: std::ops::Range<u64>, expected: &[Invariant]) {
    for seed in seeds.clone() {
        if let Some(violation) = run(seed, Some(mutation)).violation {
            assert!(expected.contains(&violation.invariant), "seed {seed}: {violation}");
            assert_eq!(run(seed, None).violation, None, "the code itself fails with seed {seed}");
            println!("{mutation:?} is caught by seed {seed}: {violation}");
            return;
        }
    }
    panic!("{mutation:?} is caught by none of the seeds {seeds:?}");
}

#[test]
fn a_seed_is_one_run() {
    for seed in [3, 7] {
        assert_eq!(run(seed, None), run(seed, None));
    }
    assert_ne!(run(3, None).trace, run(7, None).trace);
}

#[test]
fn whatever_fails_nothing_is_lost_doubled_or_leaked_in_seeds_0_to_19() {
    hold(0..20);
}

#[test]
fn whatever_fails_nothing_is_lost_doubled_or_leaked_in_seeds_20_to_39() {
    hold(20..40);
}

#[test]
fn whatever_fails_nothing_is_lost_doubled_or_leaked_in_seeds_40_to_59() {
    hold(40..60);
}

#[test]
fn a_store_that_does_not_check_the_epoch_is_caught() {
    catch(Mutation::EpochUnchecked, 0..40, &[Invariant::OneOwner]);
}

#[test]
fn a_store_that_does_not_check_the_predecessor_is_caught() {
    catch(Mutation::PredecessorUnchecked, 0..60, &[Invariant::OneLog]);
}

#[test]
fn a_store_that_answers_before_it_keeps_is_caught() {
    let expected = [Invariant::DurableFirst, Invariant::NothingLost];
    catch(Mutation::AckBeforeAppend, 0..10, &expected);
}

#[test]
fn a_table_that_forgets_which_requests_it_has_carried_out_is_caught() {
    catch(Mutation::RequestsForgotten, 0..100, &[Invariant::NothingDoubled]);
}

#[test]
fn a_ledger_that_forgets_its_idempotency_keys_is_caught() {
    catch(Mutation::LedgerKeysForgotten, 0..40, &[Invariant::ExactMoney]);
}

#[test]
fn a_table_that_loses_its_duties_to_the_ledger_is_caught() {
    catch(Mutation::DutyLost, 0..20, &[Invariant::DutiesMet]);
}
