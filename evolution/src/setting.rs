//! What a run takes from its game: the genome, the number of openings, the opponents of a gauntlet.

use crate::spec::{FieldError, OpeningSet, ResolvedSpec};
use kembara_engine::arena::ArenaError;
use kembara_engine::{
    ArenaSpec, Conditions, Domain, Game, Genome, Openings, Parameter, PlayerName, PlayerSpec, registry,
};

/// The surroundings of a run. Usually looked up by the spec's names; made by hand where no game of
/// the registry is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The genome, with at least one gene.
    pub genome: Genome,
    /// How many openings the arena has, at least 1.
    pub openings: u32,
    /// The given opponents of the tournament, as many as its spec names.
    pub opponents: Vec<PlayerSpec>,
}

impl Setting {
    /// Looks up what a spec names, whatever else is wrong with it.
    ///
    /// # Errors
    /// The game, genome or openings that do not exist.
    pub fn of(spec: &ResolvedSpec) -> Result<Self, Vec<FieldError>> {
        let game = registry::game(&spec.game)
            .ok_or_else(|| vec![FieldError::new("game", &spec.game, format!("one of {}", registry::names()))])?;
        let mut errors = Vec::new();
        let genome = game
            .genome(&spec.genome)
            .map_err(|error| errors.push(FieldError::new("genome", &spec.genome, error.to_string())));
        // Values out of range are told by the spec's own check. Others stand in for them here, so
        // that the game speaks about everything else all the same.
        let play = &spec.play;
        let conditions = if play.limit.in_range() { play.conditions() } else { [Conditions::depth(1); 2] };
        let openings = if play.openings.in_range() { play.openings() } else { Openings::Start };
        let arena = ArenaSpec { players: Vec::new(), conditions, openings, max_plies: play.max_plies };
        let openings =
            game.arena(&arena).map(|arena| arena.openings()).map_err(|error| errors.push(refused(spec, &error)));
        let opponents = opponents(spec, game, &mut errors);
        match (genome, openings) {
            (Ok(genome), Ok(openings)) if errors.is_empty() => Ok(Self { genome, openings, opponents }),
            _ => Err(errors),
        }
    }

    /// What is wrong with the genome itself, if anything.
    pub(crate) fn flaw(&self) -> Option<FieldError> {
        let allowed = "at least one gene, each with finite ranges, the initial one within the bounds";
        let sound = !self.genome.parameters.is_empty() && self.genome.parameters.iter().all(sound);
        (!sound).then(|| FieldError::new("genome", &self.genome.name, allowed))
    }
}

/// The given opponents that are players of the game; the others are noted.
fn opponents(spec: &ResolvedSpec, game: &dyn Game, errors: &mut Vec<FieldError>) -> Vec<PlayerSpec> {
    let read = |(place, text): (usize, &String)| {
        let read = PlayerName::parse(text, game).and_then(|name| {
            game.check_player(&name.player)?;
            Ok(name.player)
        });
        read.map_err(|error| {
            let allowed = format!("a player of {}: {error}", game.name());
            errors.push(FieldError::new(&format!("tournament.opponents.{place}"), text, allowed));
        })
        .ok()
    };
    spec.tournament.opponents().iter().enumerate().filter_map(read).collect()
}

/// Names the field that an arena refused.
fn refused(spec: &ResolvedSpec, error: &ArenaError) -> FieldError {
    match (error, &spec.play.openings) {
        (ArenaError::Opening { place, reason }, OpeningSet::Lines(lines)) => FieldError::new(
            &format!("play.openings.lines.{place}"),
            lines.get(*place).map_or("nothing", String::as_str),
            format!("a line of legal moves: {reason}"),
        ),
        (ArenaError::Limit(reason), _) => FieldError::new("play.limit", format!("{:?}", spec.play.limit), reason),
        (error, openings) => FieldError::new("play.openings", format!("{openings:?}"), error.to_string()),
    }
}

fn sound(parameter: &Parameter) -> bool {
    match parameter.domain {
        Domain::Int { initial, bounds } => bounds.0 <= initial.0 && initial.0 <= initial.1 && initial.1 <= bounds.1,
        Domain::Real { initial, bounds } => {
            let (low, high) = bounds.unwrap_or(initial);
            let finite = [low, high, initial.0, initial.1].iter().all(|end| end.is_finite());
            finite && low <= initial.0 && initial.0 <= initial.1 && initial.1 <= high
        }
    }
}
