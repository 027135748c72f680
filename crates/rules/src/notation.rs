//! The tokens of a turn, and the official way to write one.

use std::fmt;
use std::str::FromStr;

use crate::{Board, Direction, NotationError, Piece, Square, Step, Turn};

/// One word of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Token {
    /// `Ra1`
    Placement(Piece, Square),
    /// `Ed2n`
    Step(Step),
    /// `rc3x`
    Capture(Piece, Square),
}

impl FromStr for Token {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let short = || shortened(text);
        let letters: Vec<char> = text.chars().take(5).collect();
        let (piece, square, last) = match letters[..] {
            [piece, file, rank] => (piece, [file, rank], None),
            [piece, file, rank, last] => (piece, [file, rank], Some(last)),
            _ => return Err(NotationError::Length(short())),
        };
        let piece = Piece::from_letter(piece).ok_or_else(|| NotationError::Piece(short()))?;
        let square: String = square.iter().collect();
        let square: Square = square
            .to_ascii_lowercase()
            .parse()
            .map_err(|_| NotationError::NoSquare { token: short(), found: shortened(&square) })?;
        match last {
            None => Ok(Self::Placement(piece, square)),
            Some('x' | 'X') if square.is_trap() => Ok(Self::Capture(piece, square)),
            Some('x' | 'X') => Err(NotationError::NotATrap(short(), square)),
            Some(letter) => {
                let direction =
                    Direction::from_letter(letter).ok_or_else(|| NotationError::Direction(short()))?;
                Step::new(piece, square, direction)
                    .map(Self::Step)
                    .ok_or_else(|| NotationError::OffBoard(short()))
            }
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Placement(piece, square) => write!(f, "{}{square}", piece.letter()),
            Self::Step(step) => write!(f, "{step}"),
            Self::Capture(piece, square) => write!(f, "{}{square}x", piece.letter()),
        }
    }
}

impl Token {
    /// The words that a short form stands for: `Ha2nne` is `Ha2n Ha3n Ha4e`; any other word is itself.
    #[must_use]
    pub fn expand_shorthand(word: &str) -> Vec<String> {
        let Some((head, ways)) = word.split_at_checked(3).filter(|(_, ways)| 1 < ways.len()) else {
            return vec![word.into()];
        };
        let mut steps = Vec::new();
        let mut head = head.to_string();
        for way in ways.chars() {
            let text = format!("{head}{way}");
            if let Ok(Self::Step(step)) = text.parse() {
                head = format!("{}{}", step.piece().letter(), step.to());
            }
            steps.push(text);
        }
        steps
    }
}

/// What an error message quotes of a text that may be very long, or hold characters that a terminal obeys.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let visible = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    let end = text.chars().nth(MOST).map(|_| '…');
    text.chars().take(MOST).map(visible).chain(end).collect()
}

impl Board {
    /// The turn in official notation: every step, and right after it the capture it causes.
    ///
    /// Trusts that each step's piece stands where it says.
    #[must_use]
    pub fn notation(&self, turn: &Turn) -> String {
        let mut board = *self;
        let mut words = Vec::new();
        for step in turn.steps() {
            words.push(Token::Step(step).to_string());
            if let Some((piece, trap)) = board.captured_by(step) {
                words.push(Token::Capture(piece, trap).to_string());
            }
            board = board.after_step(step);
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn several_directions_are_several_steps() {
        assert_eq!(Token::expand_shorthand("Ha2nne"), ["Ha2n", "Ha3n", "Ha4e"]);
        assert_eq!(Token::expand_shorthand("Ed2n"), ["Ed2n"]);
        assert_eq!(Token::expand_shorthand("what"), ["what"]);
        assert_eq!(Token::expand_shorthand("ä"), ["ä"]);
    }
}
