//! Setups with names and scores.

use std::sync::LazyLock;

use serde::Serialize;
use surus_play::STANDARD_SETUPS;
use surus_rules::{Game, Setup, Side};

use crate::error::Result;
use crate::explore::explore;
use crate::filter::GameFilter;
use crate::store::ArchiveDb;

/// Frequent setups that are not among the standard setups of the engines.
const EXTRA_NAMED_SETUPS: [(&str, &str, &str); 2] =
    [("wide dogs", "DHCMECHD", "RRRRRRRR"), ("horses at the traps", "RDHMEHDR", "RRRCCRRR")];

/// The named setups of gold, cached because the explorer looks up many.
static NAMED: LazyLock<Vec<(Setup, &str)>> = LazyLock::new(|| {
    let setup = |&(name, front, back): &(&'static str, &str, &str)| {
        Setup::from_rows(Side::Gold, front, back).ok().map(|setup| (setup, name))
    };
    STANDARD_SETUPS.iter().chain(&EXTRA_NAMED_SETUPS).filter_map(setup).collect()
});

/// The name of a setup or its mirror image.
#[must_use]
pub fn setup_name(setup: &Setup) -> Option<String> {
    find_named(setup).map(|(name, _)| name.to_string())
}

/// The name of a setup, followed by "mirrored" if it is the mirror image of the setup with that name.
pub(crate) fn oriented_setup_name(setup: &Setup) -> Option<String> {
    find_named(setup).map(|(name, mirrored)| if mirrored { format!("{name}, mirrored") } else { name.into() })
}

/// The name of a setup or its mirror image, and whether it is the latter.
fn find_named(setup: &Setup) -> Option<(&'static str, bool)> {
    let gold = if setup.side() == Side::Gold { *setup } else { setup.flipped() };
    let name = |setup: Setup| NAMED.iter().find(|(named, _)| *named == setup).map(|(_, name)| *name);
    name(gold).map(|name| (name, false)).or_else(|| Some((name(gold.mirrored())?, true)))
}

/// The order of setups.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SetupOrder {
    /// By number of games.
    #[default]
    Games,
    /// By score, among setups with at least this many games.
    Score(u64),
}

/// The statistics of a setup.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SetupStats {
    /// The placements, as in archive files.
    pub setup: String,
    /// The front row, from file a.
    pub front: String,
    /// The back row, from file a.
    pub back: String,
    /// The name, if any.
    pub name: Option<String>,
    /// Games.
    pub games: u64,
    /// Percentage of all games.
    pub share: f64,
    /// Percentage of decided games won by the side with this setup.
    pub score: Option<f64>,
    /// The mean rating of its players, where known.
    pub rating: Option<u32>,
}

/// The setups of gold, or of silver if gold has set up.
pub fn setups(
    store: &ArchiveDb,
    game: &Game,
    filters: &GameFilter,
    order: SetupOrder,
) -> Result<Vec<SetupStats>> {
    let found = explore(store, game, filters)?;
    let side = game.side();
    let mut lines: Vec<SetupStats> = found
        .continuations
        .iter()
        .filter_map(|continuation| {
            let setup = continuation.setup(side)?;
            let (front, back) = rows(&setup);
            let (won, lost) = if side == Side::Gold {
                (continuation.gold_wins, continuation.silver_wins)
            } else {
                (continuation.silver_wins, continuation.gold_wins)
            };
            Some(SetupStats {
                setup: continuation.turn.clone(),
                front,
                back,
                name: continuation.name.clone(),
                games: continuation.games,
                share: 100.0 * continuation.games as f64 / found.games.max(1) as f64,
                score: (won + lost > 0).then(|| 100.0 * won as f64 / (won + lost) as f64),
                rating: continuation.rating,
            })
        })
        .collect();
    if let SetupOrder::Score(min_games) = order {
        lines.retain(|line| line.games >= min_games);
        lines.sort_by(|a, b| b.score.unwrap_or(-1.0).total_cmp(&a.score.unwrap_or(-1.0)));
    }
    Ok(lines)
}

/// The front and back rows of a setup from file a; a dot is a square left empty by a handicap.
fn rows(setup: &Setup) -> (String, String) {
    let mut rows = [['.'; 8]; 2];
    for (piece, square) in setup.placements() {
        let ahead = if setup.side() == Side::Gold { square.rank() == 1 } else { square.rank() == 6 };
        rows[usize::from(ahead)][usize::from(square.file())] = piece.letter();
    }
    let [back, front] = rows.map(|row| row.iter().collect());
    (front, back)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_has_the_name_of_its_mirror_image_and_its_rows() {
        let setup = Setup::from_rows(Side::Silver, "RHCEMCHR", "RRRDDRRR").unwrap();
        assert_eq!(setup_name(&setup).as_deref(), Some("99of9"));
        assert_eq!(oriented_setup_name(&setup).as_deref(), Some("99of9, mirrored"));
        assert_eq!(oriented_setup_name(&setup.mirrored()).as_deref(), Some("99of9"));
        assert_eq!(rows(&setup), ("rhcemchr".into(), "rrrddrrr".into()));
        let other = Setup::from_rows(Side::Gold, "RRRRRRRR", "HDCMECDH").unwrap();
        assert_eq!(setup_name(&other), None);
    }
}
