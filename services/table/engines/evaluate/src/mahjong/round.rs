//! The settlement of whole rounds (rules: mahjong 9, 10, 16).

use parlor_game::Seat;
use parlor_mahjong::meld::MeldKind;
use parlor_mahjong::options::{DelayedAddedKong, Options};
use parlor_mahjong::score::Source;
use parlor_mahjong::settle::{
    Books, BySeat, KongMoney, Payment, Settles, Standing, close, discard_wins, kong, next_dealer,
    robbed_kong, self_draw,
};
use serde_json::{Value, json};

use super::options::options;
use crate::Error;

/// Settles a round from its events.
///
/// # Errors
/// When the input is no round, or an event cannot happen where it stands.
pub fn round(input: &Value) -> Result<Value, Error> {
    settle(input).map_err(Error::Malformed)
}

fn settle(input: &Value) -> Result<Value, String> {
    let mut options = options(input.get("options"))?;
    if let Some(players) = input.get("players") {
        options.players = match players.as_u64() {
            Some(3) => 3,
            Some(4) => 4,
            _ => return Err(String::from("players must be 3 or 4")),
        };
    }
    let mut round = Round::new(options);
    round.books.dealer = round.seat(input.get("dealer"))?;
    let events = input.get("events").and_then(Value::as_array).ok_or("events must be a list")?;
    for (number, event) in events.iter().enumerate() {
        round.event(event).map_err(|error| format!("event {number}: {error}"))?;
    }
    Ok(round.output())
}

struct Round {
    options: Options,
    books: Books,
}

impl Round {
    fn new(options: Options) -> Self {
        let stacks = std::iter::repeat_n(None, usize::from(options.players)).collect();
        Self { books: Books::new(Seat(0), stacks), options }
    }

    fn seat(&self, value: Option<&Value>) -> Result<Seat, String> {
        let number = value.and_then(Value::as_u64).and_then(|number| u8::try_from(number).ok());
        number
            .filter(|number| *number < self.options.players)
            .map(Seat)
            .ok_or_else(|| String::from("a seat is missing or not at the table"))
    }

    fn unwon(&self, value: Option<&Value>) -> Result<Seat, String> {
        let seat = self.seat(value)?;
        if !self.books.is_unwon(seat) {
            return Err(format!("seat {seat} has won already"));
        }
        Ok(seat)
    }

    fn raw_fan(value: Option<&Value>) -> Result<u8, String> {
        let raw = value.and_then(Value::as_u64).and_then(|raw| u8::try_from(raw).ok());
        raw.ok_or_else(|| String::from("raw_fan is missing or out of range"))
    }

    fn event(&mut self, event: &Value) -> Result<(), String> {
        match event.get("t").and_then(Value::as_str) {
            Some("discard") => {
                let by = self.unwon(event.get("by"))?;
                self.books.note_discard(by);
            }
            Some("kong") => self.kong(event)?,
            Some("rob") => self.rob(event)?,
            Some("zimo") => self.draw(event, None)?,
            Some("dian_gang_hua") => {
                let feeder = self.unwon(event.get("from"))?;
                if feeder == self.unwon(event.get("by"))? {
                    return Err(String::from("nobody feeds a kong to himself"));
                }
                let alone = !Source::DirectKongDraw.settles_as_self_draw(&self.options);
                self.draw(event, alone.then_some(feeder))?;
            }
            Some("pao") => self.pao(event)?,
            Some("wall_end") => self.wall_end(event)?,
            _ => return Err(String::from("unknown event")),
        }
        Ok(())
    }

    fn kong(&mut self, event: &Value) -> Result<(), String> {
        let by = self.unwon(event.get("by"))?;
        let delayed = event.get("delayed").and_then(Value::as_bool).unwrap_or(false);
        let unpaid = delayed && self.options.delayed_added_kong == DelayedAddedKong::NoPay;
        let money = if unpaid { KongMoney::Unpaid } else { KongMoney::Paid };
        let (kind, from) = match event.get("kind").and_then(Value::as_str) {
            Some("direct") => (MeldKind::DirectKong, Some(self.unwon(event.get("from"))?)),
            Some("added") => (MeldKind::AddedKong, None),
            Some("concealed") => (MeldKind::ConcealedKong, None),
            _ => return Err(String::from("unknown kind of kong")),
        };
        if from == Some(by) {
            return Err(String::from("nobody feeds a kong to himself"));
        }
        let payments = kong(&self.options, &self.books, by, kind, from, money);
        self.books.note_kong(by);
        self.books.book(&Settles::Kong, &payments);
        Ok(())
    }

    /// The winners on one tile of `from` with their raw fan, in turn order from it.
    fn winners(&self, event: &Value, from: Seat) -> Result<Vec<(Seat, u8)>, String> {
        let list =
            event.get("winners").and_then(Value::as_array).ok_or("winners must be a list")?;
        let mut winners = Vec::new();
        for entry in list {
            let seat = self.unwon(entry.get(0))?;
            if seat == from || winners.iter().any(|(other, _)| *other == seat) {
                return Err(format!("seat {seat} cannot win this tile"));
            }
            winners.push((seat, Self::raw_fan(entry.get(1))?));
        }
        if winners.is_empty() {
            return Err(String::from("nobody wins"));
        }
        let seats = self.options.players;
        winners.sort_by_key(|(seat, _)| (seat.0 + seats - from.0) % seats);
        Ok(winners)
    }

    fn note_wins(&mut self, from: Seat, winners: &[(Seat, u8)]) {
        for (seat, _) in winners {
            self.books.note_win(*seat);
        }
        if winners.len() > 1 {
            self.books.note_multi_win(from, winners.len());
        }
        self.books.note_discard(from);
    }

    fn rob(&mut self, event: &Value) -> Result<(), String> {
        let by = self.unwon(event.get("by"))?;
        let winners = self.winners(event, by)?;
        let payments = robbed_kong(&self.options, &self.books, by, &winners);
        self.books.book(&Settles::Nothing, &payments);
        self.note_wins(by, &winners);
        Ok(())
    }

    fn draw(&mut self, event: &Value, feeder: Option<Seat>) -> Result<(), String> {
        let by = self.unwon(event.get("by"))?;
        let raw = Self::raw_fan(event.get("raw_fan"))?;
        let payments = self_draw(&self.options, &self.books, by, raw, feeder);
        self.books.book(&Settles::Nothing, &payments);
        self.books.note_win(by);
        Ok(())
    }

    fn pao(&mut self, event: &Value) -> Result<(), String> {
        let from = self.unwon(event.get("from"))?;
        let winners = self.winners(event, from)?;
        let run = self.books.run(from);
        let bill = discard_wins(&self.options, &self.books, from, run, &winners);
        self.books.book(&Settles::Nothing, &bill.wins);
        self.books.book(&Settles::Transfer(bill.kongs), &bill.transfers);
        self.note_wins(from, &winners);
        Ok(())
    }

    fn wall_end(&mut self, event: &Value) -> Result<(), String> {
        let pigs = event.get("pigs").and_then(Value::as_array);
        let pigs = pigs.into_iter().flatten().map(|pig| self.seat(Some(pig)));
        let pigs = pigs.collect::<Result<Vec<Seat>, String>>()?;
        let mut standings = BySeat::new();
        for seat in (0..self.options.players).map(Seat) {
            let ready = event.get("ready").and_then(|ready| ready.get(seat.to_string()));
            standings.push(match ready {
                _ if !self.books.is_unwon(seat) => Standing::Won,
                _ if pigs.contains(&seat) => Standing::HoldsVoid,
                Some(raw) => Standing::Ready(Self::raw_fan(Some(raw))?),
                None => Standing::NotReady,
            });
        }
        let payments = close(&self.options, &self.books, &standings);
        self.books.book(&Settles::Nothing, &payments);
        Ok(())
    }

    fn output(&self) -> Value {
        let entry = |payment: &Payment| {
            json!({
                "from": payment.from.0,
                "to": payment.to.0,
                "amount": payment.amount.0,
                "why": payment.why.name(),
            })
        };
        json!({
            "delta": self.books.nets.iter().map(|net| net.0).collect::<Vec<_>>(),
            "winners": self.books.winners.iter().map(|seat| seat.0).collect::<Vec<_>>(),
            "next_dealer": next_dealer(&self.options, &self.books).0,
            "ledger": self.books.payments.iter().map(entry).collect::<Vec<_>>(),
        })
    }
}
