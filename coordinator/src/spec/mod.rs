//! Run specs as people write them, validated and resolved.
