//! What a controller says, one line at a time.

use surus_rules::{Position, PositionError};

/// A message of the controller.
#[derive(Clone, PartialEq, Debug)]
pub enum AeiCommand {
    /// The handshake.
    Aei,
    /// Are you there?
    IsReady,
    /// An empty board.
    NewGame,
    /// A board and a side.
    SetPosition(Box<Position>),
    /// `setoption name NAME [value VALUE]`
    SetOption(String, String),
    /// A turn or a setup, as text.
    MakeMove(String),
    /// Think and answer.
    Go,
    /// Think until told otherwise, answer nothing by yourself.
    GoPonder,
    /// Answer now.
    Stop,
    /// End.
    Quit,
    /// A message of Akimot's extended set.
    Extended(ExtendedCommand),
}

/// Akimot's own messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExtendedCommand {
    /// A position from a file.
    SetPositionFile(String),
    /// Play what the last search found.
    MakeMoveRec,
    /// Think; read nothing more before the answer is given.
    GoNoThread,
    /// Think until stopped.
    GoInfinite,
    /// Show the board.
    BoardDump,
    /// Show the search tree.
    TreeDump,
    /// Judge the position.
    Eval,
    /// Look for a goal.
    GoalCheck,
    /// Look for captures.
    TrapCheck,
}

/// A line that can't be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No such message: the protocol tells the engine to end.
    #[error("unknown message '{0}'")]
    Unknown(String),
    /// A known message with a wrong rest.
    #[error("{message}: expected {expected}, found '{found}'")]
    InvalidArguments {
        /// The message.
        message: &'static str,
        /// What should follow it.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A position that is none.
    #[error("setposition: {0}")]
    Position(#[from] PositionError),
}

fn truncate(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl AeiCommand {
    /// Reads a line that is not blank; the extended messages only where they are allowed.
    pub fn parse(line: &str, extended: bool) -> Result<Self, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(a, b)| (a, b.trim()));
        let wrong =
            |message, expected| CommandError::InvalidArguments { message, expected, found: truncate(rest) };
        let alone = |message, command| {
            if rest.is_empty() { Ok(command) } else { Err(wrong(message, "nothing behind it")) }
        };
        match word {
            "aei" => alone("aei", Self::Aei),
            "isready" => alone("isready", Self::IsReady),
            "newgame" => alone("newgame", Self::NewGame),
            "stop" => alone("stop", Self::Stop),
            "quit" => alone("quit", Self::Quit),
            "setposition" => Ok(Self::SetPosition(Box::new(rest.parse()?))),
            "setoption" => set_option(rest).ok_or_else(|| wrong("setoption", "name NAME [value VALUE]")),
            "makemove" if rest.is_empty() => Err(wrong("makemove", "a turn or a setup")),
            "makemove" => Ok(Self::MakeMove(rest.into())),
            "go" => match rest {
                "" => Ok(Self::Go),
                "ponder" => Ok(Self::GoPonder),
                "infinite" if extended => Ok(Self::Extended(ExtendedCommand::GoInfinite)),
                _ if extended => Err(wrong("go", "nothing, ponder or infinite")),
                _ => Err(wrong("go", "nothing or ponder")),
            },
            _ if extended => ExtendedCommand::parse(word, rest).map(Self::Extended),
            _ => Err(CommandError::Unknown(truncate(line))),
        }
    }
}

impl ExtendedCommand {
    fn parse(word: &str, rest: &str) -> Result<Self, CommandError> {
        if word == "setpositionfile" {
            return if rest.is_empty() {
                Err(CommandError::InvalidArguments {
                    message: "setpositionfile",
                    expected: "a file",
                    found: String::new(),
                })
            } else {
                Ok(Self::SetPositionFile(rest.into()))
            };
        }
        Ok(match word {
            "makemoverec" => Self::MakeMoveRec,
            "gonothread" => Self::GoNoThread,
            "boarddump" => Self::BoardDump,
            "treedump" => Self::TreeDump,
            "eval" => Self::Eval,
            "goalcheck" => Self::GoalCheck,
            "trapcheck" => Self::TrapCheck,
            _ => return Err(CommandError::Unknown(truncate(word))),
        })
    }
}

/// A value may have spaces in it, a name may not.
fn set_option(rest: &str) -> Option<AeiCommand> {
    let rest = rest.strip_prefix("name")?;
    let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
    let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let rest = rest.trim();
    let value = if rest.is_empty() {
        ""
    } else {
        let value = rest.strip_prefix("value")?;
        if !value.is_empty() && !value.starts_with(char::is_whitespace) {
            return None;
        }
        value.trim()
    };
    (!name.is_empty()).then(|| AeiCommand::SetOption(name.into(), value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_protocol_are_read() {
        let set = |name: &str, value: &str| AeiCommand::SetOption(name.into(), value.into());
        for (line, command) in [
            ("aei", AeiCommand::Aei),
            ("go\r", AeiCommand::Go),
            (" go  ponder ", AeiCommand::GoPonder),
            ("makemove Ee2n Ee3n", AeiCommand::MakeMove("Ee2n Ee3n".into())),
            ("setoption name tcmove value 15", set("tcmove", "15")),
            ("setoption name opponent value a b c", set("opponent", "a b c")),
            ("setoption name rated", set("rated", "")),
            ("setoption name event value", set("event", "")),
        ] {
            assert_eq!(AeiCommand::parse(line, false).unwrap(), command);
        }
        let line = format!("setposition w [{}RRRRRRRR]", " ".repeat(56));
        assert!(matches!(AeiCommand::parse(&line, false), Ok(AeiCommand::SetPosition(_))));
    }

    #[test]
    fn extended_messages_are_unknown_unless_allowed() {
        for line in ["boarddump", "gonothread", "eval", "setpositionfile x"] {
            assert!(matches!(AeiCommand::parse(line, false), Err(CommandError::Unknown(_))));
            assert!(matches!(AeiCommand::parse(line, true), Ok(AeiCommand::Extended(_))));
        }
        assert!(AeiCommand::parse("go infinite", false).is_err());
    }

    #[test]
    fn wrong_lines_are_explained() {
        for (line, message) in [
            ("hello", "unknown message 'hello'"),
            ("go fast", "go: expected nothing or ponder, found 'fast'"),
            ("stop now", "stop: expected nothing behind it, found 'now'"),
            ("makemove", "makemove: expected a turn or a setup, found ''"),
            ("setoption tcmove 5", "setoption: expected name NAME [value VALUE], found 'tcmove 5'"),
            ("setoption name", "setoption: expected name NAME [value VALUE], found 'name'"),
            ("setoption name x vale 5", "setoption: expected name NAME [value VALUE], found 'name x vale 5'"),
            ("setposition g", "setposition: expected '[' in the compact position, found 'g'"),
            (
                "setposition q [ ]",
                "setposition: expected the side to move, g or s (or w or b), before '[', found 'q'",
            ),
            ("setposition g [E]", "setposition: expected 64 characters between '[' and ']', found 1"),
        ] {
            assert_eq!(AeiCommand::parse(line, false).unwrap_err().to_string(), message);
        }
    }
}
