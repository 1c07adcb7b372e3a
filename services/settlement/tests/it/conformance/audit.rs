use std::sync::Arc;
use std::time::Duration;

use parlor_common::PlayerId;
use parlor_settlement::books::Books;
use parlor_settlement::ledger::{History, Ledger};
use parlor_settlement::store::Audit;

use crate::sandbox::{NOW_MS, Sandbox};
use crate::scene::{Table, deposit, release};

type Place = Arc<Sandbox>;

/// A ledger with some of everything: nine transactions.
async fn furnish(books: &Books) -> Table {
    let table = Table::seat(books, 2, 100).await;
    table.script(1, &[20, -25]).post(books).await.unwrap();
    release(books, "r0", table.holds[0], 120).await.unwrap();
    release(books, "r1", table.holds[1], 75).await.unwrap();
    deposit(books, "w", table.players[0], -20).await.unwrap();
    deposit(books, "d", PlayerId::random(), 7).await.unwrap();
    table
}

/// What is done, what undoes it, and which count shows it.
type Tampering<'a> = (&'a str, &'a str, fn(&Audit) -> u64);

pub async fn an_audit_finds_what_was_tampered_with(books: Books, place: Place) {
    let table = furnish(&books).await;
    let audit = books.reconcile().await.unwrap();
    assert!(audit.sound(), "{audit:?}");
    assert_eq!(books.last_audit().await.unwrap(), Some((NOW_MS, audit)));
    place.open_the_vault().await;
    let wallet = format!("wallet/{}", table.players[0]);
    let raise = format!("UPDATE accounts SET balance = balance + 5 WHERE account = '{wallet}'");
    let lower = raise.replace('+', "-");
    let line = format!("UPDATE postings SET amount = amount + 1 WHERE account = '{wallet}'");
    let straight = line.replace('+', "-");
    let cases: [Tampering; 7] = [
        (&raise, &lower, |audit| audit.mismatches),
        (&line, &straight, |audit| audit.unbalanced),
        (&line, &straight, |audit| audit.broken_links),
        (
            "UPDATE transactions SET reference = 'gift' WHERE reference = 'welcome' AND seq = 1",
            "UPDATE transactions SET reference = 'welcome' WHERE reference = 'gift'",
            |audit| audit.broken_links,
        ),
        (
            "UPDATE transactions SET time_ms = time_ms + 1 WHERE seq = 9",
            "UPDATE transactions SET time_ms = time_ms - 1 WHERE seq = 9",
            |audit| audit.broken_links,
        ),
        (
            "UPDATE journal_head SET seq = seq + 1",
            "UPDATE journal_head SET seq = seq - 1",
            |audit| audit.broken_links,
        ),
        (
            "UPDATE hands SET record = summary",
            // Only one case repairs nothing: it is the last.
            "SELECT 1",
            |audit| audit.damaged_records,
        ),
    ];
    for (tamper, repair, found) in cases {
        place.execute(tamper).await.unwrap();
        let audit = books.reconcile().await.unwrap();
        assert!(
            found(&audit) > 0 && !audit.sound() && audit.imbalance() > 0,
            "{tamper}: {audit:?}"
        );
        place.execute(repair).await.unwrap();
        let sound = books.reconcile().await.unwrap().sound();
        assert_eq!(sound, repair != "SELECT 1", "{repair}");
    }
    let damaged = books.hand(table.script(1, &[]).id, None).await;
    assert_eq!(damaged, Err(parlor_settlement::Error::Internal), "not shown as if it were true");
}

pub async fn an_audit_misses_no_missing_transaction(books: Books, place: Place) {
    furnish(&books).await;
    place.open_the_vault().await;
    // The last one, which nothing follows.
    place.execute("DELETE FROM postings WHERE seq = 9").await.unwrap();
    place.execute("DELETE FROM transactions WHERE seq = 9").await.unwrap();
    let audit = books.reconcile().await.unwrap();
    assert!(audit.broken_links > 0, "{audit:?}");
    place.execute("DELETE FROM postings WHERE seq = 4").await.unwrap();
    place.execute("DELETE FROM transactions WHERE seq = 4").await.unwrap();
    let more = books.reconcile().await.unwrap();
    assert!(more.broken_links > audit.broken_links, "{more:?}");
}

pub async fn what_was_written_cannot_be_changed(books: Books, place: Place) {
    furnish(&books).await;
    for statement in [
        "UPDATE transactions SET reference = 'gift'",
        "UPDATE postings SET amount = 1",
        "UPDATE hands SET game = 'poker'",
        "DELETE FROM transactions",
        "DELETE FROM postings",
        "DELETE FROM hands",
        "INSERT INTO transactions SELECT * FROM transactions WHERE seq = 1",
        "UPDATE accounts SET balance = -1 WHERE account = 'house'",
    ] {
        let refused = place.execute(statement).await;
        assert!(matches!(refused, Err(sqlx::Error::Database(_))), "{statement}: {refused:?}");
    }
    assert!(books.reconcile().await.unwrap().sound());
}

pub async fn an_audit_sees_one_moment_while_money_moves(books: Books, _: Place) {
    let table = Table::seat(&books, 2, 1_000_000).await;
    let playing = async {
        for number in 1..=300 {
            table.script(number, &[3, -4]).post(&books).await.unwrap();
        }
    };
    let auditing = async {
        for _ in 0..5 {
            let audit = books.reconcile().await.unwrap();
            assert!(audit.sound(), "{audit:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::join!(playing, auditing);
}
