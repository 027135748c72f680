//! Whether a side can score in one turn: exact, and fast enough to be asked about every reply to a turn.

use std::collections::HashMap;

use surus_rules::{Board, Kind, Position, Side, Squares, Turn};

/// Looks for goals in one turn and remembers the last ones, since the same goal mostly works on the next board too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    lately: Vec<Turn>,
    seen: HashMap<u64, u8>,
}

/// How many goals are tried again before a search begins.
const REMEMBERED: usize = 12;

impl Goals {
    /// A turn after which a rabbit of this side stands on its goal rank, if there is one. Repetition is not looked
    /// at: a board with a rabbit there has never been repeated, the game would have been over.
    pub(crate) fn find(&mut self, board: &Board, side: Side) -> Option<Turn> {
        if (Turn::MAX as u8) < distance(board, side) {
            return None;
        }
        if let Some(index) = self.lately.iter().position(|turn| scores(board, side, turn)) {
            // The most useful one comes first the next time.
            self.lately[..=index].rotate_right(1);
            return self.lately.first().copied();
        }
        self.seen.clear();
        let turn = self.search(board, side, Turn::MAX as u8)?;
        self.lately.truncate(REMEMBERED - 1);
        self.lately.insert(0, turn);
        Some(turn)
    }

    /// The steps to a goal with so many steps left.
    fn search(&mut self, board: &Board, side: Side, left: u8) -> Option<Turn> {
        if !(board.rabbits(side) & side.goal()).is_empty() {
            return Some(Turn::EMPTY);
        }
        if left < distance(board, side) {
            return None;
        }
        match self.seen.get(&board.key()) {
            Some(&before) if left <= before => return None,
            _ => self.seen.insert(board.key(), left),
        };
        let mut actions = Vec::new();
        board.for_each_action(side, left, |action| actions.push(action));
        // Rabbits first: most goals are walks.
        actions.sort_by_key(|action| action.first.piece().kind() != Kind::Rabbit);
        actions.into_iter().find_map(|action| {
            let rest = self.search(&board.after_action(action), side, left - action.len())?;
            Some(action.steps().chain(rest.steps()).collect())
        })
    }
}

/// Whether these steps are legal on this board and end with a goal.
fn scores(board: &Board, side: Side, turn: &Turn) -> bool {
    let Ok(start) = Position::new(*board, side) else { return false };
    let end = turn.steps().try_fold(start, |position, step| position.try_step(step));
    end.is_ok_and(|end| !end.in_push() && !(end.board().rabbits(side) & side.goal()).is_empty())
}

/// The fewest steps to a goal that can be hoped for: the ranks that are left, and one step more for a rabbit that is
/// frozen or has something before it. More than four if there is no hope.
fn distance(board: &Board, side: Side) -> u8 {
    let held = board.frozen(side) | board.occupied().shifted(side.backward());
    let least = |ranks: u8| {
        let rank = if side == Side::Gold { side.goal_rank() - ranks } else { side.goal_rank() + ranks };
        let there = board.rabbits(side) & Squares::rank(rank);
        let free = ranks == 0 || !(there & !held).is_empty();
        (!there.is_empty()).then_some(ranks + u8::from(!free))
    };
    (0..=Turn::MAX as u8).filter_map(least).min().unwrap_or(u8::MAX)
}
