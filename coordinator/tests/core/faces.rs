//! The gRPC face on a real socket.

use crate::simulated::{RunningCore, spec};
use crate::support::TestDatabase;
use kembara_coordinator::grpc;
use kembara_engine::SEMANTICS_VERSION;
use kembara_proto::v1::dispatch_client::DispatchClient;
use kembara_proto::v1::{self, GenerationDefinition};
use prost::Message;
use tonic::Code;
use tonic::transport::{Channel, Server};

async fn serve(running: &RunningCore) -> DispatchClient<Channel> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = grpc::service(running.core.dispatch.clone());
    let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
    tokio::spawn(Server::builder().add_service(service).serve_with_incoming(incoming));
    DispatchClient::connect(format!("http://{address}")).await.unwrap()
}

fn registration() -> v1::RegisterRequest {
    v1::RegisterRequest {
        protocol: kembara_proto::PROTOCOL_VERSION,
        engine_semantics: SEMANTICS_VERSION,
        name: "test".to_owned(),
        threads: 1,
        version: "1".to_owned(),
        games: vec!["othello".to_owned()],
        instance: "6a8c1f2e-2a54-4c1b-9d5e-0f1f4a3b2c1d".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_registers_leases_fetches_and_reports_over_a_socket() {
    let database = TestDatabase::create().await;
    let running = RunningCore::short(database.store().await);
    running.core.launch("run", spec(1, 1)).await.unwrap();
    let mut client = serve(&running).await;
    let session = client.register(registration()).await.unwrap().into_inner();
    assert_eq!(session.renew_every_ms, 500);
    let session = session.session;
    let lease = v1::LeaseRequest { session: session.clone(), request: 1, wanted_core_ms: 1000, wait_ms: 1000 };
    let ranges = client.lease(lease).await.unwrap().into_inner().ranges;
    let range = &ranges[0];
    assert_eq!((range.duration_ms, range.run.as_str(), range.generation), (2000, "run", 1));
    let get = v1::GetGenerationRequest { session: session.clone(), definition: range.definition.clone() };
    let mut chunks = client.get_generation(get).await.unwrap().into_inner();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.message().await.unwrap() {
        bytes.extend_from_slice(&chunk.data);
    }
    assert_eq!(blake3::hash(&bytes).as_bytes()[..], range.definition[..]);
    let definition = GenerationDefinition::decode(&bytes[..]).unwrap();
    assert_eq!(definition.players.len(), 12);
    let games: Vec<_> = (range.first..range.first + u64::from(range.count))
        .map(|pairing| crate::simulated::result(&definition, pairing))
        .collect();
    let good = kembara_tournament::packed::pack(&games);
    let result = |packed: Vec<u8>| v1::RangeResult { token: range.token.clone(), packed: packed.into(), core_us: 5 };
    let results = vec![result(vec![1]), result(good.clone()), result(good)];
    let report = v1::ReportRequest { session: session.clone(), results };
    let verdicts = client.report(report).await.unwrap().into_inner().verdicts;
    use v1::Verdict::{Malformed, Recorded};
    assert_eq!(verdicts, [Malformed, Recorded, Recorded].map(i32::from));
    let renew = v1::RenewRequest {
        session: session.clone(),
        leases: vec![v1::LeaseProgress { token: range.token.clone(), done: 1 }],
        games: 1,
    };
    assert_eq!(client.renew(renew).await.unwrap().into_inner().void, std::slice::from_ref(&range.token));
    client.release(v1::ReleaseRequest { session, tokens: Vec::new(), close: true }).await.unwrap();
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_bad_field_is_refused_by_name() {
    let database = TestDatabase::create().await;
    let running = RunningCore::short(database.store().await);
    let mut client = serve(&running).await;
    type Change = (&'static str, Code, fn(&mut v1::RegisterRequest));
    let changes: [Change; 8] = [
        ("protocol", Code::FailedPrecondition, |given| given.protocol = 99),
        ("semantics", Code::FailedPrecondition, |given| given.engine_semantics = 99),
        ("name", Code::InvalidArgument, |given| given.name = "x".repeat(65)),
        ("name", Code::InvalidArgument, |given| given.name = "a\nb".to_owned()),
        ("threads", Code::InvalidArgument, |given| given.threads = 0),
        ("threads", Code::InvalidArgument, |given| given.threads = u32::MAX),
        ("instance", Code::InvalidArgument, |given| given.instance = "me".to_owned()),
        ("games", Code::InvalidArgument, |given| given.games = vec!["x".to_owned(); 257]),
    ];
    for (field, code, change) in changes {
        let mut given = registration();
        change(&mut given);
        let refusal = client.register(given).await.unwrap_err();
        assert_eq!(refusal.code(), code, "{field}");
        assert!(refusal.message().contains(field), "{}", refusal.message());
    }
    let session = client.register(registration()).await.unwrap().into_inner().session;
    let lease = v1::LeaseRequest { session: session.clone(), request: 1, wanted_core_ms: 1, wait_ms: 0 };
    let bad_leases = [
        v1::LeaseRequest { session: "x".to_owned(), ..lease.clone() },
        v1::LeaseRequest { request: 0, ..lease.clone() },
        v1::LeaseRequest { request: u64::MAX, ..lease.clone() },
        v1::LeaseRequest { wait_ms: 30_001, ..lease.clone() },
    ];
    for bad in bad_leases {
        assert_eq!(client.lease(bad).await.unwrap_err().code(), Code::InvalidArgument);
    }
    let stranger = "6a8c1f2e-2a54-4c1b-9d5e-000000000000".to_owned();
    let refusal = client.lease(v1::LeaseRequest { session: stranger, ..lease.clone() }).await.unwrap_err();
    assert_eq!(refusal.code(), Code::NotFound);
    let get =
        |definition: Vec<u8>| v1::GetGenerationRequest { session: session.clone(), definition: definition.into() };
    assert_eq!(client.get_generation(get(vec![0; 31])).await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(client.get_generation(get(vec![0; 32])).await.unwrap_err().code(), Code::NotFound);
    let result = v1::RangeResult { token: "x".to_owned(), packed: Vec::new().into(), core_us: 0 };
    let report = v1::ReportRequest { session: session.clone(), results: vec![result] };
    assert_eq!(client.report(report).await.unwrap_err().code(), Code::InvalidArgument);
    let result = v1::RangeResult { token: session.clone(), packed: vec![0; 2 << 20].into(), core_us: 0 };
    let report = v1::ReportRequest { session: session.clone(), results: vec![result] };
    assert_eq!(client.report(report).await.unwrap_err().code(), Code::OutOfRange, "more than a message may hold");
    // What no run has is told in words, and waiting is not forced on anybody.
    let idle = client.lease(lease).await.unwrap().into_inner().idle.unwrap();
    assert_eq!(idle.reason, i32::from(v1::idle::Reason::NoRun));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_went_away_is_unavailable_and_not_a_failure() {
    let database = TestDatabase::create().await;
    let store = database.store().await;
    let running = RunningCore::short(store.clone());
    let mut client = serve(&running).await;
    let session = client.register(registration()).await.unwrap().into_inner().session;
    store.close().await;
    let lease = v1::LeaseRequest { session, request: 1, wanted_core_ms: 1, wait_ms: 0 };
    assert_eq!(client.lease(lease).await.unwrap_err().code(), Code::Unavailable);
    running.stop().await;
}
