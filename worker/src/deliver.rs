//! Delivering finished ranges: at once when little work is left, and so a generation may be waiting
//! for them; otherwise together with what gets ready shortly after.

use crate::coordinator::{CallError, Client, Coordinator, PATIENCE};
use crate::desk::Desk;
use crate::error::WorkerError;
use crate::outbox::{Finished, Outbox, Parcel};
use crate::status::Board;
use kembara_proto::{MAX_MESSAGE_BYTES, v1};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tonic::Status;

/// Packed results of one message, leaving room for what is around them.
pub const MOST_BYTES: usize = MAX_MESSAGE_BYTES - (MAX_MESSAGE_BYTES >> 4);

/// Ranges of one message.
pub const MOST_RANGES: usize = 512;

/// Between reports while there is work enough. Each report is a commit of the database, and a range
/// of quick games lasts a few milliseconds only.
const BETWEEN_REPORTS: Duration = Duration::from_millis(25);

/// The task that reports and gives back.
#[derive(Debug)]
pub struct Delivery {
    /// Where results go.
    pub coordinator: Arc<Coordinator>,
    /// Tells how urgent they are.
    pub desk: Arc<Desk>,
    /// Where they come from.
    pub outbox: Arc<Outbox>,
    /// What people see.
    pub board: Arc<Board>,
}

impl Delivery {
    /// Runs until the worker has to stop.
    pub async fn run(self) -> WorkerError {
        // Lowered to one while the coordinator rejects a message, so that one bad range does not
        // take its neighbours with it.
        let mut most_ranges = MOST_RANGES;
        let mut last = Instant::now();
        loop {
            self.outbox.until_filled().await;
            self.desk.until_low(BETWEEN_REPORTS.saturating_sub(last.elapsed())).await;
            last = Instant::now();
            let parcel = self.outbox.look(MOST_BYTES, most_ranges).await;
            let answer = self.coordinator.call(PATIENCE, |client, session| send(client, session, &parcel)).await;
            match answer {
                Ok(verdicts) => {
                    self.note(&parcel, &verdicts);
                    self.outbox.sent(&parcel);
                    most_ranges = MOST_RANGES;
                }
                Err(CallError::Fatal(error)) => return error,
                Err(CallError::Rejected(_)) if parcel.ranges() > 1 => most_ranges = 1,
                Err(CallError::Rejected(reason)) => {
                    tracing::error!("the coordinator does not accept {parcel}: {reason}; it is dropped");
                    self.outbox.sent(&parcel);
                }
            }
        }
    }

    fn note(&self, parcel: &Parcel, verdicts: &[i32]) {
        let Parcel::Results(results) = parcel else { return };
        if verdicts.len() != results.len() {
            tracing::error!("{} ranges were reported, but {} verdicts came", results.len(), verdicts.len());
        }
        for (finished, verdict) in results.iter().zip(verdicts) {
            let Finished { lease, games, .. } = finished;
            let verdict = v1::Verdict::try_from(*verdict).unwrap_or(v1::Verdict::Unspecified);
            self.board.reported(verdict, *games);
            match verdict {
                v1::Verdict::Recorded | v1::Verdict::AlreadyRecorded => {}
                v1::Verdict::Void => {
                    tracing::debug!(run = %lease.run, generation = lease.generation, batch = %lease.token, "the lease was void");
                }
                v1::Verdict::Malformed | v1::Verdict::Contradicts | v1::Verdict::Unspecified => {
                    tracing::error!(
                        run = %lease.run, generation = lease.generation, batch = %lease.token,
                        "the coordinator answered {} to the results of {games} games from {}; they are dropped",
                        verdict.as_str_name(), lease.first
                    );
                }
            }
        }
    }
}

/// Sends a parcel; the verdicts on its results.
pub fn send(
    mut client: Client,
    session: String,
    parcel: &Parcel,
) -> impl Future<Output = Result<Vec<i32>, Status>> + use<> {
    enum Call {
        Report(v1::ReportRequest),
        Release(v1::ReleaseRequest),
    }
    let call = match parcel {
        Parcel::Results(results) => {
            let results = results
                .iter()
                .map(|finished| v1::RangeResult {
                    token: finished.lease.token.as_str().to_owned(),
                    packed: finished.packed.clone(),
                    core_us: u64::try_from(finished.core.as_micros()).unwrap_or(u64::MAX),
                })
                .collect();
            Call::Report(v1::ReportRequest { session, results })
        }
        Parcel::Returns(tokens) => {
            let tokens = tokens.iter().map(|token| token.as_str().to_owned()).collect();
            Call::Release(v1::ReleaseRequest { session, tokens, close: false })
        }
    };
    async move {
        match call {
            Call::Report(request) => Ok(client.report(request).await?.into_inner().verdicts),
            Call::Release(request) => client.release(request).await.map(|_| Vec::new()),
        }
    }
}
