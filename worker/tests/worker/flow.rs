//! A worker and a coordinator in memory, over a real socket: what is leased is played, reported and
//! renewed, whatever happens in between.

use crate::support::server::{Call, Fault, Server};
use crate::support::{
    Running, assert_complete, coin_player, config, definition, generation, named, pairings, toss, until,
};
use kembara_proto::v1;
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tonic::Status;

/// Publishes generations of 40 coins (1,560 games) in ranges of 100, which leave a rest.
fn publish(server: &Server, numbers: std::ops::RangeInclusive<u32>) -> Vec<v1::GenerationDefinition> {
    let definitions: Vec<_> = numbers.map(|number| generation(number, 40)).collect();
    for definition in &definitions {
        server.state().publish("run", definition, pairings(definition), 100);
    }
    definitions
}

async fn until_recorded(server: &Server, definitions: &[v1::GenerationDefinition]) {
    let games: u64 = definitions.iter().map(pairings).sum();
    until(server, "all games are recorded", |state| {
        state.recorded.iter().map(|(range, _)| u64::from(range.count)).sum::<u64>() >= games
    })
    .await;
}

#[tokio::test]
async fn every_range_is_reported_once_with_the_results_that_playing_directly_gives() {
    let server = Server::start().await;
    let definitions = publish(&server, 1..=1);
    let worker = Running::start(config(&server.url(), 3));
    until_recorded(&server, &definitions).await;
    let summary = worker.drain().await;
    let state = server.state();
    assert_complete(&state, &definitions);
    assert_eq!((summary.games, summary.recorded, summary.unneeded, summary.undelivered), (1560, 1560, 0, 0));
    assert_eq!(state.closed.len(), 1, "the session was closed");
    let hello = &state.registered[0];
    assert_eq!(
        (hello.name.as_str(), hello.threads, hello.games.as_slice()),
        ("under test", 3, &["toss".to_owned()][..])
    );
}

#[tokio::test]
async fn a_definition_is_fetched_and_prepared_once_however_many_ranges_it_has() {
    let server = Server::start().await;
    let before = toss::ARENAS.load(Ordering::Relaxed);
    let definitions = publish(&server, 1..=1);
    server.state().ranges_a_lease = 1;
    let worker = Running::start(config(&server.url(), 2));
    until_recorded(&server, &definitions).await;
    worker.drain().await;
    assert_eq!(server.state().count(Call::GetGeneration), 1);
    assert!(server.state().count(Call::Lease) >= 16);
    // Other tests of this process may have made some as well, but one at most for each of theirs.
    assert!(toss::ARENAS.load(Ordering::Relaxed) - before < 16);
}

#[tokio::test]
async fn generations_follow_each_other_without_a_game_lost_or_counted_twice() {
    let server = Server::start().await;
    let definitions = publish(&server, 1..=6);
    // The ranges of all six lie open together, as those of six runs would.
    for (place, range) in server.state().waiting.iter_mut().enumerate() {
        range.run = format!("run {}", place % 6);
    }
    let worker = Running::start(config(&server.url(), 2));
    until_recorded(&server, &definitions).await;
    worker.drain().await;
    assert_complete(&server.state(), &definitions);
}

#[tokio::test]
async fn a_lost_answer_to_a_lease_is_asked_for_again_under_the_same_number() {
    let server = Server::start().await;
    let definitions = publish(&server, 1..=1);
    server.state().script(Call::Lease, [Fault::AnswerLost, Fault::AnswerLost]);
    let worker = Running::start(config(&server.url(), 2));
    until_recorded(&server, &definitions).await;
    worker.drain().await;
    let state = server.state();
    assert_complete(&state, &definitions);
    let numbers: Vec<_> = state.requests.iter().take(4).map(|(_, number)| *number).collect();
    assert_eq!(numbers, [1, 1, 1, 2]);
}

#[tokio::test]
async fn a_lost_answer_to_a_report_is_delivered_again_and_counts_once() {
    let server = Server::start().await;
    let definitions = publish(&server, 1..=1);
    server.state().script(Call::Report, [Fault::AnswerLost, Fault::Slow(Duration::from_millis(30)), Fault::AnswerLost]);
    let worker = Running::start(config(&server.url(), 2));
    until_recorded(&server, &definitions).await;
    let summary = worker.drain().await;
    assert_complete(&server.state(), &definitions);
    assert_eq!(summary.recorded + summary.unneeded, 1560);
    assert!(summary.unneeded >= 100, "the repeated report was answered as recorded before: {summary:?}");
}

#[tokio::test]
async fn an_unavailable_coordinator_is_waited_for_in_every_call() {
    let server = Server::start().await;
    let definitions = publish(&server, 1..=1);
    for call in [Call::Register, Call::Lease, Call::GetGeneration, Call::Report, Call::Renew, Call::Release] {
        let faults = [
            Status::unavailable("starting"),
            Status::internal("lost the database"),
            Status::resource_exhausted("busy"),
        ];
        server.state().script(call, faults.map(Fault::Fails));
    }
    server.state().script(Call::GetGeneration, [Fault::AnswerLost]);
    let worker = Running::start(config(&server.url(), 2));
    until_recorded(&server, &definitions).await;
    worker.drain().await;
    assert_complete(&server.state(), &definitions);
}

#[tokio::test]
async fn a_coordinator_that_comes_back_without_its_sessions_gets_the_games_finished_meanwhile() {
    let server = Server::start().await;
    let definitions = publish(&server, 1..=3);
    server.state().ranges_a_lease = 48;
    // The results of everything leased at first are finished while nobody takes them.
    server.state().script(Call::Report, vec![Fault::Fails(Status::unavailable("going down")); 2]);
    let worker = Running::start(config(&server.url(), 2));
    until(&server, "a report failed", |state| state.count(Call::Report) >= 2).await;
    let (state, address) = server.kill();
    tokio::time::sleep(Duration::from_millis(300)).await;
    state.lock().unwrap().sessions.clear();
    let server = Server::serve(state, address).await;
    until_recorded(&server, &definitions).await;
    let summary = worker.drain().await;
    let state = server.state();
    assert_complete(&state, &definitions);
    assert_eq!(summary.games, 1560 * 3, "no game was played twice");
    assert!(state.registered.len() >= 2, "a second session was opened");
    let instances: HashSet<_> = state.registered.iter().map(|hello| &hello.instance).collect();
    assert_eq!(instances.len(), 1, "the worker remained the same");
}

#[tokio::test]
async fn restarts_again_and_again_lose_nothing() {
    let mut server = Server::start().await;
    let mut slow = definition(1, (0..12).map(coin_player).collect());
    slow.players.push(named("slow"));
    server.state().publish("run", &slow, pairings(&slow), 5);
    let worker = Running::start(config(&server.url(), 2));
    for round in 0..4 {
        tokio::time::sleep(Duration::from_millis(60 + 20 * round)).await;
        let (state, address) = server.kill();
        if round % 2 == 0 {
            state.lock().unwrap().sessions.clear();
        }
        server = Server::serve(state, address).await;
    }
    until_recorded(&server, std::slice::from_ref(&slow)).await;
    worker.drain().await;
    assert_complete(&server.state(), &[slow]);
}

#[tokio::test]
async fn a_report_in_flight_does_not_hold_up_the_next_lease() {
    let server = Server::start().await;
    let definitions = publish(&server, 1..=1);
    server.state().ranges_a_lease = 1;
    server.state().script(Call::Report, [Fault::Slow(Duration::from_secs(3))]);
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "all ranges are leased", |state| state.waiting.is_empty()).await;
    assert!(server.state().recorded.is_empty(), "leasing waited for the first report");
    until_recorded(&server, &definitions).await;
    assert!(server.state().count(Call::Report) <= 4, "what was ready went together");
    worker.drain().await;
    assert_complete(&server.state(), &definitions);
}

#[tokio::test]
async fn leases_are_renewed_with_progress_while_a_range_is_played() {
    let server = Server::start().await;
    let slow = definition(1, vec![named("slow"), named("slow"), named("slow"), named("slow")]);
    server.state().publish("run", &slow, pairings(&slow), 12);
    let worker = Running::start(config(&server.url(), 1));
    until_recorded(&server, std::slice::from_ref(&slow)).await;
    worker.drain().await;
    let state = server.state();
    let progress: Vec<_> = state.renewals.iter().flat_map(|renewal| &renewal.leases).map(|lease| lease.done).collect();
    assert!(progress.is_sorted(), "{progress:?}");
    assert!(progress.iter().any(|done| (1..12).contains(done)), "{progress:?}");
}

#[tokio::test]
async fn ranges_that_a_renewal_calls_void_are_put_aside() {
    let server = Server::start().await;
    let glacial = definition(1, vec![named("slow"), named("slow"), named("slow")]);
    {
        let mut state = server.state();
        state.publish("run", &glacial, 6, 3);
        state.ranges_a_lease = 2;
        state.requeue = false;
    }
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "both ranges are leased", |state| state.leased.len() == 2).await;
    let second = server.state().leased.iter().find(|(_, range)| range.first == 3).unwrap().0.clone();
    server.state().void = vec![second.clone()];
    until(&server, "the first range is recorded", |state| state.recorded.len() == 1).await;
    until(&server, "only void ranges are no longer renewed", |state| {
        state.renewals.last().is_some_and(|renewal| renewal.leases.is_empty())
    })
    .await;
    let summary = worker.drain().await;
    assert!(summary.games < 6, "the void range was played to its end");
    assert_eq!(server.state().recorded.len(), 1);
}

#[tokio::test]
async fn a_newer_generation_of_a_run_settles_what_is_left_of_older_ones() {
    let server = Server::start().await;
    let old = definition(1, vec![named("slow"), named("slow"), named("slow"), named("slow"), named("slow")]);
    let new = generation(2, 20);
    {
        let mut state = server.state();
        state.publish("run", &old, pairings(&old), 20);
        state.requeue = false;
    }
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "the old range is leased", |state| state.leased.len() == 1).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    {
        let mut state = server.state();
        state.publish("run", &new, pairings(&new), 100);
    }
    until(&server, "the new generation is recorded", |state| {
        state.recorded.iter().filter(|(range, _)| range.generation == 2).count() == 4
    })
    .await;
    let summary = worker.drain().await;
    assert!(summary.games < 400, "{summary:?}");
    assert_eq!(server.state().released.len(), 1, "the lease on the old range was given back");
}

#[tokio::test]
async fn results_beyond_one_message_are_delivered_in_several() {
    let server = Server::start().await;
    // 9,900 games a range at three or four bytes each: forty ranges are more than a message takes.
    let definitions: Vec<_> = (1..=40).map(|number| generation(number, 100)).collect();
    {
        let mut state = server.state();
        for (place, definition) in definitions.iter().enumerate() {
            state.publish(&format!("run {place}"), definition, 9900, 9900);
        }
        state.ranges_a_lease = 40;
        state.script(Call::Report, [Fault::Slow(Duration::from_secs(2)), Fault::Fails(Status::unavailable("busy"))]);
    }
    let worker = Running::start(config(&server.url(), 2));
    until_recorded(&server, &definitions).await;
    let summary = worker.drain().await;
    assert_eq!(summary.recorded, 40 * 9900);
    assert_complete(&server.state(), &definitions);
}

#[tokio::test]
async fn an_idle_worker_asks_again_as_often_as_it_is_told() {
    let server = Server::start().await;
    server.state().retry_after_ms = 60_000;
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "it asked once", |state| state.count(Call::Lease) >= 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(server.state().count(Call::Lease), 1);
    worker.drain().await;
}
