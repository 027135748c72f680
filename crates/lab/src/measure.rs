//! Measurements without games: speed, and playout results of single positions.

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

/// Quiet and sharp middlegame positions.
pub(crate) const POSITIONS: [&str; 4] = [
    "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
    "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
    "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
    "g [r   r   h  rr      c    Edr       e  r  H D M  rR C  CDH RRRRRRR]",
];

/// All measurements in the order of the configuration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measurements {
    /// Playouts per second of both engines.
    pub speeds: Vec<(f64, f64)>,
    /// Gold's win probability, from 0 to 1.
    pub probes: Vec<f64>,
}

/// Column names of the journal of measurements.
const HEADER: &str = "measurement\tcrc32";

/// A row of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct MeasurementRow {
    #[serde(flatten)]
    query: Query,
    numbers: Vec<f64>,
}

/// The subject of a measurement. Engines have their configuration and full id, so that another revision is measured again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
enum Query {
    /// Speed of two engines.
    Speed { engines: [Measurand; 2], playouts: u64 },
    /// Gold's win probability in playouts.
    Probe { engine: Measurand, position: String, playouts: u64 },
}

/// A measured engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Measurand {
    name: String,
    id: String,
}

/// Takes the measurements from the journal in `dir`; missing ones are made and appended.
pub fn measure(config: &ExperimentConfig, dir: &Path, registry: &Registry) -> Result<Measurements, LabError> {
    fs::create_dir_all(dir).map_err(LabError::file(dir))?;
    let mut cache = MeasurementCache::open(&dir.join("measured.txt"))?;
    let mut measurements = Measurements::default();
    for speed in &config.speeds {
        let [engine, opponent] = [&speed.engine, &speed.opponent].map(|name| measurand(name, registry));
        let query = Query::Speed { engines: [engine?, opponent?], playouts: speed.playouts };
        let [engine, opponent] = cache.get(query, || compare(speed, registry).map(Into::into))?;
        measurements.speeds.push((engine, opponent));
    }
    for probe in &config.probes {
        let engine = measurand(&probe.engine, registry)?;
        let query = Query::Probe { engine, position: probe.position.clone(), playouts: probe.playouts };
        let [win_probability] = cache.get(query, || Ok([run_probe(probe)?]))?;
        measurements.probes.push(win_probability);
    }
    Ok(measurements)
}

/// The journal and the rows read from it.
struct MeasurementCache {
    path: PathBuf,
    journal: LineJournal,
    rows: Vec<MeasurementRow>,
}

impl MeasurementCache {
    fn open(path: &Path) -> Result<Self, LabError> {
        let mut rows: Vec<MeasurementRow> = Vec::new();
        let journal = LineJournal::open(path, HEADER, |row| {
            rows.push(serde_json::from_str(row).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        Ok(Self { path: path.into(), journal, rows })
    }

    /// The numbers of a query, measured if they are not in the journal.
    fn get<const N: usize>(
        &mut self,
        query: Query,
        measure: impl FnOnce() -> Result<[f64; N], LabError>,
    ) -> Result<[f64; N], LabError> {
        let cached = self.rows.iter().rfind(|row| row.query == query);
        if let Some(numbers) = cached.and_then(|row| row.numbers.clone().try_into().ok()) {
            return Ok(numbers);
        }
        let numbers = measure()?;
        let row = MeasurementRow { query, numbers: numbers.into() };
        self.journal.append(&serde_json::to_string(&row).map_err(LabError::json(&self.path))?)?;
        self.rows.push(row);
        Ok(numbers)
    }
}

fn measurand(name: &str, registry: &Registry) -> Result<Measurand, LabError> {
    let invalid = |problem: String| LabError::Engine { engine: name.into(), problem };
    let engine = registry.make(name).map_err(|error| invalid(error.to_string()))?;
    Ok(Measurand { name: name.into(), id: engine.id().to_string() })
}

/// Measures both engines alternately, position by position, so that other load on the machine affects both.
fn compare(speed: &SpeedComparison, registry: &Registry) -> Result<(f64, f64), LabError> {
    let mut seconds = [0.0; 2];
    let mut playouts = 0;
    for text in POSITIONS {
        for (name, seconds) in [&speed.engine, &speed.opponent].into_iter().zip(&mut seconds) {
            let invalid = |problem: String| LabError::Engine { engine: name.clone(), problem };
            let mut engine = registry.make(name).map_err(|error| invalid(error.to_string()))?;
            let game = Game::from_text(text, Rules::Official).map_err(|error| invalid(error.to_string()))?;
            let limits = Limits { nodes: Some(speed.playouts), ..Limits::default() };
            let start = Instant::now();
            engine
                .think(&Job::limited(game, limits), &mut |_| {})
                .map_err(|error| invalid(error.to_string()))?;
            *seconds += start.elapsed().as_secs_f64();
        }
        playouts += speed.playouts;
    }
    let per_second = |seconds: f64| playouts as f64 / seconds.max(1e-9);
    Ok((per_second(seconds[0]), per_second(seconds[1])))
}

fn run_probe(probe: &PlayoutProbe) -> Result<f64, LabError> {
    let invalid = |problem: String| LabError::Engine { engine: probe.engine.clone(), problem };
    let position: Position = probe.position.parse().map_err(|error| invalid(format!("{error}")))?;
    let name: EngineConfig = probe.engine.parse().map_err(|error| invalid(format!("{error}")))?;
    if name.name != "mcts" {
        return Err(invalid("only mcts has playouts".into()));
    }
    let mut engine = Mcts::default();
    for (key, value) in &name.options {
        engine.set_option(key, value).map_err(|error| invalid(error.to_string()))?;
    }
    Ok(engine.playout_win_rate(&position, probe.playouts))
}

#[cfg(test)]
mod tests {
    use surus_record::journal::for_each_line;

    use super::*;

    #[test]
    fn measurements_are_cached_by_query() {
        let dir = std::env::temp_dir().join(format!("surus-measure-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        let mut registry = Registry::default();
        registry.add("mcts", "", || Box::new(Mcts::default()));
        let config = |playouts: u32| {
            let text = format!(
                "title = 't'\nmax_turns = 1\n[[probe]]\ntitle = ''\npublished = ''\nplayouts = {playouts}\n\
                 engine = 'mcts:preset=akimot'\nposition = '{}'\n",
                POSITIONS[0]
            );
            ExperimentConfig::parse("f", &text).unwrap()
        };
        let probe = |playouts: u32| measure(&config(playouts), &dir, &registry).unwrap().probes[0];
        let first = probe(20);
        // A changed number in the journal shows whether the journal is read.
        let file = dir.join("measured.txt");
        let mut rows = Vec::new();
        for_each_line(&file, HEADER, |row| {
            rows.push(row.to_owned());
            Ok(())
        })
        .unwrap();
        let id = registry.make("mcts:preset=akimot").unwrap().id();
        assert!(rows[0].contains(&id.to_string()), "{rows:?}");
        fs::remove_file(&file).unwrap();
        let mut journal = LineJournal::open(&file, HEADER, |_| Ok(())).unwrap();
        journal.append(&rows[0].replace(&first.to_string(), "0.125")).unwrap();
        drop(journal);
        assert_eq!(probe(20), 0.125);
        assert_ne!(probe(30), 0.125, "another number of playouts is another measurement");
        assert_eq!(probe(20), 0.125, "the first row is unchanged");
        let text = fs::read_to_string(&file).unwrap().replace("0.125", "0.25");
        fs::write(&file, &text).unwrap();
        let error = measure(&config(20), &dir, &registry).unwrap_err().to_string();
        assert!(error.contains("line 2: checksum"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "a corrupt journal is not rewritten");
        fs::remove_dir_all(&dir).unwrap();
    }
}
