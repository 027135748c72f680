//! Setups with their names and scores.

use std::sync::LazyLock;

use serde::Serialize;
use surus_play::STANDARD_SETUPS;
use surus_rules::{Game, Setup, Side};

use crate::error::Result;
use crate::explore::explore;
use crate::filter::GameFilter;
use crate::store::ArchiveDb;

/// Setups that are played often and are not among the standard ones of the engines.
const EXTRA_NAMED_SETUPS: [(&str, &str, &str); 2] =
    [("wide dogs", "DHCMECHD", "RRRRRRRR"), ("horses at the traps", "RDHMEHDR", "RRRCCRRR")];

/// The named setups of gold; made once, because the explorer asks for many.
static NAMED: LazyLock<Vec<(Setup, &str)>> = LazyLock::new(|| {
    let setup = |&(name, front, back): &(&'static str, &str, &str)| {
        Setup::from_rows(Side::Gold, front, back).ok().map(|setup| (setup, name))
    };
    STANDARD_SETUPS.iter().chain(&EXTRA_NAMED_SETUPS).filter_map(setup).collect()
});

/// What a setup or its mirror image is called.
#[must_use]
pub fn setup_name(setup: &Setup) -> Option<String> {
    let gold = if setup.side() == Side::Gold { *setup } else { setup.flipped() };
    let mirrored = gold.mirrored();
    let named = NAMED.iter().find(|(known, _)| *known == gold || *known == mirrored);
    named.map(|(_, name)| (*name).to_string())
}

/// What setups are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SetupOrder {
    /// The number of games.
    #[default]
    Games,
    /// The share of games that were won, among setups with at least this many games.
    Score(u64),
}

/// A setup and how it did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SetupStats {
    /// The placements, as the archive writes them.
    pub setup: String,
    /// The row nearer to the other side, from file a on.
    pub front: String,
    /// The row behind.
    pub back: String,
    /// What it is called.
    pub name: Option<String>,
    /// How many games.
    pub games: u64,
    /// Of all games, in percent.
    pub share: f64,
    /// Games that the side with this setup won, of those that somebody won, in percent.
    pub score: Option<f64>,
    /// The average rating of those who chose it and have one.
    pub rating: Option<u32>,
}

/// The setups of gold, or the answers of silver where the game has gold's.
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
        .filter_map(|choice| {
            let setup = choice.setup(side)?;
            let (front, back) = rows(&setup);
            let (won, lost) = if side == Side::Gold {
                (choice.gold_wins, choice.silver_wins)
            } else {
                (choice.silver_wins, choice.gold_wins)
            };
            Some(SetupStats {
                setup: choice.turn.clone(),
                front,
                back,
                name: choice.name.clone(),
                games: choice.games,
                share: 100.0 * choice.games as f64 / found.games.max(1) as f64,
                score: (0 < won + lost).then(|| 100.0 * won as f64 / (won + lost) as f64),
                rating: choice.rating,
            })
        })
        .collect();
    if let SetupOrder::Score(least) = order {
        lines.retain(|line| least <= line.games);
        lines.sort_by(|a, b| b.score.unwrap_or(-1.0).total_cmp(&a.score.unwrap_or(-1.0)));
    }
    Ok(lines)
}

/// The front and the back row of a setup, from file a on; a dot where a handicap leaves a square empty.
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
        assert_eq!(rows(&setup), ("rhcemchr".into(), "rrrddrrr".into()));
        let other = Setup::from_rows(Side::Gold, "RRRRRRRR", "HDCMECDH").unwrap();
        assert_eq!(setup_name(&other), None);
    }
}
