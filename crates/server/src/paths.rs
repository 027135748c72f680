//! The squares that single pieces can reach, for dragging a piece over several squares.

use surus_rules::{Direction, Pending, Position, Square, Step};

use crate::api::{PiecePath, PlacedPiece};
use crate::steps::placed_piece;

/// A square that a piece reaches, with its path.
struct PathNode {
    position: Position,
    square: Square,
    path: String,
    losses: Vec<PlacedPiece>,
}

/// The shortest path of each piece of the side to move to every square it reaches by single steps. Of two paths with
/// the same length, the one that loses fewer pieces.
pub(crate) fn piece_paths(position: &Position) -> Vec<PiecePath> {
    if position.is_mid_push() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for from in position.board().by_side(position.side()) {
        let start = PathNode { position: *position, square: from, path: String::new(), losses: Vec::new() };
        let mut visited: Vec<Square> = vec![from];
        let mut frontier = vec![start];
        while !frontier.is_empty() {
            let next = next_frontier(&frontier, &visited);
            for node in &next {
                visited.push(node.square);
                let (from, to) = (from.to_string(), node.square.to_string());
                found.push(PiecePath { from, to, path: node.path.clone(), losses: node.losses.clone() });
            }
            frontier = next;
        }
    }
    found
}

/// The squares one step beyond the frontier that were not visited before.
fn next_frontier(frontier: &[PathNode], visited: &[Square]) -> Vec<PathNode> {
    let mut next: Vec<PathNode> = Vec::new();
    for node in frontier {
        for direction in Direction::ALL {
            let Some(node) = advance(node, direction) else { continue };
            if visited.contains(&node.square) {
                continue;
            }
            match next.iter_mut().find(|other| other.square == node.square) {
                Some(other) if node.losses.len() < other.losses.len() => *other = node,
                Some(_) => {}
                None => next.push(node),
            }
        }
    }
    next
}

/// One step further, unless the piece is lost or the step is illegal.
fn advance(node: &PathNode, direction: Direction) -> Option<PathNode> {
    let board = node.position.board();
    let piece = board.piece_at(node.square)?;
    if piece.side() != node.position.side() {
        return None;
    }
    let step = Step::new(piece, node.square, direction)?;
    let position = node.position.try_step(step).ok()?;
    debug_assert!(!matches!(position.pending(), Pending::Push { .. }));
    let mut losses = node.losses.clone();
    losses.extend(
        board.captured_by(step).filter(|(piece, _)| piece.side() == position.side()).map(placed_piece),
    );
    Some(PathNode {
        position,
        square: step.to(),
        path: format!("{}{}", node.path, direction.letter()),
        losses,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_legal_and_avoid_losses() {
        let game = surus_record::game("r6r/8/8/8/8/8/2H5/R6R").unwrap();
        let paths = piece_paths(game.position());
        for path in &paths {
            let mut position = *game.position();
            let mut square: Square = path.from.parse().unwrap();
            for letter in path.path.chars() {
                let direction = Direction::from_letter(letter).unwrap();
                let piece = position.board().piece_at(square).unwrap();
                let step = Step::new(piece, square, direction).unwrap();
                position = position.try_step(step).unwrap();
                square = step.to();
            }
            assert_eq!(square.to_string(), path.to);
        }
        let max_len = paths.iter().map(|path| path.path.len()).max();
        assert_eq!(max_len, Some(4));
        // The trap c3 lies on the straight path up the file, so no path leads through it.
        let trap = paths.iter().find(|path| path.from == "c2" && path.to == "c3").unwrap();
        let lost = PlacedPiece { piece: 'H', square: "c3".into() };
        assert_eq!((trap.path.as_str(), &trap.losses[..]), ("n", &[lost][..]));
        let around = paths.iter().find(|path| path.from == "c2" && path.to == "c4").unwrap();
        assert_eq!((around.path.len(), around.losses.len()), (4, 0));
    }
}
