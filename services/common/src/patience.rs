//! Patience at the start: what a service cannot do without, such as its database, may be away for a
//! while, and a process that ends for it is only started again, later and later.

use std::fmt;
use std::time::Duration;

use tokio::time::Instant;

use crate::Shutdown;

/// Pause after the first failure; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// Longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Tries again and again until `open` succeeds. `what` is named in one line for each try that
/// failed.
///
/// `None`: the shutdown began meanwhile.
///
/// # Errors
/// What the last try said, once the next would come later than `limit` after the first, or at once
/// when it is nothing that passes.
pub async fn until_open<T, E: fmt::Display, F: Future<Output = Result<T, E>>>(
    what: &'static str,
    limit: Duration,
    shutdown: &Shutdown,
    may_pass: impl Fn(&E) -> bool,
    open: impl Fn() -> F,
) -> Result<Option<T>, E> {
    let token = shutdown.token();
    let begun = Instant::now();
    let (mut attempt, mut pause) = (1_u32, FIRST_PAUSE);
    loop {
        let opened = tokio::select! {
            biased;
            () = token.cancelled() => return Ok(None),
            opened = open() => opened,
        };
        let error = match opened {
            Ok(opened) => {
                if attempt > 1 {
                    tracing::info!(what, attempt, "{what} is there");
                }
                return Ok(Some(opened));
            }
            Err(error) => error,
        };
        let waited = begun.elapsed();
        if !may_pass(&error) || waited + pause > limit {
            return Err(error);
        }
        let next_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        tracing::warn!(
            %error, what, attempt, waited_s = waited.as_secs(), next_ms,
            "{what} is away, tried again soon"
        );
        tokio::select! {
            biased;
            () = token.cancelled() => return Ok(None),
            () = tokio::time::sleep(pause) => {}
        }
        attempt = attempt.saturating_add(1);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::ready;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    /// Opens at a try, and fails before; with how many tries there were.
    async fn opens_at(try_no: u32, limit: Duration) -> (Result<Option<u32>, &'static str>, u32) {
        let (tries, shutdown) = (Cell::new(0), Shutdown::new());
        let opened = until_open(
            "the store",
            limit,
            &shutdown,
            |_| true,
            || {
                tries.set(tries.get() + 1);
                ready(if tries.get() < try_no { Err("refused") } else { Ok(tries.get()) })
            },
        );
        (opened.await, tries.get())
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_in_time_is_waited_for_with_growing_pauses() {
        let begun = Instant::now();
        assert_eq!(opens_at(1, Duration::ZERO).await, (Ok(Some(1)), 1));
        assert_eq!(opens_at(8, LIMIT).await, (Ok(Some(8)), 8));
        // 0.25 + 0.5 + 1 + 2 + 4 + 5 + 5 seconds, and a millisecond that the timer may add to each.
        let waited = begun.elapsed().as_millis();
        assert!((17_750..=17_760).contains(&waited), "{waited}");
    }

    #[tokio::test(start_paused = true)]
    async fn the_limit_is_kept() {
        let begun = Instant::now();
        let (opened, tries) = opens_at(u32::MAX, LIMIT).await;
        assert_eq!(opened, Err("refused"));
        assert!(begun.elapsed() <= LIMIT);
        assert!(tries > 10, "{tries}");
        assert_eq!(opens_at(2, Duration::ZERO).await, (Err("refused"), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn what_does_not_pass_is_not_waited_for() {
        let (tries, shutdown) = (Cell::new(0), Shutdown::new());
        let opened = until_open(
            "the store",
            LIMIT,
            &shutdown,
            |_| false,
            || {
                tries.set(tries.get() + 1);
                ready(Err::<(), _>("the password is wrong"))
            },
        );
        assert_eq!(opened.await, Err("the password is wrong"));
        assert_eq!(tries.get(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn the_shutdown_ends_the_wait() {
        let shutdown = Shutdown::new();
        let refuses = || ready(Err::<(), _>("refused"));
        let opened = until_open("the store", LIMIT, &shutdown, |_| true, refuses);
        let end = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            shutdown.begin();
        };
        assert_eq!(tokio::join!(opened, end).0, Ok(None));
    }
}
