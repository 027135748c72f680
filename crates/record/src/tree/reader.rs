//! Replays the turns of a tree.
//!
//! A single game is moved to the position of a turn only when a turn is played there: brackets alone cost nothing, and the
//! number of turns that are replayed is at most the number of closed brackets.

use std::time::Duration;

use surus_rules::{Game, GameResult, Handicap, PlayedTurn, Rules, Termination, TurnTag};

use super::parts::{TreeToken, tokenize};
use super::{
    GameTree, MARKS, MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_SHAPES, Node, TreeError, expand_word, notation,
};
use crate::events::parse_start_position;

pub(super) fn read(text: &str) -> Result<GameTree, TreeError> {
    if text.len() > MAX_BYTES {
        return Err(TreeError::TooLong(text.len()));
    }
    let header = |key: &str| {
        text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "))
    };
    let value = |key: &str| header(key).map_or("", str::trim).to_string();
    let rules = header("rules").map_or(Ok(Rules::Official), |name| name.trim().parse());
    let rules = rules.map_err(TreeError::Rules)?;
    let mut parser = TreeParser::new(start_game(text, rules)?);
    let problem = parser.parse(text).err();
    // A tree can be a position without turns.
    let is_position = problem.is_none() && !parser.game.position().board().occupied().is_empty();
    if parser.nodes.is_empty() && !is_position {
        return Err(problem.unwrap_or(TreeError::NoTurns));
    }
    let (board, tag) = parser.game.origin();
    Ok(GameTree {
        title: value("title"),
        gold: value("gold"),
        silver: value("silver"),
        rules,
        origin: (*board, tag),
        nodes: parser.nodes,
        ending: parser.ending,
        problem: problem.map(Into::into),
    })
}

/// The game at the start position of the text, or before its setups.
fn start_game(text: &str, rules: Rules) -> Result<Game, TreeError> {
    let Some(line) = text.lines().find_map(|line| line.trim().strip_prefix("position ")) else {
        return Ok(Game::new(rules, Handicap::Allowed));
    };
    let start = parse_start_position(line.trim())
        .ok_or_else(|| TreeError::Position(line.chars().take(80).collect()))?;
    if start.position.board().occupied().is_empty() {
        return Ok(Game::new(rules, Handicap::Allowed));
    }
    Ok(Game::from_position(&start.position, start.number, rules))
}

pub(super) struct TreeParser {
    pub(super) nodes: Vec<Node>,
    /// The current turn, and all turns up to it.
    current: Option<usize>,
    line: Vec<PlayedTurn>,
    /// Starts with the first `shared` turns of the line, possibly followed by others.
    game: Game,
    shared: usize,
    open: Vec<OpenVariation>,
    ending: Option<GameResult>,
    /// Number of turns played, including replayed ones.
    pub(super) played: usize,
}

/// The state that a closing bracket restores.
struct OpenVariation {
    node: usize,
    line_len: usize,
    turn: PlayedTurn,
}

impl TreeParser {
    pub(super) fn new(game: Game) -> Self {
        Self {
            nodes: Vec::new(),
            current: None,
            line: Vec::new(),
            game,
            shared: 0,
            open: Vec::new(),
            ending: None,
            played: 0,
        }
    }

    pub(super) fn parse(&mut self, text: &str) -> Result<(), TreeError> {
        let mut turn: Option<(TurnTag, Vec<String>)> = None;
        for token in tokenize(text)? {
            if let (TreeToken::Word(word), Some((_, words))) = (&token, &mut turn)
                && TurnTag::parse(word).is_none()
                && mark(word).is_none()
            {
                words.push(word.clone());
                continue;
            }
            if let Some((tag, words)) = turn.take() {
                self.play(tag, &words)?;
            }
            match token {
                TreeToken::Word(word) => match (TurnTag::parse(&word), mark(&word)) {
                    (Some(tag), _) => turn = Some((tag, Vec::new())),
                    (None, Some(mark)) => self.current_node()?.mark = Some(mark),
                    (None, None) => return Err(TreeError::Word(word)),
                },
                TreeToken::Comment(comment) => self.current_node()?.comment = comment,
                TreeToken::Time(time) => self.current_node()?.used = Some(seconds(&time)?),
                TreeToken::Shapes(shapes) => {
                    self.current_node()?.shapes =
                        shapes.split_whitespace().take(MAX_SHAPES).map(Into::into).collect();
                }
                TreeToken::Open => self.open()?,
                TreeToken::Close => self.close()?,
            }
        }
        turn.map_or(Ok(()), |(tag, words)| self.play(tag, &words))
    }

    fn current_node(&mut self) -> Result<&mut Node, TreeError> {
        let index = self.current.ok_or(TreeError::CommentFirst)?;
        Ok(&mut self.nodes[index])
    }

    fn open(&mut self) -> Result<(), TreeError> {
        let (Some(node), Some(turn)) = (self.current, self.line.pop()) else {
            return Err(TreeError::VariationFirst);
        };
        if self.open.len() >= MAX_DEPTH {
            return Err(TreeError::TooDeep);
        }
        self.shared = self.shared.min(self.line.len());
        self.open.push(OpenVariation { node, line_len: self.line.len(), turn });
        self.current = self.nodes[node].parent;
        Ok(())
    }

    fn close(&mut self) -> Result<(), TreeError> {
        let OpenVariation { node, line_len, turn } = self.open.pop().ok_or(TreeError::NotOpen)?;
        self.line.truncate(line_len);
        self.shared = self.shared.min(line_len);
        self.line.push(turn);
        self.current = Some(node);
        Ok(())
    }

    /// Moves the game to the end of the line.
    fn sync_game(&mut self) -> Result<(), TreeError> {
        while self.shared < self.game.entries().len() {
            self.game.undo_turn();
        }
        for played in &self.line[self.shared..] {
            let tag = self.game.tag();
            let result = match played {
                PlayedTurn::Setup(setup) => self.game.play_setup(*setup),
                PlayedTurn::Turn(turn) => self.game.play(turn),
            };
            result.map_err(|error| TreeError::Turn { tag, error })?;
            self.played += 1;
        }
        self.shared = self.line.len();
        Ok(())
    }

    fn play(&mut self, tag: TurnTag, words: &[String]) -> Result<(), TreeError> {
        let loss = match words {
            [] => return Ok(()),
            [word] if word == "resigns" => Some(Termination::Resignation),
            [word] if word == "loses" => Some(Termination::Forfeit),
            _ => None,
        };
        if let Some(reason) = loss {
            self.ending = Some(GameResult::win(tag.side.other(), reason));
            return Ok(());
        }
        self.sync_game()?;
        if tag != self.game.tag() {
            return Err(TreeError::Order { expected: self.game.tag(), found: tag });
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(TreeError::TooManyTurns);
        }
        let before = *self.game.turn_start();
        let words: Vec<String> = words.iter().flat_map(|word| expand_word(word)).collect();
        self.game.play_text(&words.join(" ")).map_err(|error| TreeError::Turn { tag, error })?;
        self.played += 1;
        if self.open.is_empty() {
            self.ending = self.game.result();
        }
        if let Some(entry) = self.game.entries().last() {
            self.nodes.push(Node::new(self.current, tag, notation(&before, &entry.played)));
            self.line.push(entry.played);
            self.shared = self.line.len();
            self.current = Some(self.nodes.len() - 1);
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
