//! Who may change what in a club. Each rule changes the document or refuses and changes nothing.

use parlor_common::{PlayerId, TableId};

use super::{
    CardEntry, Club, ClubId, ClubMember, ClubRoom, InviteCode, MAX_CARDS, MAX_JOIN_REQUESTS,
    MAX_MEMBERS, MAX_ROOMS, Role,
};
use crate::error::Error;
use crate::ticket::Member;

/// Whether a rule had anything to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The document is different now.
    Changed,
    /// It was so already.
    Same,
}

type Ruled = Result<Effect, Error>;

impl Club {
    /// A new club with its owner in it.
    #[must_use]
    pub fn found(id: ClubId, name: String, owner: Member, invite: InviteCode, now_ms: i64) -> Self {
        Self {
            id,
            name,
            members: vec![ClubMember { member: owner, role: Role::Owner, joined_ms: now_ms }],
            join_requests: Vec::new(),
            invite: Some(invite),
            cards: 0,
            card_entries: 0,
            rooms: Vec::new(),
        }
    }

    /// What a player is in the club.
    ///
    /// # Errors
    /// [`Error::ClubNotFound`]: strangers learn nothing.
    pub fn role_of(&self, player: PlayerId) -> Result<Role, Error> {
        self.member(player).map(|member| member.role).ok_or(Error::ClubNotFound)
    }

    /// Makes sure that a member is at least this.
    ///
    /// # Errors
    /// [`Error::ClubNotFound`], [`Error::ClubRoleTooLow`].
    pub fn require(&self, player: PlayerId, role: Role) -> Result<(), Error> {
        if self.role_of(player)? >= role { Ok(()) } else { Err(Error::ClubRoleTooLow) }
    }

    /// Cards that are set aside for rooms that have not begun.
    #[must_use]
    pub fn cards_held(&self) -> i64 {
        self.rooms.iter().filter(|room| !room.charged).map(|room| room.price).sum()
    }

    /// Cards that may be spent.
    #[must_use]
    pub fn cards_free(&self) -> i64 {
        self.cards - self.cards_held()
    }

    fn member(&self, player: PlayerId) -> Option<&ClubMember> {
        self.members.iter().find(|member| member.member.player == player)
    }

    /// Lets a player in.
    ///
    /// # Errors
    /// [`Error::ClubFull`]; [`Error::ClubNotFound`] when the club is no more.
    pub fn join(&mut self, player: Member, now_ms: i64) -> Ruled {
        if self.member(player.player).is_some() {
            return Ok(Effect::Same);
        }
        if self.members.is_empty() {
            return Err(Error::ClubNotFound);
        }
        if self.members.len() >= MAX_MEMBERS {
            return Err(Error::ClubFull);
        }
        self.join_requests.retain(|asking| asking.player != player.player);
        self.members.push(ClubMember { member: player, role: Role::Member, joined_ms: now_ms });
        Ok(Effect::Changed)
    }

    /// Notes that a player asks to be let in.
    ///
    /// # Errors
    /// [`Error::ClubFull`] when too many ask; [`Error::ClubNotFound`] when the club is no more.
    pub fn ask(&mut self, player: Member) -> Ruled {
        let asks = self.join_requests.iter().any(|asking| asking.player == player.player);
        if asks || self.member(player.player).is_some() {
            return Ok(Effect::Same);
        }
        if self.members.is_empty() {
            return Err(Error::ClubNotFound);
        }
        if self.join_requests.len() >= MAX_JOIN_REQUESTS {
            return Err(Error::ClubFull);
        }
        self.join_requests.push(player);
        Ok(Effect::Changed)
    }

    /// Lets in a player who asks.
    ///
    /// # Errors
    /// [`Error::ClubRoleTooLow`], [`Error::JoinRequestNotFound`], [`Error::ClubFull`].
    pub fn admit(&mut self, actor: PlayerId, player: PlayerId, now_ms: i64) -> Ruled {
        self.require(actor, Role::Manager)?;
        if self.member(player).is_some() {
            return Ok(Effect::Same);
        }
        let asking = self.join_requests.iter().find(|asking| asking.player == player);
        let asking = asking.cloned().ok_or(Error::JoinRequestNotFound)?;
        self.join(asking, now_ms)
    }

    /// Turns away a player who asks.
    ///
    /// # Errors
    /// [`Error::ClubRoleTooLow`], [`Error::JoinRequestNotFound`].
    pub fn refuse(&mut self, actor: PlayerId, player: PlayerId) -> Ruled {
        self.require(actor, Role::Manager)?;
        let before = self.join_requests.len();
        self.join_requests.retain(|asking| asking.player != player);
        if self.join_requests.len() < before {
            Ok(Effect::Changed)
        } else {
            Err(Error::JoinRequestNotFound)
        }
    }

    /// Gives a member a role. Making another the owner makes the old owner a manager.
    ///
    /// # Errors
    /// [`Error::ClubRoleTooLow`], [`Error::MemberNotFound`], [`Error::OwnerMustStay`] when the
    /// owner would give up the role without an heir.
    pub fn set_role(&mut self, actor: PlayerId, player: PlayerId, role: Role) -> Ruled {
        self.require(actor, Role::Owner)?;
        let held = self.member(player).map(|member| member.role).ok_or(Error::MemberNotFound)?;
        if held == role {
            return Ok(Effect::Same);
        }
        if held == Role::Owner {
            return Err(Error::OwnerMustStay);
        }
        for member in &mut self.members {
            if member.member.player == player {
                member.role = role;
            } else if role == Role::Owner && member.role == Role::Owner {
                member.role = Role::Manager;
            }
        }
        Ok(Effect::Changed)
    }

    /// Removes a member of a lower role, or the caller. With the owner, who leaves last, the club
    /// ends.
    ///
    /// # Errors
    /// [`Error::ClubRoleTooLow`], [`Error::MemberNotFound`], [`Error::OwnerMustStay`].
    pub fn remove(&mut self, actor: PlayerId, player: PlayerId) -> Ruled {
        let own = self.role_of(actor)?;
        let theirs = self.member(player).map(|member| member.role).ok_or(Error::MemberNotFound)?;
        if actor == player {
            if own == Role::Owner && self.members.len() > 1 {
                return Err(Error::OwnerMustStay);
            }
        } else if own <= theirs {
            return Err(Error::ClubRoleTooLow);
        }
        self.members.retain(|member| member.member.player != player);
        if self.members.is_empty() {
            self.invite = None;
            self.join_requests.clear();
        }
        Ok(Effect::Changed)
    }

    /// Replaces the invite code.
    ///
    /// # Errors
    /// [`Error::ClubRoleTooLow`].
    pub fn renew_invite(&mut self, actor: PlayerId, invite: InviteCode) -> Ruled {
        self.require(actor, Role::Manager)?;
        self.invite = Some(invite);
        Ok(Effect::Changed)
    }

    /// Gives the club another name, which has been checked.
    ///
    /// # Errors
    /// [`Error::ClubRoleTooLow`].
    pub fn rename(&mut self, actor: PlayerId, name: &str) -> Ruled {
        self.require(actor, Role::Owner)?;
        if self.name == name {
            return Ok(Effect::Same);
        }
        name.clone_into(&mut self.name);
        Ok(Effect::Changed)
    }

    /// Gives or takes cards; the line for the card book.
    ///
    /// # Errors
    /// [`Error::BadCards`] for none or too many, [`Error::NotEnoughCards`] when more would be taken
    /// than is free.
    pub fn grant(
        &mut self,
        key: String,
        cards: i64,
        note: String,
        now_ms: i64,
    ) -> Result<CardEntry, Error> {
        if cards == 0 || cards.unsigned_abs() > MAX_CARDS.unsigned_abs() {
            return Err(Error::BadCards);
        }
        if cards < 0 && self.cards_free() + cards < 0 {
            return Err(Error::NotEnoughCards);
        }
        if self.cards + cards > MAX_CARDS {
            return Err(Error::BadCards);
        }
        Ok(self.book(CardEntry { note, ..entry(key, cards, now_ms) }))
    }

    /// Opens a room for a member and sets its price aside.
    ///
    /// # Errors
    /// [`Error::ClubNotFound`], [`Error::NotEnoughCards`], [`Error::TooManyClubRooms`].
    pub fn open_room(&mut self, room: ClubRoom) -> Ruled {
        self.role_of(room.host.player)?;
        if self.rooms.iter().any(|open| open.key == room.key) {
            return Ok(Effect::Same);
        }
        if self.rooms.len() >= MAX_ROOMS {
            return Err(Error::TooManyClubRooms);
        }
        if room.price > self.cards_free() {
            return Err(Error::NotEnoughCards);
        }
        self.rooms.push(room);
        Ok(Effect::Changed)
    }

    /// Notes the table of an open room.
    pub fn bind_room(&mut self, key: &str, table: TableId) -> Effect {
        match self.rooms.iter_mut().find(|room| room.key == key) {
            Some(room) if room.table != Some(table) => {
                room.table = Some(table);
                Effect::Changed
            }
            _ => Effect::Same,
        }
    }

    /// Notes since when the table of an open room is not found; `None`: it is.
    pub fn miss_room(&mut self, key: &str, since_ms: Option<i64>) -> Effect {
        match self.rooms.iter_mut().find(|room| room.key == key) {
            Some(room) if room.missing_since_ms != since_ms => {
                room.missing_since_ms = since_ms;
                Effect::Changed
            }
            _ => Effect::Same,
        }
    }

    /// Spends what is set aside for a room; the line for the card book, unless there is none.
    pub fn charge_room(&mut self, key: &str, now_ms: i64) -> Option<CardEntry> {
        let room = self.rooms.iter_mut().find(|room| room.key == key && !room.charged)?;
        room.charged = true;
        let (price, table) = (room.price, room.table);
        let (host, game) = (Some(room.host.clone()), room.game.clone());
        let spent = entry(format!("room/{key}"), -price, now_ms);
        (price > 0).then(|| self.book(CardEntry { table, host, game, ..spent }))
    }

    /// Forgets a room. What is still set aside for it is free again.
    pub fn close_room(&mut self, key: &str) -> Effect {
        let before = self.rooms.len();
        self.rooms.retain(|room| room.key != key);
        if self.rooms.len() < before { Effect::Changed } else { Effect::Same }
    }

    fn book(&mut self, entry: CardEntry) -> CardEntry {
        self.cards += entry.cards;
        self.card_entries += 1;
        CardEntry { number: self.card_entries, balance: self.cards, ..entry }
    }
}

fn entry(key: String, cards: i64, time_ms: i64) -> CardEntry {
    let (note, game) = (String::new(), String::new());
    let (number, balance, table, host) = (0, 0, None, None);
    CardEntry { number, key, cards, balance, time_ms, table, note, host, game }
}
