//! A fresh database.

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use uuid::Uuid;

pub struct Place {
    pub url: String,
    server: Option<(String, String)>,
    _folder: Option<TempDir>,
}

impl Place {
    pub fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}", folder.path().join("ledger.db").display());
        Self { url, server: None, _folder: Some(folder) }
    }

    pub async fn postgres() -> Option<Self> {
        let server = std::env::var("PARLOR_TEST_POSTGRES_URL").ok()?;
        let name = format!("parlor_bench_{}", Uuid::new_v4().simple());
        run_on(&server, format!("CREATE DATABASE {name}")).await;
        let url = format!("{}/{name}", server.rsplit_once('/')?.0);
        Some(Self { url, server: Some((server, name)), _folder: None })
    }

    pub async fn remove(self) {
        if let Some((server, name)) = self.server {
            run_on(&server, format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

async fn run_on(server: &str, statement: String) {
    let mut connection = PgConnection::connect(server).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
