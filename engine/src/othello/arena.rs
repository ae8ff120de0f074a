//! Othello at an arena's tables.

use super::cpu::{Cpu, Level, Task};
use super::notation::Action;
use super::opening;
use super::player::{Player, Seat, check_conditions};
use super::search::{Choices, Searcher};
use crate::arena::{Arena, ArenaError, ArenaSpec, Meeting, Table};
use crate::limit::Conditions;
use crate::result::{GameResult, Side};
use crate::variant::Search;

/// Prepared players, conditions and openings.
pub(super) struct OthelloArena {
    level: Level,
    players: Vec<Player>,
    conditions: [Conditions; 2],
    openings: opening::Set,
    max_plies: Option<u16>,
    search: Search,
}

impl OthelloArena {
    pub(super) fn new(spec: &ArenaSpec, level: Level, search: Search) -> Result<Self, ArenaError> {
        let players = spec
            .players
            .iter()
            .enumerate()
            .map(|(place, player)| Player::new(player).map_err(|reason| ArenaError::Player { place, reason }))
            .collect::<Result<_, _>>()?;
        for (side, conditions) in ["first", "second"].into_iter().zip(&spec.conditions) {
            check_conditions(conditions).map_err(|reason| ArenaError::Limit(format!("{side} player: {reason}")))?;
        }
        let openings = opening::Set::new(&spec.openings, level)?;
        Ok(Self { level, players, conditions: spec.conditions, openings, max_plies: spec.max_plies, search })
    }
}

impl Arena for OthelloArena {
    fn players(&self) -> u32 {
        self.players.len() as u32
    }

    fn openings(&self) -> u32 {
        self.openings.list().len() as u32
    }

    fn table(&self) -> Box<dyn Table + '_> {
        Box::new(OthelloTable { arena: self, searcher: Searcher::new(self.search) })
    }
}

struct OthelloTable<'a> {
    arena: &'a OthelloArena,
    searcher: Searcher,
}

impl Table for OthelloTable<'_> {
    fn play(&mut self, meeting: &Meeting) -> GameResult {
        self.arena.level.run(PlayGame { table: self, meeting, record: None })
    }

    fn record(&mut self, meeting: &Meeting) -> (Vec<String>, GameResult) {
        let mut actions = Vec::with_capacity(64);
        let result = self.arena.level.run(PlayGame { table: self, meeting, record: Some(&mut actions) });
        (actions.iter().map(Action::to_string).collect(), result)
    }
}

/// One whole game.
struct PlayGame<'t, 'a> {
    table: &'t mut OthelloTable<'a>,
    meeting: &'t Meeting,
    record: Option<&'t mut Vec<Action>>,
}

impl Task for PlayGame<'_, '_> {
    type Output = GameResult;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> GameResult {
        let Self { table: OthelloTable { arena, searcher }, meeting, mut record } = self;
        let seat = |side: Side, place: u32| Seat {
            player: &arena.players[place as usize],
            conditions: &arena.conditions[side.index()],
            side,
            seed: meeting.seed,
        };
        let seats = [seat(Side::First, meeting.first), seat(Side::Second, meeting.second)];
        let opening = &arena.openings.list()[meeting.opening as usize];
        if let Some(actions) = &mut record {
            actions.extend(opening.line());
        }
        let (mut position, mut side) = (opening.position, opening.to_move);
        let mut note = |action| {
            if let Some(actions) = &mut record {
                actions.push(action);
            }
        };
        loop {
            let mut moves = position.moves(cpu);
            if moves.is_empty() {
                let passed = position.passed();
                moves = passed.moves(cpu);
                if moves.is_empty() {
                    return position.result(side);
                }
                note(Action::Pass);
                (position, side) = (passed, side.other());
            }
            if let Some(result) = GameResult::broken_off(position.number() as u16, arena.max_plies) {
                return result;
            }
            // Where there is one move only, everybody plays it.
            let square = match (moves.first(), moves.without_first().is_empty()) {
                (Some(square), true) => square,
                _ => seats[side.index()].choose(cpu, searcher, Choices { position, moves }).square,
            };
            note(Action::Place(square));
            position = position.after(square, position.flips(cpu, square));
            side = side.other();
        }
    }
}
