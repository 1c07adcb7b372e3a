//! Rounds from prepared cards, told in short words.

use parlor_blackjack::options::{Payout, SplitRule, Surrender};
use parlor_blackjack::settlement::SeatSettlement;
use parlor_blackjack::shoe::{Occasion, Shoe, StockOrder};
use parlor_blackjack::state::{Phase, State};
use parlor_blackjack::{Actions, Blackjack, Card, Command, Event, Options, Settlement, decide};
use parlor_game::{Actor, Amount, Entrant, Entropy, Game, Refusal, Seat};

/// Entropy that differs for every number.
pub fn entropy(number: u64) -> Entropy {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&number.to_le_bytes());
    Entropy::from_key(key)
}

/// Seats from 0 with the same stack.
pub fn entrants(seats: u8, stack: Option<i64>) -> Vec<Entrant> {
    (0..seats).map(|seat| Entrant { seat: Seat(seat), stack: stack.map(Amount) }).collect()
}

/// Cards by name, apart by spaces.
pub fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

/// Folds events into the state.
pub fn apply(state: &mut State, events: &[Event]) {
    for event in events {
        Blackjack::evolve(state, event);
    }
}

/// The tray reversed: an order that a test can foresee.
pub struct Reversed;

impl StockOrder for Reversed {
    fn arrange(&mut self, _: Occasion, cards: &mut [Card]) {
        cards.reverse();
    }
}

/// What a table of cases varies, in words such as `soft17 flat=2 seats=3 bank=45 stack=30`.
pub struct Setting {
    pub options: Options,
    seats: u8,
    bank: Option<i64>,
    stack: Option<i64>,
    tray: Vec<Card>,
}

impl Setting {
    pub fn read(words: &str) -> Self {
        let mut setting = Self {
            options: Options { seats: 8, ..Options::default() },
            seats: 2,
            bank: Some(5_000),
            stack: Some(500),
            tray: Vec::new(),
        };
        words.split_whitespace().for_each(|word| setting.set(word));
        setting.options.check().unwrap();
        setting
    }

    fn set(&mut self, word: &str) {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || value.parse::<i64>().unwrap_or_else(|_| panic!("{word}: no number"));
        let options = &mut self.options;
        match name {
            "seats" => self.seats = value.parse().unwrap(),
            "bank" => self.bank = Some(number()),
            "stack" => self.stack = Some(number()),
            "points" => (self.bank, self.stack) = (None, None),
            "tray" => self.tray = cards(&value.replace(',', " ")),
            "min" => options.min_bet = Amount(number()),
            "max" => options.max_bet = Amount(number()),
            "step" => options.bet_step = Amount(number()),
            "pays65" => options.natural_payout = Payout { numerator: 6, denominator: 5 },
            "soft17" => options.soft_hit_17 = true,
            "no_das" => options.double_after_split = false,
            "no_peek" => options.dealer_peek = false,
            "no_insurance" => options.insurance = false,
            "hands" => options.max_split_hands = value.parse().unwrap(),
            "by_rank" => options.split_rule = SplitRule::Rank,
            "resplit" => options.resplit_aces = true,
            "late" => options.surrender = Surrender::Late,
            "no_surrender" => options.surrender = Surrender::Off,
            "original" => options.original_bets_only = true,
            "play21" => options.auto_stand_21 = false,
            "closed" => options.player_cards_public = false,
            "flat" => options.commission_flat = Amount(number()),
            "bps" => options.commission_win_bps = value.parse().unwrap(),
            _ => panic!("unknown setting {word}"),
        }
    }

    /// A round of seat 0's bank with this deck from the top. A deck that does not end with a dot
    /// goes on with twos.
    pub fn open(&self, deck: &str) -> Table {
        let deck = match deck.strip_suffix('.') {
            Some(deck) => cards(deck),
            None => cards(&format!("{deck}{}", " 2C".repeat(8))),
        };
        let mut entrants = entrants(self.seats, self.stack);
        entrants[0].stack = self.bank.map(Amount);
        let shoe = Shoe::new(deck.into(), self.tray.clone());
        let state = State::prepared(self.options.clone(), Seat(0), &entrants, shoe);
        Table { state, events: Vec::new() }
    }
}

/// A round on its way.
pub struct Table {
    pub state: State,
    pub events: Vec<Event>,
}

impl Table {
    /// One action in words: `bet 20`, `2:hit` for a seat other than 1, `timeout`.
    pub fn act(&mut self, words: &str) -> Result<(), Refusal> {
        if words == "timeout" {
            for pending in Blackjack::awaiting(&self.state).seats {
                self.give(pending.seat, &pending.default)?;
            }
            return Ok(());
        }
        let (seat, action) = words.split_once(':').unwrap_or(("1", words));
        self.give(Seat(seat.parse().unwrap()), &command(action))
    }

    pub fn give(&mut self, seat: Seat, command: &Command) -> Result<(), Refusal> {
        let before = self.state.clone();
        let result = decide::decide(&self.state, Actor::Seat(seat), command, &mut Reversed);
        assert_eq!(self.state, before, "decide changed the state");
        let events = result?;
        apply(&mut self.state, &events);
        self.events.extend(events);
        Ok(())
    }

    /// The settlement, once the round is over.
    pub fn settlement(&self) -> Option<&Settlement> {
        self.events.iter().find_map(|event| match event {
            Event::Settled { settlement, .. } => Some(&**settlement),
            _ => None,
        })
    }

    /// Everything that can be said about the round now, one short fact each.
    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if self.events.iter().any(|event| matches!(event, Event::Voided { .. })) {
            facts.push(String::from("void"));
        }
        if let Some(settlement) = self.settlement() {
            settled_facts(settlement, &mut facts);
        }
        if let Some(round) = self.state.round() {
            facts.push(String::from(match round.phase {
                Phase::Betting => "betting",
                Phase::Insurance => "insurance",
                Phase::Playing => "playing",
                Phase::BankerTurn => "banker turn",
            }));
            if let Some(turn) = round.turn {
                facts.push(format!("turn {}.{}", turn.seat, turn.hand));
            }
            for player in &round.players {
                let actions = Actions::of(&self.state, player.seat);
                facts.push(format!("{} may {}", player.seat, names(&actions)));
                let hands = player.hands.iter();
                let status: Vec<_> = hands.map(|hand| hand.status.name()).collect();
                facts.push(format!("{} is {}", player.seat, status.join(" / ")));
            }
        }
        facts
    }
}

fn settled_facts(settlement: &Settlement, facts: &mut Vec<String>) {
    for seat in &settlement.seats {
        facts.push(format!("{} {}", seat.seat, hand_facts(seat)));
        facts.push(format!("{} net {:+}", seat.seat, seat.net.0));
        facts.push(format!("{} delta {:+}", seat.seat, seat.delta.0));
        if let Some(insurance) = seat.insurance {
            facts.push(format!("{} insurance {:+}", seat.seat, insurance.delta.0));
        }
        if let Some(stack) = seat.stack {
            facts.push(format!("{} stack {stack}", seat.seat));
        }
    }
    let banker = &settlement.banker;
    facts.push(format!("banker {} drew {}", banker.total, banker.drew));
    facts.push(format!("banker delta {:+}", banker.delta.0));
    facts.push(format!("house {}", settlement.house));
    if banker.short {
        facts.push(String::from("banker short"));
    }
    if banker.natural {
        facts.push(String::from("banker natural"));
    }
}

/// The hands of a seat, such as `win +20 / bust -20`.
fn hand_facts(seat: &SeatSettlement) -> String {
    let hands = seat.hands.iter();
    hands
        .map(|hand| format!("{} {:+}", hand.outcome.name(), hand.delta.0))
        .collect::<Vec<_>>()
        .join(" / ")
}

fn command(words: &str) -> Command {
    let (name, amount) = words.split_once(' ').unwrap_or((words, ""));
    let amount = amount.parse().ok().map(Amount);
    match name {
        "bet" => Command::Bet { amount },
        "sit_out" => Command::SitOut,
        "insure" => Command::Insurance { amount },
        "decline" => Command::DeclineInsurance,
        "even_money" => Command::EvenMoney,
        "hit" => Command::Hit,
        "stand" => Command::Stand,
        "double" => Command::Double,
        "split" => Command::Split,
        "surrender" => Command::Surrender,
        "leave" => Command::Leave,
        "fold" => Command::Unknown,
        _ => panic!("unknown action {words}"),
    }
}

fn names(actions: &Actions) -> String {
    let mut names = Vec::new();
    if let Some(bounds) = actions.bet {
        names.push(format!("bet {}..{}", bounds.lowest, bounds.highest));
    }
    if let Some(highest) = actions.insurance {
        names.push(format!("insure 1..{highest}"));
    }
    for command in actions.commands() {
        match command {
            Command::Bet { .. } | Command::Insurance { .. } => {}
            Command::SitOut => names.push(String::from("sit_out")),
            Command::DeclineInsurance => names.push(String::from("decline")),
            Command::EvenMoney => names.push(String::from("even_money")),
            command => names.push(format!("{command:?}").to_lowercase()),
        }
    }
    if names.is_empty() { String::from("nothing") } else { names.join(" ") }
}
