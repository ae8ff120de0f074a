//! From launch to the last generation.

use crate::simulated::{RunningCore, Worker, spec};
use crate::support::TestDatabase;
use kembara_coordinator::store::{Launched, RunState};

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
    running.stop().await;
}
