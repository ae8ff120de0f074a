//! `tournament.openings`: where games begin.

use super::super::MOST_BYTES;
use super::super::reader::Field;
use super::{refuse_file, word_or_table};
use kembara_engine::{ArenaSpec, Conditions, Game, Openings};
use kembara_evolution::spec::OpeningSet;

const EXPECTED: &str = "\"start\", { plies = N } or { lines = [...] }";

/// From the start position two deterministic players have only two games, and evolution overfits
/// them, so specs that say nothing begin at this many plies, in games that have fewer at the most
/// they have.
fn default(game: Option<&'static dyn Game>) -> OpeningSet {
    OpeningSet::Plies(game.map_or(8, |game| game.opening_plies()))
}

pub(super) fn read(field: &Field<'_>, game: Option<&'static dyn Game>) -> OpeningSet {
    let section = match word_or_table(field, "start", EXPECTED) {
        None => return default(game),
        Some(None) => return OpeningSet::Start,
        Some(Some(section)) => section,
    };
    let plies = section.field("plies");
    let lines = section.field("lines");
    refuse_file(&section, "lines_file", "lines");
    let openings = match (plies.given().is_some(), lines.given().is_some()) {
        (true, false) => read_plies(&plies, game),
        (false, true) => read_lines(&lines, game),
        (true, true) => {
            section.refuse("has both `plies` and `lines`; give one of the two");
            None
        }
        (false, false) => {
            if !section.has("lines_file") {
                section.refuse(format!("says nothing; it must be {EXPECTED}"));
            }
            None
        }
    };
    section.close();
    openings.unwrap_or_else(|| default(game))
}

fn read_plies(field: &Field<'_>, game: Option<&'static dyn Game>) -> Option<OpeningSet> {
    let plies = u8::try_from(field.small(1..=8)?).ok()?;
    playable(game?, Openings::Plies(plies)).map_err(|error| field.refuse(error)).ok()?;
    Some(OpeningSet::Plies(plies))
}

fn read_lines(field: &Field<'_>, game: Option<&'static dyn Game>) -> Option<OpeningSet> {
    let items = field.list(MOST_BYTES, "a list of opening lines")?;
    let game = game?;
    if items.is_empty() {
        field.refuse("is empty; give at least one line, or `openings = \"start\"`");
        return None;
    }
    let mut lines = Vec::new();
    for item in &items {
        lines.extend(item.text("an opening line in quotes").map(str::to_owned));
    }
    if playable(game, Openings::Lines(lines.clone())).is_ok() {
        return (lines.len() == items.len()).then_some(OpeningSet::Lines(lines));
    }
    // Something is wrong: say what, in each line of its own.
    for item in &items {
        let Some(line) = item.given().and_then(|node| node.as_text()) else { continue };
        if let Err(error) = playable(game, Openings::Lines(vec![line.to_owned()])) {
            item.refuse(error);
        }
    }
    None
}

/// Whether games can begin so.
fn playable(game: &dyn Game, openings: Openings) -> Result<(), String> {
    let spec = ArenaSpec { players: Vec::new(), conditions: [Conditions::depth(1); 2], openings, max_plies: None };
    game.arena(&spec).map(|_| ()).map_err(|error| error.to_string())
}
