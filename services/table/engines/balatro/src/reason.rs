//! Why commands are refused: stable machine-readable reasons.

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        $($(#[$doc])* pub const $name: &str = $text;)*
        /// Every reason, sorted.
        pub const ALL: &[&str] = &[$($text),*];
    };
}

reasons! {
    /// The options name something that cannot be combined or is malformed.
    BAD_OPTIONS = "bad_options",
    /// A boss must be played.
    BOSS_CANNOT_BE_SKIPPED = "boss_cannot_be_skipped",
    /// The consumable would do nothing now.
    CANNOT_USE_NOW = "cannot_use_now",
    /// The card is not in hand.
    CARD_NOT_IN_HAND = "card_not_in_hand",
    /// A card is named twice.
    DUPLICATE_CARD = "duplicate_card",
    /// No card is selected.
    EMPTY_SELECTION = "empty_selection",
    /// The joker is eternal.
    ETERNAL = "eternal",
    /// The forced card must be part of the selection.
    FORCED_CARD_MISSING = "forced_card_missing",
    /// The boss may not be rerolled (again).
    NO_BOSS_REROLL = "no_boss_reroll",
    /// No discards are left.
    NO_DISCARDS_LEFT = "no_discards_left",
    /// No hands are left.
    NO_HANDS_LEFT = "no_hands_left",
    /// No pack is open.
    NO_PACK_OPEN = "no_pack_open",
    /// There is no slot left.
    NO_ROOM = "no_room",
    /// There is no such thing to sell, use or buy.
    NO_SUCH_ITEM = "no_such_item",
    /// The order does not hold exactly what is there.
    NOT_A_PERMUTATION = "not_a_permutation",
    /// There is not enough money.
    NOT_ENOUGH_MONEY = "not_enough_money",
    /// It is not this seat's run.
    NOT_YOUR_RUN = "not_your_run",
    /// A pack is open and must be finished first.
    PACK_IS_OPEN = "pack_is_open",
    /// A run is in progress, or the match is over.
    RUN_IN_PROGRESS = "run_in_progress",
    /// More than five cards are selected.
    TOO_MANY_CARDS = "too_many_cards",
    /// The run has exactly one player.
    WRONG_NUMBER_OF_PLAYERS = "wrong_number_of_players",
    /// The command is not one of this phase.
    WRONG_PHASE = "wrong_phase",
    /// The consumable takes another number of cards.
    WRONG_TARGETS = "wrong_targets",
}
