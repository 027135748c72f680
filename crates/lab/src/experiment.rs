//! Runs all matches of an experiment and rewrites its report after each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use surus_arena::Openings;
use surus_play::{Registry, StopToken};

use crate::config::{ExperimentConfig, MatchSide};
use crate::error::LabError;
use crate::match_run::{MatchRun, MatchScore, match_manifest, play_match, play_match_task};
use crate::measure::{Measurements, measure};
use crate::report::{Results, render_report};

/// Games of every match before any match gets more.
const FIRST_PASS_GAMES: u64 = 10;

/// Files and options of a run that do not affect its games.
#[derive(Clone, Copy, Debug)]
pub struct ExperimentPaths<'a> {
    /// Directory of the saved games.
    pub games: &'a Path,
    /// Directory of the report and its plots.
    pub report_dir: &'a Path,
    /// File name of the report, without extension.
    pub name: &'a str,
    /// Command line that the report quotes.
    pub command: &'a str,
    /// Games in parallel.
    pub concurrency: usize,
}

/// Plays the missing games and rewrites the report after each match; calls `on_progress` with the match and its score.
///
/// All matches get a few games before any gets many, so that an intermediate report is balanced. Matches with more than
/// `max_playouts` playouts per turn are skipped.
pub fn run_experiment(
    config: &ExperimentConfig,
    paths: &ExperimentPaths<'_>,
    registry: &Registry,
    stop: &StopToken,
    max_playouts: u64,
    mut on_progress: impl FnMut(&str, &MatchScore),
) -> Result<Results, LabError> {
    let measured = measure(config, paths.games, registry)?;
    let matches = matches(config);
    let run = |planned: &PlannedMatch, games: u64, play: bool| {
        let score = play_match(&planned.run(config, paths, games), play, registry, stop)?;
        Ok::<_, LabError>(MatchScore { games_requested: planned.games, ..score })
    };
    let mut scores = Vec::new();
    for planned in &matches {
        scores.push(run(planned, planned.games, false)?);
    }
    let max_games = matches.iter().map(|planned| planned.games).max().unwrap_or_default();
    let mut limit = FIRST_PASS_GAMES;
    loop {
        for (index, planned) in claims_first(config, &matches) {
            let games = planned.games.min(limit);
            if planned.playouts() > max_playouts || games <= scores[index].games || stop.should_stop() {
                continue;
            }
            scores[index] = run(planned, games, true)?;
            on_progress(&planned.name, &scores[index]);
            write(config, &collect_results(config, &scores, &measured), paths)?;
        }
        if limit >= max_games || stop.should_stop() {
            break;
        }
        limit *= 2;
    }
    let results = collect_results(config, &scores, &measured);
    write(config, &results, paths)?;
    Ok(results)
}

/// Plays the part of one task of several, which share all matches. The report and the measurements are left to
/// [`run_experiment`], which finds the games of all tasks.
pub fn run_experiment_task(
    config: &ExperimentConfig,
    paths: &ExperimentPaths<'_>,
    registry: &Registry,
    stop: &StopToken,
    max_playouts: u64,
    task: (u64, u64),
) -> Result<(), LabError> {
    let mut matches = matches(config);
    matches.retain(|planned| planned.playouts() <= max_playouts);
    let max_games = matches.iter().map(|planned| planned.games).max().unwrap_or_default();
    let mut limit = FIRST_PASS_GAMES;
    loop {
        for planned in &matches {
            if !stop.should_stop() {
                let games = planned.games.min(limit);
                play_match_task(&planned.run(config, paths, games), task, registry, stop)?;
            }
        }
        if limit >= max_games || stop.should_stop() {
            return Ok(());
        }
        limit *= 2;
    }
}

/// The number of games of an experiment, and the settings that determine them: the full ids of the engines of each match.
pub fn experiment_settings(
    config: &ExperimentConfig,
    paths: &ExperimentPaths<'_>,
    registry: &Registry,
) -> Result<(u64, BTreeMap<String, String>), LabError> {
    let mut settings = BTreeMap::new();
    let mut games = 0;
    for planned in matches(config) {
        games += planned.games;
        let manifest = match_manifest(&planned.run(config, paths, planned.games), registry)?;
        settings.extend(manifest.engine.into_iter().map(|engine| (engine.source, engine.id)));
    }
    Ok((games, settings))
}

/// A match of a figure or a claim.
struct PlannedMatch {
    name: String,
    sides: [MatchSide; 2],
    games: u64,
}

impl PlannedMatch {
    /// The match with this number of games.
    fn run<'a>(&self, config: &ExperimentConfig, paths: &ExperimentPaths<'a>, games: u64) -> MatchRun<'a> {
        // Timed games run one at a time, so that they do not slow each other down.
        let untimed = self.sides.iter().all(|side| side.time.is_empty());
        MatchRun {
            sides: self.sides.clone(),
            games,
            openings: Openings::Book { seed: config.seed },
            max_turns: config.max_turns,
            concurrency: if untimed { paths.concurrency } else { 1 },
            runs_dir: paths.games,
        }
    }

    /// Playouts per turn of the measured engine; 0 if it is timed.
    fn playouts(&self) -> u64 {
        self.sides[0].nodes.parse().unwrap_or_default()
    }
}

/// The matches of all figures, series by series, then those of the claims.
fn matches(config: &ExperimentConfig) -> Vec<PlannedMatch> {
    let mut all = Vec::new();
    for figure in &config.figures {
        for (index, series) in (1..).zip(&figure.series) {
            for &x in &figure.values {
                let name = format!("{}-{index}-{x}", figure.name);
                let sides = [series.engine.with_x(x), series.opponent.with_x(x)];
                all.push(PlannedMatch { name, sides, games: figure.games });
            }
        }
    }
    for claim in &config.claims {
        for (index, sides) in claim.matches().into_iter().enumerate() {
            let value = claim.values.get(index).map_or_else(String::new, |x| format!("-{x}"));
            all.push(PlannedMatch { name: format!("{}{value}", claim.name), sides, games: claim.games });
        }
    }
    all
}

/// All matches with their indices; claims come first because figures take longer.
fn claims_first<'a>(
    config: &ExperimentConfig,
    matches: &'a [PlannedMatch],
) -> impl Iterator<Item = (usize, &'a PlannedMatch)> {
    let claims: usize = config.claims.iter().map(|claim| claim.values.len().max(1)).sum();
    let figures = matches.len() - claims;
    let indexed = || matches.iter().enumerate();
    indexed().skip(figures).chain(indexed().take(figures))
}

/// Groups the scores of all matches by figure and series.
fn collect_results(config: &ExperimentConfig, scores: &[MatchScore], measured: &Measurements) -> Results {
    let mut rest = scores.iter().copied();
    let mut results = Results { measured: measured.clone(), ..Results::default() };
    for figure in &config.figures {
        let lines = figure.series.iter().map(|_| rest.by_ref().take(figure.values.len()).collect());
        results.figures.push(lines.collect());
    }
    let claims = config.claims.iter().map(|claim| rest.by_ref().take(claim.values.len().max(1)).collect());
    results.claims = claims.collect();
    results
}

fn write(config: &ExperimentConfig, results: &Results, paths: &ExperimentPaths<'_>) -> Result<(), LabError> {
    let with_path = |path: &Path, result: std::io::Result<()>| {
        result.map_err(|error| LabError::Io { path: path.into(), error })
    };
    with_path(paths.report_dir, fs::create_dir_all(paths.report_dir))?;
    let (text, charts) = render_report(config, results, paths.command);
    let file = paths.report_dir.join(format!("{}.md", paths.name));
    with_path(&file, fs::write(&file, text))?;
    for (name, svg) in charts {
        let file = paths.report_dir.join(name);
        with_path(&file, fs::write(&file, svg))?;
    }
    Ok(())
}
