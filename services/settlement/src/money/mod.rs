//! The rules of money, without a database: accounts, requests, and how one becomes an entry of
//! the journal. Everything here is a pure function of what was loaded.

mod account;
mod amount;
mod book;
mod canonical;
mod hand;
mod journal;
mod pages;
mod request;
mod transfer;

pub use account::Account;
pub use amount::Chips;
pub use book::{Book, Receipt};
pub use canonical::Digest;
pub use hand::{
    DAILY_LENGTH, GAME_LENGTH, Hand, HandSummary, NAME_LENGTH, RECORD_LENGTH, Run, SCORE_LENGTH,
    SEATS, SeatResult, StakeMode,
};
pub use journal::{Changes, Head, HoldState, Kind, Posted, Posting, Target, Transaction};
pub use pages::{Pages, Wanted};
pub(crate) use request::is_name;
pub use request::{
    CHANGES, Deposit, Hold, KEY_LENGTH, Key, PostHand, REASON_LENGTH, Reason, Release, Request,
    Reverse, StackChange, Staked, Submission,
};
pub use transfer::{Debit, Transfer, TransferKind, TransferState};
