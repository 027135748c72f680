//! Runs the games of a match, a tournament or a sequential test.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use surus_arena::{
    Bout, Conditions, EngineSpec, Entrant, Entry, Fixture, Folder, Manifest, ManifestEngine, Pace, Run,
    Schedule, Scoreboard, tell_apart,
};
use surus_play::Registry;

use super::options::ContestArgs;
use crate::shutdown::Shutdown;

/// Everything that is known before the first game.
pub(crate) struct Contest {
    pub(crate) specs: Vec<EngineSpec>,
    pub(crate) schedule: Schedule,
    /// match, sprt, round robin or gauntlet.
    pub(crate) format: &'static str,
}

/// How a contest went.
pub(crate) struct Outcome {
    pub(crate) board: Scoreboard,
    /// Games that ended by something else than the rules, by the engine that did wrong.
    pub(crate) faults: BTreeMap<String, BTreeMap<String, u64>>,
    /// Whether it was ended before its last game.
    pub(crate) interrupted: bool,
}

/// What a listener hears of a finished game.
pub(crate) struct Finished<'a> {
    pub(crate) fixture: &'a Fixture,
    pub(crate) entry: &'a Entry,
    pub(crate) bout: Option<&'a Bout>,
    pub(crate) board: &'a Scoreboard,
}

impl Contest {
    /// Puts paces and options of the command line to each engine, and tries each once, so that what is wrong is
    /// said before the first game.
    pub(crate) fn prepare(
        &mut self,
        args: &ContestArgs,
        file_pace: Pace,
        registry: &Registry,
    ) -> Result<Vec<ManifestEngine>> {
        tell_apart(&mut self.specs);
        let options = args.engine_options()?;
        let mut described = Vec::new();
        for (index, spec) in self.specs.iter_mut().enumerate() {
            spec.pace = spec.pace.or(args.pace(index == 0)?).or(file_pace);
            spec.options.splice(0..0, options.iter().cloned());
            let engine = spec.make(registry).with_context(|| format!("engine '{}'", spec.name))?;
            let id = engine.id();
            spec.pace.suits(&id).with_context(|| format!("engine '{}'", spec.name))?;
            let table = engine.options();
            let mut values: BTreeMap<String, String> =
                table.iter().map(|(option, value)| (option.name.into(), value.into())).collect();
            values.extend(table.others().map(|(name, value)| (name.into(), value.into())));
            described.push(ManifestEngine {
                name: spec.name.clone(),
                source: spec.asked(),
                version: id.to_string(),
                pace: spec.pace.to_string(),
                options: values,
            });
        }
        Ok(described)
    }

    /// Plays what is to be played. `heard` hears of every game, those of an earlier part of the run first; when it
    /// says true the contest is over.
    pub(crate) fn play(
        &self,
        args: &ContestArgs,
        engines: Vec<ManifestEngine>,
        registry: &Registry,
        shutdown: &Shutdown,
        mut heard: impl FnMut(&Finished<'_>) -> bool,
    ) -> Result<Outcome> {
        let manifest = self.manifest(args, engines);
        let folder = match &args.out {
            None => None,
            Some(path) => Some(Folder::open(path, &manifest, args.resume)?),
        };
        let shard = args.shard.unwrap_or_default();
        let fixtures: Vec<Fixture> =
            self.schedule.fixtures().filter(|fixture| shard.has(fixture.pair)).collect();
        let mut outcome =
            Outcome { board: Scoreboard::default(), faults: BTreeMap::new(), interrupted: false };
        let known: BTreeMap<u64, &Entry> =
            folder.iter().flat_map(|folder| folder.entries.iter().map(|entry| (entry.id, entry))).collect();
        let mut over = false;
        for fixture in &fixtures {
            if let Some(entry) = known.get(&fixture.id) {
                outcome.board.add(fixture, entry.winner);
                over |= heard(&Finished { fixture, entry, bout: None, board: &outcome.board });
            }
        }
        if over {
            return Ok(outcome);
        }
        let stop = shutdown.stop();
        let run = Run {
            entrants: self.specs.iter().map(|spec| entrant(spec, registry)).collect(),
            openings: args.read_openings()?,
            conditions: Conditions {
                adjudication: args.adjudication()?,
                stall: Duration::from_secs(args.stall.max(1)),
                stop: stop.clone(),
            },
            concurrency: args.concurrency,
            event: if args.comment.is_empty() { self.format.into() } else { args.comment.clone() },
        };
        run.play(fixtures.into_iter(), folder, |fixture, entry, bout| {
            outcome.board.add(fixture, entry.winner);
            if let Some(fault) = &bout.fault {
                let loser = entry.winner.map_or(fixture.gold, |winner| match winner.other() {
                    surus_rules::Side::Gold => fixture.gold,
                    surus_rules::Side::Silver => fixture.silver,
                });
                let kind = fault.split(':').next().unwrap_or_default();
                let name = self.specs[loser].name.clone();
                *outcome.faults.entry(name).or_default().entry(kind.into()).or_default() += 1;
            }
            if heard(&Finished { fixture, entry, bout: Some(bout), board: &outcome.board }) && !over {
                over = true;
                stop.request();
            }
        })?;
        outcome.interrupted = stop.called() && !over;
        Ok(outcome)
    }

    fn manifest(&self, args: &ContestArgs, engine: Vec<ManifestEngine>) -> Manifest {
        let openings = match args.openings.as_str() {
            "book" | "random" => format!("{}, seed {}", args.openings, args.seed),
            other => other.into(),
        };
        let shard = args.shard.unwrap_or_default();
        Manifest {
            program: format!("surus {}", env!("CARGO_PKG_VERSION")),
            started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
            comment: args.comment.clone(),
            games: self.schedule.games,
            format: self.format.into(),
            openings,
            adjudication: args.adjudication_in_words(),
            shard: format!("{}/{}", shard.part, shard.of),
            engine,
        }
    }
}

fn entrant<'a>(spec: &'a EngineSpec, registry: &'a Registry) -> Entrant<'a> {
    Entrant { name: spec.name.clone(), pace: spec.pace, make: Box::new(|| spec.make(registry)) }
}
