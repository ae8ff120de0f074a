//! The generated messages and services of `kembara.v1`, and the numbers both sides agree on.

/// Version 1 of the protocol between coordinators and workers.
#[allow(missing_docs, clippy::all)]
pub mod v1 {
    tonic::include_proto!("kembara.v1");
}

/// The protocol version this build speaks.
pub const PROTOCOL_VERSION: u32 = 1;

/// The largest message either side sends or accepts, bytes.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// Chunk size of a streamed generation definition, bytes; well below [`MAX_MESSAGE_BYTES`].
pub const CHUNK_BYTES: usize = 256 << 10;
