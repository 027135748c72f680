//! ATS test files: `[settings]` with a position and tags, `[criteria]` with a condition.

use surus_rules::{Game, Rules};

use super::condition::{Condition, blocks};
use super::error::{Problem, SuiteError, quoted};
use super::ini::{Entry, entries};
use super::model::{Test, playable};

/// Whether a text looks like an ATS test file.
#[must_use]
pub fn is_one(text: &str) -> bool {
    text.lines().any(|line| line.trim().eq_ignore_ascii_case("[settings]"))
}

/// Reads an ATS test file; the test is called as the file, without what follows the point.
pub fn parse(file: &str, text: &str) -> Result<Test, SuiteError> {
    let entries = entries(text).map_err(|(line, problem)| problem.at(file, line))?;
    let mut fields = Fields::default();
    for entry in &entries {
        fields.take(entry).map_err(|problem| problem.at(file, entry.line))?;
    }
    let position = fields.position.ok_or_else(|| Problem::Missing("position").at(file, 0))?;
    let game = Game::from_text(&position.in_place(), Rules::Official)
        .map_err(Problem::Position)
        .and_then(playable)
        .map_err(|problem| problem.at(file, position.line))?;
    Ok(Test {
        file: file.into(),
        line: 1,
        name: stem(file).into(),
        tags: fields.tags.map_or_else(Vec::new, |entry| tags(&entry.flat())),
        comment: fields.comment.map_or_else(String::new, Entry::flat),
        game,
        condition: condition(file, fields.condition, fields.pieces)?,
        avoid: Vec::new(),
        solution: None,
    })
}

/// A file's name without its directory and extension.
#[must_use]
pub fn stem(file: &str) -> &str {
    std::path::Path::new(file).file_stem().and_then(|name| name.to_str()).unwrap_or(file)
}

/// The position of a test file, whatever else there is in it.
pub fn position(file: &str, text: &str) -> Result<Game, SuiteError> {
    let entries = entries(text).map_err(|(line, problem)| problem.at(file, line))?;
    let entry = entries.iter().find(|entry| entry.section == "settings" && entry.key == "position");
    let entry = entry.ok_or_else(|| Problem::Missing("position").at(file, 0))?;
    Game::from_text(&entry.in_place(), Rules::Official)
        .map_err(|error| Problem::Position(error).at(file, entry.line))
}

/// Tags have commas between them, or blanks in files that have no comma.
fn tags(text: &str) -> Vec<String> {
    let parts: Vec<&str> =
        if text.contains(',') { text.split(',').collect() } else { text.split(' ').collect() };
    parts.iter().map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty()).collect()
}

#[derive(Default)]
struct Fields<'a> {
    comment: Option<&'a Entry>,
    position: Option<&'a Entry>,
    tags: Option<&'a Entry>,
    condition: Option<&'a Entry>,
    pieces: Option<&'a Entry>,
}

impl<'a> Fields<'a> {
    fn take(&mut self, entry: &'a Entry) -> Result<(), Problem> {
        let unknown = |what, found: &str, expected| Problem::Unknown { what, found: found.into(), expected };
        let slot = match (entry.section.as_str(), entry.key.as_str()) {
            ("settings", "comment") => &mut self.comment,
            ("settings", "position") => &mut self.position,
            ("settings", "tags") => &mut self.tags,
            ("settings", key) => return Err(unknown("setting", key, "comment, position, tags")),
            ("criteria", "condition") => &mut self.condition,
            ("criteria", "after_piece_position" | "piece_position") => &mut self.pieces,
            ("criteria", key) => return Err(unknown("criterion", key, "condition, after_piece_position")),
            (section, _) => return Err(unknown("section", section, "settings, criteria")),
        };
        if slot.replace(entry).is_some() {
            return Err(Problem::Twice(entry.key.clone()));
        }
        Ok(())
    }
}

/// The condition of its name; only piece_position has more to say.
fn condition(file: &str, name: Option<&Entry>, pieces: Option<&Entry>) -> Result<Condition, SuiteError> {
    let name = name.ok_or_else(|| Problem::Missing("condition").at(file, 0))?;
    match (named(&name.flat()).map_err(|problem| problem.at(file, name.line))?, pieces) {
        (Condition::Pieces(_), Some(pieces)) => {
            blocks(&pieces.flat()).map(Condition::Pieces).map_err(|problem| problem.at(file, pieces.line))
        }
        (Condition::Pieces(_), None) => Err(Problem::Missing("after_piece_position").at(file, name.line)),
        (_, Some(pieces)) => {
            Err(Problem::Ambiguous(format!("the condition {}", name.flat())).at(file, pieces.line))
        }
        (condition, None) => Ok(condition),
    }
}

/// A condition by name, with underscores, blanks or neither; piece_position comes without its blocks.
pub(crate) fn named(text: &str) -> Result<Condition, Problem> {
    let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
    match letters.to_ascii_lowercase().as_str() {
        "goal" | "scoregoal" => Ok(Condition::Goal),
        "preventgoal" => Ok(Condition::PreventGoal),
        "goalintwo" => Ok(Condition::GoalInTwo),
        "pieceposition" => Ok(Condition::Pieces(Vec::new())),
        _ => Err(Problem::Unknown {
            what: "condition",
            found: quoted(text),
            expected: "score_goal, prevent_goal, goal_in_two, piece_position",
        }),
    }
}
