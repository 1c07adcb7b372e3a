//! What an operator sees of an action: its trace through all services, and the metrics.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::trace::v1::Span;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command as Asked;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::session_service_client::SessionServiceClient;
use parlor_proto::gateway::v1::{ClientFrame, Hello, Request, ServerFrame, TableCommand};
use parlor_proto::rules::v1 as rules;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use parlor_proto::table::v1::{
    Command, CreateTableRequest, SeatReservation, Sit, StakeMode, TableSettings, command,
};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Server};
use tonic::{Response, Status, Streaming};

use crate::http::{get, post};
use crate::operator::Operator;
use crate::process::Running;

/// Longest wait for anything, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// Most spans that wait for the test.
const SPANS_MAX: usize = 10_000;

const HOLD: &str = "parlor.settlement.v1.LedgerService/Hold";
const POST_HAND: &str = "parlor.settlement.v1.LedgerService/PostHand";

/// Takes spans as an OTLP collector does.
struct Collector(mpsc::Sender<Span>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: tonic::Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans;
        let scopes = resources.into_iter().flat_map(|resource| resource.scope_spans);
        for span in scopes.flat_map(|scope| scope.spans) {
            // The test may have seen enough.
            let _ = self.0.send(span).await;
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// Spans by their ids, as they arrive.
struct Spans {
    arriving: mpsc::Receiver<Span>,
    known: HashMap<Vec<u8>, Span>,
}

impl Spans {
    /// A collector and its URL.
    async fn collect() -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, arriving) = mpsc::channel(SPANS_MAX);
        let server = Server::builder().add_service(TraceServiceServer::new(Collector(sender)));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        (Self { arriving, known: HashMap::new() }, url)
    }

    /// Waits until there is a span of this name and all above it.
    async fn lineage(&mut self, name: &str) -> Vec<Span> {
        let whole = async {
            loop {
                if let Some(lineage) = self.whole_lineage(name) {
                    return lineage;
                }
                let span = self.arriving.recv().await.unwrap();
                self.known.insert(span.span_id.clone(), span);
            }
        };
        let lineage = tokio::time::timeout(PATIENCE, whole).await;
        lineage.unwrap_or_else(|_| unreachable!("no whole lineage of {name}: {:?}", self.names()))
    }

    fn whole_lineage(&self, name: &str) -> Option<Vec<Span>> {
        let mut lineage = vec![self.known.values().find(|span| span.name == name)?.clone()];
        while let Some(last) = lineage.last().filter(|last| !last.parent_span_id.is_empty()) {
            lineage.push(self.known.get(&last.parent_span_id)?.clone());
        }
        Some(lineage)
    }

    /// Waits for a span of this name directly below another.
    async fn child(&mut self, parent: &Span, name: &str) -> Span {
        let is_it = |span: &Span| span.parent_span_id == parent.span_id && span.name == name;
        loop {
            if let Some(child) = self.known.values().find(|span| is_it(span)) {
                return child.clone();
            }
            let next = tokio::time::timeout(PATIENCE, self.arriving.recv()).await;
            let span = next.ok().flatten();
            let span = span.unwrap_or_else(|| unreachable!("no {name}: {:?}", self.names()));
            self.known.insert(span.span_id.clone(), span);
        }
    }

    fn names(&self) -> Vec<&str> {
        self.known.values().map(|span| span.name.as_str()).collect()
    }
}

/// A player's session over gRPC.
struct Session {
    send: mpsc::Sender<ClientFrame>,
    frames: Streaming<ServerFrame>,
    asked: u32,
}

impl Session {
    async fn open(page: &str, access_token: &str) -> Self {
        let channel = Channel::from_shared(page.to_owned()).unwrap().connect().await.unwrap();
        let (send, sent) = mpsc::channel(16);
        let connect = SessionServiceClient::new(channel).connect(ReceiverStream::new(sent)).await;
        let mut session = Self { send, frames: connect.unwrap().into_inner(), asked: 0 };
        let access_token = access_token.to_owned();
        session.tell(Out::Hello(Hello { access_token, ..Hello::default() })).await;
        assert!(matches!(session.next().await, In::Welcome(_)));
        session
    }

    async fn tell(&self, frame: Out) {
        self.send.send(ClientFrame { frame: Some(frame) }).await.unwrap();
    }

    async fn next(&mut self) -> In {
        let frame = tokio::time::timeout(PATIENCE, self.frames.message()).await;
        frame.unwrap().unwrap().unwrap().frame.unwrap()
    }

    /// Asks a table for something; the reason when it refuses.
    async fn ask(&mut self, table: &str, command: command::Command) -> Result<(), String> {
        self.asked += 1;
        let id = format!("r{}", self.asked);
        let command = Some(Command { command: Some(command) });
        let command = Asked::Table(TableCommand { table_id: table.to_owned(), command });
        self.tell(Out::Request(Request { id: id.clone(), command: Some(command) })).await;
        loop {
            match self.next().await {
                In::Response(response) if response.id == id => match response.result.unwrap() {
                    Reply::Error(error) => return Err(error.reason),
                    _ => return Ok(()),
                },
                _ => {}
            }
        }
    }
}

/// A table of the roguelike for one player; with chips, so that sitting down concerns the ledger.
fn creation(player: &str) -> CreateTableRequest {
    let game = rules::options::Game::Balatro(rules::BalatroOptions::default());
    let settings = TableSettings {
        options: Some(rules::Options { game: Some(game) }),
        stake_mode: StakeMode::Chips.into(),
        buy_in: 100,
        seats: 1,
        always_ready: true,
        ..TableSettings::default()
    };
    let host = SeatReservation {
        player_id: player.to_owned(),
        name: "Ada".to_owned(),
        seat: None,
        host: true,
    };
    CreateTableRequest {
        request_id: "table".to_owned(),
        settings: Some(settings),
        reservations: vec![host],
    }
}

fn give_up() -> command::Command {
    use rules::balatro_command::Command as Balatro;
    let action = Balatro::Action(rules::BalatroAction::GiveUp.into());
    let balatro = rules::BalatroCommand { command: Some(action) };
    let play = rules::command::Game::Balatro(balatro);
    command::Command::Play(rules::Command { game: Some(play) })
}

fn names(lineage: &[Span]) -> Vec<&str> {
    lineage.iter().map(|span| span.name.as_str()).collect()
}

fn has_attribute(span: &Span, key: &str) -> bool {
    span.attributes.iter().any(|attribute| attribute.key == key)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_can_be_followed_from_the_gateway_to_the_ledger() {
    let (mut spans, collector) = Spans::collect().await;
    let folder = tempfile::tempdir().unwrap();
    let settings =
        ["--otlp-endpoint", &collector, "--otlp-sample-ratio", "1", "--table-start-delay-ms", "0"];
    let mut running = Running::all_with(folder.path(), &settings);
    let page = running.line();
    let operator = Operator::of(folder.path());
    let (_, guest) = post(&page, "v1/auth/guest", &json!({ "name": "Ada" }));
    let player = guest["playerId"].as_str().unwrap();
    // Before there is a table: whoever is expected at one is seated by connecting.
    let mut session = Session::open(&page, guest["accessToken"].as_str().unwrap()).await;
    let table_url = operator.notice()["table_urls"][0].as_str().unwrap().to_owned();
    let mut tables = TableServiceClient::new(operator.channel(&table_url));
    let table = tables.create_table(creation(player)).await.unwrap().into_inner().table_id;
    let sit = command::Command::Sit(Sit { seat: None, buy_in: 100 });
    session.ask(&table, sit).await.unwrap();
    // Refused until the buy-in has come from the ledger and the run has begun.
    let mut refusals = 0;
    let ended = async {
        while session.ask(&table, give_up()).await.is_err() {
            refusals += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.unwrap();

    for call in [HOLD, POST_HAND] {
        let lineage = spans.lineage(call).await;
        assert_eq!(names(&lineage), [call, "duty", "act", "request"]);
        let root = lineage.last().unwrap();
        assert!(lineage.iter().all(|span| span.trace_id == root.trace_id));
        // From the table's side: when it became durable, and how it ended.
        let act = &lineage[2];
        let append = spans.child(act, "append").await;
        assert_eq!(append.trace_id, root.trace_id);
        assert!(has_attribute(act, "table") && has_attribute(act, "outcome"), "{act:?}");
    }

    assert_metrics(&operator, refusals);
    running.signal("TERM");
    assert!(running.ended().status.success());
}

/// What the scrape says after one table with one run that was given up.
fn assert_metrics(operator: &Operator, refusals: u32) {
    let admin = operator.notice()["admin_url"].as_str().unwrap().to_owned();
    let (status, scrape) = get(&format!("{admin}/"), "metrics");
    assert_eq!(status, 200);
    let value = |line: &str| {
        let found = scrape.lines().find_map(|it| it.strip_prefix(line)?.strip_prefix(' '));
        found.map(|value| value.parse::<f64>().unwrap())
    };
    for (line, expected) in [
        ("parlor_table_open_tables", 1.0),
        ("parlor_table_stopped_tables", 0.0),
        ("parlor_table_limit_tables", 100_000.0),
        ("parlor_table_hands_total{game=\"balatro\"}", 1.0),
        ("parlor_table_action_seconds_count{outcome=\"ok\"}", 2.0),
    ] {
        assert_eq!(value(line), Some(expected), "{line} in\n{scrape}");
    }
    let refused = "parlor_table_action_seconds_count{outcome=\"failed_precondition\"}";
    assert_eq!(value(refused).unwrap_or(0.0), f64::from(refusals), "{scrape}");
    assert!(value("parlor_table_append_seconds_count").unwrap() >= 3.0, "{scrape}");
    for gauge in ["parlor_table_owed_duties", "parlor_table_oldest_duty_seconds"] {
        assert!(value(gauge).is_some(), "{gauge} in\n{scrape}");
    }
}

#[test]
fn refused_connections_and_the_process_itself_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ["--gateway-proxy-protocol-from", "127.0.0.0/8"];
    let mut running = Running::all_with(folder.path(), &settings);
    let host = running.line().trim_start_matches("http://").trim_end_matches('/').to_owned();
    for beginning in
        ["GET / HTTP/1.1\r\nhost: x\r\n\r\n", "PROXY UNKNOWN\r\nGET / HTTP/1.0\r\n\r\n"]
    {
        let mut stream = std::net::TcpStream::connect(&host).unwrap();
        stream.write_all(beginning.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert_eq!(answer.is_empty(), beginning.starts_with("GET"), "{beginning}");
    }
    let operator = Operator::of(folder.path());
    let admin = operator.notice()["admin_url"].as_str().unwrap().to_owned();
    let (_, scrape) = get(&format!("{admin}/"), "metrics");
    let refused = r#"parlor_gateway_refused_connections_total{cause="proxy_header_malformed"} 1"#;
    assert!(scrape.contains(refused), "{scrape}");
    let line = scrape.lines().find_map(|it| it.strip_prefix("parlor_process_resident_bytes "));
    let resident: f64 = line.unwrap().parse().unwrap();
    assert!(resident > 1e6, "{resident}");
    running.signal("TERM");
    assert!(running.ended().status.success());
}
