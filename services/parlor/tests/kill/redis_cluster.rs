//! A Redis Cluster of three masters with a replica each, whose masters may die.

use std::path::{Path, PathBuf};

use crate::pod::{Pod, Recipe, free_ports, output, until};

/// Masters, and as many replicas.
const MASTERS: usize = 3;

/// The nodes; they end with this value.
pub struct RedisCluster {
    ports: Vec<u16>,
    nodes: Vec<Pod>,
}

impl RedisCluster {
    pub async fn start(folder: &Path) -> Self {
        let ports = free_ports(2 * MASTERS);
        let nodes: Vec<Pod> = ports.iter().map(|port| Pod::start(recipe(folder, *port))).collect();
        for port in &ports {
            until("a Redis to answer", async || cli(*port, &["ping"]).await.is_some()).await;
        }
        let mut create = vec!["--cluster".to_owned(), "create".to_owned()];
        create.extend(ports.iter().map(|port| format!("127.0.0.1:{port}")));
        create.extend(["--cluster-replicas", "1", "--cluster-yes"].map(str::to_owned));
        output(Path::new("redis-cli"), &create).await;
        let cluster = Self { ports, nodes };
        cluster.ready().await;
        cluster
    }

    /// URLs of all nodes, separated by commas.
    pub fn urls(&self) -> String {
        let urls = self.ports.iter().map(|port| format!("redis://127.0.0.1:{port}"));
        urls.collect::<Vec<_>>().join(",")
    }

    /// Waits until every node knows its place, and every replica follows its master.
    pub async fn ready(&self) {
        for port in &self.ports {
            until("the Redis Cluster to be whole", async || is_ready(*port).await).await;
        }
    }

    /// Kills the master that has the slot of `key`; gives its place among the nodes.
    pub async fn kill_master_of(&mut self, key: &str) -> usize {
        let slot = cli(self.ports[0], &["cluster", "keyslot", key]).await.unwrap();
        let slot: u64 = slot.trim().parse().unwrap();
        let nodes = cli(self.ports[0], &["cluster", "nodes"]).await.unwrap();
        let owner = nodes.lines().find(|line| owns(line, slot)).unwrap();
        let address = owner.split([' ', '@']).nth(1).unwrap();
        let port: u16 = address.rsplit(':').next().unwrap().parse().unwrap();
        let place = self.ports.iter().position(|own| *own == port).unwrap();
        self.nodes[place].kill().await;
        place
    }

    /// Starts a node again: it comes back as a replica of whoever took its place.
    pub fn restart(&mut self, place: usize) {
        self.nodes[place].restart();
    }
}

/// Whether a line of CLUSTER NODES is that of the master with this slot.
fn owns(line: &str, slot: u64) -> bool {
    let fields: Vec<&str> = line.split(' ').collect();
    fields[2].contains("master")
        && fields[8..].iter().any(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let bounds = first.parse::<u64>().ok().zip(last.parse::<u64>().ok());
            bounds.is_some_and(|(first, last)| (first..=last).contains(&slot))
        })
}

async fn is_ready(port: u16) -> bool {
    let state = cli(port, &["cluster", "info"]).await.unwrap_or_default();
    let role = cli(port, &["info", "replication"]).await.unwrap_or_default();
    let linked = |replica: &str| replica.contains("master_link_status:up");
    let followed = |master: &str| master.contains("role:master") && master.contains("state=online");
    state.contains("cluster_state:ok") && (linked(&role) || followed(&role))
}

async fn cli(port: u16, words: &[&str]) -> Option<String> {
    let mut command = tokio::process::Command::new("redis-cli");
    let output = command.args(["-p", &port.to_string()]).args(words).output().await.ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn recipe(folder: &Path, port: u16) -> Recipe {
    let name = format!("redis-{port}");
    let folder = folder.join(&name);
    std::fs::create_dir_all(&folder).unwrap();
    let settings = [
        ("port", port.to_string()),
        ("bind", "127.0.0.1".to_owned()),
        ("dir", folder.display().to_string()),
        ("save", String::new()),
        // A master that is killed comes back with what it had, and then follows its successor.
        ("appendonly", "yes".to_owned()),
        // It has to survive kill -9, not a power cut: a busy disk must not stop it.
        ("appendfsync", "no".to_owned()),
        ("auto-aof-rewrite-percentage", "0".to_owned()),
        ("cluster-enabled", "yes".to_owned()),
        ("cluster-node-timeout", "1500".to_owned()),
        ("repl-diskless-sync-delay", "0".to_owned()),
        ("protected-mode", "no".to_owned()),
    ];
    let arguments = settings.into_iter().flat_map(|(name, value)| [format!("--{name}"), value]);
    Recipe { name, program: PathBuf::from("redis-server"), arguments: arguments.collect(), folder }
}
