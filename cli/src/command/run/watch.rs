//! `kembara run watch`.

use super::OneRun;
use crate::client;
use crate::failure::{Done, Failure};
use crate::interrupt::Interrupt;
use crate::output::Status;
use crate::progress;
use crate::report;
use std::time::Duration;

/// Follows a run to its report. Ctrl-C ends the watching, not the run.
pub fn run(arguments: &OneRun) -> Done {
    let (name, server) = (arguments.name()?, arguments.server.connect()?);
    let interrupt = Interrupt::listen()?;
    let mut status = Status::new(Duration::from_secs(5));
    // A wrong address or name is told at once; only later is an outage waited out.
    client::show(&server, &name)?;
    while !interrupt.asked() {
        match client::show(&server, &name) {
            Ok(run) if run.is_over() => {
                status.clear();
                let next = format!("Next: kembara leaderboard {name}");
                return report::print(&server, &run, &next, arguments.server.json);
            }
            Ok(run) => status.show(|| progress::line(&run)),
            Err(failure) if failure.is_temporary() => status.show(|| format!("waiting: {}", failure.message)),
            Err(failure) => return Err(failure),
        }
        interrupt.sleep(Duration::from_millis(500));
    }
    status.clear();
    Err(Failure::interrupted(format!("stopped watching; run {name} goes on")))
}
