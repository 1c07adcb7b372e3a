//! A process that can be killed, stopped and woken.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

/// Longest wait for anything that processes do, on a machine that is busy.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// What a process is started with, so that it can be started again.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Where its log goes.
    pub folder: PathBuf,
}

/// A process. It ends with this value.
pub struct Pod {
    recipe: Recipe,
    child: Child,
}

impl Pod {
    pub fn start(recipe: Recipe) -> Self {
        let child = spawn(&recipe);
        Self { recipe, child }
    }

    pub fn name(&self) -> &str {
        &self.recipe.name
    }

    /// Sends a signal, such as `STOP`.
    pub async fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status().await.unwrap();
        assert!(sent.success(), "{name} to {}", self.name());
    }

    /// kill -9.
    pub async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Waits for the end, which must go well.
    pub async fn ended(&mut self) {
        let ended = timeout(PATIENCE, self.child.wait()).await;
        let status = ended.unwrap_or_else(|_| panic!("{} does not end", self.name())).unwrap();
        assert!(status.success(), "{} ended with {status}", self.name());
    }

    /// Starts it again if it has ended by itself, as its deployment would.
    pub fn revive(&mut self) {
        if let Ok(Some(status)) = self.child.try_wait() {
            println!("{} has ended by itself: {status}", self.name());
            self.restart();
        }
    }

    /// Starts it again, as its deployment would.
    pub fn restart(&mut self) {
        self.child = spawn(&self.recipe);
    }

    /// The end of its log.
    pub fn tail(&self) -> String {
        let log = std::fs::read_to_string(log(&self.recipe)).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

fn log(recipe: &Recipe) -> PathBuf {
    recipe.folder.join(format!("{}.log", recipe.name))
}

fn spawn(recipe: &Recipe) -> Child {
    let log = File::options().create(true).append(true).open(log(recipe)).unwrap();
    let mut command = Command::new(&recipe.program);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_")) {
        command.env_remove(name);
    }
    command.args(&recipe.arguments).current_dir(&recipe.folder).stdin(Stdio::null());
    command.stdout(log.try_clone().unwrap()).stderr(log).kill_on_drop(true).spawn().unwrap()
}

/// The output of a command that must succeed.
pub async fn output<Word: AsRef<OsStr>>(program: &Path, arguments: &[Word]) -> String {
    let output = Command::new(program).args(arguments).output().await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} failed: {text}{complaint}", program.display());
    text
}

/// Waits until `condition` holds; says how long that took.
pub async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let held = timeout(PATIENCE, async {
        while !condition().await {
            sleep(Duration::from_millis(50)).await;
        }
    });
    assert!(held.await.is_ok(), "waited in vain for {what}");
}

/// A number below `bound`; good enough to keep two runs apart.
pub fn random(bound: u16) -> u16 {
    let id = parlor_common::TableId::random();
    let [.., high, low] = *id.as_bytes();
    u16::from_be_bytes([high, low]) % bound
}

/// Ports on which nobody listens, below those that the system hands out; Redis Cluster needs them
/// 10000 higher as well.
pub fn free_ports(count: usize) -> Vec<u16> {
    let free = |port: u16| std::net::TcpListener::bind(("127.0.0.1", port)).is_ok();
    let mut ports = Vec::new();
    while ports.len() < count {
        let port = 12_000 + random(10_000);
        if !ports.contains(&port) && free(port) && free(port + 10_000) {
            ports.push(port);
        }
    }
    ports
}
