//! What workers need of a generation, and everything the store writes of it.

use super::cutting::cut;
use crate::store::NewGeneration;
use kembara_engine::PlayerSpec;
use kembara_evolution::spec::{OpeningSet, SearchLimit, Tournament};
use kembara_evolution::{Generation, ResolvedSpec, Run};
use kembara_proto::v1;
use kembara_tournament::GauntletSide;
use prost::Message;
use std::sync::Arc;

/// The definition of a generation, as it travels. Its BLAKE3 names it.
#[must_use]
pub fn definition(run: &Run, generation: &Generation) -> v1::GenerationDefinition {
    let spec = run.spec();
    let slot = |place: &u32| {
        let chromosome = &generation.individuals[*place as usize].chromosome;
        v1::Player { kind: spec.genome.clone(), chromosome: chromosome.to_bytes().into() }
    };
    let opponent = |player: &PlayerSpec| match player {
        PlayerSpec::Named(name) => v1::Player { kind: name.clone(), chromosome: Vec::new().into() },
        PlayerSpec::Evolved { genome, chromosome } => {
            v1::Player { kind: genome.clone(), chromosome: chromosome.to_bytes().into() }
        }
    };
    v1::GenerationDefinition {
        engine_semantics: spec.semantics.engine,
        game: spec.game.clone(),
        run_seed: spec.seed,
        generation: generation.number,
        players: generation.slots.iter().map(slot).chain(run.opponents().iter().map(opponent)).collect(),
        conditions: Some(conditions(spec)),
        openings: Some(openings(spec)),
        format: Some(format(spec)),
    }
}

fn conditions(spec: &ResolvedSpec) -> v1::Conditions {
    let limit = match spec.play.limit {
        SearchLimit::Depth(plies) => v1::conditions::Limit::Depth(u32::from(plies)),
        SearchLimit::Nodes(nodes) => v1::conditions::Limit::Nodes(nodes),
    };
    v1::Conditions {
        limit: Some(limit),
        epsilon: spec.play.epsilon,
        max_plies: spec.play.max_plies.map_or(0, u32::from),
    }
}

fn openings(spec: &ResolvedSpec) -> v1::Openings {
    let kind = match &spec.play.openings {
        OpeningSet::Start => v1::openings::Kind::Start(true),
        OpeningSet::Plies(plies) => v1::openings::Kind::Plies(u32::from(*plies)),
        OpeningSet::Lines(lines) => v1::openings::Kind::Lines(v1::OpeningLines { lines: lines.clone() }),
    };
    v1::Openings { kind: Some(kind) }
}

fn format(spec: &ResolvedSpec) -> v1::Format {
    let kind = match &spec.tournament {
        Tournament::DoubleRoundRobin => v1::format::Kind::DoubleRoundRobin(true),
        Tournament::Sample { opponents } => v1::format::Kind::Sample(*opponents),
        Tournament::Gauntlet { rounds, side, .. } => {
            let side = match side {
                GauntletSide::First => v1::gauntlet::Side::First,
                GauntletSide::Second => v1::gauntlet::Side::Second,
                GauntletSide::Both => v1::gauntlet::Side::Both,
            };
            let opponents = spec.tournament.format().opponents();
            v1::format::Kind::Gauntlet(v1::Gauntlet { opponents, rounds: *rounds, side: side.into() })
        }
    };
    v1::Format { kind: Some(kind) }
}

/// Everything to be written of a generation. `game_us` and `cores` decide the cut only.
#[must_use]
pub fn prepare(run: &Run, generation: Arc<Generation>, game_us: f64, cores: u32) -> NewGeneration {
    let definition = definition(run, &generation).encode_to_vec();
    let pairings = run.schedule(&generation).pairings();
    NewGeneration {
        population: generation.to_bytes(),
        definition_hash: *blake3::hash(&definition).as_bytes(),
        definition,
        pairings,
        batches: cut(pairings, game_us, cores),
        generation,
    }
}
