//! A whole session: a valid Hello, then frames that are nearly right, over a gateway whose services
//! are away. Nothing may panic, every request has one answer at most, and the session ends.
#![no_main]

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use clap::Parser;
use libfuzzer_sys::fuzz_target;
use parlor_common::client::{ClientOptions, connect};
use parlor_common::locate::StaticTables;
use parlor_common::{Clock, PlayerId, Shutdown};
use parlor_gateway::auth::token::{Identity, TokenLifetimes, Tokens};
use parlor_gateway::config::DEVELOPMENT_TOKEN_SECRET;
use parlor_gateway::session::{self, Connection, Core, INBOUND_QUEUE, Inbound};
use parlor_gateway::wire::{JsonFrames, client_frame_from_proto};
use parlor_gateway::{Config, Peers};
use parlor_gateway_fuzz::{JSON_FRAMES, TABLE, mutated, proto_frames};
use parlor_proto::gateway::v1::client_frame::Frame;
use parlor_proto::gateway::v1::{ClientFrame, Hello, ResumePoint};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    config: Config,
}

struct Bench {
    runtime: Runtime,
    core: Arc<Core>,
    hello: ClientFrame,
    json: JsonFrames,
    templates: Vec<Vec<u8>>,
}

impl Bench {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
        let runtime = runtime.expect("a runtime");
        let flags =
            ["gateway", "--gateway-max-sessions-per-address=0", "--gateway-requests-per-s=0"];
        let config = Flags::parse_from(flags).config;
        let core = runtime.block_on(async {
            let nowhere = connect("http://127.0.0.1:1", &ClientOptions::default()).expect("a URL");
            let options = ClientOptions::default();
            let tables = StaticTables::new(&["http://127.0.0.1:1"], &options).expect("a URL");
            let peers = Peers {
                tables: Arc::new(tables),
                matchmaking: nowhere.clone(),
                settlement: nowhere,
            };
            let core = parlor_gateway::core(&config, peers, Clock::system(), Shutdown::new());
            Arc::new(core.await.expect("the default settings"))
        });
        let lifetimes = TokenLifetimes { access_ms: 1 << 40, refresh_ms: 1 << 40 };
        let secret = [DEVELOPMENT_TOKEN_SECRET.into()];
        let tokens = Tokens::new(&secret, lifetimes, Clock::system()).expect("a long secret");
        let somebody = Identity { player: PlayerId::random(), name: "Ada".to_owned() };
        let hello = Hello {
            access_token: tokens.access(&somebody).expect("a token").token,
            // Without matchmaking, only a client that knows its table is let in.
            resume: vec![ResumePoint { table_id: TABLE.to_owned(), seq: 1 }],
            ..Hello::default()
        };
        let hello = ClientFrame { frame: Some(Frame::Hello(hello)) };
        let json = JsonFrames::new().expect("descriptors");
        Self { runtime, core, hello, json, templates: proto_frames() }
    }

    /// The fuzzer's bytes as what a transport reads: a kind and a length before each part.
    fn inputs(&self, mut data: &[u8]) -> Vec<Inbound> {
        let mut inputs = Vec::new();
        while let [kind, length, rest @ ..] = data {
            let (part, after) = rest.split_at(usize::from(*length).min(rest.len()));
            data = after;
            inputs.push(match kind % 8 {
                0..=3 => client_frame_from_proto(&mutated(part, &self.templates)[..]).into(),
                4 | 5 => {
                    let frame = mutated(part, &JSON_FRAMES);
                    self.json.read(&String::from_utf8_lossy(&frame)).into()
                }
                6 => Inbound::Alive,
                _ if *kind > 250 => Inbound::TooLarge,
                _ => Inbound::HalfClosed,
            });
        }
        inputs
    }

    fn run(&self, inputs: Vec<Inbound>) {
        self.runtime.block_on(async {
            let (sender, inbound) = mpsc::channel(INBOUND_QUEUE);
            let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
            let outbox = self.core.outbox();
            let connection = Connection {
                inbound,
                inbox: sender.downgrade(),
                outbox: Arc::clone(&outbox),
                address,
                place: self.core.limits.session(address).expect("no limit"),
                transport: "fuzz",
            };
            let client = async {
                let _ = sender.send(Inbound::Frame(Box::new(self.hello.clone()))).await;
                for input in inputs {
                    // The session has ended before everything was said.
                    if sender.send(input).await.is_err() {
                        break;
                    }
                }
                drop(sender);
            };
            let reader = async { while outbox.next().await.is_ok() {} };
            tokio::join!(session::run(Arc::clone(&self.core), connection), client, reader);
        });
    }
}

thread_local! {
    static BENCH: Bench = Bench::new();
}

fuzz_target!(|data: &[u8]| BENCH.with(|bench| bench.run(bench.inputs(data))));
