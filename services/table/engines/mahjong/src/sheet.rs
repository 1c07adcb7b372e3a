//! The score sheet of a match.

use alloc::vec::Vec;

use parlor_game::{Amount, Seat};
use serde::{Deserialize, Serialize};

use crate::meld::MeldKind;
use crate::options::Options;
use crate::settle::BySeat;
use crate::state::Round;

/// What a seat has done in the finished hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatSheet {
    /// Sum of all hands.
    pub total: Amount,
    /// 自摸: self-drawn wins, 点杠花 included.
    pub self_draws: u16,
    /// 接炮: wins on discards and robbed kongs.
    pub claimed_wins: u16,
    /// 点炮: wins that the seat alone paid for.
    pub fed_wins: u16,
    /// What those cost, 呼叫转移 apart.
    pub fed_amount: Amount,
    /// 暗杠.
    pub concealed_kongs: u16,
    /// 直杠 and 巴杠.
    pub exposed_kongs: u16,
    /// The largest win, in capped fan; `None` before the first win.
    pub best_fan: Option<u8>,
}

/// The finished hands of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// By seat.
    pub seats: BySeat<SeatSheet>,
    /// What each hand changed, by seat, in order.
    pub hands: Vec<BySeat<Amount>>,
}

impl Sheet {
    /// An empty sheet.
    #[must_use]
    pub fn new(seats: u8) -> Self {
        let empty = core::iter::repeat_n(SeatSheet::default(), usize::from(seats));
        Self { seats: empty.collect(), hands: Vec::new() }
    }

    /// Adds a finished hand.
    pub(crate) fn add(&mut self, options: &Options, round: &Round) {
        for (seat, player) in round.by_seat() {
            let fan = player.win.as_ref().map(|win| win.score.fan(options));
            let Some(sheet) = self.seats.get_mut(seat.index()) else { continue };
            sheet.total += round.books.nets.get(seat.index()).copied().unwrap_or_default();
            sheet.best_fan = sheet.best_fan.max(fan);
            match &player.win {
                Some(win) if win.source.is_draw() => sheet.self_draws += 1,
                Some(_) => sheet.claimed_wins += 1,
                None => {}
            }
            for meld in &player.melds {
                match meld.kind {
                    MeldKind::Pung => {}
                    MeldKind::ConcealedKong => sheet.concealed_kongs += 1,
                    MeldKind::DirectKong | MeldKind::AddedKong => sheet.exposed_kongs += 1,
                }
            }
        }
        for payment in round.books.payments.iter().filter(|payment| payment.why.is_fed_win()) {
            if let Some(feeder) = self.seats.get_mut(payment.from.index()) {
                feeder.fed_wins += 1;
                feeder.fed_amount += payment.amount;
            }
        }
        self.hands.push(round.books.nets.clone());
    }

    /// The seats with the highest total; none before the first hand.
    #[must_use]
    pub fn big_winners(&self) -> BySeat<Seat> {
        self.leaders(|sheet| (!self.hands.is_empty()).then_some(sheet.total))
    }

    /// The seats that paid most for wins that they alone paid for; none when nobody did.
    #[must_use]
    pub fn most_paid(&self) -> BySeat<Seat> {
        self.leaders(|sheet| (sheet.fed_wins > 0).then_some(sheet.fed_amount))
    }

    fn leaders(&self, key: impl Fn(&SeatSheet) -> Option<Amount>) -> BySeat<Seat> {
        let best = self.seats.iter().filter_map(&key).max();
        let seats = (0..).map(Seat).zip(&self.seats);
        seats
            .filter(|(_, sheet)| best.is_some() && key(sheet) == best)
            .map(|(seat, _)| seat)
            .collect()
    }
}
