//! A table as its log tells it, read entry by entry as the archive keeps them.
//!
//! The mirror knows what each viewer may be told, and makes it from a table in which everything
//! that the viewer may not know is permuted: what a client is told and is not the same is a leak.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use parlor_common::TableId;
use parlor_game::entry::{Entry, Opening, decode};
use parlor_game::shell::{Event, Input, Obligation, Outcome, Phase, Player, Tenure};
use parlor_game::{Entropy, Hidden, Seat, Viewer};
use parlor_proto::{rules, table};
use parlor_table::core::Core;
use parlor_table::store::{NOBODY, Stored};
use parlor_table::wire::envelope::Enveloped;
use parlor_table::wire::table::view_to;
use prost::Message;

/// A view and a number: what a viewer may be told after so many updates.
type At = (Viewer, u64);

/// What was wrong with what a viewer was told.
#[derive(Debug)]
pub enum Untold {
    /// No entry of the log tells it, or none does yet.
    NotInTheLog(String),
    /// It is not what the viewer may know.
    NotForTheViewer(String),
}

/// What one entry says, beside what viewers are told.
#[derive(Debug, Default)]
pub struct Facts {
    /// The owner's epoch.
    pub epoch: u64,
    /// The request that it answers.
    pub request: Option<[u8; 16]>,
    /// The duty that the ledger has answered, and how.
    pub answered: Option<(Obligation, Outcome)>,
    /// Duties that are new.
    pub made: Vec<Obligation>,
    /// Hands that have ended.
    pub hands: u64,
}

/// What a player sees of the table around the game.
#[derive(Clone, Copy, Debug)]
pub struct Posture {
    /// Where the table is in its life.
    pub phase: Phase,
    /// The player rules it.
    pub is_host: bool,
    /// Ready for the next hand.
    pub is_ready: bool,
    /// A vote is open, in which the player has not agreed.
    pub is_asked: bool,
    /// Nobody has this seat.
    pub has_free_seat: bool,
    /// The seat of a bot.
    pub bot: Option<Seat>,
}

/// A stack at a table.
#[derive(Clone, Copy, Debug)]
pub struct Stack {
    /// The duty that funded it.
    pub hold: u64,
    /// Minor units.
    pub amount: i64,
}

/// A table as its log tells it, whatever the game.
pub trait Mirror: Send {
    /// Reads the next entry.
    fn read(&mut self, bytes: &Bytes) -> Result<Facts, String>;
    /// Notes what viewers may see now: entries so far are published together.
    fn show(&mut self, permuted_by: [u8; 32]);
    /// Whether these moves and this view may be told to a viewer as its `seq`-th update.
    fn may_tell(
        &self,
        viewer: Viewer,
        seq: u64,
        moves: Option<&[rules::v1::Event]>,
        view: Option<&table::v1::TableView>,
    ) -> Result<(), Untold>;
    /// What a bot in the player's place would ask for.
    fn choose(&self, player: Player) -> Option<rules::v1::Command>;
    /// What a player with a seat sees of the table around the game.
    fn posture(&self, player: Player) -> Option<Posture>;
    /// The code of a private room; empty at other tables.
    fn room_code(&self) -> &str;
    /// Whether it is closed.
    fn is_closed(&self) -> bool;
    /// The seat of a player, whether it is taken up or only reserved.
    fn seat_of(&self, player: Player) -> Option<Seat>;
    /// People with a seat that they have taken up.
    fn seated(&self) -> Vec<Player>;
    /// Funded stacks.
    fn stacks(&self) -> Vec<Stack>;
    /// What the ledger still has to do.
    fn duties(&self) -> Vec<Obligation>;
    /// Whether it is closed and owes nothing any more.
    fn is_done(&self) -> bool;
}

/// The mirror of a table of game `G`.
pub struct MirrorOf<G: Enveloped> {
    core: Core<G>,
    views: BTreeMap<At, BTreeSet<Vec<u8>>>,
    moves: BTreeMap<At, Vec<rules::v1::Event>>,
    /// How many moves were permuted.
    permuted: u64,
}

impl<G: Enveloped + Hidden> MirrorOf<G> {
    /// The mirror of a table that was just opened.
    pub fn open(opening: &Opening, bytes: &Bytes) -> Result<Self, String> {
        let opened = Stored {
            opening: bytes.clone(),
            epoch: 1,
            owner: NOBODY,
            snapshot: None,
            tail: Vec::new(),
        };
        let core = Core::recover(opening, &opened).map_err(|error| error.to_string())?;
        Ok(Self { core, views: BTreeMap::new(), moves: BTreeMap::new(), permuted: 0 })
    }

    /// Everybody who may watch: the seats of people, and those without a seat. At a closed table
    /// also whoever has had a seat, to see how it ended.
    fn viewers(&self) -> Vec<Viewer> {
        let table = &self.core.table;
        let is_person = |seat: &u8| table.occupant(Seat(*seat)).is_some_and(|one| !one.bot);
        let watches = |seat: &u8| table.phase == Phase::Closed || is_person(seat);
        let seats = (0..table.settings.seats).filter(watches);
        seats.map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator]).collect()
    }

    fn moves_for(&mut self, events: &[Event<G::Event>], viewer: Viewer) -> Vec<rules::v1::Event> {
        let mut told = Vec::new();
        for event in events {
            let Event::Play(event) = event else { continue };
            self.permuted += 1;
            let mut key = [0; 32];
            key[..8].copy_from_slice(&self.permuted.to_be_bytes());
            let permuted = G::permute_event(event, viewer, &Entropy::from_key(key));
            told.extend(
                G::redact(&permuted, viewer).map(|event| G::seal_event(G::event_to(&event))),
            );
        }
        told
    }
}

impl<G: Enveloped + Hidden> Mirror for MirrorOf<G> {
    fn read(&mut self, bytes: &Bytes) -> Result<Facts, String> {
        let unreadable = |_| "an entry cannot be read".to_owned();
        let entry = decode::<Entry>(bytes).map_err(unreadable)?;
        let events = decode::<Vec<Event<G::Event>>>(&entry.events).map_err(unreadable)?;
        let input = decode::<Input<G::Command>>(&entry.input).map_err(unreadable)?;
        let before = self.core.sequences.clone();
        let duties_before = self.core.table.obligations.clone();
        let made_before = self.core.table.obligations_made;
        self.core.replay(bytes).map_err(|error| error.to_string())?;
        let mut viewers = self.viewers();
        // Whoever has left was still told so in the seat.
        viewers.extend((0..self.core.table.settings.seats).map(|seat| Viewer::Seat(Seat(seat))));
        viewers.sort_unstable();
        viewers.dedup();
        for viewer in viewers {
            let seq = self.core.sequences.of(viewer);
            if seq > before.of(viewer) {
                let told = self.moves_for(&events, viewer);
                self.moves.insert((viewer, seq), told);
            }
        }
        let answered = match input {
            Input::Obligation { id, outcome } => {
                let duty = duties_before.into_iter().find(|duty| duty.id == id);
                duty.map(|duty| (duty, outcome))
            }
            _ => None,
        };
        let is_made = |duty: &&Obligation| duty.id > made_before;
        let ended = |event: &&Event<G::Event>| matches!(event, Event::HandEnded { .. });
        Ok(Facts {
            epoch: entry.epoch,
            request: entry.request,
            answered,
            made: self.core.table.obligations.iter().filter(is_made).cloned().collect(),
            hands: events.iter().filter(ended).count() as u64,
        })
    }

    fn show(&mut self, permuted_by: [u8; 32]) {
        let entropy = Entropy::from_key(permuted_by);
        for viewer in self.viewers() {
            let hidden = G::permute_state(&self.core.table.game, viewer, &entropy);
            let true_state = std::mem::replace(&mut self.core.table.game, hidden);
            let view = view_to(&self.core.table, viewer, 0).encode_to_vec();
            self.core.table.game = true_state;
            let at = (viewer, self.core.sequences.of(viewer));
            self.views.entry(at).or_default().insert(view);
        }
    }

    fn may_tell(
        &self,
        viewer: Viewer,
        seq: u64,
        moves: Option<&[rules::v1::Event]>,
        view: Option<&table::v1::TableView>,
    ) -> Result<(), Untold> {
        use Untold::{NotForTheViewer, NotInTheLog};
        if let Some(moves) = moves {
            match self.moves.get(&(viewer, seq)) {
                None => return Err(NotInTheLog(format!("{viewer:?} has no update {seq}"))),
                Some(told) if told == moves => {}
                Some(told) => {
                    let how = format!("{viewer:?} was told {moves:?} instead of {told:?}");
                    return Err(NotForTheViewer(how));
                }
            }
        }
        let Some(view) = view else { return Ok(()) };
        let mut view = view.clone();
        view.spectators = 0;
        match self.views.get(&(viewer, seq)) {
            None => Err(NotInTheLog(format!("{viewer:?} has no view {seq}"))),
            Some(views) if views.contains(&view.encode_to_vec()) => Ok(()),
            Some(_) => {
                let how = format!("{viewer:?} was shown what it may not see at {seq}");
                Err(NotForTheViewer(how))
            }
        }
    }

    fn choose(&self, player: Player) -> Option<rules::v1::Command> {
        let seat = self.core.table.seat_of(player)?;
        let command = G::bot(&G::view(&self.core.table.game, Viewer::Seat(seat)))?;
        Some(G::seal_command(G::command_to(&command)))
    }

    fn posture(&self, player: Player) -> Option<Posture> {
        let table = &self.core.table;
        let seat = table.seat_of(player)?;
        let own = table.occupant(seat)?;
        let mut seats = (0..table.settings.seats).map(Seat);
        let bot = table.occupants().find(|(_, one)| one.bot).map(|(seat, _)| seat);
        Some(Posture {
            phase: table.phase,
            is_host: own.host,
            is_ready: own.ready,
            is_asked: table.vote.as_ref().is_some_and(|vote| !vote.agreed.contains(&seat)),
            has_free_seat: seats.any(|seat| table.occupant(seat).is_none()),
            bot,
        })
    }

    fn room_code(&self) -> &str {
        &self.core.table.settings.room_code
    }

    fn is_closed(&self) -> bool {
        self.core.table.phase == Phase::Closed
    }

    fn seat_of(&self, player: Player) -> Option<Seat> {
        self.core.table.seat_of(player)
    }

    fn seated(&self) -> Vec<Player> {
        if self.core.table.phase == Phase::Closed {
            return Vec::new();
        }
        self.core.table.people().map(|(_, occupant)| occupant.player).collect()
    }

    fn stacks(&self) -> Vec<Stack> {
        let funded = self.core.table.occupants().filter(|(_, one)| one.tenure == Tenure::Seated);
        let stack = |occupant: &parlor_game::shell::Occupant| Stack {
            hold: occupant.hold,
            amount: occupant.stack.0,
        };
        funded.map(|(_, occupant)| stack(occupant)).filter(|stack| stack.hold > 0).collect()
    }

    fn duties(&self) -> Vec<Obligation> {
        self.core.table.obligations.iter().cloned().collect()
    }

    fn is_done(&self) -> bool {
        self.core.table.phase == Phase::Closed && self.core.table.obligations.is_empty()
    }
}

/// The mirror of a table whose opening is `bytes`.
pub fn mirror(bytes: &Bytes) -> Result<(TableId, Box<dyn Mirror>), String> {
    use parlor_game::Game as _;
    let opening = decode::<Opening>(bytes).map_err(|_| "an opening cannot be read")?;
    let mirror: Box<dyn Mirror> = match opening.game.as_str() {
        parlor_blackjack::Blackjack::ID => {
            Box::new(MirrorOf::<parlor_blackjack::Blackjack>::open(&opening, bytes)?)
        }
        parlor_mahjong::Mahjong::ID => {
            Box::new(MirrorOf::<parlor_mahjong::Mahjong>::open(&opening, bytes)?)
        }
        parlor_balatro::Balatro::ID => {
            Box::new(MirrorOf::<parlor_balatro::Balatro>::open(&opening, bytes)?)
        }
        other => return Err(format!("no game is called {other}")),
    };
    Ok((TableId::from_bytes(opening.table_id), mirror))
}
