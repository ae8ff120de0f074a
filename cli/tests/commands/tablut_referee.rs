//! `kembara engine --protocol tablut-referee` against a scripted referee on a real socket.

use crate::support::{Ran, kembara, ran};
use kembara_engine::tablut::{Course, Turn};
use kembara_engine::{Conditions, Game, PlayerSpec, Session, Side, tablut::Tablut};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Seconds a move in these games.
const TIMEOUT: &str = "1";

/// Starts the program and waits until it connects.
fn connected(player: &str, role: &str) -> (Child, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let mut process = kembara()
        .args(["engine", "--protocol", "tablut-referee", player, "--role", role])
        .args(["--host", "127.0.0.1", "--port", &port, "--timeout", TIMEOUT])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    listener.set_nonblocking(true).unwrap();
    let stream = loop {
        if let Ok((stream, _)) = listener.accept() {
            break stream;
        }
        assert!(process.try_wait().unwrap().is_none(), "it ended without a call");
        std::thread::sleep(Duration::from_millis(5));
    };
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    (process, stream)
}

fn read(stream: &mut TcpStream) -> Value {
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut text = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn framed(text: &[u8]) -> Vec<u8> {
    [&u32::try_from(text.len()).unwrap().to_be_bytes()[..], text].concat()
}

fn state(course: &Course) -> Value {
    let position = course.position();
    let board = position.to_cells().map(|row| row.map(|cell| cell.word()));
    json!({ "board": board, "turn": Turn::new(position.to_move(), course.outcome()).word() })
}

/// The referee's side of one game: every move has to be legal.
struct Referee {
    course: Course,
    session: Box<dyn Session>,
}

impl Referee {
    fn new() -> Self {
        Self { course: Course::new(), session: Tablut.session() }
    }

    fn play(&mut self, text: &str) {
        let legal = self.course.position().moves().find(|action| action.to_string() == text);
        self.course.play(legal.unwrap_or_else(|| panic!("{text} is not legal")));
        self.session.play(text).unwrap();
    }

    /// A whole game; returns how it ended.
    fn lead(&mut self, stream: &mut TcpStream, role: Side, opponent: &str) -> Turn {
        assert_eq!(read(stream), "kembara");
        let opponent = PlayerSpec::Named(opponent.to_owned());
        loop {
            stream.write_all(&framed(state(&self.course).to_string().as_bytes())).unwrap();
            let turn = Turn::new(self.course.position().to_move(), self.course.outcome());
            let Some(to_move) = turn.to_move() else { return turn };
            if to_move == role {
                let answer = read(stream);
                assert_eq!(answer["turn"], turn.word());
                let square = |name: &str| answer[name].as_str().unwrap().to_owned();
                self.play(&format!("{}-{}", square("from"), square("to")));
            } else {
                let chosen = self.session.choose(&opponent, &Conditions::depth(1), 7).unwrap();
                self.play(&chosen.action);
            }
        }
    }
}

#[test]
fn a_whole_game_is_played_on_either_side_without_an_illegal_move() {
    for (role, side, wins, said) in [
        ("white", Side::First, Turn::WhiteWins, "white wins\n"),
        ("black", Side::Second, Turn::BlackWins, "black wins\n"),
    ] {
        let (process, mut stream) = connected("classic", role);
        let ended = Referee::new().lead(&mut stream, side, "random");
        let ran = ran(process.wait_with_output().unwrap());
        assert_eq!((ran.code, ended), (0, wins), "{role}: {}", ran.err);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), (said, ""));
    }
}

#[test]
fn a_player_without_a_search_plays_too_and_hears_that_it_lost() {
    let (process, mut stream) = connected("random", "black");
    let ended = Referee::new().lead(&mut stream, Side::Second, "greedy");
    let ran = ran(process.wait_with_output().unwrap());
    let said = if ended == Turn::WhiteWins { "white wins\n" } else { "a draw\n" };
    assert_eq!((ran.code, ran.out.as_str()), (0, said), "{}", ran.err);
}

#[test]
fn a_board_out_of_nowhere_is_answered_with_a_legal_move() {
    let (process, mut stream) = connected("classic", "white");
    read(&mut stream);
    let mut board = state(&Course::new());
    board["board"][4][2] = "EMPTY".into();
    stream.write_all(&framed(board.to_string().as_bytes())).unwrap();
    let answer = read(&mut stream);
    assert!(answer["from"].is_string() && answer["from"] != "c5", "{answer}");
    board["turn"] = "DRAW".into();
    stream.write_all(&framed(board.to_string().as_bytes())).unwrap();
    let ran = ran(process.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.out.as_str()), (0, "a draw\n"));
    assert!(ran.err.starts_with("warning: ") && ran.err.lines().count() == 1, "{}", ran.err);
}

/// What the program says to a referee that sends these bytes and goes away.
fn told(bytes: &[u8]) -> Ran {
    let (process, mut stream) = connected("classic", "white");
    read(&mut stream);
    stream.write_all(bytes).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let begun = Instant::now();
    let ran = ran(process.wait_with_output().unwrap());
    assert!(begun.elapsed() < Duration::from_secs(30), "it waited for nothing");
    ran
}

#[test]
fn a_broken_referee_ends_the_game_with_a_sentence() {
    let whole = framed(state(&Course::new()).to_string().as_bytes());
    let board = |change: &dyn Fn(&mut Value)| {
        let mut state = state(&Course::new());
        change(&mut state);
        framed(state.to_string().as_bytes())
    };
    told(b"").refuses(1, "closed the connection before the game was over");
    told(&whole[..2]).refuses(1, "in the middle of a message, after 2 of 4 bytes");
    told(&whole[..100]).refuses(1, "in the middle of a message, after 96 of");
    told(&[0xFF; 4]).refuses(1, "announces a message of 4294967295 bytes; at most 65536 are read");
    told(&[0, 1, 0, 1, b'x']).refuses(1, "announces a message of 65537 bytes");
    told(&framed(b"")).refuses(1, "is not a state of a game");
    told(&framed(b"{\"board\":")).refuses(1, "is not a state of a game");
    told(&framed(&[0xFF, 0xFE])).refuses(1, "is not a state of a game");
    told(&framed("[".repeat(60_000).as_bytes())).refuses(1, "is not a state of a game");
    told(&board(&|state| state["turn"] = "GREEN".into())).refuses(1, "`GREEN` is nobody's turn");
    told(&board(&|state| state["board"][0][0] = "QUEEN".into())).refuses(1, "`QUEEN` is nothing");
    told(&board(&|state| state["board"][0][1] = "KING".into())).refuses(1, "makes no sense");
    told(&board(&|state| state["board"] = json!([]))).refuses(1, "9 rows");
}

#[test]
fn what_cannot_be_played_is_refused_before_anybody_is_called() {
    let engine = |rest: &[&str]| {
        let arguments = [&["engine", "--protocol", "tablut-referee"][..], rest].concat();
        ran(kembara().args(arguments).output().unwrap())
    };
    engine(&["forza4", "--role", "white"]).refuses(2, "not a player of tablut");
    engine(&["classic", "--role", "green"]).refuses(2, "green");
    engine(&["classic", "--role", "white", "--timeout", "0"]).refuses(2, "from 0.1 to 86400");
    // A port that nobody listens on any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let nobody = engine(&["classic", "--role", "black", "--host", "127.0.0.1", "--port", &port]);
    nobody.refuses(4, "no referee answers at 127.0.0.1:");
}
