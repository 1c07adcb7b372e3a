//! `LedgerService`.

use std::sync::Arc;

use parlor_common::Failure;
use parlor_proto::settlement::v1 as proto;
use parlor_proto::settlement::v1::ledger_service_server::LedgerService;
use tonic::{Request, Response, Status};
use tracing::instrument;

use crate::ledger::{Ledger, hold_of};
use crate::money::{Receipt, Submission};
use crate::page::PageRequest;
use crate::wire;

/// `LedgerService` over a [`Ledger`].
#[derive(Clone)]
pub struct LedgerApi {
    ledger: Arc<dyn Ledger>,
}

impl LedgerApi {
    /// The service over `ledger`.
    #[must_use]
    pub fn new(ledger: Arc<dyn Ledger>) -> Self {
        Self { ledger }
    }

    async fn submit(&self, submission: Result<Submission, Failure>) -> Result<Receipt, Failure> {
        Ok(self.ledger.submit(submission?).await?)
    }
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl LedgerService for LedgerApi {
    #[instrument(skip_all, fields(player = request.get_ref().player_id))]
    async fn get_balance(
        &self,
        request: Request<proto::GetBalanceRequest>,
    ) -> Answer<proto::GetBalanceResponse> {
        let player = request.get_ref().player_id.parse()?;
        let balance = self.ledger.balance(player).await.map_err(Failure::from)?;
        let (balance, held) = (balance.wallet.0, balance.held.0);
        Ok(Response::new(proto::GetBalanceResponse { balance, held }))
    }

    #[instrument(skip_all, fields(key = request.get_ref().idempotency_key))]
    async fn deposit(
        &self,
        request: Request<proto::DepositRequest>,
    ) -> Answer<proto::DepositResponse> {
        let receipt = self.submit(wire::deposit(request.get_ref())).await?;
        Ok(Response::new(proto::DepositResponse {
            transaction_id: receipt.transaction.to_string(),
            balance: receipt.balance.0,
        }))
    }

    #[instrument(skip_all, fields(key = request.get_ref().idempotency_key))]
    async fn hold(&self, request: Request<proto::HoldRequest>) -> Answer<proto::HoldResponse> {
        let submission = wire::hold(request.get_ref())?;
        let hold_id = hold_of(&submission).to_string();
        let receipt = self.submit(Ok(submission)).await?;
        let transaction_id = receipt.transaction.to_string();
        Ok(Response::new(proto::HoldResponse { hold_id, transaction_id }))
    }

    #[instrument(skip_all, fields(key = request.get_ref().idempotency_key))]
    async fn post_hand(
        &self,
        request: Request<proto::PostHandRequest>,
    ) -> Answer<proto::PostHandResponse> {
        let receipt = self.submit(wire::post_hand(request.into_inner())).await?;
        let transaction_id = receipt.transaction.to_string();
        Ok(Response::new(proto::PostHandResponse { transaction_id }))
    }

    #[instrument(skip_all, fields(key = request.get_ref().idempotency_key))]
    async fn release(
        &self,
        request: Request<proto::ReleaseRequest>,
    ) -> Answer<proto::ReleaseResponse> {
        let receipt = self.submit(wire::release(request.get_ref())).await?;
        Ok(Response::new(proto::ReleaseResponse {
            transaction_id: receipt.transaction.to_string(),
            balance: receipt.balance.0,
        }))
    }

    #[instrument(skip_all, fields(key = request.get_ref().idempotency_key))]
    async fn reverse(
        &self,
        request: Request<proto::ReverseRequest>,
    ) -> Answer<proto::ReverseResponse> {
        let receipt = self.submit(wire::reverse(request.get_ref())).await?;
        let transaction_id = receipt.transaction.to_string();
        Ok(Response::new(proto::ReverseResponse { transaction_id }))
    }

    #[instrument(skip_all, fields(player = request.get_ref().player_id))]
    async fn list_entries(
        &self,
        request: Request<proto::ListEntriesRequest>,
    ) -> Answer<proto::ListEntriesResponse> {
        let proto::ListEntriesRequest { player_id, page_size, page_token } = request.into_inner();
        let page = PageRequest { size: page_size, token: page_token };
        let player = player_id.parse()?;
        let page = self.ledger.entries(player, &page).await.map_err(Failure::from)?;
        let entries = page.rows.into_iter().map(wire::entry).collect();
        let next_page_token = page.next;
        Ok(Response::new(proto::ListEntriesResponse { entries, next_page_token }))
    }

    #[instrument(skip_all)]
    async fn reconcile(
        &self,
        _: Request<proto::ReconcileRequest>,
    ) -> Answer<proto::ReconcileResponse> {
        let audit = self.ledger.reconcile().await.map_err(Failure::from)?;
        Ok(Response::new(wire::audit(&audit)))
    }

    #[instrument(skip_all, fields(table = request.get_ref().table_id))]
    async fn list_holds(
        &self,
        request: Request<proto::ListHoldsRequest>,
    ) -> Answer<proto::ListHoldsResponse> {
        let proto::ListHoldsRequest { table_id, page_size, page_token } = request.into_inner();
        let page = PageRequest { size: page_size, token: page_token };
        let table = if table_id.is_empty() { None } else { Some(table_id.parse()?) };
        let page = self.ledger.open_holds(table, &page).await.map_err(Failure::from)?;
        let holds = page.rows.iter().map(wire::open_hold).collect();
        let next_page_token = page.next;
        Ok(Response::new(proto::ListHoldsResponse { holds, next_page_token }))
    }
}
