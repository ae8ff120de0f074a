//! What the tests of the worker share.

pub mod server;
pub mod toss;

use kembara_proto::v1;
use kembara_tournament::packed;
use kembara_worker::definition::DefinitionHash;
use kembara_worker::{Prepared, Shutdown, Summary, WorkerConfig, WorkerError, bare};
use server::{Server, State};
use std::time::Duration;

/// A generation of so many coins, everybody against everybody.
pub fn generation(number: u32, coins: u32) -> v1::GenerationDefinition {
    let players = (0..coins).map(|coin| coin_player(i64::from(coin) * 7 % 1000)).collect();
    definition(number, players)
}

pub fn coin_player(face: i64) -> v1::Player {
    v1::Player { kind: "coin".to_owned(), chromosome: face.to_le_bytes().to_vec().into() }
}

pub fn named(name: &str) -> v1::Player {
    v1::Player { kind: name.to_owned(), chromosome: Default::default() }
}

pub fn definition(number: u32, players: Vec<v1::Player>) -> v1::GenerationDefinition {
    v1::GenerationDefinition {
        engine_semantics: kembara_engine::SEMANTICS_VERSION,
        game: "toss".to_owned(),
        run_seed: 0xFEED,
        generation: number,
        players,
        conditions: Some(v1::Conditions { limit: Some(v1::conditions::Limit::Depth(1)), epsilon: 0.0, max_plies: 0 }),
        openings: Some(v1::Openings { kind: Some(v1::openings::Kind::Plies(2)) }),
        format: Some(v1::Format { kind: Some(v1::format::Kind::DoubleRoundRobin(true)) }),
    }
}

pub fn pairings(definition: &v1::GenerationDefinition) -> u64 {
    let players = definition.players.len() as u64;
    players * (players - 1)
}

pub fn config(url: &str, threads: u32) -> WorkerConfig {
    WorkerConfig {
        server: url.to_owned(),
        name: "under test".to_owned(),
        threads,
        nice: 0,
        grace: Duration::from_secs(20),
        status_line: false,
        games: toss::GAMES,
    }
}

/// A worker in this process, and the way to end it.
pub struct Running {
    pub shutdown: Shutdown,
    pub task: tokio::task::JoinHandle<Result<Summary, WorkerError>>,
}

impl Running {
    pub fn start(config: WorkerConfig) -> Self {
        let shutdown = Shutdown::new();
        let task = tokio::spawn(kembara_worker::run(config, shutdown.clone()));
        Self { shutdown, task }
    }

    pub async fn drain(self) -> Summary {
        self.shutdown.drain();
        self.task.await.unwrap().unwrap()
    }
}

/// Waits until the server's state is as wished; panics after a minute, with what was waited for.
pub async fn until(server: &Server, what: &str, condition: impl Fn(&State) -> bool) {
    for _ in 0..6000 {
        if condition(&server.state()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("waited in vain until {what}");
}

/// Checks that every pairing of these generations was recorded once, with the result that playing
/// it directly gives.
pub fn assert_complete(state: &State, definitions: &[v1::GenerationDefinition]) {
    let mut ranges = 0;
    for definition in definitions {
        let bytes = prost::Message::encode_to_vec(definition);
        let hash = DefinitionHash::of(&bytes);
        let prepared = Prepared::new(&bytes, hash, toss::GAMES).unwrap();
        let direct = bare::play_generation(&prepared, 1).results;
        let mut recorded: Vec<_> =
            state.recorded.iter().filter(|(range, _)| range.definition == hash.0.to_vec()).collect();
        recorded.sort_by_key(|(range, _)| range.first);
        ranges += recorded.len();
        let mut next = 0;
        for (range, bytes) in recorded {
            assert_eq!(range.first, next, "a range is missing or recorded twice");
            next += u64::from(range.count);
            let results = packed::unpack(bytes, range.count).unwrap();
            assert_eq!(results, direct[range.first as usize..next as usize], "range {} has other results", range.first);
        }
        assert_eq!(next, pairings(definition), "generation {} is not complete", definition.generation);
    }
    assert_eq!(ranges, state.recorded.len(), "something was recorded that nobody scheduled");
}
