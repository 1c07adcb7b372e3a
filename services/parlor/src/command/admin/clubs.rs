//! Room cards of clubs, for operators.

use std::process::ExitCode;

use clap::Args;
use parlor_common::{Failure, TableId};
use parlor_proto::gateway::v1::GrantClubCardsRequest;
use parlor_proto::gateway::v1::admin_service_client::AdminServiceClient;
use serde_json::json;

use crate::tool::reach::Reach;

#[derive(Debug, Args)]
pub struct Cards {
    /// The club's id, which its members see
    club: String,
    /// Cards, not 0
    #[arg(allow_negative_numbers = true)]
    cards: i64,
    /// Why, for the club's card book and the record
    #[arg(long, default_value = "correction")]
    note: String,
    /// Names the grant: with the same key it is never made twice. By default a new one, which is
    /// printed
    #[arg(long)]
    key: Option<String>,
}

impl Cards {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let key = self.key.unwrap_or_else(|| format!("admin/{}", TableId::random()));
        let request = GrantClubCardsRequest {
            idempotency_key: key.clone(),
            club_id: self.club,
            cards: self.cards,
            reason: self.note,
        };
        let mut client = AdminServiceClient::new(reach.gateway_admin()?);
        // Before the call, so that a call that is lost can be repeated with the same key.
        eprintln!("{}", json!({ "key": key }));
        let granted = client.grant_club_cards(request).await.map_err(Failure::from)?.into_inner();
        println!("{}", json!({ "balance": granted.balance }));
        Ok(ExitCode::SUCCESS)
    }
}
