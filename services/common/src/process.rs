//! Memory and processor time of processes, from `/proc`.

use std::fs;

/// Kernel ticks of a second; every Linux that we run on counts in hundredths.
const TICKS_A_SECOND: f64 = 100.0;

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
pub fn usage(process_id: u32) -> Option<Usage> {
    let status = fs::read_to_string(format!("/proc/{process_id}/status")).ok()?;
    let stat = fs::read_to_string(format!("/proc/{process_id}/stat")).ok()?;
    Some(Usage { rss_mb: rss_mb(&status)?, cpu_s: cpu_s(&stat)? })
}

fn rss_mb(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}

fn cpu_s(stat: &str) -> Option<f64> {
    // The second field is a name in brackets that may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / TICKS_A_SECOND)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn memory_and_processor_time_are_read() {
        assert_eq!(rss_mb("Name:\tx\nVmRSS:\t    1000 kB\n"), Some(1.024));
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20";
        assert_eq!(cpu_s(stat), Some(2.0));
        assert!(usage(std::process::id()).unwrap().rss_mb > 0.0);
        assert_eq!(usage(u32::MAX), None);
    }
}
