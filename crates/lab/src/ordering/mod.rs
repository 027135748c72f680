//! Learned ordering of turns [Phase §5]: models compared by cross-validation, learning curves, training on other games.

mod curves;
mod models;
mod parts;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use surus_engine::ordering::FeatureKind;
use surus_learn::ordering::{Dataset, OrderingError};
use surus_play::StopToken;

use self::models::{CANDIDATES, Clusters};
use crate::error::{LabError, read_json, write_json};

/// Settings of the experiment.
#[derive(Clone, Debug)]
pub struct OrderingExperiment<'a> {
    /// Files of games of strong players.
    pub experts: &'a [PathBuf],
    /// Files of self-play.
    pub selfplay: &'a [PathBuf],
    /// Alternatives sampled for each training decision.
    pub alternatives: usize,
    /// One decision in this many is ranked in cross-validation.
    pub one_in: usize,
    /// Games of a set beyond this number are not used.
    pub max_games: usize,
    /// The largest number of games of the learning curves.
    pub curve_games: usize,
    /// Runs of the learning curves.
    pub curve_runs: usize,
    /// Passes of the linear methods over the data.
    pub epochs: u32,
    /// Number of threads.
    pub threads: usize,
    /// The directory of finished parts.
    pub out: &'a Path,
    /// The directory of the page and its plots.
    pub report_dir: &'a Path,
    /// The command for the page.
    pub command: &'a str,
}

/// A finished part of the experiment, with what determines it.
#[derive(Serialize, Deserialize)]
struct Stored<T> {
    key: String,
    seconds: f64,
    value: T,
}

/// Runs the parts that are not on disk yet, and writes the page.
pub fn ordering(
    experiment: &OrderingExperiment<'_>,
    stop: &StopToken,
    mut report_progress: impl FnMut(&str),
) -> Result<(), LabError> {
    let read = |files: &[PathBuf]| {
        let mut data = Dataset::read(files)?;
        data.games.truncate(experiment.max_games);
        Ok::<_, OrderingError>(data)
    };
    let (experts, selfplay) = (read(experiment.experts)?, read(experiment.selfplay)?);
    let clusters = [Clusters::fit(&experts)?, Clusters::fit(&selfplay)?];
    let parts = parts::Parts::new(experiment, stop, [&experts, &selfplay], &clusters);
    fs::create_dir_all(experiment.out).map_err(LabError::file(experiment.out))?;
    let mut results = report::Results::new([&experts, &selfplay], &clusters);
    let names = ["experts", "selfplay", "transfer", "selfplay-curve", "actions", "timing", "experts-curve"];
    for name in names {
        match name {
            "experts" => results.experts = Some(parts.saved(name, || parts.compare_experts())?),
            "selfplay" => results.own = Some(parts.saved(name, || parts.compare_selfplay())?),
            "transfer" => results.transfer = Some(parts.saved(name, || parts.transfer())?),
            "selfplay-curve" => results.own_curve = Some(parts.saved(name, || parts.selfplay_curve())?),
            "actions" => results.actions = Some(parts.saved(name, || parts.actions())?),
            "timing" => results.timing = Some(parts.saved(name, || parts.timing())?),
            _ => results.expert_curve = Some(parts.saved(name, || parts.experts_curve())?),
        }
        report_progress(name);
        report::write(experiment, &results)?;
    }
    Ok(())
}

impl parts::Parts<'_> {
    /// The part on disk if it was made with the same data and settings, otherwise a new one.
    fn saved<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<T, OrderingError>,
    ) -> Result<T, LabError> {
        let path = self.experiment.out.join(format!("{name}.json"));
        let key = self.key();
        if let Some(stored) = read_json::<Stored<T>>(&path)?
            && stored.key == key
        {
            return Ok(stored.value);
        }
        let started = Instant::now();
        let value = make()?;
        let stored = Stored { key, seconds: started.elapsed().as_secs_f64(), value };
        write_json(&path, &stored)?;
        Ok(stored.value)
    }

    /// The data, the features, the models and the settings.
    fn key(&self) -> String {
        let OrderingExperiment { alternatives, one_in, max_games, curve_games, curve_runs, epochs, .. } =
            self.experiment;
        let features: Vec<String> = FeatureKind::ALL
            .iter()
            .flat_map(|kind| kind.layout().groups)
            .map(|group| format!("{} {}", group.name, group.len()))
            .collect();
        let names = CANDIDATES.iter().map(|candidate| candidate.name.to_string());
        let features: Vec<String> = features.into_iter().chain(names).collect();
        let features = surus_record::packed::checksum(features.join("\n").as_bytes());
        format!(
            "{:08x} {:08x} features {features:08x} {alternatives} {one_in} {max_games} {curve_games} {curve_runs} {epochs}",
            self.experts.checksum, self.selfplay.checksum
        )
    }
}
