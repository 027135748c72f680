//! Files of `[section]` and `key = value`, as Python's configuration reader takes them, and more leniently.
//!
//! A value goes on until the next key or section, whether its lines are indented or not: printed ATS files have lost
//! their indentation, and blank lines mean nothing.

use super::error::{Problem, quoted};

/// A key with its value, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) section: String,
    pub(crate) key: String,
    /// The line of the key.
    pub(crate) line: usize,
    /// The lines of the value, the first of them what stands behind the equals sign.
    lines: Vec<String>,
}

impl Entry {
    /// The value in one line, with single blanks.
    pub(crate) fn flat(&self) -> String {
        let words: Vec<&str> = self.lines.iter().flat_map(|line| line.split_whitespace()).collect();
        words.join(" ")
    }

    /// The value in its lines, behind as many empty ones as the file has before it: so whatever counts lines in it
    /// counts those of the file.
    pub(crate) fn in_place(&self) -> String {
        "\n".repeat(self.line - 1) + self.lines.join("\n").trim_end()
    }
}

/// Reads all entries; an error has its line.
pub(crate) fn entries(text: &str) -> Result<Vec<Entry>, (usize, Problem)> {
    let mut found: Vec<Entry> = Vec::new();
    let mut section = String::new();
    let mut open = false;
    for (index, text) in text.lines().enumerate() {
        let (line, content) = (index + 1, text.trim());
        if content.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = header(content) {
            section = name.to_ascii_lowercase();
            open = false;
        } else if let Some((key, value)) = key_and_value(content) {
            let lines = vec![value.into()];
            found.push(Entry { section: section.clone(), key: key.to_ascii_lowercase(), line, lines });
            open = true;
        } else if let Some(entry) = found.last_mut().filter(|_| open) {
            entry.lines.push(text.into());
        } else if !content.is_empty() {
            return Err((line, Problem::Stray(quoted(content))));
        }
    }
    Ok(found)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name in `[name]`; a compact position has brackets as well, but no word in them.
fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    (is_word(name) && name.len() < 64).then_some(name)
}

fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    is_word(key.trim()).then_some((key.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_on_until_the_next_key_or_section() {
        let text = "[A]\n\nfirst =\n\none\n  two\n# no\nsecond = x = y\n[b]\nThird=3\n";
        let found = entries(text).unwrap();
        let told: Vec<_> = found.iter().map(|e| (e.section.as_str(), e.key.as_str(), e.flat())).collect();
        assert_eq!(
            told,
            [("a", "first", "one two".into()), ("a", "second", "x = y".into()), ("b", "third", "3".into())]
        );
        assert_eq!(found[0].in_place().lines().position(|line| line == "one"), Some(4));
    }

    #[test]
    fn text_that_belongs_to_no_key_is_an_error_with_its_line() {
        assert_eq!(entries("\nhello\n").unwrap_err(), (2, Problem::Stray("hello".into())));
        assert_eq!(entries("[a]\nk = 1\n[b]\nhello\n").unwrap_err(), (4, Problem::Stray("hello".into())));
    }
}
