//! Results of several runs and files by player and engine revision.

use std::collections::{BTreeMap, BTreeSet};

use surus_play::EngineId;
use surus_rules::{Side, Termination};

use crate::{Crosstable, GameEntry, GameResult, Ratings};

/// Characters of a revision in a rating list.
const REVISION_LEN: usize = 6;

/// The name in the results, and the full id of the engine; empty if unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Player {
    name: String,
    id: String,
}

/// Counts of games between players.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Wins, draws and losses of the first player.
    games: BTreeMap<[Player; 2], [u64; 3]>,
}

impl Results {
    /// Adds a game; one that was abandoned without a winner is ignored.
    pub fn add(&mut self, entry: &GameEntry) {
        let outcome = match (entry.winner, entry.termination) {
            (Some(Side::Gold), _) => GameResult::Win,
            (Some(Side::Silver), _) => GameResult::Loss,
            (None, Termination::Abandoned) => return,
            (None, _) => GameResult::Draw,
        };
        let player =
            |side: usize| Player { name: entry.players[side].clone(), id: entry.engines[side].clone() };
        let counts = self.games.entry([player(0), player(1)]).or_default();
        counts[match outcome {
            GameResult::Win => 0,
            GameResult::Draw => 1,
            GameResult::Loss => 2,
        }] += 1;
    }

    /// The results for a rating list. If several engines have the same name, they are listed separately as
    /// `name@revision`, unless revisions are merged.
    #[must_use]
    pub fn table(&self, merge_revisions: bool) -> Crosstable {
        let labels = self.labels(merge_revisions);
        let mut table = Crosstable::default();
        for ([gold, silver], &[wins, draws, losses]) in &self.games {
            table.add_many(&labels[gold], &labels[silver], wins, draws, losses);
        }
        table
    }

    /// Adds the full engine ids to the players of a rating list.
    pub fn identify(&self, ratings: &mut Ratings, merge_revisions: bool) {
        let labels = self.labels(merge_revisions);
        for rated in ratings.groups.iter_mut().flat_map(|group| &mut group.players) {
            let same = labels.iter().filter(|(player, label)| **label == rated.name && !player.id.is_empty());
            rated.engines = same.map(|(player, _)| player.id.clone()).collect();
        }
    }

    /// The label of every player in a rating list.
    fn labels(&self, merge_revisions: bool) -> BTreeMap<&Player, String> {
        let mut ids: BTreeMap<&str, BTreeSet<&Player>> = BTreeMap::new();
        for player in self.games.keys().flatten() {
            ids.entry(&player.name).or_default().insert(player);
        }
        let mut labels = BTreeMap::new();
        for (name, players) in ids {
            let short: Vec<String> = players.iter().map(|player| short_label(player)).collect();
            for (player, label) in players.iter().zip(&short) {
                let ambiguous = short.iter().filter(|other| *other == label).count() > 1;
                labels.insert(
                    *player,
                    match players.len() {
                        1 => name.into(),
                        _ if merge_revisions => name.into(),
                        // The same revision with different parts, such as another archive.
                        _ if ambiguous => format!("{name}@{}", player.id),
                        _ => label.clone(),
                    },
                );
            }
        }
        labels
    }
}

fn short_label(player: &Player) -> String {
    let id: Option<EngineId> = player.id.parse().ok();
    match id.map(|id| id.revision).filter(|revision| !revision.is_empty()) {
        Some(revision) => {
            format!("{}@{}", player.name, revision.chars().take(REVISION_LEN).collect::<String>())
        }
        None => player.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Results {
        let mut results = Results::default();
        let played = |gold: &str, silver: &str| GameEntry {
            id: 1,
            players: ["a".into(), "b".into()],
            engines: [gold.into(), silver.into()],
            winner: Some(Side::Gold),
            termination: Termination::Goal,
            turns: 9,
        };
        for gold in ["a 1.0+1234567", "a 1.0+89abcde [x 1+1]", "a 1.0+89abcde [x 1+2]", ""] {
            results.add(&played(gold, "b 2.0+fedcba9"));
        }
        results
    }

    #[test]
    fn revisions_are_separate_players_unless_merged() {
        let table = results().table(false);
        let players: Vec<&str> = table.players().collect();
        assert_eq!(players, ["a", "a@123456", "a@a 1.0+89abcde [x 1+1]", "a@a 1.0+89abcde [x 1+2]", "b"]);
        let merged = results().table(true);
        assert_eq!(merged.players().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn ratings_have_full_ids() {
        for (merge, engines_of_a) in [(false, 1), (true, 3)] {
            let mut ratings = crate::rate(&results().table(merge), &crate::RatingOptions::default()).unwrap();
            results().identify(&mut ratings, merge);
            let players = &ratings.groups[0].players;
            let engines =
                |name: &str| players.iter().find(|player| player.name == name).unwrap().engines.len();
            assert_eq!(engines(if merge { "a" } else { "a@123456" }), engines_of_a);
            assert_eq!(engines("b"), 1);
        }
    }
}
