//! Talking to a program through its standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A program that answers.
pub struct Conversation {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Conversation {
    /// Starts a program; `None` when there is none of this name.
    pub fn start(command: &mut Command) -> Option<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let (to, from) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Self { child, to, from })
    }

    /// Sends a command of the Go Text Protocol; what is answered, without its mark.
    pub fn gtp(&mut self, command: &str) -> Result<String, String> {
        writeln!(self.to, "{command}").unwrap();
        self.to.flush().unwrap();
        let mut answer = String::new();
        loop {
            let before = answer.len();
            assert_ne!(self.from.read_line(&mut answer).unwrap(), 0, "no answer to {command}: {answer}");
            if answer[before..].trim().is_empty() && !answer.trim().is_empty() {
                break;
            }
        }
        let answer = answer.trim();
        match (answer.strip_prefix('='), answer.strip_prefix('?')) {
            (Some(said), _) => Ok(said.trim().to_owned()),
            (_, Some(why)) => Err(why.trim().to_owned()),
            _ => panic!("neither = nor ? after {command}: {answer}"),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
