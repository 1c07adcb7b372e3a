//! Who wins what (rules: blackjack 3, 4 and 6).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use parlor_game::{Amount, HandResult, Party, Seat, Transfer};

use crate::card::Total;
use crate::options::{Options, Surrender};
use crate::settlement::{
    BankerSettlement, HandOutcome, HandSettlement, InsuranceSettlement, SeatSettlement, Settlement,
};
use crate::state::{Hand, HandStatus, Player, Round};

/// What the banker's cards come to.
#[derive(Clone, Copy)]
struct Bank {
    total: Total,
    natural: bool,
}

/// Settles a round whose banker has played: what everybody won, and the transfers that pay it.
pub(crate) fn settle(round: &Round, options: &Options, short: bool) -> (Settlement, HandResult) {
    let bank = Bank { total: Total::of(&round.banker.cards), natural: round.banker.has_natural() };
    let seats: Vec<_> =
        round.participants().map(|player| settle_seat(player, bank, options)).collect();
    let banker = settle_banker(round, bank, options, short, &seats);
    let house = seats.iter().map(|seat| seat.commission).sum::<Amount>() + banker.commission;
    let settlement =
        Settlement { round: round.number, seats, banker, house, cards_used: round.cards_used };
    let result = transfers(&settlement, options);
    (settlement, result)
}

fn settle_seat(player: &Player, bank: Bank, options: &Options) -> SeatSettlement {
    let bet = player.stake().unwrap_or_default();
    let mut hands = Vec::with_capacity(player.hands.len());
    let mut original = match player.hands.iter().any(|hand| hand.status == HandStatus::Bust) {
        true => Amount::ZERO,
        false => bet,
    };
    for hand in &player.hands {
        let (outcome, mut delta) = settle_hand(hand, bank, options);
        let only_original = options.original_bets_only && !options.dealer_peek;
        if only_original
            && outcome == HandOutcome::LoseBankerNatural
            && hand.status == HandStatus::Stood
        {
            // Of all the hands that lose to the natural, the first one pays the original bet.
            delta = -original;
            original = Amount::ZERO;
        }
        hands.push(HandSettlement {
            cards: hand.cards.clone(),
            total: hand.total().points,
            stake: hand.stake,
            doubled: hand.doubled,
            outcome,
            delta,
        });
    }
    let insurance = insurance(player, bank);
    let insured = insurance.map_or(Amount::ZERO, |insurance| insurance.delta);
    let net = hands.iter().map(|hand| hand.delta).sum::<Amount>() + insured;
    let commission = commission(net, options);
    let delta = net - commission;
    let stack = player.stack.map(|stack| stack + delta);
    SeatSettlement { seat: player.seat, bet, hands, insurance, net, commission, delta, stack }
}

/// The first row of the settlement table that fits.
fn settle_hand(hand: &Hand, bank: Bank, options: &Options) -> (HandOutcome, Amount) {
    let stake = hand.stake;
    let late = options.surrender_rule() == Surrender::Late && !options.dealer_peek;
    match hand.status {
        HandStatus::Surrendered if bank.natural && late => {
            return (HandOutcome::LoseBankerNatural, -stake);
        }
        HandStatus::Surrendered => {
            return (HandOutcome::Surrender, -Amount(stake.0.div_euclid(2)));
        }
        HandStatus::EvenMoney => return (HandOutcome::EvenMoney, stake),
        HandStatus::Bust => return (HandOutcome::Bust, -stake),
        HandStatus::Open | HandStatus::Stood => {}
    }
    let total = hand.total().points;
    match (bank.natural, hand.is_natural()) {
        (true, true) => (HandOutcome::Push, Amount::ZERO),
        (true, false) => (HandOutcome::LoseBankerNatural, -stake),
        (false, true) => (HandOutcome::Natural, options.natural_payout.on(stake)),
        _ if bank.total.is_bust() || total > bank.total.points => (HandOutcome::Win, stake),
        _ if total == bank.total.points => (HandOutcome::Push, Amount::ZERO),
        _ => (HandOutcome::Lose, -stake),
    }
}

fn insurance(player: &Player, bank: Bank) -> Option<InsuranceSettlement> {
    let stake = player.insured();
    let delta = if bank.natural { stake + stake } else { -stake };
    (stake > Amount::ZERO).then_some(InsuranceSettlement { stake, delta })
}

fn settle_banker(
    round: &Round,
    bank: Bank,
    options: &Options,
    short: bool,
    seats: &[SeatSettlement],
) -> BankerSettlement {
    let net = -seats.iter().map(|seat| seat.net).sum::<Amount>();
    let commission = commission(net, options);
    let delta = net - commission;
    let banker = &round.banker;
    BankerSettlement {
        seat: banker.seat,
        cards: banker.cards.clone(),
        total: bank.total.points,
        natural: bank.natural,
        drew: u8::try_from(banker.cards.len().saturating_sub(2)).unwrap_or(u8::MAX),
        short,
        net,
        commission,
        delta,
        stack: banker.stack.map(|stack| stack + delta),
    }
}

/// The flat fee and the share of what was won (rules: blackjack 6.2).
fn commission(net: Amount, options: &Options) -> Amount {
    options.commission_flat + commission_on_win(net, options)
}

fn commission_on_win(net: Amount, options: &Options) -> Amount {
    let won = i128::from(net.max(Amount::ZERO).0);
    let share = won * i128::from(options.commission_win_bps) / 10_000;
    Amount(i64::try_from(share).unwrap_or(i64::MAX))
}

/// The payments of a settlement. What the banker receives comes before what the banker pays, and
/// commission last. Stakes and cover were checked when they were made, so nobody falls short.
fn transfers(settlement: &Settlement, options: &Options) -> HandResult {
    let banker = Party::Seat(settlement.banker.seat);
    let mut payments = Payments { transfers: Vec::with_capacity(settlement.seats.len() * 2) };
    for pays_banker in [true, false] {
        for seat in &settlement.seats {
            let player = Party::Seat(seat.seat);
            let hands = seat.hands.iter().map(|hand| (hand.delta, hand.outcome.name()));
            let insurance = seat.insurance.map(|insurance| (insurance.delta, "insurance"));
            for (delta, why) in hands.chain(insurance) {
                match (pays_banker, delta < Amount::ZERO) {
                    (true, true) => payments.pay(player, banker, -delta, why),
                    (false, false) => payments.pay(banker, player, delta, why),
                    _ => {}
                }
            }
        }
    }
    let players = settlement.seats.iter().map(|seat| (seat.seat, seat.net));
    for (seat, net) in players.chain([(settlement.banker.seat, settlement.banker.net)]) {
        payments.pay_house(seat, net, options);
    }
    HandResult { transfers: payments.transfers }
}

struct Payments {
    transfers: Vec<Transfer>,
}

impl Payments {
    fn pay(&mut self, from: Party, to: Party, amount: Amount, why: &'static str) {
        if amount > Amount::ZERO {
            let short = Amount::ZERO;
            self.transfers.push(Transfer { from, to, amount, short, why: Cow::Borrowed(why) });
        }
    }

    fn pay_house(&mut self, seat: Seat, net: Amount, options: &Options) {
        let from = Party::Seat(seat);
        self.pay(from, Party::House, options.commission_flat, "commission_flat");
        self.pay(from, Party::House, commission_on_win(net, options), "commission_win");
    }
}
