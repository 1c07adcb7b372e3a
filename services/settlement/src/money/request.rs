//! What the ledger is asked to do. A request that exists is well formed: only the state of the
//! ledger can still refuse it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use parlor_common::{HoldId, PlayerId, TableId};

use crate::Error;
use crate::money::canonical::{Canonical, Digest};
use crate::money::{Chips, Hand, StakeMode};

/// The longest idempotency key, in bytes.
pub const KEY_LENGTH: usize = 128;
/// The longest reason, in bytes.
pub const REASON_LENGTH: usize = 64;
/// The most stacks in one hand; far more than any table has seats.
pub const CHANGES: usize = 64;

/// Names a request for ever: whoever repeats it gets the first result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>);

impl Key {
    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Key {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let fits = !text.is_empty() && text.len() <= KEY_LENGTH;
        if fits && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.into()))
        } else {
            Err(Error::BadKey)
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why money came or went, in the form of a stable name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reason(String);

impl Reason {
    /// The reason as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Reason {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if is_name(text, REASON_LENGTH) { Ok(Self(text.to_owned())) } else { Err(Error::BadReason) }
    }
}

/// Whether `text` is a stable name of at most `longest` characters of a-z, 0-9 and _.
pub(crate) fn is_name(text: &str, longest: usize) -> bool {
    let fits = !text.is_empty() && text.len() <= longest;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    fits && text.bytes().all(plain)
}

/// From the outside into a wallet, or the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    pub(super) player: PlayerId,
    pub(super) amount: Chips,
    pub(super) reason: Reason,
}

impl Deposit {
    /// A deposit; with a negative amount a withdrawal.
    ///
    /// # Errors
    ///
    /// [`Error::BadAmount`] when the amount is zero or beyond [`Chips::MOST`].
    pub fn new(player: PlayerId, amount: Chips, reason: Reason) -> Result<Self, Error> {
        if amount == Chips::ZERO || !amount.in_range() {
            return Err(Error::BadAmount);
        }
        Ok(Self { player, amount, reason })
    }
}

/// Whose money a stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Staked {
    /// The player's own, from the wallet.
    Player,
    /// The operator's, from the bots' bank.
    Bot,
    /// The player's own, from a wallet that the operator keeps outside of this ledger.
    Outside,
}

impl Staked {
    /// Its name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Bot => "bot",
            Self::Outside => "operator",
        }
    }

    /// The one with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Player, Self::Bot, Self::Outside];
        all.into_iter().find(|staked| staked.name() == name)
    }
}

/// From a wallet onto a stack at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    pub(super) table: TableId,
    pub(super) player: PlayerId,
    pub(super) staked: Staked,
    pub(super) amount: Chips,
}

impl Hold {
    /// A hold.
    ///
    /// # Errors
    ///
    /// [`Error::BadAmount`] when the amount is not positive or is beyond [`Chips::MOST`].
    pub fn new(
        table: TableId,
        player: PlayerId,
        staked: Staked,
        amount: Chips,
    ) -> Result<Self, Error> {
        if amount <= Chips::ZERO || !amount.in_range() {
            return Err(Error::BadAmount);
        }
        Ok(Self { table, player, staked, amount })
    }

    /// At which table.
    #[must_use]
    pub const fn table(&self) -> TableId {
        self.table
    }

    /// Who sits there.
    #[must_use]
    pub const fn player(&self) -> PlayerId {
        self.player
    }

    /// Whose money it is.
    #[must_use]
    pub const fn staked(&self) -> Staked {
        self.staked
    }

    /// How much.
    #[must_use]
    pub const fn amount(&self) -> Chips {
        self.amount
    }
}

/// What a hand changed on one stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackChange {
    /// Whose stack.
    pub hold: HoldId,
    /// Negative when the stack lost; may be zero.
    pub amount: Chips,
}

/// The money of one hand, and its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostHand {
    pub(super) changes: Vec<StackChange>,
    pub(super) commission: Chips,
    pub(super) hand: Arc<Hand>,
}

impl PostHand {
    /// A hand's posting.
    ///
    /// # Errors
    ///
    /// [`Error::BadAmount`] for an amount out of range or a negative commission,
    /// [`Error::DuplicateHold`], [`Error::Unbalanced`], and [`Error::BadRecord`] when the record
    /// does not agree with the posting.
    pub fn new(
        mut changes: Vec<StackChange>,
        commission: Chips,
        hand: Arc<Hand>,
    ) -> Result<Self, Error> {
        if changes.len() > CHANGES {
            return Err(Error::BadRecord("has more stacks than a table has seats"));
        }
        if commission < Chips::ZERO || !commission.in_range() {
            return Err(Error::BadAmount);
        }
        if !changes.iter().all(|change| change.amount.in_range()) {
            return Err(Error::BadAmount);
        }
        // One order, so that the same hand has one digest.
        changes.sort_unstable_by_key(|change| change.hold);
        if changes.windows(2).any(|pair| pair.first().map(by_hold) == pair.last().map(by_hold)) {
            return Err(Error::DuplicateHold);
        }
        let amounts = changes.iter().map(|change| i128::from(change.amount.0));
        let sum = i128::from(commission.0) + amounts.sum::<i128>();
        if sum != 0 {
            return Err(Error::Unbalanced { sum });
        }
        let moves = !changes.is_empty() || commission != Chips::ZERO;
        if hand.summary.stakes == StakeMode::Points && moves {
            return Err(Error::BadRecord("is of a points table, and money moves"));
        }
        Ok(Self { changes, commission, hand })
    }

    /// What each stack gains or loses, ordered by hold.
    #[must_use]
    pub fn changes(&self) -> &[StackChange] {
        &self.changes
    }

    /// What the house gets.
    #[must_use]
    pub const fn commission(&self) -> Chips {
        self.commission
    }

    /// What was played.
    #[must_use]
    pub fn hand(&self) -> &Hand {
        &self.hand
    }
}

const fn by_hold(change: &StackChange) -> HoldId {
    change.hold
}

/// From a stack back to where it came from; closes the hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    pub(super) hold: HoldId,
    pub(super) amount: Chips,
}

impl Release {
    /// A release of what the table says is left.
    ///
    /// # Errors
    ///
    /// [`Error::BadAmount`] when the amount is negative.
    pub fn new(hold: HoldId, amount: Chips) -> Result<Self, Error> {
        if amount < Chips::ZERO {
            return Err(Error::BadAmount);
        }
        Ok(Self { hold, amount })
    }
}

/// Undoes a transaction by a new one with the opposite entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reverse {
    pub(super) transaction: u64,
    pub(super) reason: Reason,
}

impl Reverse {
    /// A reversal of the transaction with this number.
    #[must_use]
    pub const fn new(transaction: u64, reason: Reason) -> Self {
        Self { transaction, reason }
    }

    /// The number of the transaction that is to be undone.
    #[must_use]
    pub const fn transaction(&self) -> u64 {
        self.transaction
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// From or to the outside.
    Deposit(Deposit),
    /// Onto a stack.
    Hold(Hold),
    /// Between stacks.
    PostHand(PostHand),
    /// Off a stack.
    Release(Release),
    /// Undo.
    Reverse(Reverse),
}

impl Request {
    /// Its stable name, for metrics.
    #[must_use]
    pub const fn operation(&self) -> &'static str {
        match self {
            Self::Deposit(_) => "deposit",
            Self::Hold(_) => "hold",
            Self::PostHand(_) => "post_hand",
            Self::Release(_) => "release",
            Self::Reverse(_) => "reverse",
        }
    }
}

/// A request with its key and the digest of its body.
#[derive(Clone, Debug)]
pub struct Submission {
    pub(crate) key: Key,
    pub(crate) request: Request,
    pub(crate) body: Digest,
}

impl Submission {
    /// Seals a request under a key.
    ///
    /// # Errors
    ///
    /// [`Error::KeyIsNotHand`] when a hand is posted under another key than its own identifier:
    /// two keys for one hand could pay it twice.
    pub fn new(key: Key, request: Request) -> Result<Self, Error> {
        if let Request::PostHand(post) = &request
            && key.as_str() != post.hand.summary.id.to_string()
        {
            return Err(Error::KeyIsNotHand);
        }
        let body = body_digest(&request);
        Ok(Self { key, request, body })
    }

    /// Its key.
    #[must_use]
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// What it asks.
    #[must_use]
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// The digest of its body.
    #[must_use]
    pub const fn body(&self) -> Digest {
        self.body
    }

    /// Roughly what it takes in memory and in the database, in bytes.
    pub(crate) fn weight(&self) -> usize {
        const FIXED: usize = 512;
        match &self.request {
            Request::PostHand(post) => FIXED + post.hand.record.len(),
            _ => FIXED,
        }
    }
}

fn body_digest(request: &Request) -> Digest {
    let mut body = Canonical::new("parlor/body/v1");
    match request {
        Request::Deposit(deposit) => body
            .text("deposit")
            .text(&deposit.player.to_string())
            .number(deposit.amount.0)
            .text(deposit.reason.as_str()),
        Request::Hold(hold) => body
            .text("hold")
            .text(&hold.table.to_string())
            .text(&hold.player.to_string())
            .text(hold.staked.name())
            .number(hold.amount.0),
        Request::PostHand(post) => {
            body.text("hand").number(post.commission.0);
            for change in &post.changes {
                body.text(&change.hold.to_string()).number(change.amount.0);
            }
            body.bytes(&post.hand.digest.0)
        }
        Request::Release(release) => {
            body.text("release").text(&release.hold.to_string()).number(release.amount.0)
        }
        Request::Reverse(reverse) => body
            .text("reverse")
            .bytes(&reverse.transaction.to_be_bytes())
            .text(reverse.reason.as_str()),
    };
    body.digest()
}
