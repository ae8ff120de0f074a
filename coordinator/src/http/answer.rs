//! Forms of answers: which one was asked for, lists with their total, tables as CSV.

use axum::Json;
use axum::http::header::{ACCEPT, CONTENT_TYPE, LINK};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::store::views::Page;

/// How many items a list has in all, on every list.
pub const TOTAL: HeaderName = HeaderName::from_static("x-total-count");

/// A page of a list: the items as a JSON array, the total and the next page in the headers.
pub fn list<T: Serialize>(items: &[T], total: i64, page: Page, uri: &Uri) -> Response {
    let mut response = Json(items).into_response();
    add_page(&mut response, items.len(), total, page, uri);
    response
}

/// Tells the total and where the next page is.
pub fn add_page(response: &mut Response, shown: usize, total: i64, page: Page, uri: &Uri) {
    let headers = response.headers_mut();
    headers.insert(TOTAL, total.into());
    let next = page.offset.saturating_add(shown as u64);
    if shown > 0 && next < total.unsigned_abs() {
        let kept: Vec<&str> = uri
            .query()
            .unwrap_or("")
            .split('&')
            .filter(|part| !part.is_empty() && !part.starts_with("offset="))
            .collect();
        let query = kept.into_iter().map(str::to_owned).chain([format!("offset={next}")]).collect::<Vec<_>>().join("&");
        if let Ok(link) = HeaderValue::try_from(format!("<{}?{query}>; rel=\"next\"", uri.path())) {
            headers.insert(LINK, link);
        }
    }
}

/// Whether the Accept header prefers this media type to JSON.
pub fn prefers(headers: &HeaderMap, media_type: &str) -> bool {
    let (mut wanted, mut json) = (0.0_f32, 0.0_f32);
    for part in headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','))
    {
        let mut words = part.split(';').map(str::trim);
        let name = words.next().unwrap_or("").to_ascii_lowercase();
        let weight = words.find_map(|word| word.strip_prefix("q=")).and_then(|text| text.parse().ok()).unwrap_or(1.0);
        if name == media_type {
            wanted = wanted.max(weight);
        } else if matches!(name.as_str(), "application/json" | "application/*") {
            json = json.max(weight);
        }
    }
    wanted > json
}

/// A table as CSV (RFC 4180), for spreadsheets.
pub struct Csv(String);

impl Csv {
    /// A table with these columns.
    pub fn new(columns: &[&str]) -> Self {
        let mut table = Self(String::new());
        table.row(columns.iter().map(|column| Cell::Text((*column).to_owned())));
        table
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        for (place, cell) in cells.into_iter().enumerate() {
            if place > 0 {
                self.0.push(',');
            }
            cell.write(&mut self.0);
        }
        self.0.push_str("\r\n");
    }
}

impl IntoResponse for Csv {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, "text/csv; charset=utf-8; header=present")], self.0).into_response()
    }
}

/// One cell.
pub enum Cell {
    /// A whole number.
    Whole(i64),
    /// A real number, in the fewest digits that read back the same.
    Real(f64),
    /// Text.
    Text(String),
}

impl Cell {
    fn write(&self, out: &mut String) {
        use std::fmt::Write;
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Whole(number) => write!(out, "{number}"),
            Self::Real(number) => write!(out, "{number}"),
            Self::Text(text) => {
                // A spreadsheet would compute what begins like a formula; an apostrophe keeps it text.
                let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
                let guard = if formula { "'" } else { "" };
                if text.contains([',', '"', '\n', '\r']) {
                    write!(out, "\"{guard}{}\"", text.replace('"', "\"\""))
                } else {
                    write!(out, "{guard}{text}")
                }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        let mut table = Csv::new(&["a", "b,c"]);
        table.row([Cell::Text("say \"hi\"".into()), Cell::Text("=1+1".into()), Cell::Text("-x,\r\n".into())]);
        table.row([Cell::Whole(-5), Cell::Real(1500.0), Cell::Real(-0.1), Cell::Text(String::new())]);
        assert_eq!(table.0, "a,\"b,c\"\r\n\"say \"\"hi\"\"\",'=1+1,\"'-x,\r\n\"\r\n-5,1500,-0.1,\r\n");
    }

    #[test]
    fn accept_headers_are_weighed() {
        let prefers_csv = |accept: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
            prefers(&headers, "text/csv")
        };
        assert!(prefers_csv("text/csv"));
        assert!(prefers_csv("text/html, TEXT/CSV;q=0.5, application/json; q=0.4"));
        assert!(!prefers_csv("text/csv;q=0.5, application/json"));
        assert!(!prefers_csv("*/*"));
        assert!(!prefers_csv("text/csv;q=0"));
        assert!(!prefers_csv("text/csv;q=x, application/*"));
        assert!(!prefers(&HeaderMap::new(), "text/csv"));
    }
}
