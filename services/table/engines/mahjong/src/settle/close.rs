//! What the end of a hand brings (rules: mahjong 9.7 to 10.3).

use alloc::vec::Vec;

use parlor_game::Seat;
use serde::{Deserialize, Serialize};

use super::bill::unit;
use super::{Books, BySeat, Cashier, Payment, Why};
use crate::options::{DrawDealer, HuaZhu, MultiWinDealer, Options, RefundScope};

/// How a seat stands when the hand ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It has won.
    Won,
    /// It is ready; the largest raw fan over its waits, as a plain discard win.
    Ready(u8),
    /// It is not ready.
    NotReady,
    /// 花猪: it holds tiles of its void suit.
    HoldsVoid,
}

/// 退税, 查花猪 and 查大叫, in this order.
///
/// With two or more unwon seats the wall is empty and all three apply; with one there is a refund
/// at most (rules: mahjong 9.7, 9.10).
#[must_use]
pub fn close(options: &Options, books: &Books, standings: &BySeat<Standing>) -> Vec<Payment> {
    let mut cashier = Cashier::new(books);
    let unwon: BySeat<(Seat, Standing)> = books
        .unwon()
        .filter_map(|seat| standings.get(seat.index()).map(|standing| (seat, *standing)))
        .collect();
    let exhausted = unwon.len() > 1;
    if exhausted || options.refund_scope == RefundScope::AnyEnd {
        refund(&mut cashier, books, &unwon);
    }
    if exhausted {
        penalize_void(options, &mut cashier, &unwon);
        pay_ready(options, &mut cashier, &unwon);
    }
    cashier.payments
}

fn refund(cashier: &mut Cashier<'_>, books: &Books, unwon: &[(Seat, Standing)]) {
    for (seat, standing) in unwon {
        if matches!(standing, Standing::Ready(_)) {
            continue;
        }
        let kept = books.kongs.iter().filter(|kong| kong.seat == *seat && !kong.transferred);
        for (payer, amount) in kept.flat_map(|kong| kong.income.iter()) {
            cashier.pay(*seat, *payer, *amount, Why::KongRefund);
        }
    }
}

fn penalize_void(options: &Options, cashier: &mut Cashier<'_>, unwon: &[(Seat, Standing)]) {
    if options.hua_zhu != HuaZhu::Penalty {
        return;
    }
    for (pig, _) in unwon.iter().filter(|(_, standing)| *standing == Standing::HoldsVoid) {
        for (other, _) in unwon.iter().filter(|(_, standing)| *standing != Standing::HoldsVoid) {
            cashier.pay(*pig, *other, unit(options, options.max_fan), Why::HuaZhu);
        }
    }
}

fn pay_ready(options: &Options, cashier: &mut Cashier<'_>, unwon: &[(Seat, Standing)]) {
    for (payer, standing) in unwon {
        let pays = match standing {
            Standing::NotReady => true,
            Standing::HoldsVoid => options.hua_zhu == HuaZhu::NotTing,
            Standing::Won | Standing::Ready(_) => false,
        };
        if !pays {
            continue;
        }
        for (ready, standing) in unwon {
            if let Standing::Ready(raw) = standing {
                cashier.pay(*payer, *ready, unit(options, *raw), Why::ChaJiao);
            }
        }
    }
}

/// Who deals the next hand (rules: mahjong 10).
#[must_use]
pub fn next_dealer(options: &Options, books: &Books) -> Seat {
    let by_multi_win = books
        .multi_win
        .filter(|multi| options.multi_win_dealer == MultiWinDealer::Any || multi.first);
    match (by_multi_win, books.winners.first()) {
        (Some(multi), _) => multi.from,
        (None, Some(first)) => *first,
        (None, None) => match options.draw_dealer {
            DrawDealer::Stay => books.dealer,
            DrawDealer::Next => books.dealer.after(1, books.seats().max(1)),
        },
    }
}
