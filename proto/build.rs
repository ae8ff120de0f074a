//! Compiles the .proto files in pure Rust, so nobody needs protoc.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = protox::compile(["kembara/v1/dispatch.proto"], ["proto"])?;
    tonic_prost_build::configure().bytes(".").compile_fds(files)?;
    println!("cargo::rerun-if-changed=proto");
    Ok(())
}
