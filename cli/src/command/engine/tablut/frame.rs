//! Messages on the wire: four bytes of length, big-endian, and so many bytes of JSON in UTF-8.

use crate::failure::{Done, Failure};
use kembara_engine::player::shorten;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Longest message that is read, bytes; a state takes about one thousand.
const LONGEST: usize = 64 << 10;
/// How long a message that has begun may stop in the middle.
const PATIENCE: Duration = Duration::from_secs(10);

/// A connection to the referee.
pub struct Wire {
    stream: TcpStream,
}

impl Wire {
    pub fn new(stream: TcpStream) -> Result<Self, Failure> {
        // Small answers should not wait for more; where that cannot be had they come a little later.
        let _ = stream.set_nodelay(true);
        stream.set_write_timeout(Some(PATIENCE)).map_err(|error| lost(&error))?;
        Ok(Self { stream })
    }

    /// Sends a value in one piece.
    pub fn send<T: Serialize>(&mut self, value: &T) -> Done {
        let json =
            serde_json::to_vec(value).map_err(|error| Failure::failed(format!("cannot write a message: {error}")))?;
        let length = u32::try_from(json.len()).map_err(|_| Failure::failed("a message is too long to be sent"))?;
        let frame = [&length.to_be_bytes()[..], &json].concat();
        self.stream.write_all(&frame).map_err(|error| lost(&error))
    }

    /// Waits for a value, as long as the opponent thinks.
    pub fn receive<T: DeserializeOwned>(&mut self) -> Result<T, Failure> {
        let mut length = [0; 4];
        self.fill(&mut length, true)?;
        let length = u32::from_be_bytes(length) as usize;
        if length > LONGEST {
            return Err(Failure::failed(format!(
                "the referee announces a message of {length} bytes; at most {LONGEST} are read"
            )));
        }
        let mut json = vec![0; length];
        self.fill(&mut json, false)?;
        serde_json::from_slice(&json).map_err(|error| {
            let text = shorten(&String::from_utf8_lossy(&json));
            Failure::failed(format!("the referee's message `{text}` is not a state of a game: {error}"))
        })
    }

    /// Reads exactly so many bytes. Before the first byte of a message there is no hurry.
    fn fill(&mut self, bytes: &mut [u8], is_start: bool) -> Done {
        let mut read = 0;
        while read < bytes.len() {
            let between = is_start && read == 0;
            self.stream.set_read_timeout((!between).then_some(PATIENCE)).map_err(|error| lost(&error))?;
            match self.stream.read(&mut bytes[read..]) {
                Ok(0) if between => {
                    return Err(Failure::failed(
                        "the referee closed the connection before the game was over; it does so when a player is late, or when it is ended",
                    ));
                }
                Ok(0) => {
                    return Err(Failure::failed(format!(
                        "the referee closed the connection in the middle of a message, after {read} of {} bytes",
                        bytes.len()
                    )));
                }
                Ok(more) => read += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(Failure::failed(format!(
                        "the referee stopped in the middle of a message, after {read} of {} bytes",
                        bytes.len()
                    )));
                }
                Err(error) => return Err(lost(&error)),
            }
        }
        Ok(())
    }
}

fn lost(error: &std::io::Error) -> Failure {
    Failure::failed(format!("the connection to the referee is lost: {error}"))
}
