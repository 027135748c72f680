//! JSON output and closed pipes.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;
use surus_archive::ArchiveError;

/// Prints a JSON object on one line.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// The length from which lines of an error are cut, in characters: some parsers quote a line of a file.
const MAX_LINE_CHARS: usize = 300;

/// A text for the terminal in which control characters, which a quoted file may contain, are written as escapes, and long
/// lines are cut.
pub(crate) fn printable(text: &str) -> String {
    let line = |line: &str| {
        let mut printable = String::new();
        for character in line.chars().take(MAX_LINE_CHARS) {
            match character {
                _ if character.is_control() && character != '\t' => {
                    printable.extend(character.escape_default());
                }
                _ => printable.push(character),
            }
        }
        printable + if line.chars().nth(MAX_LINE_CHARS).is_some() { "…" } else { "" }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Whether an error was caused by a closed pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = match cause.downcast_ref() {
            Some(ArchiveError::Io { error, .. }) => Some(error),
            _ => cause.downcast_ref::<io::Error>(),
        };
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_cannot_control_or_flood_the_terminal() {
        assert_eq!(printable("a\tb\u{1b}[31m\r\nc\u{7f}é"), "a\tb\\u{1b}[31m\\r\nc\\u{7f}é");
        let long = printable(&format!("x\n{}\ny", "🐘".repeat(1000)));
        assert_eq!((long.chars().count(), long.lines().count()), (2 + MAX_LINE_CHARS + 1 + 2, 3));
        assert!(long.ends_with("…\ny"));
    }
}
