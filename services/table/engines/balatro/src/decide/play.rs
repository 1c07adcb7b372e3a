//! Playing a hand (rules: balatro 2.2).

use alloc::vec::Vec;

use parlor_game::{Entropy, Refusal, Stream};

use super::draft::Draft;
use super::draw::Occasion;
use super::label::Label;
use super::round_end::Win;
use super::start::pick;
use crate::blind::Verdict;
use crate::card::{Card, CardId};
use crate::content::bosses::BossEffect;
use crate::event::{Discarder, Event, Scored};
use crate::joker::Joker;
use crate::number::clamp;
use crate::reason;
use crate::score::{CreatedKind, Outcome, RollKey, Rolls, Step, score_traced};
use crate::selection;
use crate::state::{Phase, Run};

impl Draft<'_> {
    pub(super) fn play(&mut self, cards: &[CardId]) -> Result<(), Refusal> {
        self.require(Phase::Playing)?;
        self.check_selection(cards)?;
        if self.run.round.hands_left == 0 {
            return Err(Refusal::illegal(reason::NO_HANDS_LEFT, "no hands are left"));
        }
        let cards = self.held_cards(cards);
        self.emit(Event::CardsPlayed { cards });
        if self.run.boss_effect() == BossEffect::DiscardTwo {
            self.boss_discards(2);
        }
        self.score_table();
        match Verdict::of(self.run.round.score, self.run.round.target, self.run.round.hands_left) {
            Verdict::Cleared => self.win_round(Win::Score),
            Verdict::OutOfHands => self.lose_round(),
            Verdict::InProgress => {
                self.draw(Occasion::Play);
                self.force_card();
                self.disable_joker();
                self.lose_if_stuck();
            }
        }
        Ok(())
    }

    pub(super) fn check_selection(&self, cards: &[CardId]) -> Result<(), Refusal> {
        let is_held = |card: &CardId| self.run.hand_place(*card).is_some();
        let checked = selection::check(cards, is_held, self.run.round.forced.as_ref());
        checked
            .map_err(|reason| Refusal::illegal(reason, "these cards cannot be selected together"))
    }

    /// Held cards by id, in the order of the ids, face up.
    pub(super) fn held_cards(&self, cards: &[CardId]) -> Vec<Card> {
        let places = cards.iter().filter_map(|card| self.run.hand_place(*card));
        let mut held: Vec<Card> = Vec::with_capacity(cards.len());
        places.for_each(|place| held.push(self.run.hand[place]));
        held.iter_mut().for_each(|card| card.face_down = false);
        held
    }

    /// The boss discards random held cards; what reacts to discarded cards does.
    fn boss_discards(&mut self, count: usize) {
        let mut held: Vec<CardId> = self.run.hand.iter().map(|card| card.id).collect();
        let mut stream = self.stream_now("hook");
        let mut chosen = Vec::new();
        while chosen.len() < count
            && let Some(card) = pick(&held, &mut stream)
        {
            held.retain(|other| *other != card);
            chosen.push(card);
        }
        self.discard_cards(&chosen, Discarder::Boss);
    }

    fn score_table(&mut self) {
        let mut rolls = StreamRolls::new(&self.run, self.entropy());
        let (outcome, trace) = score_traced(&self.run.scene(), &mut rolls);
        let scored = scored(&self.run, &outcome, trace);
        self.emit(Event::Scored(scored.into()));
        for created in &outcome.created {
            if let CreatedKind::Consumable(kind) = created.kind {
                self.create_consumable(kind, created.by.id());
            }
        }
    }
}

/// The outcome of a play as an event.
fn scored(run: &Run, outcome: &Outcome, trace: Vec<Step>) -> Scored {
    let changed = |(place, state): &(usize, crate::joker::JokerState)| {
        run.jokers.get(*place).map(|joker| Joker { state: *state, ..*joker })
    };
    let gone = outcome.gone.iter().filter_map(|place| run.jokers.get(*place));
    let is_destroyed = |place: &usize| outcome.destroyed & 1 << place != 0;
    let destroyed = (0..outcome.cards.len()).filter(is_destroyed);
    let copies = outcome.created.iter().filter_map(|created| match created.kind {
        CreatedKind::Card(card) => Some(card),
        CreatedKind::Consumable(_) => None,
    });
    Scored {
        hand: outcome.hand,
        record: outcome.record,
        cards: outcome.cards.to_vec(),
        scoring: outcome.scoring,
        blocked: outcome.blocked,
        chips: outcome.chips,
        mult: outcome.mult,
        score: outcome.score,
        total: clamp(run.round.score + outcome.score),
        money: outcome.money,
        jokers: outcome.jokers.iter().filter_map(changed).collect(),
        gone: gone.map(|joker| joker.item).collect(),
        destroyed: destroyed.map(|place| outcome.cards[place].id).collect(),
        added: (run.next_card..u16::MAX)
            .zip(copies)
            .map(|(number, card)| Card { id: CardId(number), ..card })
            .collect(),
        trace,
    }
}

/// Rolls of a play: a stream for each key, opened when it is first asked.
struct StreamRolls<'a> {
    entropy: &'a Entropy,
    place: (u32, u32),
    open: Vec<(RollKey, Stream)>,
}

impl<'a> StreamRolls<'a> {
    fn new(run: &Run, entropy: &'a Entropy) -> Self {
        Self { entropy, place: (run.round_no, run.round.hands_played), open: Vec::new() }
    }

    fn stream(&mut self, key: RollKey) -> &mut Stream {
        let known = self.open.iter().position(|(open, _)| *open == key);
        let place = known.unwrap_or_else(|| {
            let (round, hand) = self.place;
            let label = Label::new(key.name()).number(round).number(hand);
            self.open.push((key, self.entropy.labelled(label.as_str())));
            self.open.len() - 1
        });
        &mut self.open[place].1
    }
}

impl Rolls for StreamRolls<'_> {
    fn chance(&mut self, key: RollKey, numerator: u32, denominator: u32) -> bool {
        self.stream(key).chance(numerator, denominator)
    }

    fn between(&mut self, key: RollKey, low: i64, high: i64) -> i64 {
        let span = u32::try_from(high.saturating_sub(low).saturating_add(1)).unwrap_or(1);
        low + i64::from(self.stream(key).below(span))
    }
}
