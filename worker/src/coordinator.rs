//! The connection to the coordinator: one session, kept alive across restarts, and calls that wait
//! until they are answered.

use crate::backoff::Backoff;
use crate::error::WorkerError;
use crate::trouble::Trouble;
use kembara_proto::v1::dispatch_client::DispatchClient;
use kembara_proto::{MAX_MESSAGE_BYTES, PROTOCOL_VERSION, v1};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

/// The client of the generated service.
pub type Client = DispatchClient<Channel>;

/// How long an answer may take beyond what the call itself waits for.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Waits between attempts lie between these.
const SHORTEST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// What a worker tells about itself.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Threads that play.
    pub threads: u32,
    /// The games it knows.
    pub games: Vec<String>,
}

/// A session with the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name in all calls.
    pub id: String,
    /// How often leases are renewed.
    pub renew_every: Duration,
}

/// Why a call was not answered.
#[derive(Debug)]
pub enum CallError {
    /// The worker has to stop.
    Fatal(WorkerError),
    /// The coordinator does not accept this request; another one may be.
    Rejected(String),
}

/// The coordinator as the worker's tasks see it.
#[derive(Debug)]
pub struct Coordinator {
    server: String,
    client: Client,
    identity: Identity,
    /// Kept while the process lives, so that a lost answer opens no second session.
    instance: String,
    session: tokio::sync::Mutex<Option<Session>>,
    reached: AtomicBool,
    /// Why the coordinator is away, while it is.
    away: Mutex<Option<String>>,
    returned: Notify,
}

impl Coordinator {
    /// Prepares a connection; nothing is sent yet.
    ///
    /// # Errors
    /// [`WorkerError::Setting`] when the address is none.
    pub fn new(server: &str, identity: Identity) -> Result<Self, WorkerError> {
        let wrong = |reason: &str| {
            WorkerError::Setting(format!(
                "`{server}` is no coordinator's address: {reason}; write http://HOST:PORT, as in http://127.0.0.1:7878"
            ))
        };
        let endpoint = Endpoint::from_shared(server.to_owned()).map_err(|_| wrong("it is not a URL"))?;
        match endpoint.uri().scheme_str() {
            Some("http") => {}
            Some("https") => return Err(wrong("this build has no TLS")),
            _ => return Err(wrong("it does not begin with http://")),
        }
        let channel = endpoint
            .connect_timeout(Duration::from_secs(10))
            .http2_keep_alive_interval(Duration::from_secs(15))
            .keep_alive_timeout(Duration::from_secs(20))
            .keep_alive_while_idle(true)
            .initial_stream_window_size(1 << 20)
            .initial_connection_window_size(4 << 20)
            .connect_lazy();
        let client = DispatchClient::new(channel)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        Ok(Self {
            server: server.to_owned(),
            client,
            identity,
            instance: uuid::Uuid::new_v4().to_string(),
            session: tokio::sync::Mutex::new(None),
            reached: AtomicBool::new(false),
            away: Mutex::new(None),
            returned: Notify::new(),
        })
    }

    /// Why the coordinator is away, while it is.
    pub fn away(&self) -> Option<String> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The session, opened when there is none.
    ///
    /// # Errors
    /// [`WorkerError`] when the coordinator refuses this worker.
    pub async fn session(&self) -> Result<Session, WorkerError> {
        let mut session = self.session.lock().await;
        if let Some(session) = &*session {
            return Ok(session.clone());
        }
        let mut backoff = Backoff::new(SHORTEST_WAIT, LONGEST_WAIT);
        loop {
            match within(PATIENCE, self.register()).await {
                Ok(opened) => {
                    self.up();
                    tracing::info!(server = %self.server, session = %opened.id, "registered as {}", self.identity.name);
                    *session = Some(opened.clone());
                    return Ok(opened);
                }
                Err(status) => match Trouble::of(&status, self.reached.load(Ordering::Relaxed)) {
                    Trouble::Away(reason) => self.wait(&mut backoff, reason).await,
                    Trouble::NotACoordinator(reason) => {
                        return Err(WorkerError::NotACoordinator { server: self.server.clone(), reason });
                    }
                    Trouble::Refused(reason) | Trouble::Rejected(reason) | Trouble::NoSession(reason) => {
                        return Err(self.refused(reason));
                    }
                },
            }
        }
    }

    async fn register(&self) -> Result<Session, Status> {
        let request = v1::RegisterRequest {
            protocol: PROTOCOL_VERSION,
            engine_semantics: kembara_engine::SEMANTICS_VERSION,
            name: self.identity.name.clone(),
            threads: self.identity.threads,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: self.identity.games.clone(),
            instance: self.instance.clone(),
        };
        let answer = self.client.clone().register(request).await?.into_inner();
        // Whatever the coordinator says, the worker neither floods it nor falls silent.
        let renew_every = Duration::from_millis(answer.renew_every_ms.into())
            .clamp(Duration::from_millis(50), Duration::from_secs(60));
        Ok(Session { id: answer.session, renew_every })
    }

    /// Calls until there is an answer: waits while the coordinator is away, opens a new session
    /// when the old one is unknown. The call gets the session's id of the moment and has to be one
    /// that may be repeated.
    ///
    /// # Errors
    /// [`CallError`] when trying again would not help.
    pub async fn call<T, F: Future<Output = Result<T, Status>>>(
        &self,
        patience: Duration,
        mut call: impl FnMut(Client, String) -> F,
    ) -> Result<T, CallError> {
        let mut backoff = Backoff::new(SHORTEST_WAIT, LONGEST_WAIT);
        let mut sessions_lost = 0_u32;
        loop {
            let session = self.session().await.map_err(CallError::Fatal)?;
            match within(patience, call(self.client.clone(), session.id.clone())).await {
                Ok(answer) => {
                    self.up();
                    return Ok(answer);
                }
                Err(status) => match Trouble::of(&status, true) {
                    Trouble::Away(reason) | Trouble::NotACoordinator(reason) => self.wait(&mut backoff, reason).await,
                    Trouble::NoSession(reason) => {
                        tracing::warn!(session = %session.id, "the coordinator no longer knows this session ({reason}); opening a new one");
                        self.forget(&session).await;
                        sessions_lost += 1;
                        if sessions_lost > 1 {
                            tokio::time::sleep(backoff.wait()).await;
                        }
                    }
                    Trouble::Refused(reason) => return Err(CallError::Fatal(self.refused(reason))),
                    Trouble::Rejected(reason) => return Err(CallError::Rejected(reason)),
                },
            }
        }
    }

    /// One attempt in the session of the moment, for the end of a worker's life: nothing is opened,
    /// nothing waited for.
    pub async fn try_once<T, F: Future<Output = Result<T, Status>>>(
        &self,
        patience: Duration,
        call: impl FnOnce(Client, String) -> F,
    ) -> Option<T> {
        let session = self.session.try_lock().ok()?.clone()?;
        within(patience, call(self.client.clone(), session.id)).await.ok()
    }

    /// The next call opens another session, unless that has happened already.
    async fn forget(&self, lost: &Session) {
        let mut session = self.session.lock().await;
        if session.as_ref() == Some(lost) {
            *session = None;
        }
    }

    fn up(&self) {
        self.reached.store(true, Ordering::Relaxed);
        let was_away = self.away.lock().unwrap_or_else(PoisonError::into_inner).take();
        if was_away.is_some() {
            tracing::info!(server = %self.server, "the coordinator answers again");
            self.returned.notify_waiters();
        }
    }

    /// Waits before the next attempt, or until another task was answered.
    async fn wait(&self, backoff: &mut Backoff, reason: String) {
        let returned = self.returned.notified();
        let before = self.away.lock().unwrap_or_else(PoisonError::into_inner).replace(reason.clone());
        if before.is_none() {
            let server = &self.server;
            if self.reached.load(Ordering::Relaxed) {
                tracing::warn!("{server} is away ({reason}); finished games are kept, trying again until it answers");
            } else {
                tracing::warn!("no answer from {server} ({reason}); trying again until it answers");
            }
        }
        // Not earlier than the shortest wait, even when another task was answered at once.
        tokio::time::sleep(SHORTEST_WAIT).await;
        let rest = backoff.wait().saturating_sub(SHORTEST_WAIT);
        let _ = tokio::time::timeout(rest, returned).await;
    }

    fn refused(&self, reason: String) -> WorkerError {
        WorkerError::Refused { server: self.server.clone(), reason }
    }
}

async fn within<T>(patience: Duration, call: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    tokio::time::timeout(patience, call)
        .await
        .unwrap_or_else(|_| Err(Status::deadline_exceeded(format!("no answer within {} s", patience.as_secs_f32()))))
}
