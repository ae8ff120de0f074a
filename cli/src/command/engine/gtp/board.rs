//! The board of a game that both ends follow, move by move of the protocol.

use kembara_engine::{Game, Session, Side, othello::Othello};

/// What a forced pass is called.
pub const PASS: &str = "pass";

/// A game. The protocol's moves and the game's differ: a forced pass may be left out, and once the
/// game is over both sides may go on passing.
pub struct Board {
    session: Box<dyn Session>,
    /// How many moves of the game there were before each move of the protocol.
    before: Vec<usize>,
}

impl Board {
    /// The start position.
    pub fn new() -> Self {
        Self { session: crate::playing::session(&Othello), before: Vec::new() }
    }

    /// The game.
    pub fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// Whether a side has nothing to say but `pass`.
    pub fn is_over(&self) -> bool {
        self.session.to_move().is_none()
    }

    /// Plays a move of a side, a square or `pass`.
    pub fn play(&mut self, side: Side, action: &str) -> Result<(), String> {
        let before = self.session.moves().len();
        let action = action.to_ascii_lowercase();
        if self.is_over() {
            if action != PASS {
                return Err("illegal move: the game is over".to_owned());
            }
        } else {
            self.turn_to(side).map_err(|why| format!("illegal move: {why}"))?;
            if let Err(error) = self.session.play(&action) {
                self.back_to(before);
                return Err(format!("illegal move: {}", error.reason));
            }
        }
        self.before.push(before);
        Ok(())
    }

    /// Asks something about the position with a side to move, over a forced pass that nobody
    /// mentioned. The game stays as it is.
    pub fn on_turn_of<T>(&mut self, side: Side, ask: impl FnOnce(&dyn Session) -> T) -> Result<T, String> {
        let before = self.session.moves().len();
        self.turn_to(side)?;
        let answer = ask(self.session());
        self.back_to(before);
        Ok(answer)
    }

    fn turn_to(&mut self, side: Side) -> Result<(), String> {
        if self.session.to_move() == Some(side) {
            return Ok(());
        }
        if self.session.legal() == [PASS] && self.session.play(PASS).is_ok() {
            return Ok(());
        }
        Err(format!("it is {}'s turn", Othello.sides()[side.other().index()]))
    }

    /// Takes back the protocol's last move.
    pub fn undo(&mut self) -> bool {
        let before = self.before.pop();
        before.is_some_and(|before| {
            self.back_to(before);
            true
        })
    }

    fn back_to(&mut self, moves: usize) {
        while self.session.moves().len() > moves && self.session.undo() {}
    }
}
