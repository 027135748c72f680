//! The game record: one line for each turn, as the gameroom writes it.

use std::fmt;

use crate::notation::shortened;
use crate::{
    Board, Game, GameResult, Handicap, IllegalTurn, PlayedTurn, Rules, Side, Termination, Token, TurnTag,
};

/// A record that was read: its lines, not yet played.
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
    /// The side gives up, or lost for a reason the record does not tell.
    Loss(Termination),
}

/// What is wrong with a record, and in which line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RecordError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: RecordErrorKind,
}

/// What is wrong with a line of a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordErrorKind {
    /// It does not begin with a tag.
    #[error("expected a turn number and a side, like 2g, found '{0}'")]
    Tag(String),
    /// It is the turn of another number or side.
    #[error("expected turn {expected}, found {found}")]
    Order {
        /// The turn that comes next.
        expected: TurnTag,
        /// The one that stands there.
        found: TurnTag,
    },
    /// There is nothing to take back.
    #[error("{0}: there is no turn to take back")]
    NothingToTakeBack(TurnTag),
    /// The turn can't be played.
    #[error("{tag}: {error}")]
    Turn {
        /// The turn.
        tag: TurnTag,
        /// What is wrong with it.
        error: IllegalTurn,
    },
    /// A line without a turn before the last one.
    #[error("{0}: the turn is empty, but the record goes on")]
    EmptyTurn(TurnTag),
    /// Nothing there.
    #[error("the record has no turn: expected a line like 2g Ed2n")]
    NoTurns,
}

/// A record played through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The game, with a turn that the record leaves unfinished still running.
    pub game: Game,
    /// How many turns were taken back.
    pub takebacks: usize,
}

impl Record {
    /// Reads a record; blank lines and lines that begin with # mean nothing.
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

    /// Plays the record from the empty board on.
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
        if let (Some(ending), Body::Tokens(tokens)) = (self.game.result(), &line.body) {
            // The gameroom ends a record with the tag that would come next, also after a resignation.
            let closes = last && tokens.is_empty() && [expected, expected.next()].contains(&tag);
            return if closes { Ok(()) } else { Err(fail(IllegalTurn::GameOver(ending))) };
        }
        if tag != expected {
            return Err(RecordErrorKind::Order { expected, found: tag });
        }
        match &line.body {
            Body::Takeback => {
                self.game.undo_turn().ok_or(RecordErrorKind::NothingToTakeBack(tag))?;
                self.takebacks += 1;
            }
            // A side may say so after the game has ended by itself; that changes nothing.
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
                let before = self.game.clone();
                let taken = self.game.take_tokens(tokens);
                // A last line that ends in mid-push is a turn that still runs.
                let runs = taken.is_ok() && last && self.game.position().is_mid_push();
                let played = taken.and_then(|()| if runs { Ok(()) } else { self.game.end_turn() });
                if let Err(error) = played {
                    self.game = before;
                    return Err(fail(error));
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Game {
    /// The game record: finished turns, and the running one as its last line. A game that began with a given
    /// position has no setups to write; its position stands in [`Game::origin`].
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
