//! What can stand in the way of a private Postgres, each as a sentence with its way out.

use std::path::{Path, PathBuf};

use super::OLDEST_MAJOR;

/// Why a private Postgres could not be started or stopped.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// No server programs on this machine.
    #[error(
        "no PostgreSQL server programs (postgres, initdb; {OLDEST_MAJOR} or later) were found: install them \
         (Debian and Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; \
         macOS: brew install postgresql), or name a running server in DATABASE_URL"
    )]
    NotInstalled,
    /// Only server programs that are too old.
    #[error(
        "the newest PostgreSQL server installed is version {found} ({}), and {OLDEST_MAJOR} or later is needed: \
         install a newer one, or name a running server in DATABASE_URL", folder.display()
    )]
    TooOld {
        /// The newest major version found.
        found: u32,
        /// Where it is.
        folder: PathBuf,
    },
    /// The cluster was written by a major version that is not installed.
    #[error(
        "the data in {} was written by PostgreSQL {wrote}, and only {} installed: install PostgreSQL {wrote}, \
         or choose another data folder", cluster.display(), listed(installed)
    )]
    OtherVersion {
        /// The database cluster.
        cluster: PathBuf,
        /// The major version that wrote it.
        wrote: u32,
        /// The major versions installed.
        installed: Vec<u32>,
    },
    /// The data folder's path names something else.
    #[error("{} is not a folder: choose another data folder", path.display())]
    NotAFolder {
        /// The path given.
        path: PathBuf,
    },
    /// The data folder holds somebody else's files.
    #[error("{} is not empty and was not made by Kembara: choose an empty or new data folder", path.display())]
    Foreign {
        /// The path given.
        path: PathBuf,
    },
    /// The folder `postgres/` in the data folder is not a database cluster.
    #[error(
        "{} is not a database cluster (it has no readable PG_VERSION): move it away or choose another data folder",
        cluster.display()
    )]
    NotACluster {
        /// The folder that should be a cluster.
        cluster: PathBuf,
    },
    /// Another program holds the lock.
    #[error(
        "{} is in use by another Kembara{}: stop that one, or choose another data folder", path.display(),
        holder.map_or_else(String::new, |pid| format!(" (process {pid})"))
    )]
    InUse {
        /// The data folder.
        path: PathBuf,
        /// The process that holds it, when it said so.
        holder: Option<u32>,
    },
    /// The server's account cannot reach the data folder.
    #[error(
        "Postgres refuses to run as root, so it runs as {account}, who may not enter {}: \
         choose a data folder elsewhere, such as /var/lib/kembara", folder.display()
    )]
    CannotEnter {
        /// The first folder on the way that is closed.
        folder: PathBuf,
        /// The account's name.
        account: String,
    },
    /// The cluster belongs to another account.
    #[error(
        "{} belongs to the user with id {owner}, and Postgres serves only its owner's data: \
         start Kembara as that user, or choose another data folder", cluster.display()
    )]
    WrongOwner {
        /// The database cluster.
        cluster: PathBuf,
        /// The owner's user id.
        owner: u32,
    },
    /// Root has nobody to run the server as.
    #[error(
        "Postgres refuses to run as root, and this machine has neither a user postgres nor a user nobody: \
         start Kembara as an ordinary user, or name a running server in DATABASE_URL"
    )]
    NoAccount,
    /// Nothing says where the state of this user's programs lies.
    #[error("neither XDG_STATE_HOME nor HOME is set to an absolute path: name a data folder with --data-dir")]
    NoHome,
    /// The socket's folder is not ours or open to others.
    #[error("{} exists but is not a private folder of the server's account: remove it", folder.display())]
    SocketFolder {
        /// The folder for the socket.
        folder: PathBuf,
    },
    /// `initdb` failed.
    #[error("initdb could not make a database cluster in {}: {said}", folder.display())]
    Initdb {
        /// The data folder.
        folder: PathBuf,
        /// Its last words.
        said: String,
    },
    /// The pid file names a process that lives and does not answer.
    #[error(
        "{} names process {pid}, which lives but does not answer as this folder's Postgres: \
         stop that process, or remove the file if the process is no Postgres", file.display()
    )]
    Stuck {
        /// The process.
        pid: u32,
        /// The server's pid file.
        file: PathBuf,
    },
    /// The server ended while it was starting.
    #[error("the private Postgres ended while starting: {said}")]
    Died {
        /// The end of its log.
        said: String,
    },
    /// The server does not become ready.
    #[error("the private Postgres was not ready after {seconds} s; its log is {}", log.display())]
    Slow {
        /// How long was waited.
        seconds: u64,
        /// The server's log.
        log: PathBuf,
    },
    /// The server does not end.
    #[error("the private Postgres (process {pid}) does not stop; it is left running and the next start adopts it")]
    WillNotStop {
        /// The server's process.
        pid: u32,
    },
    /// The operating system refused something.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb.
        what: &'static str,
        /// On which path.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The server answered a statement of ours with an error.
    #[error("the private Postgres refused a statement: {0}")]
    Sql(#[from] sqlx::Error),
}

impl PostgresError {
    /// Turns a system error into one that names the deed and the path; for `map_err`.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}

fn listed(versions: &[u32]) -> String {
    let names: Vec<String> = versions.iter().map(u32::to_string).collect();
    format!("{} {}", names.join(" and "), if names.len() == 1 { "is" } else { "are" })
}
