//! What players ask of the queues; [`crate::parties`] does so for parties.

use std::sync::Arc;

use parlor_common::{Clock, PlayerId, TableId};

use crate::club::prices::CardPrices;
use crate::error::Error;
use crate::hands::PlayedHands;
use crate::ids::{QueueId, RequestId, TicketId};
use crate::metrics::Metrics;
use crate::party::PartyId;
use crate::party_watch::PartyWatchers;
use crate::presence::Presence;
use crate::queue::{Queue, Queues};
use crate::ratings::{self, Ratings};
use crate::store::{Answered, AttemptLimit, Cancelled, Enqueued, QueueStats, Store};
use crate::tables::Tables;
use crate::ticket::{Member, Rating, ReadyAnswer, Ticket, TicketParty, TicketRecord, TicketState};
use crate::timing::Timing;
use crate::watch::Watchers;

/// How much the service takes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most tickets that wait in one queue.
    pub waiting: u32,
    /// How often one player may try a room code or an invite code.
    pub codes: AttemptLimit,
    /// What rooms of clubs cost.
    pub card_prices: CardPrices,
    /// Most members of a party.
    pub party_size: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            waiting: 20_000,
            codes: AttemptLimit { attempts: 10, window_ms: 60_000 },
            card_prices: CardPrices::default(),
            party_size: 4,
        }
    }
}

/// What matchmaking is built from.
pub struct Parts {
    /// The queues on offer.
    pub queues: Queues,
    /// What is remembered.
    pub store: Arc<dyn Store>,
    /// The table service.
    pub tables: Arc<dyn Tables>,
    /// How strong players are.
    pub ratings: Arc<dyn Ratings>,
    /// Which hands were played.
    pub hands: Arc<dyn PlayedHands>,
    /// The time.
    pub clock: Clock,
    /// How long things may take.
    pub timing: Timing,
    /// How much is taken on.
    pub limits: Limits,
}

/// Where a player is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The live ticket.
    pub ticket: Option<TicketId>,
    /// Tables with a seat of the player.
    pub tables: Vec<TableId>,
    /// The party.
    pub party: Option<PartyId>,
}

/// Queues, parties, rooms and clubs: the service behind the gRPC adapter.
pub struct Matchmaking {
    pub(crate) queues: Queues,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) tables: Arc<dyn Tables>,
    pub(crate) presence: Presence,
    pub(crate) hands: Arc<dyn PlayedHands>,
    pub(crate) clock: Clock,
    pub(crate) timing: Timing,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) watchers: Watchers,
    pub(crate) party_watchers: PartyWatchers,
    ratings: Arc<dyn Ratings>,
}

impl Matchmaking {
    /// Matchmaking from its parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self {
            presence: Presence::new(Arc::clone(&parts.tables), parts.clock.clone()),
            queues: parts.queues,
            store: parts.store,
            tables: parts.tables,
            hands: parts.hands,
            clock: parts.clock,
            timing: parts.timing,
            limits: parts.limits,
            metrics: Metrics::new(),
            watchers: Watchers::default(),
            party_watchers: PartyWatchers::default(),
            ratings: parts.ratings,
        }
    }

    /// The queues with what waits in them.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub async fn list_queues(&self) -> Result<Vec<(Arc<Queue>, QueueStats)>, Error> {
        let mut listed = Vec::new();
        for queue in self.queues.iter() {
            listed.push((Arc::clone(queue), self.store.stats(&queue.id).await?));
        }
        Ok(listed)
    }

    /// Puts players who belong to no party into a queue together. The first member is the caller;
    /// the same request of the same caller gives the same ticket.
    ///
    /// # Errors
    /// [`Error::QueueNotFound`], [`Error::BadParty`], [`Error::AlreadyQueued`],
    /// [`Error::AlreadySeated`], [`Error::AlreadyInParty`], [`Error::QueueFull`]; the store or all
    /// tables may be away.
    pub async fn enqueue(
        &self,
        request: RequestId,
        queue: &QueueId,
        members: Vec<Member>,
    ) -> Result<TicketId, Error> {
        let queue = self.queues.get(queue)?;
        let caller = check_party(queue, &members)?;
        if let Some(earlier) = self.repeated(&request, caller).await? {
            return Ok(earlier);
        }
        let entered = self.enter(queue, request, members, None).await?;
        // Only the ticket of a party can find it changed.
        entered.ok_or(Error::PartyBusy)
    }

    /// The ticket that the caller's request has given before. A repetition is answered before
    /// anything else: its match may have a seat for the caller by now, which must not count against
    /// it.
    pub(crate) async fn repeated(
        &self,
        request: &RequestId,
        caller: PlayerId,
    ) -> Result<Option<TicketId>, Error> {
        let last = self.store.ticket_of(caller).await?.map(|last| last.ticket);
        let same = |ticket: &Ticket| {
            ticket.request == *request
                && ticket.members.first().is_some_and(|first| first.player == caller)
        };
        Ok(last.filter(same).map(|ticket| ticket.id))
    }

    /// Enters a queue; `None` when the party has changed meanwhile.
    pub(crate) async fn enter(
        &self,
        queue: &Queue,
        request: RequestId,
        members: Vec<Member>,
        party: Option<TicketParty>,
    ) -> Result<Option<TicketId>, Error> {
        self.all_free(&members).await?;
        let rating = match queue.rules.window {
            Some(_) => ratings::of_party(&*self.ratings, &members, queue.game).await,
            None => Rating::NEWCOMER,
        };
        let now_ms = self.clock.now_ms();
        let ticket = Ticket {
            id: TicketId::random(),
            queue: queue.id.clone(),
            request,
            members,
            rating,
            enqueued_ms: now_ms,
            expires_ms: now_ms.saturating_add(i64::from(queue.ticket_ttl_ms)),
            party,
        };
        let id = ticket.id;
        match self.store.enqueue(ticket, self.limits.waiting).await? {
            Enqueued::Waiting => {
                self.metrics.tickets("entered", 1);
                Ok(Some(id))
            }
            Enqueued::Repeated(earlier) => Ok(Some(earlier)),
            Enqueued::AlreadyQueued(player) => Err(Error::AlreadyQueued(player)),
            Enqueued::InParty(player) => Err(Error::AlreadyInParty(player)),
            Enqueued::PartyChanged => Ok(None),
            Enqueued::Full => Err(Error::QueueFull),
        }
    }

    /// Makes sure that none of the members has a seat, as far as the tables tell.
    ///
    /// # Errors
    /// [`Error::AlreadySeated`], [`Error::TablesUnavailable`], [`Error::StoreUnavailable`].
    pub(crate) async fn all_free(&self, members: &[Member]) -> Result<(), Error> {
        self.presence.none_seated(members).await?;
        self.none_left_behind(members).await
    }

    /// Makes sure that none of the members still sits where the last match has led, even if the
    /// pod of that table has just died and does not answer.
    async fn none_left_behind(&self, members: &[Member]) -> Result<(), Error> {
        for member in members {
            let last = self.store.ticket_of(member.player).await?;
            let Some(TicketState::Matched { table, .. }) = last.map(|record| record.state) else {
                continue;
            };
            match self.tables.seats(table).await {
                Ok(Some(seats)) if seats.of(member.player).is_some() => {
                    return Err(Error::AlreadySeated(member.player, table));
                }
                Ok(_) => {}
                Err(failure) => {
                    tracing::info!(%table, %failure, "the last table of a player is not known");
                    return Err(Error::TablesUnavailable);
                }
            }
        }
        Ok(())
    }

    /// Notes whether a player is ready for the match that was found. Repeating it is no failure.
    ///
    /// # Errors
    /// [`Error::NoReadyCheck`], [`Error::StoreUnavailable`].
    pub async fn answer_ready(&self, player: PlayerId, answer: ReadyAnswer) -> Result<(), Error> {
        match self.store.answer_ready(player, answer, self.clock.now_ms()).await? {
            Answered::Noted => Ok(()),
            Answered::NotAsked => Err(Error::NoReadyCheck),
        }
    }

    /// Takes a player's ticket back, for the whole party: during a ready check by declining it.
    /// Repeating it is no failure.
    ///
    /// # Errors
    /// [`Error::AlreadyMatched`], [`Error::TicketNotFound`], [`Error::StoreUnavailable`].
    pub async fn cancel(&self, player: PlayerId) -> Result<(), Error> {
        match self.store.cancel(player, self.keep_until_ms()).await? {
            Cancelled::Done(_) => {
                self.metrics.tickets("cancelled", 1);
                Ok(())
            }
            Cancelled::TooLate => {
                let declined = self.answer_ready(player, ReadyAnswer::Declined).await;
                declined.map_err(|error| match error {
                    Error::NoReadyCheck => Error::AlreadyMatched,
                    error => error,
                })
            }
            Cancelled::NoTicket => Err(Error::TicketNotFound),
        }
    }

    /// A player's live ticket, unfinished tables and party.
    ///
    /// # Errors
    /// [`Error::TablesUnavailable`] when no table was found and no pod answered.
    pub async fn find_player(&self, player: PlayerId) -> Result<Found, Error> {
        let (last, party, mut found) = tokio::join!(
            self.store.ticket_of(player),
            self.store.party_of(player),
            self.presence.lately(player)
        );
        let (last, party) = (last?, party?.map(|stored| stored.party.id));
        if let Some(TicketState::Matched { table, .. }) = last.as_ref().map(|last| &last.state)
            && !found.tables.contains(table)
        {
            // Seated since the answer that is remembered, or done with that table.
            found = self.presence.now(player).await;
        }
        if found.answered == 0 && found.silent > 0 {
            return Err(Error::TablesUnavailable);
        }
        let ticket = last.filter(|record| record.state.live()).map(|record| record.ticket.id);
        Ok(Found { ticket, tables: found.tables.into_iter().collect(), party })
    }

    pub(crate) async fn live_ticket(
        &self,
        player: PlayerId,
    ) -> Result<Option<TicketRecord>, Error> {
        let last = self.store.ticket_of(player).await?;
        Ok(last.filter(|record| record.state.live()))
    }

    pub(crate) fn keep_until_ms(&self) -> i64 {
        self.clock.now_ms().saturating_add(i64::from(self.timing.keep_ended_ms))
    }
}

/// The caller of a sound party.
fn check_party(queue: &Queue, members: &[Member]) -> Result<PlayerId, Error> {
    let largest = queue.largest_party;
    let size = u32::try_from(members.len()).unwrap_or(u32::MAX);
    let twice = members.iter().enumerate().any(|(place, member)| {
        members.iter().take(place).any(|earlier| earlier.player == member.player)
    });
    match members.first() {
        Some(caller) if size <= largest && !twice => Ok(caller.player),
        _ => Err(Error::BadParty { largest }),
    }
}
