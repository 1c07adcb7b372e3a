//! `parlor bench`: real clients against services of its own.

use serde_json::Value;

use crate::process::parlor;

fn bench(arguments: &[&str]) -> Value {
    let output = parlor().args(["bench", "--json"]).args(arguments).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn an_open_loop_of_the_echo_game_is_measured_by_process() {
    let flags = ["--tables=3", "--duration-s=1", "--mode=paced", "--rate=20"];
    let report = bench(&[&flags[..], &["--layout=separate"]].concat());
    for name in ["actions_per_s", "p50_ms", "p99_ms", "p999_ms", "delivered_p99_ms"] {
        assert!(report[name].as_f64().unwrap() > 0.0, "{name} in {report}");
    }
    for process in ["clients", "gateway", "matchmaking", "settlement", "table"] {
        assert!(report["rss_mb"][process].as_f64().unwrap() > 1.0, "{process} in {report}");
        assert!(report["cpu"][process].is_f64(), "{process} in {report}");
    }
    assert_eq!((&report["tables"], &report["errors"]), (&Value::from(3), &Value::from(0)));
}

#[test]
fn every_game_is_played_for_points_and_for_chips_over_both_transports() {
    for (game, transport, buy_in) in [
        ("mahjong", "websocket", "--buy-in=2000"),
        ("blackjack", "grpc", "--buy-in=2000"),
        ("balatro", "websocket", "--buy-in=0"),
    ] {
        let (game, transport) = (format!("--game={game}"), format!("--transport={transport}"));
        let report = bench(&["--tables=2", "--duration-s=3", &game, &transport, buy_in]);
        assert!(report["actions"].as_u64().unwrap() > 10, "{report}");
        assert_eq!(report["errors"], Value::from(0), "{report}");
    }
}
