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
    /// Nobody looks for stacks whose table was lost.
    LookoutBlind,
    /// Stacks are released as soon as a table pod does not answer for their table.
    LookoutHasty,
    /// The store of matchmaking gives out tickets whatever lease is shown, and claims them again.
    ClaimUnchecked,
    /// Nobody takes on what a dead matchmaker has claimed.
    ClaimsNotAdopted,
    /// A code leads to whatever room was made last.
    RoomsMixedUp,
    /// A table pod that is told to end passes nothing on.
    DrainSkipped,
    /// Gateways are not told of their players' later sessions.
    SessionsUnfenced,
    /// A player's later session gets an earlier epoch.
    SessionEpochsFall,
    /// A gateway forgets now and then to pass a table's update on.
    UpdateLost,
}

impl Mutation {
    /// All of them, with the names by which they are called.
    pub const ALL: [(&'static str, Self); 15] = [
        ("epoch-unchecked", Self::EpochUnchecked),
        ("predecessor-unchecked", Self::PredecessorUnchecked),
        ("ack-before-append", Self::AckBeforeAppend),
        ("requests-forgotten", Self::RequestsForgotten),
        ("ledger-keys-forgotten", Self::LedgerKeysForgotten),
        ("duty-lost", Self::DutyLost),
        ("lookout-blind", Self::LookoutBlind),
        ("lookout-hasty", Self::LookoutHasty),
        ("claim-unchecked", Self::ClaimUnchecked),
        ("claims-not-adopted", Self::ClaimsNotAdopted),
        ("rooms-mixed-up", Self::RoomsMixedUp),
        ("drain-skipped", Self::DrainSkipped),
        ("sessions-unfenced", Self::SessionsUnfenced),
        ("session-epochs-fall", Self::SessionEpochsFall),
        ("update-lost", Self::UpdateLost),
    ];
}
