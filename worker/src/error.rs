//! Why a worker stops for good.

/// What a worker cannot wait out.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// A setting that cannot be used.
    #[error("{0}")]
    Setting(String),
    /// The address answers, but not as a coordinator does.
    #[error("{server} is not a Kembara coordinator: {reason}; check --server")]
    NotACoordinator {
        /// The address given.
        server: String,
        /// What it answered.
        reason: String,
    },
    /// The coordinator refuses this worker, and asking again would not help.
    #[error("{server} refuses this worker: {reason}")]
    Refused {
        /// The address given.
        server: String,
        /// The coordinator's reason.
        reason: String,
    },
    /// The system did not give what a worker needs.
    #[error("{0}")]
    System(#[from] std::io::Error),
}

impl WorkerError {
    /// The exit code of a program that ends with this error: 2 for a setting, as for any wrong
    /// argument; 3 when the coordinator refuses; 4 when there is none at the address; 1 otherwise.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::System(_) => 1,
            Self::Setting(_) => 2,
            Self::Refused { .. } => 3,
            Self::NotACoordinator { .. } => 4,
        }
    }
}
