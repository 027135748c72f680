//! Positions and files from the command line.

use std::io::Read;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use surus_rules::{Game, Rules};

/// A value on the command line that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {0}")]
pub(crate) struct ValueError(pub(crate) &'static str);

/// An option with its value.
pub(crate) fn key_value(text: &str) -> Result<(String, String), ValueError> {
    let (key, value) = text.split_once('=').ok_or(ValueError("KEY=VALUE"))?;
    Ok((key.into(), value.into()))
}

/// A time in seconds, with fractions.
pub(crate) fn seconds(text: &str) -> Result<Duration, ValueError> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds < 1e9);
    seconds.map(Duration::from_secs_f64).ok_or(ValueError("seconds above 0"))
}

/// The source of a position.
#[derive(Args, Clone, Debug)]
pub(crate) struct PositionArg {
    /// File with a position, game record, game tree, archive row or test; - reads standard input
    #[arg(value_name = "POSITION", required_unless_present = "aei")]
    file: Option<String>,
    /// Position in AEI form: 'g [64 characters]'
    #[arg(long, value_name = "COMPACT", conflicts_with = "file")]
    aei: Option<String>,
}

impl PositionArg {
    /// From the options of a command for which a position is optional.
    pub(crate) fn new(file: &Option<String>, aei: &Option<String>) -> Self {
        Self { file: file.clone(), aei: aei.clone() }
    }

    /// The game that leads to the position, with its history if a record was given.
    pub(crate) fn game(&self) -> Result<Game> {
        match (&self.file, &self.aei) {
            (_, Some(text)) => Game::from_text(text, Rules::Official).context("--aei"),
            (Some(file), None) => {
                let text = read(file)?;
                surus_record::game(&text).with_context(|| name_of(file).to_string())
            }
            (None, None) => bail!("expected a POSITION: a file, - or --aei 'g [64 characters]'"),
        }
    }
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(file: &str) -> Result<String> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        bytes
    } else {
        std::fs::read(file).with_context(|| format!("can't read {file}"))?
    };
    // Old files are not always UTF-8, but everything relevant in them is ASCII.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of a file in messages.
pub(crate) fn name_of(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}
