//! Games a second of one thread, at every CPU level of this machine.
//!
//! `cargo bench -p kembara-engine --bench games` prints a line for each kind of game: the median of
//! some rounds at each level and its ratio to the baseline. The levels take turns within a round,
//! so that other load on the machine meets all of them alike. Words behind `--` choose the kinds
//! whose titles contain one of them. A second table sets the searches beside each other, at the
//! fastest level: `-- search` shows it alone.

use kembara_engine::othello::{Level, Othello};
use kembara_engine::random::Key;
use kembara_engine::{
    Arena, ArenaSpec, Chromosome, Conditions, Domain, Game, Gene, Limit, Meeting, Openings, PlayerSpec, Search,
};
use std::time::{Duration, Instant};

const PLAYERS: u32 = 64;
const ROUNDS: usize = 7;
const TURN: Duration = Duration::from_millis(60);

struct Kind {
    title: &'static str,
    genome: &'static str,
    limit: Limit,
    openings: Openings,
}

fn main() {
    let kinds = [
        ("depth 1, oe_fmc, start", "oe_fmc", Limit::Depth(1), Openings::Start),
        ("depth 1, oe_fmc, 8 plies", "oe_fmc", Limit::Depth(1), Openings::Plies(8)),
        ("depth 1, oe_fdmxc, 8 plies", "oe_fdmxc", Limit::Depth(1), Openings::Plies(8)),
        ("depth 1, oe_fdmxcp, 8 plies", "oe_fdmxcp", Limit::Depth(1), Openings::Plies(8)),
        ("depth 1, oe_fdmxcr, 8 plies", "oe_fdmxcr", Limit::Depth(1), Openings::Plies(8)),
        ("depth 2, oe_fmc, start", "oe_fmc", Limit::Depth(2), Openings::Start),
        ("depth 2, oe_fmc, 8 plies", "oe_fmc", Limit::Depth(2), Openings::Plies(8)),
        ("depth 3, oe_fmc, 8 plies", "oe_fmc", Limit::Depth(3), Openings::Plies(8)),
        ("depth 4, oe_fmc, 8 plies", "oe_fmc", Limit::Depth(4), Openings::Plies(8)),
        ("1000 nodes, oe_fmc, 8 plies", "oe_fmc", Limit::Nodes(1000), Openings::Plies(8)),
    ]
    .map(|(title, genome, limit, openings)| Kind { title, genome, limit, openings });
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |kind: &Kind| words.is_empty() || words.iter().any(|word| kind.title.contains(word.as_str()));
    let levels = Level::available();
    println!("{:<28}{}", "games a second, one thread", header(&levels));
    for kind in kinds.into_iter().filter(wanted) {
        let arenas: Vec<_> =
            levels.iter().map(|&level| Othello.arena_at(&spec(&kind), level).expect("a spec that fits")).collect();
        let mut speeds = vec![Vec::new(); levels.len()];
        for round in 0..ROUNDS {
            for (arena, speeds) in arenas.iter().zip(&mut speeds) {
                speeds.push(speed(arena.as_ref(), round as u64, 64));
            }
        }
        let medians: Vec<f64> = speeds.into_iter().map(median).collect();
        let columns: String =
            medians.iter().map(|speed| format!("{speed:>12.0} ({:>4.2})", speed / medians[0])).collect();
        println!("{:<28}{columns}", kind.title);
    }
    if words.is_empty() || words.iter().any(|word| word == "search") {
        searches();
    }
}

/// Games a second in each search, with the ratio to the first.
fn searches() {
    let heads: String = Search::ALL.iter().map(|search| format!("{search:>24}")).collect();
    println!("\n{:<16}{heads}", "games a second");
    for depth in [2, 4, 6, 8] {
        let limit = Limit::Depth(depth);
        let kind = Kind { title: "", genome: "oe_fmc", limit, openings: Openings::Plies(8) };
        let arenas = Search::ALL.map(|search| Othello.arena_with(&spec(&kind), search).expect("a spec that fits"));
        let mut speeds = vec![Vec::new(); arenas.len()];
        for round in 0..3 {
            for (arena, speeds) in arenas.iter().zip(&mut speeds) {
                speeds.push(speed(arena.as_ref(), round, if depth > 4 { 2 } else { 64 }));
            }
        }
        let medians: Vec<f64> = speeds.into_iter().map(median).collect();
        let columns: String =
            medians.iter().map(|speed| format!("{speed:>16.2} ({:>5.2})", speed / medians[0])).collect();
        println!("depth {depth:<10}{columns}");
    }
}

fn header(levels: &[Level]) -> String {
    levels.iter().map(|level| format!("{:>19}", level.name())).collect()
}

/// Random players of the genome, always the same.
fn spec(kind: &Kind) -> ArenaSpec {
    let genome = Othello.genome(kind.genome).expect("a genome of Othello");
    let key = Key::new(1, 0, "benchmark players");
    let player = |slot| {
        let mut stream = key.stream(slot);
        let gene = |domain| match domain {
            Domain::Int { initial: (low, high), .. } => Gene::Int(stream.between(low, high)),
            Domain::Real { initial: (low, high), .. } => Gene::Real(stream.uniform(low, high)),
        };
        let genes = genome.parameters.iter().map(|parameter| parameter.domain).map(gene).collect();
        PlayerSpec::Evolved { genome: genome.name.clone(), chromosome: Chromosome(genes) }
    };
    ArenaSpec {
        players: (0..u64::from(PLAYERS)).map(player).collect(),
        conditions: [Conditions { limit: kind.limit, epsilon: 0.0 }; 2],
        openings: kind.openings.clone(),
        max_plies: None,
    }
}

/// Games a second over one turn, looking at the clock after so many games.
fn speed(arena: &dyn Arena, round: u64, bunch: u32) -> f64 {
    let mut table = arena.table();
    let mut stream = Key::new(2, 0, "benchmark pairings").stream(round);
    let mut plies = 0_u64;
    let mut games = 0_u32;
    let start = Instant::now();
    while !games.is_multiple_of(bunch) || start.elapsed() < TURN {
        let meeting = Meeting {
            first: stream.below(PLAYERS.into()) as u32,
            second: stream.below(PLAYERS.into()) as u32,
            opening: stream.below(arena.openings().into()) as u32,
            seed: games.into(),
        };
        plies += u64::from(table.play(&meeting).plies);
        games += 1;
    }
    std::hint::black_box(plies);
    f64::from(games) / start.elapsed().as_secs_f64()
}

fn median(mut speeds: Vec<f64>) -> f64 {
    speeds.sort_by(f64::total_cmp);
    speeds[speeds.len() / 2]
}
