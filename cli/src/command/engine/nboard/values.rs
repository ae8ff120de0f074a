//! What moves are worth.

use crate::failure::{Done, Failure};
use crate::playing::Machine;
use kembara_engine::othello::WON;
use kembara_engine::othello::notation::PASS;
use kembara_engine::{Limit, Session, Side};
use std::time::Duration;

/// A value as it is told: discs once the end of the game is seen, else the player's evaluation.
pub fn shown(value: f64) -> f64 {
    let won = f64::from(WON);
    if value.abs() < won { value } else { value - won.copysign(value) }
}

/// Every legal move with its value for the side to move and the plies searched behind it, the best
/// first; of equal ones the first of the board.
pub fn of_moves(machine: &Machine, game: &mut dyn Session) -> Result<Vec<(String, f64, u8)>, Failure> {
    let legal = game.legal();
    let mut values = Vec::with_capacity(legal.len());
    for action in &legal {
        values.push(value(machine, game, action, legal.len())?);
    }
    values.sort_by(|(_, one, _), (_, other, _)| other.total_cmp(one));
    Ok(values)
}

/// A move's value is the negative of what the opponent can make of it with the rest of the limit.
fn value(machine: &Machine, game: &mut dyn Session, action: &str, moves: usize) -> Result<(String, f64, u8), Failure> {
    let leaf = leaf(machine, game, action);
    let (mover, before) = (game.to_move(), game.moves().len());
    play(game, action)?;
    if action != PASS && game.legal() == [PASS] {
        play(game, PASS)?;
    }
    let found = match (game.to_move(), game.result(), rest(machine.limit, moves)) {
        (_, Some(result), _) => Ok((finished(f64::from(result.margin), mover), 1)),
        (_, None, None) => leaf.map(|score| (score, 1)),
        (turn, None, Some(rest)) => machine.choose_within(game, rest).map(|choice| {
            let value = choice.value.unwrap_or_default();
            (if turn == mover { value } else { -value }, choice.depth + 1)
        }),
    };
    while game.moves().len() > before && game.undo() {}
    found.map(|(value, depth)| (action.to_owned(), value, depth))
}

/// What is left of the limit after a move, for one of so many; `None` for nothing.
fn rest(limit: Limit, moves: usize) -> Option<Limit> {
    let moves = u32::try_from(moves).unwrap_or(u32::MAX).max(1);
    match limit {
        Limit::Depth(depth) => (depth > 1).then(|| Limit::Depth(depth - 1)),
        Limit::Nodes(nodes) => Some(Limit::Nodes((nodes / u64::from(moves)).max(1))),
        Limit::Time(time) => Some(Limit::Time((time / moves).max(Duration::from_millis(1)))),
    }
}

/// The value of a finished game for a side, from the first player's margin.
fn finished(margin: f64, side: Option<Side>) -> f64 {
    let margin = if side == Some(Side::First) { margin } else { -margin };
    if margin == 0.0 { 0.0 } else { margin + f64::from(WON).copysign(margin) }
}

fn play(game: &mut dyn Session, action: &str) -> Done {
    game.play(action).map_err(|error| Failure::failed(error.to_string()))
}

fn leaf(machine: &Machine, game: &dyn Session, action: &str) -> Result<f64, Failure> {
    let scores = game.evaluate(&machine.name.player).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(scores.iter().find(|score| score.action == action).map_or(0.0, |score| score.score))
}
