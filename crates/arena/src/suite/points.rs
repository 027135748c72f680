//! Scores a turn by the condition of a test.

use surus_record::ats::{Atom, Block, Condition, Test};
use surus_rules::{Board, DistinctTurns, GameResult, Piece, Position, Rules, Side, Square, Turn};

/// The score of a turn and the maximum score of its test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Points {
    /// Points of the turn.
    pub earned: f64,
    /// Points of the best turn.
    pub max: f64,
}

impl Points {
    /// Whether the turn has the maximum score.
    #[must_use]
    pub fn solved(self) -> bool {
        self.earned >= self.max
    }
}

/// Scores a turn, which completes the current one if it has started. Illegal turns score 0.
#[must_use]
pub fn points(test: &Test, turn: &Turn) -> Points {
    let legal = test.game.clone().play(turn).is_ok();
    Points { earned: if legal { points_of_legal(test, turn) } else { 0.0 }, max: test.condition.max_points() }
}

/// Scores a turn that is known to be legal.
pub(super) fn points_of_legal(test: &Test, turn: &Turn) -> f64 {
    let effect = TurnEffect::new(test.game.position().board(), test.game.side(), turn);
    if test.avoid.contains(&effect.board) { 0.0 } else { score(&test.condition, &effect) }
}

/// The effect of a turn, as far as conditions depend on it.
#[derive(Clone, PartialEq, Debug)]
struct TurnEffect {
    mover: Side,
    board: Board,
    captures: Vec<(Piece, Square)>,
}

impl TurnEffect {
    /// The turn must be legal on this board.
    fn new(start: &Board, mover: Side, turn: &Turn) -> Self {
        let mut effect = Self { mover, board: *start, captures: Vec::new() };
        for step in turn.steps() {
            effect.captures.extend(effect.board.captured_by(step));
            effect.board = effect.board.after_step(step);
        }
        effect
    }
}

/// The score of a turn.
fn score(condition: &Condition, effect: &TurnEffect) -> f64 {
    let TurnEffect { mover, board, .. } = effect;
    let points = |passed: bool| f64::from(u8::from(passed));
    match condition {
        Condition::AvoidOnly => 1.0,
        Condition::Goal => points(!(board.rabbits(*mover) & mover.goal()).is_empty()),
        Condition::PreventGoal => points(match GameResult::from_board(board, *mover, Rules::Official) {
            Some(ending) => ending.winner == Some(*mover),
            None => !can_score(board, mover.other()),
        }),
        Condition::GoalInTwo => points(goal_follows(board, *mover)),
        Condition::PiecePosition(blocks) => {
            let satisfied = |block: &&Block| block.atoms.iter().all(|atom| holds(atom, effect));
            blocks.iter().filter(satisfied).map(|block| block.weight).fold(0.0, f64::max)
        }
        Condition::BestTurns(boards) => {
            boards.iter().filter(|(target, _)| target == board).map(|(_, weight)| *weight).fold(0.0, f64::max)
        }
    }
}

/// Whether a side can reach goal in one turn.
fn can_score(board: &Board, side: Side) -> bool {
    surus_tactics::steps_to_goal(board, side, Turn::MAX as u8).is_some()
}

/// Whether the mover can reach goal after every distinct reply.
fn goal_follows(board: &Board, mover: Side) -> bool {
    if let Some(ending) = GameResult::from_board(board, mover, Rules::Official) {
        return ending.winner == Some(mover);
    }
    let Ok(position) = Position::new(*board, mover.other()) else { return false };
    let lost = |reply: &Board| match GameResult::from_board(reply, mover.other(), Rules::Official) {
        Some(ending) => ending.winner == Some(mover),
        None => can_score(reply, mover),
    };
    // Check replies of one step first: there are few of them and they refute nearly every turn.
    (1..=Turn::MAX as u8)
        .step_by(3)
        .all(|steps| DistinctTurns::new(&position, board, steps).boards().all(lost))
}

fn holds(atom: &Atom, effect: &TurnEffect) -> bool {
    match *atom {
        Atom::On(piece, square) => effect.board.piece_at(square) == Some(piece),
        Atom::NotOn(piece, square) => effect.board.piece_at(square) != Some(piece),
        Atom::Captured(piece, trap) => effect.captures.contains(&(piece, trap)),
    }
}
