//! The named numbers an evaluation is made of. Evolution sees only these.

/// One gene's meaning: its name and the values it may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Short name in the author's notation, unique in its genome: `o`, `wf1`, `gamma`.
    pub name: String,
    /// What it means, in a few words.
    pub meaning: String,
    /// Its kind, where it starts and where it must stay.
    pub domain: Domain,
}

/// The values a gene may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// Whole numbers, both ends included everywhere.
    Int {
        /// A random individual draws uniformly from here.
        initial: (i32, i32),
        /// No operator ever leaves these.
        bounds: (i32, i32),
    },
    /// Real numbers.
    Real {
        /// A random individual draws uniformly from `initial.0 .. initial.1`.
        initial: (f64, f64),
        /// No operator ever leaves these; `None` leaves the gene free.
        bounds: Option<(f64, f64)>,
    },
}
