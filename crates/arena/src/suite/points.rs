//! What a turn is worth by a test's condition.

use surus_record::ats::{Atom, Block, Condition, Test};
use surus_rules::{Board, DistinctTurns, GameResult, Piece, Position, Rules, Side, Square, Turn};

/// What a turn got, of how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Points {
    /// What it got.
    pub got: f64,
    /// What could be had.
    pub most: f64,
}

impl Points {
    /// Whether nothing better could be found.
    #[must_use]
    pub fn solved(self) -> bool {
        self.most <= self.got
    }
}

/// What a turn that finishes the running one is worth; nothing if it is illegal.
#[must_use]
pub fn points(test: &Test, turn: &Turn) -> Points {
    let legal = test.game.clone().play(turn).is_ok();
    Points { got: if legal { points_of_legal(test, turn) } else { 0.0 }, most: test.condition.most() }
}

/// The same for a turn that is known to be legal.
pub(super) fn points_of_legal(test: &Test, turn: &Turn) -> f64 {
    let outcome = TurnEffect::of(test.game.position().board(), test.game.side(), turn);
    if test.avoid.contains(&outcome.board) { 0.0 } else { worth(&test.condition, &outcome) }
}

/// A turn that was played, as far as conditions ask.
#[derive(Clone, PartialEq, Debug)]
struct TurnEffect {
    mover: Side,
    board: Board,
    captures: Vec<(Piece, Square)>,
}

impl TurnEffect {
    /// Trusts that the turn is legal on this board.
    fn of(start: &Board, mover: Side, turn: &Turn) -> Self {
        let mut outcome = Self { mover, board: *start, captures: Vec::new() };
        for step in turn.steps() {
            outcome.captures.extend(outcome.board.captured_by(step));
            outcome.board = outcome.board.after_step(step);
        }
        outcome
    }
}

/// What a turn is worth.
fn worth(condition: &Condition, outcome: &TurnEffect) -> f64 {
    let TurnEffect { mover, board, .. } = outcome;
    let passed = |passed: bool| f64::from(u8::from(passed));
    match condition {
        Condition::Anything => 1.0,
        Condition::Goal => passed(!(board.rabbits(*mover) & mover.goal()).is_empty()),
        Condition::PreventGoal => passed(match GameResult::from_board(board, *mover, Rules::Official) {
            Some(ending) => ending.winner == Some(*mover),
            None => !can_score(board, mover.other()),
        }),
        Condition::GoalInTwo => passed(goal_follows(board, *mover)),
        Condition::Pieces(blocks) => {
            let satisfied = |block: &&Block| block.atoms.iter().all(|atom| holds(atom, outcome));
            blocks.iter().filter(satisfied).map(|block| block.weight).fold(0.0, f64::max)
        }
        Condition::Boards(boards) => {
            boards.iter().filter(|(wanted, _)| wanted == board).map(|(_, weight)| *weight).fold(0.0, f64::max)
        }
    }
}

/// Whether a side has a goal in one turn.
fn can_score(board: &Board, side: Side) -> bool {
    surus_tactics::steps_to_goal(board, side, Turn::MAX as u8).is_some()
}

/// Whether every reply to a board leaves the mover a goal, decided by all distinct replies.
fn goal_follows(board: &Board, mover: Side) -> bool {
    if let Some(ending) = GameResult::from_board(board, mover, Rules::Official) {
        return ending.winner == Some(mover);
    }
    let Ok(position) = Position::new(*board, mover.other()) else { return false };
    let lost = |reply: &Board| match GameResult::from_board(reply, mover.other(), Rules::Official) {
        Some(ending) => ending.winner == Some(mover),
        None => can_score(reply, mover),
    };
    // Nearly every turn is refuted by a single step already, and there are few of those.
    (1..=Turn::MAX as u8)
        .step_by(3)
        .all(|steps| DistinctTurns::new(&position, board, steps).boards().all(lost))
}

fn holds(atom: &Atom, outcome: &TurnEffect) -> bool {
    match *atom {
        Atom::On(piece, square) => outcome.board.piece_at(square) == Some(piece),
        Atom::NotOn(piece, square) => outcome.board.piece_at(square) != Some(piece),
        Atom::Captured(piece, trap) => outcome.captures.contains(&(piece, trap)),
    }
}
