//! Many clients at once while connections break, in particular just before and just after a commit.
//! Whoever gets no answer asks again with the same key; in the end every balance is what the
//! accepted requests add up to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use parlor_common::{HoldId, PlayerId, Shutdown, TableId};
use parlor_settlement::Error;
use parlor_settlement::books::Books;
use parlor_settlement::ledger::Ledger;

use crate::chance::Chance;
use crate::proxy::{Cut, Proxy};
use crate::sandbox::Sandbox;
use crate::scene::{Play, Script, deposit, hold, release};

const CLIENTS: u64 = 64;
const ROUNDS: u64 = 12;
const PLAYERS: usize = 24;
/// Asking again so often is giving up.
const PATIENCE: usize = 200;
const PAUSE: Duration = Duration::from_millis(20);

/// What the accepted requests add up to.
#[derive(Default)]
struct Model {
    wallets: BTreeMap<PlayerId, i64>,
    stacks: BTreeMap<HoldId, i64>,
    accepted: usize,
    refused: usize,
}

type Shared = Arc<Mutex<Model>>;

/// Asks until there is an answer that says what was done.
async fn insist<T>(mut ask: impl AsyncFnMut() -> Result<T, Error>) -> Result<T, Error> {
    for _ in 0..PATIENCE {
        match ask().await {
            Err(Error::Unavailable | Error::Busy) => tokio::time::sleep(PAUSE).await,
            answer => return answer,
        }
    }
    panic!("the ledger did not come back");
}

struct Client {
    number: u64,
    books: Books,
    players: Arc<Vec<PlayerId>>,
    model: Shared,
    chance: Chance,
}

impl Client {
    fn player(&mut self) -> PlayerId {
        self.players[self.chance.below(PLAYERS as u64) as usize]
    }

    fn count<T>(&self, answer: &Result<T, Error>, change: impl FnOnce(&mut Model)) {
        let mut model = self.model.lock().unwrap();
        if answer.is_ok() {
            model.accepted += 1;
            change(&mut model);
        } else {
            model.refused += 1;
        }
    }

    async fn run(mut self) {
        for round in 0..ROUNDS {
            self.pay(round).await;
            self.play(round).await;
        }
    }

    /// Money comes or goes, also more than there is.
    async fn pay(&mut self, round: u64) {
        let player = self.player();
        let amount = i64::try_from(self.chance.below(400)).unwrap() - 150;
        let amount = if amount == 0 { 1 } else { amount };
        let key = format!("pay/{}/{round}", self.number);
        let answer = insist(async || deposit(&self.books, &key, player, amount).await).await;
        self.count(&answer, |model| *model.wallets.entry(player).or_default() += amount);
    }

    /// Two players sit down, play some hands and leave.
    async fn play(&mut self, round: u64) {
        let table = TableId::random();
        let mut seats: Vec<(PlayerId, HoldId, i64)> = Vec::new();
        for seat in 0..2 {
            let player = self.player();
            let stack = 1 + i64::try_from(self.chance.below(100)).unwrap();
            if seats.iter().any(|(other, ..)| *other == player) {
                continue;
            }
            let key = format!("hold/{}/{round}/{seat}", self.number);
            let answer = insist(async || hold(&self.books, &key, table, player, stack).await).await;
            self.count(&answer, |model| *model.wallets.entry(player).or_default() -= stack);
            if let Ok(id) = answer {
                self.model.lock().unwrap().stacks.insert(id, stack);
                seats.push((player, id, stack));
            }
        }
        if let [first, second] = seats.as_mut_slice() {
            for number in 1..=3 {
                let won = i64::try_from(self.chance.below(60)).unwrap() - 30;
                self.hand(table, number, (first, won), (second, -won)).await;
            }
        }
        // A table in four stays open.
        if self.chance.below(4) == 0 {
            return;
        }
        for (player, id, stack) in seats {
            let key = format!("release/{id}");
            let answer = insist(async || release(&self.books, &key, id, stack).await).await;
            assert!(answer.is_ok(), "{answer:?}");
            self.count(&answer, |model| {
                *model.wallets.entry(player).or_default() += stack;
                model.stacks.remove(&id);
            });
        }
    }

    async fn hand(
        &mut self,
        table: TableId,
        number: u64,
        first: (&mut (PlayerId, HoldId, i64), i64),
        second: (&mut (PlayerId, HoldId, i64), i64),
    ) {
        let play = |(seat, change): &(&mut (PlayerId, HoldId, i64), i64)| Play {
            player: seat.0,
            hold: Some(seat.1),
            change: *change,
        };
        let script = Script::new(table, number, vec![play(&first), play(&second)]);
        let answer = insist(async || script.post(&self.books).await).await;
        let enough = first.0.2 + first.1 >= 0 && second.0.2 + second.1 >= 0;
        assert_eq!(answer.is_ok(), enough, "{answer:?}");
        self.count(&answer, |_| {});
        if answer.is_ok() {
            for (seat, change) in [first, second] {
                seat.2 += change;
                self.model.lock().unwrap().stacks.insert(seat.1, seat.2);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_connections_neither_lose_nor_double_money() {
    let Some(sandbox) = Sandbox::postgres().await else { return };
    // Two processes, as after a scale-out.
    let proxy = Proxy::start(&sandbox.url, 7).await;
    let shutdown = Shutdown::new();
    let direct = sandbox.books(&shutdown).await;
    let processes = [
        sandbox.at(&proxy.url).books(&shutdown).await,
        sandbox.at(&proxy.url).books(&shutdown).await,
    ];
    proxy.break_things(true);
    let players: Arc<Vec<_>> = Arc::new((0..PLAYERS).map(|_| PlayerId::random()).collect());
    let model = Shared::default();
    let clients = (0..CLIENTS).map(|number| {
        let client = Client {
            number,
            books: processes[(number % 2) as usize].clone(),
            players: Arc::clone(&players),
            model: Arc::clone(&model),
            chance: Chance::new(number),
        };
        client.run()
    });
    let all = futures_util::future::join_all(clients);
    tokio::time::timeout(Duration::from_secs(120), all).await.unwrap();
    proxy.break_things(false);

    for cut in [Cut::BeforeCommit, Cut::AfterCommit, Cut::Elsewhere] {
        assert!(proxy.cuts(cut) >= 3, "{cut:?}: {}", proxy.cuts(cut));
    }
    let model = std::mem::take(&mut *model.lock().unwrap());
    assert!(model.accepted > 1_000 && model.refused > 50, "{} {}", model.accepted, model.refused);
    let audit = direct.reconcile().await.unwrap();
    assert!(audit.sound(), "{audit:?}");
    for player in players.iter() {
        let balance = direct.balance(*player).await.unwrap();
        assert_eq!(balance.wallet.0, model.wallets.get(player).copied().unwrap_or(0));
    }
    let mut page = parlor_settlement::page::PageRequest::default();
    let mut stacks = BTreeMap::new();
    loop {
        let holds = direct.open_holds(None, &page).await.unwrap();
        stacks.extend(holds.rows.iter().map(|hold| (hold.id, hold.amount.0)));
        if holds.next.is_empty() {
            break;
        }
        page.token = holds.next;
    }
    assert_eq!(stacks, model.stacks);
    assert!(!stacks.is_empty());
    drop((direct, processes));
    shutdown.finished(Duration::from_secs(20)).await.unwrap();
    sandbox.remove().await;
}
