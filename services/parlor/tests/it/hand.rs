//! A hand from the first bet to the auditor, and the death of the process in between.

use std::path::Path;
use std::time::Duration;

use parlor_common::client::PeerChannel;
use parlor_proto::rules::v1::{BlackjackOptions, Options, options};
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use parlor_proto::table::v1::{
    ActRequest, AutoPlay, Command, CreateTableRequest, SeatReservation, Sit, StakeMode,
    TableSettings, WatchRequest, command, table_event, watch_response,
};
use serde_json::{Value, json};

use crate::http::post;
use crate::operator::{Operator, text};
use crate::process::Running;

/// What a player sits down with.
pub const BUY_IN: i64 = 10_000;

/// Longest wait for a hand to be played, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A `run all` with clocks that do not keep tests waiting.
fn brisk(folder: &Path) -> Running {
    Running::all_with(folder, &["--table-start-delay-ms", "200", "--table-auto-play-delay-ms", "0"])
}

/// A guest of the gateway who sits at a table with bots, and leaves the play to the table.
struct Guest {
    player: String,
    table: String,
    client: TableServiceClient<PeerChannel>,
}

impl Guest {
    async fn sit_down(page: &str, operator: &Operator) -> Self {
        let (status, guest) = post(page, "v1/auth/guest", &json!({ "name": "Ada" }));
        assert_eq!(status, 200, "{guest}");
        let player = guest["playerId"].as_str().unwrap().to_owned();
        let notice = operator.notice();
        let channel = operator.channel(notice["table_urls"][0].as_str().unwrap());
        let mut client = TableServiceClient::new(channel);
        let created = client.create_table(creation(&player)).await.unwrap().into_inner();
        let mut guest = Self { player, table: created.table_id, client };
        guest.act("sit", command::Command::Sit(Sit { seat: None, buy_in: BUY_IN })).await;
        guest.act("auto", command::Command::AutoPlay(AutoPlay { enabled: true })).await;
        guest
    }

    async fn act(&mut self, request_id: &str, command: command::Command) {
        let request = ActRequest {
            table_id: self.table.clone(),
            player_id: self.player.clone(),
            request_id: request_id.to_owned(),
            command: Some(Command { command: Some(command) }),
            player_name: "Ada".to_owned(),
        };
        self.client.act(request).await.unwrap();
    }

    /// Waits until a hand is over and in the ledger; its id.
    async fn posted_hand(&mut self, operator: &Operator) -> String {
        let hand = tokio::time::timeout(PATIENCE, self.ended_hand()).await.unwrap();
        let posted = async {
            while !operator.output(&["replay", &hand]).status.success() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, posted).await.unwrap();
        hand
    }

    async fn ended_hand(&mut self) -> String {
        let request = WatchRequest {
            table_id: self.table.clone(),
            player_id: self.player.clone(),
            with_views: false,
        };
        let mut updates = self.client.watch(request).await.unwrap().into_inner();
        while let Some(message) = updates.message().await.unwrap() {
            let Some(watch_response::Message::Update(update)) = message.message else { continue };
            for event in update.events {
                if let Some(table_event::Event::HandEnded(ended)) = event.event {
                    return ended.hand_id;
                }
            }
        }
        panic!("the table ended before a hand did");
    }
}

/// A table of blackjack on which a player has a place.
pub fn creation(player: &str) -> CreateTableRequest {
    let blackjack = options::Game::Blackjack(BlackjackOptions::default());
    let settings = TableSettings {
        options: Some(Options { game: Some(blackjack) }),
        stake_mode: StakeMode::Chips.into(),
        buy_in: BUY_IN,
        seats: 3,
        fill_with_bots: true,
        always_ready: true,
        ..TableSettings::default()
    };
    let reservation = SeatReservation {
        player_id: player.to_owned(),
        name: "Ada".to_owned(),
        seat: None,
        host: true,
    };
    CreateTableRequest {
        request_id: "table".to_owned(),
        settings: Some(settings),
        reservations: vec![reservation],
    }
}

/// The player sits down there.
pub fn sitting(table: &str, player: &str) -> ActRequest {
    let sit = Sit { seat: None, buy_in: BUY_IN };
    ActRequest {
        table_id: table.to_owned(),
        player_id: player.to_owned(),
        request_id: "sit".to_owned(),
        command: Some(Command { command: Some(command::Command::Sit(sit)) }),
        player_name: "Ada".to_owned(),
    }
}

/// Changes the record of a hand as `change` says and asks for the verdict.
fn verdict(
    folder: &Path,
    record: &Value,
    change: impl FnOnce(&mut Value),
) -> (Option<i32>, String) {
    let mut record = record.clone();
    change(&mut record);
    let file = folder.join("hand.json");
    std::fs::write(&file, record.to_string()).unwrap();
    let output = Operator::of(folder).output(&["verify", file.to_str().unwrap()]);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hand_can_be_verified_and_replayed_and_the_books_are_right() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = brisk(folder.path());
    let page = running.line();
    let operator = Operator::of(folder.path());
    let mut guest = Guest::sit_down(&page, &operator).await;
    let hand = guest.posted_hand(&operator).await;

    let output = operator.output(&["verify", &hand]);
    assert!(output.status.success(), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("verifies"), "{}", text(&output.stdout));
    let replay = text(&operator.output(&["replay", &hand]).stdout);
    assert!(replay.contains("Ada") && replay.contains("blackjack."), "{replay}");

    let record = operator.line(&["replay", &hand, "--json"]);
    assert_eq!(record["handId"], json!(hand));
    let (code, said) = verdict(folder.path(), &record, |_| {});
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = verdict(folder.path(), &record, |record| {
        record["fairness"]["serverSeed"] = json!("A".repeat(43) + "=");
    });
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("does not match its commitment"), "{said}");
    let (code, said) = verdict(folder.path(), &record, |record| {
        record["steps"].as_array_mut().unwrap().pop();
    });
    assert_eq!(code, Some(1), "{said}");

    assert_eq!(operator.line(&["admin", "ledger", "reconcile"])["sum"], json!("0"));
    let balance = operator.line(&["admin", "ledger", "balance", &guest.player]);
    assert_eq!(balance["balance"], json!("90000"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_survives_the_death_of_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = brisk(folder.path());
    let page = running.line();
    let operator = Operator::of(folder.path());
    let mut guest = Guest::sit_down(&page, &operator).await;
    let hand = guest.posted_hand(&operator).await;
    let before = operator.line(&["admin", "tables"]);
    running.signal("KILL");
    running.ended();

    let mut running = brisk(folder.path());
    running.line();
    let after = operator.line(&["admin", "tables", "--game", "blackjack"]);
    assert_eq!(after["tableId"], before["tableId"]);
    let number = |table: &Value| table["seq"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(number(&after) >= number(&before), "{after}, after {before}");
    assert!(operator.output(&["verify", &hand]).status.success());

    operator.line(&["admin", "close", &guest.table]);
    // It goes once its stacks are back in the wallets.
    let gone = async {
        while !operator.lines(&["admin", "tables"]).is_empty() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.unwrap();
    assert_eq!(operator.lines(&["admin", "ledger", "holds"]), Vec::<Value>::new());
    assert_eq!(operator.line(&["admin", "ledger", "reconcile"])["sum"], json!("0"));
    running.signal("TERM");
    assert!(running.ended().status.success());
}

#[test]
fn operators_move_money_once_for_a_key_and_see_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = brisk(folder.path());
    let page = running.line();
    let operator = Operator::of(folder.path());
    let (_, guest) = post(&page, "v1/auth/guest", &json!({}));
    let player = guest["playerId"].as_str().unwrap();
    for _ in 0..2 {
        let deposit = ["admin", "ledger", "deposit", player, "-40000", "--key", "once"];
        assert_eq!(operator.line(&deposit)["balance"], json!("60000"));
    }
    let entries = operator.lines(&["admin", "ledger", "entries", player]);
    assert_eq!(entries[0]["amount"], json!("-40000"));
    assert_eq!(entries[0]["reference"], json!("correction"));
    assert_eq!(operator.lines(&["admin", "ledger", "holds"]), Vec::<Value>::new());
    let too_much = operator.output(&["admin", "ledger", "deposit", player, "-60001"]);
    assert_eq!(too_much.status.code(), Some(1));
    let said = text(&too_much.stderr);
    assert!(said.contains("LEDGER_INSUFFICIENT_FUNDS"), "{said}");
}

#[test]
fn tools_say_when_nothing_runs_on_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let operator = Operator::of(folder.path());
    let hand = "018f0000-0000-7000-8000-000000000000/1";
    for arguments in [&["verify", hand][..], &["admin", "tables"]] {
        let output = operator.output(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("nothing runs"), "{}", text(&output.stderr));
    }
    let output = operator.output(&["replay", "no-such-file"]);
    assert!(text(&output.stderr).contains("neither a file"), "{}", text(&output.stderr));
}
