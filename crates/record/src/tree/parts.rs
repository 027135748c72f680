//! A tree's text in words, comments, times, shapes and brackets.

use super::TreeError;

pub(super) enum Part {
    Word(String),
    Comment(String),
    Time(String),
    Shapes(String),
    Open,
    Close,
}

/// All parts of a text but for its header lines.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, TreeError> {
    let mut parts = Vec::new();
    let is_header = |line: &&str| line.starts_with('#') || line.trim_start().starts_with("position ");
    let lines: Vec<&str> = text.lines().filter(|line| !is_header(line)).collect();
    let text = lines.join("\n");
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => parts.push(Part::Comment(until('"', &mut letters)?)),
            '(' => parts.push(Part::Time(until(')', &mut letters)?)),
            '{' => parts.push(Part::Shapes(until('}', &mut letters)?)),
            '[' => parts.push(Part::Open),
            ']' => parts.push(Part::Close),
            letter if letter.is_whitespace() => {}
            letter => {
                let mut word = String::from(letter);
                while let Some(more) = letters.next_if(|c| !c.is_whitespace() && !"\"([{]})".contains(*c)) {
                    word.push(more);
                }
                parts.push(Part::Word(word));
            }
        }
    }
    Ok(parts)
}

fn until(end: char, letters: &mut impl Iterator<Item = char>) -> Result<String, TreeError> {
    let mut found = String::new();
    loop {
        match letters.next() {
            None => return Err(TreeError::Unclosed(end)),
            Some('\\') => found.extend(letters.next().map(|c| if c == 'n' { '\n' } else { c })),
            Some(letter) if letter == end => return Ok(found),
            Some(letter) => found.push(letter),
        }
    }
}
