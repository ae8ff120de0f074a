use super::*;
use crate::chromosome::{Chromosome, Gene};
use crate::connect_four::genome::Kind;
use crate::connect_four::naive::{Grid, random_lines, random_positions};
use crate::connect_four::notation;
use crate::parameter::Domain;
use crate::random::{Key, Stream};
use crate::variant::{Bound, Method};

const VARIANTS: [Variant; 4] = [
    Variant { method: Method::AlphaBeta, bound: Bound::Hard },
    Variant { method: Method::AlphaBeta, bound: Bound::Soft },
    Variant { method: Method::Negascout, bound: Bound::Hard },
    Variant { method: Method::Negascout, bound: Bound::Soft },
];

const GENOME: &str = "c4s_tnhwoec";

fn random_evaluation(stream: &mut Stream) -> (Evaluation, Vec<i32>) {
    let genome = Kind::parse(GENOME).unwrap().genome(GENOME);
    let genes: Vec<i32> = genome
        .parameters
        .iter()
        .map(|parameter| match parameter.domain {
            Domain::Int { bounds: (low, high), .. } => stream.between(low, high),
            Domain::Real { .. } => unreachable!("all genes are whole numbers"),
        })
        .collect();
    let chromosome = Chromosome(genes.iter().copied().map(Gene::Int).collect());
    (Evaluation::new(GENOME, &chromosome).unwrap(), genes)
}

/// The score of the last move from the genes, by the formula.
fn score(genes: &[i32], grid: &Grid) -> i32 {
    let plies = i32::from(grid.plies());
    let stage = usize::from(plies > genes[0]) + usize::from(plies > genes[1]);
    let weights = &genes[2 + 7 * stage..2 + 7 * (stage + 1)];
    grid.features().iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

/// Plain minimax on the grid: the value of a move for its mover.
fn minimax(genes: &[i32], after: &Grid, depth: u8) -> i32 {
    if after.winner().is_some() {
        return WIN - i32::from(after.plies());
    }
    if after.plies() == 42 {
        return 0;
    }
    if depth == 1 {
        return score(genes, after);
    }
    let open = Column::ALL.into_iter().filter(|column| after.has_room(*column));
    -open.map(|column| minimax(genes, &after.after(column), depth - 1)).max().unwrap()
}

#[test]
fn all_variants_find_the_move_and_value_of_plain_minimax() {
    let mut stream = Key::new(1, 0, "search tests").stream(0);
    for (place, line) in random_lines(6, 150).enumerate() {
        let (evaluation, genes) = random_evaluation(&mut stream);
        let grid = Grid::of(&line);
        let position = line.iter().fold(Position::START, |position, column| position.after(*column));
        let depth = 1 + (place % 3) as u8;
        let mut best: Option<(Column, i32)> = None;
        for column in Column::CENTRE_FIRST.into_iter().filter(|column| grid.has_room(*column)) {
            let value = minimax(&genes, &grid.after(column), depth.min(42 - grid.plies()));
            if best.is_none_or(|(_, best)| value > best) {
                best = Some((column, value));
            }
        }
        for variant in VARIANTS {
            let found = super::best(&evaluation, &position, Limit::Depth(depth), variant);
            assert_eq!(Some((found.column, found.value)), best, "{variant:?} depth {depth} {line:?}");
        }
    }
}

/// Negamax without windows or shortcuts.
fn plain(evaluation: &Evaluation, position: &Position, depth: u8) -> i32 {
    if position.just_won() {
        return i32::from(position.plies()) - WIN;
    }
    if position.plies() == SQUARES {
        return 0;
    }
    if depth == 0 {
        return -evaluation.score(position);
    }
    position.columns().map(|column| -plain(evaluation, &position.after(column), depth - 1)).max().unwrap()
}

#[test]
fn on_ten_thousand_positions_the_variants_agree_and_windows_hold() {
    let mut stream = Key::new(2, 0, "search tests").stream(0);
    let mut differed = 0;
    for position in random_positions(7, 10_000) {
        let (evaluation, _) = random_evaluation(&mut stream);
        let depth = stream.between(1, 4) as u8;
        let exact = plain(&evaluation, &position, depth);
        let found = VARIANTS.map(|variant| super::best(&evaluation, &position, Limit::Depth(depth), variant));
        let deepest = depth.min(SQUARES - position.plies());
        for other in found {
            assert_eq!((other.column, other.value, other.depth), (found[0].column, exact, deepest));
        }
        let alpha = (exact + stream.between(-60, 60)).clamp(-WIN, WIN - 20);
        let beta = alpha + stream.between(1, 20);
        let values = VARIANTS.map(|variant| {
            let mut search = Search { evaluation: &evaluation, variant, nodes: 0, budget: Budget::Endless };
            let Ok(value) = search.value(&position, depth, alpha, beta) else { unreachable!("no budget") };
            value
        });
        for (variant, value) in VARIANTS.into_iter().zip(values) {
            match variant.bound {
                Bound::Hard => assert_eq!(value, exact.clamp(alpha, beta), "{variant:?}"),
                Bound::Soft if value <= alpha => assert!(exact <= value, "{variant:?}"),
                Bound::Soft if value >= beta => assert!(exact >= value, "{variant:?}"),
                Bound::Soft => assert_eq!(value, exact, "{variant:?}"),
            }
        }
        differed += usize::from(values[0] != values[1]);
    }
    assert!(differed > 0, "fail-hard and fail-soft never differed");
}

#[test]
fn a_sooner_win_and_a_later_loss_are_preferred() {
    let mut stream = Key::new(3, 0, "search tests").stream(0);
    let (evaluation, _) = random_evaluation(&mut stream);
    // Yellow can win at once with 4, and could wait.
    let (_, position) = notation::line("112233").unwrap();
    let found = super::best(&evaluation, &position, Limit::Depth(6), Variant::PLAY);
    assert_eq!((found.column.number(), found.value), (4, WIN - 7));
    // Red has an open three: whatever yellow does it loses with the eighth stone.
    let (_, position) = notation::line("141375").unwrap();
    let found = super::best(&evaluation, &position, Limit::Depth(6), Variant::PLAY);
    assert_eq!(found.value, 8 - WIN);
}

#[test]
fn a_bound_on_nodes_gives_the_move_of_the_last_finished_depth() {
    let mut stream = Key::new(4, 0, "search tests").stream(0);
    for position in random_positions(8, 300) {
        let (evaluation, _) = random_evaluation(&mut stream);
        for nodes in [1, 50, 2000] {
            let found = super::best(&evaluation, &position, Limit::Nodes(nodes), Variant::PLAY);
            assert!(found.nodes <= nodes.max(7));
            let same = super::best(&evaluation, &position, Limit::Depth(found.depth), Variant::PLAY);
            assert_eq!((found.column, found.value), (same.column, same.value));
        }
    }
}

#[test]
fn a_bound_on_time_always_gives_a_legal_move() {
    let mut stream = Key::new(5, 0, "search tests").stream(0);
    for position in random_positions(9, 50) {
        let (evaluation, _) = random_evaluation(&mut stream);
        for micros in [0, 1, 300] {
            let limit = Limit::Time(std::time::Duration::from_micros(micros));
            let found = super::best(&evaluation, &position, limit, Variant::PLAY);
            assert!(position.has_room(found.column) && found.depth >= 1);
        }
    }
}
