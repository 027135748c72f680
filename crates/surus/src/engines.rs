//! The registry of all engines.

use std::path::PathBuf;

use anyhow::Result;
use surus_archive::{DbLocation, Mimic};
use surus_engine::{AlphaBeta, Fairylike, GeometryEngine, Mcts, SampleBot};
use surus_play::{EngineConfig, Greedy, GuardCommand, Random, Registry};

/// The engine of a command that names none.
pub(crate) const DEFAULT: &str = "alphabeta";

/// The default opponent on the board.
pub(crate) const DEFAULT_OPPONENT: &str = "alphabeta";

/// All engines by name.
pub(crate) fn registry() -> Registry {
    registry_with(DbLocation::default_location())
}

/// All engines by name; `archive` is the default of `mimic`.
pub(crate) fn registry_with(archive: Option<DbLocation>) -> Registry {
    let mut registry = Registry::default().with_guard(guard(&["guard"]));
    registry.add("random", "random steps", || Box::new(Random::default()));
    registry.add("greedy", "a goal if there is one, otherwise the largest material gain of one turn", || {
        Box::new(Greedy::default())
    });
    registry
        .add("alphabeta", "alpha-beta search over steps; the main engine", || Box::new(AlphaBeta::default()));
    registry.add(
        "geometry",
        "Linguistic Geometry: plays and explains what its zones show, otherwise defers to alphabeta, which receives its other options",
        || Box::new(GeometryEngine::new(Box::new(AlphaBeta::default()))),
    );
    registry.add("mcts", "Monte Carlo tree search after [Akimot], with the evaluation of alphabeta; preset=akimot uses the published one", || {
        Box::new(Mcts::default())
    });
    registry.add("sample", "full-width search of one or two turns by material", || {
        Box::new(SampleBot::default())
    });
    registry.add(
        "fairylike",
        "alpha-beta with a simple evaluation, after the description of Fairy in [Akimot]",
        || Box::new(Fairylike::default()),
    );
    let fallbacks = registry.clone();
    registry.add(
        "mimic",
        "plays turns from similar archive positions, otherwise defers to its fallback engine",
        move || Box::new(Mimic::new(fallbacks.clone(), archive.clone())),
    );
    registry
}

/// This executable as the guard of external engines.
pub(crate) fn guard(arguments: &[&str]) -> GuardCommand {
    // On Linux this names the running executable even after its file was replaced.
    let program = if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        // If unknown, search PATH.
        std::env::current_exe().unwrap_or_else(|_| "surus".into())
    };
    GuardCommand { program, arguments: arguments.iter().map(Into::into).collect() }
}

/// Adds the configuration file to the engines that read one, before the options in their names; there must be at least one.
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
    anyhow::ensure!(read, "no engine here reads the configuration file '{file}': only mcts does");
    Ok(())
}

/// The engine's name with the configuration file, if it reads one.
fn configured(name: &str, file: &str) -> Result<Option<String>> {
    let Ok(mut engine) = name.parse::<EngineConfig>() else { return Ok(None) };
    let registry = registry();
    if !registry.names().any(|(name, _)| name == engine.name)
        || !registry.make(&engine.name)?.options().contains("config")
    {
        return Ok(None);
    }
    // A preset sets every option, so the file follows it.
    let preset = engine.options.iter().rposition(|(key, _)| key.eq_ignore_ascii_case("preset"));
    engine.options.insert(preset.map_or(0, |index| index + 1), ("config".into(), file.into()));
    Ok(Some(engine.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configuration_file_follows_preset_and_precedes_options() {
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
        assert!(error.starts_with("no engine here reads"), "{error}");
    }
}
