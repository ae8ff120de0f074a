//! A coordinator that answers HTTP, and workers that play for it.

use crate::support::TestDatabase;
use kembara_coordinator::core::{Core, Timings};
use kembara_coordinator::http::{self, Face};
use kembara_coordinator::replay::{Pool, Prepared};
use kembara_coordinator::server::{self, Limits};
use kembara_coordinator::store::{LeaseAnswer, LeaseCall, NewWorker, ReportCall, Store};
use kembara_tournament::packed;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body of a problem, after checking that it is a proper one of this status.
    #[track_caller]
    pub fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
        let body = self.json();
        assert_eq!(body["status"], status);
        for field in ["type", "title", "detail"] {
            assert!(body[field].as_str().is_some_and(|text| !text.is_empty()), "{field} is missing: {body}");
        }
        body
    }
}

pub struct Http {
    pub core: Arc<Core>,
    pub store: Store,
    pub database: TestDatabase,
    url: String,
    client: Client,
    shutdown: CancellationToken,
}

impl Http {
    pub async fn start() -> Self {
        Self::with_pool(Pool::new(1, 8, Duration::from_secs(60))).await
    }

    pub async fn with_pool(pool: Pool) -> Self {
        let database = TestDatabase::create().await;
        let store = database.store().await;
        let shutdown = CancellationToken::new();
        let timings = Timings { sweep: Duration::from_millis(100), ..Timings::default() };
        let core = Arc::new(Core::start(store.clone(), timings, shutdown.clone()));
        let bound = server::bind("127.0.0.1:0".parse().unwrap(), false).unwrap();
        let url = format!("http://{}", bound.address());
        let router = http::router(Face::with_pool(Arc::clone(&core), pool));
        tokio::spawn(server::serve(bound, router, Limits::default(), shutdown.clone()));
        let client = Client::builder().no_proxy().build().unwrap();
        Self { core, store, database, url, client, shutdown }
    }

    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, format!("{}{path}", self.url)).body(body.into());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{path}");
        Answer { status: status.as_u16(), headers, body: response.text().await.unwrap() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "").await
    }

    /// A resource that has to be there.
    pub async fn read(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    }

    pub async fn post(&self, path: &str) -> Answer {
        self.send("POST", path, &[], "").await
    }

    pub async fn launch(&self, toml: &str) -> Answer {
        self.send("POST", "/api/v1/runs", &[(CONTENT_TYPE.as_str(), "application/toml")], toml).await
    }

    /// Launches a run that has to be new.
    pub async fn create(&self, toml: &str) -> Value {
        let answer = self.launch(toml).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()
    }

    /// Registers a worker that knows Othello.
    pub async fn worker(&self) -> Worker<'_> {
        let worker = NewWorker {
            instance: Uuid::new_v4(),
            name: "=test".to_owned(),
            threads: 2,
            version: "1".to_owned(),
            engine_semantics: kembara_engine::SEMANTICS_VERSION,
            games: vec!["othello".to_owned()],
        };
        let session = self.core.dispatch.register(&worker).await.unwrap();
        Worker { http: self, session, request: 0, prepared: HashMap::new() }
    }

    /// Plays everything there is to play.
    pub async fn play_all(&self) {
        let mut worker = self.worker().await;
        while worker.play_some().await > 0 {}
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

pub struct Worker<'a> {
    http: &'a Http,
    session: kembara_coordinator::store::Session,
    request: u64,
    prepared: HashMap<[u8; 32], Prepared>,
}

impl Worker<'_> {
    /// Takes what one lease gives.
    pub async fn lease(&mut self) -> Vec<kembara_coordinator::store::Granted> {
        loop {
            self.request += 1;
            let call = LeaseCall { session: self.session, request: self.request, wanted: Duration::from_millis(200) };
            match self.http.core.dispatch.lease(call, Duration::from_millis(200)).await.unwrap() {
                LeaseAnswer::Granted(ranges) => return ranges,
                LeaseAnswer::Idle(kembara_coordinator::store::IdleReason::AllLeased) => {}
                LeaseAnswer::Idle(_) => return Vec::new(),
                LeaseAnswer::NoSession => panic!("the session is gone"),
            }
        }
    }

    /// Plays what one lease gives; how many games that was.
    pub async fn play_some(&mut self) -> u32 {
        let mut games = 0;
        for range in self.lease().await {
            let prepared = match self.prepared.entry(range.definition) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let run = self.http.store.run_named(&range.run).await.unwrap().unwrap();
                    let stored = self.http.store.generation(run.id, range.generation).await.unwrap().unwrap();
                    place.insert(Prepared::new(run.spec, &stored.population).unwrap())
                }
            };
            let results: Vec<_> =
                (range.first..range.first + u64::from(range.count)).map(|k| prepared.play(k).result).collect();
            let packed = packed::pack(&results).into();
            let call = ReportCall { session: self.session, token: range.token, packed, core_us: 1000 };
            self.http.core.dispatch.report(vec![call]).await.unwrap();
            games += range.count;
        }
        games
    }
}

/// A run of ten individuals, 90 games a generation, with these lines before its tables.
pub fn small(top: &str, generations: u32) -> String {
    format!("{top}\ngenome = \"oe_fmc\"\n[population]\nsize = 10\n[stop]\ngenerations = {generations}\n")
}
