//! How good a board is, without looking ahead.

use surus_rules::{Board, Side, Squares};

use crate::material::{self, Counts};
use crate::placement;
use crate::score::Score;

/// Judges a board. A network can take the place of [`Handmade`] and change nothing else.
pub(crate) trait Evaluate {
    /// In thousandths of a rabbit, for the side that begins its turn.
    fn score(&self, board: &Board, side: Side) -> Score;
}

/// The evaluation that people wrote: material, places, traps, frozen pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Handmade;

/// What it is worth to be the one who moves.
const TEMPO: Score = 150;

/// By the number of own pieces next to a trap on the own half, and on the enemy's.
const HOME_GUARDS: [Score; 5] = [-250, -60, 60, 90, 80];
const AWAY_GUARDS: [Score; 5] = [0, 90, 230, 300, 310];
/// The strongest piece next to a trap of the enemy, and to an own one.
const AWAY_STRONGEST: Score = 120;
const HOME_STRONGEST: Score = 40;

impl Evaluate for Handmade {
    fn score(&self, board: &Board, side: Side) -> Score {
        let counts = Side::BOTH.map(|side| material::counts(board, side));
        let [gold, silver] = &counts;
        let difference = half(board, Side::Gold, gold, silver) - half(board, Side::Silver, silver, gold);
        TEMPO + if side == Side::Gold { difference } else { -difference }
    }
}

/// What speaks for a side.
fn half(board: &Board, side: Side, own: &Counts, enemies: &Counts) -> Score {
    let stronger = material::stronger(enemies);
    material::worth(own, &stronger)
        + placement::worth(board, side, &stronger, enemies)
        + traps(board, side)
        + held(board, side, &stronger)
}

/// Guards of traps.
fn traps(board: &Board, side: Side) -> Score {
    let (own, foes) = (board.side(side), board.side(side.other()));
    let near_home = match side {
        Side::Gold => Squares(0xffff_ffff),
        Side::Silver => Squares(0xffff_ffff << 32),
    };
    let mut sum = 0;
    for trap in Squares::TRAPS {
        let around = Squares::from(trap).neighbours();
        let guards = (around & own).len() as usize;
        let strongest = board.piece_at_strongest(around, side, foes);
        if near_home.contains(trap) {
            sum += HOME_GUARDS[guards] + if strongest { HOME_STRONGEST } else { 0 };
        } else {
            sum += AWAY_GUARDS[guards] + if strongest { AWAY_STRONGEST } else { 0 };
        }
    }
    sum
}

/// What only the evaluation asks a board.
trait Asked {
    fn piece_at_strongest(&self, around: Squares, side: Side, foes: Squares) -> bool;
}

impl Asked for Board {
    /// Whether a piece of the side stands here that no enemy piece outranks.
    fn piece_at_strongest(&self, around: Squares, side: Side, foes: Squares) -> bool {
        let own = around & self.side(side);
        surus_rules::Kind::ALL
            .into_iter()
            .rev()
            .find(|&kind| !(self.kind(kind) & foes).is_empty())
            .is_none_or(|best| !(own & (self.stronger_than(best) | self.kind(best))).is_empty())
    }
}

/// What frozen and threatened pieces cost.
fn held(board: &Board, side: Side, stronger: &Counts) -> Score {
    let dominated = board.dominated(side);
    if dominated.is_empty() {
        return 0;
    }
    let frozen = board.frozen(side);
    let mut cost = 0;
    for square in dominated {
        if let Some(piece) = board.piece_at(square) {
            let worth = material::of_piece(piece.kind() as usize - 1, stronger);
            cost += if frozen.contains(square) { worth / 10 + 30 } else { worth / 40 };
        }
    }
    -cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::Position;

    fn score(text: &str) -> Score {
        let position: Position = text.parse().unwrap();
        let (board, side) = (*position.board(), position.side());
        let score = Handmade.score(&board, side);
        assert_eq!(score, Handmade.score(&board.mirrored(), side), "left and right are the same");
        assert_eq!(score, Handmade.score(&board.flipped(), side.other()), "the sides are the same");
        score
    }

    #[test]
    fn both_sides_and_both_wings_are_judged_alike() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        assert!(score(start).abs() < 1000);
        assert!(score("g [rrrrrrrrhdcemcd                                 HDCMECDHRRRRRRRR]") > 3000);
        assert!(score("s [rrrrrrrrhdcemcd                                 HDCMECDHRRRRRRRR]") < -3000);
    }

    #[test]
    fn a_frozen_piece_costs_something() {
        // The elephant on e6 freezes the horse on e5, or stands next to nobody: the horse is on e4 then.
        let frozen = score("g [rrrrrrrr            e       H                      E    RRRRRRRR]");
        let free = score("g [rrrrrrrr            e               H              E    RRRRRRRR]");
        assert!(frozen + 200 < free, "{frozen} {free}");
    }

    #[test]
    fn boards_without_rabbits_and_with_one_piece_are_judged() {
        for text in [
            "g [                           E        e                           ]",
            "s [r                                                              R]",
        ] {
            assert!(score(text).abs() < 100_000);
        }
    }
}
