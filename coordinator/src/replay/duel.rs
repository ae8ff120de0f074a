//! The question that GeneThello's author left open: does the last champion beat the first one,
//! with both colours?
//!
//! The duel is a function of the run's spec and the two chromosomes alone. Two games begin at the
//! start position under the run's own conditions. Two games of deterministic players say little, so
//! pairs of games from drawn openings say how sure the answer is.

use super::budget::nodes_a_game;
use kembara_engine::arena::ArenaError;
use kembara_engine::random::{Key, Permutation};
use kembara_engine::{Arena, ArenaSpec, Chromosome, Game, GameResult, Meeting, Openings, PlayerSpec};
use kembara_evolution::ResolvedSpec;
use kembara_tournament::Pairs;
use std::collections::BTreeSet;

/// Openings that are drawn, when games are short enough.
const OPENINGS: u64 = 100;
/// Nodes that all the games may be expected to take together: about a minute.
const MOST_NODES: u64 = 2_000_000_000;

/// The later champion against the earlier one.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// From the start position: the later one moving first, then second. `None` for searches that
    /// nobody can wait for.
    pub games: Option<[DuelGame; 2]>,
    /// Over drawn openings, both colours each.
    pub openings: Option<OpeningsMatch>,
}

/// One game of the duel.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelGame {
    /// Every move.
    pub moves: Vec<String>,
    /// How it ended.
    pub result: GameResult,
    /// Half points of the later champion: 0, 1 or 2.
    pub half_points: u8,
}

/// Many games of the duel.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningsMatch {
    /// Plies of each opening.
    pub plies: u8,
    /// Openings played with both colours.
    pub openings: u64,
    /// Games that differ from each other.
    pub distinct_games: u64,
    /// The later champion's wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Its losses.
    pub losses: u64,
    /// Its scores of the distinct pairs.
    pub pairs: Pairs,
}

/// Plays the duel under the conditions of a run.
///
/// # Errors
/// When the players do not fit the game.
pub fn duel(
    game: &dyn Game,
    spec: &ResolvedSpec,
    later: &Chromosome,
    earlier: &Chromosome,
) -> Result<Duel, ArenaError> {
    let expected = nodes_a_game(spec.play.limit);
    if expected.saturating_mul(2) > MOST_NODES {
        return Ok(Duel { games: None, openings: None });
    }
    let player =
        |chromosome: &Chromosome| PlayerSpec::Evolved { genome: spec.genome.clone(), chromosome: chromosome.clone() };
    let arena = |openings| {
        let players = vec![player(later), player(earlier)];
        game.arena(&ArenaSpec { players, conditions: spec.play.conditions(), openings, max_plies: spec.play.max_plies })
    };
    let seeds = Key::new(spec.seed, 0, "report game");
    let start = arena(Openings::Start)?;
    let games = [0, 1].map(|first| play(start.as_ref(), first, 0, seeds.stream(first.into()).bits()));
    let plies = game.opening_plies();
    let drawn = arena(Openings::Plies(plies))?;
    let most = (MOST_NODES / expected.max(1) / 2).min(OPENINGS);
    Ok(Duel { games: Some(games), openings: Some(over_openings(drawn.as_ref(), plies, most, spec.seed)) })
}

fn over_openings(arena: &dyn Arena, plies: u8, most: u64, seed: u64) -> OpeningsMatch {
    let there = u64::from(arena.openings());
    let drawn = Permutation::new(there, &Key::new(seed, 0, "report opening"), 0);
    let seeds = Key::new(seed, 0, "report openings game");
    let (mut games, mut pairs) = (BTreeSet::new(), BTreeSet::new());
    let mut sum = OpeningsMatch {
        plies,
        openings: most.min(there),
        distinct_games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        pairs: Pairs::default(),
    };
    for pair in 0..sum.openings {
        let opening = u32::try_from(drawn.at(pair)).unwrap_or(0);
        let both = [0, 1].map(|first| play(arena, first, opening, seeds.stream(2 * pair + u64::from(first)).bits()));
        for (first, game) in both.iter().enumerate() {
            match game.half_points {
                0 => sum.losses += 1,
                1 => sum.draws += 1,
                _ => sum.wins += 1,
            }
            games.insert((first, game.moves.clone()));
        }
        let half_points = both[0].half_points + both[1].half_points;
        if pairs.insert(both.map(|game| game.moves)) {
            sum.pairs.add(half_points);
        }
    }
    sum.distinct_games = games.len() as u64;
    sum
}

/// A game in which player `first` (0 for the later champion) moves first.
fn play(arena: &dyn Arena, first: u32, opening: u32, seed: u64) -> DuelGame {
    let (moves, result) = arena.table().record(&Meeting { first, second: 1 - first, opening, seed });
    let half_points = result.outcome.half_points();
    DuelGame { moves, result, half_points: if first == 0 { half_points } else { 2 - half_points } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Node, Outside, RunSpec};
    use kembara_engine::registry;

    fn spec(toml: &str) -> ResolvedSpec {
        let node = Node::from_toml(toml.as_bytes()).unwrap();
        RunSpec::read(&node).unwrap().resolve(Outside::default()).unwrap()
    }

    fn play_duel(toml: &str) -> Duel {
        let spec = spec(toml);
        let game = registry::game("othello").unwrap();
        let genome = game.genome("oe_fmc").unwrap();
        let read = |text| Chromosome::parse(text, &genome.parameters).unwrap();
        duel(game, &spec, &read("18:45:5:2:8:8:4:9:1:2:4"), &read("14:49:3:2:2:3:3:9:1:10:3")).unwrap()
    }

    #[test]
    fn a_duel_is_a_function_of_the_spec_and_its_players() {
        let toml = "genome = \"oe_fmc\"\nseed = 5\nstop.generations = 1";
        let played = play_duel(toml);
        assert_eq!(played, play_duel(toml));
        let openings = played.openings.unwrap();
        assert_eq!(openings.openings, 100);
        assert_eq!(openings.wins + openings.draws + openings.losses, 200);
        assert_eq!(openings.distinct_games, 200, "openings are distinct, so their games are");
        assert_eq!(openings.pairs.count(), 100);
        let other = play_duel("genome = \"oe_fmc\"\nseed = 6\nstop.generations = 1");
        assert_ne!(other.openings.unwrap(), openings, "another seed draws other openings");
        assert_eq!(other.games, played.games, "from the start nothing is drawn");
    }

    #[test]
    fn the_longer_the_games_the_fewer_openings() {
        let deeper = play_duel("genome = \"oe_fmc\"\nplay.nodes = 2000000\nstop.generations = 1\nplay.epsilon = 1");
        assert_eq!(deeper.openings.unwrap().openings, 8);
        let deepest = play_duel("genome = \"oe_fmc\"\nplay.depth = 20\nstop.generations = 1");
        assert_eq!(deepest, Duel { games: None, openings: None });
    }
}
