//! A whole experiment: all matches of its settings, one after the other, and the page after each.

use std::fs;
use std::path::Path;

use surus_play::{Registry, Stop};

use crate::duel::{Duel, Score, duel};
use crate::error::LabError;
use crate::page::{Results, page};
use crate::settings::{Settings, Side};

/// Where an experiment lives.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its games.
    pub games: &'a Path,
    /// Its page and plots.
    pub page: &'a Path,
    /// The name of its page.
    pub name: &'a str,
    /// How it was asked for.
    pub command: &'a str,
}

/// Plays what is missing, match by match, and writes the page after each. `told` hears of every match.
pub fn experiment(
    settings: &Settings,
    place: &Place<'_>,
    registry: &Registry,
    stop: &Stop,
    mut told: impl FnMut(&str, &Score),
) -> Result<Results, LabError> {
    let mut results = sweep(settings, place, registry, stop, None, &mut told)?;
    let count =
        settings.figures.iter().map(|figure| figure.values.len() * figure.series.len()).sum::<usize>()
            + settings.claims.len();
    write(settings, &results, place)?;
    for number in 0..count {
        if stop.requested() {
            break;
        }
        results = sweep(settings, place, registry, stop, Some(number), &mut told)?;
        write(settings, &results, place)?;
    }
    Ok(results)
}

/// Counts all matches, and plays one of them.
fn sweep(
    settings: &Settings,
    place: &Place<'_>,
    registry: &Registry,
    stop: &Stop,
    chosen: Option<usize>,
    told: &mut impl FnMut(&str, &Score),
) -> Result<Results, LabError> {
    let mut number = 0;
    let mut one = |name: String, sides: [Side; 2], games: u64| {
        let folder = place.games.join(&name);
        let wanted = Duel { sides, games, seed: settings.seed, turns: settings.turns, folder: &folder };
        let play = chosen == Some(number);
        number += 1;
        let score = duel(&wanted, play, registry, stop)?;
        if play {
            told(&name, &score);
        }
        Ok::<_, LabError>(score)
    };
    let mut results = Results::default();
    for figure in &settings.figures {
        let mut lines = Vec::new();
        for (index, line) in figure.series.iter().enumerate() {
            let mut scores = Vec::new();
            for &x in &figure.values {
                let name = format!("{}-{}-{x}", figure.name, index + 1);
                scores.push(one(name, [line.engine.at(x), line.opponent.at(x)], figure.games)?);
            }
            lines.push(scores);
        }
        results.figures.push(lines);
    }
    for claim in &settings.claims {
        results.claims.push(one(
            claim.name.clone(),
            [claim.engine.clone(), claim.opponent.clone()],
            claim.games,
        )?);
    }
    Ok(results)
}

fn write(settings: &Settings, results: &Results, place: &Place<'_>) -> Result<(), LabError> {
    let at = |path: &Path, result: std::io::Result<()>| {
        result.map_err(|error| LabError::File { path: path.into(), error })
    };
    at(place.page, fs::create_dir_all(place.page))?;
    let (text, charts) = page(settings, results, place.command);
    let file = place.page.join(format!("{}.md", place.name));
    at(&file, fs::write(&file, text))?;
    for (name, svg) in charts {
        let file = place.page.join(name);
        at(&file, fs::write(&file, svg))?;
    }
    Ok(())
}
