//! The data folder: whose it is, who holds it, who may enter it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::PostgresError;
use super::account::{self, Account};
use super::binaries::Binaries;

const LOCK: &str = "kembara.lock";
const CLUSTER: &str = "postgres";
const LOGS: &str = "logs";
/// How long a lock may be held after its owner has gone.
const LETTING_GO: Duration = Duration::from_millis(500);

/// The data folder when none is named: `/var/lib/kembara` for root, whose home others cannot enter,
/// and `kembara` in the XDG state folder for everybody else.
///
/// # Errors
/// When neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
pub fn default_data_dir() -> Result<PathBuf, PostgresError> {
    if account::we_are_root() {
        return Ok(PathBuf::from("/var/lib/kembara"));
    }
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_STATE_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".local/state")))
        .map(|state| state.join("kembara"))
        .ok_or(PostgresError::NoHome)
}

/// The folder in a data folder where programs started together keep their logs. Both are made when
/// absent, and the data folder is marked as ours without being locked.
///
/// # Errors
/// When the data folder is somebody else's, or cannot be made.
pub fn logs_folder(data_dir: &Path) -> Result<PathBuf, PostgresError> {
    let path = make(data_dir)?;
    mark(&path)?;
    let logs = path.join(LOGS);
    std::fs::create_dir_all(&logs).map_err(PostgresError::io("make the folder", &logs))?;
    Ok(logs)
}

/// A data folder that this program holds the lock of.
#[derive(Debug)]
pub(super) struct DataFolder {
    path: PathBuf,
    /// Whom server processes run as; `None` when that is ourselves.
    account: Option<Account>,
    /// Whether this program made the folder just now.
    fresh: bool,
    _lock: File,
}

impl DataFolder {
    /// Makes the folder when it is absent, refuses it when it is somebody else's, and locks it.
    pub fn open(wanted: &Path) -> Result<Self, PostgresError> {
        let fresh = !wanted.exists();
        let path = make(wanted)?;
        let lock = lock(&path)?;
        let account = server_account(&path.join(CLUSTER))?;
        Ok(Self { path, account, fresh, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The database cluster's folder; it exists only when it is complete.
    pub fn cluster(&self) -> PathBuf {
        self.path.join(CLUSTER)
    }

    /// The user id that server processes have.
    pub fn server_uid(&self) -> u32 {
        self.account.as_ref().map_or_else(|| rustix::process::geteuid().as_raw(), |account| account.uid)
    }

    /// A command of the server's, to be run as its account, in a folder it may enter, and deaf to
    /// the settings of whoever started us.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if let Some(account) = &self.account {
            account.run(&mut command);
        }
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("PG") || text.starts_with("LC_") || text == "LANG" || text == "DATABASE_URL" {
                command.env_remove(name);
            }
        }
        // English words in the log, whatever the user speaks: some are looked for.
        command.env("LC_ALL", "C").current_dir(&self.path).stdin(std::process::Stdio::null());
        command
    }

    /// The major version that wrote the cluster; `None` when there is no cluster yet.
    pub fn cluster_version(&self) -> Result<Option<u32>, PostgresError> {
        let cluster = self.cluster();
        if !cluster.exists() {
            return Ok(None);
        }
        match std::fs::read_to_string(cluster.join("PG_VERSION")).map(|text| text.trim().parse()) {
            Ok(Ok(major)) => Ok(Some(major)),
            _ => Err(PostgresError::NotACluster { cluster }),
        }
    }

    /// Makes sure that the server's account can work here, by letting it try.
    pub fn check_entry(&self, binaries: &Binaries) -> Result<(), PostgresError> {
        let tried = self.command(&binaries.initdb()).arg("--version").output();
        match (tried, &self.account) {
            (Ok(_), _) => Ok(()),
            (Err(error), Some(account)) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                let folder = first_closed(&self.path, account).unwrap_or_else(|| self.path.clone());
                if self.fresh {
                    // It is of no use where it is.
                    let _ = std::fs::remove_file(self.path.join(LOCK));
                    let _ = std::fs::remove_dir(&self.path);
                }
                Err(PostgresError::CannotEnter { folder, account: account.name.clone() })
            }
            (Err(error), _) => Err(PostgresError::io("run", &binaries.initdb())(error)),
        }
    }

    /// Makes a folder that only the server's account may enter.
    pub fn make_private(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::DirBuilder::new().mode(0o700).create(folder)?;
        match &self.account {
            Some(account) => std::os::unix::fs::chown(folder, Some(account.uid), Some(account.gid)),
            None => Ok(()),
        }
    }
}

fn make(wanted: &Path) -> Result<PathBuf, PostgresError> {
    match wanted.metadata() {
        Ok(metadata) if !metadata.is_dir() => return Err(PostgresError::NotAFolder { path: wanted.to_owned() }),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if let Some(parent) = wanted.parent() {
                std::fs::create_dir_all(parent).map_err(PostgresError::io("make the folder", parent))?;
            }
            std::fs::create_dir_all(wanted).map_err(PostgresError::io("make the folder", wanted))?;
            // Root's folder must let the server's account through; nobody needs to list it.
            let mode = if account::we_are_root() { 0o711 } else { 0o700 };
            std::fs::set_permissions(wanted, std::fs::Permissions::from_mode(mode))
                .map_err(PostgresError::io("set the permissions of", wanted))?;
        }
        Err(error) => return Err(PostgresError::io("look at", wanted)(error)),
    }
    wanted.canonicalize().map_err(PostgresError::io("enter", wanted))
}

/// Opens the mark, which is made only in an empty folder.
fn mark(path: &Path) -> Result<File, PostgresError> {
    let name = path.join(LOCK);
    if !name.exists() {
        let mut entries = path.read_dir().map_err(PostgresError::io("read the folder", path))?;
        // A program that starts at the same moment may make its mark between the two looks.
        if entries.next().is_some() && !name.exists() {
            return Err(PostgresError::Foreign { path: path.to_owned() });
        }
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options.open(&name).map_err(PostgresError::io("open", &name))
}

fn lock(path: &Path) -> Result<File, PostgresError> {
    let name = path.join(LOCK);
    let mut file = mark(path)?;
    let asked = Instant::now();
    let held = loop {
        match file.try_lock() {
            // A process that is just being started, or just being killed, may hold a lock that its
            // owner has let go for some milliseconds more.
            Err(TryLockError::WouldBlock) if asked.elapsed() < LETTING_GO => {
                std::thread::sleep(Duration::from_millis(20));
            }
            held => break held,
        }
    };
    match held {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let read = file.read_to_string(&mut holder);
            let holder = read.ok().and_then(|_| holder.trim().parse().ok());
            return Err(PostgresError::InUse { path: path.to_owned(), holder });
        }
        Err(TryLockError::Error(error)) => return Err(PostgresError::io("lock", &name)(error)),
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .map_err(PostgresError::io("write to", &name))?;
    Ok(file)
}

fn server_account(cluster: &Path) -> Result<Option<Account>, PostgresError> {
    let owner = match cluster.metadata() {
        Ok(metadata) => Some((metadata.uid(), metadata.gid())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(PostgresError::io("look at", cluster)(error)),
    };
    let wrong = |owner| Err(PostgresError::WrongOwner { cluster: cluster.to_owned(), owner });
    match (account::we_are_root(), owner) {
        (true, Some((0, _))) => wrong(0),
        (true, owner) => account::for_root(owner).map(Some),
        (false, Some((owner, _))) if owner != rustix::process::geteuid().as_raw() => wrong(owner),
        (false, _) => Ok(None),
    }
}

/// The first folder from the root downwards that the account may not enter, by its mode bits.
fn first_closed(path: &Path, account: &Account) -> Option<PathBuf> {
    let mut way: Vec<&Path> = path.ancestors().collect();
    way.reverse();
    way.into_iter().find(|folder| folder.metadata().is_ok_and(|found| !may_enter(&found, account))).map(Path::to_owned)
}

fn may_enter(folder: &std::fs::Metadata, account: &Account) -> bool {
    let shift = match (folder.uid() == account.uid, folder.gid() == account.gid) {
        (true, _) => 6,
        (false, true) => 3,
        (false, false) => 0,
    };
    folder.mode() >> shift & 1 == 1
}
