//! The report of a run that is over, and the question that GeneThello's author left open: does the
//! last champion beat generation 1's champion with both colours?

use crate::client::{self, RunView, Server};
use crate::contest::{self, Contest, Field, MatchResult, record};
use crate::failure::Failure;
use crate::output::{Style, elo, grouped, percent};
use kembara_engine::{Conditions, Limit, Openings, PlayerName, Side, registry};
use kembara_evolution::ResolvedSpec;
use serde::Serialize;
use std::fmt::Write;

/// Pairs of games that say how sure the answer is.
const PAIRS: u32 = 500;

/// Random plies before each of these pairs.
const PLIES: u8 = 8;

/// What is known at the end of a run.
#[derive(Debug, Serialize)]
pub struct Report {
    run: String,
    state: String,
    reason: Option<String>,
    game: String,
    generations: u32,
    games: u64,
    fingerprint: Option<String>,
    first_champion: Option<Champion>,
    last_champion: Option<Champion>,
    duel: Option<Duel>,
}

/// The best individual of a generation.
#[derive(Clone, Debug, Serialize)]
struct Champion {
    generation: u32,
    player: String,
    elo: f64,
}

/// The last champion against the first one.
#[derive(Debug, Serialize)]
struct Duel {
    /// From the start position under the run's own limits, the last champion moving first, then
    /// second: the score and whether it won.
    games: [Game; 2],
    /// Whether it won both.
    wins_with_both_colours: bool,
    openings: Wider,
}

#[derive(Debug, Serialize)]
struct Game {
    colour: &'static str,
    ending: String,
    won: bool,
}

/// The same two players over many openings.
#[derive(Debug, Serialize)]
struct Wider {
    search: String,
    plies: u8,
    games: u64,
    distinct_games: u64,
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

impl Report {
    /// Asks the coordinator and plays the duel.
    pub fn make(server: &Server, run: &RunView) -> Result<Self, Failure> {
        let finished = client::generations(server, &run.name)?;
        let finished: Vec<_> = finished.into_iter().filter(|generation| generation.fingerprint.is_some()).collect();
        let champion = |generation: u32| -> Result<Option<Champion>, Failure> {
            let board = client::leaderboard(server, &run.name, Some(generation), 1)?;
            let best = board.entries.into_iter().next();
            Ok(best.map(|best| Champion { generation, player: best.player, elo: best.elo }))
        };
        let (first, last) = match (finished.first(), finished.last()) {
            (Some(first), Some(last)) => (champion(first.number)?, champion(last.number)?),
            _ => (None, None),
        };
        let duel = match (&first, &last) {
            (Some(first), Some(last)) if first.player != last.player => {
                let spec = client::spec(server, &run.name)?;
                Some(Duel::play(&spec, &last.player, &first.player)?)
            }
            _ => None,
        };
        Ok(Self {
            run: run.name.clone(),
            state: run.state.clone(),
            reason: run.stop_reason.clone(),
            game: run.game.clone(),
            generations: finished.last().map_or(0, |generation| generation.number),
            games: run.games_recorded,
            fingerprint: finished.last().and_then(|generation| generation.fingerprint.clone()),
            first_champion: first,
            last_champion: last,
            duel,
        })
    }

    /// The report for people.
    pub fn text(&self, style: Style) -> String {
        let mut text = String::new();
        let reason = self.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let head = format!("Run {} is {}{reason}", self.run, self.state);
        let _ = writeln!(text, "{}\n", style.heading(&head));
        let _ = writeln!(text, "Generations   {}", grouped(self.generations.into()));
        let _ = writeln!(text, "Games         {}", grouped(self.games));
        for (name, champion) in [("First best  ", &self.first_champion), ("Last best   ", &self.last_champion)] {
            if let Some(champion) = champion {
                let _ = writeln!(text, "{name}  {}  Elo {}", champion.player, elo(champion.elo));
            }
        }
        if let Some(fingerprint) = &self.fingerprint {
            let _ = writeln!(text, "Fingerprint   {fingerprint}");
        }
        text.push('\n');
        match &self.duel {
            Some(duel) => duel.write(&mut text, style),
            None if self.last_champion.is_some() => {
                text += "Generation 1's champion is still the best: there is nobody else to play it against.\n";
            }
            None => text += "No generation was finished, so there is no champion.\n",
        }
        let _ = writeln!(text, "\nNext: kembara leaderboard {}", self.run);
        text
    }
}

impl Duel {
    fn play(spec: &ResolvedSpec, last: &str, first: &str) -> Result<Self, Failure> {
        let game = registry::game(&spec.game)
            .ok_or_else(|| Failure::failed(format!("this program does not know the game `{}`", spec.game)))?;
        let player = |text: &str| PlayerName::parse(text, game).map_err(|error| Failure::failed(error.to_string()));
        let players = [player(last)?, player(first)?];
        let conditions = spec.play.conditions();
        let narrow = Contest { game, players: players.clone(), conditions, openings: Openings::Start, seed: spec.seed };
        let field = Field::new(&narrow)?;
        let play = |first: u32| {
            let (moves, result) = field.arena(first as usize).table().record(&field.meeting(0, first));
            let side = if first == 0 { Side::First } else { Side::Second };
            let ending = record::ending(&narrow, &record::write(&narrow, &moves)?, &result);
            Ok::<_, Failure>(Game {
                colour: game.sides()[side.index()],
                ending,
                won: result.outcome.winner() == Some(side),
            })
        };
        let games = [play(0)?, play(1)?];
        let quick = conditions.map(quick);
        let wide = Contest { game, players, conditions: quick, openings: Openings::Plies(PLIES), seed: spec.seed };
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let result = contest::play(&wide, PAIRS, threads, None)?;
        Ok(Self {
            wins_with_both_colours: games.iter().all(|game| game.won),
            games,
            openings: Wider::new(wide.search(0), &result),
        })
    }

    fn write(&self, text: &mut String, style: Style) {
        let answer = match self.games.each_ref().map(|game| game.won) {
            [true, true] => "Yes",
            [false, false] => "No, with neither colour",
            _ => "No, with one colour only",
        };
        *text += "Does the last champion beat generation 1's champion with both colours?\n";
        let _ = writeln!(text, "{}", style.accent(answer));
        for game in &self.games {
            let _ = writeln!(text, "  as {:<6}  {}", game.colour, game.ending);
        }
        let wider = &self.openings;
        let _ = writeln!(
            text,
            "  over {} games after {} random plies ({}, {} distinct): {}",
            grouped(wider.games),
            wider.plies,
            wider.search,
            grouped(wider.distinct_games),
            percent(wider.score),
        );
        if let (Some(difference), Some(low), Some(high)) = (wider.elo, wider.elo_low, wider.elo_high) {
            let _ = writeln!(text, "  Elo difference {difference:+.1} ± {:.1} (95 %)", (high - low) / 2.0);
        }
    }
}

impl Wider {
    fn new(search: String, result: &MatchResult) -> Self {
        let difference = result.pairs.difference();
        Self {
            search,
            plies: PLIES,
            games: result.played,
            distinct_games: result.distinct,
            score: result.pairs.score(),
            elo: difference.elo,
            elo_low: difference.low,
            elo_high: difference.high,
        }
    }
}

/// Deep searches are cut short for the many games, so that the report takes seconds.
fn quick(conditions: Conditions) -> Conditions {
    let limit = match conditions.limit {
        Limit::Depth(depth) => Limit::Depth(depth.min(2)),
        Limit::Nodes(nodes) => Limit::Nodes(nodes.min(1000)),
        Limit::Time(_) => Limit::Depth(2),
    };
    Conditions { limit, ..conditions }
}
