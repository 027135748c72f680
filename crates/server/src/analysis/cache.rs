//! The results of earlier analyses, by position and engine revision.

use std::collections::{HashMap, VecDeque};

use surus_rules::{Board, Game};

use crate::api::AnalysisLine;

/// The number of results that are kept; the oldest is dropped first.
const MAX_ENTRIES: usize = 4096;

/// What determines the result of an analysis, besides its length.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CacheKey {
    /// The id of the engine, with its revision.
    engine: String,
    /// The board at the start of the turn, and the position with its side, steps and pending push or pull.
    start: Board,
    position: u64,
    /// Positions that must not occur again, in order.
    repeated: Vec<u64>,
}

impl CacheKey {
    pub(super) fn new(engine: &str, game: &Game) -> Self {
        let mut keys: Vec<u64> = game.entries().iter().map(|entry| entry.board.key()).collect();
        keys.push(game.origin().0.key());
        keys.sort_unstable();
        let mut repeated: Vec<u64> =
            keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        repeated.dedup();
        Self { engine: engine.into(), start: *game.turn_start(), position: game.position().key(), repeated }
    }
}

/// The last complete depth of an analysis.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CachedAnalysis {
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) lines: Vec<AnalysisLine>,
    /// The number of lines that were asked for; a position can have fewer turns.
    pub(super) line_count: usize,
    /// Whether the search ended by itself, so that a longer one would find the same.
    pub(super) exhausted: bool,
}

impl CachedAnalysis {
    /// Whether the result replaces a search with this limit; without a limit only an exhausted one does.
    pub(super) fn satisfies(&self, nodes: Option<u64>) -> bool {
        self.exhausted || nodes.is_some_and(|nodes| self.nodes >= nodes)
    }
}

/// The results, oldest first.
#[derive(Debug, Default)]
pub(super) struct AnalysisCache {
    entries: HashMap<CacheKey, CachedAnalysis>,
    order: VecDeque<CacheKey>,
}

impl AnalysisCache {
    /// A result with at least this number of lines, cut to it.
    pub(super) fn get(&self, key: &CacheKey, line_count: usize) -> Option<CachedAnalysis> {
        let found = self.entries.get(key).filter(|found| found.line_count >= line_count)?;
        let mut found = found.clone();
        found.lines.truncate(line_count);
        Some(found)
    }

    /// Stores a result, unless a longer one with as many lines is known.
    pub(super) fn insert(&mut self, key: CacheKey, result: CachedAnalysis) {
        if let Some(existing) = self.entries.get_mut(&key) {
            let is_better = (result.exhausted, result.nodes) > (existing.exhausted, existing.nodes);
            if result.line_count > existing.line_count
                || result.line_count == existing.line_count && is_better
            {
                *existing = result;
            }
            return;
        }
        if self.entries.len() >= MAX_ENTRIES
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
        self.order.push_back(key.clone());
        self.entries.insert(key, result);
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Rules;

    use super::*;

    const ORIGIN: &str = "g [r       e                                              E       R]";

    fn game(turns: &[&str]) -> Game {
        let mut game = Game::from_text(ORIGIN, Rules::Official).unwrap();
        turns.iter().for_each(|turn| game.play_text(turn).unwrap());
        game
    }

    fn result(nodes: u64, line_count: usize) -> CachedAnalysis {
        let line = AnalysisLine::default();
        CachedAnalysis { depth: 5, nodes, lines: vec![line; line_count], line_count, exhausted: false }
    }

    #[test]
    fn the_key_has_position_engine_and_repetitions_but_not_the_way() {
        let key = |turns: &[&str]| CacheKey::new("alphabeta 1", &game(turns));
        let there = ["Eh2w", "ea7e"];
        let back = ["Eg2e", "eb7w"];
        assert_eq!(key(&["Eh2w Eg2w", "ea7e"]), key(&["Eh2n Eh3w Eg3s Eg2w", "ea7e"]));
        assert_ne!(key(&there), key(&[]));
        assert_ne!(CacheKey::new("alphabeta 2", &game(&[])), key(&[]));
        // The start has occurred twice now, and must not occur a third time.
        assert_ne!(key(&[there, back].concat()), key(&[]));
        let mut mid_turn = game(&[]);
        mid_turn
            .step(match "Eh2n".parse().unwrap() {
                surus_rules::Token::Step(step) => step,
                _ => panic!("a step"),
            })
            .unwrap();
        assert_ne!(CacheKey::new("alphabeta 1", &mid_turn), key(&[]));
    }

    #[test]
    fn longer_results_and_more_lines_replace_others() {
        let (mut cache, key) = (AnalysisCache::default(), CacheKey::new("a", &game(&[])));
        assert_eq!(cache.get(&key, 1), None);
        cache.insert(key.clone(), result(1000, 2));
        cache.insert(key.clone(), result(500, 2));
        cache.insert(key.clone(), result(9000, 1));
        let found = cache.get(&key, 1).unwrap();
        assert_eq!((found.nodes, found.lines.len()), (1000, 1));
        assert!(found.satisfies(Some(1000)) && !found.satisfies(Some(1001)) && !found.satisfies(None));
        assert_eq!(cache.get(&key, 3), None);
        cache.insert(key.clone(), CachedAnalysis { exhausted: true, ..result(10, 3) });
        assert!(cache.get(&key, 2).unwrap().satisfies(None));
    }

    #[test]
    fn the_oldest_result_is_dropped() {
        let mut cache = AnalysisCache::default();
        let keys: Vec<CacheKey> =
            (0..=MAX_ENTRIES).map(|n| CacheKey::new(&n.to_string(), &game(&[]))).collect();
        keys.iter().for_each(|key| cache.insert(key.clone(), result(1, 1)));
        assert_eq!(cache.get(&keys[0], 1), None);
        assert!(cache.get(&keys[1], 1).is_some() && cache.get(&keys[MAX_ENTRIES], 1).is_some());
        assert_eq!((cache.entries.len(), cache.order.len()), (MAX_ENTRIES, MAX_ENTRIES));
    }
}
