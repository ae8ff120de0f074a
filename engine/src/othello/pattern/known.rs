//! The tables this process knows, by what they are known by.
//!
//! Adding a table changes no result: a name says by its hash which table it means, and without the
//! table it is refused.

use super::table::{Id, Table};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// Learned by `kembara patterns learn ../shared/data/othello/wthor/*.wtb`.
static SHIPPED: LazyLock<Arc<Table>> = LazyLock::new(|| {
    let table = Table::read(include_bytes!("shipped.patterns"));
    Arc::new(table.expect("the tests read the shipped table"))
});

static ADDED: RwLock<Vec<Arc<Table>>> = RwLock::new(Vec::new());

/// The table that ships with the program: what genomes mean that name none.
#[must_use]
pub fn shipped() -> &'static Arc<Table> {
    &SHIPPED
}

/// Lets the players of this process use a table: their genome is named `oe_…p@ID`.
///
/// About 1 MB stays in memory for each.
pub fn add(table: Table) -> Id {
    let id = table.id();
    if find(&id.to_string()).is_none() {
        // A list is never left half changed.
        ADDED.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(table));
    }
    id
}

/// The table known by this.
pub(in crate::othello) fn find(id: &str) -> Option<Arc<Table>> {
    all().into_iter().find(|table| table.id().to_string() == id)
}

/// What all tables are known by, for error messages.
pub(in crate::othello) fn names() -> String {
    all().iter().map(|table| format!("@{}", table.id())).collect::<Vec<_>>().join(", ")
}

fn all() -> Vec<Arc<Table>> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    std::iter::once(SHIPPED.clone()).chain(added.iter().cloned()).collect()
}
