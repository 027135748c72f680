//! ATS test files: `[settings]` with a position and tags, `[criteria]` with a condition.

use surus_rules::{Game, Rules};

use super::condition::{Condition, parse_blocks};
use super::error::{SuiteError, SuiteErrorKind, quoted};
use super::ini::{IniEntry, parse_entries};
use super::model::{Test, require_playable};

/// Whether a text looks like an ATS test file.
#[must_use]
pub fn looks_like_ats(text: &str) -> bool {
    let is_section =
        |line: &str| ["[settings]", "[setup]"].iter().any(|name| line.eq_ignore_ascii_case(name));
    text.lines().any(|line| is_section(line.trim()))
}

/// Parses an ATS test file; the test gets the name of the file without extension.
pub fn parse(file: &str, text: &str) -> Result<Test, SuiteError> {
    let entries = parse_entries(text).map_err(|(line, problem)| problem.at(file, line))?;
    let mut fields = AtsFields::default();
    for entry in &entries {
        fields.set(entry).map_err(|problem| problem.at(file, entry.line))?;
    }
    let position = fields.position.ok_or_else(|| SuiteErrorKind::Missing("position").at(file, 0))?;
    let game = Game::from_text(&position.with_line_offset(), Rules::Official)
        .map_err(SuiteErrorKind::Position)
        .and_then(require_playable)
        .map_err(|problem| problem.at(file, position.line))?;
    Ok(Test {
        file: file.into(),
        line: 1,
        name: stem(file).into(),
        tags: fields.tags.map_or_else(Vec::new, |entry| tags(&entry.single_line())),
        comment: fields.comment.map_or_else(String::new, IniEntry::single_line),
        game,
        condition: condition(file, fields.condition, fields.pieces)?,
        avoid: Vec::new(),
        solution: None,
    })
}

/// The name of a file without directory and extension.
#[must_use]
pub fn stem(file: &str) -> &str {
    std::path::Path::new(file).file_stem().and_then(|name| name.to_str()).unwrap_or(file)
}

/// Parses only the position of a test file.
pub fn position(file: &str, text: &str) -> Result<Game, SuiteError> {
    let entries = parse_entries(text).map_err(|(line, problem)| problem.at(file, line))?;
    let entry = entries.iter().find(|entry| entry.section == "settings" && entry.key == "position");
    let entry = entry.ok_or_else(|| SuiteErrorKind::Missing("position").at(file, 0))?;
    Game::from_text(&entry.with_line_offset(), Rules::Official)
        .map_err(|error| SuiteErrorKind::Position(error).at(file, entry.line))
}

/// Splits tags at commas, or at spaces if there is no comma.
fn tags(text: &str) -> Vec<String> {
    let parts: Vec<&str> =
        if text.contains(',') { text.split(',').collect() } else { text.split(' ').collect() };
    parts.iter().map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty()).collect()
}

#[derive(Default)]
struct AtsFields<'a> {
    comment: Option<&'a IniEntry>,
    position: Option<&'a IniEntry>,
    tags: Option<&'a IniEntry>,
    condition: Option<&'a IniEntry>,
    pieces: Option<&'a IniEntry>,
}

impl<'a> AtsFields<'a> {
    fn set(&mut self, entry: &'a IniEntry) -> Result<(), SuiteErrorKind> {
        let unknown =
            |kind, found: &str, expected| SuiteErrorKind::Unknown { kind, found: found.into(), expected };
        let slot = match (entry.section.as_str(), entry.key.as_str()) {
            ("settings", "comment") => &mut self.comment,
            ("settings", "position" | "setup") => &mut self.position,
            ("settings", "tags") => &mut self.tags,
            ("settings", key) => return Err(unknown("setting", key, "comment, position, tags")),
            ("criteria", "condition") => &mut self.condition,
            ("criteria", "after_piece_position" | "piece_position") => &mut self.pieces,
            ("criteria", key) => return Err(unknown("criterion", key, "condition, after_piece_position")),
            (section, _) => return Err(unknown("section", section, "settings, criteria")),
        };
        if slot.replace(entry).is_some() {
            return Err(SuiteErrorKind::DuplicateKey(entry.key.clone()));
        }
        Ok(())
    }
}

/// The condition with a name, and with blocks for `piece_position`.
fn condition(
    file: &str,
    name: Option<&IniEntry>,
    pieces: Option<&IniEntry>,
) -> Result<Condition, SuiteError> {
    let name = name.ok_or_else(|| SuiteErrorKind::Missing("condition").at(file, 0))?;
    match (parse_condition_name(&name.single_line()).map_err(|problem| problem.at(file, name.line))?, pieces)
    {
        (Condition::PiecePosition(_), Some(pieces)) => parse_blocks(&pieces.single_line())
            .map(Condition::PiecePosition)
            .map_err(|problem| problem.at(file, pieces.line)),
        (Condition::PiecePosition(_), None) => {
            Err(SuiteErrorKind::Missing("after_piece_position").at(file, name.line))
        }
        (_, Some(pieces)) => {
            Err(SuiteErrorKind::Ambiguous(format!("the condition {}", name.single_line()))
                .at(file, pieces.line))
        }
        (condition, None) => Ok(condition),
    }
}

/// Parses the name of a condition, with underscores, spaces or neither; `piece_position` gets no blocks.
pub(crate) fn parse_condition_name(text: &str) -> Result<Condition, SuiteErrorKind> {
    let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
    match letters.to_ascii_lowercase().as_str() {
        "goal" | "scoregoal" => Ok(Condition::Goal),
        "preventgoal" => Ok(Condition::PreventGoal),
        "goalintwo" => Ok(Condition::GoalInTwo),
        "pieceposition" => Ok(Condition::PiecePosition(Vec::new())),
        _ => Err(SuiteErrorKind::Unknown {
            kind: "condition",
            found: quoted(text),
            expected: "score_goal, prevent_goal, goal_in_two, piece_position",
        }),
    }
}
