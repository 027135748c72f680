//! Arimaa notation of turns.

use std::fmt;
use std::str::FromStr;

use crate::{Board, Direction, NotationError, Piece, Square, Step, Turn};

/// One word of a turn in notation.
///
/// ```
/// use surus_rules::Token;
///
/// assert!(matches!("Ra1".parse(), Ok(Token::Placement(..))));
/// assert!(matches!("Ed2n".parse(), Ok(Token::Step(_))));
/// assert!(matches!("rc3x".parse(), Ok(Token::Capture(..))));
/// let error = "rd4x".parse::<Token>().unwrap_err();
/// assert_eq!(error.to_string(), "'rd4x' is a capture on d4, which is not a trap: expected c3, f3, c6 or f6");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Token {
    /// A piece placed in a setup: `Ra1`.
    Placement(Piece, Square),
    /// A step: `Ed2n`.
    Step(Step),
    /// A capture mark: `rc3x`.
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
    /// Expands several directions to steps: `Ha2nne` to `Ha2n Ha3n Ha4e`. Other words are returned unchanged.
    ///
    /// ```
    /// assert_eq!(surus_rules::Token::expand_shorthand("Ed2nn"), ["Ed2n", "Ed3n"]);
    /// ```
    #[must_use]
    pub fn expand_shorthand(word: &str) -> Vec<String> {
        let Some((head, directions)) = word.split_at_checked(3).filter(|(_, tail)| tail.len() > 1) else {
            return vec![word.into()];
        };
        let mut steps = Vec::new();
        let mut head = head.to_string();
        for direction in directions.chars() {
            let text = format!("{head}{direction}");
            if let Ok(Self::Step(step)) = text.parse() {
                head = format!("{}{}", step.piece().letter(), step.to());
            }
            steps.push(text);
        }
        steps
    }
}

/// A quotation for error messages: limited in length, and without control characters.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let visible = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    let end = text.chars().nth(MAX_CHARS).map(|_| '…');
    text.chars().take(MAX_CHARS).map(visible).chain(end).collect()
}

impl Board {
    /// A turn in official notation: each step followed by the capture it causes.
    ///
    /// Each piece must be on its step's source square when the step is taken.
    ///
    /// ```
    /// use surus_rules::{Position, Step, Turn};
    ///
    /// let position: Position = "g [                                          R       R             ]".parse()?;
    /// let step: Step = "Rc3n".parse().unwrap();
    /// let turn = Turn::from_iter(["Rc2e", "Rd2n"].map(|step| step.parse::<Step>().unwrap()));
    /// assert_eq!(position.board().notation(&turn), "Rc2e Rc3x Rd2n");
    /// # Ok::<(), surus_rules::PositionError>(())
    /// ```
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
