//! Gene values, and their text and byte forms.
//!
//! A chromosome means nothing without its genome: the genome tells each gene's kind, so the bytes
//! are eight per gene, little-endian, an `i64` for whole numbers and the IEEE bits for real ones.

use crate::parameter::{Domain, Parameter};
use std::fmt;

/// One value of a chromosome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gene {
    /// A whole number.
    Int(i32),
    /// A finite real number.
    Real(f64),
}

impl fmt::Display for Gene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            // The shortest digits that read back to the same bits.
            Self::Real(value) => write!(f, "{value:?}"),
        }
    }
}

/// The genes of one individual, in the order of its genome's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Chromosome(pub Vec<Gene>);

/// Why text or bytes are not a chromosome of a genome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChromosomeError {
    /// The number of genes differs.
    #[error("{given} genes given, but the genome has {expected} ({names})")]
    Length {
        /// Genes found.
        given: usize,
        /// Genes of the genome.
        expected: usize,
        /// The genome's parameter names, joined by colons.
        names: String,
    },
    /// One gene is not a number of its kind.
    #[error("gene {name} is `{given}`, which is not {expected}")]
    NotANumber {
        /// The parameter's name.
        name: String,
        /// What stood there (shortened).
        given: String,
        /// What was expected.
        expected: &'static str,
    },
    /// One gene is out of its bounds.
    #[error("gene {name} is {given}, but must be in {allowed}")]
    OutOfBounds {
        /// The parameter's name.
        name: String,
        /// The value given.
        given: String,
        /// The values allowed, as in `0..=10`.
        allowed: String,
    },
}

impl Chromosome {
    /// Reads the author's notation: genes joined by colons, checked against the parameters.
    ///
    /// # Errors
    /// [`ChromosomeError`] when the number of genes, a gene's kind or a bound does not fit.
    pub fn parse(text: &str, parameters: &[Parameter]) -> Result<Self, ChromosomeError> {
        let given = text.split(':').count();
        check_length(given, parameters)?;
        let genes = text
            .split(':')
            .zip(parameters)
            .map(|(word, parameter)| parse_gene(word.trim(), parameter))
            .collect::<Result<Vec<_>, _>>()?;
        let chromosome = Self(genes);
        chromosome.check(parameters)?;
        Ok(chromosome)
    }

    /// The canonical bytes: eight per gene.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * 8);
        for gene in &self.0 {
            match *gene {
                Gene::Int(value) => bytes.extend_from_slice(&i64::from(value).to_le_bytes()),
                Gene::Real(value) => bytes.extend_from_slice(&value.to_bits().to_le_bytes()),
            }
        }
        bytes
    }

    /// Reads what [`Chromosome::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`ChromosomeError`] when the length, a gene's kind or a bound does not fit.
    pub fn from_bytes(bytes: &[u8], parameters: &[Parameter]) -> Result<Self, ChromosomeError> {
        let (words, rest) = bytes.as_chunks::<8>();
        check_length(words.len() + usize::from(!rest.is_empty()), parameters)?;
        let mut genes = Vec::with_capacity(words.len());
        for (word, parameter) in words.iter().zip(parameters) {
            genes.push(match parameter.domain {
                Domain::Int { .. } => {
                    let value = i64::from_le_bytes(*word);
                    Gene::Int(i32::try_from(value).map_err(|_| not_a_number(parameter, &value.to_string()))?)
                }
                Domain::Real { .. } => Gene::Real(f64::from_bits(u64::from_le_bytes(*word))),
            });
        }
        let chromosome = Self(genes);
        chromosome.check(parameters)?;
        Ok(chromosome)
    }

    /// Checks kinds and bounds against the parameters.
    ///
    /// # Errors
    /// [`ChromosomeError`] for the first gene that does not fit.
    pub fn check(&self, parameters: &[Parameter]) -> Result<(), ChromosomeError> {
        check_length(self.0.len(), parameters)?;
        for (gene, parameter) in self.0.iter().zip(parameters) {
            let allowed = match (*gene, parameter.domain) {
                (Gene::Int(value), Domain::Int { bounds: (low, high), .. }) => {
                    if (low..=high).contains(&value) {
                        continue;
                    }
                    format!("{low}..={high}")
                }
                (Gene::Real(value), Domain::Real { bounds, .. }) if value.is_finite() => match bounds {
                    Some((low, high)) if !(low..=high).contains(&value) => format!("{low}..={high}"),
                    _ => continue,
                },
                (gene, _) => return Err(not_a_number(parameter, &gene.to_string())),
            };
            return Err(ChromosomeError::OutOfBounds {
                name: parameter.name.clone(),
                given: gene.to_string(),
                allowed,
            });
        }
        Ok(())
    }
}

impl fmt::Display for Chromosome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, gene) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str(":")?;
            }
            write!(f, "{gene}")?;
        }
        Ok(())
    }
}

fn check_length(given: usize, parameters: &[Parameter]) -> Result<(), ChromosomeError> {
    if given == parameters.len() {
        return Ok(());
    }
    let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    Err(ChromosomeError::Length { given, expected: parameters.len(), names: names.join(":") })
}

fn parse_gene(word: &str, parameter: &Parameter) -> Result<Gene, ChromosomeError> {
    match parameter.domain {
        Domain::Int { .. } => word.parse().map(Gene::Int).map_err(|_| not_a_number(parameter, word)),
        Domain::Real { .. } => match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Gene::Real(value)),
            _ => Err(not_a_number(parameter, word)),
        },
    }
}

fn not_a_number(parameter: &Parameter, given: &str) -> ChromosomeError {
    ChromosomeError::NotANumber {
        name: parameter.name.clone(),
        given: given.chars().take(40).collect(),
        expected: match parameter.domain {
            Domain::Int { .. } => "a whole number",
            Domain::Real { .. } => "a finite number",
        },
    }
}
