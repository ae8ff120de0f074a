//! Ending: first let the games in hand finish, or at once.

use std::io;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Between two looks at whether the parent still lives.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Tells a worker to end.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    drain: CancellationToken,
    abort: CancellationToken,
}

impl Shutdown {
    /// Nobody has asked to end.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to finish the ranges in hand within the grace time, and to end.
    pub fn drain(&self) {
        self.drain.cancel();
    }

    /// Asks to give everything back at once, and to end.
    pub fn abort(&self) {
        self.drain.cancel();
        self.abort.cancel();
    }

    /// Waits until somebody asks to end, in either way.
    pub async fn ending(&self) {
        self.drain.cancelled().await;
    }

    /// Waits until somebody asks to end at once.
    pub async fn aborted(&self) {
        self.abort.cancelled().await;
    }

    /// Listens to SIGINT and SIGTERM: the first drains, the second aborts.
    ///
    /// # Errors
    /// When the system does not let the process listen.
    pub fn on_signals() -> io::Result<Self> {
        let shutdown = Self::new();
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let heard = shutdown.clone();
        tokio::spawn(async move {
            for second in [false, true] {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                if second {
                    tracing::info!("ending at once: leases go back unplayed");
                    heard.abort();
                } else {
                    tracing::info!("ending: the ranges in hand are finished first; once more gives them back at once");
                    heard.drain();
                }
            }
        });
        Ok(shutdown)
    }

    /// Aborts when the process that started this one is gone. `parent` is its id; when that is
    /// not known, whoever is the parent now.
    pub fn end_with_parent(&self, parent: Option<u32>) {
        // Polled, because the kernel's own signal is sent when the parent's thread ends, not the parent.
        let parent = parent.unwrap_or_else(std::os::unix::process::parent_id);
        let heard = self.clone();
        tokio::spawn(async move {
            while std::os::unix::process::parent_id() == parent {
                tokio::time::sleep(BETWEEN_LOOKS).await;
            }
            tracing::info!("the process that started this worker is gone; ending");
            heard.abort();
        });
    }
}
