//! Launching and changing runs.

use crate::books::number;
use crate::simulated::{RunningCore, Worker, spec};
use crate::support::TestDatabase;
use kembara_coordinator::core::LaunchError;
use kembara_coordinator::store::{Changed, Launched, RunState};

#[tokio::test]
async fn launching_again_is_harmless_and_another_spec_is_refused_with_its_differences() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    let Launched::Created(run) = core.launch("run", spec(1, 1)).await.unwrap() else { panic!("not created") };
    assert_eq!(core.launch("run", spec(1, 1)).await.unwrap(), Launched::Resumed(run));
    core.pause("run").await.unwrap();
    assert_eq!(core.launch("run", spec(1, 1)).await.unwrap(), Launched::Resumed(run));
    assert_eq!(core.store.run(run).await.unwrap().unwrap().state, RunState::Running);
    let Launched::Conflict(differences) = core.launch("run", spec(2, 9)).await.unwrap() else { panic!("taken") };
    let fields: Vec<_> = differences.iter().map(|difference| difference.field.as_str()).collect();
    assert_eq!(fields, ["seed", "stop.generations"]);
    assert_eq!((differences[0].ours.as_str(), differences[0].theirs.as_str()), ("1", "2"));
    Worker::register(core, 1).await.work(core).await;
    assert_eq!(core.launch("run", spec(1, 1)).await.unwrap(), Launched::Finished(run));
    core.launch("other", spec(1, 1)).await.unwrap();
    core.stop("other").await.unwrap();
    assert!(matches!(core.launch("other", spec(1, 1)).await.unwrap(), Launched::Stopped(_)));
    assert_eq!(number(&database, "SELECT count(*) FROM runs").await, 2);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_launches_of_one_name_at_once_make_one_run() {
    let database = TestDatabase::create().await;
    let running = [RunningCore::start(database.store().await), RunningCore::start(database.store().await)];
    let launches = (0..10).map(|place| running[place % 2].core.launch("run", spec(1, 2)));
    let launched = futures::future::join_all(launches).await;
    let created = launched.iter().filter(|launched| matches!(launched, Ok(Launched::Created(_)))).count();
    let resumed = launched.iter().filter(|launched| matches!(launched, Ok(Launched::Resumed(_)))).count();
    assert_eq!((created, resumed), (1, 9));
    assert_eq!(number(&database, "SELECT count(*) FROM individuals").await, 12);
    for running in running {
        running.stop().await;
    }
}

#[tokio::test]
async fn nothing_is_written_of_a_bad_launch() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    for name in [String::new(), "x".repeat(65)] {
        assert!(matches!(core.launch(&name, spec(1, 1)).await, Err(LaunchError::Name(_))));
    }
    let mut alone = spec(1, 1);
    alone.population = 1;
    assert!(matches!(core.launch("run", alone).await, Err(LaunchError::Spec(_))));
    let mut elsewhere = spec(1, 1);
    elsewhere.game = "go".to_owned();
    assert!(matches!(core.launch("run", elsewhere).await, Err(LaunchError::Spec(_))));
    assert_eq!(number(&database, "SELECT count(*) FROM runs").await, 0);
    assert_eq!(core.pause("run").await.unwrap(), Changed::NoRun);
    running.stop().await;
}
