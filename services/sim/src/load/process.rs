//! What the processes under load use.

use parlor_common::process::{processor_seconds, resident_bytes};

/// What a process uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Resident memory in MB (1,000,000 bytes).
    pub rss_mb: f64,
    /// Processor time since its start, user and system, in seconds.
    pub cpu_s: f64,
}

/// What a process uses now; `None` when there is no such process.
#[must_use]
#[allow(clippy::cast_precision_loss)] // No process has 2^53 bytes.
pub fn usage(process_id: u32) -> Option<Usage> {
    let rss_mb = resident_bytes(process_id)? as f64 / 1e6;
    Some(Usage { rss_mb, cpu_s: processor_seconds(process_id)? })
}
