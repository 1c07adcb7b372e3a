//! Money on its way from or to a wallet that an operator keeps outside of this ledger.

use parlor_common::{HoldId, PlayerId, TableId};

use crate::money::{Chips, Key};

/// What an operator is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// Take a buy-in.
    Debit,
    /// Pay out what is left of a buy-in, which may be nothing; the buy-in is closed then.
    Settle,
    /// Give a buy-in back that led to no hold.
    Credit,
}

impl TransferKind {
    /// Its name in the database and in keys.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Debit => "debit",
            Self::Settle => "settle",
            Self::Credit => "credit",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Debit, Self::Settle, Self::Credit].into_iter().find(|kind| kind.name() == name)
    }
}

/// How far a transfer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferState {
    /// The operator has not said yes or no.
    Pending,
    /// A debit: the operator has taken the money, and the hold is not known to be in the ledger.
    Paid,
    /// The end.
    Done,
    /// The end: the operator, or the ledger, has said no.
    Refused,
}

impl TransferState {
    /// Its name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }

    /// The state with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Pending, Self::Paid, Self::Done, Self::Refused];
        all.into_iter().find(|state| state.name() == name)
    }
}

/// Money on its way from or to an operator's wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// For which hold.
    pub hold: HoldId,
    /// Which way.
    pub kind: TransferKind,
    /// A refused debit may be asked for again: the first is 1.
    pub generation: u32,
    /// The key under which the hold was asked for.
    pub key: Key,
    /// At which table.
    pub table: TableId,
    /// Whose wallet.
    pub player: PlayerId,
    /// Not negative.
    pub amount: Chips,
    /// How far it has come.
    pub state: TransferState,
    /// How often something was tried.
    pub attempts: u32,
}

impl Transfer {
    /// The key under which the operator is asked, always the same for the same transfer.
    #[must_use]
    pub fn order_key(&self) -> String {
        format!("{}/{}/{}", self.kind.name(), self.hold, self.generation)
    }
}

/// A buy-in that somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Debit {
    /// The hold that it is for.
    pub hold: HoldId,
    /// The key under which the hold is asked for.
    pub key: Key,
    /// At which table.
    pub table: TableId,
    /// Whose wallet.
    pub player: PlayerId,
    /// Positive.
    pub amount: Chips,
}

impl Debit {
    /// The transfer with this generation.
    #[must_use]
    pub fn transfer(&self, generation: u32) -> Transfer {
        Transfer {
            hold: self.hold,
            kind: TransferKind::Debit,
            generation,
            key: self.key.clone(),
            table: self.table,
            player: self.player,
            amount: self.amount,
            state: TransferState::Pending,
            attempts: 0,
        }
    }

    /// Whether `transfer` came from the same request.
    #[must_use]
    pub fn is_asked_by(&self, transfer: &Transfer) -> bool {
        (self.table, self.player, self.amount) == (transfer.table, transfer.player, transfer.amount)
    }
}
