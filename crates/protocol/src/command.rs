//! Messages of a controller.

use surus_rules::{Position, PositionError};

/// A message of the controller.
#[derive(Clone, PartialEq, Debug)]
pub enum AeiCommand {
    /// Starts the handshake.
    Aei,
    /// Requests `readyok`.
    IsReady,
    /// Starts a new game with an empty board.
    NewGame,
    /// Sets board and side to move.
    SetPosition(Box<Position>),
    /// `setoption name NAME [value VALUE]`
    SetOption(String, String),
    /// Plays a turn or a setup.
    MakeMove(String),
    /// Starts a search.
    Go,
    /// Searches until `stop` or the next position.
    GoPonder,
    /// Ends the search and requests its answer.
    Stop,
    /// Ends the session.
    Quit,
    /// A message of the extended set.
    Extended(ExtendedCommand),
}

/// The extended messages of [Akimot].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExtendedCommand {
    /// Sets the position of a file.
    SetPositionFile(String),
    /// Plays the answer of the last search.
    MakeMoveRec,
    /// Starts a search; further messages wait for its answer.
    GoNoThread,
    /// Searches until `stop`.
    GoInfinite,
    /// Prints the board.
    BoardDump,
    /// Prints the search tree.
    TreeDump,
    /// Evaluates the position statically.
    Eval,
    /// Lists goals.
    GoalCheck,
    /// Lists captures.
    TrapCheck,
}

/// An invalid message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// An unknown message, after which AEI requires the engine to exit.
    #[error("unknown message '{0}'")]
    Unknown(String),
    /// A known message with invalid arguments.
    #[error("{message}: expected {expected}, found '{found}'")]
    InvalidArguments {
        /// The message.
        message: &'static str,
        /// The expected arguments.
        expected: &'static str,
        /// The arguments that were found.
        found: String,
    },
    /// An invalid position.
    #[error("setposition: {0}")]
    Position(#[from] PositionError),
}

fn truncate(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut short: String = text.chars().take(MAX_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl AeiCommand {
    /// Parses a line that is not blank; extended messages only if `extended` is set.
    pub fn parse(line: &str, extended: bool) -> Result<Self, CommandError> {
        let line = line.trim();
        let (word, args) = line.split_once(char::is_whitespace).map_or((line, ""), |(a, b)| (a, b.trim()));
        let invalid =
            |message, expected| CommandError::InvalidArguments { message, expected, found: truncate(args) };
        let without_args = |message, command| {
            if args.is_empty() { Ok(command) } else { Err(invalid(message, "no arguments")) }
        };
        match word {
            "aei" => without_args("aei", Self::Aei),
            "isready" => without_args("isready", Self::IsReady),
            "newgame" => without_args("newgame", Self::NewGame),
            "stop" => without_args("stop", Self::Stop),
            "quit" => without_args("quit", Self::Quit),
            "setposition" => Ok(Self::SetPosition(Box::new(args.parse()?))),
            "setoption" => {
                parse_set_option(args).ok_or_else(|| invalid("setoption", "name NAME [value VALUE]"))
            }
            "makemove" if args.is_empty() => Err(invalid("makemove", "a turn or a setup")),
            "makemove" => Ok(Self::MakeMove(args.into())),
            "go" => match args {
                "" => Ok(Self::Go),
                "ponder" => Ok(Self::GoPonder),
                "infinite" if extended => Ok(Self::Extended(ExtendedCommand::GoInfinite)),
                _ if extended => Err(invalid("go", "nothing, ponder or infinite")),
                _ => Err(invalid("go", "nothing or ponder")),
            },
            _ if extended => ExtendedCommand::parse(word, args).map(Self::Extended),
            _ => Err(CommandError::Unknown(truncate(line))),
        }
    }
}

impl ExtendedCommand {
    fn parse(word: &str, args: &str) -> Result<Self, CommandError> {
        if word == "setpositionfile" {
            return if args.is_empty() {
                Err(CommandError::InvalidArguments {
                    message: "setpositionfile",
                    expected: "a file",
                    found: String::new(),
                })
            } else {
                Ok(Self::SetPositionFile(args.into()))
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

/// Parses the arguments of `setoption`. Values may contain spaces, names may not.
fn parse_set_option(args: &str) -> Option<AeiCommand> {
    let rest = args.strip_prefix("name")?;
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
    fn messages_are_parsed() {
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
    fn extended_messages_must_be_enabled() {
        for line in ["boarddump", "gonothread", "eval", "setpositionfile x"] {
            assert!(matches!(AeiCommand::parse(line, false), Err(CommandError::Unknown(_))));
            assert!(matches!(AeiCommand::parse(line, true), Ok(AeiCommand::Extended(_))));
        }
        assert!(AeiCommand::parse("go infinite", false).is_err());
    }

    #[test]
    fn errors_name_message_and_expectation() {
        for (line, message) in [
            ("hello", "unknown message 'hello'"),
            ("go fast", "go: expected nothing or ponder, found 'fast'"),
            ("stop now", "stop: expected no arguments, found 'now'"),
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
