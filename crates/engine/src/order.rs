//! What can be done next in a turn, and in which order to try it.

use surus_rules::{Action, Board, Direction, Side, Squares, Step};

use crate::score::Score;

/// A code for no choice, and for ending the turn. An action has its squares and directions in the low bits.
pub(crate) const NONE: u32 = 0;
pub(crate) const PASS: u32 = 1 << 31;

/// One way to go on, with the board it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Nothing ends the turn here.
    pub(crate) action: Option<Action>,
    pub(crate) board: Board,
    pub(crate) code: u32,
    pub(crate) rank: i32,
}

const fn step_code(step: Step) -> u32 {
    (step.from().index() as u32) << 2 | step.direction() as u32
}

/// A number that tells the actions of a board apart.
#[inline]
pub(crate) fn code(action: Action) -> u32 {
    1 << 16 | step_code(action.first) | action.second.map_or(0, |step| 1 << 17 | step_code(step) << 8)
}

/// Whether an action after another one leads to what the two in the other order lead to as well, and that order is
/// the one to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange {
    near: Squares,
    code: u32,
}

impl Exchange {
    pub(crate) fn after(last: Option<Action>) -> Self {
        last.map_or(Self { near: Squares::ALL, code: 0 }, |last| Self {
            near: last.reach(),
            code: code(last),
        })
    }

    #[inline]
    pub(crate) fn skips(&self, action: Action, code: u32) -> bool {
        code < self.code && (action.touched() & self.near).is_empty()
    }
}

const HISTORY: usize = 1 << 13;
const HIGHEST: i32 = 1 << 14;

/// Which actions were good elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    history: Vec<i32>,
    killers: Vec<[u32; 2]>,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self { history: vec![0; HISTORY], killers: Vec::new() }
    }

    /// What was good in the search before is still a little good.
    pub(crate) fn fade(&mut self) {
        self.history.iter_mut().for_each(|value| *value /= 8);
        self.killers.clear();
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    #[inline]
    fn place(side: Side, action: Action) -> usize {
        let piece = (action.first.piece().code() as u32) << 18 | (side as u32) << 24;
        ((piece | code(action)).wrapping_mul(0x9e37_79b1) >> 19) as usize
    }

    /// An action that ended a node, and those that were tried before it.
    pub(crate) fn reward(&mut self, side: Side, level: usize, found: &Way, tried: &[Way], depth: i32) {
        if self.killers.len() <= level {
            self.killers.resize(level + 1, [NONE; 2]);
        }
        let killers = &mut self.killers[level];
        if killers[0] != found.code {
            *killers = [found.code, killers[0]];
        }
        let weight = depth.min(16) * depth.min(16);
        let mut change = |way: &Way, by: i32| {
            if let Some(action) = way.action {
                let value = &mut self.history[Self::place(side, action)];
                *value += by - *value * by.abs() / HIGHEST;
            }
        };
        change(found, 16 * weight);
        tried.iter().for_each(|way| change(way, -weight));
    }

    /// How early to try an action: what the table says, captures, killers, what was good elsewhere; own losses last.
    #[inline]
    pub(crate) fn rank(&self, side: Side, level: usize, before: &Board, way: &Way, known: u32) -> i32 {
        if way.code == known {
            return i32::MAX;
        }
        let Some(action) = way.action else { return 0 };
        let lost = |side: Side| (before.side(side).len() - way.board.side(side).len()) as i32;
        let gain = 1_000_000 * lost(side.other()) - 1_200_000 * lost(side);
        let killer = match self.killers.get(level) {
            Some(killers) if killers[0] == way.code => 60_000,
            Some(killers) if killers[1] == way.code => 50_000,
            _ => 0,
        };
        // A push or pull does more than a step, and a step forward more than one back.
        let likely = if action.second.is_some() {
            400
        } else if action.first.direction() == side.backward() {
            -200
        } else if matches!(action.first.direction(), Direction::North | Direction::South) {
            100
        } else {
            0
        };
        gain + killer + likely + self.history[Self::place(side, action)]
    }
}

/// Whether nothing was captured, so that it may be tried less deeply.
#[inline]
pub(crate) fn is_quiet(rank: Score) -> bool {
    rank < 40_000
}
