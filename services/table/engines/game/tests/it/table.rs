//! A table under test: steps it, checks what must always hold, and tells what happened.

use parlor_game::shell::{
    Admission, Chance, Command, Duty, Event, Input, Moment, Outcome, Pacing, Player, Reservation,
    Settings, Stakes, Table,
};
use parlor_game::{Amount, Refusal, Seat, entry};

use crate::guess::{self, Guess, Options};

pub struct Counting(pub u8);

impl Chance for Counting {
    fn shared_seed(&mut self, _: &str) -> Option<[u8; 32]> {
        None
    }

    fn seed(&mut self) -> [u8; 32] {
        self.0 = self.0.wrapping_add(1);
        [self.0; 32]
    }

    fn between(&mut self, least: u32, _: u32) -> u32 {
        least
    }
}

pub struct Room {
    pub table: Table<Guess>,
    pub now_ms: i64,
    chance: Counting,
}

pub fn player(number: u8) -> Player {
    Player([number; 16])
}

pub fn settings(stakes: Stakes) -> Settings<Options> {
    Settings {
        options: Options { seats: 3, hands: 0, commission: Amount::ZERO },
        stakes,
        seats: 3,
        admission: Admission { bots_allowed: true, ..Admission::default() },
        pacing: Pacing::default(),
        hands_limit: 0,
        room_code: "123456".to_owned(),
    }
}

impl Room {
    pub fn open(settings: Settings<Options>) -> Self {
        let table = Table::open([9; 16], settings, 0).unwrap();
        let mut room = Self { table, now_ms: 1_000, chance: Counting(0) };
        let reservation =
            Reservation { player: player(1), name: "One".into(), seat: None, host: true };
        room.give(Input::Reserve(vec![reservation])).unwrap();
        room
    }

    /// A points table with players 1 and 2 seated and ready.
    pub fn ready() -> Self {
        Self::ready_with(settings(Stakes::Points))
    }

    /// The same with other settings.
    pub fn ready_with(settings: Settings<Options>) -> Self {
        let mut room = Self::open(settings);
        room.arrive(1);
        room.sit(2).unwrap();
        room.say(1, Command::Ready(true)).unwrap();
        room.say(2, Command::Ready(true)).unwrap();
        room
    }

    /// [`Room::ready`] with the first hand dealt.
    pub fn in_hand() -> Self {
        let mut room = Self::ready();
        room.pass_time();
        assert!(room.table.hand.is_some());
        room
    }

    pub fn give(
        &mut self,
        input: Input<guess::Command>,
    ) -> Result<Vec<Event<guess::Event>>, Refusal> {
        let before = entry::encode(&self.table);
        let mut replayed: Table<Guess> = entry::decode(&before).unwrap();
        let mut moment = Moment { now_ms: self.now_ms, chance: &mut self.chance };
        let given = self.table.step(&input, &mut moment, &mut ());
        match &given {
            Err(_) => assert_eq!(entry::encode(&self.table), before, "a refusal changes nothing"),
            Ok(events) => {
                replayed.take_notice(events, &mut ());
                assert_eq!(entry::encode(&replayed), entry::encode(&self.table), "events replay");
            }
        }
        given
    }

    pub fn say(
        &mut self,
        number: u8,
        command: Command<guess::Command>,
    ) -> Result<Vec<Event<guess::Event>>, Refusal> {
        self.give(Input::Player(player(number), command))
    }

    pub fn sit(&mut self, number: u8) -> Result<Vec<Event<guess::Event>>, Refusal> {
        let name = format!("Player {number}");
        self.say(number, Command::Sit { seat: None, buy_in: Amount::ZERO, name })
    }

    pub fn arrive(&mut self, number: u8) {
        self.give(Input::Connection { player: player(number), connected: true }).unwrap();
    }

    pub fn leave(&mut self, number: u8) {
        self.give(Input::Connection { player: player(number), connected: false }).unwrap();
    }

    /// Goes to the next deadline and acts upon it.
    pub fn pass_time(&mut self) -> Vec<Event<guess::Event>> {
        self.now_ms = self.now_ms.max(self.table.next_deadline().expect("a deadline"));
        self.give(Input::Tick).unwrap()
    }

    /// Answers every obligation that is open.
    pub fn meet_all(&mut self) -> Vec<Duty> {
        let mut met = Vec::new();
        while let Some(obligation) = self.table.obligations.front().cloned() {
            let (id, outcome) = (obligation.id, Outcome::Met);
            self.give(Input::Obligation { id, outcome }).unwrap();
            met.push(obligation.duty);
        }
        met
    }

    pub fn stack(&self, seat: u8) -> i64 {
        self.table.occupant(Seat(seat)).unwrap().stack.0
    }

    /// Plays the running hand: everybody says what is given, then the table shows the number.
    pub fn play_hand(&mut self, said: &[(u8, u8)]) {
        for (number, guess) in said {
            self.say(*number, Command::Play(guess::Command::Say(*guess))).unwrap();
        }
        self.pass_time();
    }
}

/// The reason of a refusal.
pub fn reason<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> &'static str {
    refused.unwrap_err().reason
}
