//! Faults of ours, put in on purpose: the simulation is worth what it catches of them.

/// A fault of the code that is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// The store of tables takes appends whatever the owner's epoch.
    EpochUnchecked,
    /// The store of tables takes appends whatever entry they follow.
    PredecessorUnchecked,
    /// The store of tables answers before it keeps, and loses what it has not kept in a crash.
    AckBeforeAppend,
    /// Whoever takes a table over does not know which requests were carried out.
    RequestsForgotten,
    /// The ledger does not know which requests it has entered.
    LedgerKeysForgotten,
    /// Duties to the ledger are struck off before the ledger has confirmed them, and some are lost.
    DutyLost,
}

impl Mutation {
    /// All of them, with the names by which they are called.
    pub const ALL: [(&'static str, Self); 6] = [
        ("epoch-unchecked", Self::EpochUnchecked),
        ("predecessor-unchecked", Self::PredecessorUnchecked),
        ("ack-before-append", Self::AckBeforeAppend),
        ("requests-forgotten", Self::RequestsForgotten),
        ("ledger-keys-forgotten", Self::LedgerKeysForgotten),
        ("duty-lost", Self::DutyLost),
    ];
}
