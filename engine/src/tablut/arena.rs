//! Many games between prepared players.

use super::openings::Book;
use super::player::{Player, check_conditions};
use super::position::Move;
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
        for (side, conditions) in ["first", "second"].into_iter().zip(&spec.conditions) {
            check_conditions(conditions).map_err(|reason| ArenaError::Limit(format!("{side} player: {reason}")))?;
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
        Box::new(Seat { hall: self })
    }
}

struct Seat<'a> {
    hall: &'a Hall,
}

impl Seat<'_> {
    /// Plays one game and shows each move after the opening to `see`.
    fn game(&self, meeting: &Meeting, mut see: impl FnMut(Move)) -> GameResult {
        let hall = self.hall;
        let players = [meeting.first, meeting.second].map(|place| &hall.players[place as usize]);
        let mut course = hall.book.openings()[meeting.opening as usize].course.clone();
        loop {
            if let Some(result) = course.result().or_else(|| GameResult::broken_off(course.plies(), hall.max_plies)) {
                return result;
            }
            let side = course.position().to_move().index();
            let chosen = players[side].choose(&mut course, &hall.conditions[side], meeting.seed, hall.variant);
            see(chosen.action);
            course.play(chosen.action);
        }
    }
}

impl Table for Seat<'_> {
    fn play(&mut self, meeting: &Meeting) -> GameResult {
        self.game(meeting, |_| {})
    }

    fn record(&mut self, meeting: &Meeting) -> (Vec<String>, GameResult) {
        let mut moves = self.hall.book.openings()[meeting.opening as usize].moves.to_vec();
        let result = self.game(meeting, |action| moves.push(action));
        (moves.iter().map(Move::to_string).collect(), result)
    }
}
