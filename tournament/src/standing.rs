//! What the games of a generation gave to each participant.

use crate::elo::{self, Elo};
use kembara_engine::GameResult;

/// Games won, drawn and lost, and the sum of margins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Sum of own margins in the unit of the game.
    pub margin: i64,
}

impl Tally {
    /// Games played.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Two for a win, one for a draw.
    #[must_use]
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Adds one game from the side of a player who took `half_points` (0, 1, 2) with this margin.
    fn add(&mut self, half_points: u8, margin: i64) {
        // Without branches: nothing predicts who wins.
        self.wins += u64::from(half_points == 2);
        self.draws += u64::from(half_points == 1);
        self.losses += u64::from(half_points == 0);
        self.margin += margin;
    }
}

/// One participant's generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Its games.
    pub tally: Tally,
    /// Its rating before the first game.
    pub before: Elo,
    /// Its rating now.
    pub elo: Elo,
}

impl Standing {
    fn new(elo: Elo) -> Self {
        Self { tally: Tally::default(), before: elo, elo }
    }
}

/// The standings of all participants while results come in, in pairing order.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    k: f64,
    /// The participants, then the given opponents.
    list: Vec<Standing>,
    participants: usize,
}

impl Standings {
    /// Nobody has played. `k` is the most that a game can move a rating.
    #[must_use]
    pub fn new(ratings: impl IntoIterator<Item = Elo>, k: f64) -> Self {
        let list: Vec<_> = ratings.into_iter().map(Standing::new).collect();
        Self { k, participants: list.len(), list }
    }

    /// The same with given opponents on the places after those of the participants. Their games move
    /// the participants' ratings; their own rating is an anchor that stays, and they are in no list.
    #[must_use]
    pub fn against(mut self, opponents: u32, rating: Elo) -> Self {
        self.list.extend((0..opponents).map(|_| Standing::new(rating)));
        self
    }

    /// Adds the next game in pairing order. A game of a participant against itself counts among its
    /// wins, draws and losses, on both sides, and leaves its rating alone.
    ///
    /// # Panics
    /// When a place is not one of the players.
    pub fn add(&mut self, first: u32, second: u32, result: &GameResult) {
        let half_points = result.outcome.half_points();
        let margin = i64::from(result.margin);
        let (one, other) = (first as usize, second as usize);
        self.list[one].tally.add(half_points, margin);
        self.list[other].tally.add(2 - half_points, -margin);
        if one != other {
            let (up, down) = elo::update(self.list[one].elo, self.list[other].elo, half_points, self.k);
            if one < self.participants {
                self.list[one].elo = up;
            }
            if other < self.participants {
                self.list[other].elo = down;
            }
        }
    }

    /// The standings so far, by participant.
    #[must_use]
    pub fn list(&self) -> &[Standing] {
        &self.list[..self.participants]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kembara_engine::Outcome;

    const START: f64 = 1500.0;

    fn start(participants: usize) -> Standings {
        Standings::new(vec![Elo::new(START).unwrap(); participants], 10.0)
    }

    fn game(outcome: Outcome, margin: i16) -> GameResult {
        GameResult { outcome, margin, plies: 60 }
    }

    #[test]
    fn a_win_counts_once_for_each_side() {
        let mut standings = start(3);
        standings.add(2, 0, &game(Outcome::FirstWins, 12));
        standings.add(0, 2, &game(Outcome::Draw, 0));
        let [zero, one, two] = standings.list() else { panic!("three were given") };
        assert_eq!(two.tally, Tally { wins: 1, draws: 1, losses: 0, margin: 12 });
        assert_eq!(zero.tally, Tally { wins: 0, draws: 1, losses: 1, margin: -12 });
        assert_eq!(one.tally.games(), 0);
        assert_eq!((two.tally.half_points(), zero.tally.half_points()), (3, 1));
        assert_eq!(one.elo.get(), START);
        assert!(two.elo > zero.elo && two.before.get() == START);
    }

    #[test]
    fn the_rating_after_two_games_is_the_one_worked_out_by_hand() {
        // First 1505 : 1495. Then 1505 loses to 1495: it was expected to take
        // 1/(1 + 10^(-10/400)) = 0.5143871841659987, so 5.143871841659987 points change hands.
        let mut standings = start(2);
        standings.add(0, 1, &game(Outcome::FirstWins, 2));
        standings.add(0, 1, &game(Outcome::SecondWins, -2));
        let elos: Vec<f64> = standings.list().iter().map(|standing| standing.elo.get()).collect();
        assert!((elos[0] - 1_499.856_128_158_34).abs() < 1e-9, "{elos:?}");
        assert!((elos[1] - 1_500.143_871_841_66).abs() < 1e-9, "{elos:?}");
    }

    #[test]
    fn a_game_against_oneself_counts_twice_and_moves_no_rating() {
        let mut standings = start(2);
        standings.add(1, 1, &game(Outcome::SecondWins, -40));
        standings.add(1, 1, &game(Outcome::Draw, 0));
        let own = standings.list()[1];
        assert_eq!(own.tally, Tally { wins: 1, draws: 2, losses: 1, margin: 0 });
        assert_eq!(own.elo.get(), START);
    }

    #[test]
    fn given_opponents_move_ratings_and_keep_theirs() {
        let mut standings = start(1).against(1, Elo::new(START).unwrap());
        standings.add(0, 1, &game(Outcome::FirstWins, 0));
        standings.add(1, 0, &game(Outcome::SecondWins, 0));
        let [own] = standings.list() else { panic!("the opponent is in no list") };
        assert_eq!(own.tally.wins, 2);
        // 1505 after the first win. The second is worth 10·(1 − 0.50719…) against the 1500 that stay.
        assert!((own.elo.get() - 1_509.928_049).abs() < 1e-6, "{}", own.elo.get());
    }
}
