//! A whole experiment: all matches of its settings, one after the other, and the page after each.

use std::fs;
use std::path::Path;

use surus_arena::Openings;
use surus_play::{Registry, StopToken};

use crate::config::{ExperimentConfig, MatchSide};
use crate::error::LabError;
use crate::match_run::{MatchRun, MatchScore, play_match};
use crate::measure::{Measurements, measure};
use crate::report::{Results, render_report};

/// Games that every match gets before any gets more.
const FIRST_PASS_GAMES: u64 = 10;

/// Where an experiment lives.
#[derive(Clone, Copy, Debug)]
pub struct ExperimentPaths<'a> {
    /// Its games.
    pub games: &'a Path,
    /// Its page and plots.
    pub page: &'a Path,
    /// The name of its page.
    pub name: &'a str,
    /// How it was asked for.
    pub command: &'a str,
    /// How many games at once.
    pub at_once: usize,
}

/// Plays what is missing and writes the page as it goes on. `told` hears of every match.
///
/// All matches get a few games before any gets many, so that the page is balanced whenever it is read; matches with more
/// playouts a turn than `most` are left for another time.
pub fn run_experiment(
    settings: &ExperimentConfig,
    place: &ExperimentPaths<'_>,
    registry: &Registry,
    stop: &StopToken,
    most: u64,
    mut told: impl FnMut(&str, &MatchScore),
) -> Result<Results, LabError> {
    let measured = measure(settings, place.games, registry)?;
    let matches = matches(settings);
    let play = |asked: &PlannedMatch, games: u64, play: bool| {
        // What is held to a clock has the machine for itself.
        let at_once = if asked.sides.iter().all(|side| side.time.is_empty()) { place.at_once } else { 1 };
        let (sides, turns) = (asked.sides.clone(), settings.max_turns);
        let openings = Openings::Book { seed: settings.seed };
        let wanted = MatchRun {
            sides,
            games,
            openings,
            max_turns: turns,
            concurrency: at_once,
            runs_dir: place.games,
        };
        let score = play_match(&wanted, play, registry, stop)?;
        Ok::<_, LabError>(MatchScore { games_requested: asked.games, ..score })
    };
    let mut scores = Vec::new();
    for asked in &matches {
        scores.push(play(asked, asked.games, false)?);
    }
    let highest = matches.iter().map(|asked| asked.games).max().unwrap_or_default();
    let mut upto = FIRST_PASS_GAMES;
    loop {
        for (number, asked) in claims_first(settings, &matches) {
            let games = asked.games.min(upto);
            if most < asked.playouts() || games <= scores[number].games || stop.should_stop() {
                continue;
            }
            scores[number] = play(asked, games, true)?;
            told(&asked.name, &scores[number]);
            write(settings, &collect_results(settings, &scores, &measured), place)?;
        }
        if highest <= upto || stop.should_stop() {
            break;
        }
        upto *= 2;
    }
    let results = collect_results(settings, &scores, &measured);
    write(settings, &results, place)?;
    Ok(results)
}

/// One match of the settings.
struct PlannedMatch {
    name: String,
    sides: [MatchSide; 2],
    games: u64,
}

impl PlannedMatch {
    /// Playouts a turn of the engine that is measured; none for one that is held to time.
    fn playouts(&self) -> u64 {
        self.sides[0].nodes.parse().unwrap_or_default()
    }
}

/// All matches: those of the figures line by line, then those of the claims.
fn matches(settings: &ExperimentConfig) -> Vec<PlannedMatch> {
    let mut all = Vec::new();
    for figure in &settings.figures {
        for (index, line) in (1..).zip(&figure.series) {
            for &x in &figure.values {
                let name = format!("{}-{index}-{x}", figure.name);
                let sides = [line.engine.at(x), line.opponent.at(x)];
                all.push(PlannedMatch { name, sides, games: figure.games });
            }
        }
    }
    for claim in &settings.claims {
        let sides = [claim.engine.clone(), claim.opponent.clone()];
        all.push(PlannedMatch { name: claim.name.clone(), sides, games: claim.games });
    }
    all
}

/// All matches with their numbers, the single claims before the figures, which take longer.
fn claims_first<'a>(
    settings: &ExperimentConfig,
    matches: &'a [PlannedMatch],
) -> impl Iterator<Item = (usize, &'a PlannedMatch)> {
    let figures = matches.len() - settings.claims.len();
    let numbered = || matches.iter().enumerate();
    numbered().skip(figures).chain(numbered().take(figures))
}

/// The scores of all matches in the form of the settings.
fn collect_results(settings: &ExperimentConfig, scores: &[MatchScore], measured: &Measurements) -> Results {
    let mut rest = scores.iter().copied();
    let mut results = Results { measured: measured.clone(), ..Results::default() };
    for figure in &settings.figures {
        let lines = figure.series.iter().map(|_| rest.by_ref().take(figure.values.len()).collect());
        results.figures.push(lines.collect());
    }
    results.claims = rest.collect();
    results
}

fn write(
    settings: &ExperimentConfig,
    results: &Results,
    place: &ExperimentPaths<'_>,
) -> Result<(), LabError> {
    let at = |path: &Path, result: std::io::Result<()>| {
        result.map_err(|error| LabError::Io { path: path.into(), error })
    };
    at(place.page, fs::create_dir_all(place.page))?;
    let (text, charts) = render_report(settings, results, place.command);
    let file = place.page.join(format!("{}.md", place.name));
    at(&file, fs::write(&file, text))?;
    for (name, svg) in charts {
        let file = place.page.join(name);
        at(&file, fs::write(&file, svg))?;
    }
    Ok(())
}
