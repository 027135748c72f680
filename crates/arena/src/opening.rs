//! Openings; the two games of a pair share one, with colours exchanged.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use surus_play::{random_setup, varied_setup};
use surus_rules::{Game, Handicap, ParseGameError, Piece, Position, Record, Rules, Setup, Side};

/// The source of openings.
#[derive(Clone, PartialEq, Debug)]
pub enum Openings {
    /// Sound setups with a few pieces exchanged, depending on number and seed.
    Book {
        /// Random seed.
        seed: u64,
    },
    /// Random setups.
    Random {
        /// Random seed.
        seed: u64,
    },
    /// The engines choose their setups.
    EngineSetups,
    /// Positions or records of a file, in order and repeated when exhausted.
    FromFile(Vec<Game>),
    /// Other openings without some pieces.
    Handicap {
        /// The complete openings.
        openings: Box<Self>,
        /// One of these pieces is missing for each time that it is listed.
        missing: Vec<Piece>,
    },
}

/// A handicap that openings cannot have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HandicapError {
    /// No piece has this letter.
    #[error("invalid piece '{0}': expected one of EMHDCR for gold, emhdcr for silver")]
    Piece(char),
    /// The engines choose their setups.
    #[error("engines that choose their setups cannot have a handicap: use other openings")]
    EngineSetups,
    /// The first opening is not one without these pieces.
    #[error("the first opening is decided without these pieces")]
    Decided,
}

/// A file of openings that can't be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// A line is not a position.
    #[error("line {line}: {error}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// The cause.
        error: ParseGameError,
    },
    /// The game is over in the position.
    #[error("line {line}: the game is over in this position: {ending}")]
    Over {
        /// Counted from 1.
        line: usize,
        /// The result.
        ending: surus_rules::GameResult,
    },
    /// The file cannot be read as games.
    #[error(transparent)]
    Read(#[from] surus_record::ReadError),
    /// The file has no opening.
    #[error("no opening found: expected one compact position per line, or records separated by blank lines")]
    Empty,
}

impl Openings {
    /// Parses one compact position per line, or records separated by blank lines; `#` starts a comment.
    pub fn parse(text: &str) -> Result<Self, OpeningError> {
        let games = match surus_record::Format::detect(text) {
            Ok(surus_record::Format::Compact) => positions(text)?,
            _ => records(text)?,
        };
        if games.is_empty() { Err(OpeningError::Empty) } else { Ok(Self::FromFile(games)) }
    }

    /// The same openings without the pieces with these letters. They start as positions, because a setup is complete.
    pub fn without(self, letters: &str) -> Result<Self, HandicapError> {
        if self == Self::EngineSetups {
            return Err(HandicapError::EngineSetups);
        }
        let piece = |letter| Piece::from_letter(letter).ok_or(HandicapError::Piece(letter));
        let missing = letters.chars().map(piece).collect::<Result<_, _>>()?;
        let openings = Self::Handicap { openings: Box::new(self), missing };
        match openings.get(0).result() {
            Some(_) => Err(HandicapError::Decided),
            None => Ok(openings),
        }
    }

    /// The opening with a number, counted from 0; equal numbers give equal openings.
    #[must_use]
    pub fn get(&self, number: u64) -> Game {
        let rng = |seed: u64| Pcg64Mcg::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match self {
            Self::EngineSetups => Game::default(),
            Self::Handicap { openings, missing } => without(&openings.get(number), missing),
            Self::FromFile(games) => games[(number % games.len().max(1) as u64) as usize].clone(),
            Self::Book { seed } => set_up(|side| varied_setup(side, &mut rng(*seed ^ side as u64))),
            Self::Random { seed } => set_up(|side| random_setup(side, &mut rng(*seed ^ side as u64))),
        }
    }
}

fn without(game: &Game, missing: &[Piece]) -> Game {
    let mut board = *game.turn_start();
    for &piece in missing {
        let square = board.iter().find(|&(_, found)| found == piece).map(|(square, _)| square);
        if let Some(square) = square {
            board.set(square, None);
        }
    }
    let tag = game.tag();
    // Only a piece on a trap without its guard is invalid: such an opening stays complete.
    let position = Position::new(board, tag.side);
    position
        .map_or_else(|_| game.clone(), |position| Game::from_position(&position, tag.number, game.rules()))
}

fn set_up(mut setup: impl FnMut(Side) -> Option<Setup>) -> Game {
    let mut game = Game::default();
    for side in Side::BOTH {
        if let Some(setup) = setup(side) {
            // A complete setup is always legal in a new game.
            let _ = game.play_setup(setup);
        }
    }
    game
}

fn positions(text: &str) -> Result<Vec<Game>, OpeningError> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(index, line)| opening(index + 1, Game::from_text(line, Rules::Official))).collect()
}

fn records(text: &str) -> Result<Vec<Game>, OpeningError> {
    let raw_games = surus_record::parse_games(text)?;
    let read = |record: &str| {
        let replay = Record::parse(record)?.replay(Rules::Official, Handicap::Allowed)?;
        Ok::<_, surus_rules::RecordError>(replay.game)
    };
    raw_games.iter().map(|raw| opening(raw.line, read(&raw.record).map_err(ParseGameError::from))).collect()
}

fn opening(line: usize, game: Result<Game, ParseGameError>) -> Result<Game, OpeningError> {
    let game = game.map_err(|error| OpeningError::Text { line, error })?;
    match game.result() {
        Some(ending) => Err(OpeningError::Over { line, ending }),
        None => Ok(game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_depend_on_number_and_seed() {
        for openings in [Openings::Book { seed: 1 }, Openings::Random { seed: 1 }] {
            let boards: std::collections::HashSet<_> =
                (0..1000).map(|n| *openings.get(n).position().board()).collect();
            assert!(boards.len() >= 970, "{openings:?}: {}", boards.len());
            assert_eq!(openings.get(7), openings.get(7));
        }
        assert_ne!(Openings::Book { seed: 1 }.get(0), Openings::Book { seed: 2 }.get(0));
    }

    #[test]
    fn a_handicap_removes_pieces_of_both_sides() {
        let openings = Openings::Book { seed: 1 }.without("DDc").unwrap();
        for number in 0..20 {
            let game = openings.get(number);
            let pieces: String = game.position().board().compact().chars().filter(|c| *c != ' ').collect();
            assert_eq!((pieces.len(), game.tag().to_string().as_str()), (29, "2g"));
            assert_eq!((pieces.matches('D').count(), pieces.matches('c').count()), (0, 1));
        }
        let error = |openings: Openings, letters| openings.without(letters).unwrap_err();
        assert_eq!(error(Openings::Random { seed: 1 }, "X"), HandicapError::Piece('X'));
        assert_eq!(error(Openings::EngineSetups, "D"), HandicapError::EngineSetups);
        assert_eq!(error(Openings::Random { seed: 1 }, "rrrrrrrr"), HandicapError::Decided);
    }

    #[test]
    fn parses_files_and_names_the_line_of_an_error() {
        let start = "g [rrrrrrrrhdcmecdh                                HDCEMCDHRRRRRRRR]";
        let openings =
            Openings::parse(&format!("# two\n{start}\n{}\n", start.replace("g [", "s ["))).unwrap();
        assert_eq!(
            (openings.get(0).side(), openings.get(1).side(), openings.get(2).side()),
            (Side::Gold, Side::Silver, Side::Gold)
        );
        for (text, message) in [
            ("# nothing", "no opening found"),
            ("\ng [x]", "line 2: expected 64 characters"),
            ("# one\n\n1g Ra3\n", "line 3: line 1: 1g: 'Ra3' is outside"),
        ] {
            let error = Openings::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let over = format!("s [R{}r       ]", " ".repeat(55));
        let error = Openings::parse(&over).unwrap_err().to_string();
        assert_eq!(error, "line 1: the game is over in this position: gold wins by goal");
    }
}
