//! Positions that ended turns of the game and of the line being searched.

use surus_rules::{Board, Game, Rules, Side};

/// Counts how often a position has ended a turn.
#[derive(Debug)]
pub(crate) struct Repetitions {
    rules: Rules,
    /// The keys of the game's turns, sorted.
    game_keys: Vec<u64>,
    last_game_key: u64,
    /// The keys of the turns between the root and the current node.
    path_keys: Vec<u64>,
}

impl Repetitions {
    pub(crate) fn new(game: &Game) -> Self {
        let rules = game.rules();
        let (start, tag) = game.origin();
        let ends = game.entries().iter().map(|entry| (&entry.board, entry.tag.side));
        let mut game_keys: Vec<u64> = std::iter::once((start, tag.side.other()))
            .chain(ends)
            .map(|(board, mover)| repetition_key(board, mover, rules))
            .collect();
        let last_game_key = game_keys.last().copied().unwrap_or_default();
        game_keys.sort_unstable();
        Self { rules, game_keys, last_game_key, path_keys: Vec::new() }
    }

    /// Enters a turn that ends on a board.
    pub(crate) fn push(&mut self, board: &Board, mover: Side) {
        self.path_keys.push(repetition_key(board, mover, self.rules));
    }

    /// Leaves the turn that was entered last.
    pub(crate) fn pop(&mut self) {
        self.path_keys.pop();
    }

    /// Whether no turn has been entered.
    pub(crate) fn is_at_root(&self) -> bool {
        self.path_keys.is_empty()
    }

    /// How often a side has ended a turn on a board.
    pub(crate) fn count(&self, board: &Board, mover: Side) -> usize {
        self.count_key(repetition_key(board, mover, self.rules))
    }

    /// How often the position has occurred that ended the preceding turn.
    pub(crate) fn last_count(&self) -> usize {
        self.count_key(self.path_keys.last().copied().unwrap_or(self.last_game_key))
    }

    fn count_key(&self, key: u64) -> usize {
        let from = self.game_keys.partition_point(|&other| other < key);
        let in_game = self.game_keys[from..].iter().take_while(|&&other| other == key).count();
        in_game + self.path_keys.iter().filter(|&&other| other == key).count()
    }
}

/// The key of a position as the repetition rule counts it.
fn repetition_key(board: &Board, mover: Side, rules: Rules) -> u64 {
    let silver = rules.repetition_counts_side() && mover == Side::Silver;
    board.key() ^ if silver { 0x53a9_61c7_0f2b_84dd } else { 0 }
}
