//! Splits the text of a tree into words, comments, times, shapes and brackets.

use super::TreeError;

pub(super) enum TreeToken {
    Word(String),
    Comment(String),
    Time(String),
    Shapes(String),
    Open,
    Close,
}

/// The tokens of a text, without header lines.
pub(super) fn tokenize(text: &str) -> Result<Vec<TreeToken>, TreeError> {
    let mut tokens = Vec::new();
    let is_header = |line: &&str| line.starts_with('#') || line.trim_start().starts_with("position ");
    let lines: Vec<&str> = text.lines().filter(|line| !is_header(line)).collect();
    let text = lines.join("\n");
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => tokens.push(TreeToken::Comment(read_until('"', &mut letters)?)),
            '(' => tokens.push(TreeToken::Time(read_until(')', &mut letters)?)),
            '{' => tokens.push(TreeToken::Shapes(read_until('}', &mut letters)?)),
            '[' => tokens.push(TreeToken::Open),
            ']' => tokens.push(TreeToken::Close),
            letter if letter.is_whitespace() => {}
            letter => {
                let mut word = String::from(letter);
                while let Some(next) = letters.next_if(|c| !c.is_whitespace() && !"\"([{]})".contains(*c)) {
                    word.push(next);
                }
                tokens.push(TreeToken::Word(word));
            }
        }
    }
    Ok(tokens)
}

fn read_until(end: char, letters: &mut impl Iterator<Item = char>) -> Result<String, TreeError> {
    let mut text = String::new();
    loop {
        match letters.next() {
            None => return Err(TreeError::Unclosed(end)),
            Some('\\') => text.extend(letters.next().map(|c| if c == 'n' { '\n' } else { c })),
            Some(letter) if letter == end => return Ok(text),
            Some(letter) => text.push(letter),
        }
    }
}
