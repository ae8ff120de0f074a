//! From a tree of values to a run spec: the fields there are, what they may be, their defaults.
//!
//! A field in error is noted and read as its default, so that everything else is still checked.

mod evolution;
mod openings;
mod start;
mod tournament;

use super::error::SpecErrors;
use super::name::{NAME_RULE, RunName};
use super::node::{Node, Value};
use super::reader::{Errors, Field, Section};
use super::run_spec::{LARGEST_SEED, RunSpec, told};
use kembara_engine::player::shorten;
use kembara_engine::{Chromosome, Domain, Game, Genome, PlayerName, PlayerSpec, registry};
use kembara_evolution::defaults;
use kembara_evolution::spec::{
    Evolution, Inject, LARGEST_POPULATION, OpeningSet, Play, Rating, ResolvedSpec, SearchLimit, Semantics, Stop,
};
use std::collections::BTreeMap;

/// The game of specs that name none.
const DEFAULT_GAME: &str = "othello";
/// The most generations, of a run or between two events in it.
const MOST_GENERATIONS: u32 = 1_000_000_000;
/// The most nodes a move may take: about a minute of search.
const MOST_NODES: u64 = 1_000_000_000;

impl RunSpec {
    /// Reads a spec and checks everything that can be checked without the database.
    ///
    /// # Errors
    /// Everything that is wrong, unknown fields included.
    pub fn read(node: &Node) -> Result<Self, SpecErrors> {
        let errors = Errors::default();
        let spec = read_spec(Field::root(node, &errors).section(), node, &errors);
        errors.close(spec)
    }
}

fn read_spec(spec: Section<'_>, node: &Node, errors: &Errors) -> RunSpec {
    let name = read_name(&spec.field("name"));
    let seed = spec.field("seed").whole(0..=LARGEST_SEED);
    let game = read_game(&spec.field("game"));
    let genome = read_genome(&spec.field("genome"), game);
    let freeze = read_freeze(&spec.field("freeze"), genome.as_ref());
    let (evolution, select_by) = evolution::read(spec.field("evolution").section());
    let population = spec.field("population").section();
    let usual = match evolution {
        Evolution::Tablut { .. } => defaults::TABLUT_POPULATION,
        _ => defaults::population(genome.as_ref().map_or(1, |genome| genome.parameters.len())),
    };
    let size = population.field("size").or(usual, |field| field.small(2..=LARGEST_POPULATION));
    let start = start::read(&population.field("start"), game, genome.as_ref());
    population.close();
    let section = spec.field("tournament").section();
    let tournament = tournament::read(&section, game, genome.as_ref());
    let openings = openings::read(&section.field("openings"), game);
    section.close();
    let play = read_play(spec.field("play").section(), openings);
    let rating = read_rating(spec.field("rating").section());
    let inject = read_inject(spec.field("inject").section());
    let stop = read_stop(spec.field("stop").section());
    spec.close();

    let literal = ResolvedSpec {
        semantics: Semantics::CURRENT,
        game: game.map_or(DEFAULT_GAME, Game::name).to_owned(),
        genome: genome.map_or_else(String::new, |genome| genome.name),
        freeze,
        seed: 0,
        population: size,
        start: start.literal,
        play,
        tournament,
        rating,
        evolution,
        select_by,
        inject,
        stop,
    };
    check(&literal, node, errors);
    RunSpec { name, seed, start: start.run, literal }
}

/// Adds what is wrong with the whole, as far as it does not follow from fields in error.
fn check(literal: &ResolvedSpec, node: &Node, errors: &Errors) {
    // What is checked together with each of these fields.
    const TOGETHER: [(&str, &[&str]); 5] = [
        ("game", &["genome", "freeze", "population", "play", "tournament", "inject"]),
        ("population", &["population", "tournament", "inject.count"]),
        ("tournament", &["population.size", "tournament"]),
        ("evolution", &["population.size", "inject.count", "evolution"]),
        ("genome", &["freeze", "population"]),
    ];
    let known = errors.fields();
    let follows = |field: &str| {
        known.iter().any(|known| {
            field.starts_with(known.as_str())
                || known.starts_with(field)
                || TOGETHER.iter().any(|(cause, touched)| {
                    known.starts_with(cause) && touched.iter().any(|touched| field.starts_with(touched))
                })
        })
    };
    for error in literal.check() {
        let mut error = told(&error);
        if !follows(&error.field) {
            error.place = node.place_of(&error.field);
            errors.push(error);
        }
    }
}

fn read_name(field: &Field<'_>) -> Option<RunName> {
    let text = field.text(NAME_RULE)?;
    let name = RunName::parse(text);
    if name.is_none() {
        field.refuse(format!("\"{}\" is not a name for a run; it must be {NAME_RULE}", shorten(text)));
    }
    name
}

fn read_game(field: &Field<'_>) -> Option<&'static dyn Game> {
    let name = if field.given().is_some() { field.text("the name of a game")? } else { DEFAULT_GAME };
    let game = registry::game(name);
    if game.is_none() {
        field.refuse(format!("there is no game named \"{}\"; there is {}", shorten(name), registry::names()));
    }
    game
}

fn read_genome(field: &Field<'_>, game: Option<&'static dyn Game>) -> Option<Genome> {
    let game = game?;
    let name = if field.given().is_some() { field.text("the name of a genome")? } else { game.default_genome() };
    game.genome(name).map_err(|error| field.refuse(error.to_string())).ok()
}

fn read_freeze(field: &Field<'_>, genome: Option<&Genome>) -> BTreeMap<String, f64> {
    let Some(genome) = genome else { return BTreeMap::new() };
    let section = field.section();
    let mut frozen = BTreeMap::new();
    for parameter in &genome.parameters {
        let field = section.field(&parameter.name);
        let value = match parameter.domain {
            Domain::Int { bounds: (low, high), .. } => field.signed(low..=high).map(f64::from),
            Domain::Real { bounds, .. } => {
                let (low, high) = bounds.unwrap_or((f64::MIN, f64::MAX));
                field.real(low..=high)
            }
        };
        frozen.extend(value.map(|value| (parameter.name.clone(), value)));
    }
    section.close();
    frozen
}

fn read_play(section: Section<'_>, openings: OpeningSet) -> Play {
    let depth = section.field("depth");
    let nodes = section.field("nodes");
    if depth.given().is_some() && nodes.given().is_some() {
        nodes.refuse("stands beside `play.depth`; a search is limited by one of the two");
    }
    let depth = SearchLimit::Depth(depth.or(1, |field| u8::try_from(field.small(1..=60)?).ok()));
    let limit = nodes.whole(1..=MOST_NODES).map_or(depth, SearchLimit::Nodes);
    section.forbid("time", "the clock cannot limit a run, which must come out the same again; use `depth` or `nodes`");
    let epsilon = section.field("epsilon").or(0.0, |field| field.real(0.0..=1.0));
    let max_plies = section.field("max_plies").small(1..=u16::MAX.into()).and_then(|plies| u16::try_from(plies).ok());
    section.close();
    Play { limit, epsilon, openings, max_plies }
}

fn read_rating(section: Section<'_>) -> Rating {
    let Rating { k, initial } = defaults::rating();
    let k = section.field("k").or(k, |field| field.real(f64::MIN_POSITIVE..=1000.0));
    let initial = section.field("initial").or(initial, |field| field.real(-1e6..=1e6));
    section.close();
    Rating { k, initial }
}

fn read_inject(section: Section<'_>) -> Inject {
    let count = section.field("count");
    let every = section.field("every");
    if every.given().is_some() && count.given().is_none() {
        count.refuse("is missing; say how many are to be injected");
    }
    let inject = Inject {
        count: count.or(0, |field| field.small(0..=LARGEST_POPULATION)),
        every: every.or(1, |field| field.small(1..=MOST_GENERATIONS)),
        hall: Vec::new(),
    };
    section.close();
    inject
}

fn read_stop(section: Section<'_>) -> Stop {
    let stop = Stop {
        generations: section.field("generations").small(1..=MOST_GENERATIONS),
        games: section.field("games").whole(1..=LARGEST_SEED),
        unchanged: section.field("unchanged").small(2..=MOST_GENERATIONS),
    };
    section.close();
    stop
}

/// Files are read by the program a person launches with; what arrives here must be inlined.
fn refuse_file(section: &Section<'_>, named: &str, inlined: &str) {
    let advice = format!("names a file, which only `kembara` on your side can read; give `{inlined}` as a list");
    section.forbid(named, &advice);
}

/// A field that is either this word, `Some(None)`, or a table; `None` when left out or in error.
fn word_or_table<'a>(field: &Field<'a>, word: &str, expected: &str) -> Option<Option<Section<'a>>> {
    let node = field.given()?;
    match &node.value {
        Value::Text(text) if text == word => Some(None),
        Value::Table(_) => Some(Some(field.section())),
        _ => {
            field.refuse(format!("is {node}; it must be {expected}"));
            None
        }
    }
}

/// A player in the author's notation, or its genes alone when they are of the run's genome.
fn read_player(text: &str, game: &dyn Game, genome: &Genome) -> Result<PlayerSpec, String> {
    if text.contains('_') || !text.contains(':') {
        return PlayerName::parse(text, game).map(|name| name.player).map_err(|error| error.to_string());
    }
    let chromosome = Chromosome::parse(text, &genome.parameters).map_err(|error| error.to_string())?;
    Ok(PlayerSpec::Evolved { genome: genome.name.clone(), chromosome })
}
