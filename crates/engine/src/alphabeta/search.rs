//! What a search holds, and what it asks at the ends of turns; [`super::pvs`] is the search itself.

use surus_play::Stop;
use surus_rules::{Action, Board, Ending, Game, Rules, Side, Turn};
use surus_tactics::{Defence, elimination, goal, goal_defences};

use super::features::Features;
use super::history::HistoryTables;
use super::lazy_smp::SharedSearch;
use super::levels::TacticalDepth;
use super::ordering::ScoredAction;
use super::packed_turn::PackedTurn;
use super::reversible;
use super::state::SearchState;
use super::tt::TranspositionTable;
use crate::common::score::{INFINITE, Score, loss_in, win_in};
use crate::eval::Evaluate;

/// How often the clock is looked at, in nodes.
const CHECK_INTERVAL: u64 = 512;

/// What it costs to be the first to repeat a position, and so the first who may not repeat it again.
pub(crate) const REPETITION_PENALTY: Score = 1000;

/// One choice of a line: an action, or nothing where the turn ends early.
pub(crate) type ActionOrPass = Option<Action>;

/// What one search needs.
#[derive(Debug)]
pub(crate) struct Search<'a, E> {
    pub(crate) eval: E,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) history: &'a mut HistoryTables,
    pub(crate) stop: &'a Stop,
    /// The other threads of this search, if there are any.
    pub(crate) shared: Option<&'a SharedSearch>,
    pub(crate) features: Features,
    pub(crate) rules: Rules,
    /// The positions that ended turns of the game, sorted, and the last of them.
    game_keys: Vec<u64>,
    last_game_key: u64,
    /// Sets entries of the root's own turn apart where that turn has been thought about before: what is_illegal_end a
    /// position then is not what did the first time.
    salt: u64,
    /// Those that end turns between the root and here.
    pub(crate) path_keys: Vec<u64>,
    pub(crate) nodes: u64,
    node_limit: u64,
    /// Whether to end with the time that is wanted rather than with the most there is.
    pub(crate) use_soft_limit: bool,
    /// How many hundredths of the time that is wanted to use.
    pub(crate) soft_limit_percent: u32,
    pub(crate) tactical_depth: TacticalDepth,
    /// Boards that the root's turn may not end on, because lines that do are known already.
    pub(crate) excluded_ends: Vec<u64>,
    /// Several lines are wanted, so that no turn of the root may be left out for a better one.
    pub(crate) multi_pv: bool,
    /// A score at the root below this is a reason not to be at ease.
    pub(crate) score_drop_limit: Score,
    /// Whether the search was ended before it was done; its results mean nothing then.
    pub(crate) aborted: bool,
    /// The best line from each level on.
    pub(crate) pv_table: Vec<Vec<ActionOrPass>>,
    /// What quiescence found best for the rest of the turn.
    pub(crate) qsearch_pv: Turn,
    /// What was best for the rest of the turn at each level.
    pub(crate) best_turns: Vec<PackedTurn>,
    /// Lists of ways for each level, kept to be filled again.
    pub(crate) action_lists: Vec<Vec<ScoredAction>>,
}

impl<'a, E: Evaluate> Search<'a, E> {
    pub(crate) fn new(
        game: &Game,
        eval: E,
        (table, history): (&'a TranspositionTable, &'a mut HistoryTables),
        stop: &'a Stop,
        node_limit: u64,
    ) -> Self {
        let rules = game.rules();
        let (start, tag) = game.origin();
        let ends = game.entries().iter().map(|entry| (&entry.board, entry.tag.side));
        let mut game_keys: Vec<u64> = std::iter::once((start, tag.side.other()))
            .chain(ends)
            .map(|(board, mover)| repetition_key(board, mover, rules))
            .collect();
        let last_game_key = game_keys.last().copied().unwrap_or_default();
        game_keys.sort_unstable();
        let mut search = Self {
            eval,
            tt: table,
            history,
            stop,
            shared: None,
            features: Features::default(),
            rules,
            game_keys,
            last_game_key,
            salt: 0,
            path_keys: Vec::new(),
            nodes: 0,
            node_limit,
            use_soft_limit: false,
            soft_limit_percent: 100,
            tactical_depth: TacticalDepth::FULL,
            excluded_ends: Vec::new(),
            multi_pv: false,
            score_drop_limit: -INFINITE,
            aborted: false,
            pv_table: Vec::new(),
            qsearch_pv: Turn::EMPTY,
            best_turns: Vec::new(),
            action_lists: Vec::new(),
        };
        search.salt = (search.repetition_count(last_game_key) as u64 / 2).wrapping_mul(0x2545_f491_4f6c_dd1d);
        search
    }

    /// Counts a node; false when the search is over.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.node_limit <= self.nodes {
            self.aborted = true;
        } else {
            self.nodes += 1;
            if self.nodes.is_multiple_of(CHECK_INTERVAL) {
                self.check_time();
                self.aborted |= self.shared.is_some_and(|shared| shared.add_nodes(CHECK_INTERVAL));
            }
        }
        !self.aborted
    }

    fn check_time(&mut self) {
        self.aborted |=
            self.stop.requested() || self.use_soft_limit && self.stop.past(self.soft_limit_percent);
    }

    /// What stops the goal that threatens. It can take as long as hundreds of nodes, so the clock is looked at.
    pub(crate) fn defences(&mut self, at: &SearchState) -> Defence {
        self.check_time();
        goal_defences(&at.position, &at.turn_start)
    }

    /// The nodes of all threads.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.shared.map_or(self.nodes, |shared| shared.nodes() + self.nodes % CHECK_INTERVAL)
    }

    /// The key under which the table knows a place.
    #[inline]
    pub(crate) fn key(&self, at: &SearchState) -> u64 {
        at.key() ^ if at.turns_from_root == 0 { self.salt } else { 0 }
    }

    /// The root's turn may not end on this board any more, and is another turn for the table.
    pub(crate) fn exclude_end(&mut self, board: u64) {
        self.excluded_ends.push(board);
        self.salt ^= board.rotate_left(17);
    }

    /// The root's turn may end on every board again.
    pub(crate) fn clear_excluded_ends(&mut self) {
        for board in self.excluded_ends.drain(..) {
            self.salt ^= board.rotate_left(17);
        }
    }

    /// How often a position has ended a turn so far.
    fn repetition_count(&self, key: u64) -> usize {
        let from = self.game_keys.partition_point(|&known| known < key);
        let before = self.game_keys[from..].iter().take_while(|&&known| known == key).count();
        before + self.path_keys.iter().filter(|&&known| known == key).count()
    }

    /// Whether a side may not end its turn on this board: it is_illegal_end a position for the third time, or is excluded_ends.
    #[inline]
    pub(crate) fn is_illegal_end(&self, board: &Board, mover: Side) -> bool {
        if self.path_keys.is_empty() && self.excluded_ends.contains(&board.key()) {
            return true;
        }
        2 <= self.repetition_count(repetition_key(board, mover, self.rules))
    }

    /// What a turn costs beside what its board is worth.
    pub(crate) fn turn_penalty(&self, start: &Board, end: &Board, mover: Side) -> Score {
        let mut cost = 0;
        if self.features.reversible_penalty {
            cost += reversible::cost(start, end, mover);
        }
        if self.features.repetition_penalty
            && 0 < self.repetition_count(repetition_key(end, mover, self.rules))
        {
            // If the other side has just repeated one, it is the first that runs out of repetitions.
            let theirs = self.path_keys.last().copied().unwrap_or(self.last_game_key);
            if self.repetition_count(theirs) < 2 {
                cost += REPETITION_PENALTY;
            }
        }
        cost
    }

    /// What the rules and exact tactics say at the start of a turn.
    pub(crate) fn terminal_score(&self, at: &SearchState) -> Option<Score> {
        let (board, side, ply) = (at.board(), at.position.side(), at.ply);
        if let Some(ending) = Ending::of_board(board, side.other(), self.rules) {
            return Some(match ending.winner {
                Some(winner) if winner == side => win_in(ply),
                Some(_) => loss_in(ply),
                None => 0,
            });
        }
        if let Some(steps) = goal(board, side, self.tactical_depth.goal_steps) {
            return Some(win_in(ply + i32::from(steps)));
        }
        if self.rules.elimination() && board.rabbits(side.other()).len() <= 2 {
            return elimination(board, side, self.tactical_depth.goal_steps)
                .map(|turn| win_in(ply + turn.len() as i32));
        }
        None
    }

    pub(crate) fn clear_pv(&mut self, level: usize) {
        if self.pv_table.len() < level + 2 {
            self.pv_table.resize(level + 2, Vec::new());
            self.best_turns.resize(level + 2, PackedTurn::NONE);
            self.action_lists.resize(level + 2, Vec::new());
        }
        self.pv_table[level].clear();
        self.pv_table[level + 1].clear();
        self.best_turns[level] = PackedTurn::NONE;
        self.best_turns[level + 1] = PackedTurn::NONE;
    }

    pub(crate) fn update_pv(&mut self, level: usize, choices: impl Iterator<Item = ActionOrPass>) {
        let rest = std::mem::take(&mut self.pv_table[level + 1]);
        let line = &mut self.pv_table[level];
        line.clear();
        line.extend(choices);
        line.extend_from_slice(&rest);
        self.pv_table[level + 1] = rest;
    }
}

/// The key of a position as repetition counts it.
pub(crate) fn repetition_key(board: &Board, mover: Side, rules: Rules) -> u64 {
    let silver = rules.repetition_counts_side() && mover == Side::Silver;
    board.key() ^ if silver { 0x53a9_61c7_0f2b_84dd } else { 0 }
}
