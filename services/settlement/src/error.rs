//! Everything that can go wrong, and how it leaves the service.

use parlor_common::{Code, Failure};

use crate::money::Chips;

/// Every reason that this service gives, sorted.
pub const REASONS: &[&str] = &[
    "HAND_NOT_FOUND",
    "HISTORY_BAD_BOARD",
    "HISTORY_BAD_CURSOR",
    "HISTORY_BAD_GAME",
    "HISTORY_BAD_SEEDS",
    "HISTORY_SEED_MISMATCH",
    "LEDGER_ALREADY_REVERSED",
    "LEDGER_BAD_AMOUNT",
    "LEDGER_BAD_KEY",
    "LEDGER_BAD_REASON",
    "LEDGER_BAD_RECORD",
    "LEDGER_BAD_TRANSACTION_ID",
    "LEDGER_BALANCE_OVERFLOW",
    "LEDGER_BUSY",
    "LEDGER_DUPLICATE_HOLD",
    "LEDGER_HOLD_CLOSED",
    "LEDGER_HOLD_ELSEWHERE",
    "LEDGER_HOLD_NOT_FOUND",
    "LEDGER_IDEMPOTENCY_CONFLICT",
    "LEDGER_INSUFFICIENT_FUNDS",
    "LEDGER_INSUFFICIENT_STACK",
    "LEDGER_INTERNAL",
    "LEDGER_NOT_REVERSIBLE",
    "LEDGER_STACK_MISMATCH",
    "LEDGER_STACK_OPEN",
    "LEDGER_TRANSACTION_NOT_FOUND",
    "LEDGER_UNAVAILABLE",
    "LEDGER_UNBALANCED",
    "LEDGER_WALLET_ELSEWHERE",
    "LEDGER_WALLET_REFUSED",
    "PAGE_SIZE_TOO_LARGE",
    "PAGE_TOKEN_INVALID",
];

/// What can go wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The idempotency key is empty, too long, or holds other characters than visible ASCII.
    #[error("an idempotency key is 1 to 128 visible ASCII characters")]
    BadKey,
    /// The key of a hand is not the hand's identifier.
    #[error("the idempotency key of a hand is its hand id")]
    KeyIsNotHand,
    /// The amount is zero where it must not be, of the wrong sign, or too large.
    #[error("the amount is zero, of the wrong sign, or beyond 2^53 - 1")]
    BadAmount,
    /// The reason does not have the form of a reason.
    #[error("a reason is 1 to 64 characters of a-z, 0-9 and _")]
    BadReason,
    /// The transaction id is not a number of the journal.
    #[error("a transaction id is a number")]
    BadTransactionId,
    /// The hand's record is absent, too large, or contradicts the posting.
    #[error("the hand's record {0}")]
    BadRecord(&'static str),
    /// The changes and the commission do not sum to zero.
    #[error("the changes and the commission sum to {sum}, not to zero")]
    Unbalanced {
        /// What they sum to.
        sum: i128,
    },
    /// One hold occurs twice in a hand.
    #[error("a hold occurs twice in one hand")]
    DuplicateHold,
    /// The key was used before, for a request with another body.
    #[error("the idempotency key was used for another request")]
    IdempotencyConflict,
    /// The wallet does not hold as much.
    #[error("the wallet holds {available}")]
    InsufficientFunds {
        /// What it holds.
        available: Chips,
    },
    /// The stack does not hold as much.
    #[error("the stack {hold} holds {available}")]
    InsufficientStack {
        /// Whose stack.
        hold: String,
        /// What it holds.
        available: Chips,
    },
    /// A balance would leave the range of 64 bits.
    #[error("a balance would be too large")]
    BalanceOverflow,
    /// There is no such hold.
    #[error("there is no hold {0}")]
    HoldNotFound(String),
    /// The stack went back to its wallet already.
    #[error("the hold {0} is closed")]
    HoldClosed(String),
    /// The hold is of another table.
    #[error("the hold {0} is of another table")]
    HoldElsewhere(String),
    /// The caller's idea of the stack is not the ledger's.
    #[error("the ledger has {ledger} on the stack")]
    StackMismatch {
        /// What the ledger has.
        ledger: Chips,
    },
    /// There is no such transaction.
    #[error("there is no transaction {0}")]
    TransactionNotFound(u64),
    /// The transaction was reversed before.
    #[error("the transaction is reversed already")]
    AlreadyReversed,
    /// Transactions of this kind are not undone by a reversal.
    #[error("a {0} cannot be reversed")]
    NotReversible(&'static str),
    /// A stack of the hand is still in play, so the table would not learn of the reversal.
    #[error("a stack of this hand is still at its table; release it first")]
    StackOpen,
    /// Money comes and goes at the operator's own wallet, not here.
    #[error("wallets are kept by the operator; deposits are made there")]
    WalletElsewhere,
    /// The operator's own wallet says no; its stable reason.
    #[error("the operator's wallet refuses: {0}")]
    WalletRefused(String),
    /// There is no such hand, or not for this player.
    #[error("there is no such hand")]
    HandNotFound,
    /// The game's name does not have the form of one.
    #[error("a game is 1 to 32 characters of a-z, 0-9 and _")]
    BadGame,
    /// Seeds are none, too many, or not 32 bytes long.
    #[error("1 to 256 seeds of 32 bytes can be revealed at once")]
    BadSeeds,
    /// The seed is not the one that the hand was committed to.
    #[error("the seed does not match the commitment of hand {0}")]
    SeedMismatch(String),
    /// There is no such board.
    #[error("there is no such board")]
    BadBoard,
    /// The cursor is beyond the end of the journal.
    #[error("the cursor is beyond the end of the journal")]
    BadCursor,
    /// The page token is not one of ours for this query.
    #[error("the page token is not of this query")]
    BadPageToken,
    /// The page is too large.
    #[error("a page has at most {most} rows")]
    PageTooLarge {
        /// The bound.
        most: u32,
    },
    /// Too many requests wait already.
    #[error("too many requests wait for the ledger")]
    Busy,
    /// The database is away; nothing is known of the request, and repeating it is safe.
    #[error("the ledger's database is away")]
    Unavailable,
    /// A fault of ours; it has been logged.
    #[error("an internal error; it has been logged")]
    Internal,
}

impl Error {
    /// Its code and its stable reason.
    #[must_use]
    pub const fn code_and_reason(&self) -> (Code, &'static str) {
        match self {
            Self::BadKey | Self::KeyIsNotHand => (Code::Invalid, "LEDGER_BAD_KEY"),
            Self::BadAmount => (Code::Invalid, "LEDGER_BAD_AMOUNT"),
            Self::BadReason => (Code::Invalid, "LEDGER_BAD_REASON"),
            Self::BadTransactionId => (Code::Invalid, "LEDGER_BAD_TRANSACTION_ID"),
            Self::BadRecord(_) => (Code::Invalid, "LEDGER_BAD_RECORD"),
            Self::Unbalanced { .. } => (Code::Invalid, "LEDGER_UNBALANCED"),
            Self::DuplicateHold => (Code::Invalid, "LEDGER_DUPLICATE_HOLD"),
            Self::IdempotencyConflict => (Code::Precondition, "LEDGER_IDEMPOTENCY_CONFLICT"),
            Self::InsufficientFunds { .. } => (Code::Precondition, "LEDGER_INSUFFICIENT_FUNDS"),
            Self::InsufficientStack { .. } => (Code::Precondition, "LEDGER_INSUFFICIENT_STACK"),
            Self::BalanceOverflow => (Code::Precondition, "LEDGER_BALANCE_OVERFLOW"),
            Self::HoldNotFound(_) => (Code::NotFound, "LEDGER_HOLD_NOT_FOUND"),
            Self::HoldClosed(_) => (Code::Precondition, "LEDGER_HOLD_CLOSED"),
            Self::HoldElsewhere(_) => (Code::Precondition, "LEDGER_HOLD_ELSEWHERE"),
            Self::StackMismatch { .. } => (Code::Precondition, "LEDGER_STACK_MISMATCH"),
            Self::TransactionNotFound(_) => (Code::NotFound, "LEDGER_TRANSACTION_NOT_FOUND"),
            Self::AlreadyReversed => (Code::Precondition, "LEDGER_ALREADY_REVERSED"),
            Self::NotReversible(_) => (Code::Precondition, "LEDGER_NOT_REVERSIBLE"),
            Self::StackOpen => (Code::Precondition, "LEDGER_STACK_OPEN"),
            Self::WalletElsewhere => (Code::Precondition, "LEDGER_WALLET_ELSEWHERE"),
            Self::WalletRefused(_) => (Code::Precondition, "LEDGER_WALLET_REFUSED"),
            Self::HandNotFound => (Code::NotFound, "HAND_NOT_FOUND"),
            Self::BadGame => (Code::Invalid, "HISTORY_BAD_GAME"),
            Self::BadSeeds => (Code::Invalid, "HISTORY_BAD_SEEDS"),
            Self::SeedMismatch(_) => (Code::Precondition, "HISTORY_SEED_MISMATCH"),
            Self::BadBoard => (Code::Invalid, "HISTORY_BAD_BOARD"),
            Self::BadCursor => (Code::Invalid, "HISTORY_BAD_CURSOR"),
            Self::BadPageToken => (Code::Invalid, "PAGE_TOKEN_INVALID"),
            Self::PageTooLarge { .. } => (Code::Invalid, "PAGE_SIZE_TOO_LARGE"),
            Self::Busy => (Code::Exhausted, "LEDGER_BUSY"),
            Self::Unavailable => (Code::Unavailable, "LEDGER_UNAVAILABLE"),
            Self::Internal => (Code::Internal, "LEDGER_INTERNAL"),
        }
    }
}

/// How long a caller waits after it was turned away because too many wait.
const BUSY_RETRY_AFTER_MS: u64 = 100;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (code, reason) = error.code_and_reason();
        let failure = Self::new(code, reason, error.to_string());
        match error {
            Error::InsufficientFunds { available } => failure.with("available", available),
            Error::InsufficientStack { hold, available } => {
                failure.with("hold_id", hold).with("available", available)
            }
            Error::WalletRefused(why) => failure.with("wallet_reason", why),
            Error::StackMismatch { ledger } => failure.with("ledger", ledger),
            Error::Busy | Error::Unavailable => failure.retry_after_ms(BUSY_RETRY_AFTER_MS),
            _ => failure,
        }
    }
}
