//! The data of one search thread, and what it checks at the ends of turns; [`super::pvs`] is the search itself.

use surus_play::StopToken;
use surus_rules::{Action, Board, Game, GameResult, Rules, Side, Turn};
use surus_tactics::{Defences, elimination, goal_defences, steps_to_goal};

use super::features::FeatureSet;
use super::history::HistoryTables;
use super::lazy_smp::SharedSearch;
use super::levels::TacticalDepth;
use super::params::{CHECK_INTERVAL, Params};
use super::repetition::Repetitions;
use super::reversible;
use super::stack::Stack;
use super::state::SearchState;
use super::tt::TranspositionTable;
use crate::common::score::{INFINITE, Score, loss_in, win_in};
use crate::eval::Evaluate;
use crate::ordering::{FeatureRows, Scorer};

/// An element of a variation: an action, or `None` where the turn ends early.
pub(crate) type ActionOrPass = Option<Action>;

/// The settings of a search thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchSettings<'a, F> {
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) stop: &'a StopToken,
    /// Shared with the other threads of the search, if there are any.
    pub(crate) shared: Option<&'a SharedSearch>,
    pub(crate) features: F,
    pub(crate) params: Params,
    pub(crate) tactical_depth: TacticalDepth,
    /// Whether several variations are searched, so that no turn of the root may be pruned.
    pub(crate) multi_pv: bool,
    /// The model that ranks actions, if there is one.
    pub(crate) policy: Option<&'a Scorer>,
    pub(crate) node_limit: u64,
    /// The part of the soft time limit to use at first, in percent.
    pub(crate) soft_limit_percent: u32,
}

/// One search thread.
#[derive(Debug)]
pub(crate) struct Search<'a, E, F> {
    pub(crate) eval: E,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) history: &'a mut HistoryTables,
    stop: &'a StopToken,
    shared: Option<&'a SharedSearch>,
    pub(crate) features: F,
    pub(crate) params: Params,
    pub(crate) tactical_depth: TacticalDepth,
    pub(crate) multi_pv: bool,
    pub(crate) policy: Option<&'a Scorer>,
    /// Reused for the features of each action.
    pub(crate) policy_rows: FeatureRows,
    rules: Rules,
    pub(crate) repetitions: Repetitions,
    /// Separates the entries of the root's turn where the game has reached that turn before or where ends are excluded:
    /// what repeats a position is different then.
    salt: u64,
    nodes: u64,
    node_limit: u64,
    /// Whether to stop at the soft time limit rather than the hard one.
    pub(crate) use_soft_limit: bool,
    /// The part of the soft time limit to use, in percent.
    pub(crate) soft_limit_percent: u32,
    /// A score at the root below this suspends the soft time limit.
    pub(crate) score_drop_limit: Score,
    /// Boards that the root's turn may not end on, because better variations end there.
    excluded_ends: Vec<u64>,
    /// Whether the search was stopped before it was complete; its results are invalid then.
    pub(crate) aborted: bool,
    pub(crate) stack: Stack,
    /// The best continuation of the current turn that quiescence found.
    pub(crate) qsearch_pv: Turn,
}

impl<'a, E: Evaluate, F: FeatureSet> Search<'a, E, F> {
    pub(crate) fn new(
        game: &Game,
        eval: E,
        history: &'a mut HistoryTables,
        settings: SearchSettings<'a, F>,
    ) -> Self {
        let SearchSettings { tt, stop, shared, features, params, tactical_depth, .. } = settings;
        let repetitions = Repetitions::new(game);
        let salt = (repetitions.last_count() as u64 / 2).wrapping_mul(0x2545_f491_4f6c_dd1d);
        Self {
            eval,
            tt,
            history,
            stop,
            shared,
            features,
            params,
            tactical_depth,
            multi_pv: settings.multi_pv,
            policy: settings.policy,
            policy_rows: FeatureRows::default(),
            rules: game.rules(),
            repetitions,
            salt,
            nodes: 0,
            node_limit: settings.node_limit,
            use_soft_limit: false,
            soft_limit_percent: settings.soft_limit_percent,
            score_drop_limit: -INFINITE,
            excluded_ends: Vec::new(),
            aborted: false,
            stack: Stack::default(),
            qsearch_pv: Turn::EMPTY,
        }
    }

    /// Counts a node; returns false if the search is aborted.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.nodes >= self.node_limit {
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
        self.aborted |= self.stop.should_stop() || self.use_soft_limit && self.is_past_soft_limit();
    }

    pub(crate) fn is_past_soft_limit(&self) -> bool {
        self.stop.soft_limit_reached_at(self.soft_limit_percent)
    }

    /// The turns that stop a goal. Finding them can take as long as hundreds of nodes, so the clock is checked.
    pub(crate) fn goal_defences(&mut self, state: &SearchState) -> Defences {
        self.check_time();
        goal_defences(&state.position, &state.turn_start)
    }

    /// The nodes of all threads.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.shared.map_or(self.nodes, |shared| shared.nodes() + self.nodes % CHECK_INTERVAL)
    }

    /// The key of a state in the transposition table.
    #[inline]
    pub(crate) fn key(&self, state: &SearchState) -> u64 {
        state.key() ^ if state.turns_from_root == 0 { self.salt } else { 0 }
    }

    /// Forbids the root's turn to end on a board.
    pub(crate) fn exclude_end(&mut self, board_key: u64) {
        self.excluded_ends.push(board_key);
        self.salt ^= board_key.rotate_left(17);
    }

    /// Allows the root's turn to end on every board again.
    pub(crate) fn clear_excluded_ends(&mut self) {
        for board_key in self.excluded_ends.drain(..) {
            self.salt ^= board_key.rotate_left(17);
        }
    }

    pub(crate) fn is_excluded_end(&self, board_key: u64) -> bool {
        self.excluded_ends.contains(&board_key)
    }

    /// Whether a side may not end its turn on a board: it is a third repetition, or excluded at the root.
    #[inline]
    pub(crate) fn is_illegal_end(&self, board: &Board, mover: Side) -> bool {
        self.repetitions.is_at_root() && self.is_excluded_end(board.key())
            || self.repetitions.count(board, mover) >= 2
    }

    /// The cost of a turn that is reversible or repeats a position.
    pub(crate) fn turn_penalty(&self, start: &Board, end: &Board, mover: Side) -> Score {
        let mut penalty = 0;
        if self.features.reversible_penalty() {
            penalty += reversible::cost(start, end, mover, &self.params);
        }
        // If the other side has just repeated a position, it is the first to run out of repetitions.
        if self.features.repetition_penalty()
            && self.repetitions.count(end, mover) > 0
            && self.repetitions.last_count() < 2
        {
            penalty += self.params.repetition_cost();
        }
        penalty
    }

    /// The score at the start of a turn that the rules or exact tactics decide.
    pub(crate) fn terminal_score(&self, state: &SearchState) -> Option<Score> {
        let (board, side, ply) = (state.board(), state.position.side(), state.ply);
        if let Some(ending) = GameResult::from_board(board, side.other(), self.rules) {
            return Some(match ending.winner {
                Some(winner) if winner == side => win_in(ply),
                Some(_) => loss_in(ply),
                None => 0,
            });
        }
        let max_steps = self.tactical_depth.goal_steps;
        if let Some(steps) = steps_to_goal(board, side, max_steps) {
            return Some(win_in(ply + i32::from(steps)));
        }
        if self.rules.elimination() && board.rabbits(side.other()).len() <= 2 {
            return elimination(board, side, max_steps).map(|turn| win_in(ply + turn.len() as i32));
        }
        None
    }

    /// The number of steps to a goal of the other side, if it has one.
    #[inline]
    pub(crate) fn enemy_goal(&self, state: &SearchState) -> Option<u8> {
        steps_to_goal(state.board(), state.position.side().other(), self.tactical_depth.goal_steps)
    }
}
