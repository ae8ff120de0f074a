//! From the bytes of a generation's definition to something that plays.
//!
//! The bytes come from outside: their hash is checked, their size is bounded before anything is
//! allocated, and every field is checked before the engine sees it.

use kembara_engine::game::Game;
use kembara_engine::{Arena, ArenaSpec, Chromosome, Conditions, Limit, Openings, PlayerSpec};
use kembara_proto::v1;
use kembara_tournament::{Format, GauntletSide, Schedule, ScheduleSpec};
use prost::Message;
use prost::bytes::Buf;
use prost::encoding::{DecodeContext, WireType, decode_key, skip_field};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The games that a worker plays: [`kembara_engine::registry::games`] outside tests.
pub type Games = &'static [&'static dyn Game];

/// The largest definition that is accepted, bytes.
pub const LARGEST_DEFINITION: usize = 32 << 20;

/// The most players of a definition; a double round robin of 10⁸ games has 10,001.
pub const MOST_PLAYERS: usize = 1 << 17;

/// The most games of a generation.
pub const MOST_GAMES: u64 = 100_000_000;

/// The field number of the players on the wire.
const PLAYERS_FIELD: u32 = 5;

/// BLAKE3 of a definition's bytes; its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DefinitionHash(pub [u8; 32]);

impl DefinitionHash {
    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

impl fmt::Debug for DefinitionHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..6].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for DefinitionHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Why a definition cannot be played here.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionError {
    /// The stream of chunks is larger than any definition may be.
    #[error("the definition is larger than {LARGEST_DEFINITION} bytes")]
    TooLarge,
    /// The bytes are not those that were asked for.
    #[error("the definition's bytes hash to {given}, not to {expected}")]
    Hash {
        /// The hash of what came.
        given: DefinitionHash,
        /// The hash that was asked for.
        expected: DefinitionHash,
    },
    /// The bytes are no definition.
    #[error("the definition cannot be read: {0}")]
    Unreadable(#[from] prost::DecodeError),
    /// The games need another engine.
    #[error("the games need engine semantics {needed}, this worker has {ours}; use a worker of that version")]
    Semantics {
        /// What the definition asks for.
        needed: u32,
        /// What this build is.
        ours: u32,
    },
    /// A game this build lacks.
    #[error("this worker does not know the game `{given}`; it knows {known}")]
    Game {
        /// The game asked for (shortened).
        given: String,
        /// The games there are.
        known: String,
    },
    /// A player that is none.
    #[error("player {place}: {reason}")]
    Player {
        /// The slot, from 0.
        place: usize,
        /// What does not fit.
        reason: String,
    },
    /// A field that is missing or outside its range.
    #[error("{field}: {reason}")]
    Field {
        /// Its name in the definition.
        field: &'static str,
        /// What is wrong and what is allowed.
        reason: String,
    },
}

/// A generation ready to be played, shared by all threads.
pub struct Prepared {
    /// Its name.
    pub hash: DefinitionHash,
    arena: Box<dyn Arena>,
    schedule: Schedule,
    pace: Pace,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("hash", &self.hash).field("pairings", &self.pairings()).finish_non_exhaustive()
    }
}

impl Prepared {
    /// Reads a definition and prepares its players, after checking that the bytes hash to `expected`.
    ///
    /// # Errors
    /// [`DefinitionError`] says what does not fit.
    pub fn new(bytes: &[u8], expected: DefinitionHash, games: Games) -> Result<Self, DefinitionError> {
        if bytes.len() > LARGEST_DEFINITION {
            return Err(DefinitionError::TooLarge);
        }
        let given = DefinitionHash::of(bytes);
        if given != expected {
            return Err(DefinitionError::Hash { given, expected });
        }
        bound_players(bytes)?;
        let definition = v1::GenerationDefinition::decode(bytes)?;
        Self::of(definition, expected, games)
    }

    fn of(definition: v1::GenerationDefinition, hash: DefinitionHash, games: Games) -> Result<Self, DefinitionError> {
        let ours = kembara_engine::SEMANTICS_VERSION;
        if definition.engine_semantics != ours {
            return Err(DefinitionError::Semantics { needed: definition.engine_semantics, ours });
        }
        let game = games.iter().copied().find(|game| game.name() == definition.game).ok_or_else(|| {
            let known = games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", ");
            DefinitionError::Game { given: kembara_engine::player::shorten(&definition.game), known }
        })?;
        let format = format(definition.format)?;
        // A list of players was counted against MOST_PLAYERS, so its length fits.
        let seats = definition.players.len() as u32;
        let participants = seats.checked_sub(format.opponents()).ok_or_else(|| {
            field("format.gauntlet", format!("{} opponents among {seats} players", format.opponents()))
        })?;
        format.check(participants).map_err(|error| field("format", error))?;
        if format.games(participants) > MOST_GAMES {
            let reason =
                format!("{participants} players make {} games; at most {MOST_GAMES}", format.games(participants));
            return Err(DefinitionError::Field { field: "format", reason });
        }
        let given = definition.conditions.ok_or_else(|| field("conditions", "missing"))?;
        let conditions = conditions(&given)?;
        let spec = ArenaSpec {
            players: players(definition.players, game)?,
            conditions: [conditions; 2],
            openings: openings(definition.openings)?,
            max_plies: max_plies(&given)?,
        };
        let arena = game.arena(&spec).map_err(|error| field("definition", error))?;
        let schedule = Schedule::new(&ScheduleSpec {
            format,
            participants,
            openings: arena.openings(),
            run_seed: definition.run_seed,
            generation: definition.generation,
        })
        .map_err(|error| field("format", error))?;
        Ok(Self { hash, arena, schedule, pace: Pace::default() })
    }

    /// How many games the generation has.
    #[must_use]
    pub fn pairings(&self) -> u64 {
        self.schedule.pairings()
    }

    /// The prepared players.
    #[must_use]
    pub fn arena(&self) -> &dyn Arena {
        &*self.arena
    }

    /// Who plays whom.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How long its games take on this machine.
    #[must_use]
    pub fn pace(&self) -> &Pace {
        &self.pace
    }
}

/// The running mean of the core time of a game, as measured by all threads.
#[derive(Debug, Default)]
pub struct Pace {
    /// Nanoseconds a game; 0 while unknown. A lost update between threads costs nothing.
    nanos: AtomicU64,
}

impl Pace {
    /// The core time of a game, once one was played.
    #[must_use]
    pub fn a_game(&self) -> Option<Duration> {
        match self.nanos.load(Ordering::Relaxed) {
            0 => None,
            nanos => Some(Duration::from_nanos(nanos)),
        }
    }

    /// Takes note of `games` games that took this much core time together.
    pub fn note(&self, games: u32, took: Duration) {
        let now = u64::try_from(took.as_nanos() / u128::from(games.max(1))).unwrap_or(u64::MAX).max(1);
        let mean = match self.nanos.load(Ordering::Relaxed) {
            0 => now,
            before => before - before / 4 + now / 4,
        };
        self.nanos.store(mean.max(1), Ordering::Relaxed);
    }
}

fn field(field: &'static str, reason: impl ToString) -> DefinitionError {
    DefinitionError::Field { field, reason: reason.to_string() }
}

/// Counts the players on the wire before they are given memory: an empty one takes two bytes there
/// and two dozen times as many here.
fn bound_players(mut bytes: &[u8]) -> Result<(), DefinitionError> {
    let mut players = 0;
    while bytes.has_remaining() {
        let (tag, wire) = decode_key(&mut bytes)?;
        if tag == PLAYERS_FIELD && wire == WireType::LengthDelimited {
            players += 1;
            if players > MOST_PLAYERS {
                return Err(field("players", format!("more than {MOST_PLAYERS}")));
            }
        }
        skip_field(wire, tag, &mut bytes, DecodeContext::default())?;
    }
    Ok(())
}

fn players(list: Vec<v1::Player>, game: &dyn Game) -> Result<Vec<PlayerSpec>, DefinitionError> {
    // Thousands of players share a genome: it is looked up when the kind changes.
    let mut genome: Option<kembara_engine::Genome> = None;
    let mut specs = Vec::with_capacity(list.len());
    for (place, player) in list.into_iter().enumerate() {
        let wrong = |reason: String| DefinitionError::Player { place, reason };
        if game.named_players().contains(&player.kind.as_str()) {
            if !player.chromosome.is_empty() {
                return Err(wrong(format!("`{}` has no chromosome", player.kind)));
            }
            specs.push(PlayerSpec::Named(player.kind));
            continue;
        }
        let known = match genome.take() {
            Some(known) if known.name == player.kind => known,
            _ => game.genome(&player.kind).map_err(|error| wrong(error.to_string()))?,
        };
        let chromosome = Chromosome::from_bytes(&player.chromosome, &known.parameters)
            .map_err(|error| wrong(format!("{}: {error}", known.name)))?;
        genome = Some(known);
        specs.push(PlayerSpec::Evolved { genome: player.kind, chromosome });
    }
    Ok(specs)
}

fn conditions(given: &v1::Conditions) -> Result<Conditions, DefinitionError> {
    let limit = match given.limit {
        Some(v1::conditions::Limit::Depth(depth)) => match u8::try_from(depth) {
            Ok(depth @ 1..=60) => Limit::Depth(depth),
            _ => return Err(field("conditions.depth", format!("{depth} is not in 1..=60"))),
        },
        Some(v1::conditions::Limit::Nodes(0)) => return Err(field("conditions.nodes", "0 is not at least 1")),
        Some(v1::conditions::Limit::Nodes(nodes)) => Limit::Nodes(nodes),
        None => return Err(field("conditions", "neither a depth nor a number of nodes")),
    };
    if !(0.0..=1.0).contains(&given.epsilon) {
        return Err(field("conditions.epsilon", format!("{} is not in 0..=1", given.epsilon)));
    }
    Ok(Conditions { limit, epsilon: given.epsilon })
}

fn max_plies(given: &v1::Conditions) -> Result<Option<u16>, DefinitionError> {
    match u16::try_from(given.max_plies) {
        Ok(0) => Ok(None),
        Ok(plies) => Ok(Some(plies)),
        Err(_) => Err(field("conditions.max_plies", format!("{} is not in 0..=65535", given.max_plies))),
    }
}

fn openings(given: Option<v1::Openings>) -> Result<Openings, DefinitionError> {
    match given.and_then(|openings| openings.kind) {
        Some(v1::openings::Kind::Start(true)) => Ok(Openings::Start),
        Some(v1::openings::Kind::Plies(plies)) => u8::try_from(plies)
            .map(Openings::Plies)
            .map_err(|_| field("openings.plies", format!("{plies} is beyond any opening"))),
        Some(v1::openings::Kind::Lines(lines)) => Ok(Openings::Lines(lines.lines)),
        Some(v1::openings::Kind::Start(false)) | None => Err(field("openings", "no kind given")),
    }
}

fn format(given: Option<v1::Format>) -> Result<Format, DefinitionError> {
    match given.and_then(|format| format.kind) {
        Some(v1::format::Kind::DoubleRoundRobin(true)) => Ok(Format::DoubleRoundRobin),
        Some(v1::format::Kind::Sample(opponents)) => Ok(Format::Sample { opponents }),
        Some(v1::format::Kind::Gauntlet(gauntlet)) => {
            let side = match gauntlet.side() {
                v1::gauntlet::Side::First => GauntletSide::First,
                v1::gauntlet::Side::Second => GauntletSide::Second,
                v1::gauntlet::Side::Both => GauntletSide::Both,
                v1::gauntlet::Side::Unspecified => return Err(field("format.gauntlet.side", "none given")),
            };
            Ok(Format::Gauntlet { opponents: gauntlet.opponents, rounds: gauntlet.rounds, side })
        }
        Some(v1::format::Kind::DoubleRoundRobin(false)) | None => Err(field("format", "no kind given")),
    }
}
