//! Where a simulation stands, and what is known of the game before the root.

use surus_rules::{Board, Ending, Game, Pending, Position, Rules, Side, Turn};

use crate::common::packed_action::Way;
use crate::mcts::proved;

/// A position inside a turn, somewhere below the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) position: Position,
    /// The board on which the turn began.
    pub(crate) start: Board,
    /// Turns since the game began, so that a tree can be kept when the root moves on.
    pub(crate) ply: u32,
    /// What was done last.
    pub(crate) last: Way,
}

impl State {
    /// A way further; the fourth step ends the turn.
    #[inline]
    pub(crate) fn play(&mut self, way: Way) {
        match way.action(self.position.board()) {
            Some(action) => {
                self.position = self.position.after_action(action);
                if self.position.steps_left() == 0 {
                    self.end_turn();
                }
            }
            None => self.end_turn(),
        }
        self.last = way;
    }

    pub(crate) fn end_turn(&mut self) {
        self.position = self.position.turn_over();
        self.start = *self.position.board();
        self.ply += 1;
    }

    /// Tells positions apart that are not the same for the search: the board, the side, the steps taken, the turn's
    /// beginning, and how many turns are played.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let begun = if self.position.steps_taken() == 0 { 0 } else { self.start.key().rotate_left(17) };
        self.position.key() ^ begun ^ u64::from(self.ply + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The root, and what the game before it forbids.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) state: State,
    pub(crate) rules: Rules,
    /// Boards that arose twice at the end of a side's turns.
    twice: Vec<(Board, Side)>,
    /// The other side has a goal that nothing stops.
    pub(crate) lost: bool,
    /// If not empty, the children of the root: whole turns with the boards they lead to.
    pub(crate) turns: Vec<(Turn, Board)>,
}

impl Root {
    pub(crate) fn new(game: &Game) -> Self {
        let position = *game.position();
        let ply = game.entries().len() as u32;
        let state = State { position, start: *game.turn_start(), ply, last: Way(0) };
        let mut boards: Vec<(Board, Side)> =
            game.entries().iter().map(|entry| (entry.board, entry.tag.side)).collect();
        let (start, tag) = game.origin();
        boards.push((*start, tag.side.other()));
        let count = |wanted: &(Board, Side)| boards.iter().filter(|known| *known == wanted).count();
        let twice = boards.iter().filter(|known| 2 <= count(known)).copied().collect();
        let lost = proved(&state) == Some(position.side().other());
        Self { state, rules: game.rules(), twice, lost, turns: Vec::new() }
    }

    /// Whether a side may not end its turn on a board because it has been there twice.
    #[inline]
    pub(crate) fn forbids(&self, board: &Board, side: Side) -> bool {
        !self.twice.is_empty() && self.twice.contains(&(*board, side))
    }

    /// Who has won when a side ends its turn on a board.
    pub(crate) fn winner(&self, board: &Board, side: Side) -> Option<Side> {
        Ending::of_board(board, side, self.rules).and_then(|ending| ending.winner)
    }

    /// What finishes a push or pull that is half done at the root, and whether anything else may be done instead.
    pub(crate) fn openings(position: &Position, mut visit: impl FnMut(Way)) -> bool {
        if !matches!(position.pending(), Pending::Nothing) {
            position.for_each_step(|first, pending| {
                if matches!(pending, Pending::Nothing) {
                    let action = surus_rules::Action { first, second: None };
                    visit(Way::new(position.side(), action));
                }
            });
        }
        !position.in_push()
    }
}
