//! A board with somebody to move: where a game begins, or any board of it.

use crate::othello::bitboard::{Bitboard, Square};
use crate::othello::cpu::{Cpu, Level, Task};
use crate::othello::position::Position;
use crate::result::Side;
use std::fmt;
use std::str::FromStr;

/// A board of 8x8 and the side to move. No square has two discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    position: Position,
    to_move: Side,
}

/// Why something is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotABoard {
    /// A square with two discs.
    #[error("{0} has a black and a white disc")]
    Both(Square),
    /// Not 64 squares.
    #[error("a board has 64 squares and then X or O for the side to move, but here are {0} marks")]
    Marks(usize),
    /// A letter that is no mark.
    #[error("`{0}` is not a mark of a board: X or * is black, O is white, . or - is empty")]
    Letter(char),
}

impl Start {
    /// The start of a game: black has e4 and d5, white d4 and e5, black moves.
    pub const STANDARD: Self = Self { position: Position::START, to_move: Side::First };

    /// A board of these discs.
    ///
    /// # Errors
    /// [`NotABoard::Both`] when a square is in both sets.
    pub fn new(black: Bitboard, white: Bitboard, to_move: Side) -> Result<Self, NotABoard> {
        match (black & white).first() {
            Some(square) => Err(NotABoard::Both(square)),
            None => Ok(Self::of(black, white, to_move)),
        }
    }

    fn of(black: Bitboard, white: Bitboard, to_move: Side) -> Self {
        let [own, other] = match to_move {
            Side::First => [black, white],
            Side::Second => [white, black],
        };
        Self { position: Position { own, other }, to_move }
    }

    pub(super) const fn seen_by(to_move: Side, position: Position) -> Self {
        Self { position, to_move }
    }

    /// The board as the side to move sees it.
    #[must_use]
    pub const fn position(self) -> Position {
        self.position
    }

    /// Who moves next (or would, when the game is over).
    #[must_use]
    pub const fn to_move(self) -> Side {
        self.to_move
    }

    /// Black's discs.
    #[must_use]
    pub const fn black(self) -> Bitboard {
        match self.to_move {
            Side::First => self.position.own,
            Side::Second => self.position.other,
        }
    }

    /// White's discs.
    #[must_use]
    pub const fn white(self) -> Bitboard {
        match self.to_move {
            Side::First => self.position.other,
            Side::Second => self.position.own,
        }
    }

    /// The moves of the side to move.
    #[must_use]
    pub fn moves(self) -> Bitboard {
        Level::best().run(Moves(self.position))
    }

    /// Whether neither side can move.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.moves().is_empty() && Level::best().run(Moves(self.position.passed())).is_empty()
    }

    /// `X` for black, `O` for white, `.` for empty.
    #[must_use]
    pub const fn mark(self, square: Square) -> char {
        match (self.black().contains(square), self.white().contains(square)) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '.',
        }
    }
}

/// Eight rows and the side to move, in one line: `........ … X`. It reads back.
impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(73);
        for square in !Bitboard::EMPTY {
            if square.index() > 0 && square.index() % 8 == 0 {
                text.push(' ');
            }
            text.push(self.mark(square));
        }
        f.write_str(&text)?;
        f.write_str(if self.to_move == Side::First { " X" } else { " O" })
    }
}

/// Reads 64 marks a1 b1 … h8, blanks anywhere, and then `X`, `*` or `O` for who moves; black when
/// nobody is named.
impl FromStr for Start {
    type Err = NotABoard;

    fn from_str(text: &str) -> Result<Self, NotABoard> {
        let mut sets = [Bitboard::EMPTY; 2];
        let mut to_move = Side::First;
        let mut count = 0_usize;
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let owner = owner(letter).ok_or(NotABoard::Letter(letter))?;
            let square = u8::try_from(count).ok().and_then(Square::new);
            match (square, owner) {
                (Some(square), Some(side)) => sets[side.index()] |= square.bit(),
                (Some(_), None) => {}
                (None, Some(side)) if count == 64 => to_move = side,
                (None, _) => return Err(NotABoard::Marks(text.split_whitespace().map(str::len).sum())),
            }
            count += 1;
        }
        if count < 64 { Err(NotABoard::Marks(count)) } else { Ok(Self::of(sets[0], sets[1], to_move)) }
    }
}

/// Whose disc a mark is, `None` inside for an empty square, or `None` when it is no mark.
pub(super) const fn owner(letter: char) -> Option<Option<Side>> {
    match letter {
        'X' | 'x' | '*' => Some(Some(Side::First)),
        'O' | 'o' => Some(Some(Side::Second)),
        '.' | '-' | '_' => Some(None),
        _ => None,
    }
}

struct Moves(Position);

impl Task for Moves {
    type Output = Bitboard;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Bitboard {
        self.0.moves(cpu)
    }
}
