//! A worker's life: starting its threads and tasks, and ending without losing games.

use crate::config::WorkerConfig;
use crate::coordinator::{Coordinator, Identity};
use crate::deliver::{Delivery, MOST_BYTES, MOST_RANGES, send};
use crate::desk::Desk;
use crate::error::WorkerError;
use crate::feed::{Feed, Library};
use crate::outbox::Outbox;
use crate::player::Players;
use crate::renew::Heartbeat;
use crate::shutdown::Shutdown;
use crate::status::{Board, Reporter, Summary};
use kembara_proto::v1;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{AbortHandle, JoinSet};

/// Delivering what was finished may take this long beyond the grace time.
const LAST_DELIVERY: Duration = Duration::from_secs(10);

/// Giving back may take this long when the worker should end at once.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Works until it is told to end, or until the coordinator refuses it for good.
///
/// A coordinator that is away is waited for. Call it within a tokio runtime; one thread suffices,
/// the games have threads of their own.
///
/// # Errors
/// [`WorkerError`] when waiting cannot help.
pub async fn run(config: WorkerConfig, shutdown: Shutdown) -> Result<Summary, WorkerError> {
    let identity = Identity {
        name: config.name.clone(),
        threads: config.threads,
        games: config.games.iter().map(|game| game.name().to_owned()).collect(),
    };
    let worker = Worker::start(&config, Arc::new(Coordinator::new(&config.server, identity)?))?;
    worker.live(&config, &shutdown).await
}

struct Worker {
    coordinator: Arc<Coordinator>,
    desk: Arc<Desk>,
    outbox: Arc<Outbox>,
    board: Arc<Board>,
    players: Players,
    /// Tasks that end only when the worker has to stop.
    tasks: JoinSet<WorkerError>,
    feeding: AbortHandle,
}

impl Worker {
    fn start(config: &WorkerConfig, coordinator: Arc<Coordinator>) -> Result<Self, WorkerError> {
        let outbox = Arc::new(Outbox::default());
        let desk = Arc::new(Desk::new(config.threads, Arc::clone(&outbox)));
        let board = Arc::new(Board::default());
        let players = Players::start(&desk, config.threads, config.nice)?;
        let mut tasks = JoinSet::new();
        let feed = Feed {
            coordinator: Arc::clone(&coordinator),
            desk: Arc::clone(&desk),
            outbox: Arc::clone(&outbox),
            board: Arc::clone(&board),
            threads: config.threads,
            library: Library::new(config.games),
        };
        let feeding = tasks.spawn(feed.run());
        let delivery = Delivery {
            coordinator: Arc::clone(&coordinator),
            desk: Arc::clone(&desk),
            outbox: Arc::clone(&outbox),
            board: Arc::clone(&board),
        };
        tasks.spawn(delivery.run());
        let heartbeat =
            Heartbeat { coordinator: Arc::clone(&coordinator), desk: Arc::clone(&desk), outbox: Arc::clone(&outbox) };
        tasks.spawn(heartbeat.run());
        let reporter = Reporter {
            board: Arc::clone(&board),
            desk: Arc::clone(&desk),
            outbox: Arc::clone(&outbox),
            coordinator: Arc::clone(&coordinator),
            line: config.status_line,
        };
        tasks.spawn(async move { reporter.run().await });
        Ok(Self { coordinator, desk, outbox, board, players, tasks, feeding })
    }

    async fn live(mut self, config: &WorkerConfig, shutdown: &Shutdown) -> Result<Summary, WorkerError> {
        tokio::select! {
            error = fatal(&mut self.tasks) => {
                self.say_goodbye().await;
                return Err(error);
            }
            () = shutdown.ending() => {}
        }
        self.feeding.abort();
        self.outbox.give_back(self.desk.take_unbegun());
        let drained = tokio::select! {
            () = drain(&self.desk, &self.outbox, config.grace) => true,
            () = shutdown.aborted() => false,
            error = fatal(&mut self.tasks) => {
                tracing::error!("{error}");
                false
            }
        };
        self.outbox.give_back(self.desk.stop());
        self.tasks.shutdown().await;
        self.say_goodbye().await;
        let summary = self.board.summary(self.desk.games(), self.outbox.backlog());
        if summary.undelivered > 0 {
            tracing::warn!("{} games could not be delivered; others will play them again", summary.undelivered);
        }
        if drained {
            self.players.join();
        }
        Ok(summary)
    }

    /// Delivers what is left if that goes at once, and closes the session, which gives back all leases.
    async fn say_goodbye(&self) {
        let last_words = async {
            while let Some(parcel) = self.outbox.front(MOST_BYTES, MOST_RANGES) {
                let sent =
                    self.coordinator.try_once(LAST_WORDS, |client, session| send(client, session, &parcel)).await;
                if sent.is_none() {
                    break;
                }
                self.outbox.sent(&parcel);
            }
            self.coordinator
                .try_once(LAST_WORDS, |mut client, session| {
                    let request = v1::ReleaseRequest { session, tokens: Vec::new(), close: true };
                    async move { client.release(request).await }
                })
                .await;
        };
        let _ = tokio::time::timeout(LAST_WORDS, last_words).await;
    }
}

/// Lets begun ranges finish within the grace time and delivers them.
async fn drain(desk: &Desk, outbox: &Outbox, grace: Duration) {
    if tokio::time::timeout(grace, desk.until_empty()).await.is_err() {
        tracing::info!("the grace time is over: what is unfinished goes back");
        outbox.give_back(desk.stop());
    }
    let _ = tokio::time::timeout(LAST_DELIVERY, outbox.until_empty()).await;
}

/// Waits for the first task that ends: none does without a reason to stop the worker.
async fn fatal(tasks: &mut JoinSet<WorkerError>) -> WorkerError {
    loop {
        match tasks.join_next().await {
            Some(Ok(error)) => return error,
            Some(Err(ended)) if ended.is_cancelled() => {}
            Some(Err(panic)) => {
                return WorkerError::System(std::io::Error::other(format!("a task of the worker failed: {panic}")));
            }
            None => std::future::pending().await,
        }
    }
}
