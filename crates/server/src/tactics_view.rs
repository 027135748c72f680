//! The tactics of a position, as messages of the API.

use std::collections::VecDeque;

use surus_rules::{Bitboard, Board, Direction, Game, PieceKind, Side, Square, Turn};
use surus_tactics::{Capture, captures, captures_from, find_goal, find_goal_from};

use crate::api::{PositionTactics, PossibleCapture, RabbitRun, SideTactics, TacticalLine, TrapControl};
use crate::steps::{placed_piece, steps_from_text};

/// Longer ways of rabbits are not shown.
const MAX_RUN_STEPS: usize = 8;

/// What both sides could do in the current position of a game.
pub(crate) fn position_tactics(game: &Game) -> PositionTactics {
    let position = game.position();
    let (board, side) = (position.board(), position.side());
    let other = side.other();
    let full_turn = Turn::MAX as u8;
    let own: (_, Vec<Capture>) = (find_goal_from(position), captures_from(position));
    let enemy = (find_goal(board, other, full_turn), captures(board, other, full_turn).iter().collect());
    PositionTactics {
        sides: vec![
            side_tactics(board, side, position.steps_left(), own),
            side_tactics(board, other, full_turn, enemy),
        ],
        traps: Bitboard::TRAPS.into_iter().map(|trap| trap_control(board, trap)).collect(),
    }
}

fn side_tactics(
    board: &Board,
    side: Side,
    steps: u8,
    (goal, captures): (Option<Turn>, Vec<Capture>),
) -> SideTactics {
    let capture = |capture: &Capture| PossibleCapture {
        piece: placed_piece((capture.piece, capture.square)),
        trap: capture.trap.to_string(),
        line: line(board, &capture.turn),
    };
    let mut rabbits: Vec<RabbitRun> =
        board.rabbits(side).into_iter().filter_map(|rabbit| rabbit_run(board, side, rabbit)).collect();
    rabbits.sort_by_key(|run| run.path.len());
    SideTactics {
        side: side.letter(),
        steps,
        goal: goal.map(|turn| line(board, &turn)),
        captures: captures.iter().map(capture).collect(),
        rabbits,
    }
}

fn line(board: &Board, turn: &Turn) -> TacticalLine {
    let text = board.notation(turn);
    TacticalLine { steps: steps_from_text(&text), text }
}

/// A shortest way over empty squares, as if nothing else moved. Freezing on the way is ignored; lone steps onto a trap are not
/// taken, unless a friend other than the rabbit guards it.
fn rabbit_run(board: &Board, side: Side, rabbit: Square) -> Option<RabbitRun> {
    let friends = board.by_side(side) & !Bitboard::from(rabbit);
    let mut previous: [Option<Square>; 64] = [None; 64];
    let mut queue = VecDeque::from([rabbit]);
    let mut seen = Bitboard::from(rabbit);
    while let Some(square) = queue.pop_front() {
        if side.goal().contains(square) {
            let mut path = vec![square];
            while let Some(before) = previous[path[path.len() - 1].index()] {
                path.push(before);
            }
            path.reverse();
            let frozen = board.frozen(side).contains(rabbit);
            let is_shown = (2..=MAX_RUN_STEPS + 1).contains(&path.len());
            return is_shown
                .then(|| RabbitRun { path: path.iter().map(ToString::to_string).collect(), frozen });
        }
        for direction in Direction::ALL.into_iter().filter(|&direction| direction != side.backward()) {
            let Some(next) = square.neighbour(direction) else { continue };
            let is_safe = !next.is_trap() || !(Bitboard::from(next).neighbours() & friends).is_empty();
            if board.empty().contains(next) && !seen.contains(next) && is_safe {
                seen |= Bitboard::from(next);
                previous[next.index()] = Some(square);
                queue.push_back(next);
            }
        }
    }
    None
}

fn trap_control(board: &Board, trap: Square) -> TrapControl {
    let around = Bitboard::from(trap).neighbours();
    let guards = |side: Side| (board.by_side(side) & around).len();
    let weight = |side: Side| guards(side) + (board.pieces(side, PieceKind::Elephant) & around).len();
    let (gold, silver) = (weight(Side::Gold), weight(Side::Silver));
    let side = match gold.cmp(&silver) {
        std::cmp::Ordering::Greater => Some(Side::Gold),
        std::cmp::Ordering::Less => Some(Side::Silver),
        std::cmp::Ordering::Equal => None,
    };
    TrapControl {
        square: trap.to_string(),
        gold: guards(Side::Gold),
        silver: guards(Side::Silver),
        side: side.map(Side::letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tactics(text: &str) -> PositionTactics {
        position_tactics(&surus_record::game(text).unwrap())
    }

    #[test]
    fn captures_and_goals_of_both_sides_have_lines() {
        let tactics = tactics("g [         R              d   E       h                  r   C    ]");
        let [gold, silver] = &tactics.sides[..] else { panic!("two sides") };
        assert_eq!((gold.side, silver.side, gold.steps), ('g', 's', 4));
        assert_eq!(gold.goal.as_ref().unwrap().steps.len(), 1);
        assert!(silver.goal.is_some());
        for capture in gold.captures.iter().chain(&silver.captures) {
            let taken = capture.line.steps.iter().find_map(|step| step.captured.as_ref());
            assert_eq!(
                taken.map(|taken| (&taken.square, taken.piece)),
                Some((&capture.trap, capture.piece.piece))
            );
        }
    }

    #[test]
    fn the_side_to_move_has_the_rest_of_its_turn() {
        let mut game =
            surus_record::game("g [                R                               r   E            ]")
                .unwrap();
        assert_eq!(position_tactics(&game).sides[0].goal.as_ref().unwrap().text, "Ra6n Ra7n");
        for step in ["Ee2n", "Ee3n", "Ee4n"] {
            let Ok(surus_rules::Token::Step(step)) = step.parse() else { panic!("a step") };
            game.step(step).unwrap();
        }
        let tactics = position_tactics(&game);
        assert_eq!((tactics.sides[0].steps, &tactics.sides[0].goal), (1, &None));
        assert!(tactics.sides[1].goal.is_some(), "silver would have a full turn");
    }

    #[test]
    fn rabbits_run_around_pieces_and_unguarded_traps() {
        let tactics = tactics("g [e                               c R                             ]");
        let runs = &tactics.sides[0].rabbits;
        // c6 is an unguarded trap; a way over b or d has as many steps more as it has to leave the file and to come back.
        assert_eq!(runs[0].path.len(), 6, "{runs:?}");
        assert!(!runs[0].path.contains(&"c6".to_string()), "{runs:?}");
        assert_eq!(tactics.sides[1].rabbits, []);
    }

    #[test]
    fn an_elephant_counts_as_two_guards() {
        let tactics = tactics("g [                 r r      r                                    R]");
        let trap = tactics.traps.iter().find(|trap| trap.square == "c6").unwrap();
        assert_eq!((trap.gold, trap.silver, trap.side), (0, 3, Some('s')));
        let even = self::tactics("g [          e      C       C                                    rR]");
        let trap = even.traps.iter().find(|trap| trap.square == "c6").unwrap();
        assert_eq!((trap.gold, trap.silver, trap.side), (1, 1, Some('s')));
    }
}
