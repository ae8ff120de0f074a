//! The thread that starts the server process and stays with it until it ends.
//!
//! On Linux the kernel can signal a child when its parent dies, but it means the parent's *thread*.
//! A pool's thread may end at any time, so the server gets a thread of its own, which lives exactly
//! as long as the server. When the whole program is killed that thread dies too, and the server
//! receives SIGINT: its orderly fast shutdown.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;

use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::watch;

/// A server process that we started.
#[derive(Debug)]
pub(super) struct Keeper {
    pid: Pid,
    ended: watch::Receiver<Option<String>>,
    socket: String,
    log: PathBuf,
}

impl Keeper {
    /// Starts the command on a thread of its own.
    pub fn start(mut command: Command, socket: &str, log: &Path) -> io::Result<Self> {
        end_with_this_thread(&mut command, Signal::INT);
        let (told, heard) = mpsc::channel();
        let (end, ended) = watch::channel(None);
        std::thread::Builder::new().name("postgres".into()).spawn(move || {
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(error) => {
                    let _ = told.send(Err(error));
                    return;
                }
            };
            let _ = told.send(Ok(child.id()));
            let how = match child.wait() {
                Ok(status) => status.to_string(),
                Err(error) => error.to_string(),
            };
            end.send_replace(Some(how));
        })?;
        let pid = heard.recv().map_err(|_| io::Error::other("the thread that starts the server ended"))??;
        let pid = Pid::from_raw(pid.cast_signed()).ok_or_else(|| io::Error::other("a process without a number"))?;
        Ok(Self { pid, ended, socket: socket.to_owned(), log: log.to_owned() })
    }

    pub fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    pub fn socket(&self) -> &str {
        &self.socket
    }

    pub fn log(&self) -> &Path {
        &self.log
    }

    pub fn has_ended(&self) -> bool {
        self.ended.borrow().is_some()
    }

    /// Resolves when the process has ended, with its status.
    pub async fn ended(&self) -> String {
        let mut ended = self.ended.clone();
        match ended.wait_for(Option::is_some).await {
            Ok(how) => how.clone().unwrap_or_default(),
            Err(_) => "its keeper ended".into(),
        }
    }

    /// Sends a signal while the process lives.
    pub fn signal(&self, signal: Signal) {
        if !self.has_ended() {
            let _ = kill_process(self.pid, signal);
        }
    }

    /// The part of the server's log that tells why it ended.
    pub fn last_words(&self) -> String {
        let log = std::fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let telling = |line: &&&str| ["FATAL:", "PANIC:", "ERROR:"].iter().any(|mark| line.contains(mark));
        match lines.iter().rev().find(telling).or(lines.last()) {
            Some(line) => format!("{} (its log is {})", line.trim(), self.log.display()),
            None => format!("it said nothing in {}", self.log.display()),
        }
    }
}

/// Lets the child get this signal when the thread that spawns it ends.
pub(super) fn end_with_this_thread(command: &mut Command, signal: Signal) {
    #[cfg(target_os = "linux")]
    {
        let parent = rustix::process::getpid();
        // Set after the change of user, which would clear it; std runs this last.
        // SAFETY: between fork and exec only two system calls are made, nothing is allocated.
        unsafe {
            command.pre_exec(move || {
                rustix::process::set_parent_process_death_signal(Some(signal))?;
                // The parent may have died before the line above.
                if rustix::process::getppid() == Some(parent) {
                    Ok(())
                } else {
                    Err(io::Error::from(rustix::io::Errno::SRCH))
                }
            });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (command, signal);
}
