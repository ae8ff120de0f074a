//! Bringing the tables up to date.

use crate::books::number;
use crate::support::TestDatabase;
use kembara_coordinator::store::{Store, StoreError};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn coordinators_that_start_together_migrate_once() {
    let database = TestDatabase::create().await;
    sqlx::raw_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        .execute(&mut database.connection().await)
        .await
        .unwrap();
    let stores = futures::future::join_all((0..4).map(|_| database.store())).await;
    stores[3].ping().await.unwrap();
    assert_eq!(number(&database, "SELECT count(*) FROM runs").await, 0);
    assert_eq!(number(&database, "SELECT count(*) FROM _sqlx_migrations WHERE version = 1").await, 1);
}

#[tokio::test]
async fn a_database_of_a_newer_program_is_refused_in_words() {
    let database = TestDatabase::create().await;
    sqlx::raw_sql("INSERT INTO _sqlx_migrations VALUES (9999, 'later', now(), true, '', 1)")
        .execute(&mut database.connection().await)
        .await
        .unwrap();
    let refusal = Store::open(database.options(), 2).await.unwrap_err();
    assert!(matches!(refusal, StoreError::Newer { migration: 9999 }), "{refusal}");
    assert!(refusal.to_string().contains("newer version of Kembara"), "{refusal}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_connection_error() {
    let refusal = Store::connect("postgres://nobody@127.0.0.1:1/none", 1).await.unwrap_err();
    assert!(matches!(refusal, StoreError::Connection(_)), "{refusal:?}");
}
