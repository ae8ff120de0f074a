//! Why a command ended badly: one line for the person, one exit code for the script.

use std::process::ExitCode;

/// The exit codes, also documented in the program's help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The work failed: a database, a file, a game that came out differently.
    Failed = 1,
    /// What was typed cannot be used: arguments, a player, a spec.
    Usage = 2,
    /// The coordinator understood and refused.
    Refused = 3,
    /// No coordinator answered at the address.
    Unreachable = 4,
    /// Ended by Ctrl-C before the work was done.
    Interrupted = 130,
}

impl Exit {
    /// The exit code of another of our programs, which use the same ones.
    pub const fn from_code(code: u8) -> Self {
        match code {
            2 => Self::Usage,
            3 => Self::Refused,
            4 => Self::Unreachable,
            130 => Self::Interrupted,
            _ => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A failed command.
#[derive(Debug)]
pub struct Failure {
    /// What the process ends with.
    pub exit: Exit,
    /// What, why and what to do, in one line.
    pub message: String,
}

impl Failure {
    /// The work failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { exit: Exit::Failed, message: message.into() }
    }

    /// What was typed cannot be used.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into() }
    }

    /// The coordinator refused.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { exit: Exit::Refused, message: message.into() }
    }

    /// Nobody answered, or not a coordinator.
    pub fn unreachable(message: impl Into<String>) -> Self {
        Self { exit: Exit::Unreachable, message: message.into() }
    }

    /// Ctrl-C.
    pub fn interrupted(message: impl Into<String>) -> Self {
        Self { exit: Exit::Interrupted, message: message.into() }
    }

    /// Whether trying again a little later may help.
    pub fn is_temporary(&self) -> bool {
        matches!(self.exit, Exit::Unreachable | Exit::Failed)
    }

    /// The message as the one line that is printed: no line breaks, no control characters, and an
    /// end even when it quotes something huge.
    pub fn line(&self) -> String {
        const LONGEST: usize = 2000;
        let words: Vec<_> = self.message.split_whitespace().collect();
        let joined = words.join(" ");
        let mut line: String = joined.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
        if joined.chars().nth(LONGEST).is_some() {
            line.push('…');
        }
        line
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::failed(format!("{error:#}"))
    }
}

/// How a command ends.
pub type Done = Result<(), Failure>;
