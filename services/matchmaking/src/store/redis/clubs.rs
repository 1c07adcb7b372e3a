//! Clubs in Redis. A change is one script, so that a club and its indexes never differ.

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use redis::cmd;

use crate::club::{CardEntry, ClubId, InviteCode};
use crate::error::Error;
use crate::store::{ClubSave, ClubStore, StoredClub};

use super::{RedisStore, away, json, to_json, unexpected};

impl RedisStore {
    async fn field(&self, key: &str, field: &str) -> Result<Option<String>, Error> {
        let mut get = cmd("HGET");
        get.arg(key).arg(field);
        self.connection.query(&get).await.map_err(|error| away(&error))
    }
}

/// `version|write|{json}`: what the script compares stands in front.
fn stored_from(text: &str) -> Result<StoredClub, Error> {
    let mut parts = text.splitn(3, '|');
    let (Some(version), Some(write), Some(club)) = (parts.next(), parts.next(), parts.next())
    else {
        return Err(unexpected(text));
    };
    let version = version.parse().map_err(|_| unexpected(text))?;
    Ok(StoredClub { version, write: write.to_owned(), club: json(club)? })
}

#[async_trait]
impl ClubStore for RedisStore {
    async fn club(&self, club: ClubId) -> Result<Option<StoredClub>, Error> {
        let found = self.field(&self.keys.clubs.documents, &club.to_string()).await?;
        found.map(|found| stored_from(&found)).transpose()
    }

    async fn save_club(&self, save: &ClubSave) -> Result<bool, Error> {
        let mut script = self.scripts.save_club.prepare_invoke();
        for key in self.keys.clubs.all() {
            script.key(key);
        }
        let ClubSave { from_version, to, entry, indexes } = save;
        script.arg(to.club.id.to_string()).arg(*from_version).arg(to.version);
        script.arg(&to.write).arg(to_json(&to.club)?).arg(to_json(indexes)?);
        script.arg(if to.club.rooms.is_empty() { "closed" } else { "open" });
        if let Some(entry) = entry {
            script.arg(entry.number).arg(&entry.key).arg(to_json(entry)?);
        }
        self.run_durably(&script).await
    }

    async fn card_entry(&self, club: ClubId, key: &str) -> Result<Option<CardEntry>, Error> {
        let clubs = &self.keys.clubs;
        let number = self.field(&clubs.entry_keys, &format!("{club}/{key}")).await?;
        let Some(number) = number else { return Ok(None) };
        let found = self.field(&clubs.entries, &format!("{club}/{number}")).await?;
        found.map(|found| json(&found)).transpose()
    }

    async fn card_entries(
        &self,
        club: ClubId,
        before: u64,
        most: u32,
    ) -> Result<Vec<CardEntry>, Error> {
        let last = self.club(club).await?.map_or(0, |stored| stored.club.card_entries);
        let newest = last.min(before.saturating_sub(1));
        let oldest = newest.saturating_sub(u64::from(most)) + 1;
        if newest < oldest {
            return Ok(Vec::new());
        }
        let mut get = cmd("HMGET");
        get.arg(&self.keys.clubs.entries);
        for number in (oldest..=newest).rev() {
            get.arg(format!("{club}/{number}"));
        }
        let found: Vec<Option<String>> =
            self.connection.query(&get).await.map_err(|error| away(&error))?;
        found.iter().flatten().map(|entry| json(entry)).collect()
    }

    async fn clubs_of(&self, player: PlayerId) -> Result<Vec<ClubId>, Error> {
        let mut range = cmd("ZRANGEBYLEX");
        // '0' is the character after '/'.
        range.arg(&self.keys.clubs.members).arg(format!("[{player}/")).arg(format!("({player}0"));
        let found: Vec<String> =
            self.connection.query(&range).await.map_err(|error| away(&error))?;
        let club = |member: &String| {
            member.split_once('/').ok_or_else(|| unexpected(member))?.1.parse::<ClubId>()
        };
        found.iter().map(club).collect()
    }

    async fn club_of_invite(&self, invite: InviteCode) -> Result<Option<ClubId>, Error> {
        let found = self.field(&self.keys.clubs.invites, &invite.to_string()).await?;
        found.map(|club| club.parse()).transpose()
    }

    async fn club_of_table(&self, table: TableId) -> Result<Option<ClubId>, Error> {
        let found = self.field(&self.keys.clubs.tables, &table.to_string()).await?;
        found.map(|club| club.parse()).transpose()
    }

    async fn clubs_with_rooms(&self) -> Result<Vec<ClubId>, Error> {
        let mut members = cmd("SMEMBERS");
        members.arg(&self.keys.clubs.open);
        let found: Vec<String> =
            self.connection.query(&members).await.map_err(|error| away(&error))?;
        let mut clubs = found.iter().map(|id| id.parse()).collect::<Result<Vec<ClubId>, _>>()?;
        clubs.sort_unstable();
        Ok(clubs)
    }
}
