//! Ctrl-C and polite requests to end, noticed by whoever waits.

use crate::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often the program was asked to end: once is a request, twice is impatience.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Listens from now on. The signals no longer end the program by themselves.
    pub fn listen() -> Result<Self, Failure> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let count = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let count = Arc::clone(&count);
            // SAFETY: the handler only adds to an atomic number, which is safe in a signal handler.
            unsafe { signal_hook::low_level::register(signal, move || _ = count.fetch_add(1, Ordering::Relaxed)) }
                .map_err(|error| Failure::failed(format!("cannot listen to signals: {error}")))?;
        }
        Ok(Self(count))
    }

    /// Whether the program was asked to end.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= 1
    }

    /// Whether it was asked more than once.
    pub fn insisted(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= 2
    }

    /// Waits, but not longer than until the program is asked to end.
    pub fn sleep(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.asked() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(50).min(until - Instant::now().min(until)));
        }
    }
}
