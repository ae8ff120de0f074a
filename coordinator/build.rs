//! Compiles the migrations in again when one is added.

fn main() {
    println!("cargo::rerun-if-changed=../migrations");
}
