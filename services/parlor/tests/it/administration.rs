//! `parlor admin player`, `sessions`, `audit`, `token`, `end`, `drain`: operators and the gateway.

use serde_json::json;

use crate::http::{get, post};
use crate::operator::{Operator, text};
use crate::process::{Running, parlor};

#[test]
fn operators_look_for_players_and_act_on_them_and_there_is_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = Running::all(folder.path());
    let page = running.line();
    let (_, guest) = post(&page, "v1/auth/guest", &json!({ "name": "Ada" }));
    let player = guest["playerId"].as_str().unwrap();
    let operator = Operator::of(folder.path());

    let found = operator.line(&["admin", "player", "find", player]);
    assert_eq!((&found["session"], &found["ban"]), (&json!(null), &json!(null)), "{found}");
    let ban = ["admin", "player", "ban", player, "--hours", "2", "--reason", "collusion"];
    assert_eq!(operator.line(&ban)["ban"]["reason"], "collusion");
    let found = operator.line(&["admin", "player", "find", player]);
    assert_eq!(found["ban"]["by"], "local");
    operator.line(&["admin", "player", "unban", player, "--reason", "a mistake"]);
    assert_eq!(operator.line(&["admin", "player", "find", player])["ban"], json!(null));

    let kick = operator.output(&["admin", "player", "kick", player]);
    assert!(text(&kick.stderr).contains("NO_SESSION"), "{}", text(&kick.stderr));
    let end = operator.output(&["admin", "end", "0192f0c2-0000-7000-8000-000000000001"]);
    assert!(text(&end.stderr).contains("TABLE_NOT_FOUND"), "{}", text(&end.stderr));
    let cards = operator.output(&["admin", "cards", "0192f0c2-0000-7000-8000-000000000001", "5"]);
    assert!(text(&cards.stderr).contains("CLUB_NOT_FOUND"), "{}", text(&cards.stderr));
    assert_eq!(operator.lines(&["admin", "sessions"]), Vec::<serde_json::Value>::new());

    let audit = operator.lines(&["admin", "audit"]);
    let told: Vec<_> = audit.iter().map(|entry| (&entry["action"], &entry["outcome"])).collect();
    let expected = [
        (&json!("close_table"), &json!("TABLE_NOT_FOUND")),
        (&json!("kick"), &json!("NO_SESSION")),
        (&json!("unban"), &json!("ok")),
        (&json!("ban"), &json!("ok")),
    ];
    assert_eq!(told, expected);

    operator.line(&["admin", "drain", "--reason", "upgrade"]);
    let admin = operator.notice()["admin_url"].as_str().unwrap().to_owned() + "/";
    assert_eq!(get(&admin, "readyz").0, 503, "no more players may come");
    running.signal("TERM");
    assert!(running.ended().status.success());
}

#[test]
fn a_new_token_works_once_its_hash_is_configured() {
    let made = parlor().args(["admin", "token", "eve", "--role", "viewer"]).output().unwrap();
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).unwrap();
    let (token, setting) = (made["token"].as_str().unwrap(), made["setting"].as_str().unwrap());
    assert!(setting.starts_with("eve:viewer:") && !setting.contains(token));

    let folder = tempfile::tempdir().unwrap();
    let mut running = Running::all_with(folder.path(), &["--gateway-admin-tokens", setting]);
    running.line();
    let operator = Operator::of(folder.path());
    let with_token = |arguments: &[&str]| {
        let token = ["--admin-token", token];
        operator.output(&[arguments, &token].concat())
    };
    assert!(with_token(&["admin", "sessions"]).status.success());
    let refused = with_token(&["admin", "drain"]);
    let refused = text(&refused.stderr);
    assert!(refused.contains("ADMIN_ROLE_REQUIRED"), "{refused}");
    let wrong = operator.output(&["admin", "sessions", "--admin-token", "guess"]);
    assert!(text(&wrong.stderr).contains("BAD_ADMIN_TOKEN"), "{}", text(&wrong.stderr));
}
