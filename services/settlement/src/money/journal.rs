//! The journal: numbered transactions, each hashed together with its predecessor.

use std::collections::BTreeMap;
use std::sync::Arc;

use parlor_common::{HoldId, PlayerId, TableId};

use crate::money::canonical::{Canonical, Digest};
use crate::money::{Account, Chips, Hand, Key, Staked};

/// What a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// From the outside into a wallet.
    Deposit,
    /// From a wallet to the outside.
    Withdrawal,
    /// From a wallet onto a stack.
    Hold,
    /// Between stacks.
    Hand,
    /// From a stack to a wallet.
    Release,
    /// The opposite of an earlier transaction.
    Reversal,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Deposit, Self::Withdrawal, Self::Hold, Self::Hand, Self::Release, Self::Reversal];

    /// Its name in the database and in statements.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deposit => "deposit",
            Self::Withdrawal => "withdrawal",
            Self::Hold => "hold",
            Self::Hand => "hand",
            Self::Release => "release",
            Self::Reversal => "reversal",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One line of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The account.
    pub account: Account,
    /// What it gained, negative when it lost; never zero.
    pub amount: Chips,
    /// Its balance afterwards.
    pub balance: Chips,
}

/// One entry of the journal. Its postings sum to zero and it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Its number: 1, 2, 3, … without gaps, in the order of commitment.
    pub seq: u64,
    /// What it is.
    pub kind: Kind,
    /// The idempotency key of its request.
    pub key: Key,
    /// The digest of its request's body.
    pub body: Digest,
    /// Milliseconds since the Unix epoch; never less than its predecessor's.
    pub time_ms: i64,
    /// The table, the hand or the reason.
    pub reference: String,
    /// The digest of the hand's record.
    pub record: Option<Digest>,
    /// The balance that the request's answer shows; zero when it shows none.
    pub balance: Chips,
    /// The transaction that this one undoes.
    pub reverses: Option<u64>,
    /// At most one line an account, ordered by account.
    pub postings: Vec<Posting>,
    /// The digest of all this and of the predecessor's link.
    pub link: Digest,
}

impl Transaction {
    /// The link that this transaction must carry after `previous`.
    #[must_use]
    pub fn link_after(&self, previous: &Digest) -> Digest {
        let mut entry = Canonical::new("parlor/journal/v1");
        entry
            .bytes(&previous.0)
            .bytes(&self.seq.to_be_bytes())
            .text(self.kind.name())
            .text(self.key.as_str())
            .bytes(&self.body.0)
            .number(self.time_ms)
            .text(&self.reference)
            .bytes(self.record.as_ref().map_or(&[], |digest| digest.0.as_slice()))
            .number(self.balance.0)
            .bytes(&self.reverses.unwrap_or(0).to_be_bytes());
        for posting in &self.postings {
            entry
                .text(&posting.account.to_string())
                .number(posting.amount.0)
                .number(posting.balance.0);
        }
        entry.digest()
    }
}

/// The end of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the last transaction; 0 in a new ledger.
    pub seq: u64,
    /// Its time.
    pub time_ms: i64,
    /// Its link.
    pub link: Digest,
}

impl Head {
    /// The end of an empty journal.
    pub const GENESIS: Self = Self { seq: 0, time_ms: 0, link: Digest::GENESIS };
}

/// A hold as the ledger has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldState {
    /// The hold.
    pub id: HoldId,
    /// At which table.
    pub table: TableId,
    /// Who sits there.
    pub player: PlayerId,
    /// Whose money it is.
    pub staked: Staked,
    /// The stack is in play.
    pub open: bool,
}

impl HoldState {
    /// Where its money comes from and goes back to.
    #[must_use]
    pub const fn source(&self) -> Account {
        match self.staked {
            Staked::Player => Account::Wallet(self.player),
            Staked::Bot => Account::Bots,
            Staked::Outside => Account::External,
        }
    }
}

/// What is known of a key that was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The transaction.
    pub seq: u64,
    /// The digest of the first request's body.
    pub body: Digest,
    /// The balance that the first answer showed.
    pub balance: Chips,
}

/// A transaction that somebody wants to reverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What it is.
    pub kind: Kind,
    /// It was reversed before.
    pub reversed: bool,
    /// Its lines.
    pub postings: Vec<(Account, Chips)>,
}

/// What a batch of requests changes in the database.
#[derive(Clone, Debug)]
pub struct Changes {
    /// New entries of the journal, in order.
    pub transactions: Vec<Transaction>,
    /// New balances, by account.
    pub balances: BTreeMap<Account, Chips>,
    /// Holds that were opened: the hold, the number and the time of its transaction.
    pub opened: Vec<(HoldState, u64, i64)>,
    /// Holds that were closed, with the number of the transaction.
    pub closed: Vec<(HoldId, u64)>,
    /// What has to be paid out to wallets outside, with the time.
    pub payouts: Vec<(HoldState, Chips, i64)>,
    /// Hands that were played, with the number of the transaction and the commission.
    pub hands: Vec<(u64, Chips, Arc<Hand>)>,
    /// The new end of the journal.
    pub head: Head,
}
