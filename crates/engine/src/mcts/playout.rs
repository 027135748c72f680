//! Playouts: a few turns guided by step knowledge and an evaluation, or random turns to the end of the game.

use surus_rules::{Bitboard, Board, PackedAction, Side, Turn};

use super::advisor::Advisor;
use super::akimot_eval::AkimotEval;
use super::history::History;
use super::learned::LearnedValues;
use super::params::{Config, PlayoutGeneration, PlayoutLength, PlayoutSelection, StepValues};
use super::step_knowledge::StepKnowledge;
use crate::common::action_list::ActionList;
use crate::common::{math::exp, rng::Rng};

/// A full playout is evaluated after this many turns.
const MAX_FULL_TURNS: u64 = 300;

/// How playouts are played.
#[derive(Clone, Debug)]
pub(crate) struct PlayoutPolicy {
    pub(crate) eval: AkimotEval,
    pub(crate) knowledge: StepKnowledge,
    /// The action model, if a key uses it.
    pub(crate) learned: Option<LearnedValues>,
    values: StepValues,
    length: PlayoutLength,
    min_turns: u32,
    max_turns: u32,
    generation: PlayoutGeneration,
    min_pieces: u32,
    max_pieces: u32,
    selection: PlayoutSelection,
    candidates: usize,
    uses_knowledge: bool,
    /// The weights of the history heuristic, first and second order.
    history_weights: [f32; 2],
    advisor_probability: f32,
    elimination: bool,
}

/// The playout data of one thread.
#[derive(Clone, Debug)]
pub(crate) struct PlayoutContext {
    pub(crate) rng: Rng,
    pub(crate) advisor: Advisor,
    actions: ActionList,
    /// The advisor's sequences used by the current playout.
    used: Vec<(Side, u32)>,
    /// The actions of the last playout, if RAVE needs them.
    pub(crate) played: Option<Vec<PackedAction>>,
    /// Totals over all playouts.
    pub(crate) turns: u64,
    pub(crate) steps: u64,
}

impl PlayoutContext {
    pub(crate) fn new(config: &Config, seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            advisor: Advisor::new(config),
            actions: ActionList::new(),
            used: Vec::new(),
            played: config.rave.then(Vec::new),
            turns: 0,
            steps: 0,
        }
    }

    /// Clears the actions of the last playout.
    pub(crate) fn clear_played(&mut self) {
        if let Some(played) = &mut self.played {
            played.clear();
        }
    }
}

/// The state of a playout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayoutState {
    pub(crate) board: Board,
    pub(crate) side: Side,
    pub(crate) steps_left: u8,
    /// The preceding action.
    pub(crate) last_action: PackedAction,
}

impl PlayoutPolicy {
    pub(crate) fn new(config: &Config, elimination: bool) -> Self {
        Self {
            eval: AkimotEval::new(config),
            knowledge: StepKnowledge::new(config),
            learned: None,
            values: config.playout_values,
            length: config.playout_length,
            min_turns: config.playout_min_turns.min(config.playout_max_turns) as u32,
            max_turns: config.playout_max_turns as u32,
            generation: config.playout_generation,
            min_pieces: config.playout_min_pieces.min(config.playout_max_pieces) as u32,
            max_pieces: config.playout_max_pieces as u32,
            selection: config.playout_selection,
            candidates: config.playout_candidates as usize,
            uses_knowledge: config.playout_knowledge,
            history_weights: [config.playout_history, config.playout_replies],
            advisor_probability: if config.advisor { config.advisor_probability } else { 0.0 },
            elimination,
        }
    }

    /// The same with the action model for searches from a board, if a key uses it.
    pub(crate) fn with_learned_values(self, config: &Config, board: &Board) -> Self {
        Self { learned: LearnedValues::new(config, board), ..self }
    }

    /// Plays a playout; returns its result from gold's view, from -1 to 1.
    pub(crate) fn play(
        &self,
        mut state: PlayoutState,
        context: &mut PlayoutContext,
        history: &History,
    ) -> f32 {
        context.used.clear();
        context.clear_played();
        let turns = match self.length {
            PlayoutLength::Short => {
                u64::from(self.min_turns + context.rng.below(self.max_turns - self.min_turns + 1))
            }
            PlayoutLength::Full => MAX_FULL_TURNS,
        };
        let mut result = None;
        for _ in 0..turns {
            self.turn(&mut state, context, history);
            context.turns += 1;
            result = self.winner(&state.board, state.side);
            if result.is_some() {
                break;
            }
            state.side = state.side.other();
            state.steps_left = Turn::MAX as u8;
            if !state.board.has_step(state.side) {
                result = Some(state.side.other());
                break;
            }
        }
        let result = match result {
            Some(Side::Gold) => 1.0,
            Some(Side::Silver) => -1.0,
            None if state.steps_left == Turn::MAX as u8 => self.eval.evaluate(&state.board, state.side),
            // In mid-turn, if no turn is played, the board is evaluated as if the turn ended here.
            None => self.eval.evaluate_mid_turn(&state.board, state.side, state.steps_left),
        };
        for (side, index) in context.used.drain(..) {
            context.advisor.record_result(side, index, result);
        }
        result
    }

    /// The winner when a side ends its turn on a board, ignoring mobility.
    #[inline]
    fn winner(&self, board: &Board, mover: Side) -> Option<Side> {
        let other = mover.other();
        let [own, enemy] = [mover, other].map(|side| board.rabbits(side));
        if !(own & mover.goal()).is_empty() {
            return Some(mover);
        }
        if !(enemy & other.goal()).is_empty() {
            return Some(other);
        }
        if self.elimination && enemy.is_empty() {
            return Some(mover);
        }
        (self.elimination && own.is_empty()).then_some(other)
    }

    pub(crate) fn turn(&self, state: &mut PlayoutState, context: &mut PlayoutContext, history: &History) {
        if self.advisor_probability > 0.0
            && state.steps_left == Turn::MAX as u8
            && context.rng.gen_bool(self.advisor_probability)
            && let Some((index, turn)) = context.advisor.advise(&state.board, state.side)
        {
            for step in turn.steps() {
                state.board = state.board.after_step(step);
                context.steps += 1;
            }
            let (last, played) = (&mut state.last_action, &mut context.played);
            for action in turn.actions(state.side) {
                *last = PackedAction::new(state.side, action);
                if let Some(played) = played {
                    played.push(*last);
                }
            }
            context.used.push((state.side, index));
            return;
        }
        let turn_start = state.board;
        let mut chosen = self.choose_pieces(state, &mut context.rng);
        while state.steps_left != 0 {
            context.actions.clear();
            match self.generation {
                PlayoutGeneration::Turns => {
                    context.actions.add_by(&state.board, state.side, chosen, state.steps_left);
                }
                PlayoutGeneration::Steps => {
                    context.actions.add_all(&state.board, state.side, state.steps_left);
                    if state.steps_left < Turn::MAX as u8 {
                        context.actions.push(PackedAction::pass(state.side));
                    }
                }
            }
            let Some((action, next)) =
                self.select(state, &turn_start, &mut context.actions, &mut context.rng, history)
            else {
                return;
            };
            context.steps += u64::from(action.len());
            if let Some(played) = &mut context.played {
                played.push(action);
            }
            if action.is_pass() {
                return;
            }
            chosen = moved(chosen, action);
            state.board = next;
            state.steps_left -= action.len();
            state.last_action = action;
        }
    }

    /// Chooses the pieces that move in a turn.
    #[inline]
    fn choose_pieces(&self, state: &PlayoutState, rng: &mut Rng) -> Bitboard {
        if self.generation == PlayoutGeneration::Steps {
            return Bitboard::ALL;
        }
        let mut own = state.board.by_side(state.side).0;
        let count = self.min_pieces + rng.below(self.max_pieces - self.min_pieces + 1);
        let mut chosen = 0;
        for _ in 0..count.min(own.count_ones()) {
            let mut rest = own;
            for _ in 0..rng.below(own.count_ones()) {
                rest &= rest - 1;
            }
            let piece = rest & rest.wrapping_neg();
            chosen |= piece;
            own ^= piece;
        }
        Bitboard(chosen)
    }

    #[inline]
    fn select(
        &self,
        state: &PlayoutState,
        turn_start: &Board,
        actions: &mut ActionList,
        rng: &mut Rng,
        history: &History,
    ) -> Option<(PackedAction, Board)> {
        let actions = actions.as_mut();
        let applied = |action: PackedAction| (action, action.after(&state.board));
        match actions.len() {
            0 => return None,
            1 => return Some(applied(actions[0])),
            len if !self.uses_knowledge => return Some(applied(actions[rng.below(len as u32) as usize])),
            _ => {}
        }
        let count = self.candidates.min(actions.len() / 2).max(1);
        if count == 1 {
            return Some(applied(actions[rng.below(actions.len() as u32) as usize]));
        }
        for taken in 0..count {
            let index = taken + rng.below((actions.len() - taken) as u32) as usize;
            actions.swap(taken, index);
        }
        let learned = self.learned.as_ref().filter(|_| self.values == StepValues::Model).map(|learned| {
            let (boards, candidates) = ([turn_start, &state.board], actions[..count].iter().copied());
            learned.values(boards, state.side, state.steps_left, state.last_action, candidates)
        });
        let mut best: Option<(f32, PackedAction, Board)> = None;
        let mut sum = 0.0;
        for taken in 0..count {
            let (action, next) = applied(actions[taken]);
            let steps_left = state.steps_left.saturating_sub(action.len());
            let mut value = match &learned {
                Some(values) => values[taken],
                None => self.knowledge.value(
                    &state.board,
                    action,
                    &next,
                    state.last_action,
                    state.side,
                    steps_left,
                ),
            };
            if self.history_weights != [0.0; 2] {
                let [first, second] = self.history_weights;
                value +=
                    first * history.mean(action) + second * history.reply_mean(state.last_action, action);
            }
            let better = match self.selection {
                PlayoutSelection::Best => best.is_none_or(|(high, ..)| value > high),
                PlayoutSelection::Roulette => {
                    // Reservoir sampling: each replaces the previous choice in proportion to its weight.
                    let weight = exp(value);
                    sum += weight;
                    rng.gen_f32() * sum <= weight
                }
            };
            if better {
                best = Some((value, action, next));
            }
        }
        best.map(|(_, action, next)| (action, next))
    }
}

/// Updates the squares of the chosen pieces after an action.
#[inline]
fn moved(chosen: Bitboard, action: PackedAction) -> Bitboard {
    let (Some(from), Some(to)) = (action.from(), action.to()) else { return chosen };
    let mut next = chosen;
    if chosen.contains(from) {
        next = next & !Bitboard::from(from) | to.into();
    } else if action.displaces() {
        // A push: the pusher enters the square that the enemy left.
        let pusher = action.touched() & chosen & !Bitboard::from(to);
        next = next & !pusher | from.into();
    }
    next
}
