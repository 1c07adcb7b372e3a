//! How long things may take. All in milliseconds.

/// The service's times. The defaults fit together: a claim is settled, and if its matchmaker died
/// taken over, before the table's seat reservations (15 s) lapse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How long a matchmaker keeps a queue without a sign of life.
    pub lease_ms: u32,
    /// How often every queue is looked at, so that windows widen and bots fill in.
    pub match_interval_ms: u32,
    /// How long one matchmaker may take to seat a match.
    pub claim_ms: u32,
    /// A claim is not begun to be seated when less than this is left of it.
    pub create_budget_ms: u32,
    /// After so long a match whose table cannot be found is given up, even though a pod does not
    /// answer: whatever it may have reserved has lapsed.
    pub give_up_ms: u32,
    /// How long ended tickets are remembered.
    pub keep_ended_ms: u32,
    /// How long a code is held while its table is created.
    pub room_pending_ms: u32,
    /// How long a code is remembered; tables are asked after that, so it may be short, and codes of
    /// closed rooms are soon free again.
    pub room_code_ms: u32,
    /// How often the tables of clubs' open rooms are looked at.
    pub club_rooms_ms: u32,
    /// How long a party's invite code lets in.
    pub party_invite_ms: u32,
    /// A member of a party who is not connected for so long leaves it.
    pub party_absence_ms: u32,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lease_ms: 3_000,
            match_interval_ms: 250,
            claim_ms: 7_000,
            create_budget_ms: 4_500,
            give_up_ms: 40_000,
            keep_ended_ms: 600_000,
            room_pending_ms: 30_000,
            room_code_ms: 3_600_000,
            club_rooms_ms: 2_000,
            party_invite_ms: 600_000,
            party_absence_ms: 60_000,
        }
    }
}
