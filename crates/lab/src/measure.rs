//! What is measured without games: speed, and what playouts say of a position.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use surus_engine::Mcts;
use surus_play::{Engine, EngineName, Job, Limits, Registry};
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
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Playouts a second of both engines.
    pub speeds: Vec<(f64, f64)>,
    /// The chance of gold to win, from 0 to 1.
    pub probes: Vec<f64>,
}

/// What was measured before: the numbers by what was asked for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Known {
    speeds: BTreeMap<String, (f64, f64)>,
    probes: BTreeMap<String, f64>,
}

/// Measures once and keeps what was found beside the games, whoever asks for it later; what is asked for in another way, or
/// of an engine that has changed since, is measured again.
pub fn measure(settings: &Settings, folder: &Path, registry: &Registry) -> Result<Measured, LabError> {
    let file = folder.join("measured.toml");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let before: Known = toml::from_str(&text).unwrap_or_default();
    let (mut now, mut found) = (before.clone(), Measured::default());
    for speed in &settings.speeds {
        let [engine, opponent] = [&speed.engine, &speed.opponent].map(|name| version(name, registry));
        let asked = format!("{} beside {}, {} playouts", engine?, opponent?, speed.playouts);
        let numbers = match before.speeds.get(&asked) {
            Some(known) => *known,
            None => compare(speed, registry)?,
        };
        found.speeds.push(numbers);
        now.speeds.insert(asked, numbers);
    }
    for asked in &settings.probes {
        let name = format!("{} on {}, {}", version(&asked.engine, registry)?, asked.position, asked.playouts);
        let chance = match before.probes.get(&name) {
            Some(known) => *known,
            None => probe(asked)?,
        };
        found.probes.push(chance);
        now.probes.insert(name, chance);
    }
    if now != before {
        let at = |error| LabError::File { path: file.clone(), error };
        fs::create_dir_all(folder).map_err(at)?;
        fs::write(&file, toml::to_string(&now).unwrap_or_default()).map_err(at)?;
    }
    Ok(found)
}

/// An engine's name with the version that plays under it.
fn version(name: &str, registry: &Registry) -> Result<String, LabError> {
    let wrong = |problem: String| LabError::Engine { engine: name.into(), problem };
    let engine = registry.make(name).map_err(|error| wrong(error.to_string()))?;
    Ok(format!("{name}: {}", engine.id()))
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
    let wrong = |problem: String| LabError::Engine { engine: probe.engine.clone(), problem };
    let position: Position = probe.position.parse().map_err(|error| wrong(format!("{error}")))?;
    let name: EngineName = probe.engine.parse().map_err(|error| wrong(format!("{error}")))?;
    if name.name != "mcts" {
        return Err(wrong("only mcts has playouts".into()));
    }
    let mut engine = Mcts::default();
    for (key, value) in &name.options {
        engine.set(key, value).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(engine.mean_playout(&position, probe.playouts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_asked_for_in_the_same_way_is_known() {
        let folder = std::env::temp_dir().join(format!("surus-measure-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let mut registry = Registry::default();
        registry.add("mcts", "", || Box::new(Mcts::default()));
        let settings = |playouts: u32| {
            let text = format!(
                "title = 't'\nturns = 1\n[[probe]]\ntitle = ''\ndocument = ''\nplayouts = {playouts}\n\
                 engine = 'mcts:preset=akimot'\nposition = '{}'\n",
                POSITIONS[0]
            );
            Settings::parse("f", &text).unwrap()
        };
        let ask = |playouts: u32| measure(&settings(playouts), &folder, &registry).unwrap().probes[0];
        let first = ask(20);
        // What stands in the file is believed, so another number there tells whether it was read.
        let file = folder.join("measured.toml");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(&Mcts::default().id().to_string()), "{text}");
        fs::write(&file, text.replace(&first.to_string(), "0.125")).unwrap();
        assert_eq!(ask(20), 0.125);
        assert_ne!(ask(30), 0.125, "another number of playouts is another measurement");
        assert_eq!(ask(20), 0.125, "and leaves the first alone");
        fs::remove_dir_all(&folder).unwrap();
    }
}
