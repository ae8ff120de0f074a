//! One game played move by move.

use super::course::Course;
use super::notation;
use super::player::{Player, check_conditions};
use super::search::worth;
use crate::limit::Conditions;
use crate::player::{PlayerError, PlayerSpec, shorten};
use crate::result::{GameResult, Side};
use crate::session::{Choice, IllegalMove, MoveScore, Session};
use crate::variant::{Search, Variant};

pub(super) struct Round {
    course: Course,
    /// As written.
    moves: Vec<String>,
    variant: Variant,
}

impl Round {
    pub(super) fn new() -> Self {
        Self { course: Course::default(), moves: Vec::new(), variant: Variant::PLAY }
    }

    fn fault(&self, given: &str, reason: String) -> IllegalMove {
        IllegalMove { given: shorten(given), ply: self.moves.len() + 1, reason }
    }
}

impl Session for Round {
    fn to_move(&self) -> Option<Side> {
        self.course.outcome().is_none().then(|| self.course.position().to_move())
    }

    fn result(&self) -> Option<GameResult> {
        self.course.result()
    }

    fn legal(&self) -> Vec<String> {
        match self.course.outcome() {
            Some(_) => Vec::new(),
            None => self.course.position().moves().map(|action| action.to_string()).collect(),
        }
    }

    fn play(&mut self, action: &str) -> Result<(), IllegalMove> {
        let position = self.course.position();
        let read = notation::action(action).map_err(|reason| self.fault(action, reason))?;
        if self.course.outcome().is_some() {
            return Err(self.fault(action, "the game is over".to_owned()));
        }
        if !position.allows(read) {
            return Err(self.fault(action, notation::why_illegal(position, read)));
        }
        self.course.play(read);
        self.moves.push(read.to_string());
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.moves.pop();
        self.course.undo()
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn board(&self) -> String {
        notation::board(self.course.position())
    }

    fn search_with(&mut self, search: Search) {
        self.variant = search.variant(Variant::PLAY);
    }

    fn choose(&self, player: &PlayerSpec, conditions: &Conditions, seed: u64) -> Result<Choice, PlayerError> {
        let player = Player::new(player)?;
        check_conditions(conditions).map_err(PlayerError::Conditions)?;
        assert!(self.course.outcome().is_none(), "the game is over: there is no move to choose");
        let chosen = player.choose(&mut self.course.clone(), conditions, seed, self.variant);
        Ok(Choice { action: chosen.action.to_string(), value: chosen.value, nodes: chosen.nodes, depth: chosen.depth })
    }

    fn evaluate(&self, player: &PlayerSpec) -> Result<Vec<MoveScore>, PlayerError> {
        let Player::Searching(evaluation) = Player::new(player)? else {
            return Err(PlayerError::NoEvaluation(player.to_string()));
        };
        let Some(side) = self.to_move() else { return Ok(Vec::new()) };
        let mut course = self.course.clone();
        let score = |action: super::Move| {
            course.play(action);
            // As in the search: the end of the game counts, not what it looks like.
            let score = match course.outcome() {
                Some(outcome) => worth(outcome, course.plies(), side),
                None => evaluation.score(course.position(), side),
            };
            let features = evaluation.explain(course.position(), side);
            course.undo();
            MoveScore { action: action.to_string(), score, features }
        };
        Ok(self.course.position().moves().map(score).collect())
    }

    fn play_line(&mut self, line: &str) -> Result<(), IllegalMove> {
        let moves = notation::line(line).map_err(|reason| self.fault(line, reason))?;
        moves.iter().try_for_each(|action| self.play(&action.to_string()))
    }

    fn score(&self) -> Option<String> {
        None
    }

    /// Numbered pairs of moves: `1. e3-a3 a6-c6 2. …`.
    fn transcript(&self) -> String {
        let pair = |(number, moves): (usize, &[String])| format!("{number}. {}", moves.join(" "));
        (1..).zip(self.moves.chunks(2)).map(pair).collect::<Vec<_>>().join(" ")
    }
}
