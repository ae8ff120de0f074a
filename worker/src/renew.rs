//! The heartbeat: keeps leases alive, carries progress, and hears which ranges are no longer wanted.

use crate::coordinator::{CallError, Coordinator, PATIENCE};
use crate::desk::Desk;
use crate::error::WorkerError;
use crate::outbox::Outbox;
use kembara_proto::v1;
use std::sync::Arc;

/// The task that renews.
#[derive(Debug)]
pub struct Heartbeat {
    /// Who is told.
    pub coordinator: Arc<Coordinator>,
    /// Ranges in hand.
    pub desk: Arc<Desk>,
    /// Ranges finished, but not delivered.
    pub outbox: Arc<Outbox>,
}

impl Heartbeat {
    /// Runs until the worker has to stop.
    pub async fn run(self) -> WorkerError {
        loop {
            match self.coordinator.session().await {
                Ok(session) => tokio::time::sleep(session.renew_every).await,
                Err(error) => return error,
            }
            let answer = self
                .coordinator
                .call(PATIENCE, |mut client, session| {
                    let request = v1::RenewRequest { session, leases: self.leases(), games: self.desk.games() };
                    async move { Ok(client.renew(request).await?.into_inner()) }
                })
                .await;
            match answer {
                // Finished results are delivered all the same: the verdict on them is final, this is not.
                Ok(answer) => match self.desk.void(&answer.void) {
                    0 => {}
                    gone => tracing::debug!("{gone} ranges are no longer wanted"),
                },
                Err(CallError::Fatal(error)) => return error,
                Err(CallError::Rejected(reason)) => {
                    tracing::error!("the coordinator does not accept a heartbeat: {reason}");
                }
            }
        }
    }

    fn leases(&self) -> Vec<v1::LeaseProgress> {
        let mut held = self.desk.progress();
        held.extend(self.outbox.undelivered());
        held.into_iter().map(|(token, done)| v1::LeaseProgress { token: token.as_str().to_owned(), done }).collect()
    }
}
