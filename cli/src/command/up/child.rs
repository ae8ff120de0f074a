//! Processes of this program that end with it.

use crate::command::patterns;
use crate::failure::Failure;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A signal that a child is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Finish what is in hand and end.
    Terminate,
    /// End now.
    Kill,
}

impl Signal {
    const fn number(self) -> libc::c_int {
        match self {
            Self::Terminate => libc::SIGTERM,
            Self::Kill => libc::SIGKILL,
        }
    }
}

/// What to start, and where it writes its log.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// For messages and the log file: `coordinator`, `worker-1`.
    pub name: String,
    /// The arguments of this same program.
    pub arguments: Vec<OsString>,
    /// The log file.
    pub log: PathBuf,
}

/// A running child.
#[derive(Debug)]
pub struct Running {
    process: Child,
    started: Instant,
}

impl Recipe {
    /// Starts the child. It stands in a process group of its own, so that Ctrl-C reaches only us
    /// and we decide who ends first. When we are killed, the kernel kills it too: the database
    /// keeps everything that counts.
    ///
    /// Must be called from the main thread: the kernel ties the death signal to the thread that
    /// started the child, not to the process.
    pub fn start(&self) -> Result<Running, Failure> {
        let failed = |error: io::Error| Failure::failed(format!("cannot start the {}: {error}", self.name));
        let program = std::env::current_exe().map_err(failed)?;
        let log = open_log(&self.log)?;
        let mut command = Command::new(program);
        command.args(&self.arguments).stdin(Stdio::null());
        command.envs(patterns::loaded().map(|files| (patterns::VARIABLE, files)));
        command.stdout(log.try_clone().map_err(failed)?).stderr(log).process_group(0);
        let parent = std::process::id();
        // SAFETY: the closure makes two system calls and allocates nothing, which is all that is
        // allowed between fork and exec.
        unsafe {
            command.pre_exec(move || {
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == -1 {
                    return Err(io::Error::last_os_error());
                }
                // The parent may have died before the signal was asked for.
                if libc::getppid().cast_unsigned() == parent { Ok(()) } else { Err(io::ErrorKind::NotConnected.into()) }
            });
        }
        let process = command.spawn().map_err(failed)?;
        Ok(Running { process, started: Instant::now() })
    }

    /// Whether the end of the log has a line that begins so.
    pub fn has_said(&self, beginning: &str) -> bool {
        tail(&self.log).is_ok_and(|text| text.lines().any(|line| line.starts_with(beginning)))
    }

    /// The last line of the log that tells of an error.
    pub fn last_error(&self) -> Option<String> {
        let text = tail(&self.log).ok()?;
        text.lines().rev().find_map(|line| line.strip_prefix("error: ").map(str::to_owned))
    }
}

impl Running {
    /// How long it has run.
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().ok().flatten()
    }

    /// Sends a signal; one that has ended already does not mind.
    pub fn signal(&self, signal: Signal) {
        if let Ok(id) = libc::pid_t::try_from(self.process.id()) {
            // SAFETY: kill has no requirements on memory. The id is of a child not yet waited for,
            // or one that has ended and whose id was not given to another of our children.
            unsafe { libc::kill(id, signal.number()) };
        }
    }

    /// Waits for its end, at most so long; true when it ended.
    pub fn wait(&mut self, longest: Duration) -> bool {
        let begun = Instant::now();
        while self.ended().is_none() {
            if begun.elapsed() > longest {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }
}

fn open_log(path: &Path) -> Result<File, Failure> {
    let failed = |error: io::Error| Failure::failed(format!("cannot write the log {}: {error}", path.display()));
    OpenOptions::new().create(true).append(true).open(path).map_err(failed)
}

/// The end of a file, as much as an error message can lie in.
fn tail(path: &Path) -> io::Result<String> {
    use std::io::{Read, Seek, SeekFrom};
    const MOST: u64 = 16 << 10;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
