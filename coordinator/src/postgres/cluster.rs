//! Making a database cluster and starting the server on it.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;

use rustix::process::Signal;

use super::binaries::Binaries;
use super::folder::DataFolder;
use super::keeper::{Keeper, end_with_this_thread};
use super::{NAME, PostgresError};

/// Clusters grow under such a name and get their own by a rename once they are whole.
const UNFINISHED: &str = "postgres.new-";

/// A log larger than this is put aside at the next start.
const LOG_BYTES: u64 = 4 << 20;

/// The server's settings. `fsync` and full-page writes are named so that nobody's default can turn
/// them off: what was committed must survive the plug being pulled.
const SETTINGS: &[(&str, &str)] = &[
    ("listen_addresses", ""),
    ("unix_socket_permissions", "0700"),
    ("fsync", "on"),
    ("full_page_writes", "on"),
    ("synchronous_commit", "on"),
    ("shared_buffers", "128MB"),
    ("max_connections", "100"),
    // Nothing replicates from a private server, so the log holds only what recovery needs.
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    ("max_wal_size", "1GB"),
    ("wal_compression", "on"),
    ("checkpoint_timeout", "15min"),
    ("jit", "off"),
    ("timezone", "UTC"),
    ("log_timezone", "UTC"),
    ("log_destination", "stderr"),
    ("logging_collector", "off"),
    ("log_checkpoints", "off"),
    ("cluster_name", NAME),
];

/// Makes the cluster when there is none. A kill at any moment leaves either no cluster (and litter
/// that the next start removes) or a whole one.
pub(super) fn create_if_absent(data: &DataFolder, binaries: &Binaries) -> Result<(), PostgresError> {
    remove_unfinished(data)?;
    let cluster = data.cluster();
    if cluster.exists() {
        return Ok(());
    }
    tracing::info!(data_dir = %data.path().display(), version = binaries.version(), "making a database cluster");
    // A name of its own: an initdb that outlived its killed starter may still write to the old one.
    let unfinished = data.path().join(format!("{UNFINISHED}{}", uuid::Uuid::new_v4().simple()));
    data.make_private(&unfinished).map_err(PostgresError::io("make the folder", &unfinished))?;
    let mut initdb = data.command(&binaries.initdb());
    initdb.arg("-D").arg(&unfinished).args(["-U", NAME, "-E", "UTF8", "--locale=C", "--data-checksums"]);
    // Trust is for whoever may enter the socket's folder; no other way in exists.
    initdb.args(["--auth-local=trust", "--auth-host=reject"]);
    end_with_this_thread(&mut initdb, Signal::TERM);
    let output = initdb.output().map_err(PostgresError::io("run", &binaries.initdb()))?;
    if !output.status.success() {
        let _ = std::fs::remove_dir_all(&unfinished);
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
        return Err(PostgresError::Initdb { folder: data.path().to_owned(), said });
    }
    std::fs::rename(&unfinished, &cluster).map_err(PostgresError::io("rename", &unfinished))?;
    File::open(data.path()).and_then(|folder| folder.sync_all()).map_err(PostgresError::io("sync", data.path()))
}

fn remove_unfinished(data: &DataFolder) -> Result<(), PostgresError> {
    let entries = data.path().read_dir().map_err(PostgresError::io("read the folder", data.path()))?;
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            tracing::info!(folder = %entry.path().display(), "removing a database cluster that was never finished");
            std::fs::remove_dir_all(entry.path()).map_err(PostgresError::io("remove", &entry.path()))?;
        }
    }
    Ok(())
}

/// Starts the server; it is not ready yet.
pub(super) fn spawn(data: &DataFolder, binaries: &Binaries, socket: &str) -> Result<Keeper, PostgresError> {
    use std::os::unix::process::CommandExt;

    let log = data.path().join("postgres.log");
    let (out, err) = open_log(&log).map_err(PostgresError::io("write to", &log))?;
    let mut command = data.command(&binaries.postgres());
    command.arg("-D").arg(data.cluster());
    command.arg("-p").arg(super::socket::PORT.to_string());
    command.arg("-c").arg(format!("unix_socket_directories={socket}"));
    for (name, value) in SETTINGS {
        command.arg("-c").arg(format!("{name}={value}"));
    }
    // A process group of its own: Ctrl-C in our terminal is for us, who then stop the server last.
    command.stdout(out).stderr(err).process_group(0);
    Keeper::start(command, socket, &log).map_err(PostgresError::io("run", &binaries.postgres()))
}

fn open_log(log: &Path) -> std::io::Result<(Stdio, Stdio)> {
    if log.metadata().is_ok_and(|found| found.len() > LOG_BYTES) {
        std::fs::rename(log, log.with_extension("log.old"))?;
    }
    let file = File::options().create(true).append(true).open(log)?;
    Ok((file.try_clone()?.into(), file.into()))
}

/// Whether a server refused to start because the processes of an earlier one are still ending.
pub(super) fn remains_of_another(said: &str) -> bool {
    ["pre-existing shared memory block", "lock file \"postmaster.pid\" already exists"]
        .iter()
        .any(|words| said.contains(words))
}
