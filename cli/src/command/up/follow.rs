//! What `up` does while its processes run: launch, watch, report.

use super::house::House;
use crate::client::{self, RunView};
use crate::command::spec_file::Loaded;
use crate::failure::{Done, Failure};
use crate::interrupt::Interrupt;
use crate::output::Status;
use crate::progress;
use crate::report;
use std::time::Duration;

/// Launches or resumes the run and follows it to its report.
pub fn run(house: &mut House, spec: &Loaded, interrupt: &Interrupt, json: bool) -> Done {
    let mut status = Status::new(Duration::from_secs(5));
    let launched = client::launch(house.server(), &spec.json)?;
    status.say(&format!("run {} at {}: {}", launched.name, house.server().url(), launched.state));
    loop {
        if interrupt.asked() {
            status.say("ending; games in hand are finished and reported (Ctrl-C again to end at once)");
            return Err(Failure::interrupted(format!(
                "run {} is not finished; the same command goes on",
                launched.name
            )));
        }
        house.mend(&mut status)?;
        match look(house, &launched.name) {
            Ok(run) if run.is_over() => {
                status.clear();
                let next = format!("Next: kembara up, and beside it kembara leaderboard {}", run.name);
                return report::print(house.server(), &run, &next, json);
            }
            Ok(run) => status.show(|| progress::line(&run)),
            // The coordinator may just be starting again.
            Err(failure) if failure.is_temporary() => status.show(|| format!("waiting: {}", failure.message)),
            Err(failure) => return Err(failure),
        }
        interrupt.sleep(Duration::from_millis(250));
    }
}

/// Serves until Ctrl-C; whatever is not finished goes on.
pub fn serve(house: &mut House, interrupt: &Interrupt) -> Done {
    let mut status = Status::new(Duration::from_secs(30));
    status.say(&format!("serving at {}; `kembara run list` shows the runs, Ctrl-C ends", house.server().url()));
    while !interrupt.asked() {
        house.mend(&mut status)?;
        if let Ok(runs) = client::list(house.server()) {
            let running = runs.iter().filter(|run| run.state == "running").count();
            status.show(|| format!("{} runs, {running} of them running", runs.len()));
        }
        interrupt.sleep(Duration::from_secs(1));
    }
    status.say("ending; games in hand are finished and reported (Ctrl-C again to end at once)");
    Ok(())
}

fn look(house: &House, name: &str) -> Result<RunView, Failure> {
    client::show(house.server(), name)
}
