//! The payments of kongs and wins (rules: mahjong 9.1 to 9.6).

use alloc::vec::Vec;

use parlor_game::{Amount, Seat};

use super::{Books, Cashier, Payment, Why};
use crate::meld::MeldKind;
use crate::options::{CallTransfer, CallTransferMulti, Options, Zimo};

/// `base` times `factor`.
fn times(base: Amount, factor: i64) -> Amount {
    Amount(base.0.saturating_mul(factor))
}

/// U(raw) = base x 2^min(raw, cap): what a win on a discard costs (rules: mahjong 9).
#[must_use]
pub fn unit(options: &Options, raw: u8) -> Amount {
    times(options.base, 1 << raw.min(options.max_fan).min(16))
}

/// What a self-drawn win costs each payer: U(raw), and the base outside the cap with 自摸加底
/// (rules: mahjong 9.2).
#[must_use]
pub fn self_draw_share(options: &Options, raw: u8) -> Amount {
    let bonus = if options.zimo == Zimo::Di { options.base } else { Amount::ZERO };
    unit(options, raw) + bonus
}

/// Whether an added kong brings money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KongMoney {
    /// As usual.
    Paid,
    /// A delayed added kong with `delayed_added_kong = no_pay`.
    Unpaid,
}

/// What a kong brings, by the seats unwon now (rules: mahjong 9.5). `from` is the seat whose
/// discard became a direct kong.
#[must_use]
pub fn kong(
    options: &Options,
    books: &Books,
    seat: Seat,
    kind: MeldKind,
    from: Option<Seat>,
    money: KongMoney,
) -> Vec<Payment> {
    let mut cashier = Cashier::new(books);
    let (factor, why) = match kind {
        MeldKind::DirectKong => (2, Why::DirectKong),
        MeldKind::ConcealedKong => (2, Why::ConcealedKong),
        MeldKind::AddedKong if money == KongMoney::Paid => (1, Why::AddedKong),
        MeldKind::AddedKong | MeldKind::Pung => return Vec::new(),
    };
    let feeder = from.filter(|_| kind == MeldKind::DirectKong);
    for payer in books.unwon().filter(|payer| *payer != seat) {
        if feeder.is_none_or(|feeder| feeder == payer) {
            cashier.pay(payer, seat, times(options.base, factor), why);
        }
    }
    cashier.payments
}

/// What a self-drawn win brings. `feeder` is the seat that fed the direct kong when it alone pays
/// (rules: mahjong 9.2, 9.3).
#[must_use]
pub fn self_draw(
    options: &Options,
    books: &Books,
    winner: Seat,
    raw: u8,
    feeder: Option<Seat>,
) -> Vec<Payment> {
    let mut cashier = Cashier::new(books);
    if let Some(feeder) = feeder {
        cashier.pay(feeder, winner, unit(options, raw), Why::HuDianGangHua);
        return cashier.payments;
    }
    for payer in books.unwon().filter(|payer| *payer != winner) {
        cashier.pay(payer, winner, self_draw_share(options, raw), Why::HuZimo);
    }
    cashier.payments
}

/// What a robbed kong brings its robbers, in turn order from the declarer (rules: mahjong 9.4).
#[must_use]
pub fn robbed_kong(
    options: &Options,
    books: &Books,
    declarer: Seat,
    winners: &[(Seat, u8)],
) -> Vec<Payment> {
    let mut cashier = Cashier::new(books);
    for (winner, raw) in winners {
        cashier.pay(declarer, *winner, unit(options, *raw), Why::HuRobKong);
    }
    cashier.payments
}

/// What wins on a discard bring.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WinBill {
    /// From the discarder to each winner.
    pub wins: Vec<Payment>,
    /// 呼叫转移: payments to the winners.
    pub transfers: Vec<Payment>,
    /// The kongs whose income they hand on.
    pub kongs: Vec<u16>,
}

/// What a discard brings its winners, in turn order from the discarder. `run` is how many kongs
/// the discarder had made since its previous discard: more than none make it 杠上炮
/// (rules: mahjong 9.1, 9.6).
#[must_use]
pub fn discard_wins(
    options: &Options,
    books: &Books,
    from: Seat,
    run: u8,
    winners: &[(Seat, u8)],
) -> WinBill {
    let mut cashier = Cashier::new(books);
    for (winner, raw) in winners {
        cashier.pay(from, *winner, unit(options, *raw), Why::HuDiscard);
    }
    let wins = core::mem::take(&mut cashier.payments);
    let kongs = transferable(options, books, from, run);
    let income: Amount = kongs.iter().map(|kong| books.kongs[usize::from(*kong)].total()).sum();
    let share = match options.call_transfer_multi {
        CallTransferMulti::Split => {
            let winners = i64::try_from(winners.len()).unwrap_or(1).max(1);
            Amount(income.0.saturating_add(winners - 1) / winners)
        }
        CallTransferMulti::FullEach => income,
    };
    for (winner, _) in winners {
        cashier.pay(from, *winner, share, Why::CallTransfer);
    }
    WinBill { wins, transfers: cashier.payments, kongs }
}

/// The kongs, by number, whose income moves.
fn transferable(options: &Options, books: &Books, seat: Seat, run: u8) -> Vec<u16> {
    if run == 0 {
        return Vec::new();
    }
    let most = match options.call_transfer {
        CallTransfer::Off => 0,
        CallTransfer::LastKong => 1,
        CallTransfer::Chain => usize::from(run),
        CallTransfer::All => usize::MAX,
    };
    let own = books.kongs.iter().enumerate().rev().filter(|(_, kong)| kong.seat == seat);
    own.take(most)
        .filter(|(_, kong)| !kong.transferred)
        .filter_map(|(number, _)| u16::try_from(number).ok())
        .collect()
}
