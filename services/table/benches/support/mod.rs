//! Tables of the echo game in this process, without a network and without a ledger.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parlor_common::{Clock, Failure, PlayerId, PodId, Shutdown};
use parlor_game::shell::Pacing;
use parlor_proto::rules::v1 as rules;
use parlor_proto::table::v1 as pb;
use parlor_table::actor::{Act, Handle, Message};
use parlor_table::chance::os_chance;
use parlor_table::cluster::Lease;
use parlor_table::store::TableStore;
use parlor_table::treasury::{Treasure, Treasury, TreasuryError};
use parlor_table::{Bounds, Metrics, Setting, Tables, Upkeep};
use tokio::sync::oneshot;

/// The allocator of the shipped binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Seats of an echo table.
pub const SEATS: usize = 4;

/// Confirms at once, so that what is measured is the table service alone.
struct Confirms;

#[async_trait]
impl Treasury for Confirms {
    async fn settle(&self, _: &Treasure) -> Result<(), TreasuryError> {
        Ok(())
    }
}

/// A table service that holds `limit` tables in a store.
pub async fn tables(store: Arc<dyn TableStore>, limit: usize, upkeep: Upkeep) -> Tables {
    let (clock, shutdown) = (Clock::system(), Shutdown::new());
    let setting = Setting {
        store,
        treasury: Arc::new(Confirms),
        clock: clock.clone(),
        register: Arc::default(),
        metrics: Arc::new(Metrics::new(clock)),
        chance: os_chance(None),
        daily: None,
        shutdown: shutdown.clone(),
        halt: shutdown.token(),
        pod: PodId::random(),
        lease: Lease::unlimited(),
        upkeep,
    };
    let pacing = Pacing { start_delay_ms: 0, ..Pacing::default() };
    let tables = Tables::shared(setting, pacing, Bounds { tables: limit, echo: true }, None);
    tables.recover().await.expect("an empty store");
    tables
}

/// When a table plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// As soon as everybody sits.
    AtOnce,
    /// When everybody says so, which nobody does.
    Never,
}

/// A table and those who sit at it, by seat.
pub struct Party {
    pub table: Handle,
    pub players: [PlayerId; SEATS],
    said: u64,
}

impl Party {
    /// Opens table `number` and seats everybody.
    pub async fn open(tables: &Tables, number: usize, start: Start) -> Self {
        let players: [PlayerId; SEATS] = std::array::from_fn(|_| PlayerId::random());
        let created = tables.create(request(number, &players, start)).await.expect("a table");
        let table = tables.get(created.table_id.parse().expect("an id")).expect("its handle");
        let mut party = Self { table, players, said: 0 };
        for seat in 0..SEATS {
            let sit = pb::Sit { seat: u32::try_from(seat).ok(), ..pb::Sit::default() };
            let command = pb::command::Command::Sit(sit);
            party.ask(seat, format!("sit{seat}"), command).await.expect("a seat");
        }
        party
    }

    /// The seat whose turn it is says 40 bytes; waits for the answer, which means that it is
    /// durable, and between two hands for the next one.
    pub async fn say(&mut self) {
        let seat = usize::try_from(self.said).unwrap_or_default() % SEATS;
        loop {
            let words = vec![b'x'; 40].into();
            let command = rules::EchoCommand { number: self.said, words };
            let game = Some(rules::command::Game::Echo(command));
            let command = pb::command::Command::Play(rules::Command { game });
            let request = format!("say{}", self.said);
            match self.ask(seat, request, command).await {
                Ok(_) => break,
                Err(failure) if failure.reason == "TABLE_NO_HAND" => {
                    tokio::time::sleep(Duration::from_micros(100)).await;
                }
                Err(failure) => panic!("{failure}"),
            }
        }
        self.said += 1;
    }

    async fn ask(
        &mut self,
        seat: usize,
        request_id: String,
        command: pb::command::Command,
    ) -> Result<u64, Failure> {
        let (answer, answered) = oneshot::channel();
        let act = Act {
            player: self.players[seat],
            name: "Player".to_owned(),
            request_id,
            trace: String::new(),
            command: pb::Command { command: Some(command) },
            answer,
        };
        self.table.mailbox.send(Message::Act(act)).await.expect("a running table");
        answered.await.expect("an answer")
    }
}

fn request(number: usize, players: &[PlayerId; SEATS], start: Start) -> pb::CreateTableRequest {
    let game = rules::options::Game::Echo(rules::EchoOptions::default());
    let reservation = |(seat, player): (usize, &PlayerId)| pb::SeatReservation {
        player_id: player.to_string(),
        name: "Player".to_owned(),
        seat: u32::try_from(seat).ok(),
        host: seat == 0,
    };
    pb::CreateTableRequest {
        request_id: format!("table{number}"),
        settings: Some(pb::TableSettings {
            options: Some(rules::Options { game: Some(game) }),
            stake_mode: pb::StakeMode::Points.into(),
            seats: 4,
            always_ready: start == Start::AtOnce,
            ..pb::TableSettings::default()
        }),
        reservations: players.iter().enumerate().map(reservation).collect(),
    }
}
