//! The ledger's database in memory, around the rules that every database of the ledger runs.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use parlor_common::{HandId, HoldId, PlayerId, TableId};
use parlor_settlement::boards::{Board, Rating, Standing};
use parlor_settlement::money::{
    Account, Book, Changes, Chips, Debit, Hand, Head, HoldState, Key, Pages, Posted, Submission,
    Transaction, Transfer, TransferState, Wanted,
};
use parlor_settlement::store::{
    Audit, Balance, Begun, Conclusion, OpenHold, Results, Seed, StatementLine, Store, StoreError,
    StoredHand, StoredSummary, Transfers,
};

use super::life::Way;
use super::mutation::Mutation;
use super::oracle::Oracle;

/// A hold with the transaction that opened it.
type Opened = (HoldState, u64, i64);

struct State {
    head: Head,
    journal: Vec<Transaction>,
    posted: BTreeMap<String, Posted>,
    holds: BTreeMap<HoldId, Opened>,
    balances: BTreeMap<Account, Chips>,
    hands: BTreeMap<HandId, Arc<Hand>>,
    seeds: BTreeMap<HandId, Seed>,
    audited: Option<(i64, Audit)>,
}

/// The database, which outlives every process.
pub struct Vault {
    state: Mutex<State>,
    oracle: Arc<Oracle>,
    mutation: Option<Mutation>,
}

impl Vault {
    /// An empty ledger.
    pub fn new(oracle: Arc<Oracle>, mutation: Option<Mutation>) -> Self {
        let state = State {
            head: Head::GENESIS,
            journal: Vec::new(),
            posted: BTreeMap::new(),
            holds: BTreeMap::new(),
            balances: BTreeMap::new(),
            hands: BTreeMap::new(),
            seeds: BTreeMap::new(),
            audited: None,
        };
        Self { state: Mutex::new(state), oracle, mutation }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a batch in one step.
    pub fn write(&self, batch: &[Arc<Submission>], now_ms: i64) -> Results {
        let mut state = self.state();
        let mut book = state.book(batch, self.mutation);
        let results = batch.iter().map(|one| book.enter(one, now_ms)).collect();
        let (changes, _) = book.close();
        self.oracle.entered(&changes);
        state.save(changes);
        results
    }

    fn balance(&self, player: PlayerId) -> Balance {
        let state = self.state();
        let held = state.holds.values().filter(|(hold, ..)| hold.open && hold.player == player);
        let stacks = held.map(|(hold, ..)| state.on(Account::Stack(hold.id)).0);
        Balance { wallet: state.on(Account::Wallet(player)), held: Chips(stacks.sum()) }
    }

    /// Stacks in play, oldest first.
    pub fn open_holds(&self) -> Vec<OpenHold> {
        let state = self.state();
        let open = |(hold, opened, opened_ms): &Opened| {
            hold.open.then(|| OpenHold {
                id: hold.id,
                table: hold.table,
                player: hold.player,
                amount: state.on(Account::Stack(hold.id)),
                opened: *opened,
                opened_ms: *opened_ms,
            })
        };
        let mut holds: Vec<OpenHold> = state.holds.values().filter_map(open).collect();
        holds.sort_by_key(|hold| hold.opened);
        holds
    }

    /// Checks the whole ledger, from its first entry on.
    pub fn audit(&self) -> Audit {
        let state = self.state();
        let accounts = u64::try_from(state.balances.len()).unwrap_or(u64::MAX);
        let mut audit = Audit { accounts, ..Audit::default() };
        let (mut sums, mut previous) = (BTreeMap::<Account, i128>::new(), Head::GENESIS);
        for transaction in &state.journal {
            let mut sum = 0_i128;
            for posting in &transaction.postings {
                sum += i128::from(posting.amount.0);
                *sums.entry(posting.account).or_default() += i128::from(posting.amount.0);
                audit.entries += 1;
            }
            audit.sum += sum;
            audit.unbalanced += u64::from(sum != 0);
            let follows = transaction.seq == previous.seq + 1
                && transaction.link == transaction.link_after(&previous.link);
            audit.broken_links += u64::from(!follows);
            let Transaction { seq, time_ms, link, .. } = *transaction;
            previous = Head { seq, time_ms, link };
        }
        for (account, balance) in &state.balances {
            let sum = sums.get(account).copied().unwrap_or_default();
            audit.mismatches += u64::from(sum != i128::from(balance.0));
            let overdrawn = balance.0 < 0 && !account.may_be_negative();
            audit.overdrawn += u64::from(overdrawn);
        }
        audit
    }
}

impl State {
    fn on(&self, account: Account) -> Chips {
        self.balances.get(&account).copied().unwrap_or_default()
    }

    /// The pages that a batch needs.
    fn book(&self, batch: &[Arc<Submission>], mutation: Option<Mutation>) -> Book {
        let wanted = Wanted::of(batch.iter().map(|one| &**one));
        let known = |key: &Key| Some((key.clone(), *self.posted.get(key.as_str())?));
        let mut posted: HashMap<Key, Posted> = wanted.keys.iter().filter_map(known).collect();
        if mutation == Some(Mutation::LedgerKeysForgotten) {
            posted.clear();
        }
        let mut pages = Pages::default();
        let held = |id: HoldId| Some(self.holds.get(&id)?.0);
        pages.add_holds(pages.missing_holds(&wanted).into_iter().filter_map(held));
        let missing = pages.missing_accounts(wanted);
        let balance = |account: &Account| Some((*account, *self.balances.get(account)?));
        pages.add_balances(&missing, missing.iter().filter_map(balance).collect());
        Book::new(self.head, posted, HashMap::new(), pages)
    }

    fn save(&mut self, changes: Changes) {
        for transaction in &changes.transactions {
            let Transaction { seq, body, balance, .. } = *transaction;
            let posted = Posted { seq, body, balance };
            self.posted.insert(transaction.key.as_str().to_owned(), posted);
        }
        self.journal.extend(changes.transactions);
        self.balances.extend(changes.balances);
        for opened in changes.opened {
            self.holds.insert(opened.0.id, opened);
        }
        for (id, _) in changes.closed {
            if let Some((hold, ..)) = self.holds.get_mut(&id) {
                hold.open = false;
            }
        }
        for (_, _, hand) in changes.hands {
            self.hands.insert(hand.summary().id, hand);
        }
        self.head = changes.head;
    }
}

/// One process's way to the ledger's database.
#[derive(Clone)]
pub struct Counter {
    /// What it leads to.
    pub vault: Arc<Vault>,
    /// The way.
    pub way: Way,
}

impl fmt::Debug for Counter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Counter")
    }
}

impl Counter {
    async fn call<T: Send + 'static>(
        &self,
        what: &str,
        effect: impl FnOnce(&Vault) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let vault = Arc::clone(&self.vault);
        let done = self.way.call(what, Box::pin(async move { effect(&vault) })).await;
        done.ok_or_else(|| StoreError::Unavailable("no answer".into()))
    }
}

/// What no simulated process asks of the ledger.
fn not_kept<T>() -> Result<T, StoreError> {
    Err(StoreError::Fault("the simulated ledger keeps no such thing".into()))
}

#[async_trait]
impl Store for Counter {
    async fn write(&self, batch: &[Arc<Submission>], now_ms: i64) -> Result<Results, StoreError> {
        let batch = batch.to_vec();
        self.call("ledger write", move |vault| vault.write(&batch, now_ms)).await
    }

    async fn last(&self) -> Result<u64, StoreError> {
        self.call("ledger last", |vault| vault.state().head.seq).await
    }

    async fn balance(&self, player: PlayerId) -> Result<Balance, StoreError> {
        self.call("ledger balance", move |vault| vault.balance(player)).await
    }

    async fn entries(&self, _: PlayerId, _: u64, _: u32) -> Result<Vec<StatementLine>, StoreError> {
        not_kept()
    }

    async fn open_holds(
        &self,
        table: Option<TableId>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<OpenHold>, StoreError> {
        let holds = self.call("ledger holds", |vault| vault.open_holds()).await?;
        let wanted =
            |hold: &OpenHold| hold.opened > after && table.is_none_or(|table| hold.table == table);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(holds.into_iter().filter(wanted).take(limit).collect())
    }

    async fn hand(
        &self,
        hand: HandId,
        player: Option<PlayerId>,
    ) -> Result<Option<StoredHand>, StoreError> {
        let stored = move |vault: &Vault| {
            let state = vault.state();
            let (hand, seed) = (state.hands.get(&hand)?, state.seeds.get(&hand).copied());
            let mut seats = hand.summary().seats.iter();
            let took_part = player.is_none_or(|player| seats.any(|seat| seat.player == player));
            let (record, digest) = (hand.record().clone(), Some(hand.digest()));
            took_part.then_some(StoredHand { record, digest, seed })
        };
        self.call("ledger hand", stored).await
    }

    async fn save_seeds(&self, seeds: &[(HandId, Seed)]) -> Result<(), StoreError> {
        let seeds = seeds.to_vec();
        let saved = move |vault: &Vault| {
            let mut state = vault.state();
            for (hand, seed) in seeds {
                state.seeds.entry(hand).or_insert(seed);
            }
        };
        self.call("ledger seeds", saved).await
    }

    async fn hands(
        &self,
        _: PlayerId,
        _: Option<&str>,
        _: u64,
        _: u32,
    ) -> Result<Vec<StoredSummary>, StoreError> {
        not_kept()
    }

    async fn results(
        &self,
        _: u64,
        _: Option<&str>,
        _: u32,
    ) -> Result<Vec<StoredSummary>, StoreError> {
        not_kept()
    }

    async fn derive(&self, _: u32) -> Result<u32, StoreError> {
        // Nobody looks at ratings and boards here.
        Ok(0)
    }

    async fn rating(&self, _: PlayerId, _: &str) -> Result<Option<Rating>, StoreError> {
        Ok(None)
    }

    async fn board(&self, _: &Board, _: u32) -> Result<Vec<Standing>, StoreError> {
        Ok(Vec::new())
    }

    async fn audit(&self) -> Result<Audit, StoreError> {
        self.call("ledger audit", Vault::audit).await
    }

    async fn note_audit(&self, audit: &Audit, finished_ms: i64) -> Result<(), StoreError> {
        let audit = *audit;
        let noted = move |vault: &Vault| vault.state().audited = Some((finished_ms, audit));
        self.call("ledger audit's note", noted).await
    }

    async fn last_audit(&self) -> Result<Option<(i64, Audit)>, StoreError> {
        self.call("ledger last audit", |vault| vault.state().audited).await
    }
}

/// No operator keeps a wallet outside of this ledger.
#[async_trait]
impl Transfers for Counter {
    async fn begin(&self, _: &Debit, _: i64, _: i64) -> Result<Begun, StoreError> {
        not_kept()
    }

    async fn claim(&self, _: u32, _: i64, _: i64) -> Result<Vec<Transfer>, StoreError> {
        Ok(Vec::new())
    }

    async fn conclude(&self, _: &Transfer, _: &Conclusion, _: i64) -> Result<bool, StoreError> {
        not_kept()
    }

    async fn state(&self, _: &Transfer) -> Result<Option<TransferState>, StoreError> {
        Ok(None)
    }

    async fn unfinished(&self) -> Result<u64, StoreError> {
        Ok(0)
    }
}
