//! The value of pieces and squares to an evaluation, measured by changing one piece of a board.

use surus_rules::{Bitboard, Board, Piece, PieceKind, Side, Square};

use super::Evaluation;

/// A piece with what its side would lose without it, in millirabbits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValue {
    /// Where it stands.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// The score of its side with it, less the score without it.
    pub value: i32,
}

/// The value of each piece of a board on which `side` starts its turn.
#[must_use]
pub fn piece_values(evaluation: &Evaluation, board: &Board, side: Side) -> Vec<PieceValue> {
    let score = evaluation.evaluate(board, side);
    let value = |(square, piece): (Square, Piece)| {
        let mut without = *board;
        without.set(square, None);
        let loss = score - evaluation.evaluate(&without, side);
        PieceValue { square, piece, value: if piece.side() == side { loss } else { -loss } }
    };
    board.iter().map(value).collect()
}

/// The mean score in millirabbits, for its owner, of a board with a piece of this kind moved to each square, less the mean over
/// all squares; `None` where it was never put. The boards are quiet examples with the side that starts its turn.
#[must_use]
pub fn square_values(
    evaluation: &Evaluation,
    boards: &[(Board, Side)],
    kind: PieceKind,
) -> [Option<f64>; 64] {
    let mut sums = [(0.0, 0_u32); 64];
    for &(board, side) in boards {
        // Gold's view of the board and of its reflection are those of both sides.
        for (board, side) in [(board, side), (board.flipped(), side.other())] {
            for from in board.pieces(Side::Gold, kind) {
                add_squares(evaluation, &board, side, from, &mut sums);
            }
        }
    }
    sums.map(|(sum, count)| (count > 0).then(|| sum / f64::from(count)))
}

/// Adds the scores for gold with its piece on `from` moved to each square where it can stand.
fn add_squares(
    evaluation: &Evaluation,
    board: &Board,
    side: Side,
    from: Square,
    sums: &mut [(f64, u32); 64],
) {
    let Some(piece) = board.piece_at(from) else { return };
    let mut without = *board;
    without.set(from, None);
    let is_possible = |&square: &Square| {
        let is_supported = !(Bitboard::from(square).neighbours() & without.by_side(Side::Gold)).is_empty();
        let is_goal = piece.kind() == PieceKind::Rabbit && square.rank() == 7;
        (is_supported || !square.is_trap()) && !is_goal
    };
    let scores: Vec<(Square, f64)> = (without.empty().into_iter().filter(is_possible))
        .map(|square| {
            let mut moved = without;
            moved.set(square, Some(piece));
            let score = f64::from(evaluation.evaluate(&moved, side));
            (square, if side == Side::Gold { score } else { -score })
        })
        .collect();
    let mean = scores.iter().map(|&(_, score)| score).sum::<f64>() / scores.len().max(1) as f64;
    for (square, score) in scores {
        let (sum, count) = &mut sums[square.index()];
        *sum += score - mean;
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use surus_rules::Position;

    fn board(text: &str) -> (Board, Side) {
        let position: Position = text.parse().unwrap();
        (*position.board(), position.side())
    }

    #[test]
    fn stronger_pieces_have_higher_values() {
        let (board, side) = board("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
        let values = piece_values(&Evaluation::Handcrafted(Weights::default()), &board, side);
        assert_eq!(values.len(), 32);
        let of = |letter: char| values.iter().find(|value| value.piece.letter() == letter).unwrap().value;
        assert!(of('M') > of('H') && of('H') > of('D') && of('C') > 0, "{values:?}");
        // Both sides have the same pieces, and only one has the move.
        assert!((of('M') - of('m')).abs() < 300, "{} {}", of('M'), of('m'));
    }

    #[test]
    fn squares_are_relative_to_the_mean_and_leave_out_what_is_impossible() {
        let boards = [board("g [rrrrrrrr           hc  e   ME                           RRRRRRRR]")];
        let evaluation = Evaluation::Handcrafted(Weights::default());
        let rabbits = square_values(&evaluation, &boards, PieceKind::Rabbit);
        assert!(rabbits[56..].iter().all(Option::is_none), "rabbits on the goal row have won");
        let camels = square_values(&evaluation, &boards, PieceKind::Camel);
        assert_eq!(camels[18], None, "a camel alone on c3 is captured");
        let known: Vec<f64> = camels.iter().flatten().copied().collect();
        assert!(known.len() > 30 && known.iter().any(|value| value.abs() > 1.0));
    }
}
