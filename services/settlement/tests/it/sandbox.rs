//! A fresh database for each test.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::{Clock, Shutdown};
use parlor_settlement::books::Books;
use parlor_settlement::store;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

/// Names the server on which databases may be created and dropped.
const SERVER: &str = "PARLOR_TEST_POSTGRES_URL";
/// When the clock of the tests stands still.
pub const NOW_MS: i64 = 1_700_000_000_000;

/// A database of its own, gone when the test is over.
pub struct Sandbox {
    pub url: String,
    kind: Kind,
}

enum Kind {
    File(#[allow(dead_code)] TempDir),
    Server { server: String, name: String },
    Elsewhere,
}

impl Sandbox {
    pub async fn sqlite() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}", folder.path().join("new/ledger.db").display());
        Some(Self { url, kind: Kind::File(folder) })
    }

    /// None when there is no server to test on.
    pub async fn postgres() -> Option<Self> {
        let Ok(server) = std::env::var(SERVER) else {
            eprintln!("{SERVER} is not set: not tested on PostgreSQL");
            return None;
        };
        let name = format!("parlor_test_{}", Uuid::new_v4().simple());
        run_on(&server, format!("CREATE DATABASE {name}")).await;
        let base = server.rsplit_once('/').unwrap().0;
        let url = format!("{base}/{name}");
        Some(Self { url, kind: Kind::Server { server, name } })
    }

    /// The same database under another URL. It goes when the original goes.
    pub fn at(&self, url: &str) -> Self {
        Self { url: url.to_owned(), kind: Kind::Elsewhere }
    }

    pub async fn books(&self, shutdown: &Shutdown) -> Books {
        self.books_at(Clock::held_at(NOW_MS), shutdown).await
    }

    pub async fn books_at(&self, clock: Clock, shutdown: &Shutdown) -> Books {
        let store = store::open(&self.url, 4).await.unwrap();
        Books::open(store, clock, 256, shutdown)
    }

    /// Runs a statement behind the ledger's back.
    pub async fn execute(&self, statement: &str) -> Result<(), sqlx::Error> {
        let statement = sqlx::raw_sql(AssertSqlSafe(statement.to_owned()));
        if self.url.starts_with("sqlite") {
            let mut connection = SqliteConnection::connect(&self.url).await?;
            statement.execute(&mut connection).await?;
            connection.close().await
        } else {
            let mut connection = PgConnection::connect(&self.url).await?;
            statement.execute(&mut connection).await?;
            connection.close().await
        }
    }

    /// Takes away what keeps the journal from being changed.
    pub async fn open_the_vault(&self) {
        let tables = ["transactions", "postings", "hands"];
        for table in tables {
            if self.url.starts_with("sqlite") {
                for trigger in ["stay", "remain"] {
                    self.execute(&format!("DROP TRIGGER {table}_{trigger}")).await.unwrap();
                }
            } else {
                let statement = format!("ALTER TABLE {table} DISABLE TRIGGER USER");
                self.execute(&statement).await.unwrap();
            }
        }
    }

    pub async fn remove(self) {
        if let Kind::Server { server, name } = self.kind {
            run_on(&server, format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

async fn run_on(server: &str, statement: String) {
    let mut connection = PgConnection::connect(server).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Runs a case on a sandbox with fresh books, and tidies up.
pub async fn run<F, T>(sandbox: Option<Sandbox>, case: F)
where
    F: FnOnce(Books, Arc<Sandbox>) -> T,
    T: Future<Output = ()>,
{
    let Some(sandbox) = sandbox else { return };
    let sandbox = Arc::new(sandbox);
    let shutdown = Shutdown::new();
    let books = sandbox.books(&shutdown).await;
    case(books, Arc::clone(&sandbox)).await;
    shutdown.finished(Duration::from_secs(10)).await.unwrap();
    Arc::into_inner(sandbox).unwrap().remove().await;
}
