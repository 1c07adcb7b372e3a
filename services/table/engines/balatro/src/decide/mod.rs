//! What commands do (rules: balatro 2). One module for each part of a run:
//!
//! * `start`: a new run and its antes, bosses and tags on offer.
//! * `blind`: selecting, skipping and rerolling blinds.
//! * `play`, `discard`, `draw`: the hand.
//! * `round_end`: winning, losing, the payout.
//! * `shop`, `stock`, `pack`: buying.
//! * `consume`, `consume_cards`, `consume_jokers`: consumables.
//! * `effects`, `acts`: jokers outside of plays.
//! * `tags`, `create`: tags, and what is created at random.
//! * `draft`: the run while it changes; `label`: labels of its random streams.

mod acts;
mod blind;
mod consume;
mod consume_cards;
mod consume_jokers;
mod create;
mod discard;
mod draft;
mod draw;
mod effects;
mod label;
mod pack;
mod play;
mod round_end;
mod shop;
mod start;
mod stock;
mod tags;

use alloc::vec::Vec;

use parlor_game::{Entropy, Refusal};

use draft::Draft;
pub use draft::MAX_DECK;
pub use start::start;

use crate::command::Command;
use crate::event::Event;
use crate::reason;
use crate::state::{Ending, Phase, Run};

/// What a command of the run's player does.
///
/// # Errors
/// The rule's reason when the command is not allowed now.
pub fn decide(run: &Run, command: &Command, entropy: &Entropy) -> Result<Vec<Event>, Refusal> {
    if run.phase == Phase::Over {
        return Err(wrong_phase());
    }
    let mut draft = Draft::new(run, entropy);
    match command {
        Command::SelectBlind => draft.select_blind()?,
        Command::SkipBlind => draft.skip_blind()?,
        Command::RerollBoss => draft.reroll_boss()?,
        Command::Play(cards) => draft.play(cards)?,
        Command::Discard(cards) => draft.discard(cards)?,
        Command::ReorderHand(cards) => draft.reorder_hand(cards)?,
        Command::ReorderJokers(jokers) => draft.reorder_jokers(jokers)?,
        Command::Use { item, targets } => draft.use_owned(*item, targets)?,
        Command::Sell(item) => draft.sell(*item)?,
        Command::CashOut => draft.cash_out()?,
        Command::Buy(item) => draft.buy(*item)?,
        Command::Redeem(item) => draft.redeem(*item)?,
        Command::OpenPack(item) => draft.open_bought_pack(*item)?,
        Command::Pick { item, targets } => draft.pick(*item, targets)?,
        Command::SkipPack => draft.skip_pack()?,
        Command::Reroll => draft.reroll()?,
        Command::LeaveShop => draft.leave_shop()?,
        Command::Continue => draft.continue_endless()?,
        Command::Finish => draft.finish()?,
        Command::GiveUp => draft.end(Ending::GivenUp),
    }
    Ok(draft.events)
}

fn wrong_phase() -> Refusal {
    Refusal::illegal(reason::WRONG_PHASE, "the run is not at a point where this can be done")
}

fn no_such_item() -> Refusal {
    Refusal::illegal(reason::NO_SUCH_ITEM, "there is no such thing here")
}

impl Draft<'_> {
    /// Refuses outside of a phase, and while a pack is open.
    fn require(&self, phase: Phase) -> Result<(), Refusal> {
        if self.run.phase != phase {
            return Err(wrong_phase());
        }
        if self.run.pack.is_some() {
            return Err(Refusal::illegal(reason::PACK_IS_OPEN, "finish the open pack first"));
        }
        Ok(())
    }

    /// Refuses a price that the money does not allow.
    fn require_money(&self, price: i64) -> Result<(), Refusal> {
        if self.run.can_afford(price) {
            return Ok(());
        }
        let refusal = Refusal::illegal(reason::NOT_ENOUGH_MONEY, "not enough money");
        Err(refusal.with("price", price).with("money", self.run.money))
    }
}

fn no_room() -> Refusal {
    Refusal::illegal(reason::NO_ROOM, "there is no slot left")
}
