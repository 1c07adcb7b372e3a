//! The settings of a table.

use parlor_blackjack::Options;
use parlor_blackjack::options::{BankerMode, Payout, Shuffle, SplitRule, Surrender};
use parlor_game::{Amount, Refusal, Seat};
use parlor_proto::rules::v1 as pb;

use super::seat_to;

/// Options from a message; what is absent or unspecified takes the default.
///
/// # Errors
/// `invalid_settings` when a field has a value that no option has.
pub(super) fn options_from(message: &pb::BlackjackOptions) -> Result<Options, Refusal> {
    let default = Options::default();
    Ok(Options {
        seats: number(message.seats, default.seats)?,
        rounds: message.rounds.unwrap_or(default.rounds),
        min_bet: message.min_bet.map_or(default.min_bet, Amount),
        max_bet: message.max_bet.map_or(default.max_bet, Amount),
        bet_step: message.bet_step.map_or(default.bet_step, Amount),
        natural_payout: message.natural_payout.map_or(default.natural_payout, payout_from),
        soft_hit_17: message.soft_hit_17.unwrap_or(default.soft_hit_17),
        double_after_split: message.double_after_split.unwrap_or(default.double_after_split),
        dealer_peek: message.dealer_peek.unwrap_or(default.dealer_peek),
        insurance: message.insurance.unwrap_or(default.insurance),
        max_split_hands: number(message.max_split_hands, default.max_split_hands)?,
        split_rule: message.split_rule.map_or(Ok(default.split_rule), split_rule_from)?,
        resplit_aces: message.resplit_aces.unwrap_or(default.resplit_aces),
        surrender: message.surrender.map_or(Ok(default.surrender), surrender_from)?,
        original_bets_only: message.original_bets_only.unwrap_or(default.original_bets_only),
        auto_stand_21: message.auto_stand_21.unwrap_or(default.auto_stand_21),
        player_cards_public: message.player_cards_public.unwrap_or(default.player_cards_public),
        commission_flat: message.commission_flat.map_or(default.commission_flat, Amount),
        commission_win_bps: number(message.commission_win_bps, default.commission_win_bps)?,
        decks: number(message.decks, default.decks)?,
        penetration_percent: number(message.penetration_percent, default.penetration_percent)?,
        shuffle: message.shuffle.map_or(Ok(default.shuffle), shuffle_from)?,
        banker_mode: message.banker_mode.map_or(Ok(default.banker_mode), banker_mode_from)?,
        banker: Seat(number(message.banker, default.banker.0)?),
        banker_rounds: number(message.banker_rounds, default.banker_rounds)?,
        min_banker_stack: message.min_banker_stack.map_or(default.min_banker_stack, Amount),
        bet_ms: message.bet_ms.unwrap_or(default.bet_ms),
        decision_ms: message.decision_ms.unwrap_or(default.decision_ms),
        insurance_ms: message.insurance_ms.unwrap_or(default.insurance_ms),
    })
}

/// Options with every field set.
pub(super) fn options_to(options: &Options) -> pb::BlackjackOptions {
    pb::BlackjackOptions {
        seats: Some(u32::from(options.seats)),
        rounds: Some(options.rounds),
        min_bet: Some(options.min_bet.0),
        max_bet: Some(options.max_bet.0),
        bet_step: Some(options.bet_step.0),
        natural_payout: Some(pb::BlackjackPayout {
            numerator: options.natural_payout.numerator,
            denominator: options.natural_payout.denominator,
        }),
        soft_hit_17: Some(options.soft_hit_17),
        double_after_split: Some(options.double_after_split),
        dealer_peek: Some(options.dealer_peek),
        insurance: Some(options.insurance),
        max_split_hands: Some(u32::from(options.max_split_hands)),
        split_rule: Some(split_rule_to(options.split_rule).into()),
        resplit_aces: Some(options.resplit_aces),
        surrender: Some(surrender_to(options.surrender).into()),
        original_bets_only: Some(options.original_bets_only),
        auto_stand_21: Some(options.auto_stand_21),
        player_cards_public: Some(options.player_cards_public),
        commission_flat: Some(options.commission_flat.0),
        commission_win_bps: Some(u32::from(options.commission_win_bps)),
        decks: Some(u32::from(options.decks)),
        penetration_percent: Some(u32::from(options.penetration_percent)),
        shuffle: Some(shuffle_to(options.shuffle).into()),
        banker_mode: Some(banker_mode_to(options.banker_mode).into()),
        banker: Some(seat_to(options.banker)),
        banker_rounds: Some(u32::from(options.banker_rounds)),
        min_banker_stack: Some(options.min_banker_stack.0),
        bet_ms: Some(options.bet_ms),
        decision_ms: Some(options.decision_ms),
        insurance_ms: Some(options.insurance_ms),
    }
}

fn number<T: TryFrom<u32>>(field: Option<u32>, default: T) -> Result<T, Refusal> {
    field.map_or(Ok(default), |value| T::try_from(value).map_err(|_| out_of_range()))
}

fn out_of_range() -> Refusal {
    Refusal::invalid("invalid_settings", "a setting has a value that does not exist")
}

fn payout_from(message: pb::BlackjackPayout) -> Payout {
    Payout { numerator: message.numerator, denominator: message.denominator }
}

fn split_rule_from(number: i32) -> Result<SplitRule, Refusal> {
    match pb::BlackjackSplitRule::try_from(number) {
        Ok(pb::BlackjackSplitRule::Unspecified) => Ok(SplitRule::default()),
        Ok(pb::BlackjackSplitRule::Value) => Ok(SplitRule::Value),
        Ok(pb::BlackjackSplitRule::Rank) => Ok(SplitRule::Rank),
        Err(_) => Err(out_of_range()),
    }
}

fn split_rule_to(rule: SplitRule) -> pb::BlackjackSplitRule {
    match rule {
        SplitRule::Value => pb::BlackjackSplitRule::Value,
        SplitRule::Rank => pb::BlackjackSplitRule::Rank,
    }
}

fn surrender_from(number: i32) -> Result<Surrender, Refusal> {
    match pb::BlackjackSurrender::try_from(number) {
        Ok(pb::BlackjackSurrender::Unspecified) => Ok(Surrender::default()),
        Ok(pb::BlackjackSurrender::ByPeek) => Ok(Surrender::ByPeek),
        Ok(pb::BlackjackSurrender::Late) => Ok(Surrender::Late),
        Ok(pb::BlackjackSurrender::Early) => Ok(Surrender::Early),
        Ok(pb::BlackjackSurrender::Off) => Ok(Surrender::Off),
        Err(_) => Err(out_of_range()),
    }
}

fn surrender_to(surrender: Surrender) -> pb::BlackjackSurrender {
    match surrender {
        Surrender::ByPeek => pb::BlackjackSurrender::ByPeek,
        Surrender::Late => pb::BlackjackSurrender::Late,
        Surrender::Early => pb::BlackjackSurrender::Early,
        Surrender::Off => pb::BlackjackSurrender::Off,
    }
}

fn shuffle_from(number: i32) -> Result<Shuffle, Refusal> {
    match pb::BlackjackShuffle::try_from(number) {
        Ok(pb::BlackjackShuffle::Unspecified) => Ok(Shuffle::default()),
        Ok(pb::BlackjackShuffle::ByDecks) => Ok(Shuffle::ByDecks),
        Ok(pb::BlackjackShuffle::EveryRound) => Ok(Shuffle::EveryRound),
        Ok(pb::BlackjackShuffle::CutCard) => Ok(Shuffle::CutCard),
        Err(_) => Err(out_of_range()),
    }
}

fn shuffle_to(shuffle: Shuffle) -> pb::BlackjackShuffle {
    match shuffle {
        Shuffle::ByDecks => pb::BlackjackShuffle::ByDecks,
        Shuffle::EveryRound => pb::BlackjackShuffle::EveryRound,
        Shuffle::CutCard => pb::BlackjackShuffle::CutCard,
    }
}

fn banker_mode_from(number: i32) -> Result<BankerMode, Refusal> {
    match pb::BlackjackBankerMode::try_from(number) {
        Ok(pb::BlackjackBankerMode::Unspecified) => Ok(BankerMode::default()),
        Ok(pb::BlackjackBankerMode::Fixed) => Ok(BankerMode::Fixed),
        Ok(pb::BlackjackBankerMode::Rotate) => Ok(BankerMode::Rotate),
        Err(_) => Err(out_of_range()),
    }
}

fn banker_mode_to(mode: BankerMode) -> pb::BlackjackBankerMode {
    match mode {
        BankerMode::Fixed => pb::BlackjackBankerMode::Fixed,
        BankerMode::Rotate => pb::BlackjackBankerMode::Rotate,
    }
}
