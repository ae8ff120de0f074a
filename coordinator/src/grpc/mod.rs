//! The gRPC face for workers: messages in, dispatch calls out.
