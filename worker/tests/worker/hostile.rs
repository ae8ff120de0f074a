//! A coordinator that is broken or hostile costs neither the worker's life nor its memory.

use crate::support::server::{Call, Range, Server};
use crate::support::{
    Running, assert_complete, coin_player, config, definition, generation, named, pairings, toss, until,
};
use kembara_proto::v1;
use kembara_worker::Prepared;
use kembara_worker::definition::{DefinitionError, DefinitionHash, LARGEST_DEFINITION, MOST_PLAYERS};
use prost::Message;
use std::time::Duration;

fn prepare(bytes: &[u8]) -> Result<Prepared, DefinitionError> {
    Prepared::new(bytes, DefinitionHash::of(bytes), toss::GAMES)
}

fn refusal(change: impl FnOnce(&mut v1::GenerationDefinition)) -> String {
    let mut definition = generation(1, 4);
    change(&mut definition);
    prepare(&definition.encode_to_vec()).expect_err("it was accepted").to_string()
}

#[test]
fn every_field_of_a_definition_is_checked_and_named() {
    assert!(prepare(&generation(1, 4).encode_to_vec()).is_ok());
    let gauntlet = |opponents, rounds, side| {
        let kind = v1::format::Kind::Gauntlet(v1::Gauntlet { opponents, rounds, side });
        refusal(|d| d.format = Some(v1::Format { kind: Some(kind) }))
    };
    let cases: [(String, &str); 28] = [
        (refusal(|d| d.engine_semantics = 99), "engine semantics 99"),
        (refusal(|d| d.game = "ludo".to_owned()), "`ludo`; it knows toss"),
        (refusal(|d| d.game = "\u{1b}[2J".repeat(1000)), "it knows toss"),
        (refusal(|d| d.players.clear()), "at least 2 participants"),
        (refusal(|d| d.players.truncate(1)), "at least 2 participants"),
        (refusal(|d| d.players[2] = coin_player(-1)), "player 2"),
        (refusal(|d| d.players[2].chromosome = vec![0; 7].into()), "player 2"),
        (refusal(|d| d.players[3].chromosome = vec![0; 80_000].into()), "player 3"),
        (refusal(|d| d.players[0] = named("nobody")), "player 0"),
        (refusal(|d| d.players[0] = v1::Player { kind: "slow".to_owned(), ..coin_player(1) }), "has no chromosome"),
        (refusal(|d| d.conditions = None), "conditions: missing"),
        (refusal(|d| d.conditions.as_mut().unwrap().limit = None), "neither a depth"),
        (refusal(|d| d.conditions.as_mut().unwrap().limit = Some(v1::conditions::Limit::Depth(0))), "1..=60"),
        (refusal(|d| d.conditions.as_mut().unwrap().limit = Some(v1::conditions::Limit::Depth(257))), "1..=60"),
        (refusal(|d| d.conditions.as_mut().unwrap().limit = Some(v1::conditions::Limit::Nodes(0))), "at least 1"),
        (refusal(|d| d.conditions.as_mut().unwrap().epsilon = f64::NAN), "epsilon"),
        (refusal(|d| d.conditions.as_mut().unwrap().epsilon = 1.1), "epsilon"),
        (refusal(|d| d.openings = None), "openings"),
        (refusal(|d| d.openings = Some(v1::Openings { kind: Some(v1::openings::Kind::Plies(u32::MAX)) })), "openings"),
        (refusal(|d| d.openings = Some(v1::Openings { kind: Some(v1::openings::Kind::Plies(9)) })), "at most 8"),
        (refusal(|d| d.format = Some(v1::Format { kind: Some(v1::format::Kind::Sample(u32::MAX)) })), "others"),
        (refusal(|d| d.conditions.as_mut().unwrap().max_plies = 65_536), "0..=65535"),
        (gauntlet(0, 1, 1), "at least 1 opponent"),
        (gauntlet(1, 0, 1), "at least 1 opponent and 1 round"),
        (gauntlet(1, u32::MAX, 3), "at most 100000000"),
        (gauntlet(3, 1, 1), "at least 2 participants"),
        (gauntlet(u32::MAX, 1, 1), "opponents among 4 players"),
        (gauntlet(1, 1, 77), "format.gauntlet.side"),
    ];
    for (place, (message, expected)) in cases.iter().enumerate() {
        assert!(message.contains(expected), "case {place}: `{message}` does not say `{expected}`");
        assert!(message.len() < 500 && !message.contains('\u{1b}'), "case {place}: {message}");
    }
}

#[test]
fn absurd_numbers_of_players_are_refused_before_they_are_given_memory() {
    // An empty player takes two bytes on the wire.
    let mut bytes = generation(1, 4).encode_to_vec();
    bytes.extend([5 << 3 | 2, 0].repeat(MOST_PLAYERS));
    assert!(prepare(&bytes).unwrap_err().to_string().contains("more than 131072"));
    // Few enough to read, too many to play.
    let mut many = generation(1, 4);
    many.players = vec![named("slow"); 10_002];
    assert!(prepare(&many.encode_to_vec()).unwrap_err().to_string().contains("at most 100000000"));
    let large = vec![0; LARGEST_DEFINITION + 1];
    assert!(matches!(prepare(&large), Err(DefinitionError::TooLarge)));
}

#[test]
fn bytes_that_are_no_definition_are_refused_without_a_panic() {
    let whole = generation(1, 30).encode_to_vec();
    for cut in 0..whole.len() {
        let _ = prepare(&whole[..cut]);
    }
    // Every single byte changed, and noise.
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 0x55;
        let _ = prepare(&changed);
    }
    let mut noise = 0x1234_5678_u64;
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..noise % 300)
            .map(|_| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 56) as u8
            })
            .collect();
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let _ = prepare(&bytes);
    }
}

#[test]
fn a_definition_under_another_hash_is_refused() {
    let bytes = generation(1, 4).encode_to_vec();
    let error = Prepared::new(&bytes, DefinitionHash([7; 32]), toss::GAMES).unwrap_err();
    assert!(matches!(error, DefinitionError::Hash { .. }), "{error}");
}

/// A server with one honest generation, to see that the worker plays on.
async fn honest() -> (Server, v1::GenerationDefinition) {
    let server = Server::start().await;
    let definition = generation(1, 20);
    server.state().publish("honest", &definition, pairings(&definition), 100);
    server.state().requeue = false;
    (server, definition)
}

async fn plays_on(server: &Server, definition: &v1::GenerationDefinition) {
    until(server, "the honest generation is recorded", |state| {
        state.recorded.iter().filter(|(range, _)| range.run == "honest").count() == 4
    })
    .await;
    server.state().recorded.retain(|(range, _)| range.run == "honest");
    assert_complete(&server.state(), std::slice::from_ref(definition));
}

#[tokio::test]
async fn leases_that_make_no_sense_are_given_back_and_the_others_played() {
    let (server, definition) = honest().await;
    {
        let mut state = server.state();
        let hash = state.waiting[0].definition.clone();
        let good = Range { definition: hash, first: 0, count: 1, run: "odd".to_owned(), generation: 1 };
        let mut odd = |change: &dyn Fn(&mut v1::LeasedRange)| {
            let mut range = state.lend(good.clone());
            change(&mut range);
            state.raw.push_back(range);
        };
        odd(&|range| range.count = 0);
        odd(&|range| range.count = u32::MAX);
        odd(&|range| range.first = 380);
        odd(&|range| range.first = u64::MAX);
        odd(&|range| range.definition = vec![1; 31].into());
        odd(&|range| range.definition = vec![1; 32].into());
        odd(&|range| range.token = String::new());
        odd(&|range| range.token = "x".repeat(100_000));
        odd(&|range| range.duration_ms = 0);
        odd(&|range| range.run = "\u{1b}[31m".repeat(1000));
    }
    let worker = Running::start(config(&server.url(), 2));
    plays_on(&server, &definition).await;
    until(&server, "six were given back", |state| state.released.len() == 6).await;
    worker.drain().await;
}

#[tokio::test]
async fn overlapping_ranges_and_a_token_given_twice_are_harmless() {
    let (server, definition) = honest().await;
    {
        let mut state = server.state();
        let hash = state.waiting[0].definition.clone();
        for (first, count) in [(0, 300), (100, 200), (150, 10), (150, 10)] {
            let range = Range { definition: hash.clone(), first, count, run: "odd".to_owned(), generation: 1 };
            let lent = state.lend(range);
            state.raw.push_back(lent.clone());
            state.raw.push_back(lent);
        }
    }
    let worker = Running::start(config(&server.url(), 2));
    plays_on(&server, &definition).await;
    worker.drain().await;
}

#[tokio::test]
async fn streams_that_are_wrong_truncated_endless_or_oversized_do_not_stop_the_worker() {
    let (server, definition) = honest().await;
    {
        let mut state = server.state();
        let bytes = generation(7, 20).encode_to_vec();
        let streams: [Vec<Vec<u8>>; 5] = [
            vec![b"other bytes".to_vec()],
            vec![bytes[..bytes.len() / 2].to_vec()],
            vec![],
            vec![vec![0; 1000 << 10]; (LARGEST_DEFINITION >> 20) + 2],
            vec![vec![0; 2 << 20]],
        ];
        for (number, chunks) in streams.into_iter().enumerate() {
            let name = vec![number as u8 + 1; 32];
            state.raw_chunks.insert(name.clone(), chunks);
            let range = Range { definition: name, first: 0, count: 10, run: "odd".to_owned(), generation: 1 };
            // The message beyond the limit looks like a fault of the line: it is asked for until the
            // range is taken back, so it comes last.
            if number < 4 {
                let lent = state.lend(range);
                state.raw.push_back(lent);
            }
        }
    }
    let worker = Running::start(config(&server.url(), 2));
    plays_on(&server, &definition).await;
    until(&server, "four were given back", |state| state.released.len() == 4).await;
    worker.drain().await;
}

#[tokio::test]
async fn an_unknown_game_is_given_back_without_asking_again_and_again() {
    let server = Server::start().await;
    let mut unknown = generation(1, 20);
    unknown.game = "ludo".to_owned();
    // Ranges that were given back are handed out again at once.
    server.state().publish("run", &unknown, 380, 100);
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "ranges were given back", |state| state.released.len() >= 3).await;
    let before = server.state().count(Call::Lease);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let state_calls = server.state().count(Call::Lease);
    assert!(state_calls <= before + 2, "{before} and then {state_calls} leases");
    assert_eq!(
        server.state().count(Call::GetGeneration),
        1,
        "a definition known to be unplayable is not fetched again"
    );
    worker.drain().await;
}

#[tokio::test]
async fn a_game_that_panics_gives_its_range_back_and_the_worker_plays_on() {
    let (server, definition_) = honest().await;
    let panics = definition(1, vec![named("panic"), coin_player(1), coin_player(2)]);
    {
        let mut state = server.state();
        let honest_ranges: Vec<_> = state.waiting.drain(..).collect();
        state.publish("panics", &panics, 6, 3);
        state.waiting.extend(honest_ranges);
    }
    let worker = Running::start(config(&server.url(), 2));
    plays_on(&server, &definition_).await;
    until(&server, "both ranges were given back", |state| state.released.len() == 2).await;
    worker.drain().await;
}

#[tokio::test]
async fn a_session_that_wants_no_pause_between_renewals_does_not_get_a_flood() {
    let server = Server::start().await;
    server.state().renew_every_ms = 0;
    server.state().retry_after_ms = 0;
    let worker = Running::start(config(&server.url(), 1));
    until(&server, "it registered", |state| state.registered.len() == 1).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let renewals = server.state().count(Call::Renew);
    let leases = server.state().count(Call::Lease);
    assert!(renewals <= 11 && leases <= 30, "{renewals} renewals and {leases} leases in half a second");
    worker.drain().await;
}

#[tokio::test]
async fn verdicts_of_every_kind_and_number_are_survived() {
    let (server, definition) = honest().await;
    {
        // Tokens the server does not know are void, results it has otherwise contradict.
        let mut state = server.state();
        let hash = state.waiting[0].definition.clone();
        let range = Range { definition: hash, first: 0, count: 5, run: "odd".to_owned(), generation: 1 };
        state.recorded.push((range.clone(), b"other".to_vec()));
        let contradicting = state.lend(range.clone());
        let mut void = state.lend(range);
        void.token = "nobody knows this".to_owned();
        state.raw.extend([contradicting, void]);
    }
    let worker = Running::start(config(&server.url(), 2));
    plays_on(&server, &definition).await;
    let summary = worker.drain().await;
    assert_eq!((summary.recorded, summary.unneeded, summary.refused), (380, 5, 5));
}
