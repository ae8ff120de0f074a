//! Names of rows, each a type of its own so that none is taken for another.

use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $inner:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
        #[sqlx(transparent, no_pg_array)]
        pub struct $name(pub $inner);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A run's row. Never shown to people, who know runs by name.
    RunId,
    i32
);
id!(
    /// A batch's row.
    BatchId,
    i64
);
id!(
    /// A worker's session.
    Session,
    Uuid
);
id!(
    /// The right to report one range.
    LeaseToken,
    Uuid
);

impl LeaseToken {
    /// A new token from the system's randomness.
    #[must_use]
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }
}
