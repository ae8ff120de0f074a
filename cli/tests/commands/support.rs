//! The real program, run as people run it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// A finished command.
pub struct Ran {
    /// Its exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The program, ready for arguments; nothing of the caller's environment tells it where to go.
pub fn kembara() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kembara"));
    command.env_remove("KEMBARA_SERVER").env_remove("DATABASE_URL").env("NO_COLOR", "1");
    command
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Ran {
    ran(kembara().args(arguments).output().unwrap())
}

/// Runs the program to its end with these lines on standard input.
pub fn talk(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = kembara();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments does not listen.
    let _ = child.stdin.take().unwrap().write_all(input);
    ran(child.wait_with_output().unwrap())
}

/// What a process left behind.
pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ran {
    /// Checks that the last line of a command that went on for a while tells why it failed.
    #[track_caller]
    pub fn refuses_amid_progress(&self, code: i32, words: &str) {
        assert_eq!(self.code, code, "{}", self.err);
        let last = self.err.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: ") && last.contains(words), "{}", self.err);
    }

    /// Checks that the command failed with this code, nothing on standard output and one line that
    /// holds these words.
    #[track_caller]
    pub fn refuses(&self, code: i32, words: &str) {
        assert_eq!(self.code, code, "{}", self.err);
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.starts_with("error: ") && self.err.contains(words), "{}", self.err);
    }
}

/// A folder for a database: other accounts may enter it, as a private Postgres under root needs.
pub fn data_folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::Builder::new().prefix("kembara-").tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
    folder
}
