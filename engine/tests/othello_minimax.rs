//! The search against plain minimax on a plain board, written apart from the engine and from the
//! description of GeneThello's player alone: same move, same value.

use kembara_engine::othello::WON;
use kembara_engine::random::{Key, Stream};
use kembara_engine::{Chromosome, Conditions, Domain, Gene, Limit, PlayerSpec, Session, registry};

/// 1 and -1 are the two colours, 0 is empty; squares in the order a1 b1 … h8.
#[derive(Clone)]
struct Board([i32; 64]);

impl Board {
    fn start() -> Self {
        let mut squares = [0; 64];
        (squares[28], squares[35]) = (1, 1);
        (squares[27], squares[36]) = (-1, -1);
        Self(squares)
    }

    /// The squares turned by a disc of `colour`; none when the move is illegal.
    fn turned(&self, square: usize, colour: i32) -> Vec<usize> {
        let mut turned = Vec::new();
        if self.0[square] != 0 {
            return turned;
        }
        for (right, up) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut column, mut row) = (square as i32 % 8 + right, square as i32 / 8 + up);
            let mut run = Vec::new();
            while (0..8).contains(&column) && (0..8).contains(&row) {
                let here = (row * 8 + column) as usize;
                if self.0[here] == -colour {
                    run.push(here);
                } else {
                    if self.0[here] == colour {
                        turned.append(&mut run);
                    }
                    break;
                }
                (column, row) = (column + right, row + up);
            }
        }
        turned
    }

    fn moves(&self, colour: i32) -> Vec<usize> {
        (0..64).filter(|&square| !self.turned(square, colour).is_empty()).collect()
    }

    fn play(&self, square: usize, colour: i32) -> (Self, i32) {
        let turned = self.turned(square, colour);
        let mut after = self.clone();
        after.0[square] = colour;
        for &square in &turned {
            after.0[square] = colour;
        }
        (after, turned.len() as i32)
    }

    fn sum(&self, squares: &[usize], colour: i32) -> i32 {
        squares.iter().map(|&square| self.0[square] * colour).sum()
    }

    /// Each region of empty squares that touch by side or corner: +1 when even, -1 when odd.
    fn parity(&self) -> i32 {
        let mut seen = [false; 64];
        let mut parity = 0;
        for start in 0..64 {
            let mut open = vec![start];
            let mut size = 0;
            while let Some(square) = open.pop() {
                if seen[square] || self.0[square] != 0 {
                    continue;
                }
                seen[square] = true;
                size += 1;
                let (column, row) = (square % 8, square / 8);
                for column in column.saturating_sub(1)..=(column + 1).min(7) {
                    open.extend((row.saturating_sub(1)..=(row + 1).min(7)).map(|row| row * 8 + column));
                }
            }
            if size > 0 {
                parity += if size % 2 == 0 { 1 } else { -1 };
            }
        }
        parity
    }
}

const CORNERS: [usize; 4] = [0, 7, 56, 63];
const X_SQUARES: [usize; 4] = [9, 14, 49, 54];

struct Oracle<'a> {
    letters: &'a str,
    genes: Vec<i32>,
}

impl Oracle<'_> {
    /// The author's formula, for `colour` who has just turned `flips` discs.
    fn score(&self, board: &Board, colour: i32, flips: i32) -> i32 {
        let number = board.0.iter().filter(|&&disc| disc != 0).count() as i32 - 4;
        let stage = if number <= self.genes[0] {
            0
        } else if number <= self.genes[1] {
            1
        } else {
            2
        };
        let all: Vec<_> = (0..64).collect();
        let weights = &self.genes[2 + stage * self.letters.len()..];
        let term = |(letter, &weight): (char, &i32)| match letter {
            'f' => weight * flips,
            'd' => weight * board.sum(&all, colour),
            'm' => -weight * board.moves(-colour).len() as i32,
            'x' => -weight * board.sum(&X_SQUARES, colour),
            'y' => {
                let open = (0..4).filter(|&place| board.0[CORNERS[place]] == 0).map(|place| X_SQUARES[place]);
                -weight * board.sum(&open.collect::<Vec<_>>(), colour)
            }
            'c' => weight * board.sum(&CORNERS, colour),
            'r' => weight * board.parity(),
            _ => panic!("no feature {letter}"),
        };
        self.letters.chars().zip(weights).map(term).sum()
    }

    /// The value for `colour`, to move, whose opponent has just turned `flips` discs.
    fn value(&self, board: &Board, colour: i32, flips: i32, depth: u8) -> i32 {
        let moves = board.moves(colour);
        if moves.is_empty() && board.moves(-colour).is_empty() {
            let margin = board.0.iter().sum::<i32>() * colour;
            return WON * margin.signum() + margin;
        }
        if depth == 0 {
            return -self.score(board, -colour, flips);
        }
        if moves.is_empty() {
            return -self.value(board, -colour, 0, depth);
        }
        moves.into_iter().map(|square| self.value_of(board, square, colour, depth)).max().unwrap()
    }

    fn value_of(&self, board: &Board, square: usize, colour: i32, depth: u8) -> i32 {
        let (after, flips) = board.play(square, colour);
        -self.value(&after, -colour, flips, depth - 1)
    }

    /// The first of the best moves.
    fn best(&self, board: &Board, colour: i32, depth: u8) -> (usize, i32) {
        let mut best = None;
        for square in board.moves(colour) {
            let value = self.value_of(board, square, colour, depth);
            if best.is_none_or(|(_, other)| value > other) {
                best = Some((square, value));
            }
        }
        best.unwrap()
    }
}

fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

/// A random non-empty set of letters, and a chromosome with few distinct weights so that ties abound.
fn player(stream: &mut Stream) -> (PlayerSpec, String, Vec<i32>) {
    let letters: String = loop {
        let letters: String = "fdmxycr".chars().filter(|_| stream.chance(0.5)).collect();
        if !letters.is_empty() {
            break letters;
        }
    };
    let prefix = if stream.chance(0.5) { "oe_" } else { "oes_" };
    let genome = registry::game("othello").unwrap().genome(&format!("{prefix}{letters}")).unwrap();
    let coarse = stream.chance(0.5);
    let genes: Vec<i32> = genome
        .parameters
        .iter()
        .map(|parameter| match parameter.domain {
            Domain::Int { initial: (low, high), .. } => {
                let value = stream.between(low, high);
                if coarse && parameter.name.starts_with('w') { value.signum() } else { value }
            }
            Domain::Real { .. } => panic!("Othello's genes are whole numbers"),
        })
        .collect();
    let chromosome = Chromosome(genes.iter().copied().map(Gene::Int).collect());
    (PlayerSpec::Evolved { genome: genome.name, chromosome }, letters, genes)
}

/// Plays random moves until `empty` squares are left or the game ends, on both boards.
fn random_position(stream: &mut Stream, empty: usize) -> (Box<dyn Session>, Board, i32) {
    let mut session = registry::game("othello").unwrap().session();
    let (mut board, mut colour) = (Board::start(), 1);
    while board.0.iter().filter(|&&disc| disc == 0).count() > empty {
        let moves = board.moves(colour);
        if moves.is_empty() {
            if board.moves(-colour).is_empty() {
                break;
            }
            session.play("pass").unwrap();
        } else {
            let square = moves[stream.below(moves.len() as u64) as usize];
            session.play(&name(square)).unwrap();
            board = board.play(square, colour).0;
        }
        colour = -colour;
    }
    (session, board, colour)
}

/// Compares search and oracle in positions with `empty` squares left; counts those with a choice.
fn compare(purpose: &str, depth: u8, positions: u32, empty: std::ops::RangeInclusive<i32>) {
    let mut stream = Key::new(20, u32::from(depth), purpose).stream(0);
    let mut compared = 0;
    let mut passes_below = 0;
    while compared < positions {
        let empty = stream.between(*empty.start(), *empty.end()) as usize;
        let (session, board, colour) = random_position(&mut stream, empty);
        let moves = board.moves(colour);
        if moves.is_empty() {
            continue;
        }
        assert_eq!(session.legal(), moves.iter().copied().map(name).collect::<Vec<_>>());
        let (spec, letters, genes) = player(&mut stream);
        let oracle = Oracle { letters: &letters, genes };
        let (square, value) = oracle.best(&board, colour, depth);
        let choice = session.choose(&spec, &Conditions::depth(depth), 0).unwrap();
        assert_eq!(
            (choice.action.as_str(), choice.value),
            (name(square).as_str(), Some(f64::from(value))),
            "{spec} at depth {depth} after {:?}",
            session.moves()
        );
        passes_below += u32::from(moves.iter().any(|&square| board.play(square, colour).0.moves(-colour).is_empty()));
        compared += 1;
    }
    assert!(*empty.end() > 12 || passes_below > positions / 10, "{passes_below} positions with a pass below them");
}

#[test]
fn one_ply_is_the_scores_of_the_moves() {
    compare("anywhere", 1, 4000, 1..=60);
}

#[test]
fn two_plies_agree_with_minimax() {
    compare("anywhere", 2, 1500, 1..=60);
}

#[test]
fn three_plies_agree_with_minimax() {
    compare("anywhere", 3, 500, 1..=60);
}

#[test]
fn four_plies_agree_with_minimax() {
    compare("anywhere", 4, 100, 1..=60);
}

#[test]
fn ends_of_games_agree_with_minimax_through_passes_and_finished_games() {
    compare("ends", 2, 1500, 1..=12);
    compare("ends", 3, 1000, 1..=9);
    compare("ends", 4, 800, 1..=7);
    compare("ends", 9, 400, 1..=6);
}

#[test]
fn a_budget_of_nodes_plays_the_last_depth_it_searched_in_full() {
    let mut stream = Key::new(21, 0, "nodes").stream(0);
    for _ in 0..300 {
        let empty = stream.between(1, 60) as usize;
        let (session, board, colour) = random_position(&mut stream, empty);
        if board.moves(colour).is_empty() {
            continue;
        }
        let (spec, ..) = player(&mut stream);
        let nodes = stream.below(3000) + 1;
        let limited = Conditions { limit: Limit::Nodes(nodes), epsilon: 0.0 };
        let choice = session.choose(&spec, &limited, 0).unwrap();
        assert_eq!(session.choose(&spec, &limited, 0).unwrap(), choice, "the same again");
        let fixed = session.choose(&spec, &Conditions::depth(choice.depth), 0).unwrap();
        assert_eq!((&choice.action, choice.value), (&fixed.action, fixed.value));
        // The budget is used, or the end of the game is seen; and it is overrun by a node's work at most.
        let all = board.0.iter().filter(|&&disc| disc == 0).count();
        assert!(choice.nodes >= nodes || usize::from(choice.depth) == all, "{choice:?} of {nodes} nodes");
        assert!(choice.nodes < nodes + 40 * 40, "{choice:?} of {nodes} nodes");
    }
}
