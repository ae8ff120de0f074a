//! Fetching work ahead of need: leases, and the definitions they are played from.

use crate::backoff::Backoff;
use crate::coordinator::{CallError, Coordinator, PATIENCE};
use crate::definition::{DefinitionError, DefinitionHash, Games, LARGEST_DEFINITION, Prepared};
use crate::desk::{Desk, Job};
use crate::error::WorkerError;
use crate::lease::Lease;
use crate::outbox::Outbox;
use crate::status::Board;
use kembara_proto::v1;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tonic::{Code, Status};

/// How long the coordinator may hold a call for work when there is none.
const HOLD: Duration = Duration::from_secs(20);

/// Core time asked for, for each thread.
const WANTED_A_THREAD_MS: u32 = 1000;

/// Definitions kept; several runs may take turns.
const KEPT: usize = 4;

/// A definition has to arrive within this time however slowly it dribbles in.
const LONGEST_FETCH: Duration = Duration::from_secs(300);

/// Less work than this is never waited for to run out: a lease takes a few commits of the database.
const SHORTEST_LEAD: Duration = Duration::from_millis(20);
const LONGEST_LEAD: Duration = Duration::from_millis(500);

/// The task that fetches work.
pub struct Feed {
    /// Where work comes from.
    pub coordinator: Arc<Coordinator>,
    /// Where it goes.
    pub desk: Arc<Desk>,
    /// Where leases go back.
    pub outbox: Arc<Outbox>,
    /// What people see.
    pub board: Arc<Board>,
    /// Threads that play.
    pub threads: u32,
    /// The games this worker knows.
    pub library: Library,
}

impl Feed {
    /// Runs until the worker has to stop.
    pub async fn run(mut self) -> WorkerError {
        let mut penalty = Backoff::new(Duration::from_millis(500), Duration::from_secs(60));
        let mut failures = 0;
        // Numbers of requests count up within a session.
        let mut numbered: (String, u64) = (String::new(), 0);
        let mut takes = SHORTEST_LEAD / 4;
        loop {
            self.desk.set_lead((takes * 4).clamp(SHORTEST_LEAD, LONGEST_LEAD));
            self.outbox.until_room().await;
            self.desk.until_hungry().await;
            let asked = Instant::now();
            let answer = match self.lease(&mut numbered).await {
                Ok(answer) => answer,
                Err(CallError::Fatal(error)) => return error,
                Err(CallError::Rejected(reason)) => {
                    tracing::error!("the coordinator does not accept a request for work: {reason}");
                    tokio::time::sleep(penalty.wait()).await;
                    continue;
                }
            };
            let usable = if answer.ranges.is_empty() {
                self.idle(answer.idle.unwrap_or_default(), asked).await;
                continue;
            } else {
                // A call may also be long because there was no work for a while, so a long one raises the
                // figure a little only. A lead too long takes work away from others.
                takes = asked.elapsed().min(takes.mul_f64(1.2) + Duration::from_micros(500));
                match self.accept(&answer.ranges).await {
                    Ok(usable) => usable,
                    Err(error) => return error,
                }
            };
            let failed = self.desk.failures();
            if usable == 0 || failed > failures {
                // Ranges that fail come back at once: without a pause they would be asked for in a loop.
                tokio::time::sleep(penalty.wait()).await;
            } else if failed == 0 {
                penalty.reset();
            }
            failures = failed;
        }
    }

    async fn lease(&self, numbered: &mut (String, u64)) -> Result<v1::LeaseResponse, CallError> {
        let mut fresh = true;
        self.coordinator
            .call(HOLD + PATIENCE, |mut client, session| {
                // A repeat keeps its number, so that an answer that got lost comes again.
                if numbered.0 != session {
                    *numbered = (session.clone(), 1);
                } else if fresh {
                    numbered.1 += 1;
                }
                fresh = false;
                let request = v1::LeaseRequest {
                    session,
                    request: numbered.1,
                    wanted_core_ms: WANTED_A_THREAD_MS * self.threads,
                    wait_ms: HOLD.as_millis() as u32,
                };
                async move { Ok(client.lease(request).await?.into_inner()) }
            })
            .await
    }

    /// Nothing to do: says why and waits as long as the coordinator wishes.
    async fn idle(&self, idle: v1::Idle, asked: Instant) {
        self.board.idle(&idle);
        let wished = Duration::from_millis(idle.retry_after_ms.into()).min(Duration::from_secs(60));
        // An answer that came at once and asks for no pause must not become a loop.
        tokio::time::sleep(wished.max(Duration::from_millis(20).saturating_sub(asked.elapsed()))).await;
    }

    /// Puts ranges on the desk; how many could be used.
    async fn accept(&mut self, ranges: &[v1::LeasedRange]) -> Result<usize, WorkerError> {
        let mut jobs = Vec::with_capacity(ranges.len());
        for range in ranges {
            let lease = match Lease::read(range) {
                Ok(lease) => lease,
                Err((token, error)) => {
                    tracing::error!("{error}; the range is given back");
                    self.outbox.give_back(token);
                    continue;
                }
            };
            let prepared = match self.library.find(&self.coordinator, lease.definition).await {
                Ok(prepared) => prepared,
                Err(CallError::Fatal(error)) => return Err(error),
                Err(CallError::Rejected(reason)) => {
                    let Lease { run, generation, token, .. } = &lease;
                    tracing::error!(%run, generation, batch = %token, "a range cannot be played here and is given back: {reason}");
                    self.outbox.give_back([lease.token]);
                    continue;
                }
            };
            if let Err(error) = lease.check(prepared.pairings()) {
                tracing::error!(run = %lease.run, batch = %lease.token, "{error}; it is given back");
                self.outbox.give_back([lease.token]);
                continue;
            }
            self.board.playing(&lease);
            jobs.push(Job::new(lease, prepared));
        }
        let usable = jobs.len();
        let settled = self.desk.put(jobs);
        self.outbox.give_back(settled);
        Ok(usable)
    }
}

/// The definitions used lately, playable or not.
pub struct Library {
    games: Games,
    kept: VecDeque<(DefinitionHash, Result<Arc<Prepared>, String>)>,
}

impl Library {
    /// Knows these games and no definition yet.
    #[must_use]
    pub const fn new(games: Games) -> Self {
        Self { games, kept: VecDeque::new() }
    }

    /// The prepared generation of this name, fetched when it is not known.
    async fn find(&mut self, coordinator: &Coordinator, hash: DefinitionHash) -> Result<Arc<Prepared>, CallError> {
        if let Some((_, known)) = self.kept.iter().find(|(kept, _)| *kept == hash) {
            return known.clone().map_err(CallError::Rejected);
        }
        let bytes = fetch(coordinator, hash).await?;
        let games = self.games;
        // Thousands of openings take a while to set up; heartbeats go on meanwhile.
        let prepared = tokio::task::spawn_blocking(move || Prepared::new(&bytes, hash, games)).await;
        let entry = match prepared {
            Ok(Ok(prepared)) => Ok(Arc::new(prepared)),
            // Not what the name promises: the next attempt may bring the right bytes.
            Ok(Err(error @ DefinitionError::Hash { .. })) => return Err(CallError::Rejected(error.to_string())),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("preparing its players failed".to_owned()),
        };
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((hash, entry.clone()));
        entry.map_err(CallError::Rejected)
    }
}

async fn fetch(coordinator: &Coordinator, hash: DefinitionHash) -> Result<Vec<u8>, CallError> {
    coordinator
        .call(LONGEST_FETCH, |mut client, session| async move {
            let request = v1::GetGenerationRequest { session, definition: hash.0.to_vec().into() };
            // Here NOT_FOUND is about the definition: its run was deleted or went on meanwhile.
            let gone = |status: Status| match status.code() {
                Code::NotFound => Status::invalid_argument(status.message()),
                _ => status,
            };
            let mut chunks = client.get_generation(request).await.map_err(gone)?.into_inner();
            let mut bytes = Vec::new();
            while let Some(chunk) = next_chunk(&mut chunks).await.map_err(gone)? {
                if bytes.len() + chunk.data.len() > LARGEST_DEFINITION {
                    return Err(Status::out_of_range(DefinitionError::TooLarge.to_string()));
                }
                bytes.extend_from_slice(&chunk.data);
            }
            Ok(bytes)
        })
        .await
}

async fn next_chunk(chunks: &mut tonic::Streaming<v1::GenerationChunk>) -> Result<Option<v1::GenerationChunk>, Status> {
    tokio::time::timeout(PATIENCE, chunks.message())
        .await
        .unwrap_or_else(|_| Err(Status::deadline_exceeded("the definition stopped arriving")))
}
