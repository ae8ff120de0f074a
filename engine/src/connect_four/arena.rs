//! Many games between prepared players.

use super::notation;
use super::openings::Book;
use super::player::{Player, Thinker, check_conditions};
use super::position::Column;
use crate::arena::{Arena, ArenaError, ArenaSpec, Meeting, Table};
use crate::limit::Conditions;
use crate::result::GameResult;
use crate::variant::Variant;

pub(super) struct Hall {
    players: Vec<Player>,
    conditions: [Conditions; 2],
    book: Book,
    max_plies: Option<u16>,
    variant: Variant,
}

impl Hall {
    pub(super) fn new(spec: &ArenaSpec, variant: Variant) -> Result<Self, ArenaError> {
        for conditions in &spec.conditions {
            check_conditions(conditions).map_err(ArenaError::Limit)?;
        }
        let players = spec
            .players
            .iter()
            .enumerate()
            .map(|(place, player)| Player::new(player).map_err(|reason| ArenaError::Player { place, reason }))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            players,
            conditions: spec.conditions,
            book: Book::new(&spec.openings)?,
            max_plies: spec.max_plies,
            variant,
        })
    }
}

impl Arena for Hall {
    fn players(&self) -> u32 {
        self.players.len() as u32
    }

    fn openings(&self) -> u32 {
        self.book.openings().len() as u32
    }

    fn table(&self) -> Box<dyn Table + '_> {
        Box::new(Seat { hall: self, thinker: Thinker::new(self.variant) })
    }
}

struct Seat<'a> {
    hall: &'a Hall,
    thinker: Thinker,
}

impl Seat<'_> {
    /// Plays one game and shows each move after the opening to `see`.
    fn game(&mut self, meeting: &Meeting, mut see: impl FnMut(Column)) -> GameResult {
        let hall = self.hall;
        let players = [meeting.first, meeting.second].map(|place| &hall.players[place as usize]);
        let mut position = hall.book.openings()[meeting.opening as usize].position;
        loop {
            let plies = u16::from(position.plies());
            if let Some(result) = position.result().or_else(|| GameResult::broken_off(plies, hall.max_plies)) {
                return result;
            }
            let side = position.to_move().index();
            let chosen = self.thinker.choose(players[side], &position, &hall.conditions[side], meeting.seed);
            see(chosen.column);
            position = position.after(chosen.column);
        }
    }
}

impl Table for Seat<'_> {
    fn play(&mut self, meeting: &Meeting) -> GameResult {
        self.game(meeting, |_| {})
    }

    fn record(&mut self, meeting: &Meeting) -> (Vec<String>, GameResult) {
        let opening = &self.hall.book.openings()[meeting.opening as usize].moves;
        let mut moves: Vec<_> = opening.iter().copied().map(notation::write).collect();
        let result = self.game(meeting, |column| moves.push(notation::write(column)));
        (moves, result)
    }
}
