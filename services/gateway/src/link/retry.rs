//! Which failures are worth another try.

use std::time::Duration;

use parlor_common::{Code, Failure};
use tokio::time::Instant;

use super::{Backoff, LinkTimes, Missed};

/// How often a pod may say that it has no such table before it is believed.
const NOT_FOUND_TRIES: u32 = 3;
/// A table that is known to exist may be between two owners for so long.
const TAKE_OVER: Duration = Duration::from_secs(6);

/// Whether a table is known to exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existence {
    /// Somebody named it.
    Claimed,
    /// It answered before.
    Proven,
}

/// Whether it is known where a table has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Its last owner named the next one.
    Named,
    /// It has to be found.
    Unknown,
}

/// How often in a row a named owner is tried without a pause: two pods that name each other must
/// not make a busy loop.
const NAMED_TRIES: u32 = 2;

/// One series of tries to reach a table.
#[derive(Debug)]
pub struct Retries {
    backoff: Backoff,
    existence: Existence,
    not_found: u32,
    not_found_since: Option<Instant>,
    named: u32,
    /// A busy table is tried again too: nobody else will.
    waits_for_busy: bool,
}

impl Retries {
    /// For a command: the client is told of a busy table, unless an earlier try got lost, of which
    /// the table may still be busy.
    #[must_use]
    pub const fn of_command(times: &LinkTimes, existence: Existence) -> Self {
        let backoff = Backoff::new(times.retry_min, times.retry_max);
        let (not_found, not_found_since) = (0, None);
        Self { backoff, existence, not_found, not_found_since, named: 0, waits_for_busy: false }
    }

    /// For a watch, which goes on by itself.
    #[must_use]
    pub const fn of_watch(times: &LinkTimes) -> Self {
        Self { waits_for_busy: true, ..Self::of_command(times, Existence::Claimed) }
    }

    /// The table answered.
    pub const fn found(&mut self) {
        self.existence = Existence::Proven;
        self.not_found = 0;
        self.not_found_since = None;
    }

    /// Starts again with short pauses.
    pub const fn reset_pauses(&mut self) {
        self.backoff.reset();
    }

    /// Pauses before the next try, unless it is known where to go.
    pub async fn pause(&mut self, owner: Owner) {
        if owner == Owner::Named && self.named < NAMED_TRIES {
            self.named += 1;
            return;
        }
        self.named = 0;
        self.backoff.pause().await;
    }

    /// Whether to try again.
    ///
    /// # Errors
    /// The failure to answer with, when not.
    pub fn forgive(&mut self, missed: Missed) -> Result<(), Failure> {
        match missed {
            Missed::Lost => {
                self.waits_for_busy = true;
                Ok(())
            }
            Missed::Refused(failure) => match failure.code {
                Code::Unavailable => Ok(()),
                Code::Exhausted if self.waits_for_busy => Ok(()),
                Code::NotFound if self.may_be_moving() => Ok(()),
                _ => Err(failure),
            },
        }
    }

    fn may_be_moving(&mut self) -> bool {
        self.not_found += 1;
        match self.existence {
            Existence::Claimed => self.not_found < NOT_FOUND_TRIES,
            Existence::Proven => {
                let since = *self.not_found_since.get_or_insert_with(Instant::now);
                since.elapsed() < TAKE_OVER
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: LinkTimes = LinkTimes {
        connect: Duration::from_secs(1),
        command: Duration::from_secs(1),
        retry_min: Duration::from_millis(1),
        retry_max: Duration::from_millis(10),
    };

    fn refused(code: Code) -> Missed {
        Missed::Refused(Failure::new(code, "REASON", "a text"))
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for code in Code::ALL {
            let mut retries = Retries::of_command(&TIMES, Existence::Claimed);
            let again = matches!(code, Code::Unavailable | Code::NotFound);
            assert_eq!(retries.forgive(refused(code)).is_ok(), again, "{code:?}");
        }
    }

    #[test]
    fn a_busy_table_is_tried_again_after_a_lost_try_and_by_watches() {
        let mut command = Retries::of_command(&TIMES, Existence::Claimed);
        assert_eq!(command.forgive(Missed::Lost), Ok(()));
        assert_eq!(command.forgive(refused(Code::Exhausted)), Ok(()));
        assert_eq!(Retries::of_watch(&TIMES).forgive(refused(Code::Exhausted)), Ok(()));
    }

    #[test]
    fn a_table_that_was_never_seen_is_soon_believed_not_to_exist() {
        let mut retries = Retries::of_watch(&TIMES);
        let tries = (0..10).take_while(|_| retries.forgive(refused(Code::NotFound)).is_ok());
        assert_eq!(tries.count(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_named_owner_is_tried_at_once_but_not_for_ever() {
        let mut retries = Retries::of_watch(&TIMES);
        let before = Instant::now();
        for _ in 0..NAMED_TRIES {
            retries.pause(Owner::Named).await;
        }
        assert_eq!(before.elapsed(), Duration::ZERO);
        retries.pause(Owner::Named).await;
        assert!(before.elapsed() > Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_table_that_was_seen_may_be_between_two_owners() {
        let mut retries = Retries::of_watch(&TIMES);
        retries.found();
        for _ in 0..10 {
            assert_eq!(retries.forgive(refused(Code::NotFound)), Ok(()));
        }
        tokio::time::advance(TAKE_OVER).await;
        assert!(retries.forgive(refused(Code::NotFound)).is_err());
    }
}
