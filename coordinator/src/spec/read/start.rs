//! `population.start`: where generation 1 comes from.

use super::super::MOST_BYTES;
use super::super::name::{NAME_RULE, RunName};
use super::super::reader::Field;
use super::{MOST_GENERATIONS, refuse_file, word_or_table};
use kembara_engine::{Chromosome, Game, Genome, PlayerSpec};
use kembara_evolution::spec::Start;

const EXPECTED: &str = "\"random\", { players = [...] } or { run = \"...\", generation = N }";

/// Where generation 1 comes from, as far as the spec tells.
pub(super) struct Given {
    /// What is literal.
    pub literal: Start,
    /// The run and generation, if it is named.
    pub run: Option<(RunName, u32)>,
}

impl Given {
    const RANDOM: Self = Self { literal: Start::Random, run: None };
}

pub(super) fn read(field: &Field<'_>, game: Option<&'static dyn Game>, genome: Option<&Genome>) -> Given {
    let Some(Some(section)) = word_or_table(field, "random", EXPECTED) else { return Given::RANDOM };
    let players = section.field("players");
    let run = section.field("run");
    let generation = section.field("generation");
    refuse_file(&section, "players_file", "players");
    let start = match (players.given().is_some(), run.given().is_some()) {
        (true, false) => {
            if generation.given().is_some() {
                generation.refuse("belongs to `run`, which is not given");
            }
            Given { literal: Start::Players(read_players(&players, game, genome)), run: None }
        }
        (false, true) => Given { literal: Start::Random, run: read_run(&run, &generation) },
        (true, true) => {
            section.refuse("has both `players` and `run`; give one of the two");
            Given::RANDOM
        }
        (false, false) => {
            if !section.has("players_file") {
                section.refuse(format!("says nothing; it must be {EXPECTED}"));
            }
            Given::RANDOM
        }
    };
    section.close();
    start
}

fn read_run(run: &Field<'_>, generation: &Field<'_>) -> Option<(RunName, u32)> {
    let name = run.text("the name of a run").and_then(|text| {
        let name = RunName::parse(text);
        if name.is_none() {
            run.refuse(format!("is not the name of a run, which is {NAME_RULE}"));
        }
        name
    });
    if generation.given().is_none() {
        generation.refuse("is missing; say which generation of the run to start from, from 1");
    }
    name.zip(generation.small(1..=MOST_GENERATIONS))
}

/// The chromosomes in their canonical text.
fn read_players(field: &Field<'_>, game: Option<&'static dyn Game>, genome: Option<&Genome>) -> Vec<String> {
    let expected = "a list of players such as [\"oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3\"]";
    let Some(items) = field.list(MOST_BYTES, expected) else { return Vec::new() };
    let (Some(game), Some(genome)) = (game, genome) else { return Vec::new() };
    if items.is_empty() {
        field.refuse("is empty; give at least one player, or `start = \"random\"`");
    }
    items.iter().filter_map(|item| read_player(item, game, genome)).map(|player| player.to_string()).collect()
}

/// A player of the run's genome, in the author's notation or its genes alone.
fn read_player(field: &Field<'_>, game: &dyn Game, genome: &Genome) -> Option<Chromosome> {
    let text = field.text("a player in quotes, TYPE_BIRTH_CHROMOSOME")?;
    let read = super::read_player(text, game, genome).and_then(|player| match player {
        PlayerSpec::Evolved { genome: kind, chromosome } if kind == genome.name => Ok(chromosome),
        PlayerSpec::Evolved { genome: kind, .. } => {
            Err(format!("is of genome {kind}; this run evolves {}", genome.name))
        }
        PlayerSpec::Named(_) => Err(format!("has no chromosome; a run of {} starts from its like only", genome.name)),
    });
    read.map_err(|message| field.refuse(message)).ok()
}
