//! Whether a service takes requests: what gRPC health and `/readyz` say.

use tokio::sync::watch;

/// Where a service is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Not yet, or not for now.
    NotReady,
    /// It takes requests.
    Ready,
    /// Never again: the service is ending.
    Draining,
}

/// A service's readiness; clones are the same one. Starts as [`Stage::NotReady`].
#[derive(Clone, Debug)]
pub struct Readiness {
    service: &'static str,
    stage: watch::Sender<Stage>,
}

impl Readiness {
    /// The readiness of a service that has just started.
    #[must_use]
    pub fn new(service: &'static str) -> Self {
        Self { service, stage: watch::Sender::new(Stage::NotReady) }
    }

    /// The service's name.
    #[must_use]
    pub const fn service(&self) -> &'static str {
        self.service
    }

    /// The service takes requests from now on; without effect once it drains.
    pub fn set_ready(&self) {
        self.change(Stage::Ready);
    }

    /// The service takes no requests for now, such as while its database is away.
    pub fn set_not_ready(&self) {
        self.change(Stage::NotReady);
    }

    /// The service ends. There is no way back.
    pub fn set_draining(&self) {
        self.change(Stage::Draining);
    }

    /// Where the service is.
    #[must_use]
    pub fn stage(&self) -> Stage {
        *self.stage.borrow()
    }

    /// Follows the changes.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<Stage> {
        self.stage.subscribe()
    }

    fn change(&self, to: Stage) {
        self.stage.send_if_modified(|stage| {
            let changes = *stage != to && *stage != Stage::Draining;
            if changes {
                *stage = to;
            }
            changes
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draining_service_never_becomes_ready_again() {
        let readiness = Readiness::new("table");
        assert_eq!(readiness.stage(), Stage::NotReady);
        readiness.set_ready();
        assert_eq!(readiness.stage(), Stage::Ready);
        readiness.set_not_ready();
        assert_eq!(readiness.stage(), Stage::NotReady);
        readiness.set_draining();
        readiness.set_ready();
        assert_eq!(readiness.stage(), Stage::Draining);
    }
}
