//! Our own form: a TOML file with many tests.

use serde::Deserialize;
use surus_rules::{Game, Rules};
use toml::Spanned;

use super::condition::{Condition, blocks, weighted};
use super::error::{Problem, SuiteError};
use super::file::named;
use super::model::{Test, playable, played};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    test: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Spanned<String>,
    position: Spanned<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    comment: String,
    condition: Option<Spanned<String>>,
    piece_position: Option<Spanned<String>>,
    #[serde(default)]
    best: Vec<Spanned<String>>,
    #[serde(default)]
    avoid: Vec<Spanned<String>>,
    solution: Option<Spanned<String>>,
}

/// Reads all tests of a TOML file.
pub fn parse_toml(file: &str, text: &str) -> Result<Vec<Test>, SuiteError> {
    let source = Source { file, text };
    let read: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| source.line(span.start));
        // The parser explains over several lines; the place is told already.
        Problem::Toml(error.message().lines().collect::<Vec<_>>().join("; ")).at(file, line)
    })?;
    if read.test.is_empty() {
        return Err(Problem::NoTests.at(file, 0));
    }
    read.test.into_iter().map(|written| source.test(written)).collect()
}

#[derive(Clone, Copy)]
struct Source<'a> {
    file: &'a str,
    text: &'a str,
}

impl Source<'_> {
    fn line(self, byte: usize) -> usize {
        1 + self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count()
    }

    /// Gives a problem the place of a value.
    fn at<T, R>(self, value: &Spanned<T>, result: Result<R, Problem>) -> Result<R, SuiteError> {
        result.map_err(|problem| problem.at(self.file, self.line(value.span().start)))
    }

    fn test(self, written: Written) -> Result<Test, SuiteError> {
        let position = self.in_place(&written.position);
        let game = Game::from_text(&position, Rules::Official).map_err(Problem::Position).and_then(playable);
        let game = self.at(&written.position, game)?;
        let turn = |key, text: &Spanned<String>| self.at(text, played(&game, key, text.get_ref()));
        let avoid = written.avoid.iter().map(|text| Ok(turn("avoid", text)?.1)).collect::<Result<_, _>>()?;
        let solution = written.solution.as_ref().map(|text| turn("solution", text)).transpose()?;
        let condition = self.condition(&written, &game)?;
        Ok(Test {
            file: self.file.into(),
            line: self.line(written.name.span().start),
            name: written.name.into_inner(),
            tags: written.tags.iter().map(|tag| tag.trim().to_lowercase()).collect(),
            comment: written.comment.split_whitespace().collect::<Vec<_>>().join(" "),
            game,
            condition,
            avoid,
            solution: solution.map(|(turn, _)| turn),
        })
    }

    /// A text behind as many empty lines as the file has before it, so that errors in it count the file's lines.
    fn in_place(self, value: &Spanned<String>) -> String {
        let start = value.span().start;
        let opening = self.text.get(start..).unwrap_or("");
        // The line break right behind three quotes is no part of the text.
        let skipped = ["'''", "\"\"\""]
            .iter()
            .any(|quotes| opening.strip_prefix(quotes).is_some_and(|rest| rest.starts_with(['\n', '\r'])));
        "\n".repeat(self.line(start) - 1 + usize::from(skipped)) + value.get_ref()
    }

    fn condition(self, written: &Written, game: &Game) -> Result<Condition, SuiteError> {
        let given = [
            ("condition", written.condition.is_some()),
            ("piece_position", written.piece_position.is_some()),
            ("best", !written.best.is_empty()),
        ];
        let given: Vec<&str> = given.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).collect();
        if 1 < given.len() {
            return self.at(&written.name, Err(Problem::Ambiguous(given.join(" and "))));
        }
        if let Some(name) = &written.condition {
            return self.at(name, named(name.get_ref()).and_then(without_blocks));
        }
        if let Some(pieces) = &written.piece_position {
            return self.at(pieces, blocks(pieces.get_ref()).map(Condition::Pieces));
        }
        match (written.best.is_empty(), written.avoid.is_empty()) {
            (true, true) => {
                self.at(&written.name, Err(Problem::Missing("condition, piece_position, best or avoid")))
            }
            (true, false) => Ok(Condition::Anything),
            (false, _) => {
                let board = |text: &Spanned<String>| {
                    let weighted = weighted(text.get_ref());
                    let board =
                        weighted.and_then(|(turn, weight)| Ok((played(game, "best", turn)?.1, weight)));
                    self.at(text, board)
                };
                written.best.iter().map(board).collect::<Result<_, _>>().map(Condition::Boards)
            }
        }
    }
}

/// Here the blocks have a key of their own.
fn without_blocks(condition: Condition) -> Result<Condition, Problem> {
    match condition {
        Condition::Pieces(_) => {
            Err(Problem::Missing("piece_position = \"…\", which takes the place of condition"))
        }
        condition => Ok(condition),
    }
}
