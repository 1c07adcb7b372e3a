//! The ledger with players' wallets outside.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parlor_common::{Clock, HoldId, PlayerId, TableId};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::Error;
use crate::ledger::Ledger;
use crate::money::{
    Chips, Debit, Hold, Receipt, Request, Staked, Submission, Transfer, TransferKind, TransferState,
};
use crate::page::{Page, PageRequest};
use crate::store::{Audit, Balance, Begun, Conclusion, OpenHold, StatementLine, Transfers};
use crate::wallet::provider::{Answer, Provider, Refusal};

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long a player waits for a buy-in before the courier goes on alone.
    pub patience: Duration,
    /// The first pause between two tries; each is twice the one before.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
    /// How long a process that has begun a step may be silent before another one takes it over. It
    /// must exceed the longest wait for an answer.
    pub lease: Duration,
}

impl Timing {
    /// The first pause between two tries.
    const FIRST_PAUSE: Duration = Duration::from_millis(200);
    /// The longest pause.
    const LONGEST_PAUSE: Duration = Duration::from_mins(1);
    /// What a lease has beyond the longest wait for an answer: for the database.
    const MARGIN: Duration = Duration::from_secs(15);

    /// The timing for players who wait for `patience` and answers that take up to `timeout`.
    #[must_use]
    pub const fn new(patience: Duration, timeout: Duration) -> Self {
        Self {
            patience,
            first_pause: Self::FIRST_PAUSE,
            longest_pause: Self::LONGEST_PAUSE,
            lease: timeout.saturating_add(Self::MARGIN),
        }
    }
}

/// How a step has ended, for whoever waits for it.
#[derive(Debug)]
pub(super) enum Ended {
    /// The hold is in the ledger.
    Held(Receipt),
    /// The operator was told.
    Told,
    /// The operator has said no.
    No(Refusal),
    /// The ledger has said no; the money goes back.
    GivenBack(Error),
    /// Not yet.
    Open(String),
}

/// The ledger with players' wallets at an operator's. Cheap to clone.
#[derive(Clone)]
pub struct Custody {
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) transfers: Arc<dyn Transfers>,
    pub(super) provider: Arc<dyn Provider>,
    pub(super) clock: Clock,
    pub(super) timing: Timing,
    pub(super) work: Arc<Notify>,
}

impl Custody {
    /// Keeps what is at tables in `ledger`, and asks `provider` for the rest.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn Ledger>,
        transfers: Arc<dyn Transfers>,
        provider: Arc<dyn Provider>,
        clock: Clock,
        timing: Timing,
    ) -> Self {
        Self { ledger, transfers, provider, clock, timing, work: Arc::default() }
    }

    pub(super) fn after(&self, wait: Duration) -> i64 {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        self.clock.now_ms().saturating_add(wait_ms)
    }

    async fn hold(&self, submission: &Submission, hold: &Hold) -> Result<Receipt, Error> {
        let key = submission.key().clone();
        let debit = Debit {
            hold: HoldId::of(key.as_str()),
            key,
            table: hold.table(),
            player: hold.player(),
            amount: hold.amount(),
        };
        let until_ms = self.after(self.timing.patience + self.timing.lease);
        let transfer = match self.transfers.begin(&debit, self.clock.now_ms(), until_ms).await? {
            Begun::Pending(transfer) | Begun::Paid(transfer) => transfer,
            Begun::Busy => return Err(Error::Unavailable),
            Begun::Conflict => return Err(Error::IdempotencyConflict),
        };
        self.insist(transfer).await
    }

    /// Goes on with a buy-in until its end is known or the player has waited long enough.
    async fn insist(&self, transfer: Transfer) -> Result<Receipt, Error> {
        let started = Instant::now();
        let mut pause = self.timing.first_pause;
        loop {
            let why = match self.step(&transfer).await? {
                Ended::Held(receipt) => return Ok(receipt),
                Ended::No(Refusal::InsufficientFunds(available)) => {
                    let available = available.unwrap_or_default();
                    return Err(Error::InsufficientFunds { available });
                }
                Ended::No(Refusal::Other(name)) => return Err(Error::WalletRefused(name)),
                Ended::GivenBack(error) => return Err(error),
                Ended::Told => return Err(Error::Internal),
                Ended::Open(why) => why,
            };
            if started.elapsed() + pause >= self.timing.patience {
                let due_ms = self.after(pause);
                let later = Conclusion::Later { why, due_ms };
                self.transfers.conclude(&transfer, &later, self.clock.now_ms()).await?;
                return Err(Error::Unavailable);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(self.timing.longest_pause);
        }
    }

    /// Takes the next step of a transfer once.
    pub(super) async fn step(&self, transfer: &Transfer) -> Result<Ended, Error> {
        if matches!(transfer.state, TransferState::Paid | TransferState::Done) {
            return self.enter(transfer).await;
        }
        let answer = self.provider.order(transfer).await;
        let now_ms = self.clock.now_ms();
        match (transfer.kind, answer) {
            (_, Answer::Unknown(why)) => Ok(Ended::Open(why)),
            (TransferKind::Debit, Answer::Yes(number)) => {
                let paid = Conclusion::Paid(number.clone());
                if self.transfers.conclude(transfer, &paid, now_ms).await? {
                    let paid = Transfer { state: TransferState::Paid, ..transfer.clone() };
                    return self.enter(&paid).await;
                }
                self.late(transfer, number).await
            }
            (TransferKind::Debit, Answer::No(refusal)) => {
                let refused = Conclusion::Refused(refusal.name().to_owned());
                let first = self.transfers.conclude(transfer, &refused, now_ms).await?;
                // Somebody else got another answer; theirs counts, and is found by asking again.
                Ok(if first { Ended::No(refusal) } else { Ended::Open("answered twice".into()) })
            }
            (_, Answer::Yes(number)) => {
                self.transfers.conclude(transfer, &Conclusion::Done(number), now_ms).await?;
                Ok(Ended::Told)
            }
            // Money that is owed is not forgotten because it is refused.
            (_, Answer::No(refusal)) => {
                let (order, why) = (transfer.order_key(), refusal.name());
                tracing::error!(order, why, "the operator's wallet refuses a payout");
                Ok(Ended::Open(why.to_owned()))
            }
        }
    }

    /// The operator has taken a buy-in that somebody else has concluded in the meantime.
    async fn late(&self, transfer: &Transfer, number: String) -> Result<Ended, Error> {
        let now_ms = self.clock.now_ms();
        match self.transfers.state(transfer).await? {
            // It was refused to the player: the money goes back.
            Some(TransferState::Refused) => {
                let refused = Transfer { state: TransferState::Refused, ..transfer.clone() };
                let why = format!("taken after it was refused: {number}");
                self.transfers.conclude(&refused, &Conclusion::GiveBack(why), now_ms).await?;
                self.work.notify_one();
                Ok(Ended::GivenBack(Error::Unavailable))
            }
            Some(state @ (TransferState::Paid | TransferState::Done)) => {
                self.enter(&Transfer { state, ..transfer.clone() }).await
            }
            Some(TransferState::Pending) | None => Ok(Ended::Open("answered twice".into())),
        }
    }

    /// Enters the hold of a buy-in that the operator has taken.
    async fn enter(&self, transfer: &Transfer) -> Result<Ended, Error> {
        let hold = Hold::new(transfer.table, transfer.player, Staked::Outside, transfer.amount)?;
        let submission = Submission::new(transfer.key.clone(), Request::Hold(hold))?;
        let now_ms = self.clock.now_ms();
        match self.ledger.submit(submission).await {
            Ok(receipt) => {
                if transfer.state == TransferState::Paid {
                    let done = Conclusion::Done(receipt.transaction.to_string());
                    self.transfers.conclude(transfer, &done, now_ms).await?;
                }
                Ok(Ended::Held(receipt))
            }
            Err(error @ (Error::Unavailable | Error::Busy)) => Ok(Ended::Open(error.to_string())),
            Err(error) => {
                let back = Conclusion::GiveBack(error.to_string());
                self.transfers.conclude(transfer, &back, now_ms).await?;
                self.work.notify_one();
                Ok(Ended::GivenBack(error))
            }
        }
    }
}

#[async_trait]
impl Ledger for Custody {
    async fn submit(&self, submission: Submission) -> Result<Receipt, Error> {
        match submission.request() {
            Request::Hold(hold) if hold.staked() == Staked::Player => {
                self.hold(&submission, hold).await
            }
            Request::Deposit(_) => Err(Error::WalletElsewhere),
            Request::Release(_) => {
                let receipt = self.ledger.submit(submission).await;
                self.work.notify_one();
                receipt
            }
            Request::Hold(_) | Request::PostHand(_) | Request::Reverse(_) => {
                self.ledger.submit(submission).await
            }
        }
    }

    async fn balance(&self, player: PlayerId) -> Result<Balance, Error> {
        let held = self.ledger.balance(player).await?.held;
        let wallet: Chips = self.provider.balance(player).await.map_err(|why| {
            tracing::warn!(%why, "the operator's wallet does not tell a balance");
            Error::Unavailable
        })?;
        Ok(Balance { wallet, held })
    }

    async fn entries(
        &self,
        player: PlayerId,
        page: &PageRequest,
    ) -> Result<Page<StatementLine>, Error> {
        self.ledger.entries(player, page).await
    }

    async fn open_holds(
        &self,
        table: Option<TableId>,
        page: &PageRequest,
    ) -> Result<Page<OpenHold>, Error> {
        self.ledger.open_holds(table, page).await
    }

    async fn reconcile(&self) -> Result<Audit, Error> {
        self.ledger.reconcile().await
    }
}
