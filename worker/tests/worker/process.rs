//! The binary as people and systems run it: signals, exit codes, Othello.

use crate::support::server::{Call, Fault, Server};
use crate::support::{definition, until};
use kembara_proto::v1;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tonic::Status;

/// A generation of Othello players at a depth.
fn othello(players: i64, depth: u32) -> v1::GenerationDefinition {
    let players = (0..players)
        .map(|place| {
            let genes = [14, 49, 3 + place % 7, 2, 2, 3, 3, 9, 1, place % 11, 3];
            let chromosome: Vec<u8> = genes.iter().flat_map(|gene: &i64| gene.to_le_bytes()).collect();
            v1::Player { kind: "oe_fmc".to_owned(), chromosome: chromosome.into() }
        })
        .collect();
    v1::GenerationDefinition {
        game: "othello".to_owned(),
        conditions: Some(v1::Conditions {
            limit: Some(v1::conditions::Limit::Depth(depth)),
            epsilon: 0.0,
            max_plies: 0,
        }),
        ..definition(1, players)
    }
}

fn start(url: &str, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_kembara-worker"))
        .args(["--server", url, "--threads", "2", "--nice", "0"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    let id = rustix::process::Pid::from_raw(child.id().cast_signed()).unwrap();
    rustix::process::kill_process(id, signal).unwrap();
}

/// Waits for the end off the runtime, which the server needs.
async fn end(child: Child) -> (Option<i32>, String) {
    let output: Output = tokio::task::spawn_blocking(|| child.wait_with_output().unwrap()).await.unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_first_interrupt_drains_and_the_program_ends_well() {
    let server = Server::start().await;
    let games = othello(30, 1);
    server.state().publish("run", &games, 870, 30);
    server.state().requeue = false;
    let child = start(&server.url(), &[]);
    until(&server, "ranges are recorded", |state| state.recorded.len() >= 2).await;
    signal(&child, rustix::process::Signal::INT);
    let (code, log) = end(child).await;
    assert_eq!(code, Some(0), "{log}");
    let state = server.state();
    let done: u32 = state.recorded.iter().map(|(range, _)| range.count).sum();
    assert!(log.contains(&format!("{done} recorded")), "{log}");
    let open = state.leased.values().filter(|range| !state.recorded.iter().any(|(done, _)| done == *range)).count();
    assert_eq!((open, state.closed.len()), (0, 1), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_second_interrupt_gives_everything_back_at_once() {
    let server = Server::start().await;
    // Hours of games.
    let games = othello(30, 14);
    server.state().publish("run", &games, 870, 30);
    server.state().requeue = false;
    let child = start(&server.url(), &["--grace", "86400"]);
    until(&server, "ranges are leased", |state| !state.leased.is_empty()).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    signal(&child, rustix::process::Signal::TERM);
    until(&server, "ranges nobody had begun were given back", |state| !state.released.is_empty()).await;
    signal(&child, rustix::process::Signal::INT);
    let (code, log) = end(child).await;
    assert_eq!(code, Some(0), "{log}");
    let state = server.state();
    assert_eq!((state.leased.len(), state.recorded.len(), state.closed.len()), (0, 0, 1), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_killed_worker_takes_nothing_with_it_but_its_leases() {
    let server = Server::start().await;
    let games = othello(30, 1);
    server.state().publish("run", &games, 870, 30);
    let mut child = start(&server.url(), &[]);
    until(&server, "ranges are recorded", |state| state.recorded.len() >= 2).await;
    child.kill().unwrap();
    let (code, _) = end(child).await;
    assert_eq!(code, None);
    // Its leases end; another worker gets them.
    {
        let mut state = server.state();
        let recorded: Vec<_> = state.recorded.iter().map(|(range, _)| range.clone()).collect();
        let lost: Vec<_> = state.leased.drain().map(|(_, range)| range).filter(|r| !recorded.contains(r)).collect();
        state.waiting.extend(lost);
    }
    let child = start(&server.url(), &[]);
    until(&server, "everything is recorded", |state| {
        state.recorded.iter().map(|(range, _)| range.count).sum::<u32>() == 870
    })
    .await;
    signal(&child, rustix::process::Signal::TERM);
    assert_eq!(end(child).await.0, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_worker_that_was_stopped_for_a_while_carries_on() {
    let server = Server::start().await;
    let games = othello(30, 2);
    server.state().publish("run", &games, 870, 30);
    let child = start(&server.url(), &[]);
    until(&server, "ranges are recorded", |state| state.recorded.len() >= 2).await;
    signal(&child, rustix::process::Signal::STOP);
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.state().sessions.clear();
    signal(&child, rustix::process::Signal::CONT);
    until(&server, "everything is recorded", |state| {
        state.recorded.iter().map(|(range, _)| range.count).sum::<u32>() == 870
    })
    .await;
    signal(&child, rustix::process::Signal::TERM);
    assert_eq!(end(child).await.0, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_worker_ends_with_its_parent() {
    let server = Server::start().await;
    let games = othello(30, 14);
    server.state().publish("run", &games, 870, 30);
    // A shell that starts the worker, tells its id and is killed.
    let program = env!("CARGO_BIN_EXE_kembara-worker");
    let script = format!("'{program}' --server {} --threads 1 --end-with-parent=$$ 2>/dev/null & wait", server.url());
    let mut shell = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).spawn().unwrap();
    until(&server, "ranges are leased", |state| !state.leased.is_empty()).await;
    shell.kill().unwrap();
    shell.wait().unwrap();
    until(&server, "the session is closed", |state| state.closed.len() == 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn exit_codes_tell_refusals_from_wrong_addresses_and_wrong_settings() {
    let server = Server::start().await;
    server.state().script(Call::Register, [Fault::Fails(Status::failed_precondition("needs engine semantics 7"))]);
    let (code, log) = end(start(&server.url(), &[])).await;
    assert_eq!(code, Some(3), "{log}");
    assert_eq!(log.lines().last().map(|line| line.contains("needs engine semantics 7")), Some(true), "{log}");

    let (code, log) = end(start("nonsense", &[])).await;
    assert_eq!(code, Some(2), "{log}");
    let (code, log) = end(start(&server.url(), &["--name", &"x".repeat(65)])).await;
    assert_eq!(code, Some(2), "{log}");
    let (code, log) = end(start(&server.url(), &["--threads", "0"])).await;
    assert_eq!(code, Some(2), "{log}");
}
