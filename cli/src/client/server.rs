//! One request, one answer, and every way in which that goes wrong in a sentence.

use crate::failure::{Done, Failure};
use kembara_engine::player::shorten;
use reqwest::StatusCode;
use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader};
use std::time::Duration;

/// Items of a list asked for at a time.
const PAGE: u32 = 500;

/// How many items a list has in all.
const TOTAL: &str = "x-total-count";

/// How often a coordinator that is busy is asked again, and how long is waited each time at most
/// and when it does not say how long.
const TRIES: u32 = 20;
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const USUAL_WAIT: Duration = Duration::from_secs(1);

/// For answers that may take days.
const A_LONG_TIME: Duration = Duration::from_hours(24 * 365);

/// A coordinator at an address.
#[derive(Clone, Debug)]
pub struct Server {
    url: String,
    token: Option<String>,
    client: Client,
}

/// A problem body (RFC 9457).
#[derive(Deserialize)]
struct Problem {
    title: String,
    detail: Option<String>,
}

impl Server {
    /// A coordinator, not yet asked anything.
    pub fn new(url: &str, token: Option<String>) -> Result<Self, Failure> {
        let wrong = |why: &str| Failure::usage(format!("`{}` is not a coordinator's address: {why}", shorten(url)));
        let parsed = reqwest::Url::parse(url).map_err(|_| wrong("write it as http://HOST:PORT"))?;
        match parsed.scheme() {
            "http" => (),
            "https" => return Err(wrong("this program speaks http only; reach it through a tunnel or a proxy")),
            _ => return Err(wrong("write it as http://HOST:PORT")),
        }
        if parsed.query().is_some() || parsed.fragment().is_some() || !parsed.username().is_empty() {
            return Err(wrong("give host and port only, as in http://HOST:PORT"));
        }
        let client = Client::builder()
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(30))
            .user_agent(concat!("kembara/", env!("CARGO_PKG_VERSION")))
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| Failure::failed(format!("cannot prepare to speak HTTP: {error}")))?;
        Ok(Self { url: parsed.as_str().trim_end_matches('/').to_owned(), token, client })
    }

    /// The address, for messages.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Reads a resource as a value.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.read(self.send(self.client.get(self.at(path)))?)
    }

    /// Reads a resource that may have to be computed first; while the coordinator is busy, waits as
    /// long as it asks for.
    pub fn get_slowly<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let ask = || self.ask(self.client.get(self.at(path)).timeout(A_LONG_TIME));
        let mut response = ask()?;
        for _ in 0..TRIES {
            if response.status() != StatusCode::SERVICE_UNAVAILABLE {
                break;
            }
            let seconds = retry_after(&response).and_then(|seconds| seconds.parse().ok());
            std::thread::sleep(seconds.map_or(USUAL_WAIT, Duration::from_secs).min(LONGEST_WAIT));
            response = ask()?;
        }
        self.read(self.accept(response)?)
    }

    /// Reads a whole list, page after page.
    pub fn get_all<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, Failure> {
        let mut items = Vec::new();
        loop {
            let response =
                self.send(self.client.get(self.at(&format!("{path}?limit={PAGE}&offset={}", items.len()))))?;
            let total = response.headers().get(TOTAL).and_then(|value| value.to_str().ok()?.parse().ok());
            let page: Vec<T> = self.read(response)?;
            let ended = page.is_empty();
            items.extend(page);
            if ended || items.len() >= total.unwrap_or(0) {
                return Ok(items);
            }
        }
    }

    /// Reads a resource as text of this media type.
    pub fn text(&self, path: &str, media_type: &str) -> Result<String, Failure> {
        let response = self.send(self.client.get(self.at(path)).header(ACCEPT, media_type))?;
        response.text().map_err(|error| self.broke(&error))
    }

    /// Changes something; the body is what it is changed with and its media type.
    pub fn post<T: DeserializeOwned>(&self, path: &str, body: Option<(&str, String)>) -> Result<T, Failure> {
        let mut request = self.client.post(self.at(path));
        if let Some((media_type, body)) = body {
            request = request.header(CONTENT_TYPE, media_type).body(body);
        }
        self.read(self.send(request)?)
    }

    /// Changes or computes something that takes its time, and reads the answer line by line, a JSON
    /// value each, as it comes.
    pub fn post_lines<T: DeserializeOwned>(&self, path: &str, mut each: impl FnMut(T) -> Done) -> Done {
        let response = self.send(self.client.post(self.at(path)).timeout(A_LONG_TIME))?;
        for line in BufReader::new(response).lines() {
            let line = line.map_err(|error| {
                Failure::unreachable(format!("{} broke off in the middle of its answer: {error}; try again", self.url))
            })?;
            each(serde_json::from_str(&line).map_err(|error| self.not_understood(&error))?)?;
        }
        Ok(())
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        self.accept(self.ask(request)?)
    }

    /// Any answer, whatever it says.
    fn ask(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        request.send().map_err(|error| self.broke(&error))
    }

    fn accept(&self, response: Response) -> Result<Response, Failure> {
        if response.status().is_success() { Ok(response) } else { Err(self.problem(response)) }
    }

    fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T, Failure> {
        let bytes = response.bytes().map_err(|error| self.broke(&error))?;
        serde_json::from_slice(&bytes).map_err(|error| self.not_understood(&error))
    }

    fn not_understood(&self, error: &serde_json::Error) -> Failure {
        self.stranger(&format!("its answer is not understood ({error})"))
    }

    fn stranger(&self, why: &str) -> Failure {
        Failure::unreachable(format!(
            "something answers at {}, but not a coordinator of this version: {why}; check --server",
            self.url
        ))
    }

    fn broke(&self, error: &reqwest::Error) -> Failure {
        if error.is_timeout() && !error.is_connect() {
            return Failure::unreachable(format!("{} did not answer in time; try again, or look at its log", self.url));
        }
        let root = root(error);
        if error.is_connect() {
            return Failure::unreachable(format!(
                "no coordinator answers at {}: {root}; start one with `kembara up`, or name another with --server",
                self.url
            ));
        }
        self.stranger(&root)
    }

    fn problem(&self, response: Response) -> Failure {
        let status = response.status();
        let wait = retry_after(&response).map(str::to_owned);
        let problem = response.bytes().ok().and_then(|bytes| serde_json::from_slice::<Problem>(&bytes).ok());
        let Some(problem) = problem else {
            return self.stranger(&format!("it says {status}"));
        };
        let mut said = problem.detail.unwrap_or(problem.title);
        if let (StatusCode::SERVICE_UNAVAILABLE, Some(seconds)) = (status, wait) {
            said += &format!("; try again in {seconds} s");
        }
        match status {
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY | StatusCode::PAYLOAD_TOO_LARGE => {
                Failure::usage(said)
            }
            status if status.is_client_error() => Failure::refused(said),
            _ => Failure::failed(said),
        }
    }
}

/// How many seconds to wait, as the answer says it.
fn retry_after(response: &Response) -> Option<&str> {
    response.headers().get(RETRY_AFTER)?.to_str().ok()
}

/// The innermost cause, which says the most in the fewest words.
fn root(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;

    /// The address of something that answers one request after the other with these.
    fn answering(answers: Vec<(u16, &'static str)>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for (status, body) in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
                assert!(lines.any(|line| line.is_empty()));
                let length = body.len();
                write!(
                    stream,
                    "HTTP/1.1 {status} -\r\nretry-after: 0\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
                )
                .unwrap();
            }
        });
        url
    }

    #[test]
    fn a_busy_coordinator_is_asked_again_and_one_that_fails_is_not() {
        const BUSY: (u16, &str) = (503, r#"{"title":"Busy"}"#);
        let ask = |answers| Server::new(&answering(answers), None).unwrap().get_slowly::<u32>("/");
        assert_eq!(ask(vec![BUSY, BUSY, (200, "7")]).unwrap(), 7);
        let failed = ask(vec![BUSY, (500, r#"{"title":"Wrong"}"#), (200, "7")]).unwrap_err();
        assert_eq!(failed.message, "Wrong");
        let gave_up = ask(vec![BUSY; TRIES as usize + 1]).unwrap_err();
        assert_eq!(gave_up.message, "Busy; try again in 0 s");
    }
}
