//! Tables that fit 80 columns.

use super::Style;

/// The width that every table keeps to.
pub const WIDTH: usize = 80;

/// Where a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// Rows of text under a heading.
#[derive(Debug)]
pub struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: impl Into<Vec<(&'static str, Align)>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row; cells beyond the columns are a mistake and left out.
    pub fn row(&mut self, cells: impl Into<Vec<String>>) {
        self.rows.push(cells.into());
    }

    /// Whether nothing has to be shortened.
    pub fn fits(&self) -> bool {
        self.natural_width() <= WIDTH
    }

    fn natural_width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)
    }

    /// The text. When it would be wider than 80 columns, the widest column of words is shortened.
    pub fn render(&self, style: Style) -> String {
        let mut widths = self.widths();
        let excess = self.natural_width().saturating_sub(WIDTH);
        let widest_words = (0..self.columns.len())
            .filter(|&column| self.columns[column].1 == Align::Left)
            .max_by_key(|&column| widths[column]);
        if let (1.., Some(column)) = (excess, widest_words) {
            widths[column] = widths[column].saturating_sub(excess).max(8);
        }
        let heads: Vec<String> = self.columns.iter().map(|(head, _)| (*head).to_owned()).collect();
        let mut text = style.heading(&self.line(&heads, &widths)) + "\n";
        for row in &self.rows {
            text += &self.line(row, &widths);
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|(head, _)| length(head)).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(length(cell));
            }
        }
        widths
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for (place, ((cell, &width), &(_, align))) in cells.iter().zip(widths).zip(&self.columns).enumerate() {
            if place > 0 {
                line += "  ";
            }
            let cell = shorten(cell, width);
            let space = " ".repeat(width - length(&cell));
            match align {
                Align::Left => line += &(cell + &space),
                Align::Right => line += &(space + &cell),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn shorten(text: &str, width: usize) -> String {
    if length(text) <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_a_long_chromosome_still_fits_eighty_columns() {
        let mut table = Table::new([("Rank", Align::Right), ("Player", Align::Left), ("Elo", Align::Right)]);
        table.row(["1".into(), "oe_fdmxcp_1_".to_owned() + &"10:".repeat(40), "1781.4".into()]);
        table.row(["12".into(), "random".into(), "1500.0".into()]);
        let text = table.render(Style::of_stdout());
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().nth(1).unwrap().ends_with("…  1781.4"), "{text}");
        assert!(text.lines().nth(2).unwrap().starts_with("  12  random"), "{text}");
    }
}
