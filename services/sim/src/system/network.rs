//! The network between the simulated processes: gRPC's own bytes over pipes that are slow and cut.
//!
//! A connection carries its bytes in order, late, or not at all, as TCP does. Requests are doubled
//! and overtake each other because whoever lost a connection asks again over another.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper_util::rt::TokioIo;
use parlor_common::Shutdown;
use parlor_common::client::{ClientOptions, Dialer, PeerChannel, over};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex, split};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::{Endpoint, Server};

use super::fate::Fate;
use super::life::Life;

/// Bytes on their way in one direction of a connection.
const PIPE: usize = 64 * 1024;
/// Bytes that travel together.
const CHUNK: usize = 16 * 1024;
/// Connections that wait to be accepted.
const BACKLOG: usize = 64;

type Accepted = Result<DuplexStream, io::Error>;

/// A process that can be called.
#[derive(Clone)]
struct Listener {
    life: Life,
    accept: mpsc::Sender<Accepted>,
}

struct Cable {
    ends: [Arc<str>; 2],
    cut: CancellationToken,
}

#[derive(Default)]
struct State {
    /// By the name under which they are called, in the order in which they came.
    listeners: BTreeMap<String, Vec<Listener>>,
    cables: Vec<Cable>,
}

/// All connections of a run.
pub struct Network {
    state: Mutex<State>,
    fate: Arc<Fate>,
    world: Shutdown,
}

impl Network {
    /// Nobody listens yet. What carries connections ends with the world.
    pub fn new(fate: Arc<Fate>, world: Shutdown) -> Self {
        Self { state: Mutex::default(), fate, world }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves calls to `host`, which several may share, and to the process by its own name, for as
    /// long as it lives.
    pub fn serve(&self, host: &str, life: &Life, routes: Routes) {
        let (accept, accepted) = mpsc::channel(BACKLOG);
        let listener = Listener { life: life.clone(), accept };
        for name in [host, life.name()] {
            let mut state = self.state();
            state.listeners.entry(name.to_owned()).or_default().push(listener.clone());
        }
        let server =
            Server::builder().add_routes(routes).serve_with_incoming(ReceiverStream::new(accepted));
        self.world.spawn("server", async move {
            // A server over pipes has nothing of its own that could fail.
            let _ = server.await;
        });
    }

    /// No new connections to this life of a process, as of one that nobody is sent to any more.
    pub fn withdraw(&self, life: &Life) {
        let mut state = self.state();
        for listeners in state.listeners.values_mut() {
            listeners.retain(|one| one.life.name() != life.name());
        }
        state.listeners.retain(|_, listeners| !listeners.is_empty());
    }

    /// How a process calls URLs, such as `http://table-a`.
    pub fn dialer(self: &Arc<Self>, from: &Life) -> ClientOptions {
        let (network, from) = (Arc::clone(self), from.clone());
        let dial = move |url: &str, _: &ClientOptions| {
            network.channel(&from, url.trim_start_matches("http://"))
        };
        ClientOptions::default().with_dialer(Dialer::new(dial))
    }

    /// A channel of a process to `host`, which connects when it is first used and again.
    pub fn channel(self: &Arc<Self>, from: &Life, host: &str) -> PeerChannel {
        let options = ClientOptions::default();
        let (network, from, to) = (Arc::clone(self), from.clone(), host.to_owned());
        let connector = tower::service_fn(move |_: tonic::transport::Uri| {
            let (network, from, to) = (Arc::clone(&network), from.clone(), to.clone());
            async move { network.dial(&from, &to).await.map(TokioIo::new) }
        });
        let channel = Endpoint::from_static("http://simulated")
            .connect_timeout(options.connect_timeout)
            .timeout(options.timeout)
            .http2_keep_alive_interval(options.keepalive_interval)
            .keep_alive_timeout(options.keepalive_timeout)
            .keep_alive_while_idle(true)
            .connect_with_connector_lazy(connector);
        over(channel, &options)
    }

    async fn dial(self: &Arc<Self>, from: &Life, to: &str) -> io::Result<DuplexStream> {
        tokio::time::sleep(self.fate.journey()).await;
        if from.is_over() {
            std::future::pending::<()>().await;
        }
        let refused = || io::Error::from(io::ErrorKind::ConnectionRefused);
        let alive: Vec<Listener> = {
            let state = self.state();
            let all = state.listeners.get(to).into_iter().flatten();
            all.filter(|listener| !listener.life.is_over()).cloned().collect()
        };
        let listener = alive.get(self.fate.place(alive.len())).ok_or_else(refused)?;
        let (near, here) = duplex(PIPE);
        let (there, far) = duplex(PIPE);
        let cut = CancellationToken::new();
        let ends = [from.name().into(), listener.life.name().into()];
        {
            let mut state = self.state();
            state.cables.retain(|cable| !cable.cut.is_cancelled());
            state.cables.push(Cable { ends, cut: cut.clone() });
        }
        let (network, lives) = (Arc::clone(self), [from.clone(), listener.life.clone()]);
        self.world.spawn("cable", async move {
            network.carry(here, there, &lives, &cut).await;
            cut.cancel();
        });
        listener.accept.send(Ok(far)).await.map_err(|_| refused())?;
        Ok(near)
    }

    /// Carries bytes both ways until the connection is cut or one of the two dies.
    async fn carry(
        &self,
        here: DuplexStream,
        there: DuplexStream,
        lives: &[Life; 2],
        cut: &CancellationToken,
    ) {
        let (mut here_out, mut here_in) = split(here);
        let (mut there_out, mut there_in) = split(there);
        tokio::select! {
            biased;
            () = cut.cancelled() => {}
            () = lives[0].ended() => {}
            () = lives[1].ended() => {}
            () = self.flow(&mut here_out, &mut there_in, lives) => {}
            () = self.flow(&mut there_out, &mut here_in, lives) => {}
        }
    }

    async fn flow(
        &self,
        from: &mut (impl AsyncReadExt + Unpin),
        to: &mut (impl AsyncWriteExt + Unpin),
        lives: &[Life; 2],
    ) {
        let mut chunk = vec![0; CHUNK];
        while let Ok(length @ 1..) = from.read(&mut chunk).await {
            let pause = self.fate.journey();
            if pause > Duration::ZERO {
                tokio::time::sleep(pause).await;
            }
            for life in lives {
                life.connected().await;
            }
            let Some(bytes) = chunk.get(..length) else { return };
            if to.write_all(bytes).await.is_err() {
                return;
            }
        }
    }

    /// Cuts the connections of a process, or some of them.
    pub fn cut(&self, name: &str, per_mille: u64) {
        let state = self.state();
        let touches = |cable: &&Cable| cable.ends.iter().any(|end| &**end == name);
        for cable in state.cables.iter().filter(touches) {
            if self.fate.happens(per_mille) {
                cable.cut.cancel();
            }
        }
    }
}
