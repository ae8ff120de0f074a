//! The server's `postmaster.pid`: read to find a living server, never written or deleted by us.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use sqlx::Connection;

use super::{PostgresError, connect};

/// The file's name in a cluster.
pub(super) const NAME: &str = "postmaster.pid";

/// What the file says. Its lines are: process, cluster, start time, port, socket folder, address,
/// shared memory, status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PidFile {
    path: PathBuf,
    pid: Pid,
    port: u16,
    socket: String,
    ready: bool,
}

impl PidFile {
    /// Reads the file; `None` when there is none or when it is not written to the end yet.
    pub fn read(cluster: &Path) -> Result<Option<Self>, PostgresError> {
        let path = cluster.join(NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Self::parse(&text, path)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PostgresError::io("read", &path)(error)),
        }
    }

    fn parse(text: &str, path: PathBuf) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        // The file's process number is negative for a server in single-user mode.
        let pid = Pid::from_raw(lines.first()?.parse::<i32>().ok()?.abs())?;
        let port = lines.get(3).and_then(|line| line.parse().ok()).unwrap_or(super::socket::PORT);
        let socket = lines.get(4).copied().unwrap_or_default().to_owned();
        let ready = lines.get(7).is_some_and(|status| *status == "ready");
        Some(Self { path, pid, port, socket, ready })
    }

    pub fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The folder of the server's Unix socket.
    pub fn socket(&self) -> &str {
        &self.socket
    }

    /// Whether the server itself says that it takes connections.
    pub fn is_ready(&self) -> bool {
        self.ready && self.socket.starts_with('/')
    }

    /// Whether the process lives and belongs to this user. A process of somebody else has got the
    /// number of a server that is gone; Postgres judges the same way.
    pub fn lives_as(&self, uid: u32) -> bool {
        // Root may signal everybody's, so the owner has to be looked up.
        let owner = std::fs::metadata(format!("/proc/{}", self.pid())).map(|found| found.uid());
        test_kill_process(self.pid).is_ok() && owner.map_or(true, |owner| owner == uid)
    }

    /// Whether the server that wrote this file still holds its cluster.
    pub fn lives(&self) -> bool {
        let same = std::fs::read_to_string(&self.path)
            .is_ok_and(|text| Self::parse(&text, self.path.clone()).is_some_and(|now| now.pid == self.pid));
        same && test_kill_process(self.pid) != Err(Errno::SRCH)
    }

    /// Whether a server answers on the socket and is the one of this cluster.
    pub async fn answers_for(&self, cluster: &Path) -> bool {
        let Ok(mut connection) = connect(&self.socket, self.port, "postgres").await else { return false };
        let data: Result<String, _> = sqlx::query_scalar("SHOW data_directory").fetch_one(&mut connection).await;
        let same = data.is_ok_and(|data| Path::new(&data) == cluster);
        same && connection.close().await.is_ok()
    }

    /// Sends a signal. A server that is gone already is as good as one that obeys.
    pub fn signal(&self, signal: Signal) {
        if self.lives() {
            let _ = kill_process(self.pid, signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "4711\n/data/postgres\n1764455555\n5432\n/data/socket\n\n  1234  5\nready   \n";

    fn parsed(text: &str) -> Option<PidFile> {
        PidFile::parse(text, "/data/postgres/postmaster.pid".into())
    }

    #[test]
    fn a_whole_file_is_understood() {
        let file = parsed(WHOLE).unwrap();
        assert_eq!((file.pid(), file.port(), file.socket(), file.is_ready()), (4711, 5432, "/data/socket", true));
    }

    #[test]
    fn a_file_that_is_being_written_is_not_ready() {
        assert!(!parsed(&WHOLE.replace("ready", "starting")).unwrap().is_ready());
        assert!(!parsed("4711\n/data/postgres\n").unwrap().is_ready());
    }

    #[test]
    fn rubbish_is_no_file() {
        for text in ["", "\n", "abc", "0\n", "99999999999999999999"] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }
}
