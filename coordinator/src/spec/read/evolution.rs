//! `evolution`: how the next population comes about, and who is better than whom.

use super::super::reader::Section;
use kembara_evolution::defaults;
use kembara_evolution::spec::{Evolution, LARGEST_POPULATION, SelectBy};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strategy {
    Genethello,
    Jgap,
    Tablut,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Points,
    Elo,
    Speed,
    Chance,
}

/// Fields of one strategy only, and what to say to people who use them with another.
const OWN: [(Strategy, &[&str], &str); 2] = [
    (
        Strategy::Jgap,
        &["survivors"],
        "belongs to `strategy = \"jgap\"`; in \"genethello\" those who mate stay, see `crossover`, in \"tablut\" the best one",
    ),
    (Strategy::Tablut, &["partners", "best", "immigrants", "reach"], "belongs to `strategy = \"tablut\"`"),
];

pub(super) fn read(section: Section<'_>) -> (Evolution, SelectBy) {
    let strategies = [("genethello", Strategy::Genethello), ("jgap", Strategy::Jgap), ("tablut", Strategy::Tablut)];
    let strategy = section.field("strategy").or(Strategy::Genethello, |field| field.choice(&strategies));
    for (owner, fields, advice) in OWN {
        if owner != strategy {
            fields.iter().for_each(|name| section.forbid(name, advice));
        }
    }
    let share = |name: &str, usual| section.field(name).or(usual, |field| field.real(0.0..=1.0));
    let evolution = match (strategy, defaults::tablut()) {
        (Strategy::Tablut, Evolution::Tablut { partners, best, immigrants, mutation, reach }) => {
            section.forbid("crossover", "belongs to the other strategies; in \"tablut\" see `partners`");
            let count = |name: &str, usual, least| {
                section.field(name).or(usual, |field| field.small(least..=LARGEST_POPULATION))
            };
            Evolution::Tablut {
                partners: count("partners", partners, 0),
                best: count("best", best, 1),
                immigrants: count("immigrants", immigrants, 0),
                mutation: share("mutation", mutation),
                reach: section.field("reach").or(reach, |field| field.real(f64::MIN_POSITIVE..=1e6)),
            }
        }
        (Strategy::Jgap, _) => Evolution::Jgap {
            crossover: share("crossover", defaults::CROSSOVER),
            mutation: share("mutation", defaults::MUTATION),
            survivors: section.field("survivors").or(defaults::SURVIVORS, |field| field.real(f64::MIN_POSITIVE..=1.0)),
        },
        _ => Evolution::Genethello {
            crossover: share("crossover", defaults::CROSSOVER),
            mutation: share("mutation", defaults::MUTATION),
        },
    };
    let select_by = read_select_by(&section);
    section.close();
    (evolution, select_by)
}

fn read_select_by(section: &Section<'_>) -> SelectBy {
    let words = [("points", By::Points), ("elo", By::Elo), ("speed", By::Speed), ("chance", By::Chance)];
    let by = section.field("select_by").given().and_then(|_| section.field("select_by").choice(&words));
    if by != Some(By::Speed) {
        section.forbid("speed_base", "belongs to `select_by = \"speed\"`");
    }
    match by {
        None => defaults::SELECT_BY,
        Some(By::Points) => SelectBy::Points,
        Some(By::Elo) => SelectBy::Elo,
        Some(By::Chance) => SelectBy::Chance,
        Some(By::Speed) => {
            let base = section.field("speed_base").small(1..=u16::MAX.into());
            SelectBy::Speed { base: base.and_then(|base| u16::try_from(base).ok()).unwrap_or(defaults::SPEED_BASE) }
        }
    }
}
