//! Which hands were played, asked of the settlement service's history.

use std::time::Duration;

use async_trait::async_trait;
use parlor_common::client::PeerChannel;
use parlor_common::{Code, Failure, HandId, TableId};
use parlor_proto::settlement::v1::GetHandRequest;
use parlor_proto::settlement::v1::history_service_client::HistoryServiceClient;
use tonic::Request;

/// Longest wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Largest hand that is read.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// Knows which hands were played.
#[async_trait]
pub trait PlayedHands: Send + Sync + 'static {
    /// Whether the first hand of a table is in the books. Asked of tables that are no more.
    async fn first_hand_played(&self, table: TableId) -> Result<bool, Failure>;
}

/// No history is kept: without a settlement service.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHistory;

#[async_trait]
impl PlayedHands for NoHistory {
    async fn first_hand_played(&self, _table: TableId) -> Result<bool, Failure> {
        Ok(false)
    }
}

/// The history that the settlement service keeps.
#[derive(Clone, Debug)]
pub struct SettlementHands {
    channel: PeerChannel,
}

impl SettlementHands {
    /// Asks the settlement service behind this channel.
    #[must_use]
    pub const fn new(channel: PeerChannel) -> Self {
        Self { channel }
    }
}

#[async_trait]
impl PlayedHands for SettlementHands {
    async fn first_hand_played(&self, table: TableId) -> Result<bool, Failure> {
        let hand_id = HandId { table, number: 1 }.to_string();
        let mut request = Request::new(GetHandRequest { hand_id, player_id: String::new() });
        request.set_timeout(TIMEOUT);
        let mut client = HistoryServiceClient::new(self.channel.clone())
            .max_decoding_message_size(MAX_ANSWER_BYTES);
        match client.get_hand(request).await.map_err(Failure::from) {
            Ok(_) => Ok(true),
            Err(failure) if failure.code == Code::NotFound => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}
