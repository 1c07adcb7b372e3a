//! What several tests need: tables, options, chance, and hands with a prescribed wall.

use std::fmt::Write;

use parlor_game::{Actor, Amount, Entrant, Entropy, Game, Refusal, Seat, Stream, Viewer};
use parlor_mahjong::event::Event;
use parlor_mahjong::options::{
    CallTransfer, CallTransferMulti, DelayedAddedKong, DianGangHua, DrawDealer, FanStacking,
    GuoShouHu, HuaZhu, Jiaxin5Mode, MultiWinDealer, Preset, RefundScope, TianDiHu, Zimo,
};
use parlor_mahjong::state::{Round, dealt_places};
use parlor_mahjong::tile::{Suit, Tile, sorted_wall};
use parlor_mahjong::{Command, Mahjong, Options, State, View};

/// Entropy that is a function of a number.
pub fn entropy(seed: u64) -> Entropy {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Entropy::from_key(key)
}

/// A match before its first hand.
pub fn open(options: &Options) -> State {
    Mahjong::open(options).unwrap()
}

/// Every seat of a table; with `stack` in chips mode.
pub fn entrants(players: u8, stack: Option<i64>) -> Vec<Entrant> {
    (0..players).map(|seat| Entrant { seat: Seat(seat), stack: stack.map(Amount) }).collect()
}

/// One tile.
pub fn tile(text: &str) -> Tile {
    Tile::parse(text).unwrap()
}

/// Tiles written by suit, as `123m55p`; spaces are skipped.
pub fn tiles(text: &str) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let mut ranks = Vec::new();
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        match letter.to_digit(10) {
            Some(rank) => ranks.push(u8::try_from(rank).unwrap()),
            None => {
                let suit = Suit::from_letter(letter).unwrap();
                tiles.extend(ranks.drain(..).map(|rank| Tile::new(suit, rank).unwrap()));
            }
        }
    }
    assert!(ranks.is_empty(), "{text} has ranks without a suit");
    tiles
}

/// Tiles as they are written in [`tiles`].
pub fn written(tiles: &[Tile]) -> String {
    let mut text = String::new();
    for (place, tile) in tiles.iter().enumerate() {
        write!(text, "{}", tile.rank()).unwrap();
        if tiles.get(place + 1).is_none_or(|next| next.suit() != tile.suit()) {
            text.push(tile.suit().letter());
        }
    }
    if text.is_empty() { String::from("-") } else { text }
}

/// Options that are each drawn at random.
pub fn any_options(chance: &mut Stream) -> Options {
    fn one<T: Copy>(chance: &mut Stream, values: &[T]) -> T {
        values[chance.below(u32::try_from(values.len()).unwrap()) as usize]
    }
    let mut options = Options::preset(one(chance, Preset::ALL));
    options.players = one(chance, &[4, 4, 3]);
    options.base = Amount(one(chance, &[1, 2, 10]));
    options.max_fan = one(chance, &[3, 4, 5]);
    options.rounds = one(chance, &[1, 4, 8, 16]);
    options.zimo = one(chance, Zimo::ALL);
    options.fan_stacking = one(chance, FanStacking::ALL);
    options.jiaxin5_mode = one(chance, Jiaxin5Mode::ALL);
    options.dian_gang_hua = one(chance, DianGangHua::ALL);
    options.call_transfer = one(chance, CallTransfer::ALL);
    options.call_transfer_multi = one(chance, CallTransferMulti::ALL);
    options.delayed_added_kong = one(chance, DelayedAddedKong::ALL);
    options.guo_shou_hu = one(chance, GuoShouHu::ALL);
    options.hua_zhu = one(chance, HuaZhu::ALL);
    options.refund_scope = one(chance, RefundScope::ALL);
    options.multi_win_dealer = one(chance, MultiWinDealer::ALL);
    options.draw_dealer = one(chance, DrawDealer::ALL);
    options.tian_di_hu = one(chance, TianDiHu::ALL);
    for switch in [
        &mut options.dianpao_pinghu,
        &mut options.pengpeng_two_fan,
        &mut options.jiangdui,
        &mut options.yaojiu,
        &mut options.jiaxin5,
        &mut options.menqing_allows_ankong,
        &mut options.haidi_pao,
        &mut options.force_discard_void,
        &mut options.dead_wait_is_ting,
        &mut options.huan_san_zhang,
        &mut options.ka_er_tiao,
        &mut options.yi_tiao_long,
    ] {
        *switch = chance.chance(1, 2);
    }
    options.menqing = chance.chance(1, 2);
    options.zhongzhang = options.menqing;
    options
}

/// A hand with a prescribed wall, played command by command.
pub struct Hand {
    pub state: State,
    /// Every event so far.
    pub events: Vec<Event>,
    /// What happened, as every seat saw it.
    pub transcript: String,
}

impl Hand {
    /// Deals `hands` by seat (the dealer's first tile is his fourteenth), with `draws` next in
    /// the wall and the remaining tiles after them in order.
    pub fn deal(options: &Options, dealer: u8, hands: &[&str], draws: &str) -> Self {
        Self::deal_stacks(options, dealer, hands, draws, None)
    }

    /// As [`Hand::deal`], in chips mode.
    pub fn deal_stacks(
        options: &Options,
        dealer: u8,
        hands: &[&str],
        draws: &str,
        stacks: Option<&[i64]>,
    ) -> Self {
        let seats = options.players;
        let mut wall: Vec<Option<Tile>> = vec![None; usize::from(seats) * 13 + 1];
        for (seat, hand) in (0..).map(Seat).zip(hands) {
            let mut dealt = tiles(hand);
            let (thirteen, fourteenth) = dealt_places(seats, Seat(dealer), seat);
            if let Some(place) = fourteenth {
                wall[place] = Some(dealt.remove(0));
            }
            assert_eq!(dealt.len(), 13, "seat {seat} is dealt {hand}");
            thirteen.zip(dealt).for_each(|(place, tile)| wall[place] = Some(tile));
        }
        let mut wall: Vec<Tile> = wall.into_iter().flatten().chain(tiles(draws)).collect();
        let mut rest = sorted_wall(seats);
        for tile in &wall {
            let place = rest.iter().position(|other| other == tile);
            rest.remove(place.unwrap_or_else(|| panic!("{tile} is used too often")));
        }
        wall.extend(rest);
        let stacks = (0..usize::from(seats)).map(|seat| stacks.map(|stacks| Amount(stacks[seat])));
        let mut hand = Self { state: open(options), events: Vec::new(), transcript: String::new() };
        hand.apply(vec![Event::Dealt {
            number: 1,
            dealer: Seat(dealer),
            stacks: stacks.collect(),
            wall,
            own: Vec::new(),
        }]);
        hand
    }

    /// As [`Hand::deal`], with the void suits chosen, by seat, as letters.
    pub fn with_voids(
        options: &Options,
        dealer: u8,
        hands: &[&str],
        voids: &str,
        draws: &str,
    ) -> Self {
        let mut hand = Self::deal(options, dealer, hands, draws);
        hand.choose_voids(voids);
        hand
    }

    /// Every seat chooses its void suit, by seat, as letters.
    pub fn choose_voids(&mut self, voids: &str) {
        for (seat, letter) in (0..).zip(voids.chars()) {
            self.act(seat, Command::ChooseVoid(Suit::from_letter(letter).unwrap()));
        }
    }

    pub fn round(&self) -> &Round {
        self.state.round.as_ref().unwrap()
    }

    fn apply(&mut self, events: Vec<Event>) {
        for event in events {
            Mahjong::evolve(&mut self.state, &event);
            self.note(&event);
            self.events.push(event);
        }
    }

    /// Writes an event down, and how the seats see it where they see it differently.
    fn note(&mut self, event: &Event) {
        writeln!(self.transcript, "{event:?}").unwrap();
        let seats = (0..self.state.options.players).map(|seat| Viewer::Seat(Seat(seat)));
        let mut seen: Vec<(String, Vec<String>)> = Vec::new();
        for viewer in seats.chain([Viewer::Spectator]) {
            let text = match Mahjong::redact(event, viewer) {
                Some(redacted) if redacted == *event => continue,
                Some(redacted) => format!("{redacted:?}"),
                None => String::from("nothing"),
            };
            let name = match viewer {
                Viewer::Seat(seat) => seat.to_string(),
                _ => String::from("spectator"),
            };
            match seen.iter_mut().find(|(known, _)| *known == text) {
                Some((_, names)) => names.push(name),
                None => seen.push((text, vec![name])),
            }
        }
        for (text, names) in seen {
            writeln!(self.transcript, "    {}: {text}", names.join(",")).unwrap();
        }
    }

    /// What a seat's command does, or why it is refused.
    pub fn try_act(&mut self, seat: u8, command: Command) -> Result<(), Refusal> {
        let events = Mahjong::decide(&self.state, Actor::Seat(Seat(seat)), &command, &entropy(1))?;
        let legal = Mahjong::legal(&self.state, Seat(seat));
        assert!(legal.contains(&command), "{command:?} is accepted but not in {legal:?}");
        writeln!(self.transcript, "> {seat} {command:?}").unwrap();
        self.apply(events);
        Ok(())
    }

    pub fn act(&mut self, seat: u8, command: Command) -> &mut Self {
        if let Err(refusal) = self.try_act(seat, command) {
            panic!("{command:?} of seat {seat}: {}\n{}", refusal.reason, self.transcript);
        }
        self
    }

    /// The stable reason with which a command is refused.
    pub fn refused(&mut self, seat: u8, command: Command) -> &'static str {
        let legal = Mahjong::legal(&self.state, Seat(seat));
        assert!(!legal.contains(&command), "{command:?} is offered");
        self.try_act(seat, command).unwrap_err().reason
    }

    pub fn discard(&mut self, seat: u8, text: &str) -> &mut Self {
        self.act(seat, Command::Discard(tile(text)))
    }

    /// The table's step: the pause of the window is over.
    pub fn close(&mut self) -> &mut Self {
        let actor = Actor::System;
        let events =
            Mahjong::decide(&self.state, actor, &Command::CloseWindow, &entropy(1)).unwrap();
        writeln!(self.transcript, "> table closes the window").unwrap();
        self.apply(events);
        self
    }

    /// A discard that nobody takes.
    pub fn pass_around(&mut self, seat: u8, text: &str) -> &mut Self {
        self.discard(seat, text);
        self.everybody_passes().close()
    }

    /// Every seat that is asked declines.
    pub fn everybody_passes(&mut self) -> &mut Self {
        for pending in Mahjong::awaiting(&self.state).seats {
            self.act(pending.seat.0, Command::Pass);
        }
        self
    }

    /// The rule's default for the first that is awaited, or the table's step.
    pub fn step(&mut self) -> &mut Self {
        let awaiting = Mahjong::awaiting(&self.state);
        match awaiting.seats.first() {
            Some(pending) => self.act(pending.seat.0, pending.default),
            None => self.close(),
        }
    }

    /// Discards what is drawn, unclaimed, until the hand is over.
    pub fn play_out(&mut self) -> &mut Self {
        while Mahjong::in_hand(&self.state) {
            self.step();
        }
        self
    }

    pub fn view(&self, seat: u8) -> View {
        Mahjong::view(&self.state, Viewer::Seat(Seat(seat)))
    }

    pub fn legal(&self, seat: u8) -> Vec<Command> {
        Mahjong::legal(&self.state, Seat(seat))
    }

    /// What each seat has gained so far.
    pub fn nets(&self) -> Vec<i64> {
        self.round().books.nets.iter().map(|net| net.0).collect()
    }

    /// All payments so far as `why from>to amount`, with `short n` where something was missing.
    pub fn ledger(&self) -> Vec<String> {
        let payments = self.round().books.payments.iter();
        let line = |payment: &parlor_mahjong::settle::Payment| {
            let (why, amount) = (payment.why.name(), payment.amount);
            let line = format!("{why} {}>{} {amount}", payment.from, payment.to);
            if payment.short == Amount::ZERO {
                line
            } else {
                format!("{line} short {}", payment.short)
            }
        };
        payments.map(line).collect()
    }

    /// Who is on turn.
    pub fn turn(&self) -> Option<u8> {
        self.view(0).turn.map(|seat| seat.0)
    }

    /// Writes every seat's own view down.
    pub fn show_views(&mut self) -> &mut Self {
        for seat in 0..self.state.options.players {
            let view = self.view(seat);
            write!(self.transcript, "  | seat {seat} {:?}", view.stage).unwrap();
            let own = view.own.unwrap();
            write!(self.transcript, " tiles {}", written(&own.tiles)).unwrap();
            if let Some(drawn) = own.drawn {
                write!(self.transcript, " drawn {drawn}").unwrap();
            }
            if let Some(offer) = own.offer {
                write!(self.transcript, " {offer:?}").unwrap();
            }
            for wait in own.hints.waits {
                let (tile, fan, left) = (wait.tile, wait.fan, wait.remaining);
                write!(self.transcript, " waits {tile} fan {fan} left {left}").unwrap();
            }
            writeln!(self.transcript).unwrap();
            for other in view.seats {
                let melds = other.melds.iter().map(|meld| format!("{:?} {}", meld.kind, meld.tile));
                writeln!(
                    self.transcript,
                    "  |   {}: {} concealed {}, melds [{}], discards {}, net {}, won {}",
                    other.seat,
                    other.concealed,
                    written(&other.tiles),
                    melds.collect::<Vec<_>>().join(", "),
                    written(&other.discards),
                    other.net,
                    other.win.is_some(),
                )
                .unwrap();
            }
        }
        self
    }
}
