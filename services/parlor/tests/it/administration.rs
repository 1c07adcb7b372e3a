//! `parlor admin player`, `address`, `kick`, `close`, `ledger deposit`, `sessions`, `audit`,
//! `token`, `drain`: operators and the gateway.

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

    let address = ["admin", "address", "ban", "203.0.113.7/24", "--hours", "1", "--reason", "farm"];
    assert_eq!(operator.line(&address)["ban"]["network"], "203.0.113.0/24");
    assert_eq!(operator.line(&["admin", "address", "list"])["ban"]["reason"], "farm");
    operator.line(&["admin", "address", "unban", "203.0.113.0/24", "--reason", "a school"]);

    // Refused ones leave a record as well.
    let table = "0192f0c2-0000-7000-8000-000000000001";
    for (arguments, said) in [
        (&["player", "kick", player, "--reason", "rude"][..], "NO_SESSION"),
        (&["player", "kick", player, "--reason", " "], "BAD_ADMIN_REQUEST"),
        (&["close", table], "TABLE_NOT_FOUND"),
        (&["kick", table, player, "--reason", "stuck"], "TABLE_NOT_FOUND"),
        (&["cards", table, "5"], "CLUB_NOT_FOUND"),
        (&["ledger", "deposit", player, "-1000000", "--key", "k"], "LEDGER_INSUFFICIENT_FUNDS"),
    ] {
        let refused = operator.output(&[&["admin"], arguments].concat());
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert!(text(&refused.stderr).contains(said), "{}", text(&refused.stderr));
    }
    assert_eq!(
        operator.line(&["admin", "ledger", "deposit", player, "5", "--key", "l"])["balance"],
        "100005"
    );
    assert_eq!(operator.lines(&["admin", "sessions"]), Vec::<serde_json::Value>::new());

    let audit = operator.lines(&["admin", "audit"]);
    let told: Vec<_> = audit
        .iter()
        .map(|entry| ["action", "outcome", "reason"].map(|field| entry[field].as_str().unwrap()))
        .collect();
    let expected = [
        ["adjust_wallet", "ok", "correction"],
        ["adjust_wallet", "LEDGER_INSUFFICIENT_FUNDS", "correction"],
        ["grant_club_cards", "CLUB_NOT_FOUND", "correction"],
        ["remove_from_table", "TABLE_NOT_FOUND", "stuck"],
        ["close_table", "TABLE_NOT_FOUND", "closed_by_operator"],
        ["kick", "BAD_ADMIN_REQUEST", " "],
        ["kick", "NO_SESSION", "rude"],
        ["unban_address", "ok", "a school"],
        ["ban_address", "ok", "farm"],
        ["unban", "ok", "a mistake"],
        ["ban", "ok", "collusion"],
    ];
    assert_eq!(told, expected);
    audit.iter().for_each(says_who_and_when);
    assert_eq!(audit[0]["subject"], json!(format!("{player} 5 l")));

    operator.line(&["admin", "drain", "--reason", "upgrade"]);
    let admin = operator.notice()["admin_url"].as_str().unwrap().to_owned() + "/";
    assert_eq!(get(&admin, "readyz").0, 503, "no more players may come");
    running.signal("TERM");
    assert!(running.ended().status.success());
}

fn says_who_and_when(entry: &serde_json::Value) {
    assert_eq!((&entry["by"], &entry["role"]), (&json!("local"), &json!("operator")));
    assert!(entry["timeMs"].as_str().is_some_and(|time| time.len() > 12), "{entry}");
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
    let refused = with_token(&["admin", "drain", "--reason", "mischief"]);
    let refused = text(&refused.stderr);
    assert!(refused.contains("ADMIN_ROLE_REQUIRED"), "{refused}");
    let wrong = operator.output(&["admin", "sessions", "--admin-token", "guess"]);
    assert!(text(&wrong.stderr).contains("BAD_ADMIN_TOKEN"), "{}", text(&wrong.stderr));
}
