//! Matches that stop when they are decided.

use kembara_tournament::{Decision, Sprt, SprtError};
use std::str::FromStr;

/// Two Elo differences of A, of which a match decides for one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses(pub [f64; 2]);

impl FromStr for Hypotheses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let difference = |word: &str| word.trim().parse::<f64>().ok();
        text.split_once(',')
            .and_then(|(lower, higher)| Some(Self([difference(lower)?, difference(higher)?])))
            .ok_or_else(|| "give two Elo differences, as in 0,5".to_owned())
    }
}

/// The test, and what it was made from.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The Elo differences.
    pub hypotheses: Hypotheses,
    /// The probabilities of accepting the higher one and the lower one wrongly.
    pub errors: [f64; 2],
    /// The test itself.
    pub test: Sprt,
}

impl Trial {
    /// A test that errs no more often than this.
    pub fn new(hypotheses: Hypotheses, errors: [f64; 2]) -> Result<Self, SprtError> {
        let ([lower, higher], [alpha, beta]) = (hypotheses.0, errors);
        Ok(Self { hypotheses, errors, test: Sprt::new(lower, higher, alpha, beta)? })
    }
}

/// Looks at a match pair by pair and says when to stop.
#[derive(Debug)]
pub struct Judge<'a> {
    trial: &'a Trial,
    /// Pairs in a row that were played before: when there are too many, nothing new will come.
    repeated: u32,
    patience: u32,
    decision: Option<Decision>,
}

impl<'a> Judge<'a> {
    /// A judge of a match with so many openings.
    pub fn new(trial: &'a Trial, openings: u32) -> Self {
        Self { trial, repeated: 0, patience: openings.max(1000), decision: None }
    }

    /// Whether to stop after this pair, which is new or repeats an earlier one; `counts` are the
    /// scores of all pairs so far.
    pub fn stops(&mut self, is_new: bool, counts: &[u64; 5]) -> bool {
        if is_new {
            self.repeated = 0;
            self.decision = self.trial.test.decide(counts);
        } else {
            self.repeated += 1;
        }
        self.decision.is_some() || self.repeated >= self.patience
    }

    /// What was decided.
    pub const fn decision(&self) -> Option<Decision> {
        self.decision
    }
}
