//! A position to explain, and the exact answers about it.

use surus_geometry::Fidelity;
use surus_geometry::search::CapturedPiece;
use surus_geometry::zone::Zone;
use surus_rules::{Board, Game, GameResult, Position, Rules, Side, Turn};
use surus_tactics::{captures_from, elimination_from, find_goal_from, immobilisation_from};

use crate::claim::{Aftermath, Win};
use crate::outcome::Outcome;
use crate::value::piece_value;
use crate::zones::{capture_zone, goal_zone};

/// The rest of the turn of the side to move, which started on `start`.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) position: Position,
    pub(crate) start: Board,
    rules: Rules,
    /// Its history, for repetitions.
    game: Option<&'a Game>,
}

/// A turn that achieves something in the fewest steps.
#[derive(Clone, Copy)]
pub(crate) struct Winning {
    pub(crate) win: Win,
    pub(crate) turn: Turn,
}

impl<'a> Scene<'a> {
    pub(crate) fn of_game(game: &'a Game) -> Self {
        let (position, start) = (*game.position(), *game.turn_start());
        Self { position, start, rules: game.rules(), game: Some(game) }
    }

    /// A full turn of a side; `None` for a board that no turn can start on.
    pub(crate) fn full_turn(board: &Board, side: Side, rules: Rules) -> Option<Self> {
        let position = Position::new(*board, side).ok()?;
        Some(Self { position, start: *board, rules, game: None })
    }

    /// The rest of a turn, without regard to repetitions.
    pub(crate) fn new(position: &Position, start: &Board) -> Self {
        Self { position: *position, start: *start, rules: Rules::Official, game: None }
    }

    /// The other side with a full turn, as if this one ended its turn here.
    pub(crate) fn passed(&self) -> Option<Self> {
        Self::full_turn(self.board(), self.side().other(), self.rules)
    }

    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }

    pub(crate) fn side(&self) -> Side {
        self.position.side()
    }

    /// The result if the turn ended on a board.
    pub(crate) fn result(&self, board: &Board) -> Option<GameResult> {
        GameResult::from_board(board, self.side(), self.rules)
    }

    pub(crate) fn wins(&self, board: &Board) -> bool {
        self.result(board).is_some_and(|result| result.winner == Some(self.side()))
    }

    /// Whether a turn may end on a board: it must change it, and not repeat it for the third time.
    pub(crate) fn may_end_on(&self, board: &Board) -> bool {
        let is_repetition =
            |game: &Game| game.rules().repetition_is_illegal() && game.third_repetition(board).is_some();
        *board != self.start && !self.game.is_some_and(is_repetition)
    }

    /// Whether the capture of all rabbits wins.
    pub(crate) const fn elimination_wins(&self) -> bool {
        self.rules.elimination()
    }

    /// Whether the other side could win by immobilisation with a full turn, if this one ended its turn on a board.
    pub(crate) fn is_immobilised_after(&self, board: &Board) -> bool {
        let other = Position::new(*board, self.side().other());
        other.is_ok_and(|other| immobilisation_from(&other, board).is_some())
    }

    /// A shortest win.
    pub(crate) fn win(&self) -> Option<Winning> {
        let goal = find_goal_from(&self.position).and_then(|turn| Some((self.goal_of(&turn)?, turn)));
        let elimination = elimination_from(&self.position).map(|turn| (Win::Elimination, turn));
        let immobilisation =
            || immobilisation_from(&self.position, &self.start).map(|turn| (Win::Immobilisation, turn));
        let is_win = |(_, turn): &(Win, Turn)| {
            Outcome::new(&self.position, turn)
                .is_some_and(|outcome| self.may_end_on(&outcome.board) && self.wins(&outcome.board))
        };
        let found = goal.filter(is_win).into_iter().chain(elimination.filter(is_win));
        let found = found.min_by_key(|(_, turn)| turn.len()).or_else(|| immobilisation().filter(is_win));
        found.map(|(win, turn)| Winning { win, turn })
    }

    /// The rabbit and the square of a goal that a turn scores.
    pub(crate) fn goal_of(&self, turn: &Turn) -> Option<Win> {
        let outcome = Outcome::new(&self.position, turn)?;
        let goal = (outcome.board.rabbits(self.side()) & self.side().goal()).first()?;
        Some(Win::Goal { rabbit: outcome.origin(goal), goal })
    }

    /// A shortest capture of each piece that can be captured, the most valuable ones first.
    pub(crate) fn captures(&self) -> Vec<(CapturedPiece, Turn)> {
        let mut found: Vec<(CapturedPiece, Turn)> = captures_from(&self.position)
            .into_iter()
            .map(|c| (CapturedPiece { piece: c.piece, from: c.square, trap: c.trap }, c.turn))
            .collect();
        found.sort_by_key(|(dead, turn)| (std::cmp::Reverse(piece_value(dead.piece)), turn.len()));
        found
    }

    /// The zone that illustrates a win.
    pub(crate) fn zone_of_win(&self, win: Win) -> Option<Zone> {
        let Win::Goal { rabbit, goal } = win else { return None };
        goal_zone(self.board(), rabbit, goal)
    }

    /// The zone that illustrates a capture.
    pub(crate) fn zone_of_capture(&self, dead: CapturedPiece, turn: &Turn) -> Option<Zone> {
        capture_zone(self.board(), self.side(), dead.from, dead.trap, turn, Fidelity::Extended)
    }

    /// What the other side can do with a full turn after a turn of this one; `None` if the turn is illegal.
    pub(crate) fn aftermath(&self, turn: &Turn) -> Option<Aftermath> {
        let Outcome { board, lost, .. } = Outcome::new(&self.position, turn)?;
        let wins = self.wins(&board);
        let mut aftermath = Aftermath { wins, lost, ..Aftermath::default() };
        if let (false, Some(other)) = (wins, Self::full_turn(&board, self.side().other(), self.rules)) {
            aftermath.win = other.win().map(|found| (found.win, found.turn));
            aftermath.capture = other.captures().into_iter().next();
        }
        Some(aftermath)
    }
}
