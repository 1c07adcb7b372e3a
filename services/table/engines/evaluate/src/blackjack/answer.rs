//! The output of a case.

use parlor_blackjack::settlement::{BankerSettlement, HandSettlement, SeatSettlement, Settlement};
use parlor_blackjack::state::{Hand, Phase, Round};
use parlor_blackjack::{Actions, Card, Command, Event, State};
use serde_json::{Map, Value, json};

/// What became of a round; `end` is the event that ended it.
pub(super) fn write(state: &State, end: Option<&Event>, errors: Vec<Value>) -> Value {
    let mut answer = match (end, state.round()) {
        (Some(Event::Settled { settlement, .. }), _) => settled(settlement),
        (None, Some(round)) => unfinished(state, round),
        _ => json!({ "phase": "void", "cards_used": 0 }),
    };
    answer["errors"] = Value::Array(errors);
    answer
}

fn settled(settlement: &Settlement) -> Value {
    let seats: Map<_, _> =
        settlement.seats.iter().map(|seat| (seat.seat.to_string(), settled_seat(seat))).collect();
    json!({
        "phase": "settled",
        "cards_used": settlement.cards_used,
        "seats": seats,
        "banker": settled_banker(&settlement.banker),
        "house": settlement.house.0,
    })
}

fn settled_seat(seat: &SeatSettlement) -> Value {
    json!({
        "bet": seat.bet.0,
        "hands": seat.hands.iter().map(settled_hand).collect::<Vec<_>>(),
        "insurance": seat.insurance.map(|insurance| json!({
            "stake": insurance.stake.0,
            "delta": insurance.delta.0,
        })),
        "net": seat.net.0,
        "commission": seat.commission.0,
        "delta": seat.delta.0,
        "stack": seat.stack.map(|stack| stack.0),
    })
}

fn settled_hand(hand: &HandSettlement) -> Value {
    json!({
        "cards": names(&hand.cards),
        "total": hand.total,
        "stake": hand.stake.0,
        "doubled": hand.doubled,
        "result": hand.outcome.name(),
        "delta": hand.delta.0,
    })
}

fn settled_banker(banker: &BankerSettlement) -> Value {
    let mut answer = json!({
        "seat": banker.seat.0,
        "cards": names(&banker.cards),
        "total": banker.total,
        "natural": banker.natural,
        "drew": banker.drew,
        "net": banker.net.0,
        "commission": banker.commission.0,
        "delta": banker.delta.0,
        "stack": banker.stack.map(|stack| stack.0),
    });
    if banker.short {
        answer["short"] = Value::Bool(true);
    }
    answer
}

fn unfinished(state: &State, round: &Round) -> Value {
    let legal: Map<_, _> = round
        .players
        .iter()
        .map(|player| (player.seat, Actions::of(state, player.seat).commands()))
        .filter(|(_, commands)| !commands.is_empty())
        .map(|(seat, commands)| (seat.to_string(), action_names(&commands)))
        .collect();
    let hands: Map<_, _> = round
        .players
        .iter()
        .filter(|player| !player.hands.is_empty())
        .map(|player| (player.seat.to_string(), player.hands.iter().map(open_hand).collect()))
        .collect();
    let mut answer = json!({
        "phase": phase(round.phase),
        "cards_used": round.cards_used,
        "legal": legal,
        "hands": hands,
    });
    if let Some(card) = round.up_card() {
        answer["banker_up"] = Value::String(card.to_string());
    }
    if let Some(turn) = round.turn {
        answer["turn"] = json!({ "seat": turn.seat.0, "hand": turn.hand });
    }
    answer
}

fn open_hand(hand: &Hand) -> Value {
    json!({
        "cards": names(&hand.cards),
        "stake": hand.stake.0,
        "state": hand.status.name(),
    })
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Betting => "betting",
        Phase::Insurance => "insurance",
        Phase::Playing => "playing",
        Phase::BankerTurn => "banker_turn",
    }
}

/// The action types of legal commands, each once.
fn action_names(commands: &[Command]) -> Value {
    let mut names: Vec<_> = commands.iter().map(action_name).collect();
    names.dedup();
    json!(names)
}

fn action_name(command: &Command) -> &'static str {
    match command {
        Command::Bet { .. } => "bet",
        Command::SitOut => "sit_out",
        Command::Insurance { .. } => "insurance",
        Command::DeclineInsurance => "decline_insurance",
        Command::EvenMoney => "even_money",
        Command::Hit => "hit",
        Command::Stand => "stand",
        Command::Double => "double",
        Command::Split => "split",
        Command::Surrender => "surrender",
        Command::Leave => "leave",
        Command::Unknown => "unknown",
    }
}

fn names(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}
