//! Pieces that hold a rabbit: without one of them it would reach its goal.

use surus_rules::{Board, Position, Side, Square};
use surus_tactics::{find_goal, find_goal_from};

use crate::claim::{Claim, Win};
use crate::remark::{Remark, Topic};
use crate::scene::Scene;

/// The maximum number of rabbits of a side to list.
const MAX_RABBITS: usize = 2;

/// The pieces without any single one of which a rabbit of the scene's side would reach its goal in the rest of the turn,
/// if it has no goal. `to_move`: the remarks are addressed to this side, otherwise to the other one.
pub(crate) fn goal_guards(scene: &Scene<'_>, to_move: bool) -> Vec<Remark> {
    let (board, side) = (scene.board(), scene.side());
    if find_goal_from(&scene.position).is_some() {
        return Vec::new();
    }
    let mut rabbits: Vec<(Square, Square, Vec<Square>)> = Vec::new();
    for guard in board.by_side(side.other()) {
        let Some((rabbit, goal)) = without(board, guard).and_then(|board| goal_of(scene, &board)) else {
            continue;
        };
        match rabbits.iter_mut().find(|(from, ..)| *from == rabbit) {
            Some((.., guards)) => guards.push(guard),
            None => rabbits.push((rabbit, goal, vec![guard])),
        }
    }
    rabbits.truncate(MAX_RABBITS);
    rabbits.into_iter().map(|(rabbit, goal, guards)| remark(scene, to_move, rabbit, goal, guards)).collect()
}

/// The board without a piece; `None` if a piece on a trap depends on it.
fn without(board: &Board, square: Square) -> Option<Board> {
    let mut board = *board;
    board.set(square, None);
    let is_supported = |side| board.unguarded(side).is_empty();
    Side::BOTH.into_iter().all(is_supported).then_some(board)
}

/// The rabbit that scores on a board, and its goal.
fn goal_of(scene: &Scene<'_>, board: &Board) -> Option<(Square, Square)> {
    let side = scene.side();
    let turn = find_goal(board, side, scene.position.steps_left())?;
    let position = Position::new(*board, side).ok()?;
    let win = Scene::new(&position, board).goal_of(&turn)?;
    let Win::Goal { rabbit, goal } = win else { return None };
    Some((rabbit, goal))
}

fn remark(scene: &Scene<'_>, to_move: bool, rabbit: Square, goal: Square, guards: Vec<Square>) -> Remark {
    let (board, side) = (scene.board(), scene.side());
    let names: Vec<String> = guards
        .iter()
        .filter_map(|&square| Some(format!("the {} on {square}", board.piece_at(square)?.kind())))
        .collect();
    let names = names.join(" or ");
    let text = if to_move {
        format!("Without {names}, your rabbit on {rabbit} would reach its goal now.")
    } else {
        let names = names.replace("the ", "your ");
        format!("Without {names}, {side}'s rabbit on {rabbit} would reach its goal.")
    };
    Remark {
        zone: scene.zone_of_win(Win::Goal { rabbit, goal }),
        ..Remark::new(Topic::Guard, side, Claim::GoalGuards { rabbit, guards }, text)
    }
}
