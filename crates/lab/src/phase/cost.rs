//! The cost of evaluations that know the phase, relative to the plain one.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use surus_engine::Fairylike;
use surus_play::{Engine, EngineConfig};
use surus_rules::{Board, Position, Side};

use super::config::EvaluationCost;
use crate::error::{LabError, read_json, write_json};
use crate::measure::POSITIONS;

/// The measured costs, in nanoseconds per evaluation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Costs {
    /// The engines with their ids: other ones are measured again.
    pub engines: Vec<String>,
    /// The number of boards.
    pub boards: usize,
    /// For each engine.
    pub nanoseconds: Vec<f64>,
}

/// Rounds over the boards; the fastest counts, since the machine may have other work.
const ROUNDS: usize = 15;

/// Costs of evaluations on boards, from the file if it has them for the same engines and number of boards.
pub(super) fn costs(
    wanted: &[EvaluationCost],
    boards: &[(Board, Side)],
    file: &Path,
) -> Result<Costs, LabError> {
    let few;
    let boards = if boards.is_empty() {
        few = middlegames();
        &few[..]
    } else {
        boards
    };
    let mut engines = Vec::new();
    for cost in wanted {
        engines.push(fairylike(&cost.engine)?);
    }
    let ids: Vec<String> = wanted
        .iter()
        .zip(&engines)
        .map(|(cost, engine)| format!("{} {}", cost.engine, engine.id()))
        .collect();
    let known: Option<Costs> = read_json(file)?;
    if let Some(known) = known.filter(|known| known.engines == ids && known.boards == boards.len()) {
        return Ok(known);
    }
    let mut fastest = vec![f64::INFINITY; engines.len()];
    for _ in 0..ROUNDS {
        // One after the other in each round, so that other work slows all of them.
        for (engine, fastest) in engines.iter().zip(&mut fastest) {
            let started = Instant::now();
            for (board, side) in boards {
                black_box(engine.evaluate(black_box(board), *side));
            }
            let each = started.elapsed().as_secs_f64() * 1e9 / boards.len().max(1) as f64;
            *fastest = fastest.min(each);
        }
    }
    let costs = Costs { engines: ids, boards: boards.len(), nanoseconds: fastest };
    write_json(file, &costs)?;
    Ok(costs)
}

/// Boards for an experiment without games.
fn middlegames() -> Vec<(Board, Side)> {
    let positions = POSITIONS.iter().filter_map(|text| text.parse::<Position>().ok());
    positions.map(|position| (*position.board(), position.side())).collect()
}

fn fairylike(name: &str) -> Result<Fairylike, LabError> {
    let wrong = |problem: String| LabError::Engine { engine: name.into(), problem };
    let config: EngineConfig = name.parse().map_err(|error| wrong(format!("{error}")))?;
    if config.name != "fairylike" {
        return Err(wrong("expected fairylike, whose evaluation is measured".into()));
    }
    let mut engine = Fairylike::default();
    for (key, value) in &config.options {
        engine.set_option(key, value).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_measured_once_and_only_for_fairylike() {
        let file = std::env::temp_dir().join(format!("surus-phase-costs-{}.json", std::process::id()));
        let _ = std::fs::remove_file(&file);
        let cost = |engine: &str| EvaluationCost { title: String::new(), engine: engine.into() };
        let wanted = [cost("fairylike"), cost("fairylike:phases=gt")];
        let first = costs(&wanted, &[], &file).unwrap();
        assert_eq!((first.boards, first.nanoseconds.len()), (POSITIONS.len(), 2));
        assert_eq!(costs(&wanted, &[], &file).unwrap(), first);
        let error = costs(&[cost("mcts")], &[], &file).unwrap_err().to_string();
        assert_eq!(error, "engine 'mcts': expected fairylike, whose evaluation is measured");
        std::fs::remove_file(&file).unwrap();
    }
}
