//! A coordinator in memory on a real socket, with faults that tests script.

use kembara_proto::v1::dispatch_server::{Dispatch, DispatchServer};
use kembara_proto::{MAX_MESSAGE_BYTES, v1};
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

/// The calls of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    Register,
    Lease,
    GetGeneration,
    Report,
    Renew,
    Release,
}

/// What happens to one call.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It is refused before anything is done.
    Fails(Status),
    /// It is done, but the answer never arrives.
    AnswerLost,
    /// It takes this long.
    Slow(Duration),
}

/// A range of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    pub definition: Vec<u8>,
    pub first: u64,
    pub count: u32,
    pub run: String,
    pub generation: u32,
}

/// Everything the coordinator knows; tests read and change it freely.
#[derive(Default)]
pub struct State {
    pub definitions: HashMap<Vec<u8>, Vec<u8>>,
    pub waiting: VecDeque<Range>,
    pub leased: HashMap<String, Range>,
    /// Every result that was accepted, in order of arrival.
    pub recorded: Vec<(Range, Vec<u8>)>,
    /// Tokens in the order in which they were given back.
    pub released: Vec<(String, Option<Range>)>,
    pub closed: Vec<String>,
    pub sessions: HashMap<String, String>,
    pub registered: Vec<v1::RegisterRequest>,
    pub calls: HashMap<Call, u32>,
    pub faults: HashMap<Call, VecDeque<Fault>>,
    pub void: Vec<String>,
    pub renewals: Vec<v1::RenewRequest>,
    pub requests: Vec<(String, u64)>,
    pub ranges_a_lease: usize,
    pub renew_every_ms: u32,
    pub retry_after_ms: u32,
    /// Ranges that are handed out as they are, once.
    pub raw: VecDeque<v1::LeasedRange>,
    /// Definitions that arrive as these chunks.
    pub raw_chunks: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    /// Released ranges wait again.
    pub requeue: bool,
    answered: HashMap<(String, u64), Vec<v1::LeasedRange>>,
    tokens: u64,
}

impl State {
    /// Adds a generation cut into ranges; returns its hash.
    pub fn publish(&mut self, run: &str, definition: &v1::GenerationDefinition, pairings: u64, cut: u32) -> Vec<u8> {
        let bytes = prost::Message::encode_to_vec(definition);
        let hash = blake3::hash(&bytes).as_bytes().to_vec();
        self.definitions.insert(hash.clone(), bytes);
        let mut first = 0;
        while first < pairings {
            let count = u64::from(cut).min(pairings - first) as u32;
            self.waiting.push_back(Range {
                definition: hash.clone(),
                first,
                count,
                run: run.to_owned(),
                generation: definition.generation,
            });
            first += u64::from(count);
        }
        hash
    }

    /// Scripts what happens to the next calls of a kind.
    pub fn script(&mut self, call: Call, faults: impl IntoIterator<Item = Fault>) {
        self.faults.entry(call).or_default().extend(faults);
    }

    pub fn count(&self, call: Call) -> u32 {
        self.calls.get(&call).copied().unwrap_or(0)
    }

    /// Hands a range out; the token tells nothing.
    pub fn lend(&mut self, range: Range) -> v1::LeasedRange {
        self.tokens += 1;
        let token = format!("00000000-0000-4000-8000-{:012}", self.tokens);
        let leased = v1::LeasedRange {
            token: token.clone(),
            definition: range.definition.clone().into(),
            first: range.first,
            count: range.count,
            duration_ms: 60_000,
            run: range.run.clone(),
            generation: range.generation,
        };
        self.leased.insert(token, range);
        leased
    }
}

/// A running server.
pub struct Server {
    pub state: Arc<Mutex<State>>,
    pub address: SocketAddr,
    /// Its own, so that a kill takes the connections along.
    runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    pub async fn start() -> Self {
        let state =
            State { ranges_a_lease: 3, renew_every_ms: 50, retry_after_ms: 5, requeue: true, ..State::default() };
        Self::serve(Arc::new(Mutex::new(state)), "127.0.0.1:0".parse().unwrap()).await
    }

    pub async fn serve(state: Arc<Mutex<State>>, address: SocketAddr) -> Self {
        let listener = loop {
            match std::net::TcpListener::bind(address) {
                Ok(listener) => break listener,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let service = DispatchServer::new(Fake(Arc::clone(&state)))
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(64 << 20);
        runtime.spawn(async move {
            let listener = TcpListener::from_std(listener).unwrap();
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await
                .unwrap();
        });
        Self { state, address, runtime: Some(runtime) }
    }

    /// Cuts every connection and stops listening, as a killed process does.
    pub fn kill(mut self) -> (Arc<Mutex<State>>, SocketAddr) {
        self.runtime.take().unwrap().shutdown_background();
        (Arc::clone(&self.state), self.address)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct Fake(Arc<Mutex<State>>);

impl Fake {
    /// Counts a call and lets its fault happen; true when the answer is to be lost.
    async fn enter(&self, call: Call) -> Result<bool, Status> {
        let fault = {
            let mut state = self.0.lock().unwrap();
            *state.calls.entry(call).or_default() += 1;
            state.faults.get_mut(&call).and_then(VecDeque::pop_front)
        };
        match fault {
            None => Ok(false),
            Some(Fault::Fails(status)) => Err(status),
            Some(Fault::AnswerLost) => Ok(true),
            Some(Fault::Slow(time)) => {
                tokio::time::sleep(time).await;
                Ok(false)
            }
        }
    }

    fn known(&self, session: &str) -> Result<(), Status> {
        if self.0.lock().unwrap().sessions.contains_key(session) {
            Ok(())
        } else {
            Err(Status::unauthenticated("unknown session"))
        }
    }
}

fn answer<T>(lost: bool, message: T) -> Result<Response<T>, Status> {
    if lost { Err(Status::unavailable("the answer was lost")) } else { Ok(Response::new(message)) }
}

#[tonic::async_trait]
impl Dispatch for Fake {
    async fn register(&self, request: Request<v1::RegisterRequest>) -> Result<Response<v1::RegisterResponse>, Status> {
        let lost = self.enter(Call::Register).await?;
        let mut state = self.0.lock().unwrap();
        let request = request.into_inner();
        let session = format!("session-{}-of-{}", state.registered.len(), request.instance);
        state.sessions.insert(session.clone(), request.instance.clone());
        state.registered.push(request);
        answer(lost, v1::RegisterResponse { session, renew_every_ms: state.renew_every_ms })
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Result<Response<v1::LeaseResponse>, Status> {
        let lost = self.enter(Call::Lease).await?;
        let request = request.into_inner();
        self.known(&request.session)?;
        let mut state = self.0.lock().unwrap();
        state.requests.push((request.session.clone(), request.request));
        let key = (request.session, request.request);
        if let Some(ranges) = state.answered.get(&key) {
            return answer(lost, v1::LeaseResponse { ranges: ranges.clone(), idle: None });
        }
        let mut ranges: Vec<_> = state.raw.drain(..).collect();
        while ranges.len() < state.ranges_a_lease
            && let Some(range) = state.waiting.pop_front()
        {
            ranges.push(state.lend(range));
        }
        if ranges.is_empty() {
            let idle = v1::Idle {
                reason: v1::idle::Reason::NoRun.into(),
                detail: String::new(),
                retry_after_ms: state.retry_after_ms,
            };
            return answer(lost, v1::LeaseResponse { ranges, idle: Some(idle) });
        }
        state.answered.insert(key, ranges.clone());
        answer(lost, v1::LeaseResponse { ranges, idle: None })
    }

    type GetGenerationStream = Pin<Box<dyn tokio_stream::Stream<Item = Result<v1::GenerationChunk, Status>> + Send>>;

    async fn get_generation(
        &self,
        request: Request<v1::GetGenerationRequest>,
    ) -> Result<Response<Self::GetGenerationStream>, Status> {
        let cut = self.enter(Call::GetGeneration).await?;
        let request = request.into_inner();
        self.known(&request.session)?;
        let state = self.0.lock().unwrap();
        let name = request.definition.to_vec();
        let mut chunks: Vec<_> = match state.raw_chunks.get(&name) {
            Some(raw) => raw.clone(),
            None => {
                let bytes = state.definitions.get(&name).ok_or_else(|| Status::not_found("no such definition"))?;
                bytes.chunks(1000).map(<[u8]>::to_vec).collect()
            }
        }
        .into_iter()
        .map(|data| Ok(v1::GenerationChunk { data: data.into() }))
        .collect();
        if cut {
            chunks.truncate(1);
            chunks.push(Err(Status::unavailable("cut off")));
        }
        Ok(Response::new(Box::pin(tokio_stream::iter(chunks))))
    }

    async fn report(&self, request: Request<v1::ReportRequest>) -> Result<Response<v1::ReportResponse>, Status> {
        let lost = self.enter(Call::Report).await?;
        let request = request.into_inner();
        self.known(&request.session)?;
        let mut state = self.0.lock().unwrap();
        let mut verdicts = Vec::new();
        for result in request.results {
            let verdict = match state.leased.get(&result.token).cloned() {
                None => v1::Verdict::Void,
                Some(range) => {
                    let before = state.recorded.iter().find(|(recorded, _)| *recorded == range);
                    match before {
                        Some((_, packed)) if *packed == result.packed => v1::Verdict::AlreadyRecorded,
                        Some(_) => v1::Verdict::Contradicts,
                        None => {
                            state.recorded.push((range, result.packed.to_vec()));
                            v1::Verdict::Recorded
                        }
                    }
                }
            };
            verdicts.push(verdict.into());
        }
        answer(lost, v1::ReportResponse { verdicts })
    }

    async fn renew(&self, request: Request<v1::RenewRequest>) -> Result<Response<v1::RenewResponse>, Status> {
        let lost = self.enter(Call::Renew).await?;
        let request = request.into_inner();
        self.known(&request.session)?;
        let mut state = self.0.lock().unwrap();
        state.renewals.push(request);
        answer(lost, v1::RenewResponse { void: state.void.clone(), duration_ms: 60_000 })
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Result<Response<v1::ReleaseResponse>, Status> {
        let lost = self.enter(Call::Release).await?;
        let request = request.into_inner();
        self.known(&request.session)?;
        let mut state = self.0.lock().unwrap();
        for token in request.tokens {
            let range = state.leased.remove(&token);
            if state.requeue
                && let Some(range) = range.clone()
            {
                state.waiting.push_back(range);
            }
            state.released.push((token, range));
        }
        if request.close {
            // Everything the session held goes back, leases whose answer it did not wait for included.
            let recorded: Vec<_> = state.recorded.iter().map(|(range, _)| range.clone()).collect();
            state.leased.retain(|_, range| recorded.contains(range));
            state.closed.push(request.session);
        }
        answer(lost, v1::ReleaseResponse {})
    }
}
