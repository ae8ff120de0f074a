//! kembara
fn main() {}
