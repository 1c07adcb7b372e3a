//! What happened, complete; [`crate::redact`] says what each viewer may know of it.

use alloc::vec::Vec;

use parlor_game::{Amount, HandResult, Seat};
use serde::{Deserialize, Serialize};

use crate::command::Answer;
use crate::meld::MeldKind;
use crate::score::{Score, Source};
use crate::settle::{BySeat, Payment, Settles, Standing};
use crate::sheet::Sheet;
use crate::state::{Ending, Offers, TurnStart};
use crate::tile::{Suit, Tile};

/// Three tiles that move from one seat to another (rules: mahjong 1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gift {
    /// Who gives.
    pub from: Seat,
    /// Who gets.
    pub to: Seat,
    /// What.
    pub tiles: [Tile; 3],
}

/// A seat's tiles at the end of a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revealed {
    /// Concealed tiles, sorted. A winner's self-drawn tile is among them, a claimed one is not.
    pub tiles: Vec<Tile>,
    /// How the seat stands.
    pub standing: Standing,
}

/// One event of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A hand begins. In turn order from the dealer, each seat has the next thirteen tiles of the
    /// wall; the dealer has the one after those as well, and play goes on with the rest
    /// (rules: mahjong 1.4).
    Dealt {
        /// Number of the hand in the match, from 1.
        number: u32,
        /// Who deals.
        dealer: Seat,
        /// What each seat can lose; `None` in points mode.
        stacks: BySeat<Option<Amount>>,
        /// The whole shuffled wall; empty for everyone but the auditor.
        wall: Vec<Tile>,
        /// The viewer's own tiles, sorted; empty in the auditor's version.
        own: Vec<Tile>,
    },
    /// A seat has chosen what it gives away.
    ExchangeChosen {
        /// Which seat.
        seat: Seat,
        /// Its tiles, sorted; `None` for the others.
        tiles: Option<[Tile; 3]>,
    },
    /// The chosen tiles have moved.
    Exchanged {
        /// The die that set the direction, 1 to 6.
        die: u8,
        /// How many seats onward in turn order the tiles moved.
        shift: u8,
        /// What moved; a seat sees what it gave and what it got.
        gifts: BySeat<Gift>,
    },
    /// A seat has chosen its void suit.
    VoidChosen {
        /// Which seat.
        seat: Seat,
        /// Its choice; `None` for the others.
        suit: Option<Suit>,
    },
    /// The void suits of all seats.
    VoidsRevealed {
        /// By seat.
        suits: BySeat<Suit>,
    },
    /// A seat draws and is on turn. An open claim window has then closed without a taker, or with
    /// the wins that came before.
    Drew {
        /// Which seat.
        seat: Seat,
        /// The tile; `None` for the others.
        tile: Option<Tile>,
        /// A normal draw, or a replacement after a kong.
        start: TurnStart,
    },
    /// A seat discards, and a claim window opens.
    Discarded {
        /// Which seat.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// What each seat is offered; a viewer sees its own offer only.
        offers: Offers,
    },
    /// A seat declares an added kong, and a window for robbing it opens (rules: mahjong 4.5).
    KongDeclared {
        /// Which seat.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// What each seat is offered; a viewer sees its own offer only.
        offers: Offers,
    },
    /// A seat has answered its offer. Only that seat learns of it.
    Answered {
        /// Which seat.
        seat: Seat,
        /// What it answered.
        answer: Answer,
    },
    /// The pause of the window is over and an answer is still owed. No player learns of it.
    PauseElapsed,
    /// A seat has taken a discard for a pung and must discard.
    PungMade {
        /// Which seat.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// Who discarded it.
        from: Seat,
    },
    /// A kong has taken effect.
    KongMade {
        /// Which seat.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// Which kind of kong.
        kind: MeldKind,
        /// Who discarded the tile of a direct kong.
        from: Option<Seat>,
    },
    /// The declared kong was robbed: the pung stays, the tile is gone (rules: mahjong 4.5).
    KongRobbed {
        /// Who had declared it.
        seat: Seat,
        /// The tile.
        tile: Tile,
    },
    /// A seat has won.
    Won {
        /// Which seat.
        seat: Seat,
        /// The winning tile.
        tile: Tile,
        /// Whose discard or added kong it was; `None` for a self-drawn tile.
        from: Option<Seat>,
        /// How the seat came by the tile.
        source: Source,
        /// What the hand is worth.
        score: Score,
    },
    /// Money has moved.
    Paid {
        /// What the payments settle.
        settles: Settles,
        /// The payments in order.
        payments: Vec<Payment>,
    },
    /// The hand is over and all tiles are shown.
    HandEnded {
        /// Why it is over.
        ending: Ending,
        /// By seat.
        hands: BySeat<Revealed>,
        /// Who deals the next hand.
        next_dealer: Seat,
        /// All payments of the hand in order.
        result: HandResult,
    },
    /// The match is over.
    MatchEnded {
        /// The final score sheet.
        sheet: Sheet,
    },
}
