//! From launch to the last generation, undisturbed.

use crate::books::{balanced, fingerprints, number};
use crate::simulated::{RunningCore, Worker, spec};
use crate::support::TestDatabase;
use kembara_coordinator::store::{Launched, RunState};
use kembara_coordinator::verify;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_goes_from_launch_to_its_last_generation() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    let Launched::Created(run) = core.launch("first", spec(1, 4)).await.unwrap() else { panic!("not created") };
    Worker::register(core, 2).await.work(core).await;
    let stored = core.store.run(run).await.unwrap().unwrap();
    assert_eq!((stored.state, stored.generation), (RunState::Finished, 4));
    assert_eq!(stored.stop_reason.as_deref(), Some("generations"));
    balanced(&database, "first").await;
    assert_eq!(fingerprints(&database, "first").await.len(), 4);
    // Whoever took part in the last generation lives; the first of generation 1 that left died in it.
    assert_eq!(number(&database, "SELECT count(*) FROM individuals WHERE death IS NULL").await, 12);
    assert!(number(&database, "SELECT count(*) FROM individuals WHERE birth = 1 AND death = 1").await > 0);
    assert_eq!(number(&database, "SELECT count(*) FROM generations WHERE definition IS NOT NULL").await, 0);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_number_of_workers_and_any_cut_give_the_same_fingerprints() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    core.launch("one worker", spec(7, 4)).await.unwrap();
    Worker::register(core, 1).await.work(core).await;
    let expected = fingerprints(&database, "one worker").await;

    // Nine workers of many threads, two runs at once, and another cut since a game seems slow.
    core.launch("many workers", spec(7, 4)).await.unwrap();
    sqlx::query("UPDATE runs SET game_us = 1e6").execute(&mut database.connection().await).await.unwrap();
    core.launch("beside it", spec(7, 4)).await.unwrap();
    let workers = (1..10).map(|threads| async move { Worker::register(core, threads * 7).await.work(core).await });
    futures::future::join_all(workers).await;

    for run in ["many workers", "beside it"] {
        assert_eq!(fingerprints(&database, run).await, expected, "{run}");
        balanced(&database, run).await;
    }
    core.launch("another seed", spec(8, 4)).await.unwrap();
    Worker::register(core, 1).await.work(core).await;
    assert!(fingerprints(&database, "another seed").await.iter().all(|print| !expected.contains(print)));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verification_agrees_with_an_honest_database_and_finds_each_forgery() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    core.launch("honest", spec(3, 3)).await.unwrap();
    Worker::register(core, 4).await.work(core).await;
    let found = verify::run(&core.store, "honest", 0.0).await.unwrap();
    assert_eq!((found.generations, found.games, found.replayed), (3, 3 * 132, 0));
    assert!(found.agrees(), "{:?}", found.differences);

    // The results were made up, which playing the games again brings to light.
    let replayed = verify::run(&core.store, "honest", 0.5).await.unwrap();
    assert!(!replayed.agrees() && replayed.replayed.abs_diff(3 * 66) <= 3, "{}", replayed.replayed);

    for forgery in [
        "UPDATE individuals SET wins = wins + 1 WHERE number = 3",
        "UPDATE individuals SET parents = '{1,1}' WHERE birth = 2",
        "UPDATE standings SET elo_after = elo_after + 1e-9 WHERE generation = 2 AND rank = 1",
        "UPDATE generations SET population = set_byte(population, 60, 255) WHERE number = 2",
        "UPDATE generations SET best = best + 1 WHERE number = 3",
        "UPDATE batches SET results = set_byte(results, 0, get_byte(results, 0) # 1) WHERE generation = 1 AND first = 0",
        "DELETE FROM batches WHERE generation = 2 AND first = 0",
    ] {
        let mut connection = database.connection().await;
        sqlx::raw_sql(
            "CREATE SCHEMA kept; CREATE TABLE kept.i AS TABLE individuals; CREATE TABLE kept.s AS TABLE standings;
             CREATE TABLE kept.g AS TABLE generations; CREATE TABLE kept.b AS TABLE batches",
        )
        .execute(&mut connection)
        .await
        .unwrap();
        assert!(sqlx::raw_sql(forgery).execute(&mut connection).await.unwrap().rows_affected() > 0, "{forgery}");
        let found = verify::run(&core.store, "honest", 0.0).await.unwrap();
        assert!(!found.agrees(), "nobody noticed: {forgery}");
        sqlx::raw_sql("DELETE FROM individuals; DELETE FROM leases; DELETE FROM batches; DELETE FROM generations;
             INSERT INTO generations SELECT * FROM kept.g; INSERT INTO standings SELECT * FROM kept.s;
             INSERT INTO individuals SELECT * FROM kept.i; INSERT INTO batches OVERRIDING SYSTEM VALUE SELECT * FROM kept.b;
             DROP SCHEMA kept CASCADE")
            .execute(&mut connection).await.unwrap();
    }
    assert!(verify::run(&core.store, "honest", 0.0).await.unwrap().agrees());
    running.stop().await;
}
