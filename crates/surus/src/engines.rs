//! The one place that knows all engines.

use std::path::PathBuf;

use anyhow::Result;
use surus_archive::{DbLocation, Mimic};
use surus_engine::{AlphaBeta, Fairylike, Mcts, SampleBot};
use surus_geometry::GeometryEngine;
use surus_play::{EngineConfig, Greedy, GuardCommand, Random, Registry};

/// The engine that plays where none is named.
pub(crate) const DEFAULT: &str = "alphabeta";

/// The opponent on the board where nobody chooses one.
pub(crate) const DEFAULT_OPPONENT: &str = "alphabeta";

/// Every engine by its name.
pub(crate) fn registry() -> Registry {
    registry_with(DbLocation::default_location())
}

/// Every engine by its name; where the options of `mimic` name no archive, it asks this one.
pub(crate) fn registry_with(archive: Option<DbLocation>) -> Registry {
    let mut registry = Registry::default().with_guard(guard(&["guard"]));
    registry.add("random", "takes random steps", || Box::new(Random::default()));
    registry.add("greedy", "takes a goal, else the most material one turn can win", || {
        Box::new(Greedy::default())
    });
    registry.add(
        "alphabeta",
        "searches step by step: the engine of Surus",
        || Box::new(AlphaBeta::default()),
    );
    registry.add(
        "geometry",
        "plays what zones show and says why, else asks alphabeta, which takes its other options",
        || Box::new(GeometryEngine::new(Box::new(AlphaBeta::default()))),
    );
    registry.add("mcts", "Monte Carlo tree search after Akimot, with the evaluation of alphabeta; preset=akimot plays the document's", || {
        Box::new(Mcts::default())
    });
    registry.add("sample", "looks at all turns, or all answers too, and counts material", || {
        Box::new(SampleBot::default())
    });
    registry.add("fairylike", "alpha-beta by steps with a plain evaluation, as Fairy is described", || {
        Box::new(Fairylike::default())
    });
    let fallbacks = registry.clone();
    registry.add("mimic", "plays what was played in the archive, else asks its fall back", move || {
        Box::new(Mimic::new(fallbacks.clone(), archive.clone()))
    });
    registry
}

/// This program as the guard of external engines.
pub(crate) fn guard(arguments: &[&str]) -> GuardCommand {
    // On Linux this is the running program even after its file was replaced by a new build.
    let program = if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        // Where the system does not tell, the name has to be found through PATH.
        std::env::current_exe().unwrap_or_else(|_| "surus".into())
    };
    GuardCommand { program, arguments: arguments.iter().map(Into::into).collect() }
}

/// Lets the engines of these names that read a file of keys do so before the keys in their names; one at least must.
pub(crate) fn configure<'a>(
    names: impl IntoIterator<Item = &'a mut String>,
    file: Option<&str>,
) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let mut read = false;
    for name in names {
        if let Some(changed) = configured(name, file)? {
            (*name, read) = (changed, true);
        }
    }
    anyhow::ensure!(read, "nobody reads '{file}': of our engines mcts takes a file of keys by --config");
    Ok(())
}

/// The name of an engine that reads a file of keys, if it is one that does.
fn configured(name: &str, file: &str) -> Result<Option<String>> {
    let Ok(mut wanted) = name.parse::<EngineConfig>() else { return Ok(None) };
    let registry = registry();
    if !registry.names().any(|(known, _)| known == wanted.name)
        || !registry.make(&wanted.name)?.options().contains("config")
    {
        return Ok(None);
    }
    // A preset sets every key, so the file comes behind it.
    let behind = wanted.options.iter().rposition(|(key, _)| key.eq_ignore_ascii_case("preset"));
    wanted.options.insert(behind.map_or(0, |place| place + 1), ("config".into(), file.into()));
    Ok(Some(wanted.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_keys_is_read_behind_the_preset_and_before_other_keys() {
        for (name, expected) in [
            ("mcts", "mcts:config=f"),
            ("mcts:c=1", "mcts:config=f,c=1"),
            ("mcts:preset=akimot,c=1", "mcts:preset=akimot,config=f,c=1"),
            ("mcts:seed=3,preset=akimot", "mcts:seed=3,preset=akimot,config=f"),
            ("greedy:seed=1", "greedy:seed=1"),
        ] {
            let mut names = [String::from(name), "mcts".into()];
            configure(&mut names, None).unwrap();
            assert_eq!(names, [name, "mcts"]);
            configure(&mut names, Some("f")).unwrap();
            assert_eq!(names, [expected, "mcts:config=f"]);
        }
        let error = configure(&mut ["greedy".into()], Some("f")).unwrap_err().to_string();
        assert!(error.starts_with("nobody reads 'f'"), "{error}");
    }
}
