//! A process that is killed in the middle of its work.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio, abort};
use std::time::Duration;

use parlor_common::{PlayerId, Shutdown, TableId};
use parlor_settlement::ledger::Ledger;

use crate::sandbox::Sandbox;
use crate::scene::{deposit, hold};

/// Tells the child where its ledger is.
const CHILD: &str = "PARLOR_TEST_CHILD_LEDGER";
const PLAYER: [u8; 16] = [9; 16];
const TABLE: [u8; 16] = [8; 16];

/// Not a test: what the child process does, until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by a_killed_process_loses_nothing_that_it_acknowledged"]
async fn child() {
    let Ok(url) = std::env::var(CHILD) else { return };
    let sandbox = Sandbox::sqlite().await.unwrap().at(&url);
    let books = sandbox.books(&Shutdown::new()).await;
    let (player, table) = (PlayerId::from_bytes(PLAYER), TableId::from_bytes(TABLE));
    let (acknowledge, mut acknowledged) = tokio::sync::mpsc::channel(1_000);
    for writer in 0..16 {
        let (books, acknowledge) = (books.clone(), acknowledge.clone());
        tokio::spawn(async move {
            for number in 0.. {
                let key = format!("d/{writer}/{number}");
                // A child that fails must end, or its parent would wait for it.
                let Ok(receipt) = deposit(&books, &key, player, 2).await else { abort() };
                acknowledge.send(format!("{key} {}", receipt.transaction)).await.unwrap();
                let held = hold(&books, &format!("h/{writer}/{number}"), table, player, 1).await;
                if held.is_err() {
                    abort();
                }
            }
        });
    }
    while let Some(line) = acknowledged.recv().await {
        // A pipe, not captured: the parent must see it before the child dies.
        writeln!(std::io::stderr(), "ack {line}").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_loses_nothing_that_it_acknowledged() {
    let sandbox = Sandbox::sqlite().await.unwrap();
    for kill_after in [1, 100, 700] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::child", "--ignored", "--nocapture"])
            .env(CHILD, &sandbox.url)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut acknowledged = Vec::new();
        let mut receive = |line: String| {
            let (key, transaction) = line.strip_prefix("ack ")?.split_once(' ')?;
            acknowledged.push((key.to_owned(), transaction.parse::<u64>().ok()?));
            Some(acknowledged.len())
        };
        for line in lines.by_ref().map_while(Result::ok) {
            if receive(line).is_some_and(|count| count >= kill_after) {
                child.kill().unwrap();
                break;
            }
        }
        child.wait().unwrap();
        // What was in the pipe when it died was acknowledged, too.
        for line in lines.map_while(Result::ok) {
            receive(line);
        }
        assert!(acknowledged.len() >= kill_after);

        let shutdown = Shutdown::new();
        let books = sandbox.books(&shutdown).await;
        let audit = books.reconcile().await.unwrap();
        assert!(audit.sound(), "{audit:?}");
        let player = PlayerId::from_bytes(PLAYER);
        for (key, transaction) in acknowledged {
            let again = deposit(&books, &key, player, 2).await.unwrap();
            assert_eq!(again.transaction, transaction, "{key}");
        }
        drop(books);
        shutdown.finished(Duration::from_secs(10)).await.unwrap();
    }
}
