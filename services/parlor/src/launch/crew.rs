//! The services that run in this process.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use futures_util::future::select_all;
use parlor_common::readiness::Stage;
use parlor_common::server::{ServerConfig, ServerOptions, ServiceAuth};
use parlor_common::tls::Identity;
use parlor_common::{Readiness, Shutdown};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Settings;

/// Exit code of a process that was told twice to end, as a shell reports an interrupt.
const INTERRUPTED: i32 = 130;

/// Services in the order in which they were started. They end in the opposite order: whoever calls
/// another service is gone before it.
pub struct Crew {
    members: Vec<Member>,
    auth: ServiceAuth,
    server: ServerConfig,
    timeout: Duration,
    identity: Option<Arc<Identity>>,
}

struct Member {
    readiness: Readiness,
    shutdown: Shutdown,
    ended: JoinHandle<anyhow::Result<()>>,
}

impl Crew {
    /// Nobody yet. With an identity they speak TLS with each other.
    pub fn new(settings: &Settings, identity: Option<Arc<Identity>>) -> Self {
        Self {
            members: Vec::new(),
            auth: settings.peer.auth(),
            server: settings.server.clone(),
            timeout: Duration::from_millis(settings.shutdown_timeout_ms),
            identity,
        }
    }

    /// Starts a service with a shutdown of its own.
    pub fn start<F>(&mut self, name: &'static str, run: impl FnOnce(ServerOptions, Shutdown) -> F)
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        let options = ServerOptions::new(name)
            .with_auth(self.auth.clone())
            .with_config(self.server.clone())
            .with_identity(self.identity.clone());
        let (readiness, shutdown) = (options.readiness.clone(), Shutdown::new());
        let ended = shutdown.spawn(name, Box::pin(run(options, shutdown.clone())));
        self.members.push(Member { readiness, shutdown, ended });
    }

    /// What they show each other, if they speak TLS.
    pub const fn identity(&self) -> Option<&Arc<Identity>> {
        self.identity.as_ref()
    }

    /// The readiness of every service.
    pub fn readiness(&self) -> Vec<Readiness> {
        self.members.iter().map(|member| member.readiness.clone()).collect()
    }

    /// Calls `ready` once every service is, and ends all when a signal asks for it or one of them
    /// has ended by itself, which is an error.
    pub async fn serve_until_asked(mut self, ready: impl FnOnce()) -> anyhow::Result<()> {
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let mut ready = Some(ready);
        let all_ready = all_ready(self.readiness());
        tokio::pin!(all_ready);
        let result = loop {
            tokio::select! {
                () = &mut all_ready, if ready.is_some() => if let Some(ready) = ready.take() {
                    ready();
                },
                _ = interrupt.recv() => break Ok(()),
                _ = terminate.recv() => break Ok(()),
                error = self.first_failure() => break Err(error),
            }
        };
        tokio::select! {
            () = self.end() => result,
            // Who asks twice does not want to wait.
            _ = interrupt.recv() => std::process::exit(INTERRUPTED),
        }
    }

    /// Why the first service that ended did so.
    async fn first_failure(&mut self) -> anyhow::Error {
        let ends = self.members.iter_mut().map(|member| &mut member.ended);
        let (ended, index, _) = select_all(ends).await;
        let member = self.members.remove(index);
        member.shutdown.begin();
        let name = member.readiness.service();
        match ended {
            Ok(Ok(())) => anyhow!("the {name} service has ended by itself"),
            Ok(Err(error)) => error.context(format!("the {name} service has failed")),
            Err(error) => anyhow!(error).context(format!("the {name} service has panicked")),
        }
    }

    async fn end(mut self) {
        let deadline = Instant::now() + self.timeout;
        while let Some(member) = self.members.pop() {
            let name = member.readiness.service();
            tracing::info!(service = name, "{name} ends");
            let left = deadline.saturating_duration_since(Instant::now());
            if let Err(lingering) = member.shutdown.finished(left).await {
                tracing::warn!(service = name, %lingering, "{name} did not end in time");
                continue;
            }
            let result = member.ended.await.context("the service's task was lost");
            if let Err(error) = result.flatten() {
                tracing::warn!(service = name, error = format!("{error:#}"), "{name} ended badly");
            }
        }
    }
}

async fn all_ready(services: Vec<Readiness>) {
    for service in services {
        // The sender lives in the service's readiness, so this ends only with the right stage.
        let _ = service.subscribe().wait_for(|stage| *stage == Stage::Ready).await;
    }
}
