//! How a worker ends: drained, at once, or refused for good.

use crate::support::server::{Call, Fault, Server};
use crate::support::{Running, assert_complete, config, definition, generation, named, pairings, until};
use kembara_worker::WorkerError;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tonic::Status;

#[tokio::test]
async fn a_drained_worker_finishes_what_it_began_and_gives_the_rest_back() {
    let server = Server::start().await;
    let slow = definition(1, vec![named("slow"); 5]);
    {
        let mut state = server.state();
        state.publish("run", &slow, 20, 4);
        state.ranges_a_lease = 5;
        state.requeue = false;
    }
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "a range is recorded", |state| !state.recorded.is_empty()).await;
    let summary = worker.drain().await;
    let state = server.state();
    let given_back: u32 = state.released.iter().map(|(_, range)| range.as_ref().unwrap().count).sum();
    assert_eq!(state.recorded.len() as u32 * 4 + given_back, 20, "every leased game was recorded or given back");
    assert!(given_back >= 4, "ranges nobody had begun were played");
    assert_eq!((state.closed.len(), summary.undelivered), (1, 0));
}

#[tokio::test]
async fn when_the_grace_time_is_over_the_unfinished_range_goes_back() {
    let server = Server::start().await;
    let slow = definition(1, vec![named("slow"); 20]);
    server.state().publish("run", &slow, 380, 380);
    server.state().requeue = false;
    let mut config = config(&server.url(), 1);
    config.grace = Duration::from_millis(100);
    let worker = Running::start(config);
    until(&server, "the range is leased", |state| state.leased.len() == 1).await;
    let summary = worker.drain().await;
    let state = server.state();
    assert!(summary.games < 380, "{summary:?}");
    assert_eq!((state.recorded.len(), state.released.len(), state.closed.len()), (0, 1, 1));
}

#[tokio::test]
async fn an_aborted_worker_gives_back_at_once_though_its_game_takes_minutes() {
    let server = Server::start().await;
    let glacial = definition(1, vec![named("glacial"), named("glacial")]);
    server.state().publish("run", &glacial, 2, 1);
    server.state().requeue = false;
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "the ranges are leased", |state| state.leased.len() == 2).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    worker.shutdown.drain();
    worker.shutdown.abort();
    let summary = worker.task.await.unwrap().unwrap();
    assert_eq!(summary.games, 0);
    let state = server.state();
    assert_eq!((state.released.len(), state.closed.len()), (2, 1));
}

#[tokio::test]
async fn a_worker_ends_though_its_coordinator_is_gone() {
    let server = Server::start().await;
    let definitions = [generation(1, 40)];
    server.state().publish("run", &definitions[0], pairings(&definitions[0]), 100);
    server.state().script(Call::Report, vec![Fault::Fails(Status::unavailable("going down")); 1000]);
    let worker = Running::start(config(&server.url(), 2));
    until(&server, "a report failed", |state| state.count(Call::Report) >= 1).await;
    let _ = server.kill();
    worker.shutdown.abort();
    let summary = worker.task.await.unwrap().unwrap();
    assert!(summary.undelivered >= 100, "{summary:?}");
}

#[tokio::test]
async fn finished_games_are_delivered_before_a_drained_worker_ends() {
    let server = Server::start().await;
    let definitions = [generation(1, 40)];
    server.state().publish("run", &definitions[0], pairings(&definitions[0]), 1560);
    server.state().script(Call::Report, vec![Fault::Fails(Status::unavailable("busy")); 3]);
    let worker = Running::start(config(&server.url(), 2));
    until(&server, "a report failed", |state| state.count(Call::Report) >= 1).await;
    let summary = worker.drain().await;
    assert_eq!((summary.recorded, summary.undelivered), (1560, 0));
    assert_complete(&server.state(), &definitions);
}

#[tokio::test]
async fn refusals_that_cannot_change_end_the_worker_with_the_coordinator_s_reason() {
    for refusal in [
        Status::failed_precondition("this coordinator speaks protocol 2; use a newer worker"),
        Status::permission_denied("this coordinator speaks protocol 2; use a newer worker"),
        Status::invalid_argument("this coordinator speaks protocol 2; use a newer worker"),
    ] {
        let server = Server::start().await;
        server.state().script(Call::Register, [Fault::Fails(refusal)]);
        let error = Running::start(config(&server.url(), 1)).task.await.unwrap().unwrap_err();
        assert!(matches!(error, WorkerError::Refused { .. }), "{error:?}");
        assert!(error.to_string().contains("protocol 2; use a newer worker"), "{error}");
        assert_eq!((error.exit_code(), server.state().count(Call::Register)), (3, 1));
    }
}

#[tokio::test]
async fn a_refusal_in_the_middle_of_work_ends_the_worker_and_closes_its_session() {
    let server = Server::start().await;
    server.state().script(
        Call::Lease,
        [Fault::Slow(Duration::from_millis(1)), Fault::Fails(Status::permission_denied("quarantined"))],
    );
    let error = Running::start(config(&server.url(), 1)).task.await.unwrap().unwrap_err();
    assert!(error.to_string().contains("quarantined"), "{error}");
    assert_eq!(server.state().closed.len(), 1);
}

/// Answers every connection with these bytes.
async fn something_else(answer: &'static [u8]) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 1024]).await;
            let _ = stream.write_all(answer).await;
        }
    });
    url
}

#[tokio::test]
async fn a_web_server_at_the_address_is_no_coordinator() {
    for answer in [
        &b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>"[..],
        &b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"[..],
        &b"SSH-2.0-OpenSSH_9.9\r\n"[..],
    ] {
        let url = something_else(answer).await;
        let error = Running::start(config(&url, 1)).task.await.unwrap().unwrap_err();
        assert!(matches!(error, WorkerError::NotACoordinator { .. }), "{error:?}");
        assert!(error.to_string().contains(&url) && !error.to_string().contains('\n'), "{error}");
        assert_eq!(error.exit_code(), 4);
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_a_wrong_setting() {
    for wrong in ["", "localhost:7878", "https://localhost:7878", "ftp://localhost", "http://", "http://a b", "7878"] {
        let error = Running::start(config(wrong, 1)).task.await.unwrap().unwrap_err();
        assert!(matches!(error, WorkerError::Setting(_)), "`{wrong}`: {error:?}");
        assert_eq!(error.exit_code(), 2);
    }
}

#[tokio::test]
async fn nobody_at_the_address_is_waited_for() {
    let server = Server::start().await;
    let url = server.url();
    let (state, address) = server.kill();
    let worker = Running::start(config(&url, 1));
    tokio::time::sleep(Duration::from_millis(500)).await;
    let server = Server::serve(state, address).await;
    until(&server, "it registered", |state| state.registered.len() == 1).await;
    worker.drain().await;
}
