//! The ledger's schema, as the Job before an upgrade brings it up to date.

use std::process::{Child, Command, Stdio};

use parlor_common::TableId;
use sqlx::{AssertSqlSafe, Connection, PgConnection, query_scalar, raw_sql};

use crate::operator::text;
use crate::process::{Running, parlor};

/// Names the server on which databases may be created and dropped.
const SERVER: &str = "PARLOR_TEST_POSTGRES_URL";

fn migrate(url: &str) -> Child {
    let mut command: Command = parlor();
    command.args(["admin", "migrate"]).env("PARLOR_SETTLEMENT_DATABASE_URL", url);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn migrated(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).trim(), r#"{"schema":"up to date"}"#);
}

#[test]
fn a_ledger_in_a_file_can_be_migrated_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("settlement.db").display());
    migrated(migrate(&url));
    migrated(migrate(&url));
    let mut running = Running::all(folder.path());
    assert!(running.line().starts_with("http://"));
}

#[tokio::test]
async fn jobs_that_migrate_at_the_same_time_wait_for_each_other() {
    let Ok(server) = std::env::var(SERVER) else {
        assert!(std::env::var("PARLOR_TEST_REQUIRE_SERVICES").is_err(), "{SERVER} is not set");
        eprintln!("{SERVER} is not set: not tested on PostgreSQL");
        return;
    };
    let name = format!("parlor_test_{}", TableId::random().to_string().replace('-', ""));
    let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
    let mut control = PgConnection::connect(&server).await.unwrap();
    let run = |statement: String| raw_sql(AssertSqlSafe(statement));
    run(format!("CREATE DATABASE {name}")).execute(&mut control).await.unwrap();

    let jobs: Vec<_> = (0..4).map(|_| migrate(&url)).collect();
    jobs.into_iter().for_each(migrated);
    let mut ledger = PgConnection::connect(&url).await.unwrap();
    let count = "SELECT count(*) FROM _sqlx_migrations WHERE success";
    let applied: i64 = query_scalar(count).fetch_one(&mut ledger).await.unwrap();
    assert!(applied > 0);
    // What was applied is passed over.
    migrated(migrate(&url));
    let again: i64 = query_scalar(count).fetch_one(&mut ledger).await.unwrap();
    assert_eq!(again, applied);
    ledger.close().await.unwrap();
    run(format!("DROP DATABASE {name} WITH (FORCE)")).execute(&mut control).await.unwrap();
}

#[test]
fn a_database_that_is_away_fails_the_job() {
    let output = migrate("postgres://nobody@127.0.0.1:1/nothing").wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("could not be brought up to date"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}
