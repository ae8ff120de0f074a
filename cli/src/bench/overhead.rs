//! `kembara bench overhead`: what leasing, reporting, storing and turning over cost.
//!
//! Consecutive generations of a spec go through a coordinator, Postgres with fsync on and worker
//! processes, and then, as the next step of the same round, through a loop that does nothing but
//! play them on as many threads. Both have to end in the same fingerprints.

use super::rounds::{Round, Spread};
use crate::client::{self, Server};
use crate::command::up::house::{House, Plan};
use crate::failure::{Done, Failure};
use crate::interrupt::Interrupt;
use crate::output::{self, Align, Status, Style, Table, grouped};
use clap::Args;
use kembara_coordinator::postgres;
use kembara_coordinator::spec::{self, RunSpec, SpecErrors, Value};
use kembara_engine::registry;
use kembara_evolution::{Next, ResolvedSpec, Run};
use kembara_worker::bare;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to measure.
///
/// The cluster has a data folder of its own, which is removed afterwards; with DATABASE_URL the
/// runs stay in that database, under names that begin with `overhead-`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The run spec: TOML, or JSON when its name ends in .json
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    /// Generations of a round
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Rounds, each with a run of its own
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Worker processes; the cores are shared among them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    workers: u32,
    /// Search so deep, whatever the spec says
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Where the database and the logs are kept, on a disk whose speed counts [default: beside
    /// everybody's data]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Give the figures as JSON
    #[arg(long)]
    json: bool,
}

/// A generation as the coordinator shows it, as far as it is needed here.
#[derive(Deserialize)]
struct Timed {
    games: u64,
    seconds: f64,
    fingerprint: Option<String>,
}

/// All figures.
#[derive(Serialize)]
struct Figures {
    cores: u32,
    workers: u32,
    rounds: Vec<Round>,
    cluster_games_per_second: Spread,
    bare_games_per_second: Spread,
    ratio: Spread,
}

/// Measures and prints.
pub fn run(arguments: &Arguments) -> Done {
    // A spec that cannot be used is refused before anything starts.
    read_spec(arguments, "overhead")?;
    let interrupt = Interrupt::listen()?;
    let folder = Folder::choose(arguments.data_dir.as_deref())?;
    let plan = Plan {
        workers: arguments.workers,
        threads: None,
        data_dir: Some(folder.path.clone()),
        listen: ([127, 0, 0, 1], 0).into(),
        allow_insecure: false,
        lease: 60,
    };
    let mut house = House::open(plan, &interrupt)?;
    let measured = measure(arguments, &mut house, &interrupt);
    house.close(&interrupt);
    let figures = measured?;
    if arguments.json { output::print_json(&figures) } else { print(&figures) }
}

fn measure(arguments: &Arguments, house: &mut House, interrupt: &Interrupt) -> Result<Figures, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let mut status = Status::new(Duration::from_secs(5));
    // Names of earlier measurements may be in the database.
    let mark = draw_mark();
    let mut bench = Bench { arguments, house, interrupt, status: &mut status };
    // Until here workers may still be starting.
    bench.cluster(&format!("overhead-{mark}-warm-up"))?;
    let mut rounds = Vec::new();
    for number in 1..=arguments.rounds {
        let name = format!("overhead-{mark}-{number}");
        let generations = bench.cluster(&name)?;
        let bare_seconds = bench.bare(&name, &generations, cores)?;
        let round = Round {
            generations: generations.len() as u32,
            games: generations.iter().map(|generation| generation.games).sum(),
            cluster_seconds: generations.iter().map(|generation| generation.seconds).sum(),
            bare_seconds,
        };
        bench.status.say(&format!("round {number} of {}: ratio {:.3}", arguments.rounds, round.ratio()));
        rounds.push(round);
    }
    status.clear();
    let spread = |figure: fn(&Round) -> f64| {
        Spread::of(rounds.iter().map(figure).collect()).ok_or_else(|| Failure::failed("no round was measured"))
    };
    Ok(Figures {
        cores,
        workers: arguments.workers,
        cluster_games_per_second: spread(Round::cluster)?,
        bare_games_per_second: spread(Round::bare)?,
        ratio: spread(Round::ratio)?,
        rounds,
    })
}

struct Bench<'a> {
    arguments: &'a Arguments,
    house: &'a mut House,
    interrupt: &'a Interrupt,
    status: &'a mut Status,
}

impl Bench<'_> {
    /// Lets the cluster play a run.
    fn cluster(&mut self, name: &str) -> Result<Vec<Timed>, Failure> {
        let spec = read_spec(self.arguments, name)?;
        client::launch(self.house.server(), &spec)?;
        loop {
            if self.interrupt.asked() {
                return Err(Failure::interrupted("interrupted; nothing was measured"));
            }
            self.house.mend(self.status)?;
            let run = client::show(self.house.server(), name)?;
            if run.is_over() && run.workers < self.arguments.workers {
                return Err(Failure::failed(format!("only {} workers came to play", run.workers)));
            }
            if run.is_over() {
                return self.house.server().get_all(&client::of_run(name, "/generations"));
            }
            self.status.show(|| format!("{name}: generation {}", run.generation));
            // Seldom enough to be no load beside what is measured.
            self.interrupt.sleep(Duration::from_millis(500));
        }
    }

    /// Plays the same run in a bare loop; the seconds that its games took.
    fn bare(&mut self, name: &str, generations: &[Timed], threads: u32) -> Result<f64, Failure> {
        let wrong = |error: String| Failure::failed(format!("the run cannot be played in a bare loop: {error}"));
        let run = Run::new(resolved(self.house.server(), name)?).map_err(|error| wrong(error.to_string()))?;
        let game = registry::game(&run.spec().game).ok_or_else(|| wrong("its game is unknown".to_owned()))?;
        let mut generation = run.first();
        let mut seconds = 0.0;
        for timed in generations {
            if self.interrupt.asked() {
                return Err(Failure::interrupted("interrupted; nothing was measured"));
            }
            self.status.show(|| format!("bare loop: generation {}", generation.number));
            let arena = game.arena(&run.arena(&generation)).map_err(|error| wrong(error.to_string()))?;
            let played = bare::play_all(&*arena, &run.schedule(&generation), threads);
            seconds += played.wall.as_secs_f64();
            let turnover = run.turn_over(&generation, &played.results);
            let fingerprint: String = turnover.fingerprint.iter().map(|byte| format!("{byte:02x}")).collect();
            if timed.fingerprint.as_ref() != Some(&fingerprint) {
                return Err(wrong(format!("generation {} has another fingerprint in the cluster", generation.number)));
            }
            match turnover.next {
                Next::Generation(next) => generation = next,
                Next::Finished(_) => break,
            }
        }
        Ok(seconds)
    }
}

/// The spec as JSON with its files inlined, under this name and for the generations of a round.
fn read_spec(arguments: &Arguments, name: &str) -> Result<String, Failure> {
    let refused = |errors: SpecErrors| {
        let said = errors.to_string().replace('\n', "; ");
        Failure::usage(format!("the spec {} cannot be used: {said}", arguments.spec.display()))
    };
    let mut node = spec::load(&arguments.spec).map_err(refused)?;
    node.set(&["name"], Value::Text(name.to_owned()));
    node.set(&["stop", "generations"], Value::Whole(arguments.generations.into()));
    if let Some(depth) = arguments.depth {
        node.set(&["play", "nodes"], Value::Null);
        node.set(&["play", "depth"], Value::Whole(depth.into()));
    }
    RunSpec::read(&node).map_err(refused)?;
    Ok(node.to_json().to_string())
}

fn resolved(server: &Server, name: &str) -> Result<ResolvedSpec, Failure> {
    server.get(&client::of_run(name, "/spec"))
}

/// A few letters that no other measurement has.
fn draw_mark() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    format!("{:08x}", RandomState::new().build_hasher().finish() as u32)
}

/// The cluster's data folder; a chosen one stays.
struct Folder {
    path: PathBuf,
    remove: bool,
}

impl Folder {
    fn choose(given: Option<&Path>) -> Result<Self, Failure> {
        if let Some(path) = given {
            return Ok(Self { path: path.to_owned(), remove: false });
        }
        let everybodys = postgres::default_data_dir().map_err(|error| Failure::failed(error.to_string()))?;
        let mut name = everybodys.into_os_string();
        name.push(format!("-bench-{}", std::process::id()));
        Ok(Self { path: name.into(), remove: true })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.remove {
            // What cannot be removed is only in the way.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

fn print(figures: &Figures) -> Done {
    let mut table = Table::new([
        ("round", Align::Right),
        ("games", Align::Right),
        ("cluster games/s", Align::Right),
        ("bare games/s", Align::Right),
        ("ratio", Align::Right),
    ]);
    for (place, round) in figures.rounds.iter().enumerate() {
        table.row([
            (place + 1).to_string(),
            grouped(round.games),
            grouped(round.cluster().round() as u64),
            grouped(round.bare().round() as u64),
            format!("{:.3}", round.ratio()),
        ]);
    }
    let Figures { cores, workers, cluster_games_per_second: cluster, bare_games_per_second: bare, ratio, .. } = figures;
    let speed = |name: &str, spread: &Spread| {
        let [median, low, high] = [spread.median, spread.low, spread.high].map(|figure| grouped(figure.round() as u64));
        format!("{name}: median {median} games a second ({low} to {high})\n")
    };
    output::print(&format!(
        "{}\n{}{}ratio: median {:.3} ({:.3} to {:.3}), on {cores} cores with {workers} worker processes\n",
        table.render(Style::of_stdout()),
        speed("cluster", cluster),
        speed("bare loop", bare),
        ratio.median,
        ratio.low,
        ratio.high,
    ))
}
