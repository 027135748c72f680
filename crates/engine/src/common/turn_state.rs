//! The state of a search within a turn, and what the game before the root forbids.

use surus_rules::{Board, Game, GameResult, PackedAction, Position, Rules, Side, Turn};

use super::root_turns::proven_winner;

/// A position inside a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnState {
    pub(crate) position: Position,
    /// The board on which the turn started.
    pub(crate) turn_start: Board,
    /// The number of the turn in the game, so that a tree stays valid when the root moves on.
    pub(crate) turn_number: u32,
    /// The preceding action.
    pub(crate) last_action: PackedAction,
}

impl TurnState {
    /// Plays an action; the fourth step ends the turn.
    #[inline]
    pub(crate) fn play(&mut self, action: PackedAction) {
        match action.action(self.position.board()) {
            Some(action) => {
                self.position = self.position.after_action(action);
                if self.position.steps_left() == 0 {
                    self.end_turn();
                }
            }
            None => self.end_turn(),
        }
        self.last_action = action;
    }

    pub(crate) fn end_turn(&mut self) {
        self.position = self.position.next_turn();
        self.turn_start = *self.position.board();
        self.turn_number += 1;
    }

    /// A key of the board, the side, the steps taken, the start of the turn and its number.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let begun = if self.position.steps_taken() == 0 { 0 } else { self.turn_start.key().rotate_left(17) };
        self.position.key() ^ begun ^ u64::from(self.turn_number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The root, and what the game before it forbids.
#[derive(Clone, Debug)]
pub(crate) struct SearchRoot {
    pub(crate) state: TurnState,
    pub(crate) rules: Rules,
    /// Boards that have occurred twice at the end of a side's turns.
    twice: Vec<(Board, Side)>,
    /// Whether the other side has a goal that nothing stops.
    pub(crate) lost: bool,
    /// If not empty, the children of the root: full turns with the boards they lead to.
    pub(crate) turns: Vec<(Turn, Board)>,
}

impl SearchRoot {
    pub(crate) fn new(game: &Game) -> Self {
        let position = *game.position();
        let ply = game.entries().len() as u32;
        let state = TurnState {
            position,
            turn_start: *game.turn_start(),
            turn_number: ply,
            last_action: PackedAction::NONE,
        };
        let mut boards: Vec<(Board, Side)> =
            game.entries().iter().map(|entry| (entry.board, entry.tag.side)).collect();
        let (start, tag) = game.origin();
        boards.push((*start, tag.side.other()));
        let count = |wanted: &(Board, Side)| boards.iter().filter(|known| *known == wanted).count();
        let twice = boards.iter().filter(|known| count(known) >= 2).copied().collect();
        let lost = proven_winner(&state) == Some(position.side().other());
        Self { state, rules: game.rules(), twice, lost, turns: Vec::new() }
    }

    /// Whether a side may not end its turn on a board because that would be the third repetition.
    #[inline]
    pub(crate) fn forbids_repetition(&self, board: &Board, side: Side) -> bool {
        !self.twice.is_empty() && self.twice.contains(&(*board, side))
    }

    /// The winner when a side ends its turn on a board.
    pub(crate) fn winner(&self, board: &Board, side: Side) -> Option<Side> {
        GameResult::from_board(board, side, self.rules).and_then(|ending| ending.winner)
    }
}
