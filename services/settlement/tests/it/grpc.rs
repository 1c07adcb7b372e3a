//! The service through its gRPC API.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::locate::StaticTables;
use parlor_common::server::{ServerOptions, ServiceAuth};
use parlor_common::{Failure, PlayerId, Shutdown};
use parlor_proto::settlement::v1 as proto;
use parlor_proto::settlement::v1::history_service_client::HistoryServiceClient;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use parlor_settlement::{Config, SERVICE, run};
use tokio::net::TcpListener;
use tonic::Status;

use crate::sandbox::Sandbox;
use crate::scene::{Play, Script};

struct Running {
    channel: PeerChannel,
    shutdown: Shutdown,
    server: tokio::task::JoinHandle<()>,
    _sandbox: Sandbox,
}

impl Running {
    async fn start() -> Self {
        Self::start_for(ServiceAuth::Open, ClientOptions::default()).await
    }

    async fn start_for(auth: ServiceAuth, caller: ClientOptions) -> Self {
        let sandbox = Sandbox::sqlite().await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (config, shutdown) = (Config::with_database(&sandbox.url), Shutdown::new());
        let options = ServerOptions::new(SERVICE).with_auth(auth);
        let mut stages = options.readiness.subscribe();
        // No table pod is up.
        let tables = StaticTables::new(&["http://127.0.0.1:9"], &ClientOptions::default());
        let tables = Arc::new(tables.unwrap());
        let service = run(config, options, listener, tables, shutdown.clone());
        let server = tokio::spawn(async move { service.await.unwrap() });
        let ready = |stage: &_| *stage == parlor_common::readiness::Stage::Ready;
        stages.wait_for(ready).await.unwrap();
        let channel = connect(&url, &caller).unwrap();
        Self { channel, shutdown, server, _sandbox: sandbox }
    }

    fn ledger(&self) -> LedgerServiceClient<PeerChannel> {
        LedgerServiceClient::new(self.channel.clone())
    }

    fn history(&self) -> HistoryServiceClient<PeerChannel> {
        HistoryServiceClient::new(self.channel.clone())
    }

    async fn stop(self) {
        self.shutdown.finished(Duration::from_secs(10)).await.unwrap();
        self.server.await.unwrap();
    }
}

fn reason(refused: Result<impl std::fmt::Debug, Status>) -> (tonic::Code, String) {
    let status = refused.unwrap_err();
    (status.code(), Failure::from(status).reason)
}

fn deposit(key: &str, player: PlayerId, amount: i64) -> proto::DepositRequest {
    proto::DepositRequest {
        idempotency_key: key.to_owned(),
        player_id: player.to_string(),
        amount,
        reason: "welcome".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hand_is_held_posted_released_and_found_again() {
    let running = Running::start().await;
    let (mut ledger, mut history) = (running.ledger(), running.history());
    let table = parlor_common::TableId::random();
    let mut plays = Vec::new();
    for change in [30, -32] {
        let player = PlayerId::random();
        let paid = ledger.deposit(deposit(&format!("w/{player}"), player, 100)).await.unwrap();
        assert_eq!(paid.into_inner().balance, 100);
        let hold = proto::HoldRequest {
            idempotency_key: format!("hold/{player}"),
            table_id: table.to_string(),
            player_id: player.to_string(),
            amount: 100,
            bot: false,
        };
        let held = ledger.hold(hold).await.unwrap().into_inner();
        let hold = Some(held.hold_id.parse().unwrap());
        plays.push(Play { player, hold, change });
    }
    let mut results = history
        .stream_hand_results(proto::StreamHandResultsRequest::default())
        .await
        .unwrap()
        .into_inner();
    let script = Script::new(table, 1, plays);
    let post = proto::PostHandRequest {
        idempotency_key: script.id.to_string(),
        table_id: table.to_string(),
        changes: script.changes().iter().map(change).collect(),
        commission: 2,
        record: Some(script.record()),
    };
    let posted = ledger.post_hand(post.clone()).await.unwrap().into_inner();
    assert_eq!(ledger.post_hand(post).await.unwrap().into_inner(), posted);

    let result = results.message().await.unwrap().unwrap();
    assert_eq!((result.cursor.to_string(), result.commission), (posted.transaction_id, 2));
    let player_id = script.plays[0].player.to_string();
    let get =
        proto::GetHandRequest { hand_id: script.id.to_string(), player_id: player_id.clone() };
    let hand = history.get_hand(get).await.unwrap().into_inner().hand;
    assert_eq!(hand, Some(script.record()));
    let list = proto::ListHandsRequest { player_id: player_id.clone(), ..Default::default() };
    let hands = history.list_hands(list).await.unwrap().into_inner().hands;
    assert_eq!(hands, [result.hand.unwrap()]);

    let release = proto::ReleaseRequest {
        idempotency_key: "release".to_owned(),
        hold_id: script.plays[0].hold.unwrap().to_string(),
        amount: 130,
    };
    assert_eq!(ledger.release(release).await.unwrap().into_inner().balance, 130);
    let balance = ledger.get_balance(proto::GetBalanceRequest { player_id }).await.unwrap();
    assert_eq!(balance.into_inner(), proto::GetBalanceResponse { balance: 130, held: 0 });
    let holds = ledger.list_holds(proto::ListHoldsRequest::default()).await.unwrap();
    assert_eq!(holds.into_inner().holds.len(), 1);
    let audit = ledger.reconcile(proto::ReconcileRequest {}).await.unwrap().into_inner();
    assert_eq!((audit.sum, audit.mismatches, audit.broken_links), (0, 0, 0));
    running.stop().await;
}

fn change(change: &parlor_settlement::money::StackChange) -> proto::StackChange {
    proto::StackChange { hold_id: change.hold.to_string(), amount: change.amount.0 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_have_a_code_and_a_stable_reason() {
    use tonic::Code::{FailedPrecondition, InvalidArgument, NotFound};
    let running = Running::start().await;
    let (mut ledger, mut history) = (running.ledger(), running.history());
    let player = PlayerId::random();
    ledger.deposit(deposit("a", player, 5)).await.unwrap();
    let refuse = |code: tonic::Code, reason: &str| (code, reason.to_owned());

    let refused = reason(ledger.deposit(deposit("a", player, 6)).await);
    assert_eq!(refused, refuse(FailedPrecondition, "LEDGER_IDEMPOTENCY_CONFLICT"));
    let refused = ledger.deposit(deposit("b", player, -6)).await.unwrap_err();
    let failure = Failure::from(refused);
    assert_eq!(failure.reason, "LEDGER_INSUFFICIENT_FUNDS");
    assert_eq!(failure.metadata.get("available").map(String::as_str), Some("5"));
    let refused = reason(ledger.deposit(deposit("b", player, 0)).await);
    assert_eq!(refused, refuse(InvalidArgument, "LEDGER_BAD_AMOUNT"));
    for key in ["", "two words", "schlüssel", &"k".repeat(129)] {
        let refused = reason(ledger.deposit(deposit(key, player, 1)).await);
        assert_eq!(refused, refuse(InvalidArgument, "LEDGER_BAD_KEY"), "{key}");
    }
    let mut odd = deposit("c", player, 1);
    odd.reason = "Because!".to_owned();
    let refused = reason(ledger.deposit(odd.clone()).await);
    assert_eq!(refused, refuse(InvalidArgument, "LEDGER_BAD_REASON"));
    odd.player_id = "me".to_owned();
    let refused = reason(ledger.deposit(odd).await);
    assert_eq!(refused, refuse(InvalidArgument, "BAD_PLAYER_ID"));

    let hand_id = format!("{player}/1");
    let unknown = proto::GetHandRequest { hand_id, player_id: String::new() };
    let refused = reason(history.get_hand(unknown).await);
    assert_eq!(refused, refuse(NotFound, "HAND_NOT_FOUND"));
    let ahead = proto::StreamHandResultsRequest { cursor: 99, game: String::new() };
    let refused = reason(history.stream_hand_results(ahead).await);
    assert_eq!(refused, refuse(InvalidArgument, "HISTORY_BAD_CURSOR"));
    let record = Script::new(parlor_common::TableId::random(), 1, Vec::new()).record();
    let mut post = proto::PostHandRequest {
        idempotency_key: "other".to_owned(),
        table_id: record.table_id.clone(),
        record: Some(record),
        ..proto::PostHandRequest::default()
    };
    let refused = reason(ledger.post_hand(post.clone()).await);
    assert_eq!(refused, refuse(InvalidArgument, "LEDGER_BAD_RECORD"), "no seats");
    post.record = None;
    let refused = reason(ledger.post_hand(post).await);
    assert_eq!(refused, refuse(InvalidArgument, "LEDGER_BAD_RECORD"), "no record");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_callers_with_the_services_token_are_served() {
    let auth = || ServiceAuth::Tokens(vec!["the-current-one".into(), "the-one-before".into()]);
    let player = PlayerId::random();
    for token in ["the-current-one", "the-one-before"] {
        let caller = ClientOptions::default().with_token(&token.into()).unwrap();
        let running = Running::start_for(auth(), caller).await;
        running.ledger().deposit(deposit("a", player, 5)).await.unwrap();
        running.stop().await;
    }
    let stranger = ClientOptions::default().with_token(&"another".into()).unwrap();
    for caller in [ClientOptions::default(), stranger] {
        let running = Running::start_for(auth(), caller).await;
        let refuse = (tonic::Code::Unauthenticated, "SERVICE_TOKEN_REQUIRED".to_owned());
        assert_eq!(reason(running.ledger().deposit(deposit("a", player, 5)).await), refuse);
        let balance = proto::GetBalanceRequest { player_id: player.to_string() };
        assert_eq!(reason(running.ledger().get_balance(balance).await), refuse);
        let hands = proto::ListHandsRequest::default();
        assert_eq!(reason(running.history().list_hands(hands).await), refuse);
        let reveal = proto::RevealSeedsRequest::default();
        assert_eq!(reason(running.history().reveal_seeds(reveal).await), refuse);
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_and_seeds_out_of_form_have_a_stable_reason() {
    let running = Running::start().await;
    let (mut ledger, mut history) = (running.ledger(), running.history());
    let (player, other) = (PlayerId::random(), PlayerId::random());
    for key in ["a", "b", "c"] {
        ledger.deposit(deposit(key, player, 5)).await.unwrap();
    }
    let entries = |player: PlayerId, page_size, page_token: &str| proto::ListEntriesRequest {
        player_id: player.to_string(),
        page_size,
        page_token: page_token.to_owned(),
    };
    let first = ledger.list_entries(entries(player, 2, "")).await.unwrap().into_inner();
    let balances: Vec<_> = first.entries.iter().map(|entry| entry.balance_after).collect();
    assert_eq!(balances, [15, 10], "newest first");
    let token = first.next_page_token;
    let second = ledger.list_entries(entries(player, 2, &token)).await.unwrap().into_inner();
    assert_eq!(second.entries.len(), 1);
    assert_eq!(second.next_page_token, "");

    let invalid = |reason: &str| (tonic::Code::InvalidArgument, reason.to_owned());
    let stolen = reason(ledger.list_entries(entries(other, 2, &token)).await);
    assert_eq!(stolen, invalid("PAGE_TOKEN_INVALID"), "the token of another query");
    let bent = reason(ledger.list_entries(entries(player, 2, "next")).await);
    assert_eq!(bent, invalid("PAGE_TOKEN_INVALID"));
    let large = reason(ledger.list_entries(entries(player, 201, "")).await);
    assert_eq!(large, invalid("PAGE_SIZE_TOO_LARGE"));
    let table_id = parlor_common::TableId::random().to_string();
    let seed = |length| proto::RevealedSeed { hand_no: 1, server_seed: vec![1; length].into() };
    for seeds in [vec![], vec![seed(31)], vec![seed(32); 257]] {
        let request = proto::RevealSeedsRequest { table_id: table_id.clone(), seeds };
        let refused = reason(history.reveal_seeds(request).await);
        assert_eq!(refused, invalid("HISTORY_BAD_SEEDS"));
    }
    let request = proto::RevealSeedsRequest { table_id, seeds: vec![seed(32)] };
    let refused = reason(history.reveal_seeds(request).await);
    assert_eq!(refused, (tonic::Code::NotFound, "HAND_NOT_FOUND".to_owned()));
    running.stop().await;
}
