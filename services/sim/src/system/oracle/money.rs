//! What the ledger has entered, compared with what the tables' logs say.

use std::collections::BTreeMap;

use parlor_common::{HoldId, PlayerId, TableId};
use parlor_game::shell::{Duty, Obligation};
use parlor_settlement::money::{Account, Changes};

use super::mirror::Mirror;

/// What the ledger has entered, by itself.
#[derive(Debug, Default)]
pub struct Entered {
    /// The transaction of each idempotency key.
    keys: BTreeMap<String, u64>,
    balances: BTreeMap<Account, i64>,
    last: u64,
}

/// The key under which a table asks the ledger for a duty.
///
/// `None` for what moves no money.
pub fn key(table: TableId, duty: &Obligation) -> Option<String> {
    match &duty.duty {
        Duty::Hold { .. } => Some(hold_key(table, duty.id)),
        Duty::PostHand { hand, .. } => Some(format!("{table}/{hand}")),
        Duty::Release { .. } => Some(format!("{table}/release/{}", duty.id)),
        Duty::Reveal { .. } => None,
    }
}

fn hold_key(table: TableId, id: u64) -> String {
    format!("{table}/hold/{id}")
}

impl Entered {
    /// Takes notice of a batch.
    pub fn enter(&mut self, changes: &Changes) -> Result<(), String> {
        for transaction in &changes.transactions {
            let sum: i128 = transaction.postings.iter().map(|one| i128::from(one.amount.0)).sum();
            if sum != 0 {
                return Err(format!("transaction {} sums to {sum}", transaction.seq));
            }
            if transaction.seq != self.last + 1 {
                return Err(format!("transaction {} follows {}", transaction.seq, self.last));
            }
            self.last = transaction.seq;
            for posting in &transaction.postings {
                let balance = self.balances.entry(posting.account).or_default();
                *balance += posting.amount.0;
                if *balance < 0 && !posting.account.may_be_negative() {
                    return Err(format!("{} is overdrawn", posting.account));
                }
            }
            let key = transaction.key.as_str().to_owned();
            if let Some(first) = self.keys.insert(key, transaction.seq) {
                let (key, again) = (transaction.key.as_str(), transaction.seq);
                return Err(format!("{key} was entered as {first} and again as {again}"));
            }
        }
        Ok(())
    }

    /// Whether a request was entered.
    pub fn has(&self, key: &str) -> bool {
        self.keys.contains_key(key)
    }

    fn balance(&self, account: Account) -> i64 {
        self.balances.get(&account).copied().unwrap_or(0)
    }

    /// Minor units in a player's wallet.
    pub fn wallet(&self, player: PlayerId) -> i64 {
        self.balance(Account::Wallet(player))
    }

    /// Minor units in the accounts that `wanted` names.
    pub fn sum(&self, wanted: impl Fn(&Account) -> bool) -> i64 {
        self.balances.iter().filter(|(account, _)| wanted(account)).map(|(_, sum)| sum).sum()
    }

    /// Compares the stacks of a table with those of the ledger.
    pub fn compare(&self, table: TableId, mirror: &dyn Mirror) -> Result<(), String> {
        let duties = mirror.duties();
        let owed: Vec<&Obligation> = duties
            .iter()
            .filter(|duty| key(table, duty).is_some_and(|key| !self.has(&key)))
            .collect();
        // What hands have changed that the ledger does not know of yet.
        let mut unposted: BTreeMap<u64, i64> = BTreeMap::new();
        for duty in &owed {
            if let Duty::PostHand { changes, .. } = &duty.duty {
                for (hold, change) in changes {
                    *unposted.entry(*hold).or_default() += change.0;
                }
            }
        }
        let released = owed.iter().filter_map(|duty| match &duty.duty {
            Duty::Release { hold, amount } => Some((*hold, amount.0)),
            Duty::Hold { .. } | Duty::PostHand { .. } | Duty::Reveal { .. } => None,
        });
        let stacks = mirror.stacks().into_iter().map(|stack| (stack.hold, stack.amount));
        for (hold, amount) in stacks.chain(released) {
            let held = self.balance(Account::Stack(HoldId::of(&hold_key(table, hold))));
            let posted = held + unposted.get(&hold).copied().unwrap_or(0);
            if posted != amount {
                return Err(format!("hold {hold} of {table} has {amount}, in the ledger {posted}"));
            }
        }
        Ok(())
    }
}
