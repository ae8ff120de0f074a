//! A game for tests: decided by a hash of everything that may decide it, at once or slowly, with a
//! player that panics.

use kembara_engine::arena::ArenaError;
use kembara_engine::player::PlayerError;
use kembara_engine::{
    Arena, ArenaSpec, Domain, Game, GameResult, Genome, Meeting, Openings, Outcome, Parameter, PlayerSpec, Session,
    Table,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The game and all its kinds of players.
pub struct Toss;

/// What a worker under test knows.
pub const GAMES: &[&dyn Game] = &[&Toss];

/// Arenas made in this process, to see whether a definition is prepared once.
pub static ARENAS: AtomicU64 = AtomicU64::new(0);

struct TossArena(ArenaSpec);
struct TossTable<'a>(&'a TossArena);

impl Game for Toss {
    fn name(&self) -> &'static str {
        "toss"
    }

    fn sides(&self) -> [&'static str; 2] {
        ["heads", "tails"]
    }

    fn default_genome(&self) -> &'static str {
        "coin"
    }

    fn genome(&self, name: &str) -> Result<Genome, PlayerError> {
        if name != "coin" {
            return Err(PlayerError::UnknownGenome {
                game: "toss",
                given: kembara_engine::player::shorten(name),
                known: "`coin`".to_owned(),
            });
        }
        let domain = Domain::Int { initial: (0, 9), bounds: (0, 1_000_000) };
        Ok(Genome {
            name: "coin".to_owned(),
            parameters: vec![Parameter { name: "face".to_owned(), meaning: "which side is up".to_owned(), domain }],
        })
    }

    fn named_players(&self) -> &'static [&'static str] {
        &["slow", "glacial", "panic"]
    }

    fn arena(&self, spec: &ArenaSpec) -> Result<Box<dyn Arena>, ArenaError> {
        ARENAS.fetch_add(1, Ordering::Relaxed);
        match &spec.openings {
            Openings::Plies(plies) if *plies > 8 => Err(ArenaError::Limit("at most 8 plies".to_owned())),
            _ => Ok(Box::new(TossArena(spec.clone()))),
        }
    }

    fn session(&self) -> Box<dyn Session> {
        panic!("a toss is never played move by move")
    }

    fn check_player(&self, _player: &PlayerSpec) -> Result<(), PlayerError> {
        Ok(())
    }

    fn perft(&self, _depth: u32, _pass_is_free: bool) -> u64 {
        1
    }
}

impl Arena for TossArena {
    fn players(&self) -> u32 {
        self.0.players.len() as u32
    }

    fn openings(&self) -> u32 {
        match self.0.openings {
            Openings::Plies(plies) => u32::from(plies) * 100,
            _ => 1,
        }
    }

    fn table(&self) -> Box<dyn Table + '_> {
        Box::new(TossTable(self))
    }
}

impl Table for TossTable<'_> {
    fn play(&mut self, meeting: &Meeting) -> GameResult {
        let players = [meeting.first, meeting.second].map(|slot| self.0.0.players[slot as usize].to_string());
        for player in &players {
            match player.as_str() {
                "slow" => std::thread::sleep(Duration::from_millis(20)),
                "glacial" => std::thread::sleep(Duration::from_secs(600)),
                "panic" => panic!("this player panics"),
                _ => {}
            }
        }
        let mut state = meeting.seed ^ u64::from(meeting.opening);
        for byte in players.iter().flat_map(|name| name.bytes().chain([b'|'])) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
        GameResult {
            outcome: Outcome::from_half_points((state % 3) as u8).unwrap(),
            margin: (state >> 8) as u8 as i16 - 128,
            plies: (state >> 32) as u8 as u16,
        }
    }

    fn record(&mut self, meeting: &Meeting) -> (Vec<String>, GameResult) {
        (Vec::new(), self.play(meeting))
    }
}
