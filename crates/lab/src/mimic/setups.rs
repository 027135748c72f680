//! Setups of human games.

use std::path::PathBuf;

use surus_rules::{Game, Handicap, PlayedTurn, Record};

use crate::error::LabError;

/// The games of the files after both setups; games without two setups are skipped.
pub(super) fn read_setups(files: &[PathBuf]) -> Result<Vec<Game>, LabError> {
    let mut games = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| LabError::Io { path: file.clone(), error })?;
        let text = String::from_utf8_lossy(&bytes);
        // The import reports games that cannot be parsed.
        let raw_games = surus_record::parse_games(&text).unwrap_or_default();
        games.extend(raw_games.iter().filter_map(|raw| after_setups(&raw.record)));
    }
    Ok(games)
}

/// The game of a record after both setups.
fn after_setups(record: &str) -> Option<Game> {
    // Only the setups have to be legal.
    let record: String = record.lines().take(2).map(|line| format!("{line}\n")).collect();
    let replay = Record::parse(&record).ok()?.replay(surus_rules::Rules::Official, Handicap::None).ok()?;
    let entries = replay.game.entries();
    let setups =
        entries.len() == 2 && entries.iter().all(|entry| matches!(entry.played, PlayedTurn::Setup(_)));
    setups.then_some(replay.game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_both_setups_are_skipped() {
        let gold = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
        let silver = "1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";
        let game = after_setups(&format!("{gold}\n{silver}\n2g Ee2n\n2s")).unwrap();
        assert_eq!((game.entries().len(), game.tag().to_string()), (2, "2g".to_owned()));
        assert!(after_setups(&format!("{gold}\n1s ra8")).is_none());
        assert!(after_setups(gold).is_none());
    }
}
