//! Tests of the ranking of the root through the public interface.

use surus_play::{Answer, Engine, Info, Job, Limits};
use surus_rules::{Game, Rules, Side, Turn};
use surus_tactics::steps_to_goal;

use crate::AlphaBeta;
use crate::ordering::{FeatureKind, Model, ModelInfo, Phases, rank_turns};

const FIGHT: &str = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";
/// Silver's rabbit on a3 walks to a1 unless it is blocked.
const GOAL_THREATENED: &str = "g [rrrrrr   hd  m             e            r  D E    MCDHH   R RRRR]";
const LONG: Limits = Limits { nodes: Some(60_000), depth: None, time: None };

fn game(text: &str) -> Game {
    Game::from_text(text, Rules::Official).unwrap()
}

fn engine(options: &[(&str, &str)]) -> AlphaBeta {
    let mut engine = AlphaBeta::default();
    for (name, value) in [("hash", "4")].iter().chain(options) {
        engine.set_option(name, value).unwrap();
    }
    engine
}

fn search(options: &[(&str, &str)], position: &str, limits: Limits) -> (Turn, Info) {
    let mut last = Info::default();
    let job = Job::limited(game(position), limits);
    let answer = engine(options).think(&job, &mut |info| last = info).unwrap();
    let Answer::Turn(turn) = answer else { panic!("no turn: {answer:?}") };
    (turn, last)
}

/// A file with a model, removed when dropped.
struct ModelFile(std::path::PathBuf);

impl ModelFile {
    /// A model that finds all candidates equally likely.
    fn indifferent(kind: FeatureKind) -> (Self, Model) {
        let info = ModelInfo { kind, phases: Phases::Single, method: String::new(), training: String::new() };
        let model = Model::from_fitted(info, &vec![0.0; kind.layout().dimension()]);
        let path = std::env::temp_dir().join(format!("surus-{kind}-{}.order", std::process::id()));
        std::fs::write(&path, model.to_bytes()).unwrap();
        (Self(path), model)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for ModelFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn only_the_best_ranked_turns_are_searched() {
    let (file, model) = ModelFile::indifferent(FeatureKind::Turn);
    let first = rank_turns(&game(FIGHT), &model, 0)[0].turn;
    let ranked = [("root_model", file.path()), ("root_turns", "1")];
    assert_eq!(search(&ranked, FIGHT, LONG).0, first);
    assert_ne!(search(&[("root_turns", "0")], FIGHT, LONG).0, first);
}

#[test]
fn other_turns_are_searched_if_the_best_ranked_ones_lose() {
    let (file, model) = ModelFile::indifferent(FeatureKind::Turn);
    let allows_goal = |turn: &Turn| {
        let mut after = game(GOAL_THREATENED);
        after.play(turn).unwrap();
        steps_to_goal(after.position().board(), Side::Silver, 4).is_some()
    };
    assert!(allows_goal(&rank_turns(&game(GOAL_THREATENED), &model, 0)[0].turn));
    let ranked = [("root_model", file.path()), ("root_turns", "1")];
    assert!(!allows_goal(&search(&ranked, GOAL_THREATENED, LONG).0));
}

#[test]
fn costs_decide_between_turns_of_similar_value() {
    let likeliest = search(&[("root_cost", "10000")], FIGHT, LONG).0;
    let model = Model::from_bytes(include_bytes!("../../../weights/turns.order")).unwrap();
    assert_eq!(likeliest, rank_turns(&game(FIGHT), &model, 0)[0].turn);
}

#[test]
fn unlikely_turns_are_searched_less_deep() {
    let reached = |options: &[(&str, &str)]| {
        let (_, info) = search(options, FIGHT, LONG);
        (info.depth, info.nodes, info.pv)
    };
    let (deep, full) = (reached(&[("root_reduction", "200")]), reached(&[("root_reduction", "0")]));
    assert!(deep.0 > full.0, "{deep:?} {full:?}");
    // Equally likely turns are not reduced.
    let (file, _) = ModelFile::indifferent(FeatureKind::Turn);
    let equal = |reduction| reached(&[("root_model", file.path()), ("root_reduction", reduction)]);
    assert_eq!(equal("200"), equal("0"));
}

#[test]
fn short_and_unlimited_searches_are_not_ranked() {
    let (file, _) = ModelFile::indifferent(FeatureKind::Turn);
    let ranked = [("root_model", file.path()), ("root_turns", "1")];
    for limits in
        [Limits { nodes: Some(10_000), ..Limits::default() }, Limits { depth: Some(7), ..Limits::default() }]
    {
        let (turn, info) = search(&ranked, FIGHT, limits);
        let (unranked, expected) = search(&[("root_turns", "0")], FIGHT, limits);
        assert_eq!((turn, info.nodes), (unranked, expected.nodes));
    }
}

#[test]
fn models_of_actions_and_other_files_are_refused() {
    let (file, _) = ModelFile::indifferent(FeatureKind::Action);
    let error = engine(&[]).set_option("root_model", file.path()).unwrap_err().to_string();
    assert!(error.contains("ranks actions"), "{error}");
    let error = engine(&[]).set_option("root_model", "Cargo.toml").unwrap_err().to_string();
    assert!(error.contains("a model of turns, but"), "{error}");
}

#[test]
fn revision_depends_on_the_model() {
    let (file, _) = ModelFile::indifferent(FeatureKind::Turn);
    assert_ne!(engine(&[("root_model", file.path())]).id(), engine(&[]).id());
}
