//! Workers that die, report late, twice or not at all, and coordinators killed at any moment.

use crate::books::{balanced, fingerprints, number};
use crate::simulated::{RunningCore, SHORT, Worker, spec};
use crate::support::TestDatabase;
use kembara_coordinator::core::Core;
use kembara_coordinator::postgres::{PrivateConfig, PrivatePostgres};
use kembara_coordinator::store::{Granted, IdleReason, Launched, LeaseAnswer, ReportAnswer, Store};
use kembara_coordinator::verify;
use kembara_engine::random::{Key, Stream};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const GENERATIONS: u32 = 6;

/// The fingerprints of the run when nothing goes wrong.
async fn undisturbed(seed: u64) -> Vec<Vec<u8>> {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    running.core.launch("quiet", spec(seed, GENERATIONS)).await.unwrap();
    Worker::register(&running.core, 1).await.work(&running.core).await;
    running.stop().await;
    fingerprints(&database, "quiet").await
}

/// A worker that does everything wrong but the games, until no run is going on.
async fn troublemaker(core: &Core, chance: &mut Stream) {
    let mut late: Vec<(Worker, Granted, bytes::Bytes)> = Vec::new();
    'lives: loop {
        let mut worker = Worker::register(core, 1 + chance.below(4) as u16).await;
        loop {
            let ranges = match worker.lease(core, Duration::from_millis(300)).await {
                LeaseAnswer::Granted(ranges) => ranges,
                LeaseAnswer::Idle(IdleReason::NoRun) => break 'lives,
                LeaseAnswer::Idle(_) => continue,
                LeaseAnswer::NoSession => panic!("the session is gone"),
            };
            for range in &ranges {
                let Some(packed) = worker.play(core, range).await else { continue };
                match chance.below(10) {
                    // The answer is lost: it asks again, and then once more.
                    0 => {
                        for _ in 0..3 {
                            let answer = worker.report(core, range, packed.clone()).await;
                            assert!(
                                matches!(
                                    answer,
                                    ReportAnswer::Recorded | ReportAnswer::AlreadyRecorded | ReportAnswer::Void
                                ),
                                "{answer:?}"
                            );
                        }
                    }
                    // The report is lost, or comes after the lease ran out.
                    1 => {}
                    2 => {
                        let mut ghost = Worker::register(core, 1).await;
                        ghost.session = worker.session;
                        late.push((ghost, range.clone(), packed));
                    }
                    _ => {
                        worker.report(core, range, packed).await;
                    }
                }
            }
            if chance.chance(0.1) && !late.is_empty() {
                let (ghost, range, packed) = late.remove(0);
                ghost.report(core, &range, packed).await;
            }
            if chance.chance(0.05) {
                // Killed with leases in its hands; another one starts.
                let _ = worker.lease(core, Duration::ZERO).await;
                continue 'lives;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_lost_and_repeated_reports_and_killed_workers_change_nothing() {
    let expected = undisturbed(11).await;
    let database = TestDatabase::create().await;
    // Two coordinators over one database, workers on both.
    let running = [RunningCore::short(database.store().await), RunningCore::short(database.store().await)];
    running[0].core.launch("loud", spec(11, GENERATIONS)).await.unwrap();
    let workers = (0..4).map(|place| {
        let core = &running[place % 2].core;
        async move { troublemaker(core, &mut Key::new(5, 1, "trouble").stream(place as u64)).await }
    });
    futures::future::join_all(workers).await;
    assert_eq!(fingerprints(&database, "loud").await, expected);
    balanced(&database, "loud").await;
    assert_eq!(number(&database, "SELECT count(*) FROM contradictions").await, 0);
    let found = verify::run(&running[1].core.store, "loud", 0.0).await.unwrap();
    assert!(found.agrees(), "{:?}", found.differences);
    for running in running {
        running.stop().await;
    }
}

/// Everything at once, coordinator and workers, until the run is over or the moment has come; then
/// the runtime is torn down wherever each task stands, as a kill would. Says whether it was over.
fn everything_until_killed(options: sqlx::postgres::PgConnectOptions, moment: Duration) -> bool {
    let killed = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let over = runtime.block_on(async {
            let store = Store::open(options, 8).await.unwrap();
            let core = Core::start(store, SHORT, CancellationToken::new());
            core.launch("killed", spec(12, GENERATIONS)).await.unwrap();
            let work = (0..3).map(|_| async {
                let mut worker = Worker::register(&core, 1).await;
                worker.pace = Duration::from_millis(5);
                worker.work(&core).await;
            });
            tokio::time::timeout(moment, futures::future::join_all(work)).await.is_ok()
        });
        runtime.shutdown_background();
        over
    });
    killed.join().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_killed_at_random_moments_and_started_again_changes_nothing() {
    let expected = undisturbed(12).await;
    let database = TestDatabase::create().await;
    let mut chance = Key::new(6, 1, "kills").stream(0);
    let mut kills = 0;
    loop {
        // After twenty kills it may end in peace.
        let moment = if kills < 20 { Duration::from_millis(20 + chance.below(200)) } else { Duration::from_secs(600) };
        let options = database.options();
        if tokio::task::spawn_blocking(move || everything_until_killed(options, moment)).await.unwrap() {
            break;
        }
        kills += 1;
        let open = "SELECT count(*) FROM batches b
                    JOIN generations g ON g.run_id = b.run_id AND g.number = b.generation
                    WHERE g.fingerprint IS NOT NULL AND b.state <> 'done'";
        assert_eq!(number(&database, open).await, 0, "turned over with games open");
    }
    // 32 ranges a generation of at least 5 ms on three workers: it cannot have been over sooner.
    assert!(kills >= 1, "nothing was killed");
    assert_eq!(fingerprints(&database, "killed").await, expected);
    balanced(&database, "killed").await;
    let found = verify::run(&database.store().await, "killed", 0.0).await.unwrap();
    assert!(found.agrees(), "{:?}", found.differences);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_goes_away_and_comes_back_costs_nothing() {
    let expected = undisturbed(14).await;
    let folder = tempfile::Builder::new().prefix("kb-out-").tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = PrivateConfig { data_dir: folder.path().join("data") };
    let mut server = PrivatePostgres::start(&config).await.unwrap();
    let store = Store::connect(&server.url(), 8).await.unwrap();
    let running = RunningCore::start(store.clone());
    let Launched::Created(run) = running.core.launch("outage", spec(14, GENERATIONS)).await.unwrap() else {
        panic!("not created")
    };
    let work = (0..2).map(|_| async {
        let mut worker = Worker::register(&running.core, 1).await;
        worker.pace = Duration::from_millis(10);
        worker.work(&running.core).await;
    });
    let mut work = Box::pin(futures::future::join_all(work));
    for _ in 0..2 {
        let over = tokio::time::timeout(Duration::from_millis(300), &mut work).await.is_ok();
        assert!(!over, "32 ranges a generation of at least 10 ms cannot be over by now");
        server.stop().await.unwrap();
        let _ = tokio::time::timeout(Duration::from_millis(200), &mut work).await;
        server = PrivatePostgres::start(&config).await.unwrap();
    }
    (&mut work).await;
    drop(work);
    let mut found = Vec::new();
    for number in 1..=GENERATIONS {
        let generation = store.generation(run, number).await.unwrap().unwrap();
        found.push(generation.fingerprint.unwrap().to_vec());
    }
    assert_eq!(found, expected);
    running.stop().await;
    store.close().await;
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_generation_whose_last_hint_was_lost_is_turned_over_by_whoever_sweeps() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    running.core.launch("run", spec(13, 2)).await.unwrap();
    let mut worker = Worker::register(&running.core, 1).await;
    let range = worker.granted(&running.core).await.remove(0);
    running.stop().await;
    // All results come in while no coordinator is there to see the generation complete.
    let store = database.store().await;
    let mut connection = database.connection().await;
    sqlx::raw_sql("UPDATE batches SET state = 'done', results = decode(repeat('0000', count), 'hex'), core_us = 0")
        .execute(&mut connection)
        .await
        .unwrap();
    assert_eq!(store.complete_generations().await.unwrap().len(), 1);
    let running = RunningCore::start(store);
    let mut heir = Worker::register(&running.core, 1).await;
    assert_eq!(heir.granted(&running.core).await[0].generation, range.generation + 1);
    running.stop().await;
}
