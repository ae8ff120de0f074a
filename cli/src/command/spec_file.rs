//! A spec on its way to the coordinator: read, overridden, checked before anything is started.

use crate::failure::Failure;
use clap::Args;
use kembara_coordinator::spec::{self, NAME_RULE, RunName, RunSpec, SpecErrors, Value};
use std::path::{Path, PathBuf};

/// A spec and what is said differently on the command line.
#[derive(Args, Clone, Debug)]
pub struct Overrides {
    /// The run's name, instead of the spec's
    #[arg(long)]
    pub name: Option<String>,
    /// Stop after so many generations, instead of the spec's own number; part of the run's spec, so
    /// a run begun with another number is another run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations: Option<u32>,
}

/// A spec that can be launched.
#[derive(Debug)]
pub struct Loaded {
    /// The spec as JSON, with every file it names inlined.
    pub json: String,
    /// The run's name, when it has one.
    pub name: Option<String>,
}

/// Reads and checks a spec.
pub fn load(path: &Path, overrides: &Overrides) -> Result<Loaded, Failure> {
    let refused = |errors: SpecErrors| {
        let said = errors.to_string().replace('\n', "; ");
        Failure::usage(format!("the spec {} cannot be used: {said}", path.display()))
    };
    let mut node = spec::load(path).map_err(refused)?;
    if let Some(name) = &overrides.name {
        node.set(&["name"], Value::Text(run_name(name)?.to_string()));
    }
    if let Some(generations) = overrides.generations {
        node.set(&["stop", "generations"], Value::Whole(generations.into()));
    }
    let checked = RunSpec::read(&node).map_err(refused)?;
    Ok(Loaded { json: node.to_json().to_string(), name: checked.name.map(|name| name.to_string()) })
}

/// As [`load`]; a spec without a name gets its file's name, so that the same command finds the same
/// run again.
pub fn load_named(path: &Path, overrides: &Overrides) -> Result<Loaded, Failure> {
    let loaded = load(path, overrides)?;
    if loaded.name.is_some() {
        return Ok(loaded);
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    let Some(name) = RunName::parse(&stem) else {
        return Err(Failure::usage(format!(
            "the spec {} names no run, and its file's name is none either; give one with --name",
            path.display()
        )));
    };
    load(path, &Overrides { name: Some(name.to_string()), ..overrides.clone() })
}

/// Reads a run's name from the command line.
pub fn run_name(text: &str) -> Result<RunName, Failure> {
    RunName::parse(text).ok_or_else(|| {
        let short = kembara_engine::player::shorten(text);
        Failure::usage(format!("`{short}` is not a run's name: use {NAME_RULE}"))
    })
}

/// The place of a spec on the command line.
#[derive(Args, Clone, Debug)]
pub struct SpecFile {
    /// The run spec: TOML, or JSON when its name ends in .json
    #[arg(value_name = "SPEC")]
    pub path: PathBuf,
}
