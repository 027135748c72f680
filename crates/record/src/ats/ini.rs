//! Files of `[section]` and `key = value`, like those of Python's `configparser`, but more lenient.
//!
//! A value extends to the next key or section, even if its lines are not indented, because the published ATS files have lost
//! their indentation. Blank lines are ignored.

use super::error::{SuiteErrorKind, quoted};

/// A key with its value and location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IniEntry {
    pub(crate) section: String,
    pub(crate) key: String,
    /// The line of the key.
    pub(crate) line: usize,
    /// The lines of the value, starting after the equals sign.
    lines: Vec<String>,
}

impl IniEntry {
    /// The value in one line, with single spaces.
    pub(crate) fn single_line(&self) -> String {
        let words: Vec<&str> = self.lines.iter().flat_map(|line| line.split_whitespace()).collect();
        words.join(" ")
    }

    /// The lines of the value after as many empty ones as precede it in the file, so that errors have the line number of the
    /// file.
    pub(crate) fn with_line_offset(&self) -> String {
        "\n".repeat(self.line - 1) + self.lines.join("\n").trim_end()
    }
}

/// Parses all entries; errors have their line number. The text below `[setup]` is the position of `[settings]`.
pub(crate) fn parse_entries(text: &str) -> Result<Vec<IniEntry>, (usize, SuiteErrorKind)> {
    let mut entries: Vec<IniEntry> = Vec::new();
    let mut section = String::new();
    let mut open = false;
    for (index, text) in text.lines().enumerate() {
        let (line, content) = (index + 1, text.trim());
        if content.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = header(content) {
            section = name.to_ascii_lowercase();
            open = section == "setup";
            if open {
                section = "settings".into();
                entries.push(IniEntry {
                    section: section.clone(),
                    key: "position".into(),
                    line,
                    lines: Vec::new(),
                });
            }
        } else if let Some((key, value)) = key_and_value(content) {
            let lines = vec![value.into()];
            entries.push(IniEntry { section: section.clone(), key: key.to_ascii_lowercase(), line, lines });
            open = true;
        } else if let Some(entry) = entries.last_mut().filter(|_| open) {
            if !entry.lines.is_empty() || !content.is_empty() {
                entry.lines.resize(entry.lines.len().max(index + 1 - entry.line), String::new());
                entry.lines.push(text.into());
            }
        } else if !content.is_empty() {
            return Err((line, SuiteErrorKind::UnexpectedText(quoted(content))));
        }
    }
    // Below [setup] the position may have its key.
    entries.retain(|entry| !entry.lines.is_empty());
    Ok(entries)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name in `[name]`; the brackets of a compact position do not contain a name.
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
    fn a_value_extends_to_the_next_key_or_section() {
        let text = "[A]\n\nfirst =\n\none\n  two\n# no\nsecond = x = y\n[b]\nThird=3\n";
        let entries = parse_entries(text).unwrap();
        let parsed: Vec<_> =
            entries.iter().map(|e| (e.section.as_str(), e.key.as_str(), e.single_line())).collect();
        assert_eq!(
            parsed,
            [("a", "first", "one two".into()), ("a", "second", "x = y".into()), ("b", "third", "3".into())]
        );
        assert_eq!(entries[0].with_line_offset().lines().position(|line| line == "one"), Some(4));
    }

    #[test]
    fn the_text_below_setup_is_the_position() {
        for (text, lines) in [("[setup]\n\n8b\n+--\n", 2), ("[Setup]\n\nposition =\n8b\n+--\ntags = x\n", 3)]
        {
            let entries = parse_entries(text).unwrap();
            assert_eq!((&*entries[0].section, &*entries[0].key), ("settings", "position"));
            assert_eq!(entries[0].single_line(), "8b +--");
            assert_eq!(
                entries[0].with_line_offset().lines().position(|line| line == "8b"),
                Some(lines),
                "{text}"
            );
        }
    }

    #[test]
    fn text_without_a_key_is_an_error() {
        assert_eq!(
            parse_entries("\nhello\n").unwrap_err(),
            (2, SuiteErrorKind::UnexpectedText("hello".into()))
        );
        assert_eq!(
            parse_entries("[a]\nk = 1\n[b]\nhello\n").unwrap_err(),
            (4, SuiteErrorKind::UnexpectedText("hello".into()))
        );
    }
}
