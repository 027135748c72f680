//! The provenance of labels, as stored in the header of a data file.

use std::collections::BTreeMap;

use anyhow::Result;
use surus_learn::RunError;
use surus_play::{Engine, EngineError, Limits, Registry, check_limits};
use surus_record::packed::Provenance;

/// The provenance of games that the engine labels with `nodes` per turn.
pub(super) fn provenance(
    kind: &str,
    engine: &dyn Engine,
    nodes: u64,
    seed: u64,
    settings: BTreeMap<String, String>,
) -> Result<Provenance> {
    let id = engine.id();
    check_limits(&id, &Limits { nodes: Some(nodes), ..Limits::default() })?;
    let options = engine.options().iter().map(|(option, value)| (option.name.into(), value.into())).collect();
    Ok(Provenance {
        kind: kind.into(),
        program: format!("surus {}", env!("CARGO_PKG_VERSION")),
        engine: id.to_string(),
        nodes,
        seed,
        options,
        settings,
    })
}

/// Creates the engine of a worker.
pub(super) fn create_engine(registry: &Registry, name: &str) -> Result<Box<dyn Engine>, RunError> {
    registry
        .make(name)
        .map_err(|error| RunError::Engine { game: 0, error: EngineError::Failed(error.to_string()) })
}
