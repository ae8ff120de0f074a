//! A whole game on the protocol of the Tablut competition's referee.
//!
//! The player sends its name. The referee sends the state at the start and after every move, to both
//! players; whoever is to move answers with a move. The last state tells the winner.

mod frame;
mod message;
mod thought;

use crate::failure::{Done, Failure};
use crate::output;
use clap::{Args, ValueEnum};
use frame::Wire;
use kembara_engine::tablut::{Course, Position, Turn};
use kembara_engine::{PlayerSpec, Side};
use message::{Answer, State};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;
use thought::Thinker;

/// Where the referee is, and the player's part in the game.
#[derive(Args, Debug)]
pub struct Referee {
    /// With tablut-referee: the side
    #[arg(long, value_enum, required_if_eq("protocol", "tablut-referee"))]
    role: Option<Role>,
    /// With tablut-referee: the referee's host
    #[arg(long, default_value = "localhost")]
    host: String,
    /// The referee's port; usually 5800 for White and 5801 for Black
    #[arg(long)]
    port: Option<u16>,
    /// With tablut-referee: seconds for a move; the answer is on its way some time before
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    timeout: Duration,
    /// The name told to the referee
    #[arg(long, default_value = "kembara")]
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Role {
    White,
    Black,
}

impl Role {
    const fn side(self) -> Side {
        match self {
            Self::White => Side::First,
            Self::Black => Side::Second,
        }
    }

    const fn port(self) -> u16 {
        match self {
            Self::White => 5800,
            Self::Black => 5801,
        }
    }
}

/// Seconds as people write them.
fn seconds(text: &str) -> Result<Duration, String> {
    let value = text.parse().ok().filter(|seconds| (0.1..=86_400.0).contains(seconds));
    value.map(Duration::from_secs_f64).ok_or_else(|| "a time is a number of seconds from 0.1 to 86400".to_owned())
}

/// Plays one game.
pub fn run(player: PlayerSpec, seed: u64, arguments: &Referee) -> Done {
    let role = arguments.role.ok_or_else(|| Failure::usage("name the side with --role white or --role black"))?;
    let mut wire = connect(&arguments.host, arguments.port.unwrap_or(role.port()))?;
    wire.send(&arguments.name)?;
    let thinker = Thinker::new(player, arguments.timeout, seed);
    let turn = play(&mut wire, &thinker, role.side())?;
    let ended = match turn {
        Turn::WhiteWins => "white wins",
        Turn::BlackWins => "black wins",
        _ => "a draw",
    };
    output::print(&format!("{ended}\n"))
}

fn connect(host: &str, port: u16) -> Result<Wire, Failure> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::unreachable(format!(
            "no referee answers at {host}:{port}: {error}; start it first, or name another with --host and --port"
        ))
    };
    let addresses = (host, port).to_socket_addrs().map_err(|error| cannot(&error))?;
    let mut last = None;
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Wire::new(stream),
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or_else(|| cannot(&"the name has no address"), |error| cannot(&error)))
}

/// Plays until the referee says that the game is over.
fn play(wire: &mut Wire, thinker: &Thinker, side: Side) -> Result<Turn, Failure> {
    let mut followed = Followed::new();
    loop {
        let state: State = wire.receive()?;
        let turn = state.turn()?;
        let Some(to_move) = turn.to_move() else { return Ok(turn) };
        let position = state.position(to_move)?;
        followed.to(&position);
        if to_move != side {
            continue;
        }
        let Some(first) = position.moves().next() else {
            return Err(Failure::failed("the referee asks for a move in a position that has none"));
        };
        let action = match &followed.course {
            Some((course, moves)) if course.outcome().is_none() => thinker.choose(moves, first),
            _ => first,
        };
        wire.send(&Answer::new(action, turn))?;
    }
}

/// The game so far, as long as the referee's boards follow from each other.
struct Followed {
    course: Option<(Course, Vec<String>)>,
}

impl Followed {
    fn new() -> Self {
        Self { course: Some((Course::new(), Vec::new())) }
    }

    /// Takes in the position that the referee shows. What does not follow by the rules ends the
    /// following: from then on the board alone is known, and any legal move has to do.
    fn to(&mut self, next: &Position) {
        let Some((course, moves)) = &mut self.course else { return };
        if course.position() == next {
            return;
        }
        match course.position().move_to(next).filter(|_| course.outcome().is_none()) {
            Some(action) => {
                course.play(action);
                moves.push(action.to_string());
            }
            None => {
                eprintln!(
                    "warning: the referee's board does not follow from the game so far; any legal move is played from now on"
                );
                self.course = None;
            }
        }
    }
}
