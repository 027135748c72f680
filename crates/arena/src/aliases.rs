//! The file `bots` of [Akimot §A.9]: aliases of engines.

use crate::spec::EngineSpec;

/// A line that is no alias.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: expected an alias and a command line, found '{found}'")]
pub struct AliasError {
    /// Counted from 1.
    pub line: usize,
    /// The beginning of the line.
    pub found: String,
}

/// Names of engines with their specifications.
///
/// ```
/// use surus_arena::{BotAliases, EngineSource};
///
/// let bots = BotAliases::parse("# getMove programs\nfairy bot_fairy/getMove -d 4\nnew: cmd=./new aei\n")?;
/// assert_eq!(bots.spec("fairy").source, EngineSource::GetMove("bot_fairy/getMove -d 4".into()));
/// assert_eq!((bots.spec("new").name, bots.spec("random").name), ("new".into(), "random".into()));
/// # Ok::<(), surus_arena::AliasError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BotAliases(Vec<EngineSpec>);

impl BotAliases {
    /// Parses one alias per line, followed by a command line: of a getMove program, or of another engine after `cmd=` or
    /// `engine=`. Lines that start with `#` are comments.
    pub fn parse(text: &str) -> Result<Self, AliasError> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let aliases =
            lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(line, text)| {
                let is_end = |character: char| character.is_whitespace() || [':', '='].contains(&character);
                let (alias, command) = text.split_once(is_end).unwrap_or((text, ""));
                let command = command.trim_start_matches(|character: char| is_end(character)).trim();
                if alias.is_empty() || command.is_empty() {
                    return Err(AliasError { line, found: text.chars().take(40).collect() });
                }
                let spec = match command.strip_prefix("engine=") {
                    Some(engine) => EngineSpec::parse(engine),
                    None if command.starts_with("cmd=") || command.starts_with("getmove=") => {
                        EngineSpec::parse(command)
                    }
                    None => EngineSpec::parse(&format!("getmove={command}")),
                };
                Ok(EngineSpec { name: alias.into(), ..spec })
            });
        aliases.collect::<Result<_, _>>().map(Self)
    }

    /// The engine with an alias; any other text is parsed as a specification.
    #[must_use]
    pub fn spec(&self, text: &str) -> EngineSpec {
        let found = self.0.iter().find(|spec| spec.name == text);
        found.cloned().unwrap_or_else(|| EngineSpec::parse(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_a_command_is_an_error() {
        for text in ["# bots\nfairy", "\n= x", "\nfairy =  "] {
            let error = BotAliases::parse(text).unwrap_err().to_string();
            assert!(error.starts_with("line 2: expected an alias and a command line, found '"), "{error}");
        }
        assert_eq!(BotAliases::parse("a engine=mcts:c=0.2").unwrap().spec("a").to_arg(), "mcts:c=0.2");
    }
}
