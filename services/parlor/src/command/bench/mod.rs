//! `parlor bench`: real clients over the network.

mod report;
mod server;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use parlor_sim::load::drive::{Plan, Progress, drive};
use parlor_sim::load::{Gateways, Transport};
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;

use self::server::{Layout, Server};

/// Open file descriptors of this process beside its sockets.
const SPARE_FILES: usize = 64;

/// Play with real clients and measure
///
/// Starts services of its own on loopback ports, in a folder that is removed afterwards, unless
/// --url names a gateway. Every seat of every table is a client with a connection of its own; each
/// checks that it is told everything once and in order. What follows `--` goes to `parlor run`.
/// Ends with code 1 when a promise of the protocol was broken.
#[derive(Debug, Args)]
pub struct Bench {
    /// Tables, with a client on every seat
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,
    /// The game
    #[arg(long, value_enum, default_value = "echo")]
    game: Game,
    /// How long it is measured, after two seconds that are not
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    duration_s: u64,
    /// When clients act
    #[arg(long, value_enum, default_value = "closed")]
    mode: Mode,
    /// Paced: actions of each table in a second
    #[arg(long, default_value_t = 2.0)]
    rate: f64,
    /// How the clients connect
    #[arg(long, value_enum, default_value = "websocket")]
    transport: Wire,
    /// Minor units that each player brings to the table; 0: points, without the ledger
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    buy_in: i64,
    /// A gateway that runs already, such as http://127.0.0.1:8080, with its limits off
    #[arg(long)]
    url: Option<String>,
    /// One process, or one for each service
    #[arg(long, value_enum, default_value = "all", conflicts_with = "url")]
    layout: Layout,
    /// Where the own services keep tables, as for `parlor run`
    #[arg(long, default_value = "memory", conflicts_with = "url")]
    table_store: String,
    /// A further process whose memory and processor time are told, as NAME=ID
    #[arg(long, value_parser = named)]
    process: Vec<(String, u32)>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Further settings of the own services
    #[arg(last = true, conflicts_with = "url")]
    settings: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Game {
    /// Four seats say 40 bytes in turn, and all hear them
    Echo,
    /// Sichuan mahjong
    Mahjong,
    /// Player-banked blackjack
    Blackjack,
    /// The poker roguelike, one player a table
    Balatro,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// As soon as they may
    Closed,
    /// An open loop: actions are meant for fixed times, and latency counts from those
    Paced,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Wire {
    /// One WebSocket each
    Websocket,
    /// One gRPC stream each
    Grpc,
}

impl Game {
    const fn playable(self) -> parlor_sim::load::Game {
        match self {
            Self::Echo => parlor_sim::load::Game::Echo,
            Self::Mahjong => parlor_sim::load::Game::Mahjong,
            Self::Blackjack => parlor_sim::load::Game::Blackjack,
            Self::Balatro => parlor_sim::load::Game::Balatro,
        }
    }
}

impl Bench {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        let period = match self.mode {
            Mode::Closed => None,
            Mode::Paced if self.rate > 0.0 => Some(Duration::from_secs_f64(self.rate.recip())),
            Mode::Paced => bail!("--rate must be more than 0"),
        };
        let sockets = self.tables as usize * self.game.playable().seats() as usize;
        check_open_files(sockets + SPARE_FILES)?;
        let runtime = Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.run(period))
    }

    async fn run(self, period: Option<Duration>) -> anyhow::Result<ExitCode> {
        let stop = CancellationToken::new();
        let server = match &self.url {
            Some(_) => None,
            None => Some(Server::start(self.layout, &self.table_store, &self.settings).await?),
        };
        let url = match (&self.url, &server) {
            (Some(url), _) => url.clone(),
            (None, Some(server)) => server.url.clone(),
            (None, None) => bail!("there is nothing to measure"),
        };
        let mut processes = server.as_ref().map(Server::processes).unwrap_or_default();
        processes.push(("clients".to_owned(), std::process::id()));
        processes.extend(self.process.iter().cloned());
        let plan = Plan {
            game: self.game.playable(),
            tables: self.tables as usize,
            duration: Duration::from_secs(self.duration_s),
            period,
            transport: match self.transport {
                Wire::Websocket => Transport::WebSocket,
                Wire::Grpc => Transport::Grpc,
            },
            buy_in: self.buy_in,
            gateways: Gateways::new(&[url])?,
            processes,
        };
        // Draws on stderr, and only on a terminal.
        let bar = ProgressBar::new(u64::from(self.tables))
            .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?);
        let outcome = {
            let progress = |progress| self.show(&bar, progress);
            let run = drive(&plan, stop.clone(), progress);
            tokio::pin!(run);
            tokio::select! {
                outcome = &mut run => outcome,
                _ = tokio::signal::ctrl_c() => {
                    stop.cancel();
                    run.await
                }
            }
        };
        bar.finish_and_clear();
        if let Some(server) = server {
            for complaint in server.stop().await {
                eprintln!("{complaint}");
            }
        }
        let report = report::of(&plan, &outcome?);
        if self.json {
            println!("{}", serde_json::to_string(&report)?);
        } else {
            print!("{}", report::table(&report));
        }
        Ok(if report["errors"] == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn show(&self, bar: &ProgressBar, progress: Progress) {
        match progress {
            Progress::Opened(tables) => {
                bar.set_message("tables");
                bar.set_position(tables as u64);
            }
            Progress::Played(actions, gone) => {
                bar.set_length(self.duration_s);
                bar.set_position(gone.as_secs());
                let rate = actions as f64 / gone.as_secs_f64();
                bar.set_message(format!("s, {rate:.0} actions/s"));
            }
        }
    }
}

fn named(text: &str) -> Result<(String, u32), String> {
    let (name, id) = text.split_once('=').ok_or("NAME=ID is wanted")?;
    let id = id.parse().map_err(|_| "the process id is no number")?;
    Ok((name.to_owned(), id))
}

/// Says before anything is started that this process, or one that it starts, would run out of
/// files.
fn check_open_files(needed: usize) -> anyhow::Result<()> {
    let limits = std::fs::read_to_string("/proc/self/limits").context("reading own limits")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let most = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    match most {
        Some(most) if most < needed => {
            bail!("{needed} open files are needed and {most} allowed: ulimit -n {needed}")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_named() {
        assert_eq!(named("redis=7"), Ok(("redis".to_owned(), 7)));
        assert!(named("redis").is_err() && named("redis=x").is_err());
    }

    #[test]
    fn too_many_sockets_are_refused_before_the_start() {
        assert!(check_open_files(8).is_ok());
        let error = check_open_files(usize::MAX).map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.contains("ulimit")));
    }
}
