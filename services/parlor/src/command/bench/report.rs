//! What a benchmark found, for people and for machines.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use parlor_sim::load::Transport;
use parlor_sim::load::drive::{Outcome, Plan};
use parlor_sim::load::process::Usage;
use serde_json::{Map, Value, json};

/// Bytes of a MB.
const MB: f64 = 1e6;

/// One object; its names are stable.
pub fn of(plan: &Plan, outcome: &Outcome) -> Map<String, Value> {
    let per_s = outcome.actions as f64 / outcome.seconds.max(f64::MIN_POSITIVE);
    let mut report = Map::new();
    let mut put = |name: &str, value: Value| report.insert(name.to_owned(), value);
    put("game", json!(plan.game.id()));
    put("transport", json!(transport(plan.transport)));
    put("mode", json!(if plan.period.is_some() { "paced" } else { "closed" }));
    put("tables", json!(outcome.tables));
    put("seconds", json!(rounded(outcome.seconds, 3)));
    put("actions", json!(outcome.actions));
    put("actions_per_s", json!(rounded(per_s, 1)));
    for (name, quantile) in [("p50_ms", 0.5), ("p99_ms", 0.99), ("p999_ms", 0.999)] {
        put(name, json!(millis(&outcome.answered, quantile)));
    }
    put("max_ms", json!(outcome.answered.max() as f64 / 1e3));
    if !outcome.delivered.is_empty() {
        put("delivered_p50_ms", json!(millis(&outcome.delivered, 0.5)));
        put("delivered_p99_ms", json!(millis(&outcome.delivered, 0.99)));
    }
    put("rss_mb", json!(by_process(&outcome.ended, |usage| rounded(usage.rss_mb, 1))));
    put("cpu", json!(share(outcome)));
    put("cpu_us_per_action", json!(cost(outcome)));
    put("bytes_per_table", json!(growth(outcome)));
    put("mb_per_table", json!(rounded(services(&growth(outcome)) / MB, 4)));
    put("refused", json!(outcome.refused));
    put("repeated", json!(outcome.patience.0));
    put("failed_connections", json!(outcome.patience.1));
    put("errors", json!(outcome.faults));
    if !outcome.fault_texts.is_empty() {
        put("first_errors", json!(outcome.fault_texts));
    }
    report
}

const fn transport(transport: Transport) -> &'static str {
    match transport {
        Transport::WebSocket => "websocket",
        Transport::Grpc => "grpc",
    }
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

fn millis(latencies: &Histogram<u64>, quantile: f64) -> f64 {
    latencies.value_at_quantile(quantile) as f64 / 1e3
}

fn by_process(
    usages: &BTreeMap<String, Usage>,
    figure: impl Fn(&Usage) -> f64,
) -> BTreeMap<String, f64> {
    usages.iter().map(|(name, usage)| (name.clone(), figure(usage))).collect()
}

/// Cores that each process kept busy while it was counted.
fn share(outcome: &Outcome) -> BTreeMap<String, f64> {
    let cores = |(name, ended): (&String, &Usage)| {
        let begun = outcome.begun.get(name)?;
        let busy = (ended.cpu_s - begun.cpu_s) / outcome.seconds.max(f64::MIN_POSITIVE);
        Some((name.clone(), rounded(busy, 3)))
    };
    outcome.ended.iter().filter_map(cores).collect()
}

/// Processor time that each process spent on an action, in microseconds: the figure that other load
/// on the machine disturbs least.
fn cost(outcome: &Outcome) -> BTreeMap<String, f64> {
    let actions = outcome.actions.max(1) as f64;
    let spent = |(name, ended): (&String, &Usage)| {
        let begun = outcome.begun.get(name)?;
        Some((name.clone(), rounded((ended.cpu_s - begun.cpu_s) * 1e6 / actions, 1)))
    };
    outcome.ended.iter().filter_map(spent).collect()
}

/// Memory that each process took for a table with its players connected, before they played.
fn growth(outcome: &Outcome) -> BTreeMap<String, f64> {
    let tables = outcome.tables.max(1) as f64;
    let grown = |(name, seated): (&String, &Usage)| {
        let empty = outcome.empty.get(name)?;
        Some((name.clone(), ((seated.rss_mb - empty.rss_mb) * MB / tables).round()))
    };
    outcome.seated.iter().filter_map(grown).collect()
}

/// The sum without the clients.
fn services(figures: &BTreeMap<String, f64>) -> f64 {
    figures.iter().filter(|(name, _)| *name != "clients").map(|(_, figure)| figure).sum()
}

/// The same for people.
pub fn table(report: &Map<String, Value>) -> String {
    let mut rows = Vec::new();
    for (name, value) in report {
        let name = name.replace('_', " ");
        match value {
            Value::Object(members) => {
                rows.extend(members.iter().map(|(of, value)| (format!("{name}: {of}"), value)));
            }
            Value::Array(texts) => rows.extend(texts.iter().map(|text| (name.clone(), text))),
            value => rows.push((name, value)),
        }
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    rows.iter().map(|(name, value)| format!("{name:width$}  {}\n", text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lines_up_and_spreads_processes() {
        let report = json!({ "p50_ms": 0.5, "rss_mb": { "clients": 2, "server": 1 } });
        let expected = "\
p50 ms           0.5
rss mb: clients  2
rss mb: server   1
";
        assert_eq!(report.as_object().map(table), Some(expected.to_owned()));
    }
}
