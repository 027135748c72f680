//! What is measured without games: speed, and what playouts say of a position.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use surus_engine::Mcts;
use surus_play::{Engine, EngineConfig, Job, Limits, Registry};
use surus_record::journal::LineJournal;
use surus_rules::{Game, Position, Rules};

use crate::config::{ExperimentConfig, PlayoutProbe, SpeedComparison};
use crate::error::LabError;

/// Middlegames, quiet and sharp.
pub(crate) const POSITIONS: [&str; 4] = [
    "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
    "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
    "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
    "g [r   r   h  rr      c    Edr       e  r  H D M  rR C  CDH RRRRRRR]",
];

/// All measurements in the order of the settings.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measurements {
    /// Playouts a second of both engines.
    pub speeds: Vec<(f64, f64)>,
    /// The chance of gold to win, from 0 to 1.
    pub probes: Vec<f64>,
}

/// The columns of the journal of measurements.
const HEADER: &str = "measurement\tcrc32";

/// A measurement, as a row of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct MeasurementRow {
    #[serde(flatten)]
    question: Question,
    numbers: Vec<f64>,
}

/// What was measured. The engines are there as they were asked for and with their full ids, so that another revision is
/// measured again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
enum Question {
    /// The speeds of two engines.
    Speed { engines: [Measurand; 2], playouts: u64 },
    /// The chance of gold to win, by playouts.
    Probe { engine: Measurand, position: String, playouts: u64 },
}

/// An engine that is measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Measurand {
    name: String,
    id: String,
}

/// Measures what the journal beside the games does not have, and appends it there.
pub fn measure(
    settings: &ExperimentConfig,
    folder: &Path,
    registry: &Registry,
) -> Result<Measurements, LabError> {
    fs::create_dir_all(folder).map_err(LabError::file(folder))?;
    let mut cache = MeasurementCache::open(&folder.join("measured.txt"))?;
    let mut found = Measurements::default();
    for speed in &settings.speeds {
        let [engine, opponent] = [&speed.engine, &speed.opponent].map(|name| measurand(name, registry));
        let question = Question::Speed { engines: [engine?, opponent?], playouts: speed.playouts };
        let [engine, opponent] = cache.get(question, || compare(speed, registry).map(Into::into))?;
        found.speeds.push((engine, opponent));
    }
    for asked in &settings.probes {
        let engine = measurand(&asked.engine, registry)?;
        let question = Question::Probe { engine, position: asked.position.clone(), playouts: asked.playouts };
        let [chance] = cache.get(question, || Ok([probe(asked)?]))?;
        found.probes.push(chance);
    }
    Ok(found)
}

/// The journal with what is in it.
struct MeasurementCache {
    path: PathBuf,
    journal: LineJournal,
    known: Vec<MeasurementRow>,
}

impl MeasurementCache {
    fn open(path: &Path) -> Result<Self, LabError> {
        let mut known: Vec<MeasurementRow> = Vec::new();
        let journal = LineJournal::open(path, HEADER, |row| {
            known.push(serde_json::from_str(row).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        Ok(Self { path: path.into(), journal, known })
    }

    /// The numbers that belong to a question, measured if they are not known.
    fn get<const N: usize>(
        &mut self,
        question: Question,
        measure: impl FnOnce() -> Result<[f64; N], LabError>,
    ) -> Result<[f64; N], LabError> {
        let known = self.known.iter().rfind(|known| known.question == question);
        if let Some(numbers) = known.and_then(|known| known.numbers.clone().try_into().ok()) {
            return Ok(numbers);
        }
        let numbers = measure()?;
        let row = MeasurementRow { question, numbers: numbers.into() };
        self.journal.append(&serde_json::to_string(&row).map_err(LabError::json(&self.path))?)?;
        self.known.push(row);
        Ok(numbers)
    }
}

fn measurand(name: &str, registry: &Registry) -> Result<Measurand, LabError> {
    let wrong = |problem: String| LabError::Engine { engine: name.into(), problem };
    let engine = registry.make(name).map_err(|error| wrong(error.to_string()))?;
    Ok(Measurand { name: name.into(), id: engine.id().to_string() })
}

/// Both engines in turn, position by position, so that what else the machine does slows both.
fn compare(speed: &SpeedComparison, registry: &Registry) -> Result<(f64, f64), LabError> {
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

fn probe(probe: &PlayoutProbe) -> Result<f64, LabError> {
    let wrong = |problem: String| LabError::Engine { engine: probe.engine.clone(), problem };
    let position: Position = probe.position.parse().map_err(|error| wrong(format!("{error}")))?;
    let name: EngineConfig = probe.engine.parse().map_err(|error| wrong(format!("{error}")))?;
    if name.name != "mcts" {
        return Err(wrong("only mcts has playouts".into()));
    }
    let mut engine = Mcts::default();
    for (key, value) in &name.options {
        engine.set_option(key, value).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(engine.mean_playout(&position, probe.playouts))
}

#[cfg(test)]
mod tests {
    use surus_record::journal::for_each_line;

    use super::*;

    #[test]
    fn only_what_was_asked_for_in_the_same_way_is_known() {
        let folder = std::env::temp_dir().join(format!("surus-measure-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let mut registry = Registry::default();
        registry.add("mcts", "", || Box::new(Mcts::default()));
        let settings = |playouts: u32| {
            let text = format!(
                "title = 't'\nmax_turns = 1\n[[probe]]\ntitle = ''\npublished = ''\nplayouts = {playouts}\n\
                 engine = 'mcts:preset=akimot'\nposition = '{}'\n",
                POSITIONS[0]
            );
            ExperimentConfig::parse("f", &text).unwrap()
        };
        let ask = |playouts: u32| measure(&settings(playouts), &folder, &registry).unwrap().probes[0];
        let first = ask(20);
        // What stands in the journal is believed, so another number there tells whether it was read.
        let file = folder.join("measured.txt");
        let mut rows = Vec::new();
        for_each_line(&file, HEADER, |row| {
            rows.push(row.to_owned());
            Ok(())
        })
        .unwrap();
        assert!(rows[0].contains(&Mcts::default().id().to_string()), "{rows:?}");
        fs::remove_file(&file).unwrap();
        let mut journal = LineJournal::open(&file, HEADER, |_| Ok(())).unwrap();
        journal.append(&rows[0].replace(&first.to_string(), "0.125")).unwrap();
        drop(journal);
        assert_eq!(ask(20), 0.125);
        assert_ne!(ask(30), 0.125, "another number of playouts is another measurement");
        assert_eq!(ask(20), 0.125, "and leaves the first alone");
        let text = fs::read_to_string(&file).unwrap().replace("0.125", "0.25");
        fs::write(&file, &text).unwrap();
        let error = measure(&settings(20), &folder, &registry).unwrap_err().to_string();
        assert!(error.contains("line 2: checksum"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "a corrupt journal is not rewritten");
        fs::remove_dir_all(&folder).unwrap();
    }
}
