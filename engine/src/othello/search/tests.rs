//! What only shows inside: a search leaves nothing behind for the next one.

mod variants;

use super::{Choices, Searcher};
use crate::chromosome::Chromosome;
use crate::othello::bitboard::Square;
use crate::othello::cpu::{Cpu, Level, Task};
use crate::othello::evaluation::Evaluation;
use crate::othello::genome::Type;
use crate::othello::position::Position;
use crate::random::Key;
use crate::variant::{Search, Variant};

struct Compare(Search);

impl Task for Compare {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let genome = Type::parse("oe_fmc").unwrap().genome();
        let genes = Chromosome::parse("14:49:3:2:2:3:3:9:1:10:3", &genome.parameters).unwrap();
        let player = Evaluation::new("oe_fmc", &genes).unwrap();
        let mut used = Searcher::new(self.0);
        let mut stream = Key::new(9, 0, "search positions").stream(0);
        for game in 0..20 {
            let mut position = Position::START;
            loop {
                let moves = position.moves(cpu);
                if moves.is_empty() {
                    break;
                }
                let choices = Choices { position, moves };
                let depth = 2 + game % 3;
                let mut fresh = Searcher::new(self.0);
                let found = fresh.at_depth(cpu, &player, choices, depth);
                assert_eq!(used.at_depth(cpu, &player, choices, depth), found);
                assert_eq!(used.nodes(), fresh.nodes());
                let budget = 50 * u64::from(game) + 1;
                let found = fresh.within_nodes(cpu, &player, choices, budget);
                assert_eq!(used.within_nodes(cpu, &player, choices, budget), found);
                assert_eq!(used.nodes(), fresh.nodes());
                let square = moves.nth(stream.below(moves.count().into()) as u32).unwrap_or(Square::A1);
                position = position.after(square, position.flips(cpu, square));
            }
        }
    }
}

#[test]
fn a_search_does_not_depend_on_the_searches_before_it() {
    for search in [super::DEFAULT, Search::Plain(Variant::PLAY), Search::Fast] {
        Level::best().run(Compare(search));
    }
}

struct CountLooks(Search);

impl Task for CountLooks {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let genome = Type::parse("oes_dm").unwrap().genome();
        let genes = Chromosome::parse("14:49:-3:2:-2:3:3:9", &genome.parameters).unwrap();
        let player = Evaluation::new("oes_dm", &genes).unwrap();
        let choices = Choices { position: Position::START, moves: Position::START.moves(cpu) };
        for looks in 0..30 {
            let mut left = looks;
            let mut searcher = Searcher::new(self.0);
            let stop = move || {
                left -= 1;
                left < 0
            };
            let found = searcher.until(cpu, &player, choices, Box::new(stop));
            assert!(found.depth >= 1);
            assert_eq!(Searcher::new(self.0).at_depth(cpu, &player, choices, found.depth), found);
        }
    }
}

#[test]
fn a_stop_at_any_moment_leaves_the_move_of_a_depth_searched_in_full() {
    for search in [super::DEFAULT, Search::Plain(Variant::PLAY), Search::Fast] {
        Level::best().run(CountLooks(search));
    }
}
