//! Where the coordinator is, and what is shown to it.

use super::Server;
use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;

/// How to reach a coordinator.
#[derive(Args, Clone, Debug)]
pub struct ServerArguments {
    /// The coordinator's address
    #[arg(long, value_name = "URL", env = "KEMBARA_SERVER", default_value_t = default_url())]
    pub server: String,
    /// A file that holds the token to show to the coordinator
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    pub json: bool,
}

impl ServerArguments {
    /// The coordinator, not yet asked anything.
    pub fn connect(&self) -> Result<Server, Failure> {
        let token = self.token_file.as_deref().map(read_token).transpose()?;
        Server::new(&self.server, token)
    }
}

/// Reads a token: one line of visible ASCII characters.
fn read_token(path: &std::path::Path) -> Result<String, Failure> {
    const LONGEST: u64 = 4096;
    let wrong = |why: &str| Failure::usage(format!("the token file {} {why}", path.display()));
    let size = std::fs::metadata(path).map_err(|error| wrong(&format!("cannot be read: {error}")))?.len();
    if size > LONGEST {
        return Err(wrong("is too big to hold one token"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let token = text.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(wrong("must hold one token of visible ASCII characters and nothing else"));
    }
    Ok(token.to_owned())
}

/// Where a coordinator of this machine listens when nothing else is said.
pub fn default_url() -> String {
    format!("http://{}", kembara_coordinator::config::DEFAULT_LISTEN)
}
