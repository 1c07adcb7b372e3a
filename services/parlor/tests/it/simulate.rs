//! `parlor simulate`.

use serde_json::{Map, Value};

use crate::process::parlor;

fn simulate(arguments: &[&str]) -> Map<String, Value> {
    let output = parlor().arg("simulate").args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_game_plays_without_a_violation_and_alike_for_a_seed() {
    for (game, hands) in [("mahjong", 40), ("blackjack", 200), ("balatro", 20)] {
        let hands_text = hands.to_string();
        let of_seed = |seed| {
            let mut report = simulate(&[game, "--hands", &hands_text, "--seed", seed]);
            assert_eq!(report["game"], game);
            assert_eq!(report["hands"], hands);
            assert_eq!(report["violations"], 0, "{report:?}");
            for figure in ["seconds", "hands_per_s"] {
                assert!(report.remove(figure).unwrap().as_f64().unwrap() > 0.0);
            }
            report
        };
        assert_eq!(of_seed("7"), of_seed("7"), "{game}");
        assert_ne!(of_seed("7"), of_seed("8"), "{game}");
    }
}

#[test]
fn a_person_gets_a_table() {
    let output = parlor().args(["simulate", "blackjack", "--hands", "20"]).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("game") && text.contains("\nviolations"), "{text}");
    let refused = parlor().args(["simulate", "blackjack", "--hands", "0"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}
