//! Seeds and pauses from the operating system, and seeds of shared deals.

use std::sync::Arc;

use parlor_common::TableId;
use parlor_game::shell::Chance;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::daily::DailySeeds;

/// The operating system's generator: a table's seeds must not come from anything weaker.
#[derive(Clone, Debug, Default)]
pub struct OsChance {
    /// What the seeds of shared deals are derived from.
    pub daily: Option<DailySeeds>,
}

/// Gives a table its chance. Anything but [`OsChance`] is for simulations.
pub type ChanceSource = Arc<dyn Fn(TableId) -> Box<dyn Chance + Send> + Send + Sync>;

/// The operating system's chance for every table, with the seeds of shared deals.
#[must_use]
pub fn os_chance(daily: Option<DailySeeds>) -> ChanceSource {
    Arc::new(move |_| Box::new(OsChance { daily: daily.clone() }))
}

impl Chance for OsChance {
    fn seed(&mut self) -> [u8; 32] {
        let mut seed = [0; 32];
        fill(&mut seed);
        seed
    }

    fn shared_seed(&mut self, name: &str) -> Option<[u8; 32]> {
        self.daily.as_ref().map(|daily| daily.seed(name).0)
    }

    fn between(&mut self, least: u32, most: u32) -> u32 {
        let mut bytes = [0; 8];
        if most <= least {
            return least;
        }
        fill(&mut bytes);
        // The bias over at most 2^32 values is below 2^-32: pauses need no more.
        let span = u64::from(most - least) + 1;
        least + u32::try_from(u64::from_le_bytes(bytes) % span).unwrap_or(0)
    }
}

fn fill(bytes: &mut [u8]) {
    // Without the generator no shuffle is safe: the process must not go on dealing.
    if SysRng.try_fill_bytes(bytes).is_err() {
        tracing::error!("the operating system gives no random bytes");
        std::process::abort();
    }
}
