//! Run specs as people write them, validated and resolved.
//!
//! Text becomes a tree of values ([`Node`]), the tree becomes a [`RunSpec`] or a list of everything
//! that is wrong with it, and a run spec becomes the literal [`ResolvedSpec`] that a run is a
//! function of. Only the last step needs anything that is not in the text ([`Outside`]).
//!
//! [`ResolvedSpec`]: kembara_evolution::ResolvedSpec

mod error;
mod files;
mod name;
mod node;
mod read;
mod reader;
mod run_spec;

pub use error::{FieldError, MOST_ERRORS, Place, SpecErrors};
pub use files::load;
pub use name::{NAME_RULE, RunName};
pub use node::{Entry, Node, Value};
pub use run_spec::{LARGEST_SEED, Outside, RunSpec, draw, written};

/// The most bytes a spec may have, with everything inlined.
pub const MOST_BYTES: usize = 1 << 20;
