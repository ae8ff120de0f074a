//! The hash of a resolved spec, and where two of them differ.

use super::ResolvedSpec;
use serde_json::Value;
use std::collections::BTreeMap;

/// One field in which two specs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its dotted path, as in `play.limit.depth`; list items as `inject.hall.0`.
    pub field: String,
    /// The value in the spec that was asked, as JSON; `nothing` when it has no such field.
    pub ours: String,
    /// The value in the other.
    pub theirs: String,
}

impl ResolvedSpec {
    /// The canonical JSON: no spaces, fields in the order in which the types declare them, frozen
    /// genes in the order of their names, real numbers in the fewest digits that read back to the
    /// same bits.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        serde_json::to_string(self).expect("a resolved spec has only string keys and plain values")
    }

    /// BLAKE3, in key derivation mode with the context below, over the canonical JSON.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        blake3::derive_key("kembara resolved spec, version 1", self.canonical_json().as_bytes())
    }

    /// The fields in which `other` differs, in the order of their paths. Empty exactly when the
    /// hashes agree.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let (ours, theirs) = (leaves(self), leaves(other));
        let mut fields: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
        fields.sort_unstable();
        fields.dedup();
        let shown = |value: Option<&String>| value.map_or_else(|| "nothing".to_owned(), Clone::clone);
        fields
            .into_iter()
            .filter(|field| ours.get(*field) != theirs.get(*field))
            .map(|field| Difference {
                field: field.clone(),
                ours: shown(ours.get(field)),
                theirs: shown(theirs.get(field)),
            })
            .collect()
    }
}

/// Every leaf of the JSON form by its dotted path.
fn leaves(spec: &ResolvedSpec) -> BTreeMap<String, String> {
    let tree = serde_json::to_value(spec).expect("a resolved spec has only string keys and plain values");
    let mut found = BTreeMap::new();
    collect(&tree, String::new(), &mut found);
    found
}

fn collect(value: &Value, path: String, found: &mut BTreeMap<String, String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| collect(value, below(name), found));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(place, item)| collect(item, below(&place.to_string()), found));
        }
        leaf => {
            found.insert(path, leaf.to_string());
        }
    }
}
