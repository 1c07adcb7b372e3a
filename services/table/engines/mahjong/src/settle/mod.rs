//! Who pays whom (rules: mahjong 9, 10): one implementation for the engine and for `evaluate`.
//!
//! [`Books`] is what a hand's money has done so far. The functions of `bill` and `close` read
//! it and say which payments follow from a kong, a win or an empty wall; [`Books::book`] writes
//! them down. Every payment is between two seats, so a hand sums to zero by construction.
//!
//! With table stakes a payment is cut to what the payer has left at that moment, in the order in
//! which payments are made; money received earlier in the hand may be paid out again.

mod bill;
mod close;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use arrayvec::ArrayVec;
use parlor_game::{Amount, HandResult, Party, Seat, Transfer};
use serde::{Deserialize, Serialize};

pub use bill::{
    KongMoney, WinBill, discard_wins, kong, robbed_kong, self_draw, self_draw_share, unit,
};
pub use close::{Standing, close, next_dealer};

use crate::options::named;

/// Most seats at a table.
pub const SEATS_MAX: usize = 4;

/// One value a seat.
pub type BySeat<T> = ArrayVec<T, SEATS_MAX>;

named! {
    /// Why money moved.
    Why {
        /// A self-drawn win.
        HuZimo = "hu_zimo",
        /// A win on a discard.
        HuDiscard = "hu_discard",
        /// A win on a robbed kong.
        HuRobKong = "hu_rob_kong",
        /// 点杠花, paid by the seat that fed the kong.
        HuDianGangHua = "hu_dian_gang_hua",
        /// 巴杠.
        AddedKong = "added_kong",
        /// 暗杠.
        ConcealedKong = "concealed_kong",
        /// 直杠.
        DirectKong = "direct_kong",
        /// 呼叫转移.
        CallTransfer = "call_transfer",
        /// 退税.
        KongRefund = "kong_refund",
        /// 查花猪.
        HuaZhu = "hua_zhu",
        /// 查大叫.
        ChaJiao = "cha_jiao",
    }
}

impl Why {
    /// Whether it is a win that one seat alone pays for.
    #[must_use]
    pub const fn is_fed_win(self) -> bool {
        matches!(self, Self::HuDiscard | Self::HuRobKong | Self::HuDianGangHua)
    }
}

/// One payment between two seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// Who pays.
    pub from: Seat,
    /// Who receives.
    pub to: Seat,
    /// Minor units that move.
    pub amount: Amount,
    /// Minor units owed beyond the payer's stack; 0 in points mode.
    pub short: Amount,
    /// Why.
    pub why: Why,
}

/// What payments settle besides moving money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Settles {
    /// A win, or what an empty wall brings.
    Nothing,
    /// The kong that was made last: its income may be handed on or returned later.
    Kong,
    /// 呼叫转移 of these kongs, by their number in the hand: their income is final.
    Transfer(Vec<u16>),
}

/// A kong and what it brought in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KongRecord {
    /// Who made it.
    pub seat: Seat,
    /// Who paid how much.
    pub income: ArrayVec<(Seat, Amount), { SEATS_MAX - 1 }>,
    /// Whether the income was handed on.
    pub transferred: bool,
}

impl KongRecord {
    /// The sum of the income.
    #[must_use]
    pub fn total(&self) -> Amount {
        self.income.iter().map(|(_, amount)| *amount).sum()
    }
}

/// A tile on which two or more seats won (rules: mahjong 10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MultiWin {
    /// Whose tile it was.
    pub from: Seat,
    /// Whether nobody had won before.
    pub first: bool,
}

/// What the money of a hand has done so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    /// Who deals.
    pub dealer: Seat,
    /// What each seat brought; `None` in points mode.
    pub stacks: BySeat<Option<Amount>>,
    /// What each seat has gained.
    pub nets: BySeat<Amount>,
    /// Winners in the order of their wins.
    pub winners: BySeat<Seat>,
    /// Kongs in order.
    pub kongs: Vec<KongRecord>,
    /// How many kongs each seat has made since its previous discard.
    pub runs: BySeat<u8>,
    /// The tile with several winners, if there was one.
    pub multi_win: Option<MultiWin>,
    /// Payments in order.
    pub payments: Vec<Payment>,
}

impl Books {
    /// Empty books.
    #[must_use]
    pub fn new(dealer: Seat, stacks: BySeat<Option<Amount>>) -> Self {
        let seats = stacks.len();
        Self {
            dealer,
            nets: core::iter::repeat_n(Amount::ZERO, seats).collect(),
            winners: BySeat::new(),
            kongs: Vec::new(),
            runs: core::iter::repeat_n(0, seats).collect(),
            multi_win: None,
            payments: Vec::new(),
            stacks,
        }
    }

    /// How many seats play.
    #[must_use]
    pub fn seats(&self) -> u8 {
        u8::try_from(self.stacks.len()).unwrap_or(u8::MAX)
    }

    /// Whether a seat plays and has not won.
    #[must_use]
    pub fn is_unwon(&self, seat: Seat) -> bool {
        seat.index() < self.stacks.len() && !self.winners.contains(&seat)
    }

    /// Unwon seats by number.
    pub fn unwon(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.seats()).map(Seat).filter(|seat| self.is_unwon(*seat))
    }

    /// Unwon seats other than `seat` in turn order from it.
    pub fn unwon_after(&self, seat: Seat) -> impl Iterator<Item = Seat> + '_ {
        let seats = self.seats();
        (1..seats).map(move |steps| seat.after(steps, seats)).filter(|other| self.is_unwon(*other))
    }

    /// Kongs that a seat has made since its previous discard.
    #[must_use]
    pub fn run(&self, seat: Seat) -> u8 {
        self.runs.get(seat.index()).copied().unwrap_or(0)
    }

    /// Notes a kong; its income follows with [`Settles::Kong`].
    pub fn note_kong(&mut self, seat: Seat) {
        self.kongs.push(KongRecord { seat, income: ArrayVec::new(), transferred: false });
        if let Some(run) = self.runs.get_mut(seat.index()) {
            *run = run.saturating_add(1);
        }
    }

    /// Notes a discard or a robbed kong, which ends the seat's run of kongs.
    pub fn note_discard(&mut self, seat: Seat) {
        if let Some(run) = self.runs.get_mut(seat.index()) {
            *run = 0;
        }
    }

    /// Notes a win; the wins on one tile one after the other.
    pub fn note_win(&mut self, seat: Seat) {
        if self.is_unwon(seat) {
            self.winners.push(seat);
        }
    }

    /// Notes that the last `winners` wins were on one tile of `from`.
    pub fn note_multi_win(&mut self, from: Seat, winners: usize) {
        self.multi_win = Some(MultiWin { from, first: self.winners.len() == winners });
    }

    /// Writes payments down.
    pub fn book(&mut self, settles: &Settles, payments: &[Payment]) {
        for payment in payments {
            move_money(&mut self.nets, payment);
            self.payments.push(*payment);
        }
        match settles {
            Settles::Nothing => {}
            Settles::Kong => {
                if let Some(record) = self.kongs.last_mut() {
                    let paid = payments.iter().map(|payment| (payment.from, payment.amount));
                    record.income = paid.take(SEATS_MAX - 1).collect();
                }
            }
            Settles::Transfer(kongs) => {
                for kong in kongs {
                    if let Some(record) = self.kongs.get_mut(usize::from(*kong)) {
                        record.transferred = true;
                    }
                }
            }
        }
    }

    /// The hand's payments as the shell posts them.
    #[must_use]
    pub fn result(&self) -> HandResult {
        let transfers = self.payments.iter().map(|payment| Transfer {
            from: Party::Seat(payment.from),
            to: Party::Seat(payment.to),
            amount: payment.amount,
            short: payment.short,
            why: Cow::Borrowed(payment.why.name()),
        });
        HandResult { transfers: transfers.collect() }
    }
}

fn move_money(nets: &mut [Amount], payment: &Payment) {
    if let Some(net) = nets.get_mut(payment.from.index()) {
        *net -= payment.amount;
    }
    if let Some(net) = nets.get_mut(payment.to.index()) {
        *net += payment.amount;
    }
}

/// Makes payments one after the other, each cut to what its payer then has.
struct Cashier<'a> {
    stacks: &'a [Option<Amount>],
    nets: BySeat<Amount>,
    payments: Vec<Payment>,
}

impl<'a> Cashier<'a> {
    fn new(books: &'a Books) -> Self {
        Self { stacks: &books.stacks, nets: books.nets.clone(), payments: Vec::new() }
    }

    fn pay(&mut self, from: Seat, to: Seat, owed: Amount, why: Why) {
        if owed <= Amount::ZERO {
            return;
        }
        let net = self.nets.get(from.index()).copied().unwrap_or_default();
        let stack = self.stacks.get(from.index()).copied().flatten();
        let left = stack.map(|stack| (stack + net).max(Amount::ZERO));
        let amount = left.map_or(owed, |left| owed.min(left));
        let payment = Payment { from, to, amount, short: owed - amount, why };
        move_money(&mut self.nets, &payment);
        self.payments.push(payment);
    }
}
