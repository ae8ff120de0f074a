//! Where log lines go: to the standard error output, without tearing the status line.

use crate::config::LogFormat;
use std::io::{IsTerminal, Stderr, Write};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Starts logging. RUST_LOG chooses what is logged; without it, this program's news and everybody's
/// warnings.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,kembara_worker=info"));
    let terminal = std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(AboveTheLine { terminal });
    // Somebody else's logging stays when there is one.
    let _ = match format {
        LogFormat::Text => lines.with_ansi(terminal).with_target(false).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
}

/// Clears the status line before a log line is written.
#[derive(Clone, Copy, Debug)]
struct AboveTheLine {
    terminal: bool,
}

impl<'a> MakeWriter<'a> for AboveTheLine {
    type Writer = Stderr;

    fn make_writer(&'a self) -> Self::Writer {
        let mut output = std::io::stderr();
        if self.terminal {
            // If the terminal is gone, the log line will fail as well.
            let _ = output.write_all(b"\r\x1b[K");
        }
        output
    }
}
