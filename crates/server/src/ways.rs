//! The shortest ways of single pieces, for those who drag one over several squares.

use surus_rules::{Direction, Pending, Position, Square, Step, Token};

use crate::wire::Way;

/// Where a piece has come to.
struct Place {
    position: Position,
    at: Square,
    path: String,
    loses: Vec<String>,
}

/// For each piece of the side to move, the shortest way to every square that it reaches by single steps; of two
/// ways of the same length the one that loses less.
pub(crate) fn ways(position: &Position) -> Vec<Way> {
    if position.is_mid_push() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for from in position.board().by_side(position.side()) {
        let start = Place { position: *position, at: from, path: String::new(), loses: Vec::new() };
        let mut known: Vec<Square> = vec![from];
        let mut layer = vec![start];
        while !layer.is_empty() {
            let mut next: Vec<Place> = Vec::new();
            for place in &layer {
                for direction in Direction::ALL {
                    let Some(place) = advance(place, direction) else { continue };
                    if known.contains(&place.at) {
                        continue;
                    }
                    match next.iter_mut().find(|other| other.at == place.at) {
                        Some(other) if place.loses.len() < other.loses.len() => *other = place,
                        Some(_) => {}
                        None => next.push(place),
                    }
                }
            }
            for place in &next {
                known.push(place.at);
                let (from, to) = (from.to_string(), place.at.to_string());
                found.push(Way { from, to, path: place.path.clone(), loses: place.loses.clone() });
            }
            layer = next;
        }
    }
    found
}

/// One step further, unless the piece is gone or may not.
fn advance(place: &Place, direction: Direction) -> Option<Place> {
    let board = place.position.board();
    let piece = board.piece_at(place.at)?;
    if piece.side() != place.position.side() {
        return None;
    }
    let step = Step::new(piece, place.at, direction)?;
    let position = place.position.try_step(step).ok()?;
    debug_assert!(!matches!(position.pending(), Pending::Push { .. }));
    let mut loses = place.loses.clone();
    let lost = board.captured_by(step).filter(|(piece, _)| piece.side() == position.side());
    loses.extend(lost.map(|(piece, trap)| Token::Placement(piece, trap).to_string()));
    Some(Place { position, at: step.to(), path: format!("{}{}", place.path, direction.letter()), loses })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_legal_and_the_safe_one_of_two_is_taken() {
        let game = surus_record::game("r6r/8/8/8/8/8/2H5/R6R").unwrap();
        let ways = ways(game.position());
        for way in &ways {
            let mut position = *game.position();
            let mut at: Square = way.from.parse().unwrap();
            for letter in way.path.chars() {
                let direction = Direction::from_letter(letter).unwrap();
                let piece = position.board().piece_at(at).unwrap();
                let step = Step::new(piece, at, direction).unwrap();
                position = position.try_step(step).unwrap();
                at = step.to();
            }
            assert_eq!(at.to_string(), way.to);
        }
        let longest = ways.iter().map(|way| way.path.len()).max();
        assert_eq!(longest, Some(4));
        // The trap c3 lies on the straight way up the file, so there is no way on through it.
        let trap = ways.iter().find(|way| way.from == "c2" && way.to == "c3").unwrap();
        assert_eq!((trap.path.as_str(), &trap.loses[..]), ("n", &["Hc3".to_string()][..]));
        let around = ways.iter().find(|way| way.from == "c2" && way.to == "c4").unwrap();
        assert_eq!((around.path.len(), around.loses.len()), (4, 0));
    }
}
