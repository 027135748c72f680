//! Plays the turns of a tree.
//!
//! There is one game, which is brought to the place of a turn only when one is played there: brackets alone cost nothing,
//! and the turns that are played again are at most as many as the brackets that were closed.

use std::time::Duration;

use surus_rules::{Game, GameResult, Handicap, PlayedTurn, Rules, Termination, TurnTag};

use super::parts::{Part, parts};
use super::{
    GameTree, MARKS, MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_SHAPES, Node, TreeError, spelled_out, written,
};
use crate::events::place;

pub(super) fn read(text: &str) -> Result<GameTree, TreeError> {
    if MAX_BYTES < text.len() {
        return Err(TreeError::TooLong(text.len()));
    }
    let header = |key: &str| {
        text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "))
    };
    let named = |key: &str| header(key).map_or("", str::trim).to_string();
    let rules = header("rules").map_or(Ok(Rules::Official), |name| name.trim().parse());
    let rules = rules.map_err(TreeError::Rules)?;
    let mut reader = Reader::new(begin(text, rules)?);
    let problem = reader.follow(text).err();
    if reader.nodes.is_empty() {
        return Err(problem.unwrap_or(TreeError::NoTurns));
    }
    let (board, tag) = reader.game.origin();
    Ok(GameTree {
        title: named("title"),
        gold: named("gold"),
        silver: named("silver"),
        rules,
        origin: (*board, tag),
        nodes: reader.nodes,
        ending: reader.ending,
        problem: problem.map(Into::into),
    })
}

/// The game at the position that the text names, or before its setups.
fn begin(text: &str, rules: Rules) -> Result<Game, TreeError> {
    let Some(line) = text.lines().find_map(|line| line.trim().strip_prefix("position ")) else {
        return Ok(Game::new(rules, Handicap::Allowed));
    };
    let start = place(line.trim()).ok_or_else(|| TreeError::Position(line.chars().take(80).collect()))?;
    if start.position.board().occupied().is_empty() {
        return Ok(Game::new(rules, Handicap::Allowed));
    }
    Ok(Game::from_position(&start.position, start.number, rules))
}

pub(super) struct Reader {
    pub(super) nodes: Vec<Node>,
    /// The turn where the reader is, and all turns up to it.
    at: Option<usize>,
    line: Vec<PlayedTurn>,
    /// Has the first `shared` turns of the line, and perhaps others behind them.
    game: Game,
    shared: usize,
    open: Vec<Open>,
    ending: Option<GameResult>,
    /// Turns that were played in the game, again ones included.
    pub(super) played: usize,
}

/// What a closing bracket goes back to: the turn before the opening one, and that turn.
struct Open {
    at: usize,
    before: usize,
    turn: PlayedTurn,
}

impl Reader {
    pub(super) fn new(game: Game) -> Self {
        Self {
            nodes: Vec::new(),
            at: None,
            line: Vec::new(),
            game,
            shared: 0,
            open: Vec::new(),
            ending: None,
            played: 0,
        }
    }

    pub(super) fn follow(&mut self, text: &str) -> Result<(), TreeError> {
        let mut turn: Option<(TurnTag, Vec<String>)> = None;
        for part in parts(text)? {
            if let (Part::Word(word), Some((_, words))) = (&part, &mut turn)
                && TurnTag::parse(word).is_none()
                && mark(word).is_none()
            {
                words.push(word.clone());
                continue;
            }
            if let Some((tag, words)) = turn.take() {
                self.play(tag, &words)?;
            }
            match part {
                Part::Word(word) => match (TurnTag::parse(&word), mark(&word)) {
                    (Some(tag), _) => turn = Some((tag, Vec::new())),
                    (None, Some(mark)) => self.last()?.mark = Some(mark),
                    (None, None) => return Err(TreeError::Word(word)),
                },
                Part::Comment(comment) => self.last()?.comment = comment,
                Part::Time(time) => self.last()?.used = Some(seconds(&time)?),
                Part::Shapes(shapes) => {
                    self.last()?.shapes =
                        shapes.split_whitespace().take(MAX_SHAPES).map(Into::into).collect();
                }
                Part::Open => self.open()?,
                Part::Close => self.close()?,
            }
        }
        turn.map_or(Ok(()), |(tag, words)| self.play(tag, &words))
    }

    fn last(&mut self) -> Result<&mut Node, TreeError> {
        let at = self.at.ok_or(TreeError::CommentFirst)?;
        Ok(&mut self.nodes[at])
    }

    fn open(&mut self) -> Result<(), TreeError> {
        let (Some(at), Some(turn)) = (self.at, self.line.pop()) else {
            return Err(TreeError::VariationFirst);
        };
        if MAX_DEPTH <= self.open.len() {
            return Err(TreeError::TooDeep);
        }
        self.shared = self.shared.min(self.line.len());
        self.open.push(Open { at, before: self.line.len(), turn });
        self.at = self.nodes[at].parent;
        Ok(())
    }

    fn close(&mut self) -> Result<(), TreeError> {
        let Open { at, before, turn } = self.open.pop().ok_or(TreeError::NotOpen)?;
        self.line.truncate(before);
        self.shared = self.shared.min(before);
        self.line.push(turn);
        self.at = Some(at);
        Ok(())
    }

    /// Brings the game to the end of the line.
    fn catch_up(&mut self) -> Result<(), TreeError> {
        while self.shared < self.game.entries().len() {
            self.game.undo_turn();
        }
        for played in &self.line[self.shared..] {
            let tag = self.game.tag();
            let again = match played {
                PlayedTurn::Setup(setup) => self.game.play_setup(*setup),
                PlayedTurn::Turn(turn) => self.game.play(turn),
            };
            again.map_err(|error| TreeError::Turn { tag, error })?;
            self.played += 1;
        }
        self.shared = self.line.len();
        Ok(())
    }

    fn play(&mut self, tag: TurnTag, words: &[String]) -> Result<(), TreeError> {
        let gives = match words {
            [] => return Ok(()),
            [word] if word == "resigns" => Some(Termination::Resignation),
            [word] if word == "loses" => Some(Termination::Forfeit),
            _ => None,
        };
        if let Some(reason) = gives {
            self.ending = Some(GameResult::win(tag.side.other(), reason));
            return Ok(());
        }
        self.catch_up()?;
        if tag != self.game.tag() {
            return Err(TreeError::Order { expected: self.game.tag(), found: tag });
        }
        if MAX_NODES <= self.nodes.len() {
            return Err(TreeError::TooManyTurns);
        }
        let before = *self.game.turn_start();
        let words: Vec<String> = words.iter().flat_map(|word| spelled_out(word)).collect();
        self.game.play_text(&words.join(" ")).map_err(|error| TreeError::Turn { tag, error })?;
        self.played += 1;
        if self.open.is_empty() {
            self.ending = self.game.result();
        }
        if let Some(entry) = self.game.entries().last() {
            self.nodes.push(Node::new(self.at, tag, written(&before, &entry.played)));
            self.line.push(entry.played);
            self.shared = self.line.len();
            self.at = Some(self.nodes.len() - 1);
        }
        Ok(())
    }
}

fn mark(word: &str) -> Option<&'static str> {
    MARKS.into_iter().find(|mark| *mark == word)
}

fn seconds(text: &str) -> Result<Duration, TreeError> {
    let number = text.trim().trim_end_matches('s').parse().ok();
    number
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| TreeError::Time(text.chars().take(40).collect()))
}
