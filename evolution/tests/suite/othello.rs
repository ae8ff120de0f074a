//! The whole core together: Othello played by the engine, turned over generation by generation.

use crate::common;
use kembara_engine::{GameResult, registry};
use kembara_evolution::spec::{Evolution, OpeningSet, SearchLimit};
use kembara_evolution::{Generation, Next, ResolvedSpec, Run, defaults};

fn spec(population: u32, evolution: Evolution, openings: OpeningSet) -> ResolvedSpec {
    let mut spec = common::spec(population, evolution);
    spec.game = "othello".into();
    spec.genome = "oe_fmc".into();
    spec.play.openings = openings;
    spec
}

/// Plays every pairing, in an order of its own, and returns the results in pairing order.
fn played(run: &Run, generation: &Generation) -> Vec<GameResult> {
    let game = registry::game(&run.spec().game).unwrap();
    let arena = game.arena(&run.arena(generation)).unwrap();
    let schedule = run.schedule(generation);
    let mut table = arena.table();
    let mut results: Vec<GameResult> =
        (0..schedule.pairings()).rev().map(|k| table.play(&schedule.pairing(k))).collect();
    results.reverse();
    results
}

#[test]
fn othello_players_breed_with_both_strategies_and_their_fingerprints_are_pinned() {
    let cases =
        [(defaults::genethello(), OpeningSet::Start, GENETHELLO), (defaults::jgap(), OpeningSet::Plies(4), JGAP)];
    for (evolution, openings, pinned) in cases {
        let run = Run::new(spec(10, evolution, openings)).unwrap();
        let mut generation = run.first();
        for _ in 0..4 {
            common::assert_sound(&run, &generation);
            let turnover = run.turn_over(&generation, &played(&run, &generation));
            let Next::Generation(next) = turnover.next else { panic!("the run goes on") };
            generation = next;
        }
        let shown: String = generation.previous[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(shown, pinned, "{evolution:?}");
    }
}

const GENETHELLO: &str = "cdc8085147449565";
const JGAP: &str = "3a264973a961e9f4";

#[test]
fn the_authors_run_has_352_players_of_eleven_genes() {
    let genes = registry::game("othello").unwrap().genome("oe_fmc").unwrap().parameters.len();
    let run = Run::new(spec(defaults::population(genes), defaults::genethello(), OpeningSet::Start)).unwrap();
    assert_eq!(run.schedule(&run.first()).pairings(), 123_552);
}

#[test]
fn what_the_game_refuses_is_named_by_its_field() {
    let fields = |change: &dyn Fn(&mut ResolvedSpec)| -> Vec<String> {
        let mut spec = spec(10, defaults::genethello(), OpeningSet::Start);
        change(&mut spec);
        spec.check().into_iter().map(|error| error.field).collect()
    };
    assert_eq!(fields(&|_| ()), [""; 0]);
    assert_eq!(fields(&|spec| spec.genome = "oe_zzz".into()), ["genome"]);
    assert_eq!(fields(&|spec| spec.genome = "x".repeat(1 << 20)), ["genome"]);
    let lines = |lines: &[&str]| OpeningSet::Lines(lines.iter().map(ToString::to_string).collect());
    assert_eq!(fields(&|spec| spec.play.openings = lines(&["f5d6c3"])), [""; 0]);
    assert_eq!(fields(&|spec| spec.play.openings = lines(&["f5d6c3", "a1"])), ["play.openings.lines.1"]);
    assert_eq!(fields(&|spec| spec.play.openings = OpeningSet::Plies(9)), ["play.openings.plies"]);
    assert_eq!(fields(&|spec| spec.play.limit = SearchLimit::Depth(0)), ["play.limit.depth"]);
    assert_eq!(
        fields(&|spec| {
            spec.genome = "oe_zzz".into();
            spec.play.limit = SearchLimit::Depth(99);
            spec.play.openings = lines(&["a1"]);
            spec.population = 1;
        }),
        ["genome", "play.openings.lines.0", "play.limit.depth", "population"]
    );
}

#[test]
fn eight_random_plies_give_as_many_openings_as_there_are_classes() {
    let run = Run::new(spec(300, defaults::genethello(), OpeningSet::Plies(8))).unwrap();
    let schedule = run.schedule(&run.first());
    let mut openings: Vec<u32> = (0..schedule.pairings()).map(|k| schedule.pairing(k).opening).collect();
    openings.sort_unstable();
    let distinct = openings.chunks(2).filter(|both| both[0] == both[1]).count();
    assert_eq!(distinct, 300 * 299 / 2, "both games of each meeting, and no opening again before all were used");
    assert!(*openings.last().unwrap() > 60_000);
}
