//! Memory and processor time of processes, as Linux tells them in `/proc`.

use std::fs;

/// Kernel ticks of a second; every Linux that we run on counts in hundredths.
const TICKS_A_SECOND: f64 = 100.0;

/// Resident memory of a process in bytes; `None` where it cannot be read.
#[must_use]
pub fn resident_bytes(process_id: u32) -> Option<u64> {
    resident_in(&fs::read_to_string(format!("/proc/{process_id}/status")).ok()?)
}

/// Processor time of a process since its start, user and system, in seconds; `None` where it
/// cannot be read.
#[must_use]
pub fn processor_seconds(process_id: u32) -> Option<f64> {
    processor_in(&fs::read_to_string(format!("/proc/{process_id}/stat")).ok()?)
}

fn resident_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

fn processor_in(stat: &str) -> Option<f64> {
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
        assert_eq!(resident_in("Name:\tx\nVmRSS:\t    1000 kB\n"), Some(1_024_000));
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20";
        assert_eq!(processor_in(stat), Some(2.0));
        assert!(resident_bytes(std::process::id()).unwrap() > 0);
        assert!(processor_seconds(std::process::id()).unwrap() >= 0.0);
        assert_eq!((resident_bytes(u32::MAX), processor_seconds(u32::MAX)), (None, None));
    }
}
