//! Game records: one line per turn, as written by the arimaa.com gameroom.

use std::fmt;

use crate::notation::shortened;
use crate::{
    Board, Game, GameResult, Handicap, IllegalTurn, PlayedTurn, Rules, Side, Termination, Token, TurnTag,
};

/// A parsed game record that has not been replayed.
///
/// ```
/// use surus_rules::{Handicap, Record, Rules};
///
/// let record = Record::parse(
///     "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
///      1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
///      2g Ee2n Ee3n
///      2s takeback
///      2g Ee2n Ee3n Ee4n",
/// )?;
/// let replay = record.replay(Rules::Official, Handicap::None)?;
/// assert_eq!((replay.game.entries().len(), replay.takebacks), (3, 1));
/// # Ok::<(), surus_rules::RecordError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    number: usize,
    tag: TurnTag,
    body: Body,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Body {
    Tokens(Vec<Token>),
    Takeback,
    /// The side resigns, or loses for a reason that the record does not state.
    Loss(Termination),
}

/// An error in a line of a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RecordError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: RecordErrorKind,
}

/// What is wrong with a line of a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordErrorKind {
    /// The line does not start with a tag.
    #[error("expected a turn number and a side, like 2g, found '{0}'")]
    Tag(String),
    /// The turn has another number or side than expected.
    #[error("expected turn {expected}, found {found}")]
    Order {
        /// The turn that should follow.
        expected: TurnTag,
        /// The turn of the line.
        found: TurnTag,
    },
    /// A takeback before the first turn.
    #[error("{0}: there is no turn to take back")]
    NothingToTakeBack(TurnTag),
    /// The turn is illegal.
    #[error("{tag}: {error}")]
    Turn {
        /// The turn.
        tag: TurnTag,
        /// Why it is illegal.
        error: IllegalTurn,
    },
    /// A line without a turn that is not the last one.
    #[error("{0}: the turn is empty, but more lines follow")]
    EmptyTurn(TurnTag),
    /// A record without turns.
    #[error("the record has no turns: expected a line like 2g Ed2n")]
    NoTurns,
}

/// A replayed record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The game, with an unfinished last turn as its current turn.
    pub game: Game,
    /// The number of turns taken back.
    pub takebacks: usize,
}

impl Record {
    /// Parses a record; blank lines and lines that start with # are ignored.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let mut words = text.split_whitespace();
            let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { continue };
            let number = index + 1;
            let fail = |problem| RecordError { line: number, problem };
            let tag = TurnTag::parse(first).ok_or_else(|| fail(RecordErrorKind::Tag(shortened(first))))?;
            let words: Vec<&str> = words.collect();
            let body = match words[..] {
                ["takeback"] => Body::Takeback,
                ["resigns" | "resign"] => Body::Loss(Termination::Resignation),
                ["loses" | "lost"] => Body::Loss(Termination::Forfeit),
                _ => {
                    let tokens = words.iter().map(|word| word.parse()).collect::<Result<_, _>>();
                    Body::Tokens(tokens.map_err(|error| {
                        fail(RecordErrorKind::Turn { tag, error: IllegalTurn::Notation(error) })
                    })?)
                }
            };
            lines.push(Line { number, tag, body });
        }
        Ok(Self { lines })
    }

    /// Replays the record from the empty board.
    pub fn replay(&self, rules: Rules, handicap: Handicap) -> Result<Replay, RecordError> {
        self.replay_on(Game::new(rules, handicap))
    }

    /// Plays the record from where a game stands.
    pub fn replay_on(&self, game: Game) -> Result<Replay, RecordError> {
        let mut replay = Replay { game, takebacks: 0 };
        self.replay_into(&mut replay)?;
        Ok(replay)
    }

    /// Plays the record as far as it is right; what was played up to an error stays.
    pub fn replay_into(&self, replay: &mut Replay) -> Result<(), RecordError> {
        if self.lines.is_empty() {
            return Err(RecordError { line: 1, problem: RecordErrorKind::NoTurns });
        }
        for (index, line) in self.lines.iter().enumerate() {
            let last = index + 1 == self.lines.len();
            replay.play(line, last).map_err(|problem| RecordError { line: line.number, problem })?;
        }
        Ok(())
    }
}

impl Replay {
    fn play(&mut self, line: &Line, last: bool) -> Result<(), RecordErrorKind> {
        let (tag, expected) = (line.tag, self.game.tag());
        let fail = |error| RecordErrorKind::Turn { tag, error };
        if let (Some(result), Body::Tokens(tokens)) = (self.game.result(), &line.body) {
            // The gameroom ends a record with the tag that would follow, even after a resignation.
            let closes = last && tokens.is_empty() && [expected, expected.next()].contains(&tag);
            return if closes { Ok(()) } else { Err(fail(IllegalTurn::GameOver(result))) };
        }
        if tag != expected {
            return Err(RecordErrorKind::Order { expected, found: tag });
        }
        match &line.body {
            Body::Takeback => {
                self.game.undo_turn().ok_or(RecordErrorKind::NothingToTakeBack(tag))?;
                self.takebacks += 1;
            }
            // This has no effect if the game has already ended.
            Body::Loss(reason) => self.game.end(GameResult::win(tag.side.other(), *reason)),
            Body::Tokens(tokens) if tokens.is_empty() => {
                if !last {
                    return Err(RecordErrorKind::EmptyTurn(tag));
                }
            }
            Body::Tokens(tokens) if matches!(tokens[0], Token::Placement(..)) => {
                let words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
                self.game.play_text(&words.join(" ")).map_err(fail)?;
            }
            Body::Tokens(tokens) => {
                let play = |game: &mut Game| {
                    game.take_tokens(tokens)?;
                    // A last line that ends in mid-push is the current turn.
                    let runs = last && game.position().is_mid_push();
                    if runs { Ok(()) } else { game.end_turn() }
                };
                self.game.or_restore(play).map_err(fail)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Game {
    /// The game record: the finished turns, and the current one as its last line. A game that started from a position has
    /// no setups; its position is [`Game::origin`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before: Board = *self.origin().0;
        for entry in self.entries() {
            match &entry.played {
                PlayedTurn::Setup(setup) => writeln!(f, "{} {setup}", entry.tag)?,
                PlayedTurn::Turn(turn) => writeln!(f, "{} {}", entry.tag, before.notation(turn))?,
            }
            before = entry.board;
        }
        match self.result() {
            Some(GameResult { winner: Some(winner), reason }) => {
                let word = match reason {
                    Termination::Resignation => "resigns",
                    Termination::Time
                    | Termination::Illegal
                    | Termination::Forfeit
                    | Termination::Abandoned => "loses",
                    _ => return write!(f, "{}", self.tag()),
                };
                let loser: Side = winner.other();
                if self.tag().side == loser { write!(f, "{} {word}", self.tag()) } else { Ok(()) }
            }
            _ if self.current_turn().is_empty() => write!(f, "{}", self.tag()),
            _ => write!(f, "{} {}", self.tag(), before.notation(self.current_turn())),
        }
    }
}
