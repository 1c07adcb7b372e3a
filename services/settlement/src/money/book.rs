//! The pages of the ledger that a batch needs, and how its requests become entries.
//!
//! [`Book::enter`] decides one request after the other. Deciding changes nothing; only a request
//! that is decided in its favour is recorded. So a refused request leaves no trace, and its
//! neighbours in the batch do not notice it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use parlor_common::{HoldId, PlayerId};

use crate::Error;
use crate::money::journal::{Changes, Head, HoldState, Kind, Posted, Posting, Target, Transaction};
use crate::money::request::{Deposit, Hold, PostHand, Release, Request, Reverse, Submission};
use crate::money::{Account, Chips, Digest, Hand, Key, Pages, StakeMode, Staked};

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The number of the transaction.
    pub transaction: u64,
    /// The wallet afterwards, where the request concerns one; otherwise zero.
    pub balance: Chips,
}

/// Where the money of a hold comes from.
pub(super) const fn source(hold: &Hold) -> Account {
    match hold.staked {
        Staked::Player => Account::Wallet(hold.player),
        Staked::Bot => Account::Bots,
        Staked::Outside => Account::External,
    }
}

/// The loaded pages, and what a batch has changed in them so far.
#[derive(Debug)]
pub struct Book {
    posted: HashMap<Key, Posted>,
    targets: HashMap<u64, Target>,
    pages: Pages,
    changes: Changes,
}

/// A request decided in its favour.
struct Decided {
    kind: Kind,
    reference: String,
    postings: Vec<Posting>,
    balance: Chips,
    effect: Effect,
}

enum Effect {
    None,
    Open(HoldState),
    Close(HoldState, Chips),
    Play(Chips, Arc<Hand>),
    Reverse(u64),
}

impl Book {
    /// A book whose journal ends at `head`, with what [`Wanted`](crate::money::Wanted) asked for.
    #[must_use]
    pub fn new(
        head: Head,
        posted: HashMap<Key, Posted>,
        targets: HashMap<u64, Target>,
        pages: Pages,
    ) -> Self {
        let changes = Changes {
            transactions: Vec::new(),
            balances: BTreeMap::new(),
            opened: Vec::new(),
            closed: Vec::new(),
            payouts: Vec::new(),
            hands: Vec::new(),
            head,
        };
        Self { posted, targets, pages, changes }
    }

    /// Enters a request, or says why not. A key that was used before gives the first answer.
    ///
    /// # Errors
    ///
    /// [`Error::IdempotencyConflict`], and whatever refuses the request itself.
    pub fn enter(&mut self, submission: &Submission, now_ms: i64) -> Result<Receipt, Error> {
        if let Some(first) = self.posted.get(&submission.key) {
            return if first.body == submission.body {
                Ok(Receipt { transaction: first.seq, balance: first.balance })
            } else {
                Err(Error::IdempotencyConflict)
            };
        }
        let decided = match &submission.request {
            Request::Deposit(deposit) => self.deposit(deposit)?,
            Request::Hold(hold) => self.hold(HoldId::of(submission.key.as_str()), hold)?,
            Request::PostHand(post) => self.post_hand(post)?,
            Request::Release(release) => self.release(release)?,
            Request::Reverse(reverse) => self.reverse(reverse)?,
        };
        Ok(self.record(submission, decided, now_ms))
    }

    /// What all requests together have changed, and the pages as they are after that.
    #[must_use]
    pub fn close(mut self) -> (Changes, Pages) {
        self.pages.trim(&self.changes);
        (self.changes, self.pages)
    }

    fn deposit(&self, deposit: &Deposit) -> Result<Decided, Error> {
        let wallet = Account::Wallet(deposit.player);
        let postings = self.postings(&[
            (wallet, deposit.amount),
            (Account::External, deposit.amount.opposite()),
        ])?;
        Ok(Decided {
            kind: if deposit.amount > Chips::ZERO { Kind::Deposit } else { Kind::Withdrawal },
            reference: deposit.reason.as_str().to_owned(),
            balance: balance_in(&postings, wallet),
            postings,
            effect: Effect::None,
        })
    }

    fn hold(&self, id: HoldId, hold: &Hold) -> Result<Decided, Error> {
        let postings = self.postings(&[
            (source(hold), hold.amount.opposite()),
            (Account::Stack(id), hold.amount),
        ])?;
        Ok(Decided {
            kind: Kind::Hold,
            reference: hold.table.to_string(),
            postings,
            balance: Chips::ZERO,
            effect: Effect::Open(HoldState {
                id,
                table: hold.table,
                player: hold.player,
                staked: hold.staked,
                open: true,
            }),
        })
    }

    fn post_hand(&self, post: &PostHand) -> Result<Decided, Error> {
        let hand = &post.hand;
        let mut lines = vec![(Account::House, post.commission)];
        let mut by_player: BTreeMap<PlayerId, Chips> = BTreeMap::new();
        for change in &post.changes {
            let hold = self.open_hold(change.hold)?;
            if hold.table != hand.summary.id.table {
                return Err(Error::HoldElsewhere(change.hold.to_string()));
            }
            let sum = by_player.entry(hold.player).or_default();
            *sum = sum.plus(change.amount)?;
            lines.push((Account::Stack(change.hold), change.amount));
        }
        if hand.summary.stakes == StakeMode::Chips && !hand.agrees_with(by_player) {
            return Err(Error::BadRecord("gives a seat another change than the posting"));
        }
        Ok(Decided {
            kind: Kind::Hand,
            reference: hand.summary.id.to_string(),
            postings: self.postings(&lines)?,
            balance: Chips::ZERO,
            effect: Effect::Play(post.commission, Arc::clone(hand)),
        })
    }

    fn release(&self, release: &Release) -> Result<Decided, Error> {
        let hold = self.open_hold(release.hold)?;
        let stack = Account::Stack(hold.id);
        let ledger = self.balance(stack);
        if ledger != release.amount {
            return Err(Error::StackMismatch { ledger });
        }
        let source = hold.source();
        let postings = self.postings(&[(stack, ledger.opposite()), (source, ledger)])?;
        let balance = match hold.staked {
            Staked::Player => self.balance(source).plus(ledger)?,
            Staked::Bot | Staked::Outside => Chips::ZERO,
        };
        Ok(Decided {
            kind: Kind::Release,
            reference: hold.table.to_string(),
            postings,
            balance,
            effect: Effect::Close(*hold, ledger),
        })
    }

    fn reverse(&self, reverse: &Reverse) -> Result<Decided, Error> {
        let number = reverse.transaction;
        let target = self.targets.get(&number).ok_or(Error::TransactionNotFound(number))?;
        if target.reversed {
            return Err(Error::AlreadyReversed);
        }
        match target.kind {
            Kind::Deposit | Kind::Withdrawal | Kind::Hand => {}
            // A hold is undone by a release. The others would bring a stack back to a table that
            // no longer expects it.
            kind => return Err(Error::NotReversible(kind.name())),
        }
        let mut lines = Vec::with_capacity(target.postings.len());
        for (account, amount) in &target.postings {
            lines.push((self.outlet(*account)?, amount.opposite()));
        }
        let postings = self.postings(&lines)?;
        Ok(Decided {
            kind: Kind::Reversal,
            reference: reverse.reason.as_str().to_owned(),
            postings,
            balance: Chips::ZERO,
            effect: Effect::Reverse(number),
        })
    }

    /// Where money of `account` is to be found when a transaction is undone: a stack has gone back
    /// to its source by then.
    fn outlet(&self, account: Account) -> Result<Account, Error> {
        let Account::Stack(id) = account else { return Ok(account) };
        let hold = self.pages.holds.get(&id).ok_or(Error::Internal)?;
        match hold.staked {
            _ if hold.open => Err(Error::StackOpen),
            // The money is the operator's business by now.
            Staked::Outside => Err(Error::NotReversible("hand of an operator's own wallet")),
            Staked::Player | Staked::Bot => Ok(hold.source()),
        }
    }

    fn open_hold(&self, id: HoldId) -> Result<&HoldState, Error> {
        match self.pages.holds.get(&id) {
            Some(hold) if hold.open => Ok(hold),
            Some(_) => Err(Error::HoldClosed(id.to_string())),
            None => Err(Error::HoldNotFound(id.to_string())),
        }
    }

    fn balance(&self, account: Account) -> Chips {
        self.pages.balances.get(&account).copied().unwrap_or(Chips::ZERO)
    }

    /// The lines as postings: one an account, none of zero, each with the balance that it leads to.
    fn postings(&self, lines: &[(Account, Chips)]) -> Result<Vec<Posting>, Error> {
        let mut amounts: BTreeMap<Account, Chips> = BTreeMap::new();
        for (account, amount) in lines {
            let sum = amounts.entry(*account).or_default();
            *sum = sum.plus(*amount)?;
        }
        let mut postings = Vec::with_capacity(amounts.len());
        for (account, amount) in amounts.into_iter().filter(|(_, amount)| *amount != Chips::ZERO) {
            let available = self.balance(account);
            let balance = available.plus(amount)?;
            if balance < Chips::ZERO && amount < Chips::ZERO && !account.may_be_negative() {
                return Err(match account {
                    Account::Stack(hold) => {
                        Error::InsufficientStack { hold: hold.to_string(), available }
                    }
                    _ => Error::InsufficientFunds { available },
                });
            }
            postings.push(Posting { account, amount, balance });
        }
        Ok(postings)
    }

    fn record(&mut self, submission: &Submission, decided: Decided, now_ms: i64) -> Receipt {
        let Decided { kind, reference, postings, balance, effect } = decided;
        let seq = self.changes.head.seq + 1;
        let time_ms = now_ms.max(self.changes.head.time_ms);
        for posting in &postings {
            self.pages.balances.insert(posting.account, posting.balance);
            self.changes.balances.insert(posting.account, posting.balance);
        }
        let mut transaction = Transaction {
            seq,
            kind,
            key: submission.key.clone(),
            body: submission.body,
            time_ms,
            reference,
            record: None,
            balance,
            reverses: None,
            postings,
            link: Digest::GENESIS,
        };
        match effect {
            Effect::None => {}
            Effect::Open(hold) => {
                self.pages.holds.insert(hold.id, hold);
                self.changes.opened.push((hold, seq, time_ms));
            }
            Effect::Close(hold, left) => {
                self.pages.holds.insert(hold.id, HoldState { open: false, ..hold });
                self.changes.closed.push((hold.id, seq));
                if hold.staked == Staked::Outside {
                    self.changes.payouts.push((hold, left, time_ms));
                }
            }
            Effect::Play(commission, hand) => {
                transaction.record = Some(hand.digest);
                self.changes.hands.push((seq, commission, hand));
            }
            Effect::Reverse(number) => {
                transaction.reverses = Some(number);
                if let Some(target) = self.targets.get_mut(&number) {
                    target.reversed = true;
                }
            }
        }
        transaction.link = transaction.link_after(&self.changes.head.link);
        self.changes.head = Head { seq, time_ms, link: transaction.link };
        let posted = Posted { seq, body: submission.body, balance };
        self.posted.insert(submission.key.clone(), posted);
        self.changes.transactions.push(transaction);
        Receipt { transaction: seq, balance }
    }
}

fn balance_in(postings: &[Posting], account: Account) -> Chips {
    let posting = postings.iter().find(|posting| posting.account == account);
    posting.map_or(Chips::ZERO, |posting| posting.balance)
}
