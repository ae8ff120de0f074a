//! Fields of messages, checked.

use tonic::Status;
use uuid::Uuid;

/// A UUID.
pub(super) fn uuid(field: &str, text: &str) -> Result<Uuid, Status> {
    Uuid::try_parse(text).map_err(|_| {
        Status::invalid_argument(format!("{field}: `{}` is not a UUID", kembara_engine::player::shorten(text)))
    })
}

/// Text of `least..=most` characters without control characters.
pub(super) fn text(field: &str, text: String, least: usize, most: usize) -> Result<String, Status> {
    let length = text.chars().count();
    if !(least..=most).contains(&length) {
        return Err(Status::invalid_argument(format!(
            "{field}: has {length} characters, allowed are {least} to {most}"
        )));
    }
    if text.chars().any(char::is_control) {
        return Err(Status::invalid_argument(format!("{field}: holds control characters")));
    }
    Ok(text)
}

/// A number in `least..=most`.
pub(super) fn number(field: &str, given: u32, least: u16, most: u16) -> Result<u16, Status> {
    u16::try_from(given)
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| Status::invalid_argument(format!("{field}: is {given}, allowed are {least} to {most}")))
}

/// A list of at most `most` entries.
pub(super) fn list<T>(field: &str, given: Vec<T>, most: usize) -> Result<Vec<T>, Status> {
    if given.len() > most {
        let length = given.len();
        return Err(Status::invalid_argument(format!("{field}: has {length} entries, allowed are at most {most}")));
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_names_the_field_and_what_is_allowed() {
        let said = |refusal: Status| refusal.message().to_owned();
        assert_eq!(said(uuid("token", "x").unwrap_err()), "token: `x` is not a UUID");
        assert_eq!(said(number("threads", 0, 1, 1024).unwrap_err()), "threads: is 0, allowed are 1 to 1024");
        assert_eq!(said(number("threads", 70_000, 1, 1024).unwrap_err()), "threads: is 70000, allowed are 1 to 1024");
        assert!(said(text("name", String::new(), 1, 64).unwrap_err()).starts_with("name: has 0"));
        assert!(said(text("name", "a\u{0}".to_owned(), 1, 64).unwrap_err()).contains("control"));
        assert!(said(list("games", vec![0; 5], 4).unwrap_err()).contains("at most 4"));
        assert_eq!(text("name", "ä".repeat(64), 1, 64).unwrap().chars().count(), 64);
    }
}
