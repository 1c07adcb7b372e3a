//! What has to be known of the ledger before a batch can be decided.

use std::collections::{BTreeSet, HashMap};

use parlor_common::HoldId;

use crate::money::book::source;
use crate::money::{Account, Changes, Chips, HoldState, Key, Request, Submission, Target};

/// Holds and balances that are kept from one batch to the next; more are forgotten.
const MOST: usize = 200_000;

/// What has to be loaded before a batch can be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Keys that may have been used before.
    pub keys: BTreeSet<Key>,
    /// Transactions that somebody wants to reverse.
    pub targets: BTreeSet<u64>,
    /// Holds, with their stacks.
    pub holds: BTreeSet<HoldId>,
    /// Those of them whose money goes back to where it came from.
    pub returning: BTreeSet<HoldId>,
    /// Further accounts.
    pub accounts: BTreeSet<Account>,
}

impl Wanted {
    /// What these requests need.
    pub fn of<'a>(submissions: impl IntoIterator<Item = &'a Submission>) -> Self {
        let mut wanted = Self::default();
        for submission in submissions {
            wanted.keys.insert(submission.key.clone());
            match &submission.request {
                Request::Deposit(deposit) => {
                    wanted.accounts.extend([Account::Wallet(deposit.player), Account::External]);
                }
                // The hold itself is named by the key: it cannot be there when the key is not.
                Request::Hold(hold) => {
                    wanted.accounts.insert(source(hold));
                }
                Request::PostHand(post) => {
                    wanted.holds.extend(post.changes.iter().map(|change| change.hold));
                    wanted.accounts.insert(Account::House);
                }
                Request::Release(release) => {
                    wanted.holds.insert(release.hold);
                    wanted.returning.insert(release.hold);
                }
                Request::Reverse(reverse) => {
                    wanted.targets.insert(reverse.transaction);
                }
            }
        }
        wanted
    }

    /// What the lines of `target` need beyond that.
    pub fn add_target(&mut self, target: &Target) {
        for (account, _) in &target.postings {
            match account {
                Account::Stack(hold) => {
                    self.holds.insert(*hold);
                    self.returning.insert(*hold);
                }
                account => {
                    self.accounts.insert(*account);
                }
            }
        }
    }

    /// What the wanted holds lead to, as far as they are there.
    fn add_stacks(&mut self, pages: &Pages) {
        for hold in self.holds.iter().filter_map(|id| pages.holds.get(id)) {
            self.accounts.insert(Account::Stack(hold.id));
            if self.returning.contains(&hold.id) {
                self.accounts.insert(hold.source());
            }
        }
    }
}

/// Holds and balances of the ledger, as of one end of its journal.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    pub(super) holds: HashMap<HoldId, HoldState>,
    pub(super) balances: HashMap<Account, Chips>,
}

impl Pages {
    /// Wanted holds that are not here.
    #[must_use]
    pub fn missing_holds(&self, wanted: &Wanted) -> Vec<HoldId> {
        wanted.holds.iter().filter(|id| !self.holds.contains_key(id)).copied().collect()
    }

    /// Adds holds that were loaded.
    pub fn add_holds(&mut self, holds: impl IntoIterator<Item = HoldState>) {
        self.holds.extend(holds.into_iter().map(|hold| (hold.id, hold)));
    }

    /// Wanted accounts that are not here, also those that the wanted holds lead to. To be asked
    /// once the holds are here.
    #[must_use]
    pub fn missing_accounts(&self, mut wanted: Wanted) -> Vec<Account> {
        wanted.add_stacks(self);
        wanted.accounts.retain(|account| !self.balances.contains_key(account));
        wanted.accounts.into_iter().collect()
    }

    /// Adds the balances of the accounts that were missing; those that are not among them do not
    /// exist yet.
    pub fn add_balances(&mut self, missing: &[Account], balances: HashMap<Account, Chips>) {
        self.balances.extend(missing.iter().map(|account| (*account, Chips::ZERO)));
        self.balances.extend(balances);
    }

    /// Forgets what will not be needed again after these changes, and everything when it is much.
    pub(super) fn trim(&mut self, changes: &Changes) {
        for (hold, _) in &changes.closed {
            self.holds.remove(hold);
            self.balances.remove(&Account::Stack(*hold));
        }
        if self.holds.len() + self.balances.len() > MOST {
            *self = Self::default();
        }
    }
}
