//! Results: discs on the board, scores as people write them, and which is which.

/// Whose the empty squares are in a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Nobody's: only discs count.
    Discs,
    /// The winner's; in a draw half each. WTHOR and problem collections count so.
    EmptiesToWinner,
}

/// The discs on a board, black's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Discs(pub [u8; 2]);

impl Discs {
    /// The score, black's first.
    #[must_use]
    pub fn score(self, counting: Counting) -> [u8; 2] {
        let Self([black, white]) = self;
        let empty = 64_u8.saturating_sub(black).saturating_sub(white);
        match counting {
            Counting::Discs => self.0,
            Counting::EmptiesToWinner if black > white => [black + empty, white],
            Counting::EmptiesToWinner if black < white => [black, white + empty],
            Counting::EmptiesToWinner => [black + empty / 2, white + empty / 2],
        }
    }

    /// Black's score minus white's, -64..=64.
    #[must_use]
    pub fn margin(self, counting: Counting) -> i16 {
        let [black, white] = self.score(counting);
        i16::from(black) - i16::from(white)
    }
}

/// A result as a file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The words: `B+14`, `+14.00`, `39-25`, `1-0`.
    pub text: String,
    /// Black's margin, -64..=64, where the words tell one.
    pub margin: Option<i16>,
    /// How empty squares count in it, where the format tells.
    pub counting: Option<Counting>,
}

impl Written {
    /// A score with the empties to the winner.
    #[must_use]
    pub fn score(black: u8, white: u8) -> Self {
        Self {
            text: format!("{black}-{white}"),
            margin: Some(i16::from(black) - i16::from(white)),
            counting: Some(Counting::EmptiesToWinner),
        }
    }

    /// Reads a score with the empties to the winner, `39-25`.
    pub(super) fn parse_score(text: &str) -> Option<Self> {
        let (black, white) = text.trim().split_once('-')?;
        let number = |text: &str| text.parse().ok().filter(|&number: &u8| number <= 64);
        Some(Self::score(number(black)?, number(white)?))
    }

    /// Reads a result; `None` for what says that it is unknown.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = super::cleaned(text);
        let unknown = text.is_empty() || text == "*" || text.eq_ignore_ascii_case("void");
        (!unknown).then(|| Self { margin: margin(&text), text, counting: None })
    }
}

fn margin(text: &str) -> Option<i16> {
    if ["0", "draw", "d", "1/2-1/2"].iter().any(|draw| text.eq_ignore_ascii_case(draw)) {
        return Some(0);
    }
    if let Some((black, white)) = text.split_once('-')
        && let (Ok(black), Ok(white)) = (black.trim().parse::<u8>(), white.trim().parse::<u8>())
    {
        // `1-0` tells who won, not by how much.
        let is_score = black <= 64 && white <= 64 && black.max(white) > 1;
        return is_score.then_some(i16::from(black) - i16::from(white));
    }
    let (sign, number) = match text.as_bytes() {
        [b'B' | b'b', b'+', ..] => (1, &text[2..]),
        [b'W' | b'w', b'+', ..] => (-1, &text[2..]),
        [b'+', ..] => (1, &text[1..]),
        [b'-', ..] => (-1, &text[1..]),
        _ => return None,
    };
    // Servers add how the game ended, as in `+64.00:r`.
    let number = number.split(':').next().unwrap_or_default();
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let margin: u8 = whole.parse().ok().filter(|&margin: &u8| margin <= 64)?;
    part.bytes().all(|digit| digit == b'0').then_some(sign * i16::from(margin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_every_way_programs_write_them() {
        let margin = |text| Written::parse(text).unwrap().margin;
        for (text, expected) in [
            ("B+14", Some(14)),
            ("W+64", Some(-64)),
            ("+64.000", Some(64)),
            ("-2.00", Some(-2)),
            ("+64.00:r", Some(64)),
            ("+0.000", Some(0)),
            ("0", Some(0)),
            ("Draw", Some(0)),
            ("38-26", Some(12)),
            ("0-64", Some(-64)),
            ("1/2-1/2", Some(0)),
            ("1-0", None),
            ("0-1", None),
            ("B+R", None),
            ("-22.87", None),
            ("B+99", None),
            ("99-1", None),
            ("+", None),
        ] {
            assert_eq!(margin(text), expected, "{text}");
        }
        assert_eq!(Written::parse("?"), None);
        assert_eq!(Written::parse("*"), None);
    }

    #[test]
    fn empties_go_to_the_winner_and_are_shared_in_a_draw() {
        assert_eq!(Discs([13, 0]).score(Counting::EmptiesToWinner), [64, 0]);
        assert_eq!(Discs([10, 50]).score(Counting::EmptiesToWinner), [10, 54]);
        assert_eq!(Discs([31, 31]).score(Counting::EmptiesToWinner), [32, 32]);
        assert_eq!(Discs([10, 50]).margin(Counting::Discs), -40);
    }
}
