//! The TOML format, with many tests per file.

use serde::Deserialize;
use surus_rules::{Game, Rules};
use toml::Spanned;

use super::ats_format::parse_condition_name;
use super::condition::{Condition, parse_blocks, split_weight};
use super::error::{SuiteError, SuiteErrorKind};
use super::model::{Test, apply_turn, require_playable};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TomlSuite {
    #[serde(default)]
    test: Vec<TomlTest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TomlTest {
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

/// Parses all tests of a TOML file.
pub fn parse_toml(file: &str, text: &str) -> Result<Vec<Test>, SuiteError> {
    let source = SourceText { file, text };
    let suite: TomlSuite = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| source.line(span.start));
        // Join the lines of the message; the location is part of the error.
        SuiteErrorKind::Toml(error.message().lines().collect::<Vec<_>>().join("; ")).at(file, line)
    })?;
    if suite.test.is_empty() {
        return Err(SuiteErrorKind::NoTests.at(file, 0));
    }
    suite.test.into_iter().map(|test| source.test(test)).collect()
}

#[derive(Clone, Copy)]
struct SourceText<'a> {
    file: &'a str,
    text: &'a str,
}

impl SourceText<'_> {
    fn line(self, byte: usize) -> usize {
        1 + self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count()
    }

    /// Adds the line of a value to an error.
    fn at<T, R>(self, value: &Spanned<T>, result: Result<R, SuiteErrorKind>) -> Result<R, SuiteError> {
        result.map_err(|problem| problem.at(self.file, self.line(value.span().start)))
    }

    fn test(self, test: TomlTest) -> Result<Test, SuiteError> {
        let position = self.with_line_offset(&test.position);
        let game = Game::from_text(&position, Rules::Official)
            .map_err(SuiteErrorKind::Position)
            .and_then(require_playable);
        let game = self.at(&test.position, game)?;
        let turn = |key, text: &Spanned<String>| self.at(text, apply_turn(&game, key, text.get_ref()));
        let avoid = test.avoid.iter().map(|text| Ok(turn("avoid", text)?.1)).collect::<Result<_, _>>()?;
        let solution = test.solution.as_ref().map(|text| turn("solution", text)).transpose()?;
        let condition = self.condition(&test, &game)?;
        Ok(Test {
            file: self.file.into(),
            line: self.line(test.name.span().start),
            name: test.name.into_inner(),
            tags: test.tags.iter().map(|tag| tag.trim().to_lowercase()).collect(),
            comment: test.comment.split_whitespace().collect::<Vec<_>>().join(" "),
            game,
            condition,
            avoid,
            solution: solution.map(|(turn, _)| turn),
        })
    }

    /// Puts as many empty lines before a text as precede it in the file, so that errors have the line number of the file.
    fn with_line_offset(self, value: &Spanned<String>) -> String {
        let start = value.span().start;
        let opening = self.text.get(start..).unwrap_or("");
        // A line break directly after three quotes is not part of the text.
        let skips_line_break = ["'''", "\"\"\""]
            .iter()
            .any(|quotes| opening.strip_prefix(quotes).is_some_and(|rest| rest.starts_with(['\n', '\r'])));
        "\n".repeat(self.line(start) - 1 + usize::from(skips_line_break)) + value.get_ref()
    }

    fn condition(self, test: &TomlTest, game: &Game) -> Result<Condition, SuiteError> {
        let given = [
            ("condition", test.condition.is_some()),
            ("piece_position", test.piece_position.is_some()),
            ("best", !test.best.is_empty()),
        ];
        let given: Vec<&str> = given.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).collect();
        if given.len() > 1 {
            return self.at(&test.name, Err(SuiteErrorKind::Ambiguous(given.join(" and "))));
        }
        if let Some(name) = &test.condition {
            return self.at(name, parse_condition_name(name.get_ref()).and_then(without_blocks));
        }
        if let Some(pieces) = &test.piece_position {
            return self.at(pieces, parse_blocks(pieces.get_ref()).map(Condition::PiecePosition));
        }
        match (test.best.is_empty(), test.avoid.is_empty()) {
            (true, true) => {
                self.at(&test.name, Err(SuiteErrorKind::Missing("condition, piece_position, best or avoid")))
            }
            (true, false) => Ok(Condition::AvoidOnly),
            (false, _) => {
                let board = |text: &Spanned<String>| {
                    let weighted = split_weight(text.get_ref());
                    let board =
                        weighted.and_then(|(turn, weight)| Ok((apply_turn(game, "best", turn)?.1, weight)));
                    self.at(text, board)
                };
                test.best.iter().map(board).collect::<Result<_, _>>().map(Condition::BestTurns)
            }
        }
    }
}

/// Rejects `piece_position` as a condition, because blocks have a separate key.
fn without_blocks(condition: Condition) -> Result<Condition, SuiteErrorKind> {
    match condition {
        Condition::PiecePosition(_) => {
            Err(SuiteErrorKind::Missing("piece_position = \"…\", instead of condition"))
        }
        condition => Ok(condition),
    }
}
