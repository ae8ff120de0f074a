//! Many callers, one round: calls that come while a round is under way, or within a moment of the
//! first, are answered together.

use super::DispatchError;
use crate::store::StoreError;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Calls of one round at most.
const MOST: usize = 128;
/// How long the first call of a round waits for company.
const MOMENT: Duration = Duration::from_millis(1);

type Waiting<C, A> = (C, oneshot::Sender<Result<A, DispatchError>>);

/// Gathers calls of type `C` and hands out answers of type `A`.
pub(super) struct Gather<C, A> {
    calls: mpsc::Sender<Waiting<C, A>>,
}

impl<C: Send + 'static, A: Send + 'static> Gather<C, A> {
    /// Starts the rounds; they end when this is dropped. `answer` gives one answer per call, in
    /// order.
    pub fn start<F, R>(mut answer: F) -> Self
    where
        F: FnMut(Vec<C>) -> R + Send + 'static,
        R: Future<Output = Result<Vec<A>, StoreError>> + Send,
    {
        let (calls, mut waiting) = mpsc::channel::<Waiting<C, A>>(MOST);
        tokio::spawn(async move {
            let mut round = Vec::with_capacity(MOST);
            while waiting.recv_many(&mut round, MOST).await > 0 {
                tokio::time::sleep(MOMENT).await;
                while round.len() < MOST
                    && let Ok(more) = waiting.try_recv()
                {
                    round.push(more);
                }
                let (questions, askers): (Vec<C>, Vec<_>) = round.drain(..).unzip();
                // An asker that has gone away needs no answer: its call is idempotent.
                match answer(questions).await {
                    Ok(answers) => askers.into_iter().zip(answers).for_each(|(asker, answer)| {
                        let _ = asker.send(Ok(answer));
                    }),
                    Err(error) => {
                        let error = Arc::new(error);
                        askers.into_iter().for_each(|asker| {
                            let _ = asker.send(Err(Arc::clone(&error)));
                        });
                    }
                }
            }
        });
        Self { calls }
    }

    /// One call.
    pub async fn call(&self, question: C) -> Result<A, DispatchError> {
        let (asker, answer) = oneshot::channel();
        let ended = || Arc::new(StoreError::Logic("the rounds have ended".to_owned()));
        self.calls.send((question, asker)).await.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}
