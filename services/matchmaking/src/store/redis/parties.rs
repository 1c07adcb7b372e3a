//! Parties in Redis. Their keys stand with those of the tickets, because each step may need both.

use async_trait::async_trait;
use parlor_common::PlayerId;
use redis::cmd;

use crate::error::Error;
use crate::invite::InviteCode;
use crate::party::PartyId;
use crate::store::{PartySave, PartySaved, PartyStore, StoredParty};

use super::{RedisStore, away, json, to_json, unexpected};

impl RedisStore {
    async fn found_party(&self, by: &str, key: String) -> Result<Option<StoredParty>, Error> {
        let mut script = self.on_tickets(&self.scripts.party);
        script.arg(by).arg(key);
        let found: String = self.run(&script).await?;
        if found.is_empty() { Ok(None) } else { stored_from(&found).map(Some) }
    }
}

/// `version|write|ticket|{json}`: what the scripts compare and change stands in front.
fn stored_from(text: &str) -> Result<StoredParty, Error> {
    let parts: Vec<&str> = text.splitn(4, '|').collect();
    let [version, write, ticket, party] = parts.as_slice() else { return Err(unexpected(text)) };
    Ok(StoredParty {
        version: version.parse().map_err(|_| unexpected(text))?,
        write: (*write).to_owned(),
        ticket: if ticket.is_empty() { None } else { Some(ticket.parse()?) },
        party: json(party)?,
    })
}

#[async_trait]
impl PartyStore for RedisStore {
    async fn party(&self, party: PartyId) -> Result<Option<StoredParty>, Error> {
        self.found_party("party", party.to_string()).await
    }

    async fn party_of(&self, player: PlayerId) -> Result<Option<StoredParty>, Error> {
        self.found_party("player", player.to_string()).await
    }

    async fn party_of_invite(&self, invite: InviteCode) -> Result<Option<StoredParty>, Error> {
        self.found_party("invite", invite.to_string()).await
    }

    async fn save_party(&self, save: &PartySave) -> Result<PartySaved, Error> {
        let PartySave { from_version, to, indexes, now_ms } = save;
        let mut script = self.on_tickets(&self.scripts.save_party);
        script.arg(to.party.id.to_string()).arg(*from_version).arg(to.version).arg(&to.write);
        script.arg(to.ticket.map(|ticket| ticket.to_string()).unwrap_or_default());
        let is_over = to.party.members.is_empty();
        script.arg(if is_over { String::new() } else { to_json(&to.party)? });
        script.arg(to_json(indexes)?).arg(*now_ms);
        let (what, player): (String, String) = self.run_durably(&script).await?;
        Ok(match what.as_str() {
            "done" => PartySaved::Done,
            "changed" => PartySaved::Changed,
            "taken" => PartySaved::CodeTaken,
            "party" => PartySaved::InParty(player.parse()?),
            "queued" => PartySaved::Queued(player.parse()?),
            other => return Err(unexpected(other)),
        })
    }

    async fn here(&self, players: &[PlayerId], now_ms: i64) -> Result<(), Error> {
        let mut note = cmd("ZADD");
        note.arg(self.keys.party_seen()).arg("XX");
        for player in players {
            note.arg(now_ms).arg(player.to_string());
        }
        if players.is_empty() {
            return Ok(());
        }
        self.connection.query::<i64>(&note).await.map(drop).map_err(|error| away(&error))
    }

    async fn absent(&self, before_ms: i64, most: u32) -> Result<Vec<PlayerId>, Error> {
        let mut range = cmd("ZRANGEBYSCORE");
        range.arg(self.keys.party_seen()).arg("-inf").arg(format!("({before_ms}"));
        range.arg("LIMIT").arg(0).arg(most);
        let found: Vec<String> =
            self.connection.query(&range).await.map_err(|error| away(&error))?;
        found.iter().map(|player| player.parse().map_err(Error::from)).collect()
    }
}
