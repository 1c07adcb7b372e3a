//! `parlor run`: starting, staying, ending.

use serde_json::json;

use crate::http::{get, post};
use crate::process::{Running, parlor};

#[test]
fn everything_runs_from_one_command_and_prints_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = Running::all(folder.path());
    let page = running.line();
    assert!(page.starts_with("http://127.0.0.1:") && page.ends_with('/'), "{page:?}");
    let (status, client) = get(&page, "");
    assert_eq!(status, 200);
    assert!(client.to_lowercase().starts_with("<!doctype html"), "{client}");
    running.signal("TERM");
    let ended = running.ended();
    assert!(ended.status.success(), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
    assert!(!ended.stderr.contains("WARN"), "{}", ended.stderr);
}

#[test]
fn without_a_command_everything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let command = &mut parlor();
    command.env("PARLOR_GATEWAY_LISTEN", "127.0.0.1:0").env("PARLOR_DATA_DIR", folder.path());
    let mut running = Running::start(command);
    assert!(running.line().starts_with("http://"));
}

#[test]
fn sessions_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = Running::all(folder.path());
    let page = running.line();
    let (status, guest) = post(&page, "v1/auth/guest", &json!({ "name": "Ada" }));
    assert_eq!(status, 200, "{guest}");
    running.signal("INT");
    assert!(running.ended().status.success());

    let mut running = Running::all(folder.path());
    let page = running.line();
    let refresh = json!({ "refreshToken": guest["refreshToken"] });
    let (status, again) = post(&page, "v1/auth/refresh", &refresh);
    assert_eq!(status, 200, "{again}");
    assert_eq!(again["playerId"], guest["playerId"]);
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Running::all(folder.path());
    first.line();
    let second = Running::all(folder.path()).ended();
    assert_eq!(second.status.code(), Some(1));
    assert!(second.stderr.contains("another process uses it"), "{}", second.stderr);
}

#[test]
fn a_single_service_needs_secrets_of_its_own() {
    for target in ["gateway", "matchmaking", "table", "settlement"] {
        let ended = Running::start(parlor().args(["run", target])).ended();
        assert_eq!(ended.status.code(), Some(1), "{target}");
        assert!(ended.stderr.contains("PARLOR_SERVICE_TOKEN"), "{}", ended.stderr);
    }
    let gateway = &mut parlor();
    let gateway = gateway.args(["run", "gateway"]).env("PARLOR_SERVICE_TOKEN", "a-secret");
    let ended = Running::start(gateway).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.stderr.contains("PARLOR_GATEWAY_TOKEN_SECRET"), "{}", ended.stderr);
}

#[test]
fn a_port_that_is_taken_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let command = &mut parlor();
    command.args(["run", "settlement", "--settlement-listen", &address]);
    let command = command.env("PARLOR_DEV", "1");
    let ended = Running::start(command).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.stderr.contains(&address), "{}", ended.stderr);
}

#[test]
fn a_service_that_cannot_start_ends_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let command = &mut parlor();
    command.args(["run", "--gateway-listen", "127.0.0.1:0", "--data-dir"]).arg(folder.path());
    let url = "postgres://nobody@127.0.0.1:1/nothing";
    let ended = Running::start(command.args(["--settlement-database-url", url])).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.stderr.contains("the settlement service has failed"), "{}", ended.stderr);
}
