//! `tournament`: who plays whom. The openings are read beside it.

use super::super::MOST_BYTES;
use super::super::reader::{Field, Section};
use super::{read_player, refuse_file};
use kembara_engine::{Game, Genome};
use kembara_evolution::spec::{LARGEST_POPULATION, Tournament};
use kembara_tournament::GauntletSide;

/// The most openings from which everybody meets each opponent of a gauntlet.
const MOST_ROUNDS: u32 = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    DoubleRoundRobin,
    Sample,
    Gauntlet,
}

pub(super) fn read(section: &Section<'_>, game: Option<&'static dyn Game>, genome: Option<&Genome>) -> Tournament {
    let formats =
        [("double-round-robin", Format::DoubleRoundRobin), ("sample", Format::Sample), ("gauntlet", Format::Gauntlet)];
    let format = section.field("format").or(Format::DoubleRoundRobin, |field| field.choice(&formats));
    refuse_file(section, "opponents_file", "opponents");
    let opponents = section.field("opponents");
    if format != Format::Gauntlet {
        for name in ["rounds", "side"] {
            section.forbid(name, "belongs to `format = \"gauntlet\"`");
        }
    }
    match format {
        Format::DoubleRoundRobin => {
            if opponents.given().is_some() {
                opponents.refuse(
                    "belongs to `format = \"sample\"` or \"gauntlet\"; in a double round robin everybody meets everybody",
                );
            }
            Tournament::DoubleRoundRobin
        }
        Format::Sample => {
            if opponents.given().is_none() {
                opponents.refuse("is missing; a sample needs the number of others that everybody meets");
            }
            Tournament::Sample { opponents: opponents.or(2, |field| field.small(1..=LARGEST_POPULATION - 1)) }
        }
        Format::Gauntlet => {
            let sides =
                [("first", GauntletSide::First), ("second", GauntletSide::Second), ("both", GauntletSide::Both)];
            Tournament::Gauntlet {
                opponents: read_opponents(&opponents, section, game, genome),
                rounds: section.field("rounds").or(1, |field| field.small(1..=MOST_ROUNDS)),
                side: section.field("side").or(GauntletSide::Both, |field| field.choice(&sides)),
            }
        }
    }
}

/// The given opponents in their canonical text.
fn read_opponents(
    field: &Field<'_>,
    section: &Section<'_>,
    game: Option<&'static dyn Game>,
    genome: Option<&Genome>,
) -> Vec<String> {
    if field.given().is_none() && !section.has("opponents_file") {
        field.refuse("is missing; a gauntlet needs the players that everybody meets, as in [\"random\"]");
    }
    let Some(items) = field.list(MOST_BYTES, "a list of players such as [\"random\"]") else { return Vec::new() };
    if items.is_empty() {
        field.refuse("is empty; give at least one player");
    }
    let (Some(game), Some(genome)) = (game, genome) else { return Vec::new() };
    let read = |item: &Field<'_>| {
        let player = read_player(item.text("a player in quotes")?, game, genome);
        player.map(|player| player.to_string()).map_err(|message| item.refuse(message)).ok()
    };
    items.iter().filter_map(read).collect()
}
