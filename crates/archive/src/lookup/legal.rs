//! Whether a turn of another game can be played here.

use surus_rules::{Board, Game, Side, Turn};
use surus_tactics::steps_to_goal;

use super::{Candidate, LookupOptions, bytes_of};
use crate::pack::{decode_turn, moved_pieces, transform_turn};

/// In which images a candidate fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct SymmetryMatch {
    /// The mirror has to be looked into.
    pub(super) mirrored: bool,
    /// What was looked for is its own mirror image, so that both fit.
    pub(super) both: bool,
    /// Any piece may take the steps, not only one of the same kind.
    pub(super) any_piece: bool,
}

impl SymmetryMatch {
    pub(super) const fn new(mirrored: bool, both: bool) -> Self {
        Self { mirrored, both, any_piece: false }
    }

    /// The turn as it would be played here, if that is legal, and whether it was seen in the mirror.
    pub(super) fn legal(
        self,
        game: &Game,
        next: &[u8],
        board: &Board,
        flipped: bool,
        options: &LookupOptions,
    ) -> Option<(Turn, bool)> {
        let ways = [self.mirrored, !self.mirrored];
        let count = if self.both { 2 } else { 1 };
        ways.into_iter().take(count).filter(|&mirrored| options.symmetry || !mirrored && !flipped).find_map(
            |mirrored| {
                let steps = transform_turn(next, mirrored, flipped);
                let turn = if self.any_piece {
                    decode_turn(&steps, game.turn_start())?
                } else {
                    let mut turn = decode_turn(next, board)?;
                    if mirrored {
                        turn = turn.mirrored();
                    }
                    if flipped { turn.flipped() } else { turn }
                };
                debug_assert_eq!(bytes_of(&turn), steps);
                is_legal(game, &turn, options.guarded).then_some((turn, mirrored))
            },
        )
    }
}

/// Whether the steps can be played here in any image that counts, by the same pieces or by any: if not, the turn is not legal
/// here, whatever else stood on its board.
pub(super) fn may_be_legal(
    game: &Game,
    candidate: &Candidate,
    flipped: bool,
    any_piece: bool,
    options: &LookupOptions,
) -> bool {
    let same = |turn: &Turn| {
        let there = if flipped { turn.flipped() } else { *turn };
        any_piece || candidate.movers == 0 || candidate.movers == moved_pieces(&there)
    };
    let images: &[bool] = match (options.symmetry, flipped) {
        (true, _) => &[false, true],
        (false, false) => &[false],
        (false, true) => &[],
    };
    images.iter().any(|&mirrored| {
        decode_turn(&transform_turn(&candidate.next, mirrored, flipped), game.turn_start())
            .is_some_and(|turn| same(&turn) && is_legal(game, &turn, false))
    })
}

/// Whether the whole turn may be played at the start of the game's running turn.
pub(super) fn is_legal(game: &Game, turn: &Turn, guarded: bool) -> bool {
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
    position.can_end_turn(start) && !repeats && !(guarded && allows_goal_next_turn(board, game.side()))
}

/// Whether the other side can score, after this side has ended its turn here without scoring itself.
pub(crate) fn allows_goal_next_turn(board: &Board, side: Side) -> bool {
    (board.rabbits(side) & side.goal()).is_empty()
        && steps_to_goal(board, side.other(), Turn::MAX as u8).is_some()
}
