//! Othello move by move.

use super::bitboard::{Bitboard, Square};
use super::cpu::{Cpu, Level, Task};
use super::evaluation::Made;
use super::notation::{self, Action};
use super::player::{Chosen, Player, Seat, check_conditions};
use super::position::Position;
use super::search::{self, Choices, Searcher};
use crate::limit::Conditions;
use crate::player::{PlayerError, PlayerSpec, shorten};
use crate::result::{GameResult, Side};
use crate::session::{Choice, IllegalMove, MoveScore, Session};
use crate::variant::Search;
use std::fmt::Write;

/// A game of Othello in progress.
pub(super) struct OthelloSession {
    level: Level,
    /// All positions so far, the current one last, each with the side to move.
    positions: Vec<(Position, Side)>,
    moves: Vec<String>,
    search: Search,
}

impl OthelloSession {
    pub(super) fn new(level: Level) -> Self {
        Self { level, positions: vec![(Position::START, Side::First)], moves: Vec::new(), search: search::DEFAULT }
    }

    fn now(&self) -> (Position, Side) {
        *self.positions.last().expect("the start position is never taken back")
    }

    fn actions(&self) -> Actions {
        let (position, _) = self.now();
        let moves = self.level.run(Moves(position));
        if !moves.is_empty() {
            Actions::Moves(moves)
        } else if !self.level.run(Moves(position.passed())).is_empty() {
            Actions::Pass
        } else {
            Actions::Over
        }
    }
}

/// What the side to move can do.
enum Actions {
    Moves(Bitboard),
    Pass,
    Over,
}

impl Session for OthelloSession {
    fn to_move(&self) -> Option<Side> {
        match self.actions() {
            Actions::Over => None,
            Actions::Moves(_) | Actions::Pass => Some(self.now().1),
        }
    }

    fn result(&self) -> Option<GameResult> {
        let (position, side) = self.now();
        matches!(self.actions(), Actions::Over).then(|| position.result(side))
    }

    fn legal(&self) -> Vec<String> {
        match self.actions() {
            Actions::Moves(moves) => moves.into_iter().map(|square| square.to_string()).collect(),
            Actions::Pass => vec![notation::PASS.to_owned()],
            Actions::Over => Vec::new(),
        }
    }

    fn play(&mut self, action: &str) -> Result<(), IllegalMove> {
        let illegal = |reason: String| IllegalMove { given: shorten(action), ply: self.moves.len() + 1, reason };
        let read = notation::parse_action(action.trim());
        let (position, side) = self.now();
        let next = match (self.actions(), read) {
            (Actions::Over, _) => return Err(illegal("the game is over".to_owned())),
            (Actions::Pass, Some(Action::Pass)) => position.passed(),
            (Actions::Pass, _) => return Err(illegal(format!("there is no legal move but `{}`", notation::PASS))),
            (Actions::Moves(moves), Some(Action::Place(square))) if moves.contains(square) => {
                self.level.run(After(position, square))
            }
            (Actions::Moves(moves), Some(_)) => return Err(illegal(format!("the legal moves are {moves}"))),
            (Actions::Moves(moves), None) => {
                return Err(illegal(format!("a move is a square as in d3; the legal ones are {moves}")));
            }
        };
        self.positions.push((next, side.other()));
        // A move that was found legal was read.
        self.moves.extend(read.map(|action| action.to_string()));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let taken_back = self.moves.pop().is_some();
        if taken_back {
            self.positions.pop();
        }
        taken_back
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn board(&self) -> String {
        const FILES: &str = "  a b c d e f g h\n";
        let (position, side) = self.now();
        let (black, white) = match side {
            Side::First => (position.own, position.other),
            Side::Second => (position.other, position.own),
        };
        let mut text = String::from(FILES);
        for row in 0..8 {
            let _ = write!(text, "{}", row + 1);
            for square in (row * 8..row * 8 + 8).filter_map(Square::new) {
                let mark = match (black.contains(square), white.contains(square)) {
                    (true, _) => 'X',
                    (_, true) => 'O',
                    _ => '.',
                };
                let _ = write!(text, " {mark}");
            }
            let _ = writeln!(text, " {}", row + 1);
        }
        text.push_str(FILES);
        text
    }

    fn search_with(&mut self, search: Search) {
        self.search = search;
    }

    fn choose(&self, player: &PlayerSpec, conditions: &Conditions, seed: u64) -> Result<Choice, PlayerError> {
        let player = &Player::new(player)?;
        check_conditions(conditions).map_err(PlayerError::Conditions)?;
        let (position, side) = self.now();
        match self.actions() {
            Actions::Over => panic!("the game is over: nobody can choose a move"),
            Actions::Pass => Ok(Choice { action: notation::PASS.to_owned(), value: None, nodes: 0, depth: 0 }),
            Actions::Moves(moves) => {
                let seat = Seat { player, conditions, side, seed };
                let chosen = self.level.run(Choose { seat, search: self.search, choices: Choices { position, moves } });
                Ok(Choice {
                    action: chosen.square.to_string(),
                    value: chosen.value.map(f64::from),
                    nodes: chosen.nodes,
                    depth: chosen.depth,
                })
            }
        }
    }

    fn evaluate(&self, player: &PlayerSpec) -> Result<Vec<MoveScore>, PlayerError> {
        let Player::Evolved(evaluation) = Player::new(player)? else {
            return Err(PlayerError::NoEvaluation(player.to_string()));
        };
        let (position, _) = self.now();
        let made = self.level.run(AllMade(position));
        Ok(made
            .into_iter()
            .map(|(square, made)| {
                let features = evaluation.features(made);
                MoveScore {
                    action: square.to_string(),
                    score: features.iter().map(|(_, value, weight)| value * weight).sum::<i32>().into(),
                    features: features
                        .into_iter()
                        .map(|(feature, value, weight)| (feature.name(), value.into(), weight.into()))
                        .collect(),
                }
            })
            .collect())
    }

    fn play_line(&mut self, line: &str) -> Result<(), IllegalMove> {
        let actions = notation::parse_line(line).map_err(|reason| IllegalMove {
            given: shorten(line),
            ply: self.moves.len() + 1,
            reason,
        })?;
        for action in actions {
            // People often leave forced passes out.
            if action != Action::Pass && matches!(self.actions(), Actions::Pass) {
                self.play(notation::PASS)?;
            }
            self.play(&action.to_string())?;
        }
        Ok(())
    }

    fn score(&self) -> Option<String> {
        let (position, side) = self.now();
        let discs = [position.own.count(), position.other.count()];
        Some(format!("{}-{}", discs[side.index()], discs[side.other().index()]))
    }

    fn transcript(&self) -> String {
        notation::transcript(&self.moves)
    }
}

/// The legal moves of a position.
struct Moves(Position);

impl Task for Moves {
    type Output = Bitboard;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Bitboard {
        self.0.moves(cpu)
    }
}

/// The position after a legal move.
struct After(Position, Square);

impl Task for After {
    type Output = Position;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Position {
        self.0.after(self.1, self.0.flips(cpu, self.1))
    }
}

/// Every legal move, made.
struct AllMade(Position);

impl Task for AllMade {
    type Output = Vec<(Square, Made)>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Self::Output {
        let position = self.0;
        let made = |square| {
            let flips = position.flips(cpu, square);
            let after = position.after(square, flips);
            (square, Made { after, flips: flips.count(), mobility: after.moves(cpu).count() })
        };
        position.moves(cpu).into_iter().map(made).collect()
    }
}

struct Choose<'a> {
    seat: Seat<'a>,
    search: Search,
    choices: Choices,
}

impl Task for Choose<'_> {
    type Output = Chosen;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Chosen {
        self.seat.choose(cpu, &mut Searcher::new(self.search), self.choices)
    }
}
