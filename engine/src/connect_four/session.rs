//! One game played move by move.

use super::notation;
use super::player::{Player, Thinker, check_conditions};
use super::position::Position;
use super::search::WIN;
use crate::limit::Conditions;
use crate::player::{PlayerError, PlayerSpec, shorten};
use crate::result::{GameResult, Side};
use crate::session::{Choice, IllegalMove, MoveScore, Session};
use crate::variant::{Search, Variant};
use std::cell::RefCell;

pub(super) struct Round {
    /// Every position of the game so far, the empty board first.
    positions: Vec<Position>,
    /// As written, one less than positions.
    moves: Vec<String>,
    /// Kept from one choice to the next: a perfect player solves a game's later positions faster
    /// when it remembers the earlier ones.
    thinker: RefCell<Thinker>,
}

impl Round {
    pub(super) fn new() -> Self {
        Self { positions: vec![Position::START], moves: Vec::new(), thinker: RefCell::new(Thinker::new(Variant::PLAY)) }
    }

    fn position(&self) -> &Position {
        self.positions.last().expect("the start position is never taken back")
    }
}

impl Session for Round {
    fn to_move(&self) -> Option<Side> {
        let position = self.position();
        position.result().is_none().then(|| position.to_move())
    }

    fn result(&self) -> Option<GameResult> {
        self.position().result()
    }

    fn legal(&self) -> Vec<String> {
        match self.result() {
            Some(_) => Vec::new(),
            None => self.position().columns().map(notation::write).collect(),
        }
    }

    fn play(&mut self, action: &str) -> Result<(), IllegalMove> {
        let column = notation::check(self.position(), action).map_err(|reason| IllegalMove {
            given: shorten(action),
            ply: self.moves.len() + 1,
            reason,
        })?;
        self.positions.push(self.position().after(column));
        self.moves.push(notation::write(column));
        Ok(())
    }

    fn play_line(&mut self, line: &str) -> Result<(), IllegalMove> {
        let ply = self.moves.len() + 1;
        let moves = notation::words(line).map_err(|reason| IllegalMove { given: shorten(line), ply, reason })?;
        moves.iter().try_for_each(|action| self.play(action))
    }

    fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        self.positions.pop();
        true
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn board(&self) -> String {
        notation::board(self.position())
    }

    fn search_with(&mut self, search: Search) {
        *self.thinker.get_mut() = Thinker::new(search.variant(Variant::PLAY));
    }

    fn choose(&self, player: &PlayerSpec, conditions: &Conditions, seed: u64) -> Result<Choice, PlayerError> {
        let player = Player::new(player)?;
        check_conditions(conditions).map_err(PlayerError::Conditions)?;
        assert!(self.result().is_none(), "the game is over: there is no move to choose");
        let chosen = self.thinker.borrow_mut().choose(&player, self.position(), conditions, seed);
        Ok(Choice {
            action: notation::write(chosen.column),
            value: chosen.value.map(f64::from),
            nodes: chosen.nodes,
            depth: chosen.depth,
        })
    }

    fn evaluate(&self, player: &PlayerSpec) -> Result<Vec<MoveScore>, PlayerError> {
        let Player::Evolved(evaluation) = Player::new(player)? else {
            return Err(PlayerError::NoEvaluation(player.to_string()));
        };
        if self.result().is_some() {
            return Ok(Vec::new());
        }
        let position = self.position();
        let score = |column| {
            let after = position.after(column);
            // As in the search: the end of the game counts, not what it looks like.
            let score = match after.result() {
                Some(result) if result.outcome.winner().is_some() => WIN - i32::from(after.plies()),
                Some(_) => 0,
                None => evaluation.score(&after),
            };
            MoveScore { action: notation::write(column), score: f64::from(score), features: evaluation.explain(&after) }
        };
        Ok(position.columns().map(score).collect())
    }

    fn score(&self) -> Option<String> {
        None
    }

    fn transcript(&self) -> String {
        self.moves.concat()
    }
}
