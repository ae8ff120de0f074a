//! Numbers the way people read them.

/// A count with its thousands apart: `123,552`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of one as `42.5 %`; a dash when there is none.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "—".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// A rating with one decimal.
pub fn elo(rating: f64) -> String {
    format!("{rating:.1}")
}

/// A stretch of time in one or two units: `48 s`, `3 min 20 s`, `2 h 05 min`, `6 d 3 h`.
pub fn span(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        3600..86_400 => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} d {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 123_552, 100_000_000].map(grouped), ["0", "999", "1,000", "123,552", "100,000,000"]);
    }

    #[test]
    fn spans_use_the_two_units_that_matter() {
        assert_eq!(
            [0.4, 59.6, 200.0, 7500.0, 529_200.0].map(span),
            ["0 s", "1 min 00 s", "3 min 20 s", "2 h 05 min", "6 d 3 h"]
        );
    }
}
