//! `kembara run pause`, `resume` and `stop`.

use super::OneRun;
use crate::client;
use crate::failure::Done;
use crate::output;

/// Changes a run's state; doing so twice is harmless.
pub fn run(arguments: &OneRun, verb: &str) -> Done {
    let (name, server) = (arguments.name()?, arguments.server.connect()?);
    let answer: serde_json::Value = server.post(&client::of_run(&name, &format!("/{verb}")), None)?;
    if arguments.server.json {
        return output::print_json(&answer);
    }
    let state = client::show(&server, &name)?.state;
    output::print(&format!("{name} is {state}\n"))
}
