//! How much the database grows.

use crate::books::{balanced, number};
use crate::simulated::{RunningCore, Worker, spec};
use crate::support::TestDatabase;

const GENERATIONS: u32 = 5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_generation_of_123_552_games_takes_less_than_two_megabytes() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    let mut large = spec(1, GENERATIONS);
    large.population = 352;
    core.launch("large", large).await.unwrap();
    let size = "SELECT pg_database_size(current_database())";
    let before = number(&database, size).await;
    futures::future::join_all((0..2).map(|_| async { Worker::register(core, 1).await.work(core).await })).await;
    balanced(&database, "large").await;
    sqlx::raw_sql("VACUUM").execute(&mut database.connection().await).await.unwrap();
    let growth = (number(&database, size).await - before) / i64::from(GENERATIONS);
    assert!(growth < 2_000_000, "{growth} bytes a generation");
    running.stop().await;
}
