//! What a failed call means for what to do next.

use std::error::Error as _;
use tonic::{Code, Status};

/// A failed call, sorted by what helps.
#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Time: the coordinator is away or busy.
    Away(String),
    /// A new session.
    NoSession(String),
    /// Nothing: this worker is refused for good.
    Refused(String),
    /// Nothing: something else lives at the address.
    NotACoordinator(String),
    /// Another request: this one is not accepted.
    Rejected(String),
}

impl Trouble {
    /// Sorts a failed call. An answer that no coordinator gives counts as such only while none was
    /// ever reached: later it is a proxy in front of one that is being restarted.
    #[must_use]
    pub fn of(status: &Status, reached: bool) -> Self {
        let reason = reason(status);
        match status.code() {
            Code::Unauthenticated | Code::NotFound => Self::NoSession(reason),
            Code::FailedPrecondition | Code::PermissionDenied => Self::Refused(reason),
            Code::InvalidArgument | Code::OutOfRange | Code::AlreadyExists => Self::Rejected(reason),
            Code::Unimplemented if !reached => Self::NotACoordinator(reason),
            _ if !reached && speaks_something_else(status) => {
                Self::NotACoordinator("it does not speak HTTP/2".to_owned())
            }
            _ => Self::Away(reason),
        }
    }
}

/// The server's own words, or the innermost cause when the call never reached one.
fn reason(status: &Status) -> String {
    let mut cause = status.source();
    let mut innermost = None;
    while let Some(error) = cause {
        innermost = Some(error.to_string());
        cause = error.source();
    }
    let text = innermost.unwrap_or_else(|| status.message().to_owned());
    if text.is_empty() { status.code().description().to_owned() } else { shorten(&text) }
}

/// True when what came back is not HTTP/2, as from a web server that knows only HTTP/1.
fn speaks_something_else(status: &Status) -> bool {
    let mut cause = status.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if text.contains("frame with invalid size") || text.contains("unspecific protocol error") {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Words from outside as one line of a log.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 300;
    let mut line: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_page_is_no_coordinator_only_before_one_was_reached() {
        let page = Status::unimplemented("grpc-status header missing, mapped from HTTP status code 404");
        assert!(matches!(Trouble::of(&page, false), Trouble::NotACoordinator(_)));
        assert!(matches!(Trouble::of(&page, true), Trouble::Away(_)));
    }

    #[test]
    fn a_wrong_version_is_refused_for_good_and_says_the_coordinator_s_words() {
        let refusal = Status::failed_precondition("this coordinator needs protocol 2");
        assert_eq!(Trouble::of(&refusal, false), Trouble::Refused("this coordinator needs protocol 2".to_owned()));
    }

    #[test]
    fn words_from_outside_become_one_short_line() {
        let long = Status::unavailable(format!("one\ntwo{}", "x".repeat(10_000)));
        let Trouble::Away(reason) = Trouble::of(&long, true) else { panic!("not away") };
        assert!(reason.starts_with("one two") && reason.chars().count() < 310, "{reason}");
    }
}
