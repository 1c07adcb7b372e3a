//! Players, addresses, tables, sessions and the gateway itself, for operators: what `AdminService`
//! offers.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use parlor_common::client::PeerChannel;
use parlor_common::{Failure, PlayerId, TableId, random};
use parlor_gateway::admin::access::{AdminToken, Role};
use parlor_proto::gateway::v1 as pb;
use parlor_proto::gateway::v1::admin_service_client::AdminServiceClient;
use prost::Message;
use serde_json::json;
use tonic::{Response, Status};

use crate::launch::keys;
use crate::tool::json::Messages;
use crate::tool::reach::Reach;

/// Sessions asked for at a time.
const PAGE: u32 = 500;
/// Milliseconds of an hour.
const HOUR_MS: i64 = 3_600_000;

fn client(reach: &Reach) -> anyhow::Result<AdminServiceClient<PeerChannel>> {
    Ok(AdminServiceClient::new(reach.gateway_admin()?))
}

/// Prints an answer as a line of JSON.
fn print<M: Message>(
    messages: &Messages,
    name: &str,
    answer: Result<Response<M>, Status>,
) -> anyhow::Result<ExitCode> {
    let answer = answer.map_err(Failure::from)?.into_inner();
    println!("{}", messages.read(&format!("parlor.gateway.v1.{name}"), &answer.encode_to_vec())?);
    Ok(ExitCode::SUCCESS)
}

/// Look for a player, or act on it
#[derive(Debug, Subcommand)]
pub enum Player {
    /// Where a player is, and whether it is banned or muted
    Find(Who),
    /// End a player's session; it may connect again
    Kick(Why),
    /// End a player's session and let it open no other
    Ban(Imposed),
    /// End a ban
    Unban(Why),
    /// Refuse a player's emotes and quick chat
    Mute(Imposed),
    /// End a mute
    Unmute(Why),
}

#[derive(Debug, Args)]
pub struct Who {
    /// The player's id
    player: PlayerId,
}

#[derive(Debug, Args)]
pub struct Why {
    /// The player's id
    player: PlayerId,
    /// Why, for the record
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
pub struct Imposed {
    /// The player's id
    player: PlayerId,
    /// How many hours from now on; 0: for ever
    #[arg(long)]
    hours: i64,
    /// Why; the player is told
    #[arg(long)]
    reason: String,
}

impl Player {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let (mut client, messages) = (client(reach)?, Messages::new()?);
        match self {
            Self::Find(Who { player }) => {
                let player_id = player.to_string();
                let answer = client.find_player(pb::AdminFindPlayerRequest { player_id }).await;
                print(&messages, "AdminFindPlayerResponse", answer)
            }
            Self::Kick(Why { player, reason }) => {
                let request = pb::KickPlayerRequest { player_id: player.to_string(), reason };
                print(&messages, "KickPlayerResponse", client.kick_player(request).await)
            }
            Self::Ban(Imposed { player, hours, reason }) => {
                let (player_id, duration_ms) = (player.to_string(), hours.saturating_mul(HOUR_MS));
                let request = pb::BanPlayerRequest { player_id, duration_ms, reason };
                print(&messages, "BanPlayerResponse", client.ban_player(request).await)
            }
            Self::Unban(Why { player, reason }) => {
                let request = pb::UnbanPlayerRequest { player_id: player.to_string(), reason };
                print(&messages, "UnbanPlayerResponse", client.unban_player(request).await)
            }
            Self::Mute(Imposed { player, hours, reason }) => {
                let (player_id, duration_ms) = (player.to_string(), hours.saturating_mul(HOUR_MS));
                let request = pb::MutePlayerRequest { player_id, duration_ms, reason };
                print(&messages, "MutePlayerResponse", client.mute_player(request).await)
            }
            Self::Unmute(Why { player, reason }) => {
                let request = pb::UnmutePlayerRequest { player_id: player.to_string(), reason };
                print(&messages, "UnmutePlayerResponse", client.unmute_player(request).await)
            }
        }
    }
}

/// Ban addresses
#[derive(Debug, Subcommand)]
pub enum Address {
    /// Refuse sign-ins and sessions from a network, and end those that run
    Ban {
        /// An address, or a network such as 203.0.113.0/24
        network: String,
        /// How many hours from now on; 0: for ever
        #[arg(long)]
        hours: i64,
        /// Why; those who come from there are told
        #[arg(long)]
        reason: String,
    },
    /// End the ban of a network
    Unban {
        /// As it was banned
        network: String,
        /// Why, for the record
        #[arg(long)]
        reason: String,
    },
    /// The networks that are banned
    List,
}

impl Address {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let (mut client, messages) = (client(reach)?, Messages::new()?);
        match self {
            Self::Ban { network, hours, reason } => {
                let duration_ms = hours.saturating_mul(HOUR_MS);
                let request = pb::BanAddressRequest { network, duration_ms, reason };
                print(&messages, "BanAddressResponse", client.ban_address(request).await)
            }
            Self::Unban { network, reason } => {
                let request = pb::UnbanAddressRequest { network, reason };
                print(&messages, "UnbanAddressResponse", client.unban_address(request).await)
            }
            Self::List => {
                let answer = client.list_address_bans(pb::ListAddressBansRequest {}).await;
                for ban in &answer.map_err(Failure::from)?.into_inner().bans {
                    let name = "parlor.gateway.v1.AddressBan";
                    println!("{}", messages.read(name, &ban.encode_to_vec())?);
                }
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

#[derive(Debug, Args)]
pub struct Sessions {}

impl Sessions {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let (mut client, messages) = (client(reach)?, Messages::new()?);
        let mut page_token = String::new();
        loop {
            let request = pb::ListSessionsRequest { page_size: PAGE, page_token };
            let answer = client.list_sessions(request).await.map_err(Failure::from)?.into_inner();
            for session in &answer.sessions {
                let name = "parlor.gateway.v1.GatewaySession";
                println!("{}", messages.read(name, &session.encode_to_vec())?);
            }
            page_token = answer.next_page_token;
            if page_token.is_empty() {
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
}

#[derive(Debug, Args)]
pub struct Drain {
    /// Why, for the record
    #[arg(long)]
    reason: String,
}

impl Drain {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let answer = client(reach)?.drain(pb::DrainRequest { reason: self.reason }).await;
        print(&Messages::new()?, "DrainResponse", answer)
    }
}

#[derive(Debug, Args)]
pub struct Close {
    /// The table's id
    table: TableId,
    /// Stable reason that its players are told
    #[arg(long, default_value = "closed_by_operator")]
    reason: String,
}

impl Close {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let (table_id, reason) = (self.table.to_string(), self.reason);
        let request = pb::AdminCloseTableRequest { table_id, reason };
        let answer = client(reach)?.close_table(request).await;
        answer.map_err(Failure::from)?;
        println!("{}", json!({ "tableId": self.table.to_string(), "closed": true }));
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub struct Kick {
    /// The table's id
    table: TableId,
    /// The player's id
    player: PlayerId,
    /// Why, for the record
    #[arg(long)]
    reason: String,
}

impl Kick {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let request = pb::RemoveFromTableRequest {
            table_id: self.table.to_string(),
            player_id: self.player.to_string(),
            reason: self.reason,
        };
        let answer = client(reach)?.remove_from_table(request).await;
        let log_seq = answer.map_err(Failure::from)?.into_inner().log_seq;
        println!("{}", json!({ "tableId": self.table.to_string(), "logSeq": log_seq }));
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub struct Deposit {
    /// The player's id
    player: PlayerId,
    /// Minor units, not 0
    #[arg(allow_negative_numbers = true)]
    amount: i64,
    /// Why, for the statement: a-z, 0-9 and _
    #[arg(long, default_value = "correction")]
    reason: String,
    /// Names the deposit: with the same key it is never made twice. By default a new one, which is
    /// printed
    #[arg(long)]
    key: Option<String>,
}

impl Deposit {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let key = self.key.unwrap_or_else(|| format!("admin/{}", random::uuid()));
        let request = pb::AdjustWalletRequest {
            player_id: self.player.to_string(),
            amount: self.amount,
            idempotency_key: key.clone(),
            reason: self.reason,
        };
        // Before the call, so that a call that is lost can be repeated with the same key.
        eprintln!("{}", json!({ "key": key }));
        let answer = client(reach)?.adjust_wallet(request).await;
        print(&Messages::new()?, "AdjustWalletResponse", answer)
    }
}

#[derive(Debug, Args)]
pub struct Audit {
    /// Most entries
    #[arg(long, default_value_t = 100)]
    limit: u32,
}

impl Audit {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let (mut client, messages) = (client(reach)?, Messages::new()?);
        let request = pb::ListAuditRequest { limit: self.limit };
        let answer = client.list_audit(request).await.map_err(Failure::from)?.into_inner();
        for entry in &answer.entries {
            let name = "parlor.gateway.v1.AuditEntry";
            println!("{}", messages.read(name, &entry.encode_to_vec())?);
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub struct NewToken {
    /// Who gets it; stands in the audit
    name: String,
    /// What it allows: viewer, moderator or operator
    #[arg(long)]
    role: Role,
}

impl NewToken {
    /// Makes a token; only its hash goes into the gateway's settings.
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        let token = keys::make()?;
        let entry = AdminToken::new(&self.name, self.role, &token).map_err(anyhow::Error::msg)?;
        println!("{}", json!({ "token": token, "setting": entry.to_string() }));
        Ok(ExitCode::SUCCESS)
    }
}
