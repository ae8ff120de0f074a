//! Recording results: once, whatever comes.

use crate::books::{balanced, number};
use crate::simulated::{RunningCore, SHORT, Worker, spec};
use crate::support::TestDatabase;
use bytes::Bytes;
use kembara_coordinator::store::{LeaseAnswer, LeaseToken, ReleaseCall, ReportAnswer, ReportCall, RunState};
use kembara_engine::{GameResult, Outcome};
use kembara_tournament::packed;
use std::time::Duration;

async fn launched() -> (TestDatabase, RunningCore) {
    let database = TestDatabase::create().await;
    let running = RunningCore::start(database.store().await);
    running.core.launch("run", spec(1, 2)).await.unwrap();
    (database, running)
}

/// Well-formed results that nobody computes.
fn forged(count: u32) -> Bytes {
    let game = GameResult { outcome: Outcome::FirstWins, margin: 64, plies: 9 };
    packed::pack(&vec![game; count as usize]).into()
}

#[tokio::test]
async fn the_same_report_is_recorded_again_and_another_one_contradicts() {
    let (database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let range = worker.granted(core).await.remove(0);
    let packed = worker.play(core, &range).await.unwrap();
    for _ in 0..3 {
        assert_eq!(worker.report(core, &range, packed.clone()).await, ReportAnswer::Recorded);
    }
    for _ in 0..2 {
        assert_eq!(worker.report(core, &range, forged(range.count)).await, ReportAnswer::Contradicts);
    }
    assert_eq!(number(&database, "SELECT count(*) FROM contradictions").await, 1);
    assert_eq!(worker.report(core, &range, packed.clone()).await, ReportAnswer::Recorded);
    let stored: Vec<u8> = sqlx::query_scalar("SELECT results FROM batches WHERE state = 'done'")
        .fetch_one(&mut database.connection().await)
        .await
        .unwrap();
    assert_eq!(stored, packed);
    assert_eq!(number(&database, "SELECT sum(games_recorded)::bigint FROM workers").await, i64::from(range.count));
    running.stop().await;
}

#[tokio::test]
async fn a_report_and_its_repeats_in_one_round_are_one_report() {
    let (_database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let range = worker.granted(core).await.remove(0);
    let packed = worker.play(core, &range).await.unwrap();
    let call =
        |packed: &Bytes| ReportCall { session: worker.session, token: range.token, packed: packed.clone(), core_us: 1 };
    let calls = vec![call(&packed), call(&packed), call(&forged(range.count)), call(&packed)];
    let answers = core.dispatch.report(calls).await.unwrap();
    use ReportAnswer::{Contradicts, Recorded};
    assert_eq!(answers, [Recorded, Recorded, Contradicts, Recorded]);
    running.stop().await;
}

#[tokio::test]
async fn malformed_results_leave_the_range_open_for_good_ones() {
    let (database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let range = worker.granted(core).await.remove(0);
    let good = worker.play(core, &range).await.unwrap();
    let mut long = good.to_vec();
    long.push(0);
    for bad in [
        Bytes::new(),
        good.slice(..good.len() - 1),
        long.into(),
        Bytes::from(vec![0xff; good.len()]),
        forged(range.count + 1),
    ] {
        let answer = worker.report(core, &range, bad).await;
        assert!(matches!(answer, ReportAnswer::Malformed(_)), "{answer:?}");
    }
    assert_eq!(number(&database, "SELECT count(*) FROM batches WHERE state = 'done'").await, 0);
    assert_eq!(worker.report(core, &range, good).await, ReportAnswer::Recorded);
    running.stop().await;
}

#[tokio::test]
async fn unknown_and_released_tokens_are_void() {
    let (_database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let range = worker.granted(core).await.remove(0);
    let packed = worker.play(core, &range).await.unwrap();
    let unknown = kembara_coordinator::store::Granted { token: LeaseToken::random(), ..range.clone() };
    assert_eq!(worker.report(core, &unknown, packed.clone()).await, ReportAnswer::Void);
    let release = ReleaseCall { session: worker.session, tokens: vec![range.token], close: false };
    core.dispatch.release(&release).await.unwrap();
    assert_eq!(worker.report(core, &range, packed).await, ReportAnswer::Void);
    running.stop().await;
}

#[tokio::test]
async fn an_expired_token_may_report_while_nobody_else_has() {
    let database = TestDatabase::create().await;
    let running = RunningCore::short(database.store().await);
    running.core.launch("run", spec(1, 2)).await.unwrap();
    let core = &running.core;
    let mut slow = Worker::register(core, 64).await;
    let mut ranges = slow.granted(core).await;
    while let LeaseAnswer::Granted(more) = slow.lease(core, Duration::ZERO).await {
        ranges.extend(more);
    }
    tokio::time::sleep(SHORT.lease + 3 * SHORT.sweep).await;
    let waiting = number(&database, "SELECT count(*) FROM batches WHERE state = 'waiting'").await;
    assert_eq!(waiting, ranges.len() as i64, "all went back");

    // Nobody has it: the late report counts.
    let packed = slow.play(core, &ranges[0]).await.unwrap();
    assert_eq!(slow.report(core, &ranges[0], packed).await, ReportAnswer::Recorded);

    // Somebody else holds the next one meanwhile: still the first report counts, the other is second.
    let mut quick = Worker::register(core, 1).await;
    let again = quick.granted(core).await.remove(0);
    let old = ranges.iter().find(|range| range.first == again.first).unwrap();
    let packed = slow.play(core, old).await.unwrap();
    assert_eq!(slow.report(core, old, packed.clone()).await, ReportAnswer::Recorded);
    assert_eq!(quick.report(core, &again, packed.clone()).await, ReportAnswer::AlreadyRecorded);
    assert_eq!(quick.report(core, &again, packed).await, ReportAnswer::AlreadyRecorded);
    assert_eq!(number(&database, "SELECT count(*) FROM contradictions").await, 0);

    // A second result that differs is a fault somewhere, and is written down.
    assert_eq!(quick.report(core, &again, forged(again.count)).await, ReportAnswer::AlreadyRecorded);
    assert_eq!(number(&database, "SELECT count(*) FROM contradictions").await, 1);
    Worker::register(core, 4).await.work(core).await;
    balanced(&database, "run").await;
    running.stop().await;
}

#[tokio::test]
async fn stopping_a_run_voids_its_leases_for_good() {
    let (database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 1).await;
    let range = worker.granted(core).await.remove(0);
    let packed = worker.play(core, &range).await.unwrap();
    core.stop("run").await.unwrap();
    assert_eq!(worker.report(core, &range, packed).await, ReportAnswer::Void);
    assert_eq!(number(&database, "SELECT count(*) FROM batches WHERE state <> 'waiting'").await, 0);
    assert_eq!(number(&database, "SELECT count(*) FROM leases WHERE state <> 'void'").await, 0);
    use kembara_coordinator::store::Changed;
    assert_eq!(core.resume("run").await.unwrap(), Changed::Over(RunState::Stopped));
    assert_eq!(core.pause("run").await.unwrap(), Changed::Over(RunState::Stopped));
    assert_eq!(core.stop("run").await.unwrap(), Changed::Now(RunState::Stopped));
    running.stop().await;
}

#[tokio::test]
async fn a_paused_run_takes_reports_and_turns_over_but_hands_nothing_out() {
    let (database, running) = launched().await;
    let core = &running.core;
    let mut worker = Worker::register(core, 64).await;
    let mut ranges = Vec::new();
    while let LeaseAnswer::Granted(more) = worker.lease(core, Duration::ZERO).await {
        ranges.extend(more);
    }
    core.pause("run").await.unwrap();
    for range in &ranges {
        let packed = worker.play(core, range).await.unwrap();
        assert_eq!(worker.report(core, range, packed).await, ReportAnswer::Recorded);
    }
    let answer = worker.lease(core, Duration::from_secs(2)).await;
    assert_eq!(answer, LeaseAnswer::Idle(kembara_coordinator::store::IdleReason::Paused));
    assert_eq!(number(&database, "SELECT current_generation::bigint FROM runs").await, 2);
    core.resume("run").await.unwrap();
    worker.work(core).await;
    balanced(&database, "run").await;
    running.stop().await;
}
