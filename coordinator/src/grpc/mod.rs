//! The gRPC face for workers: messages in, dispatch calls out.
//!
//! Here every field of a message is checked; nothing unchecked goes further. What cannot change by
//! asking again is FAILED_PRECONDITION or INVALID_ARGUMENT with advice, an unknown session is
//! NOT_FOUND (register again), a database that does not answer is UNAVAILABLE (try again later).

mod check;

use crate::dispatch::{Dispatch, DispatchError, LONGEST_WAIT};
use crate::store::{
    Granted, IdleReason, LeaseAnswer, LeaseCall, LeaseToken, NewWorker, ReleaseCall, RenewAnswer, RenewCall,
    ReportAnswer, ReportCall, Session,
};
use bytes::Bytes;
use futures::Stream;
use kembara_engine::SEMANTICS_VERSION;
use kembara_proto::v1::dispatch_server::{Dispatch as Service, DispatchServer};
use kembara_proto::v1::{self, Verdict};
use kembara_proto::{CHUNK_BYTES, MAX_MESSAGE_BYTES, PROTOCOL_VERSION};
use std::pin::Pin;
use std::time::Duration;
use tonic::{Request, Response, Status};
use tracing::Instrument;

/// Most entries of a list in a message.
const LONGEST_LIST: usize = 4096;

/// The service of `kembara.v1.Dispatch` over a running dispatch.
#[must_use]
pub fn service(dispatch: Dispatch) -> DispatchServer<Face> {
    DispatchServer::new(Face(dispatch))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES)
}

/// The service itself.
pub struct Face(Dispatch);

#[tonic::async_trait]
impl Service for Face {
    type GetGenerationStream = Pin<Box<dyn Stream<Item = Result<v1::GenerationChunk, Status>> + Send>>;

    async fn register(&self, request: Request<v1::RegisterRequest>) -> Result<Response<v1::RegisterResponse>, Status> {
        let given = request.into_inner();
        if given.protocol != PROTOCOL_VERSION {
            return Err(Status::failed_precondition(format!(
                "this worker speaks protocol {}, the coordinator speaks {PROTOCOL_VERSION}; use a worker of the coordinator's version",
                given.protocol
            )));
        }
        if given.engine_semantics != SEMANTICS_VERSION {
            return Err(Status::failed_precondition(format!(
                "this worker plays engine semantics {}, the coordinator's runs need {SEMANTICS_VERSION}; use a worker of the coordinator's version",
                given.engine_semantics
            )));
        }
        let worker = NewWorker {
            instance: check::uuid("instance", &given.instance)?,
            name: check::text("name", given.name, 1, 64)?,
            threads: check::number("threads", given.threads, 1, 1024)?,
            version: check::text("version", given.version, 0, 64)?,
            engine_semantics: given.engine_semantics,
            games: check::list("games", given.games, 256)?
                .into_iter()
                .map(|game| check::text("games", game, 1, 64))
                .collect::<Result<_, _>>()?,
        };
        let session = self.0.register(&worker).await.map_err(unavailable)?;
        tracing::info!(worker = %session, name = worker.name, threads = worker.threads, "worker registered");
        let renew_every_ms = milliseconds(self.0.timings().renew_every);
        Ok(Response::new(v1::RegisterResponse { session: session.to_string(), renew_every_ms }))
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Result<Response<v1::LeaseResponse>, Status> {
        let given = request.into_inner();
        let session = session(&given.session)?;
        if given.request == 0 || i64::try_from(given.request).is_err() {
            return Err(Status::invalid_argument("request: counts up from 1 and fits 63 bits"));
        }
        let wait = Duration::from_millis(u64::from(given.wait_ms));
        if wait > LONGEST_WAIT {
            return Err(Status::invalid_argument(format!(
                "wait_ms: {} is more than the {} allowed",
                given.wait_ms,
                milliseconds(LONGEST_WAIT)
            )));
        }
        let wanted = Duration::from_millis(u64::from(given.wanted_core_ms));
        let call = LeaseCall { session, request: given.request, wanted };
        let span = tracing::debug_span!("lease", worker = %session, request = given.request);
        let answer = self.0.lease(call, wait).instrument(span).await.map_err(unavailable)?;
        let answer = match answer {
            LeaseAnswer::Granted(ranges) => {
                for range in &ranges {
                    tracing::debug!(
                        run = range.run, generation = range.generation, batch = %range.batch, worker = %session,
                        games = range.count, "leased"
                    );
                }
                let duration_ms = milliseconds(self.0.timings().lease);
                let ranges = ranges.into_iter().map(|range| leased(range, duration_ms)).collect();
                v1::LeaseResponse { ranges, idle: None }
            }
            LeaseAnswer::Idle(reason) => v1::LeaseResponse { ranges: Vec::new(), idle: Some(idle(reason)) },
            LeaseAnswer::NoSession => return Err(no_session()),
        };
        Ok(Response::new(answer))
    }

    async fn get_generation(
        &self,
        request: Request<v1::GetGenerationRequest>,
    ) -> Result<Response<Self::GetGenerationStream>, Status> {
        let given = request.into_inner();
        session(&given.session)?;
        let hash: &[u8; 32] = given.definition.as_ref().try_into().map_err(|_| {
            Status::invalid_argument(format!("definition: {} bytes, but a hash has 32", given.definition.len()))
        })?;
        let Some(definition) = self.0.definition(hash).await.map_err(unavailable)? else {
            return Err(Status::not_found("no open generation has this definition; ask for new work"));
        };
        let chunks = (0..definition.len()).step_by(CHUNK_BYTES).map(move |at| {
            let data: Bytes = definition.slice(at..definition.len().min(at + CHUNK_BYTES));
            Ok(v1::GenerationChunk { data })
        });
        Ok(Response::new(Box::pin(futures::stream::iter(chunks))))
    }

    async fn report(&self, request: Request<v1::ReportRequest>) -> Result<Response<v1::ReportResponse>, Status> {
        let given = request.into_inner();
        let session = session(&given.session)?;
        let calls = check::list("results", given.results, LONGEST_LIST)?
            .into_iter()
            .map(|result| {
                let token = LeaseToken(check::uuid("results.token", &result.token)?);
                Ok(ReportCall { session, token, packed: result.packed, core_us: result.core_us })
            })
            .collect::<Result<Vec<_>, Status>>()?;
        let span = tracing::debug_span!("report", worker = %session, ranges = calls.len());
        let answers = self.0.report(calls).instrument(span).await.map_err(unavailable)?;
        let verdicts = answers.iter().map(|answer| verdict(session, answer).into()).collect();
        Ok(Response::new(v1::ReportResponse { verdicts }))
    }

    async fn renew(&self, request: Request<v1::RenewRequest>) -> Result<Response<v1::RenewResponse>, Status> {
        let given = request.into_inner();
        let session = session(&given.session)?;
        let leases = check::list("leases", given.leases, LONGEST_LIST)?
            .into_iter()
            .map(|lease| Ok((LeaseToken(check::uuid("leases.token", &lease.token)?), lease.done)))
            .collect::<Result<Vec<_>, Status>>()?;
        let call = RenewCall { session, leases, games: given.games };
        match self.0.renew(call).await.map_err(unavailable)? {
            RenewAnswer::Heard(void) => Ok(Response::new(v1::RenewResponse {
                void: void.iter().map(ToString::to_string).collect(),
                duration_ms: milliseconds(self.0.timings().lease),
            })),
            RenewAnswer::NoSession => Err(no_session()),
        }
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Result<Response<v1::ReleaseResponse>, Status> {
        let given = request.into_inner();
        let session = session(&given.session)?;
        let tokens = check::list("tokens", given.tokens, LONGEST_LIST)?
            .iter()
            .map(|token| Ok(LeaseToken(check::uuid("tokens", token)?)))
            .collect::<Result<Vec<_>, Status>>()?;
        let call = ReleaseCall { session, tokens, close: given.close };
        self.0.release(&call).await.map_err(unavailable)?;
        tracing::info!(worker = %session, close = given.close, ranges = call.tokens.len(), "leases given back");
        Ok(Response::new(v1::ReleaseResponse {}))
    }
}

fn session(text: &str) -> Result<Session, Status> {
    Ok(Session(check::uuid("session", text)?))
}

fn no_session() -> Status {
    Status::not_found("this session is not known or was closed; register again")
}

fn unavailable(error: DispatchError) -> Status {
    if error.is_passing() {
        tracing::warn!(%error, "a worker's call has to wait for the database");
        Status::unavailable("the coordinator's database does not answer; try again later")
    } else {
        tracing::error!(%error, "a worker's call failed");
        Status::internal("the coordinator failed; its log says why")
    }
}

fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

fn leased(range: Granted, duration_ms: u32) -> v1::LeasedRange {
    v1::LeasedRange {
        token: range.token.to_string(),
        definition: Bytes::copy_from_slice(&range.definition),
        first: range.first,
        count: range.count,
        duration_ms,
        run: range.run,
        generation: range.generation,
    }
}

fn idle(reason: IdleReason) -> v1::Idle {
    use v1::idle::Reason;
    let (reason, detail, retry_after_ms) = match reason {
        IdleReason::NoRun => (Reason::NoRun, "no run is going on".to_owned(), 500),
        IdleReason::Paused => (Reason::Paused, "all runs are paused".to_owned(), 500),
        IdleReason::AllLeased => (Reason::AllLeased, "others are playing everything that is open".to_owned(), 50),
        IdleReason::Version(detail) => (Reason::Version, detail, 5000),
    };
    v1::Idle { reason: reason.into(), detail, retry_after_ms }
}

fn verdict(session: Session, answer: &ReportAnswer) -> Verdict {
    match answer {
        ReportAnswer::Recorded => Verdict::Recorded,
        ReportAnswer::AlreadyRecorded => Verdict::AlreadyRecorded,
        ReportAnswer::Void => Verdict::Void,
        ReportAnswer::Contradicts => Verdict::Contradicts,
        ReportAnswer::Malformed(reason) => {
            tracing::warn!(worker = %session, reason, "a report is malformed");
            Verdict::Malformed
        }
    }
}
