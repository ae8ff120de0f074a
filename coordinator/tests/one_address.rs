//! The server over real sockets: both protocols on one port, peers that dawdle, and an orderly end.

use std::net::SocketAddr;
use std::time::Duration;

use axum::{Router, routing::get};
use kembara_coordinator::server::{Limits, bind, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

struct Running {
    address: SocketAddr,
    shutdown: CancellationToken,
    task: JoinHandle<()>,
}

fn run(router: Router, limits: Limits) -> Running {
    let bound = bind("127.0.0.1:0".parse().unwrap(), false).unwrap();
    let (address, shutdown) = (bound.address(), CancellationToken::new());
    let task = tokio::spawn(serve(bound, router, limits, shutdown.clone()));
    Running { address, shutdown, task }
}

fn hello() -> Router {
    Router::new().route("/", get(|| async { "hello" }))
}

const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: test\r\n\r\n";

async fn says_hello(stream: &mut TcpStream) {
    stream.write_all(GET).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"hello") {
        assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0, "{}", String::from_utf8_lossy(&answer));
    }
}

/// A frame of HTTP/2 as it comes over the wire.
async fn frame(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.unwrap();
    let mut body = vec![0; usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2])];
    stream.read_exact(&mut body).await.unwrap();
    (head[3], body)
}

const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

#[tokio::test]
async fn http_1_and_http_2_are_answered_on_one_port() {
    let server = run(hello(), Limits { streams: 77, ..Limits::default() });
    says_hello(&mut TcpStream::connect(server.address).await.unwrap()).await;

    let mut stream = TcpStream::connect(server.address).await.unwrap();
    // The preface in pieces, as a network may deliver it.
    for piece in PREFACE.chunks(5) {
        stream.write_all(piece).await.unwrap();
        stream.flush().await.unwrap();
        tokio::task::yield_now().await;
    }
    stream.write_all(&[0, 0, 0, SETTINGS, 0, 0, 0, 0, 0]).await.unwrap();
    let (kind, body) = frame(&mut stream).await;
    assert_eq!(kind, SETTINGS);
    let most_streams = body.chunks(6).find(|setting| setting[..2] == [0, 3]).unwrap();
    assert_eq!(most_streams[2..], [0, 0, 0, 77], "the cap on streams is announced");
    drop(stream);
    server.shutdown.cancel();
    server.task.await.unwrap();
}

#[tokio::test]
async fn peers_that_say_nothing_or_half_of_it_are_shown_the_door() {
    let server = run(hello(), Limits { headers: Duration::from_millis(200), ..Limits::default() });
    for half in [&b""[..], b"PRI * HT", b"GET / HTTP/1.1\r\nhost:"] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(half).await.unwrap();
        let mut rest = Vec::new();
        // Closing is the answer; nothing is sent but possibly an error page.
        let _ = stream.read_to_end(&mut rest).await;
        assert!(!String::from_utf8_lossy(&rest).contains("200"), "{half:?}");
    }
    server.shutdown.cancel();
    server.task.await.unwrap();
}

#[tokio::test]
async fn with_all_seats_taken_a_peer_waits_for_one() {
    let server = run(hello(), Limits { connections: 1, ..Limits::default() });
    let mut first = TcpStream::connect(server.address).await.unwrap();
    says_hello(&mut first).await;
    let mut second = TcpStream::connect(server.address).await.unwrap();
    second.write_all(GET).await.unwrap();
    let mut byte = [0; 1];
    let waited = tokio::time::timeout(Duration::from_millis(200), second.read_exact(&mut byte)).await;
    assert!(waited.is_err(), "the only seat is taken");
    drop(first);
    second.read_exact(&mut byte).await.unwrap();
    server.shutdown.cancel();
    server.task.await.unwrap();
}

fn slow(begun: std::sync::Arc<Notify>, go_on: std::sync::Arc<Notify>) -> Router {
    let answer = move || async move {
        begun.notify_one();
        go_on.notified().await;
        "hello"
    };
    Router::new().route("/", get(answer))
}

#[tokio::test]
async fn a_request_that_is_being_answered_survives_the_shutdown() {
    let (begun, go_on) = <(std::sync::Arc<Notify>, std::sync::Arc<Notify>)>::default();
    let server = run(slow(begun.clone(), go_on.clone()), Limits::default());
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    let mut idle_2 = TcpStream::connect(server.address).await.unwrap();
    idle_2.write_all(PREFACE).await.unwrap();
    idle_2.write_all(&[0, 0, 0, SETTINGS, 0, 0, 0, 0, 0]).await.unwrap();
    let asking = tokio::spawn(async move {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        says_hello(&mut stream).await;
        stream
    });
    begun.notified().await;
    server.shutdown.cancel();
    assert_eq!(idle.read(&mut [0; 1]).await.unwrap(), 0, "a silent peer is let go at once");
    while frame(&mut idle_2).await.0 != GOAWAY {}
    while TcpStream::connect(server.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    go_on.notify_one();
    let mut stream = asking.await.unwrap();
    assert_eq!(stream.read(&mut [0; 1]).await.unwrap(), 0, "and then the connection is closed");
    drop(idle_2);
    server.task.await.unwrap();
}

#[tokio::test]
async fn a_request_without_an_end_does_not_hold_up_the_shutdown() {
    let (begun, go_on) = <(std::sync::Arc<Notify>, std::sync::Arc<Notify>)>::default();
    let server = run(slow(begun.clone(), go_on), Limits { grace: Duration::from_millis(100), ..Limits::default() });
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(GET).await.unwrap();
    begun.notified().await;
    server.shutdown.cancel();
    server.task.await.unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(rest.is_empty());
}
