//! The binary `kembara-worker`.
fn main() {}
