//! Everything that is drawn in a run, from one seed; and the run's trace.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng};
use tokio::time::Instant;

/// Whether a run tells what happens in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// Only its result.
    #[default]
    Silent,
    /// Each step, on standard error.
    Aloud,
}

struct State {
    random: ChaCha20Rng,
    /// Since when no fault happens any more.
    calm: Option<Instant>,
    trace: u64,
    steps: u64,
    /// Deaths at a step that was named.
    crashes: u64,
    /// The last steps, for a report.
    latest: VecDeque<String>,
}

/// How many of the last steps a report shows.
const LATEST: usize = 16;

/// What decides in a run. Each thing is drawn in the order in which it happens, so that a seed
/// gives one run.
pub struct Fate {
    state: Mutex<State>,
    since: Instant,
    telling: Telling,
}

impl Fate {
    /// The fate of one run. Needs a runtime, whose time it tells.
    pub fn new(seed: u64, telling: Telling) -> Self {
        let random = ChaCha20Rng::seed_from_u64(seed);
        let latest = VecDeque::with_capacity(LATEST);
        let (trace, steps, crashes) = (FNV_OFFSET, 0, 0);
        let state = State { random, calm: None, trace, steps, crashes, latest };
        Self { state: Mutex::new(state), since: Instant::now(), telling }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number from `least` to `most`, both included; `least` when there is none between.
    pub fn between(&self, least: u64, most: u64) -> u64 {
        let span = most.saturating_sub(least).saturating_add(1);
        // The bias of a remainder is nothing to a simulation.
        least + self.state().random.next_u64() % span.max(1)
    }

    /// One of `count` places; 0 when there is none.
    pub fn place(&self, count: usize) -> usize {
        let most = u64::try_from(count).unwrap_or(u64::MAX).saturating_sub(1);
        usize::try_from(self.between(0, most)).unwrap_or(0)
    }

    /// Whether something happens that happens `per_mille` times in a thousand.
    pub fn happens(&self, per_mille: u64) -> bool {
        self.between(0, 999) < per_mille
    }

    /// Whether a fault happens: never after [`Fate::calm_down`].
    pub fn strikes(&self, per_mille: u64) -> bool {
        self.happens(per_mille) && !self.is_calm()
    }

    /// A pause of `least` to `most` milliseconds.
    pub fn pause(&self, least: u64, most: u64) -> Duration {
        Duration::from_millis(self.between(least, most))
    }

    /// How long a message or a write is on its way: mostly short, now and then long.
    pub fn journey(&self) -> Duration {
        if self.strikes(8) { self.pause(20, 1_500) } else { self.pause(0, 2) }
    }

    /// 32 bytes.
    pub fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.state().random.fill_bytes(&mut bytes);
        bytes
    }

    /// From now on no fault happens.
    pub fn calm_down(&self) {
        self.state().calm.get_or_insert(Instant::now());
    }

    /// Whether faults are over.
    pub fn is_calm(&self) -> bool {
        self.state().calm.is_some()
    }

    /// For how long no fault has happened any more; zero while they do.
    pub fn calm_for(&self) -> Duration {
        self.state().calm.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Milliseconds since the run began, of the simulated time.
    pub fn now_ms(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Adds a step to the trace.
    pub fn note(&self, step: fmt::Arguments<'_>) {
        let now_ms = self.now_ms();
        let text = format!("{now_ms:>7} {step}");
        if self.telling == Telling::Aloud {
            eprintln!("{text}");
        }
        let mut state = self.state();
        state.steps += 1;
        state.trace = text.bytes().fold(state.trace, hashed);
        if state.latest.len() == LATEST {
            state.latest.pop_front();
        }
        state.latest.push_back(text);
    }

    /// A process has died at the step of a [`Crash`](super::life::Crash).
    pub fn crashed(&self) {
        self.state().crashes += 1;
    }

    /// How often one has.
    pub fn crashes(&self) -> u64 {
        self.state().crashes
    }

    /// The last steps, oldest first.
    pub fn latest(&self) -> Vec<String> {
        self.state().latest.iter().cloned().collect()
    }

    /// A hash of all steps so far: two runs with the same are the same run.
    pub fn trace(&self) -> u64 {
        self.state().trace
    }

    /// How many steps were noted.
    pub fn steps(&self) -> u64 {
        self.state().steps
    }
}

/// FNV-1a: the same in every build, unlike the standard library's hasher.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn hashed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// A short hash of bytes, for traces.
pub fn digest(bytes: &[u8]) -> u32 {
    let hash = bytes.iter().copied().fold(FNV_OFFSET, hashed);
    (hash >> 32) as u32
}
