//! The table service's side of the ledger.

use std::sync::Arc;

use async_trait::async_trait;
use parlor_common::client::PeerChannel;
use parlor_common::{Code, Failure, HoldId, PlayerId, TableId};
use parlor_game::fair::ServerSeed;
use parlor_proto::settlement::v1::history_service_client::HistoryServiceClient;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use parlor_proto::settlement::v1::{
    HandRecord, HoldRequest, PostHandRequest, ReleaseRequest, RevealSeedsRequest, RevealedSeed,
    StackChange,
};
use prost::Message;

/// Something that the ledger is asked to do. It may be asked again: each carries its own key.
#[derive(Clone, Debug)]
pub enum Treasure {
    /// Move a buy-in from a wallet onto a stack.
    Hold {
        /// Idempotency key; names the hold.
        key: String,
        /// The table.
        table: TableId,
        /// Whose wallet.
        player: PlayerId,
        /// Minor units, positive.
        amount: i64,
        /// From the bots' bank.
        bot: bool,
    },
    /// Move chips between stacks, and record the hand.
    PostHand {
        /// Idempotency key.
        key: String,
        /// The table.
        table: TableId,
        /// Change of each hold in minor units.
        changes: Vec<(HoldId, i64)>,
        /// To the house.
        commission: i64,
        /// A serialized `HandRecord`.
        record: Vec<u8>,
    },
    /// Move a stack back to the wallet.
    Release {
        /// Idempotency key.
        key: String,
        /// The hold.
        hold_id: HoldId,
        /// What is left of it.
        amount: i64,
    },
    /// Complete the records of hands that were posted while their seeds were secret.
    Reveal {
        /// The table.
        table: TableId,
        /// Numbers of hands with their server seeds.
        seeds: Vec<(u64, ServerSeed)>,
    },
}

/// Why the ledger has not done it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreasuryError {
    /// It never will; its stable reason.
    #[error("refused: {0}")]
    Refused(String),
    /// Not now, or not known.
    #[error("not available: {0}")]
    Unavailable(String),
}

/// A ledger, as tables see it.
#[async_trait]
pub trait Treasury: Send + Sync + 'static {
    /// Does what is asked, once, however often it is asked.
    async fn settle(&self, request: &Treasure) -> Result<(), TreasuryError>;
}

/// A ledger that many tables share.
pub type SharedTreasury = Arc<dyn Treasury>;

/// The settlement service.
#[derive(Clone, Debug)]
pub struct SettlementTreasury {
    ledger: LedgerServiceClient<PeerChannel>,
    history: HistoryServiceClient<PeerChannel>,
}

impl SettlementTreasury {
    /// The settlement service behind a channel.
    #[must_use]
    pub fn new(channel: PeerChannel) -> Self {
        Self {
            ledger: LedgerServiceClient::new(channel.clone()),
            history: HistoryServiceClient::new(channel),
        }
    }
}

impl SettlementTreasury {
    async fn reveal(
        &self,
        table: TableId,
        seeds: Vec<(u64, ServerSeed)>,
    ) -> Result<(), tonic::Status> {
        let seed = |(hand_no, seed): (u64, ServerSeed)| RevealedSeed {
            hand_no,
            server_seed: seed.0.to_vec().into(),
        };
        let request = RevealSeedsRequest {
            table_id: table.to_string(),
            seeds: seeds.into_iter().map(seed).collect(),
        };
        self.history.clone().reveal_seeds(request).await.map(drop)
    }
}

#[async_trait]
impl Treasury for SettlementTreasury {
    async fn settle(&self, request: &Treasure) -> Result<(), TreasuryError> {
        let mut ledger = self.ledger.clone();
        let done = match request.clone() {
            Treasure::Hold { key, table, player, amount, bot } => ledger
                .hold(HoldRequest {
                    idempotency_key: key,
                    table_id: table.to_string(),
                    player_id: player.to_string(),
                    amount,
                    bot,
                })
                .await
                .map(drop),
            Treasure::PostHand { key, table, changes, commission, record } => {
                let record = HandRecord::decode(record.as_slice())
                    .map_err(|error| TreasuryError::Unavailable(error.to_string()))?;
                let change = |(hold_id, amount): (HoldId, i64)| StackChange {
                    hold_id: hold_id.to_string(),
                    amount,
                };
                ledger
                    .post_hand(PostHandRequest {
                        idempotency_key: key,
                        table_id: table.to_string(),
                        changes: changes.into_iter().map(change).collect(),
                        commission,
                        record: Some(record),
                    })
                    .await
                    .map(drop)
            }
            Treasure::Release { key, hold_id, amount } => ledger
                .release(ReleaseRequest {
                    idempotency_key: key,
                    hold_id: hold_id.to_string(),
                    amount,
                })
                .await
                .map(drop),
            Treasure::Reveal { table, seeds } => self.reveal(table, seeds).await,
        };
        done.map_err(|status| {
            let failure = Failure::from(status);
            match failure.code {
                Code::Precondition | Code::Invalid | Code::NotFound | Code::Denied => {
                    TreasuryError::Refused(failure.reason)
                }
                _ => TreasuryError::Unavailable(failure.to_string()),
            }
        })
    }
}
