//! What is measured without games: speed, and what playouts say of a position.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use surus_engine::Mcts;
use surus_play::{Engine, Job, Limits, Registry};
use surus_rules::{Game, Position, Rules};

use crate::error::LabError;
use crate::settings::{Probe, Settings, Speed};

/// Middlegames, quiet and sharp.
const POSITIONS: [&str; 4] = [
    "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
    "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
    "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
    "g [r   r   h  rr      c    Edr       e  r  H D M  rR C  CDH RRRRRRR]",
];

/// All measurements in the order of the settings.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Playouts a second of both engines.
    pub speeds: Vec<(f64, f64)>,
    /// The chance of gold to win, from 0 to 1.
    pub probes: Vec<f64>,
}

/// Measures once and keeps what was found beside the games.
pub fn measure(settings: &Settings, folder: &Path, registry: &Registry) -> Result<Measured, LabError> {
    let file = folder.join("measured.toml");
    if let Ok(text) = fs::read_to_string(&file)
        && let Ok(known) = toml::from_str::<Measured>(&text)
        && known.speeds.len() == settings.speeds.len()
        && known.probes.len() == settings.probes.len()
    {
        return Ok(known);
    }
    let mut found = Measured::default();
    for speed in &settings.speeds {
        found.speeds.push(compare(speed, registry)?);
    }
    for asked in &settings.probes {
        found.probes.push(probe(asked)?);
    }
    let at = |error| LabError::File { path: file.clone(), error };
    fs::create_dir_all(folder).map_err(at)?;
    fs::write(&file, toml::to_string(&found).unwrap_or_default()).map_err(at)?;
    Ok(found)
}

/// Both engines in turn, position by position, so that what else the machine does slows both.
fn compare(speed: &Speed, registry: &Registry) -> Result<(f64, f64), LabError> {
    let mut seconds = [0.0; 2];
    let mut playouts = 0;
    for text in POSITIONS {
        for (name, seconds) in [&speed.engine, &speed.opponent].into_iter().zip(&mut seconds) {
            let wrong = |problem: String| LabError::Engine { engine: name.clone(), problem };
            let mut engine = registry.make(name).map_err(|error| wrong(error.to_string()))?;
            let game = Game::from_text(text, Rules::Official).map_err(|error| wrong(error.to_string()))?;
            let limits = Limits { nodes: Some(speed.playouts), ..Limits::default() };
            let began = Instant::now();
            engine
                .think(&Job::limited(game, limits), &mut |_| {})
                .map_err(|error| wrong(error.to_string()))?;
            *seconds += began.elapsed().as_secs_f64();
        }
        playouts += speed.playouts;
    }
    let per_second = |seconds: f64| playouts as f64 / seconds.max(1e-9);
    Ok((per_second(seconds[0]), per_second(seconds[1])))
}

fn probe(probe: &Probe) -> Result<f64, LabError> {
    let name = format!("mcts:{}", probe.keys);
    let wrong = |problem: String| LabError::Engine { engine: name.clone(), problem };
    let position: Position = probe.position.parse().map_err(|error| wrong(format!("{error}")))?;
    let mut engine = Mcts::default();
    for (key, value) in probe.keys.split(',').filter_map(|pair| pair.split_once('=')) {
        engine.set(key, value).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(engine.mean_playout(&position, probe.playouts))
}
