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

/// A text for the terminal in which control characters, which a quoted file may contain, are written as escapes.
pub(crate) fn printable(text: &str) -> String {
    text.chars().fold(String::new(), |mut printable, character| {
        match character {
            '\n' | '\t' => printable.push(character),
            _ if character.is_control() => printable.extend(character.escape_default()),
            _ => printable.push(character),
        }
        printable
    })
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
