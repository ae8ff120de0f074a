//! What a coordinator can be told: database, address, timings, log.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sqlx::postgres::PgConnectOptions;

use crate::telemetry::LogFormat;

/// The port that coordinators listen on and clients ask when nothing else is said.
pub const DEFAULT_PORT: u16 = 7878;

/// The address that a coordinator listens on when nothing else is said.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), DEFAULT_PORT);

/// The arguments of `kembara coordinator`, and all that [`serve`](crate::serve()) wants to know.
#[derive(Debug, Clone, Args)]
pub struct CoordinatorArgs {
    /// The database, as postgres://user:password@host/name [default: a private Postgres of its own]
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL",
          value_parser = clap::builder::ValueParser::new(DatabaseUrl::read))]
    pub database_url: Option<DatabaseUrl>,

    /// Where the private Postgres keeps its data [default: /var/lib/kembara for root, else the XDG state folder]
    #[arg(long, env = "KEMBARA_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// The address for workers and people; port 0 takes any free one and prints it
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = DEFAULT_LISTEN)]
    pub listen: SocketAddr,

    /// Allow an address that other machines can reach, though nothing asks them who they are
    #[arg(long)]
    pub allow_insecure: bool,

    /// How long a worker may keep games without a sign of life, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub lease: u32,

    /// Connections to the database at a time; at most 80 go to a private Postgres
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub connections: u32,

    /// At shutdown, how long requests that are being answered may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=600))]
    pub grace: u32,

    /// How the log is written; KEMBARA_LOG chooses what is in it, such as info,kembara_coordinator=debug
    #[arg(long, env = "KEMBARA_LOG_FORMAT", value_name = "FORMAT", default_value_t = LogFormat::Text, value_enum)]
    pub log_format: LogFormat,
}

impl Default for CoordinatorArgs {
    /// What the command line gives when nothing is typed and no variable is set.
    fn default() -> Self {
        Self {
            database_url: None,
            data_dir: None,
            listen: DEFAULT_LISTEN,
            allow_insecure: false,
            lease: 60,
            connections: 16,
            grace: 10,
            log_format: LogFormat::Text,
        }
    }
}

impl CoordinatorArgs {
    /// The database that was named; an empty name is none, as an empty variable means.
    #[must_use]
    pub fn named_database(&self) -> Option<&DatabaseUrl> {
        self.database_url.as_ref().filter(|url| !url.0.trim().is_empty())
    }

    /// The term of a lease.
    #[must_use]
    pub fn lease_term(&self) -> Duration {
        Duration::from_secs(self.lease.into())
    }
}

/// A database URL. It may hold a password, so it never shows itself.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Takes a URL as it was written; whether it can be used shows in [`options`](Self::options).
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// For clap, which would print the value of an argument that it cannot parse.
    fn read(url: &str) -> Result<Self, std::convert::Infallible> {
        Ok(Self::new(url))
    }

    /// The URL's meaning.
    ///
    /// # Errors
    /// One line, without the URL, when it is no database URL.
    pub fn options(&self) -> Result<PgConnectOptions, DatabaseUrlError> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| self.0.starts_with(scheme)) {
            return Err(DatabaseUrlError { why: "it does not begin with postgres://".into() });
        }
        self.0.parse().map_err(|error: sqlx::Error| {
            let why = match error {
                sqlx::Error::Configuration(inner) => inner.to_string(),
                other => other.to_string(),
            };
            DatabaseUrlError { why }
        })
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(hidden)")
    }
}

/// A database URL that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("DATABASE_URL cannot be used ({why}): write it as postgres://user:password@host:5432/name")]
pub struct DatabaseUrlError {
    why: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: CoordinatorArgs,
    }

    fn typed(arguments: &[&str]) -> Result<CoordinatorArgs, String> {
        let line = std::iter::once(&"kembara").chain(arguments);
        Line::try_parse_from(line).map(|line| line.args).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_typed_gives_the_defaults() {
        // The variables are set where tests run against a server of their own.
        let mut read = typed(&[]).unwrap();
        (read.database_url, read.data_dir) = (None, None);
        assert_eq!(format!("{read:?}"), format!("{:?}", CoordinatorArgs::default()));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for wrong in [["--lease", "0"], ["--lease", "3601"], ["--listen", "here"], ["--connections", "1"]] {
            assert!(typed(&wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        for url in
            ["postgres://me:s3cret@host:notaport/db", "mysql://me:s3cret@host/db", "s3cret", "postgres://s3cret@["]
        {
            let args = typed(&["--database-url", url]).unwrap();
            assert!(!format!("{args:?}").contains("s3cret"));
            let said = args.named_database().unwrap().options().map(|_| ()).unwrap_err().to_string();
            assert!(!said.contains("s3cret") && said.contains("postgres://user:password@host"), "{said}");
        }
    }

    #[test]
    fn an_empty_variable_means_the_private_server() {
        let args = CoordinatorArgs { database_url: Some(DatabaseUrl::new("")), ..CoordinatorArgs::default() };
        assert!(args.named_database().is_none());
    }
}
