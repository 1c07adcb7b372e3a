//! What players and operators do with clubs.
//!
//! A change reads the club, applies a rule of [`crate::club::rules`] and writes the club back if
//! nobody else has changed it meanwhile; else it begins again.

use parlor_common::PlayerId;

use crate::club::rules::Effect;
use crate::club::{CardEntry, Club, ClubId, InviteCode, MAX_CLUBS_OF_PLAYER, Role, check_name};
use crate::error::Error;
use crate::ids::RequestId;
use crate::service::Matchmaking;
use crate::store::{Attempt, ClubSave};
use crate::ticket::Member;

/// Tries of one change; a club that changes so often within one request is busy.
const CHANGE_TRIES: usize = 16;

/// Lines of the card book on one page.
const ENTRIES_PAGE: u32 = 50;

/// Longest words about a grant, in characters.
const MAX_NOTE: usize = 100;

/// How somebody comes into a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinBy {
    /// At once, with the invite code.
    Invite(InviteCode),
    /// When the owner or a manager lets the player in.
    Asking(ClubId),
}

/// What a member may want to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClubChange {
    /// Lets in a player who asks.
    Admit(PlayerId),
    /// Turns away a player who asks.
    Refuse(PlayerId),
    /// Gives a member a role.
    SetRole(PlayerId, Role),
    /// Removes a member, or oneself.
    Remove(PlayerId),
    /// Replaces the invite code.
    RenewInvite,
    /// Gives the club another name.
    Rename(String),
}

/// Cards for a club, in the operator's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The operator's name for it: a repetition is the same grant.
    pub key: RequestId,
    /// To whom.
    pub club: ClubId,
    /// Not 0; negative to take cards.
    pub cards: i64,
    /// At most 100 characters.
    pub note: String,
}

impl Matchmaking {
    /// Founds a club. The same request of the same player gives the same club.
    ///
    /// # Errors
    /// [`Error::BadClubName`], [`Error::TooManyClubs`], [`Error::ClubBusy`].
    pub async fn create_club(
        &self,
        request: &RequestId,
        owner: Member,
        name: String,
    ) -> Result<Club, Error> {
        check_name(&name)?;
        let player = owner.player;
        let id = ClubId::founded_by(player, request);
        for _ in 0..CHANGE_TRIES {
            if let Some(stored) = self.store.club(id).await? {
                stored.club.role_of(player)?;
                return Ok(stored.club);
            }
            self.check_clubs_of(player).await?;
            let invite = InviteCode::random()?;
            let now_ms = self.clock.now_ms();
            let club = Club::found(id, name.clone(), owner.clone(), invite, now_ms);
            if self.store.save_club(&ClubSave::new(None, club.clone(), None)).await? {
                self.metrics.clubs("founded");
                return Ok(club);
            }
        }
        Err(Error::ClubBusy)
    }

    /// The clubs of a player.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub async fn list_clubs(&self, player: PlayerId) -> Result<Vec<Club>, Error> {
        let mut clubs = Vec::new();
        for id in self.store.clubs_of(player).await? {
            let stored = self.store.club(id).await?;
            let club = stored.map(|stored| stored.club);
            clubs.extend(club.filter(|club| club.role_of(player).is_ok()));
        }
        Ok(clubs)
    }

    /// A club that the player is a member of.
    ///
    /// # Errors
    /// [`Error::ClubNotFound`].
    pub async fn club_for(&self, player: PlayerId, id: ClubId) -> Result<Club, Error> {
        let club = self.store.club(id).await?.ok_or(Error::ClubNotFound)?.club;
        club.role_of(player)?;
        Ok(club)
    }

    /// Joins a club, or asks to be let in; the club, once the player is a member.
    ///
    /// # Errors
    /// [`Error::TooManyCodes`], [`Error::ClubNotFound`], [`Error::ClubFull`],
    /// [`Error::TooManyClubs`], [`Error::ClubBusy`].
    pub async fn join_club(&self, player: Member, by: JoinBy) -> Result<Option<Club>, Error> {
        let id = match by {
            JoinBy::Invite(invite) => {
                self.count_attempt(player.player).await?;
                self.store.club_of_invite(invite).await?.ok_or(Error::ClubNotFound)?
            }
            JoinBy::Asking(id) => id,
        };
        self.check_clubs_of(player.player).await?;
        let now_ms = self.clock.now_ms();
        let (effect, club) = self
            .change_club(id, |club| match by {
                // The code may have been renewed since it was looked up.
                JoinBy::Invite(invite) if club.invite != Some(invite) => Err(Error::ClubNotFound),
                JoinBy::Invite(_) => club.join(player.clone(), now_ms),
                JoinBy::Asking(_) => club.ask(player.clone()),
            })
            .await?;
        let member = club.role_of(player.player).is_ok();
        if effect == Effect::Changed {
            self.metrics.clubs(if member { "joined" } else { "asked" });
        }
        Ok(member.then_some(club))
    }

    /// Changes a club in a member's name; the club, while the member is still in it.
    ///
    /// # Errors
    /// What the rule of the change says; [`Error::ClubBusy`].
    pub async fn change_club_as(
        &self,
        actor: PlayerId,
        id: ClubId,
        change: &ClubChange,
    ) -> Result<Option<Club>, Error> {
        if let ClubChange::Rename(name) = change {
            check_name(name)?;
        }
        let now_ms = self.clock.now_ms();
        let (_, club) = self
            .change_club(id, |club| {
                // Whoever is no member learns nothing, whatever is asked.
                club.role_of(actor)?;
                match change {
                    ClubChange::Admit(player) => club.admit(actor, *player, now_ms),
                    ClubChange::Refuse(player) => club.refuse(actor, *player),
                    ClubChange::SetRole(player, role) => club.set_role(actor, *player, *role),
                    ClubChange::Remove(player) => club.remove(actor, *player),
                    ClubChange::RenewInvite => club.renew_invite(actor, InviteCode::random()?),
                    ClubChange::Rename(name) => club.rename(actor, name),
                }
            })
            .await?;
        Ok(club.role_of(actor).is_ok().then_some(club))
    }

    /// Lines of a club's card book before a number, or the newest for 0.
    ///
    /// # Errors
    /// [`Error::ClubNotFound`], [`Error::ClubRoleTooLow`].
    pub async fn card_entries(
        &self,
        player: PlayerId,
        id: ClubId,
        before: u64,
    ) -> Result<Vec<CardEntry>, Error> {
        self.club_for(player, id).await?.require(player, Role::Manager)?;
        let before = if before == 0 { u64::MAX } else { before };
        self.store.card_entries(id, before, ENTRIES_PAGE).await
    }

    /// Gives a club cards or takes them; all its cards afterwards.
    ///
    /// # Errors
    /// [`Error::BadCards`], [`Error::ClubNotFound`], [`Error::NotEnoughCards`],
    /// [`Error::CardKeyReused`], [`Error::ClubBusy`].
    pub async fn grant_cards(&self, grant: &Grant) -> Result<i64, Error> {
        if grant.note.chars().count() > MAX_NOTE || grant.note.chars().any(char::is_control) {
            return Err(Error::BadCards);
        }
        let key = format!("grant/{}", grant.key.as_str());
        for _ in 0..CHANGE_TRIES {
            let stored = self.store.club(grant.club).await?.ok_or(Error::ClubNotFound)?;
            // Read after the club: an entry that is made from here on makes the write fail.
            if let Some(made) = self.store.card_entry(grant.club, &key).await? {
                let same = made.cards == grant.cards && made.note == grant.note;
                return if same { Ok(made.balance) } else { Err(Error::CardKeyReused) };
            }
            let mut club = stored.club.clone();
            let now_ms = self.clock.now_ms();
            let entry = club.grant(key.clone(), grant.cards, grant.note.clone(), now_ms)?;
            let balance = entry.balance;
            if self.store.save_club(&ClubSave::new(Some(&stored), club, Some(entry))).await? {
                self.metrics.cards("granted", grant.cards);
                return Ok(balance);
            }
        }
        Err(Error::ClubBusy)
    }

    /// Applies a rule to a club; what it did, and the club afterwards.
    pub(crate) async fn change_club(
        &self,
        id: ClubId,
        mut rule: impl FnMut(&mut Club) -> Result<Effect, Error>,
    ) -> Result<(Effect, Club), Error> {
        for _ in 0..CHANGE_TRIES {
            let stored = self.store.club(id).await?.ok_or(Error::ClubNotFound)?;
            let mut club = stored.club.clone();
            if rule(&mut club)? == Effect::Same {
                return Ok((Effect::Same, stored.club));
            }
            if self.store.save_club(&ClubSave::new(Some(&stored), club.clone(), None)).await? {
                return Ok((Effect::Changed, club));
            }
        }
        Err(Error::ClubBusy)
    }

    /// Spends the price of a club's room, once.
    pub(crate) async fn charge_room(&self, id: ClubId, key: &str) -> Result<(), Error> {
        for _ in 0..CHANGE_TRIES {
            let Some(stored) = self.store.club(id).await? else { return Ok(()) };
            let mut club = stored.club.clone();
            let entry = club.charge_room(key, self.clock.now_ms());
            if club == stored.club {
                return Ok(());
            }
            let spent = entry.as_ref().map_or(0, |entry| -entry.cards);
            if self.store.save_club(&ClubSave::new(Some(&stored), club, entry)).await? {
                self.metrics.cards("spent", spent);
                return Ok(());
            }
        }
        Err(Error::ClubBusy)
    }

    /// Counts a try of a code, of a room or an invite.
    pub(crate) async fn count_attempt(&self, player: PlayerId) -> Result<(), Error> {
        match self.store.attempt(player, self.limits.codes, self.clock.now_ms()).await? {
            Attempt::Allowed => Ok(()),
            Attempt::Wait { retry_after_ms } => {
                self.metrics.rooms("limited");
                Err(Error::TooManyCodes { retry_after_ms })
            }
        }
    }

    async fn check_clubs_of(&self, player: PlayerId) -> Result<(), Error> {
        let clubs = self.store.clubs_of(player).await?.len();
        if clubs < MAX_CLUBS_OF_PLAYER { Ok(()) } else { Err(Error::TooManyClubs) }
    }
}
