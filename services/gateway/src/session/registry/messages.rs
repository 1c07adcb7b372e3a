//! What gateways tell each other, and what they are told of what they share.

use std::time::Duration;

use parlor_common::PlayerId;
use serde::{Deserialize, Serialize};

use super::sanctions::Standing;

/// What the gateways share did not answer in time, or not as expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Away;

/// A message to a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mail {
    /// The player has a session elsewhere with this epoch: earlier ones end.
    Replaced {
        /// Whose.
        player: PlayerId,
        /// Of the new session.
        epoch: u64,
    },
    /// The player is to be sent away.
    Kicked {
        /// Who.
        player: PlayerId,
        /// Of the session that is meant; later ones stay. Absent in messages of older gateways.
        #[serde(default)]
        epoch: Option<u64>,
    },
    /// What stands against the player has changed.
    Sanctioned {
        /// Whom.
        player: PlayerId,
    },
}

/// How a session was written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// Its epoch; 0 when the player is banned and there is none.
    pub epoch: u64,
    /// The gateway of the session before.
    pub before: Option<String>,
    /// What stands against the player.
    pub standing: Standing,
    /// What the player has asked for above its rate, as far as other gateways have told.
    pub debt: Duration,
}

/// What a renewal found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renewed {
    /// A later session is known.
    pub is_lost: bool,
    /// The gateway of an earlier session that is replaced.
    pub replaced: Option<String>,
    /// What stands against the player.
    pub standing: Standing,
}

/// What is known of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Epoch and gateway of the latest session.
    pub session: Option<(u64, String)>,
    /// What stands against the player.
    pub standing: Standing,
}
