//! A proxy in front of PostgreSQL that breaks connections.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::chance::Chance;

/// Where a connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// The server never sees the commit.
    BeforeCommit,
    /// The server commits, and nobody hears of it.
    AfterCommit,
    /// In the middle of anything else.
    Elsewhere,
}

/// One in so many commits is cut before, and as many after.
const COMMITS_A_CUT: u64 = 12;
/// One in so many other messages is cut.
const MESSAGES_A_CUT: u64 = 150;

struct State {
    breaking: AtomicBool,
    chance: Mutex<Chance>,
    cuts: Mutex<BTreeMap<Cut, usize>>,
}

impl State {
    /// Whether, and where, to break at this message of the client.
    fn choose(&self, message: &[u8]) -> Option<Cut> {
        if !self.breaking.load(Ordering::Relaxed) {
            return None;
        }
        let mut chance = self.chance.lock().unwrap();
        let commits = message.windows(6).any(|window| window == b"COMMIT");
        let cut = if commits {
            match chance.below(COMMITS_A_CUT) {
                0 => Some(Cut::BeforeCommit),
                1 => Some(Cut::AfterCommit),
                _ => None,
            }
        } else {
            (chance.below(MESSAGES_A_CUT) == 0).then_some(Cut::Elsewhere)
        };
        if let Some(cut) = cut {
            *self.cuts.lock().unwrap().entry(cut).or_default() += 1;
        }
        cut
    }
}

/// The proxy; it stops with the runtime.
pub struct Proxy {
    pub url: String,
    state: Arc<State>,
}

impl Proxy {
    /// Stands in front of the server of `url`.
    pub async fn start(url: &str, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().to_string();
        let server = url.split('@').nth(1).unwrap().split('/').next().unwrap().to_owned();
        let state = Arc::new(State {
            breaking: AtomicBool::new(false),
            chance: Mutex::new(Chance::new(seed)),
            cuts: Mutex::default(),
        });
        let (url, states) = (url.replace(&server, &own), Arc::clone(&state));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, state) = (server.clone(), Arc::clone(&states));
                tokio::spawn(async move {
                    if let Ok(server) = TcpStream::connect(server).await {
                        pass(client, server, &state).await;
                    }
                });
            }
        });
        Self { url, state }
    }

    pub fn break_things(&self, breaking: bool) {
        self.state.breaking.store(breaking, Ordering::Relaxed);
    }

    pub fn cuts(&self, cut: Cut) -> usize {
        self.state.cuts.lock().unwrap().get(&cut).copied().unwrap_or(0)
    }
}

/// Passes bytes both ways until one side ends or the connection is to break; both ends are closed
/// then.
async fn pass(client: TcpStream, server: TcpStream, state: &State) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let mut requests = vec![0; 64 * 1024];
    let mut answers = vec![0; 64 * 1024];
    loop {
        tokio::select! {
            read = from_client.read(&mut requests) => {
                let Some(message) = received(read, &requests) else { return };
                let cut = state.choose(message);
                if matches!(cut, Some(Cut::BeforeCommit | Cut::Elsewhere)) {
                    return;
                }
                if to_server.write_all(message).await.is_err() {
                    return;
                }
                if cut == Some(Cut::AfterCommit) {
                    // The answer means that it is done; it goes no further.
                    let _ = from_server.read(&mut answers).await;
                    return;
                }
            }
            read = from_server.read(&mut answers) => {
                let Some(message) = received(read, &answers) else { return };
                if to_client.write_all(message).await.is_err() {
                    return;
                }
            }
        }
    }
}

fn received(read: std::io::Result<usize>, buffer: &[u8]) -> Option<&[u8]> {
    read.ok().filter(|length| *length > 0).and_then(|length| buffer.get(..length))
}
