//! Questions in the extended AEI of [Akimot].

use surus_play::EngineError;
use surus_rules::Position;

use super::AeiEngine;
use super::parse::strip_keyword;

impl AeiEngine {
    /// Asks about a position with a message such as `goalcheck`. Returns the text of the `info` lines that answer it.
    pub fn ask(&mut self, message: &str, position: &Position) -> Result<Vec<String>, EngineError> {
        self.reset_sync();
        for line in [&format!("setposition {position}"), message, "isready"] {
            self.send(line);
        }
        let mut answers = Vec::new();
        self.read_until("readyok", self.settings.ready_timeout, None, |line| {
            let answer = strip_keyword(line, "info").and_then(|text| strip_keyword(text, message));
            answers.extend(answer.map(Into::into));
        })?;
        Ok(answers)
    }
}
