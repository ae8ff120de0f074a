//! One address: the accept loop that serves gRPC and HTTP.
