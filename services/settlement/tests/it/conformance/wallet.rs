use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use parlor_common::{Clock, HoldId, PlayerId, Shutdown, TableId};
use parlor_settlement::Error;
use parlor_settlement::books::Books;
use parlor_settlement::ledger::Ledger;
use parlor_settlement::money::{
    Chips, Deposit, Hold, PostHand, Receipt, Release, Request, Staked, Submission,
};
use parlor_settlement::store::{self, Transfers};
use parlor_settlement::wallet::http::HttpWallet;
use parlor_settlement::wallet::{Custody, Timing};

use crate::chance::Chance;
use crate::echo::Echo;
use crate::operator::{Mood, Operator, TIMEOUT, TOKEN};
use crate::sandbox::Sandbox;
use crate::scene::{Play, Script};

/// How long a caller of these tests goes on asking.
const TRIES: usize = 400;

struct House {
    books: Books,
    custody: Custody,
    transfers: Arc<dyn Transfers>,
    operator: Operator,
    shutdown: Shutdown,
}

impl House {
    async fn open(books: Books, place: &Sandbox, patience: Duration) -> Self {
        let shutdown = Shutdown::new();
        let operator = Operator::start(&shutdown).await;
        let url = operator.url.clone();
        Self::behind(&url, operator, shutdown, books, place, patience).await
    }

    /// A house whose way to the operator is `url`.
    async fn behind(
        url: &str,
        operator: Operator,
        shutdown: Shutdown,
        books: Books,
        place: &Sandbox,
        patience: Duration,
    ) -> Self {
        let store = store::open(&place.url, 4).await.unwrap();
        let wallet = HttpWallet::new(url, &TOKEN.into(), TIMEOUT).unwrap();
        let timing = Timing {
            patience,
            first_pause: Duration::from_millis(5),
            longest_pause: Duration::from_millis(20),
            lease: TIMEOUT * 3,
        };
        let (ledger, transfers): (Arc<dyn Ledger>, Arc<dyn Transfers>) =
            (Arc::new(books.clone()), store);
        let transfers_too = Arc::clone(&transfers);
        let clock = Clock::system();
        let custody = Custody::new(ledger, transfers_too, Arc::new(wallet), clock, timing);
        Self { books, custody, transfers, operator, shutdown }
    }

    fn player(&self, balance: i64) -> PlayerId {
        let player = PlayerId::random();
        self.operator.set(player, balance);
        player
    }

    async fn submit(&self, key: &str, request: Request) -> Result<Receipt, Error> {
        self.custody.submit(Submission::new(key.parse()?, request)?).await
    }

    async fn hold(
        &self,
        key: &str,
        table: TableId,
        player: PlayerId,
        amount: i64,
    ) -> Result<HoldId, Error> {
        let hold = Hold::new(table, player, Staked::Player, Chips(amount))?;
        self.submit(key, Request::Hold(hold)).await?;
        Ok(HoldId::of(key))
    }

    async fn release(&self, hold: HoldId, amount: i64) -> Result<Receipt, Error> {
        let release = Release::new(hold, Chips(amount))?;
        self.submit(&format!("release/{hold}"), Request::Release(release)).await
    }

    async fn held(&self, player: PlayerId) -> i64 {
        self.books.balance(player).await.unwrap().held.0
    }

    /// Works until nothing is left to do.
    async fn finish(&self) {
        let working = async {
            while self.transfers.unfinished().await.unwrap() > 0 {
                self.custody.carry().await;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), working).await.unwrap();
    }

    async fn close(self) {
        assert!(self.books.reconcile().await.unwrap().sound());
        let shutdown = self.shutdown.clone();
        drop(self);
        shutdown.finished(Duration::from_secs(10)).await.unwrap();
    }
}

const PATIENT: Duration = Duration::from_secs(5);
const IMPATIENT: Duration = Duration::from_millis(10);

pub async fn a_buy_in_comes_from_the_operator_and_goes_back(books: Books, place: Arc<Sandbox>) {
    let house = House::open(books, &place, PATIENT).await;
    let (table, a, b) = (TableId::random(), house.player(500), house.player(100));
    let first = house.hold("a", table, a, 200).await.unwrap();
    let second = house.hold("b", table, b, 100).await.unwrap();
    assert_eq!(house.hold("a", table, a, 200).await, Ok(first), "the same request");
    assert_eq!((house.operator.balance_of(a), house.operator.balance_of(b)), (300, 0));
    let balance = house.custody.balance(a).await.unwrap();
    assert_eq!((balance.wallet, balance.held), (Chips(300), Chips(200)));

    let play = |player, hold, change| Play { player, hold: Some(hold), change };
    let mut script = Script::new(table, 1, vec![play(a, first, 95), play(b, second, -100)]);
    script.commission = 5;
    let hand = Arc::new(script.hand().unwrap());
    let post = PostHand::new(script.changes(), Chips(5), hand).unwrap();
    house.submit(&script.id.to_string(), Request::PostHand(post)).await.unwrap();
    house.release(first, 295).await.unwrap();
    house.release(second, 0).await.unwrap();
    house.finish().await;
    assert_eq!((house.operator.balance_of(a), house.operator.balance_of(b)), (595, 0));
    assert_eq!(house.operator.orders("settle"), 2, "also a buy-in of which nothing is left");
    house.close().await;
}

pub async fn a_refused_buy_in_may_be_asked_for_again(books: Books, place: Arc<Sandbox>) {
    let house = House::open(books, &place, PATIENT).await;
    let (table, player) = (TableId::random(), house.player(50));
    let refused = house.hold("a", table, player, 60).await;
    assert_eq!(refused, Err(Error::InsufficientFunds { available: Chips(50) }));
    assert_eq!(house.held(player).await, 0);
    house.operator.set(player, 70);
    house.hold("a", table, player, 60).await.unwrap();
    assert_eq!((house.operator.balance_of(player), house.held(player).await), (10, 60));
    let conflict = house.hold("a", table, player, 61).await;
    assert_eq!(conflict, Err(Error::IdempotencyConflict));
    let stranger = house.hold("b", table, PlayerId::random(), 1).await;
    assert_eq!(stranger, Err(Error::WalletRefused("unknown_player".to_owned())));
    let deposit = Deposit::new(player, Chips(5), "gift".parse().unwrap()).unwrap();
    let elsewhere = house.submit("c", Request::Deposit(deposit)).await;
    assert_eq!(elsewhere, Err(Error::WalletElsewhere));
    house.close().await;
}

pub async fn chips_appear_only_after_a_clear_yes(books: Books, place: Arc<Sandbox>) {
    let house = House::open(books, &place, IMPATIENT).await;
    let table = TableId::random();
    for mood in [Mood::Away, Mood::Boasting, Mood::Confused, Mood::Limited] {
        let player = house.player(100);
        house.operator.be(Some(mood));
        let key = format!("{mood:?}");
        let unknown = house.hold(&key, table, player, 100).await;
        assert_eq!(unknown, Err(Error::Unavailable), "{mood:?}");
        assert_eq!((house.operator.balance_of(player), house.held(player).await), (100, 0));
        house.operator.be(Some(Mood::Honest));
        house.finish().await;
        assert_eq!((house.operator.balance_of(player), house.held(player).await), (0, 100));
        assert_eq!(house.hold(&key, table, player, 100).await, Ok(HoldId::of(&key)));
    }
    house.close().await;
}

pub async fn a_buy_in_that_was_taken_without_a_word_is_found(books: Books, place: Arc<Sandbox>) {
    let house = House::open(books, &place, IMPATIENT).await;
    let table = TableId::random();
    for mood in [Mood::Slow, Mood::DoneAndDenied] {
        let player = house.player(100);
        house.operator.be(Some(mood));
        let key = format!("{mood:?}");
        let unknown = house.hold(&key, table, player, 100).await;
        assert_eq!(unknown, Err(Error::Unavailable), "{mood:?}");
        assert_eq!((house.operator.balance_of(player), house.held(player).await), (0, 0));
        // The process that asked is gone; another one finds what it had begun.
        house.operator.be(Some(Mood::Honest));
        house.finish().await;
        assert_eq!((house.operator.balance_of(player), house.held(player).await), (0, 100));
    }
    house.close().await;
}

pub async fn a_payout_is_owed_until_it_is_taken(books: Books, place: Arc<Sandbox>) {
    let house = House::open(books, &place, PATIENT).await;
    let (table, player) = (TableId::random(), house.player(100));
    let hold = house.hold("a", table, player, 100).await.unwrap();
    house.operator.refuse_payouts(true);
    house.release(hold, 100).await.unwrap();
    for mood in [Mood::Honest, Mood::Away, Mood::Boasting, Mood::DoneAndDenied] {
        house.operator.be(Some(mood));
        tokio::time::sleep(TIMEOUT).await;
        house.custody.carry().await;
        assert_eq!(house.transfers.unfinished().await.unwrap(), 1, "{mood:?}");
        assert_eq!(house.operator.balance_of(player), 0);
    }
    house.operator.be(Some(Mood::Honest));
    house.operator.refuse_payouts(false);
    house.finish().await;
    assert_eq!(house.operator.balance_of(player), 100);
    house.close().await;
}

pub async fn a_buy_in_that_the_ledger_refuses_is_given_back(books: Books, place: Arc<Sandbox>) {
    let house = House::open(books, &place, PATIENT).await;
    let (table, player) = (TableId::random(), house.player(100));
    // The key is taken in the ledger by something that the wallet knows nothing of.
    crate::scene::deposit(&house.books, "a", player, 7).await.unwrap();
    let refused = house.hold("a", table, player, 60).await;
    assert_eq!(refused, Err(Error::IdempotencyConflict));
    house.finish().await;
    assert_eq!((house.operator.balance_of(player), house.held(player).await), (100, 0));
    assert_eq!(house.operator.orders("credit"), 1);
    house.close().await;
}

pub async fn an_operator_that_answers_twice_moves_money_once(books: Books, place: Arc<Sandbox>) {
    const START: i64 = 1_000;
    let shutdown = Shutdown::new();
    let operator = Operator::start(&shutdown).await;
    let echo = Echo::start(&operator.url).await;
    let house = House::behind(&echo.url, operator, shutdown, books, &place, IMPATIENT).await;
    let (a, b) = (house.player(START), house.player(START));
    for round in 1..=5 {
        // The second answer to one question must not be taken for the answer to the next.
        for (player, amount) in [(a, 10 * round), (b, 7 * round), (a, START + 1)] {
            let (key, table) = (format!("{player}/{round}/{amount}"), TableId::random());
            let held = insist(async || house.hold(&key, table, player, amount).await).await;
            let Ok(hold) = held else {
                assert!(amount > START, "{held:?}");
                continue;
            };
            assert!(amount <= START);
            assert_eq!(house.operator.balance_of(player), START - amount, "taken once");
            assert_eq!(house.held(player).await, amount);
            insist(async || house.release(hold, amount).await).await.unwrap();
            house.finish().await;
            assert_eq!(house.operator.balance_of(player), START, "paid out once");
        }
    }
    assert!(echo.answers() >= 25, "{}", echo.answers());
    house.close().await;
}

pub async fn a_refusal_that_holds_the_token_is_not_passed_on(books: Books, place: Arc<Sandbox>) {
    let house = House::open(books, &place, IMPATIENT).await;
    let player = house.player(100);
    house.operator.be(Some(Mood::Leaking));
    let refused = house.hold("a", TableId::random(), player, 60).await;
    assert_eq!(refused, Err(Error::Unavailable), "that is no stable reason");
    house.operator.be(Some(Mood::Honest));
    house.finish().await;
    assert_eq!((house.operator.balance_of(player), house.held(player).await), (40, 60));
    house.close().await;
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub async fn an_operator_in_every_mood_loses_and_doubles_nothing(
    books: Books,
    place: Arc<Sandbox>,
) {
    const PLAYERS: usize = 12;
    const START: i64 = 300;
    let log = Log::default();
    let writer = log.clone();
    // Another test of the same process may have set one; then the log is not looked at.
    let logging = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .try_init()
        .is_ok();
    let house = House::open(books, &place, IMPATIENT).await;
    house.operator.be(None);
    let players: Vec<_> = (0..PLAYERS).map(|_| house.player(START)).collect();
    let house = &house;
    let visits = players.iter().enumerate().map(|(number, player)| async move {
        let mut chance = Chance::new(number as u64);
        for round in 0..4 {
            let amount = 1 + i64::try_from(chance.below(400)).unwrap();
            let key = format!("hold/{player}/{round}");
            let table = TableId::random();
            let held = insist(async || house.hold(&key, table, *player, amount).await).await;
            let Ok(hold) = held else {
                assert!(amount > START, "{held:?}");
                continue;
            };
            assert!(amount <= START);
            let released = insist(async || house.release(hold, amount).await).await;
            released.unwrap();
            // The payout is on its way; the next buy-in needs it.
            house.finish().await;
        }
    });
    futures_util::future::join_all(visits).await;
    house.operator.be(Some(Mood::Honest));
    house.finish().await;
    for player in &players {
        assert_eq!(house.operator.balance_of(*player), START);
        assert_eq!(house.held(*player).await, 0);
    }
    assert!(house.operator.has_shown_every_mood());
    if logging {
        let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        assert!(text.contains("not finished"), "the log has something in it");
        assert!(!text.contains(TOKEN), "the token is in the log");
    }
}

async fn insist<T>(mut ask: impl AsyncFnMut() -> Result<T, Error>) -> Result<T, Error> {
    for _ in 0..TRIES {
        match ask().await {
            Err(Error::Unavailable | Error::Busy) => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            answer => return answer,
        }
    }
    panic!("the operator did not come back");
}
