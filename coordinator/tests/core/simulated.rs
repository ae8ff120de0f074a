//! Specs, cores and workers for these tests.

use bytes::Bytes;
use kembara_coordinator::core::{Core, Timings};
use kembara_coordinator::dispatch::DispatchError;
use kembara_coordinator::store::{
    Granted, LeaseAnswer, LeaseCall, NewWorker, ReportAnswer, ReportCall, Session, Store,
};
use kembara_engine::{GameResult, Outcome, SEMANTICS_VERSION};
use kembara_evolution::ResolvedSpec;
use kembara_proto::v1::GenerationDefinition;
use kembara_tournament::packed;
use prost::Message;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Short leases, for tests in which some run out.
pub const SHORT: Timings = Timings {
    lease: Duration::from_secs(2),
    renew_every: Duration::from_millis(500),
    sweep: Duration::from_millis(200),
};

/// A small run: 12 individuals, 132 games a generation.
pub fn spec(seed: u64, generations: u32) -> ResolvedSpec {
    serde_json::from_value(serde_json::json!({
        "semantics": { "engine": SEMANTICS_VERSION, "evolution": kembara_evolution::SEMANTICS_VERSION },
        "game": "othello", "genome": "oe_fmc", "freeze": {}, "seed": seed, "population": 12, "start": "random",
        "play": { "limit": { "depth": 1 }, "epsilon": 0.0, "openings": "start" },
        "tournament": { "format": "double-round-robin" },
        "rating": { "k": 10.0, "initial": 1500.0 },
        "evolution": { "strategy": "genethello", "crossover": 0.35, "mutation": 0.083 },
        "select_by": "points",
        "inject": { "count": 0, "every": 1, "hall": [] },
        "stop": { "generations": generations, "games": null, "unchanged": null },
    }))
    .unwrap()
}

/// A core that is shut down on request.
pub struct RunningCore {
    pub core: Core,
    shutdown: CancellationToken,
}

impl RunningCore {
    /// With leases so long that none runs out.
    pub fn start(store: Store) -> Self {
        Self::with(store, Timings { lease: Duration::from_secs(600), ..SHORT })
    }

    /// With short leases.
    pub fn short(store: Store) -> Self {
        Self::with(store, SHORT)
    }

    fn with(store: Store, timings: Timings) -> Self {
        let shutdown = CancellationToken::new();
        Self { core: Core::start(store, timings, shutdown.clone()), shutdown }
    }

    pub async fn stop(self) {
        self.shutdown.cancel();
        self.core.ended().await;
    }
}

/// The made-up result of a game: a pure function of who plays and which pairing it is.
pub fn result(definition: &GenerationDefinition, pairing: u64) -> GameResult {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&definition.run_seed.to_le_bytes());
    hasher.update(&definition.generation.to_le_bytes());
    hasher.update(&pairing.to_le_bytes());
    let player = &definition.players[(pairing % definition.players.len() as u64) as usize];
    hasher.update(&player.chromosome);
    let bytes = *hasher.finalize().as_bytes();
    GameResult {
        outcome: Outcome::from_half_points(bytes[0] % 3).unwrap(),
        margin: i16::from(bytes[1]) - 128,
        plies: u16::from(bytes[2] % 61),
    }
}

pub fn new_worker(threads: u16) -> NewWorker {
    NewWorker {
        instance: Uuid::new_v4(),
        name: "simulated".to_owned(),
        threads,
        version: "test".to_owned(),
        engine_semantics: SEMANTICS_VERSION,
        games: vec!["othello".to_owned()],
    }
}

/// Calls until the database is there; any other error fails the test.
async fn until_there<T, F: Future<Output = Result<T, DispatchError>>>(mut call: impl FnMut() -> F) -> T {
    loop {
        match call().await {
            Ok(answer) => return answer,
            Err(error) if error.is_passing() => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(error) => panic!("{error}"),
        }
    }
}

/// A worker without an engine.
pub struct Worker {
    pub session: Session,
    pub request: u64,
    /// How long a range takes.
    pub pace: Duration,
    definitions: HashMap<[u8; 32], GenerationDefinition>,
}

impl Worker {
    pub async fn register(core: &Core, threads: u16) -> Self {
        let session = core.dispatch.register(&new_worker(threads)).await.unwrap();
        Self { session, request: 0, pace: Duration::ZERO, definitions: HashMap::new() }
    }

    /// The next request.
    pub async fn lease(&mut self, core: &Core, wait: Duration) -> LeaseAnswer {
        self.request += 1;
        self.ask(core, wait).await
    }

    /// The current request, again.
    pub async fn ask(&self, core: &Core, wait: Duration) -> LeaseAnswer {
        let call = LeaseCall { session: self.session, request: self.request, wanted: Duration::from_secs(1) };
        until_there(|| core.dispatch.lease(call, wait)).await
    }

    /// Ranges, of which there have to be some within five seconds.
    pub async fn granted(&mut self, core: &Core) -> Vec<Granted> {
        match self.lease(core, Duration::from_secs(5)).await {
            LeaseAnswer::Granted(ranges) => ranges,
            other => panic!("{other:?} instead of ranges"),
        }
    }

    /// The packed results of a range; `None` when its generation is over.
    pub async fn play(&mut self, core: &Core, range: &Granted) -> Option<Bytes> {
        let definition = match self.definitions.entry(range.definition) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let bytes = until_there(|| core.dispatch.definition(&range.definition)).await?;
                assert_eq!(*blake3::hash(&bytes).as_bytes(), range.definition);
                place.insert(GenerationDefinition::decode(bytes).unwrap())
            }
        };
        let games: Vec<_> =
            (range.first..range.first + u64::from(range.count)).map(|pairing| result(definition, pairing)).collect();
        Some(Bytes::from(packed::pack(&games)))
    }

    /// Reports one range.
    pub async fn report(&self, core: &Core, range: &Granted, packed: Bytes) -> ReportAnswer {
        let call = ReportCall { session: self.session, token: range.token, packed, core_us: 1000 };
        until_there(|| core.dispatch.report(vec![call.clone()])).await.remove(0)
    }

    /// Works until no run is going on.
    pub async fn work(mut self, core: &Core) {
        loop {
            match self.lease(core, Duration::from_secs(1)).await {
                LeaseAnswer::Granted(ranges) => {
                    for range in ranges {
                        tokio::time::sleep(self.pace).await;
                        if let Some(packed) = self.play(core, &range).await {
                            self.report(core, &range, packed).await;
                        }
                    }
                }
                LeaseAnswer::Idle(kembara_coordinator::store::IdleReason::NoRun) => return,
                LeaseAnswer::Idle(_) => {}
                LeaseAnswer::NoSession => panic!("the session is gone"),
            }
        }
    }
}
