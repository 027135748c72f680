//! The identity of `mimic`: its code and its archive.

use std::sync::LazyLock;

use surus_play::{EngineId, Limits, Registry, Revision};

use super::Mimic;
use crate::error::Result;
use crate::import::add_record;
use crate::store::{ArchiveDb, DbLocation};
use crate::synth::SyntheticGames;

/// Games of the archive that the revision is computed with.
const GAMES: u64 = 4;

/// The revision of the code: a hash of its turns with a small synthetic archive.
pub(super) fn revision() -> &'static str {
    static REVISION: LazyLock<String> = LazyLock::new(|| {
        let mut engine = Mimic::new(Registry::default(), None);
        engine.store = Some(sample_archive());
        Revision::of(engine, Limits::default()).to_string()
    });
    &REVISION
}

fn sample_archive() -> Result<ArchiveDb> {
    let store = ArchiveDb::in_memory()?;
    for record in (SyntheticGames { games: GAMES, seed: 1 }).records() {
        add_record(&store, &record, "synthetic")?;
    }
    Ok(store)
}

/// The archive as a part of the engine id. An archive that the engine itself extends has no content revision.
pub(super) fn archive(location: Option<&DbLocation>, learning: bool) -> EngineId {
    let opened = location.map(ArchiveDb::open);
    let revision = match opened {
        None | Some(Err(_)) => "none".into(),
        Some(Ok(_)) if learning => "learning".into(),
        Some(Ok(store)) => store.fingerprint().unwrap_or_else(|_| "unreadable".into()),
    };
    EngineId { version: String::new(), ..EngineId::built_in("archive", revision, &[]) }
}

#[cfg(test)]
mod tests {
    use surus_play::{Engine, Random};

    use super::*;

    #[test]
    fn the_behaviour_is_that_of_an_archive() {
        let store = sample_archive().unwrap();
        assert_ne!(store.fingerprint().unwrap(), ArchiveDb::in_memory().unwrap().fingerprint().unwrap());
        assert_ne!(revision(), Random::default().id().revision);
    }
}
