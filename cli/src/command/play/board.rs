//! The board as a person on the move sees it.

/// Marks the legal moves that are squares, `d3`, on a board that has letters above it and numbers
/// beside it; other moves leave it as it is.
pub fn marked(board: &str, legal: &[String]) -> String {
    let mut rows: Vec<Vec<char>> = board.lines().map(|line| line.chars().collect()).collect();
    let head = rows.first().cloned().unwrap_or_default();
    for action in legal {
        let mut letters = action.chars();
        let (Some(file), rank) = (letters.next(), letters.as_str()) else { continue };
        let column = head.iter().position(|&letter| letter == file);
        let row = rows.iter().position(|row| {
            let number: String = row
                .iter()
                .skip_while(|letter| letter.is_whitespace())
                .take_while(|letter| letter.is_ascii_digit())
                .collect();
            number == rank
        });
        if let (Some(row), Some(column)) = (row, column)
            && let Some(cell) = rows[row].get_mut(column)
            && *cell == '.'
        {
            *cell = '*';
        }
    }
    rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kembara_engine::registry;

    #[test]
    fn the_first_four_moves_of_othello_are_marked_and_no_column_of_connect_four() {
        let session = registry::game("othello").unwrap().session();
        let text = marked(&session.board(), &session.legal());
        assert_eq!(text.matches('*').count(), 4, "{text}");
        assert!(text.contains("3 . . . * . . . . 3"), "{text}");
        let session = registry::game("connect-four").unwrap().session();
        assert_eq!(marked(&session.board(), &session.legal()), session.board());
    }
}
