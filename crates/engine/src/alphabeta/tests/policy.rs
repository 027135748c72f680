//! Tests of learned ordering inside the tree.

use surus_play::{Engine, Job, Limits};
use surus_rules::{Game, Rules};

use crate::AlphaBeta;
use crate::ordering::{FeatureKind, Model, ModelInfo, Phases};

const FIGHT: &str = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";

/// Writes a model that finds all candidates equally likely.
fn indifferent(kind: FeatureKind) -> tempfile::NamedTempFile {
    let info = ModelInfo { kind, phases: Phases::Single, method: String::new(), training: String::new() };
    let model = Model::from_fitted(info, &vec![0.0; kind.layout().dimension()]);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), model.to_bytes()).unwrap();
    file
}

fn nodes(model: &str, level: &str) -> Option<u64> {
    let mut engine = AlphaBeta::default();
    for (name, value) in [("hash", "4"), ("level", level), ("action_model", model)] {
        engine.set_option(name, value).unwrap();
    }
    let game = Game::from_text(FIGHT, Rules::Official).unwrap();
    let mut nodes = None;
    let job = Job::limited(game, Limits { depth: Some(9), ..Limits::default() });
    engine.think(&job, &mut |info| nodes = info.nodes).unwrap();
    nodes
}

#[test]
fn a_model_without_preferences_changes_nothing() {
    let file = indifferent(FeatureKind::Action);
    assert_eq!(nodes(file.path().to_str().unwrap(), "10"), nodes("none", "10"));
}

#[test]
fn embedded_model_changes_full_strength_only() {
    assert_ne!(nodes("", "10"), nodes("none", "10"));
    assert_eq!(nodes("", "8"), nodes("none", "8"));
}

#[test]
fn a_model_of_turns_is_refused() {
    let file = indifferent(FeatureKind::Turn);
    let path = file.path().to_str().unwrap();
    let error = AlphaBeta::default().set_option("action_model", path).unwrap_err().to_string();
    assert!(error.contains("ranks turns"), "{error}");
}
