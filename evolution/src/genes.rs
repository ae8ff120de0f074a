//! The genome as the operators see it: parameters, and genes held at a value.

use crate::spec::FieldError;
use kembara_engine::{Chromosome, Domain, Gene, Genome, Parameter};
use std::collections::BTreeMap;

/// A genome with some genes frozen. At least one gene is free.
#[derive(Clone, Debug)]
pub(crate) struct Genes {
    parameters: Vec<Parameter>,
    frozen: Vec<Option<Gene>>,
}

impl Genes {
    /// Prepares a genome.
    ///
    /// # Errors
    /// Every frozen gene that is unknown or has a value it may not take; a genome without free
    /// genes.
    pub fn new(genome: &Genome, freeze: &BTreeMap<String, f64>) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut frozen = vec![None; genome.parameters.len()];
        for (name, value) in freeze {
            let place = genome.parameters.iter().position(|parameter| parameter.name == *name);
            let held = place.and_then(|place| gene_of(*value, &genome.parameters[place].domain));
            match (place, held) {
                (Some(place), Some(gene)) => frozen[place] = Some(gene),
                (Some(place), None) => errors.push(FieldError::new(
                    &format!("freeze.{name}"),
                    value,
                    allowed(&genome.parameters[place].domain),
                )),
                (None, _) => errors.push(FieldError::new(&format!("freeze.{name}"), value, known(genome))),
            }
        }
        if errors.is_empty() && frozen.iter().all(Option::is_some) {
            let given = format!("{} genes", freeze.len());
            errors.push(FieldError::new("freeze", given, "at least one gene left free"));
        }
        if errors.is_empty() { Ok(Self { parameters: genome.parameters.clone(), frozen }) } else { Err(errors) }
    }

    /// Every gene's parameter, in order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The places and domains of the genes that may change.
    pub fn free(&self) -> impl Iterator<Item = (usize, &Domain)> {
        let free = |(place, parameter): (usize, _)| self.frozen[place].is_none().then_some((place, parameter));
        self.parameters.iter().map(|parameter| &parameter.domain).enumerate().filter_map(free)
    }

    /// Sets the frozen genes of a chromosome that comes from outside or was drawn.
    pub fn hold(&self, mut chromosome: Chromosome) -> Chromosome {
        for (gene, held) in chromosome.0.iter_mut().zip(&self.frozen) {
            if let Some(value) = held {
                *gene = *value;
            }
        }
        chromosome
    }
}

/// The value as a gene of this domain, if it may take it.
fn gene_of(value: f64, domain: &Domain) -> Option<Gene> {
    match *domain {
        Domain::Int { bounds: (low, high), .. } => {
            // A whole number between two i32 is one itself.
            let inside = value.fract() == 0.0 && (f64::from(low)..=f64::from(high)).contains(&value);
            inside.then_some(Gene::Int(value as i32))
        }
        Domain::Real { bounds, .. } => {
            let inside = bounds.is_none_or(|(low, high)| (low..=high).contains(&value));
            (value.is_finite() && inside).then_some(Gene::Real(value))
        }
    }
}

fn allowed(domain: &Domain) -> String {
    match domain {
        Domain::Int { bounds: (low, high), .. } => format!("a whole number in {low}..={high}"),
        Domain::Real { bounds: Some((low, high)), .. } => format!("a number in {low:?}..={high:?}"),
        Domain::Real { bounds: None, .. } => "a finite number".to_owned(),
    }
}

fn known(genome: &Genome) -> String {
    let names: Vec<&str> = genome.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    format!("a gene of {}: {}", genome.name, names.join(", "))
}
