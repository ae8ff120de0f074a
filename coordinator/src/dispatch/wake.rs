//! Telling those who wait for work that something has changed in this process.

use tokio::sync::watch;

/// Wakes all who listen. Only a hint: whoever misses it looks again by the clock.
#[derive(Clone, Debug)]
pub struct Wake(watch::Sender<u64>);

/// One who waits.
pub(super) struct Listener(watch::Receiver<u64>);

impl Default for Wake {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl Wake {
    /// Wakes everybody.
    pub fn all(&self) {
        self.0.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    pub(super) fn listen(&self) -> Listener {
        Listener(self.0.subscribe())
    }
}

impl Listener {
    /// What came before counts as seen.
    pub fn reset(&mut self) {
        self.0.mark_unchanged();
    }

    /// Waits for a change after the last reset.
    pub async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            // Nobody can wake any more.
            std::future::pending::<()>().await;
        }
    }
}
