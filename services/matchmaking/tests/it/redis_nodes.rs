//! Redis servers of a test's own, which end with it.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::harness::soon;

/// Whether there is a Redis to start. Says so where there is none, which is a failure where
/// services are required.
pub fn is_there() -> bool {
    let there = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status();
    let there = there.is_ok_and(|status| status.success());
    if !there {
        assert!(std::env::var_os("PARLOR_TEST_REQUIRE_SERVICES").is_none(), "no redis-server");
        println!("skipped: there is no redis-server");
    }
    there
}

/// One server.
pub struct Node(Child);

impl Node {
    /// A server on a port, with its data in a folder.
    pub fn start(port: u16, folder: &Path, settings: &[&str]) -> Self {
        let mut server = Command::new("redis-server");
        server.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        server.args(["--appendonly", "no"]).args(settings).arg("--dir").arg(folder);
        Self(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Stops it where it is, or lets it go on: `STOP` or `CONT`.
    pub fn signal(&self, signal: &str) {
        let (signal, id) = (format!("-{signal}"), self.0.id().to_string());
        assert!(Command::new("kill").args([signal, id]).status().unwrap().success());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn free_ports(count: usize) -> Vec<u16> {
    let mut ports = Vec::new();
    let mut held = Vec::new();
    while ports.len() < count {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // The nodes of a cluster speak with each other on a port that is 10000 higher.
        if port < 55_000 && TcpListener::bind(("127.0.0.1", port + 10_000)).is_ok() {
            ports.push(port);
        }
        held.push(listener);
    }
    ports
}

pub fn cli(port: u16, command: &[&str]) -> String {
    let answer = Command::new("redis-cli").args(["-p", &port.to_string()]).args(command).output();
    String::from_utf8_lossy(&answer.unwrap().stdout).into_owned()
}

pub async fn until(holds: impl Fn() -> bool) {
    soon(async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}
