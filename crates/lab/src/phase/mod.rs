//! The experiments of \[Phase\] on game phase: features and clusters of real games, courses of games, and the evaluation of
//! `fairylike` by phase.

mod config;
mod cost;
mod figures;
mod report;

use std::path::Path;

use surus_arena::Openings;
use surus_engine::phase::{PhaseModel, phase_course};
use surus_learn::phase::{FitError, FitOptions, FittedPhases, PhaseHistogram, fit_clusters};
use surus_play::{Registry, StopToken};
use surus_record::journal::replace_file;
use surus_rules::{Board, Game, Side};

pub use config::{EvaluationCost, MatchRow, MatchTable, PhaseConfig, Verdict};
pub use cost::Costs;
pub use figures::{GameCourse, course_svg, phase_heat_map};

use crate::error::LabError;
use crate::match_run::{MatchRun, MatchScore, play_match};

/// Games of every match before any match gets more.
const FIRST_PASS_GAMES: u64 = 40;

/// A set of games whose boards are clustered.
#[derive(Clone, Debug)]
pub struct GameSet {
    /// Its name on the page.
    pub title: String,
    /// Its boards.
    pub histogram: PhaseHistogram,
}

/// What the experiment is made of.
#[derive(Debug)]
pub struct PhaseExperiment<'a> {
    /// The matches.
    pub config: &'a PhaseConfig,
    /// Sets of games; the first one is plotted.
    pub sets: &'a [GameSet],
    /// The games whose courses are plotted.
    pub courses: &'a [(String, Game)],
    /// Boards with the side that has moved, on which evaluations are timed.
    pub boards: &'a [(Board, Side)],
    /// The directory of saved games.
    pub runs_dir: &'a Path,
    /// The directory of the page.
    pub report_dir: &'a Path,
    /// Number of games to play in parallel, except games on a clock.
    pub concurrency: usize,
    /// The command that the page names.
    pub command: &'a str,
}

/// A fit of one set.
struct Fit {
    set: String,
    /// What was asked for.
    request: &'static str,
    fitted: FittedPhases,
}

/// What the page shows.
struct Findings {
    costs: Costs,
    fits: Vec<Fit>,
    scores: Vec<MatchScore>,
    courses: Vec<GameCourse>,
}

/// Measures, plays what is missing and writes the page after each match.
pub fn phase(
    experiment: &PhaseExperiment<'_>,
    registry: &Registry,
    stop: &StopToken,
    mut on_match: impl FnMut(&str, &MatchScore),
) -> Result<(), LabError> {
    for directory in [experiment.runs_dir, experiment.report_dir] {
        std::fs::create_dir_all(directory).map_err(LabError::file(directory))?;
    }
    let costs =
        cost::costs(&experiment.config.costs, experiment.boards, &experiment.runs_dir.join("costs.json"))?;
    let model = PhaseModel::default();
    let course = |(title, game): &(String, Game)| GameCourse {
        title: title.clone(),
        turns: phase_course(game, &model),
    };
    let mut findings = Findings {
        costs,
        fits: fits(experiment.sets)?,
        scores: Vec::new(),
        courses: experiment.courses.iter().map(course).collect(),
    };
    let rows: Vec<&MatchRow> = experiment.config.rows().collect();
    for row in &rows {
        findings.scores.push(play(experiment, row, row.games, false, registry, stop)?);
    }
    write(experiment, &findings)?;
    let highest = rows.iter().map(|row| row.games).max().unwrap_or_default();
    let mut up_to = FIRST_PASS_GAMES;
    while !stop.should_stop() {
        for (index, row) in rows.iter().enumerate() {
            let games = row.games.min(up_to);
            if games <= findings.scores[index].games || stop.should_stop() {
                continue;
            }
            findings.scores[index] = play(experiment, row, games, true, registry, stop)?;
            on_match(&row.title, &findings.scores[index]);
            write(experiment, &findings)?;
        }
        if highest <= up_to {
            break;
        }
        up_to *= 4;
    }
    Ok(())
}

/// The score of a match after a number of games; without `must_play` those on disk are counted.
fn play(
    experiment: &PhaseExperiment<'_>,
    row: &MatchRow,
    games: u64,
    must_play: bool,
    registry: &Registry,
    stop: &StopToken,
) -> Result<MatchScore, LabError> {
    let on_clock = [&row.engine, &row.opponent].iter().any(|side| !side.time.is_empty());
    let run = MatchRun {
        sides: [row.engine.clone(), row.opponent.clone()],
        games,
        openings: Openings::Book { seed: row.seed.unwrap_or(experiment.config.seed) },
        max_turns: experiment.config.max_turns,
        concurrency: if on_clock { 1 } else { experiment.concurrency },
        runs_dir: experiment.runs_dir,
    };
    let score = play_match(&run, must_play, registry, stop)?;
    Ok(MatchScore { games_requested: row.games, ..score })
}

/// Each set with a free number of clusters, with at least three, and with the numbers found in [Phase §5.4.1].
fn fits(sets: &[GameSet]) -> Result<Vec<Fit>, LabError> {
    let mut fits = Vec::new();
    for set in sets {
        for (request, min_k, max_k) in [("1 to 8", 1, 8), ("3 to 8", 3, 8), ("2", 2, 2), ("3", 3, 3)] {
            if set.histogram.distinct() < min_k {
                continue;
            }
            let options = FitOptions { min_k, max_k, ..FitOptions::default() };
            let fitted = fit_clusters(&set.histogram, &options, &set.title).map_err(|error: FitError| {
                LabError::Config { name: set.title.clone(), problem: error.to_string() }
            })?;
            fits.push(Fit { set: set.title.clone(), request, fitted });
        }
    }
    Ok(fits)
}

fn write(experiment: &PhaseExperiment<'_>, findings: &Findings) -> Result<(), LabError> {
    for (name, text) in report::files(experiment, findings) {
        let path = experiment.report_dir.join(name);
        replace_file(&path, text.as_bytes()).map_err(LabError::file(&path))?;
    }
    Ok(())
}
