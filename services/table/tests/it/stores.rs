//! Every store passes the same suite.

use parlor_table::store::{Durability, EmbeddedStore, MemoryStore, RedisStore, conformance};

#[tokio::test]
async fn the_memory_store_conforms() {
    conformance::check(&MemoryStore::default()).await;
}

#[tokio::test]
async fn the_embedded_store_conforms() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = EmbeddedStore::open(&folder.path().join("tables.redb")).expect("opens");
    conformance::check(&store).await;
}

#[tokio::test]
async fn the_redis_store_conforms() {
    let Some(url) = service_url("PARLOR_TEST_REDIS_URL") else { return };
    let store = RedisStore::connect(&url.into(), "test-conformance", Durability::Local)
        .await
        .expect("connects");
    conformance::check(&store).await;
    // What is kept for audits is no part of a table any more.
    conformance::check(&store.keeping(100)).await;
}

#[tokio::test]
async fn the_redis_cluster_store_conforms_and_waits_for_a_replica() {
    let Some(urls) = service_url("PARLOR_TEST_REDIS_CLUSTER_URLS") else { return };
    let store = RedisStore::connect(&urls.into(), "test-conformance", Durability::Replica)
        .await
        .expect("connects");
    conformance::check(&store).await;
}

/// The address of a server that the test script started.
pub fn service_url(variable: &str) -> Option<String> {
    let url = std::env::var(variable).ok();
    if url.is_none() {
        let required = std::env::var_os("PARLOR_TEST_REQUIRE_SERVICES").is_some();
        assert!(!required, "{variable} is not set");
        println!("skipped: {variable} is not set");
    }
    url
}
