//! Leasing, renewing, giving back, running out.

use crate::books::number;
use crate::simulated::{RunningCore, SHORT, Worker, new_worker, spec};
use crate::support::TestDatabase;
use kembara_coordinator::store::{
    IdleReason, LeaseAnswer, LeaseCall, LeaseToken, ReleaseCall, RenewAnswer, RenewCall, Session,
};
use std::time::Duration;
use uuid::Uuid;

const NO_WAIT: Duration = Duration::ZERO;

async fn launched() -> (TestDatabase, RunningCore) {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    running.core.launch("run", spec(1, 3)).await.unwrap();
    (database, running)
}

fn tokens(answer: &LeaseAnswer) -> Vec<LeaseToken> {
    match answer {
        LeaseAnswer::Granted(ranges) => ranges.iter().map(|range| range.token).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn a_repeated_request_returns_the_same_leases() {
    let (_database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let first = worker.granted(core).await;
    assert_eq!(worker.ask(core, NO_WAIT).await, LeaseAnswer::Granted(first.clone()));
    assert_eq!(worker.ask(core, NO_WAIT).await, LeaseAnswer::Granted(first.clone()));
    let second = worker.granted(core).await;
    assert!(first.iter().all(|range| second.iter().all(|other| other.first != range.first)));
    // Two copies of one request at the same time are one request.
    worker.request += 1;
    let (one, other) = tokio::join!(worker.ask(core, NO_WAIT), worker.ask(core, NO_WAIT));
    assert_eq!(one, other);
    // What it granted is gone: the same request gets something new instead of waiting for ever.
    let everything = ReleaseCall { session: worker.session, tokens: tokens(&one), close: false };
    core.dispatch.release(&everything).await.unwrap();
    let again = worker.ask(core, NO_WAIT).await;
    assert!(!tokens(&again).is_empty() && tokens(&again).iter().all(|token| !tokens(&one).contains(token)));
    // A straggler of long ago gets nothing.
    worker.request -= 1;
    core.dispatch
        .release(&ReleaseCall { session: worker.session, tokens: tokens(&LeaseAnswer::Granted(second)), close: false })
        .await
        .unwrap();
    assert!(matches!(worker.ask(core, NO_WAIT).await, LeaseAnswer::Idle(_)));
    running.stop().await;
}

#[tokio::test]
async fn leases_cover_the_generation_once_and_then_there_is_nothing() {
    let (_database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 3).await;
    let mut seen = vec![0; 132];
    let reason = loop {
        match worker.lease(core, NO_WAIT).await {
            LeaseAnswer::Granted(ranges) => {
                for range in ranges {
                    (range.first..range.first + u64::from(range.count)).for_each(|k| seen[k as usize] += 1);
                }
            }
            LeaseAnswer::Idle(reason) => break reason,
            LeaseAnswer::NoSession => panic!("the session is gone"),
        }
    };
    assert_eq!(reason, IdleReason::AllLeased);
    assert_eq!(seen, vec![1; 132]);
    running.stop().await;
}

#[tokio::test]
async fn an_instance_keeps_its_session_and_an_unknown_session_is_told_so() {
    let (_database, running) = launched().await;
    let core = &running.core;
    let worker = new_worker(2);
    let session = core.dispatch.register(&worker).await.unwrap();
    assert_eq!(core.dispatch.register(&worker).await.unwrap(), session);
    assert_ne!(core.dispatch.register(&new_worker(2)).await.unwrap(), session);
    let nobody = Session(Uuid::new_v4());
    let call = LeaseCall { session: nobody, request: 1, wanted: Duration::from_secs(1) };
    assert_eq!(core.dispatch.lease(call, NO_WAIT).await.unwrap(), LeaseAnswer::NoSession);
    let renewal = RenewCall { session: nobody, leases: Vec::new(), games: 0 };
    assert_eq!(core.dispatch.renew(renewal).await.unwrap(), RenewAnswer::NoSession);
    core.dispatch.release(&ReleaseCall { session, tokens: Vec::new(), close: true }).await.unwrap();
    let call = LeaseCall { session, request: 1, wanted: Duration::from_secs(1) };
    assert_eq!(core.dispatch.lease(call, NO_WAIT).await.unwrap(), LeaseAnswer::NoSession);
    running.stop().await;
}

#[tokio::test]
async fn each_reason_for_idleness_is_told() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    assert_eq!(worker.lease(core, NO_WAIT).await, LeaseAnswer::Idle(IdleReason::NoRun));
    core.launch("run", spec(1, 3)).await.unwrap();
    core.pause("run").await.unwrap();
    assert_eq!(worker.lease(core, NO_WAIT).await, LeaseAnswer::Idle(IdleReason::Paused));
    core.resume("run").await.unwrap();
    let mut other = new_worker(1);
    other.games = vec!["go".to_owned()];
    let session = core.dispatch.register(&other).await.unwrap();
    let call = LeaseCall { session, request: 1, wanted: Duration::from_secs(1) };
    let LeaseAnswer::Idle(IdleReason::Version(detail)) = core.dispatch.lease(call, NO_WAIT).await.unwrap() else {
        panic!("a worker of another game was given work")
    };
    assert!(detail.contains("othello") && detail.contains("go"), "{detail}");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_waits_is_woken_by_a_launch() {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let (answer, _) = tokio::join!(worker.lease(core, Duration::from_secs(20)), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        core.launch("run", spec(1, 3)).await.unwrap();
    });
    assert!(matches!(answer, LeaseAnswer::Granted(_)), "{answer:?}");
    running.stop().await;
}

#[tokio::test]
async fn leases_given_back_are_there_for_others_at_once() {
    let (database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let ranges = worker.granted(core).await;
    let tokens = ranges.iter().map(|range| range.token).collect();
    // Another session cannot give them back.
    let stranger = Worker::register(core, 1).await;
    core.dispatch.release(&ReleaseCall { session: stranger.session, tokens, close: false }).await.unwrap();
    assert!(number(&database, "SELECT count(*) FROM batches WHERE state = 'leased'").await > 0);
    let tokens = ranges.iter().map(|range| range.token).collect();
    core.dispatch.release(&ReleaseCall { session: worker.session, tokens, close: false }).await.unwrap();
    assert_eq!(number(&database, "SELECT count(*) FROM batches WHERE state = 'leased'").await, 0);
    running.stop().await;
}

#[tokio::test]
async fn a_lease_that_is_renewed_lives_and_one_that_is_not_goes_back() {
    let database = TestDatabase::create().await;
    let running = RunningCore::short(database.store().await);
    running.core.launch("run", spec(1, 3)).await.unwrap();
    let core = &running.core;
    let mut alive = Worker::register(core, 1).await;
    let mut silent = Worker::register(core, 1).await;
    let kept = alive.granted(core).await;
    let lost = silent.granted(core).await;
    let held = |ranges: &[kembara_coordinator::store::Granted]| -> Vec<_> {
        ranges.iter().map(|range| (range.token, 1)).collect()
    };
    for _ in 0..8 {
        tokio::time::sleep(SHORT.lease / 4).await;
        let call = RenewCall { session: alive.session, leases: held(&kept), games: 5 };
        assert_eq!(core.dispatch.renew(call).await.unwrap(), RenewAnswer::Heard(Vec::new()));
    }
    let states = "SELECT count(*) FROM leases WHERE state = 'live'";
    assert_eq!(number(&database, states).await, kept.len() as i64);
    assert_eq!(number(&database, "SELECT count(*) FROM leases WHERE state = 'expired'").await, lost.len() as i64);
    assert_eq!(number(&database, "SELECT count(*) FROM batches WHERE state = 'leased'").await, kept.len() as i64);
    assert_eq!(number(&database, "SELECT max(games_played) FROM workers").await, 5);
    // The expired ones may still be reported, so they are worth playing on; unknown ones are not.
    let stranger = LeaseToken::random();
    let mut leases = held(&lost);
    leases.push((stranger, 0));
    let call = RenewCall { session: silent.session, leases, games: 0 };
    assert_eq!(core.dispatch.renew(call).await.unwrap(), RenewAnswer::Heard(vec![stranger]));
    running.stop().await;
}

#[tokio::test]
async fn idle_workers_get_a_second_lease_on_what_others_hold_and_nobody_a_third() {
    let (database, running) = launched().await;
    let core = &running.core;
    let mut holder = Worker::register(core, 64).await;
    while let LeaseAnswer::Granted(_) = holder.lease(core, NO_WAIT).await {}
    // Longer than anybody's lease may be worth.
    tokio::time::sleep(Duration::from_secs(2)).await;
    // The holder itself never gets its own again.
    assert_eq!(holder.lease(core, NO_WAIT).await, LeaseAnswer::Idle(IdleReason::AllLeased));
    let batches = number(&database, "SELECT count(*) FROM batches").await;
    let mut helper = Worker::register(core, 1).await;
    let mut seconds = 0;
    while let LeaseAnswer::Granted(ranges) = helper.lease(core, NO_WAIT).await {
        seconds += ranges.len() as i64;
        assert!(seconds <= batches, "a range was given to the helper twice");
    }
    assert_eq!(seconds, batches);
    let mut third = Worker::register(core, 1).await;
    assert_eq!(third.lease(core, NO_WAIT).await, LeaseAnswer::Idle(IdleReason::AllLeased));
    assert_eq!(number(&database, "SELECT max(n) FROM (SELECT count(*) AS n FROM leases GROUP BY batch_id) c").await, 2);
    running.stop().await;
}
