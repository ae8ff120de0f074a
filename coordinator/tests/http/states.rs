//! Pausing, resuming, stopping; and what is said when something is away or busy.

use crate::server::{Http, small};
use kembara_coordinator::replay::Pool;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_can_be_paused_and_resumed_as_often_as_one_likes() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 1", 2)).await;
    for (action, state) in
        [("pause", "paused"), ("pause", "paused"), ("resume", "running"), ("resume", "running"), ("pause", "paused")]
    {
        let answer = http.post(&format!("/api/v1/runs/one/{action}")).await;
        assert_eq!((answer.status, &answer.json()["state"]), (200, &json!(state)), "{action}");
    }
    assert_eq!(http.read("/api/v1/runs/one").await["waiting_for_workers"], false, "a paused run waits for a person");
    http.play_all().await;
    assert_eq!(http.read("/api/v1/runs/one").await["done"], 0, "nothing of a paused run is handed out");
    let launched = http.launch(&small("name = \"one\"\nseed = 1", 2)).await.json();
    assert_eq!((&launched["outcome"], &launched["state"]), (&json!("resumed"), &json!("running")));
    http.play_all().await;
    let finished = http.read("/api/v1/runs/one").await;
    assert_eq!((&finished["state"], &finished["stop_reason"]), (&json!("finished"), &json!("generations")));
    for action in ["pause", "resume", "stop"] {
        let problem = http.post(&format!("/api/v1/runs/one/{action}")).await.problem(409);
        assert!(problem["detail"].as_str().unwrap().contains("is finished, which is final"), "{problem}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_run_stays_stopped() {
    let http = Http::start().await;
    let toml = small("name = \"one\"\nseed = 1", 50);
    http.create(&toml).await;
    let mut worker = http.worker().await;
    assert!(worker.play_some().await > 0);
    let stopped = http.post("/api/v1/runs/one/stop").await;
    assert_eq!((stopped.status, &stopped.json()["state"]), (200, &json!("stopped")));
    assert_eq!(http.post("/api/v1/runs/one/stop").await.status, 200, "stopping twice is harmless");
    assert!(http.post("/api/v1/runs/one/resume").await.problem(409)["detail"].as_str().unwrap().contains("stopped"));
    let launched = http.launch(&toml).await;
    assert_eq!((launched.status, &launched.json()["outcome"]), (200, &json!("stopped")));
    assert!(launched.json()["ended_at"].is_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_books_balance_at_every_look() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 1", 1)).await;
    let mut worker = http.worker().await;
    let held: u32 = worker.lease().await.iter().map(|range| range.count).sum();
    for path in ["/api/v1/runs/one", "/api/v1/runs/one/generations/1"] {
        let shown = http.read(path).await;
        let [scheduled, done, leased, waiting] =
            ["scheduled", "done", "leased", "waiting"].map(|field| shown[field].as_u64().unwrap());
        assert_eq!((scheduled, done + leased + waiting), (90, 90), "{shown}");
        assert_eq!(leased, u64::from(held), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_is_a_reason_to_come_back_later() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 1", 1)).await;
    http.store.close().await;
    for path in ["/api/v1/runs", "/api/v1/runs/one", "/api/v1/workers", "/api/v1/runs/one/leaderboard"] {
        let answer = http.get(path).await;
        assert!(answer.problem(503)["detail"].as_str().unwrap().contains("database"));
        assert!(answer.header("retry-after").parse::<u32>().unwrap() > 0);
    }
    assert_eq!(http.launch(&small("seed = 1", 1)).await.status, 503);
    assert_eq!(http.post("/api/v1/runs/one/pause").await.status, 503);
    assert_eq!(http.get("/api/v1").await.status, 200, "what needs no database is still answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_pool_is_a_reason_to_come_back_later() {
    let http = Http::with_pool(Pool::new(0, 0, Duration::from_secs(1))).await;
    http.create(&small("name = \"one\"\nseed = 1", 1)).await;
    http.play_all().await;
    for path in ["/api/v1/runs/one/generations/1/games/0", "/api/v1/runs/one/report"] {
        let answer = http.get(path).await;
        assert!(answer.problem(503)["type"].as_str().unwrap().ends_with(":busy"));
        assert!(answer.header("retry-after").parse::<u32>().unwrap() > 0);
    }
    let slow = Http::with_pool(Pool::new(0, 1, Duration::from_millis(50))).await;
    slow.create(&small("name = \"one\"\nseed = 1", 1)).await;
    let answer = slow.get("/api/v1/runs/one/generations/1/games/0").await;
    assert!(answer.problem(503)["detail"].as_str().unwrap().contains("longer"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_web_page_of_another_origin_changes_nothing() {
    let http = Http::start().await;
    http.create(&small("name = \"one\"\nseed = 1", 2)).await;
    for origin in ["http://elsewhere.example", "null", "http://127.0.0.1:1", ""] {
        let headers = [("host", "127.0.0.1:7878"), ("origin", origin)];
        let answer = http.send("POST", "/api/v1/runs/one/stop", &headers, "").await;
        answer.problem(403);
        assert_eq!(http.send("GET", "/api/v1/runs/one", &headers, "").await.json()["state"], "running");
    }
    let own = [("host", "127.0.0.1:7878"), ("origin", "http://127.0.0.1:7878")];
    assert_eq!(http.send("POST", "/api/v1/runs/one/stop", &own, "").await.json()["state"], "stopped");
}
