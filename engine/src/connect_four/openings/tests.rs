use super::*;

fn text(opening: &Opening) -> String {
    opening.moves.iter().map(|column| notation::write(*column)).collect()
}

fn openings(openings: Openings) -> Result<usize, ArenaError> {
    Book::new(&openings).map(|book| book.openings().len())
}

#[test]
fn the_openings_stand_for_all_positions_of_so_many_plies() {
    // Distinct positions after n plies (OEIS A212693); no game is over before the seventh stone.
    for (plies, positions) in (1..).zip([7, 49, 238, 1120, 4263, 16_422]) {
        let list = of_plies(plies);
        let images = list.iter().map(|opening| if opening.position == opening.position.mirrored() { 1 } else { 2 });
        assert_eq!(images.sum::<usize>(), positions, "{plies} plies");
    }
}

#[test]
fn openings_are_unfinished_distinct_and_in_the_order_of_their_lines() {
    for plies in 1..=MOST_PLIES {
        let list = of_plies(plies);
        let keys: HashSet<_> = list.iter().map(|opening| opening.position.symmetric_key()).collect();
        assert_eq!(keys.len(), list.len());
        assert!(list.iter().all(|opening| opening.position.result().is_none()));
        assert!(list.windows(2).all(|pair| pair[0].moves < pair[1].moves));
        for opening in list {
            assert_eq!(notation::line(&text(opening)).unwrap().1, opening.position);
        }
    }
}

#[test]
fn each_line_is_the_first_of_all_lines_to_its_position_and_the_mirror_image() {
    // All lines of five plies, in order.
    let mut first = std::collections::HashMap::new();
    for number in 0..7_usize.pow(5) {
        let digits = (0..5).rev().map(|place| Column::ALL[number / 7_usize.pow(place) % 7]).collect::<Vec<_>>();
        let position = digits.iter().fold(Position::START, |position, column| position.after(*column));
        first.entry(position.symmetric_key()).or_insert(digits);
    }
    for opening in of_plies(5) {
        assert_eq!(*opening.moves, *first[&opening.position.symmetric_key()]);
    }
    assert_eq!(first.len(), of_plies(5).len());
}

#[test]
fn the_numbers_of_openings_stay_what_they_are() {
    let counts: Vec<_> = (1..=MOST_PLIES).map(|plies| openings(Openings::Plies(plies)).unwrap()).collect();
    assert_eq!(counts, [4, 25, 121, 568, 2144, 8231, 27_109, 91_295]);
}

#[test]
fn other_numbers_of_plies_and_empty_lists_are_refused() {
    for plies in [0, 9, 255] {
        let error = openings(Openings::Plies(plies)).unwrap_err();
        assert_eq!(error.to_string(), format!("openings of {plies} plies: the number must be in 1..=8"));
    }
    assert!(matches!(openings(Openings::Lines(vec![])), Err(ArenaError::Limit(_))));
}

#[test]
fn given_lines_are_checked() {
    let refused =
        |line: &str| openings(Openings::Lines(vec!["4453".to_owned(), line.to_owned()])).unwrap_err().to_string();
    assert_eq!(openings(Openings::Lines(vec!["4453".to_owned(), "d4 , 1\n".to_owned()])), Ok(2));
    assert!(refused("").starts_with("opening 1: the line has no moves"));
    assert!(refused("44444441").contains("move 7 `4`: column 4 is full"), "{}", refused("44444441"));
    assert!(refused("4858").contains("move 2 `8`: a move is a column"));
    assert!(refused("1122334").contains("over at the end"));
    assert!(refused("11223345").contains("move 8 `5`: the game is over"));
    assert!(refused(&"4".repeat(100_000)).contains("100000 bytes long"));
    assert!(refused("44\u{202e}3\0").contains("\\u{202e}"));
}
