//! Whether a turn of another game is legal in this one.

use surus_rules::{Board, Game, Side, Turn};
use surus_tactics::steps_to_goal;

use super::{Candidate, LookupOptions, packed_turn};
use crate::pack::{decode_turn, moved_pieces, transform_turn};

/// The orientations in which a candidate matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct SymmetryMatch {
    /// Whether the candidate has to be mirrored.
    pub(super) mirrored: bool,
    /// Whether the pattern is symmetric, so that both orientations match.
    pub(super) both: bool,
    /// Whether any piece may make the steps, not only one of the same kind.
    pub(super) any_piece: bool,
}

impl SymmetryMatch {
    pub(super) const fn new(mirrored: bool, both: bool) -> Self {
        Self { mirrored, both, any_piece: false }
    }

    /// The turn in the orientation of the game, if it is legal, and whether it was mirrored.
    pub(super) fn legal(
        self,
        game: &Game,
        played: &[u8],
        board: &Board,
        flipped: bool,
        options: &LookupOptions,
    ) -> Option<(Turn, bool)> {
        let orientations = [self.mirrored, !self.mirrored];
        let count = if self.both { 2 } else { 1 };
        orientations
            .into_iter()
            .take(count)
            .filter(|&mirrored| options.symmetry || !mirrored && !flipped)
            .find_map(|mirrored| {
                let steps = transform_turn(played, mirrored, flipped);
                let turn = if self.any_piece {
                    decode_turn(&steps, game.turn_start())?
                } else {
                    let mut turn = decode_turn(played, board)?;
                    if mirrored {
                        turn = turn.mirrored();
                    }
                    if flipped { turn.flipped() } else { turn }
                };
                debug_assert_eq!(packed_turn(&turn), steps);
                is_legal(game, &turn, options.avoid_goal_loss).then_some((turn, mirrored))
            })
    }
}

/// Whether the steps are legal here in any allowed orientation, by the same pieces or by any. If not, the candidate's
/// board need not be read.
pub(super) fn may_be_legal(
    game: &Game,
    candidate: &Candidate,
    flipped: bool,
    any_piece: bool,
    options: &LookupOptions,
) -> bool {
    let same_pieces = |turn: &Turn| {
        let oriented = if flipped { turn.flipped() } else { *turn };
        any_piece || candidate.moved_pieces == 0 || candidate.moved_pieces == moved_pieces(&oriented)
    };
    let orientations: &[bool] = match (options.symmetry, flipped) {
        (true, _) => &[false, true],
        (false, false) => &[false],
        (false, true) => &[],
    };
    orientations.iter().any(|&mirrored| {
        decode_turn(&transform_turn(&candidate.played, mirrored, flipped), game.turn_start())
            .is_some_and(|turn| same_pieces(&turn) && is_legal(game, &turn, false))
    })
}

/// Whether the complete turn is legal at the start of the game's current turn.
pub(super) fn is_legal(game: &Game, turn: &Turn, avoid_goal_loss: bool) -> bool {
    let start: &Board = game.turn_start();
    let mut position = *game.position();
    for step in turn.steps() {
        match position.try_step(step) {
            Ok(next) => position = next,
            Err(_) => return false,
        }
    }
    let board = position.board();
    let repeats = game.rules().repetition_is_illegal() && game.third_repetition(board).is_some();
    position.can_end_turn(start)
        && !repeats
        && !(avoid_goal_loss && allows_goal_next_turn(board, game.side()))
}

/// Whether the other side can reach goal next turn, given that `side` has ended its turn without reaching goal itself.
pub(crate) fn allows_goal_next_turn(board: &Board, side: Side) -> bool {
    (board.rabbits(side) & side.goal()).is_empty()
        && steps_to_goal(board, side.other(), Turn::MAX as u8).is_some()
}
