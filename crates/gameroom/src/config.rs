//! The configuration file of a bot.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use surus_record::ini::{Ini, IniError};
use surus_rules::{Side, TimeControl};

use crate::bot::{BotSettings, OpenGames, RefusalPolicy, TakebackPolicy};
use crate::protocol::Secret;

/// The gameroom.
pub const SITE: &str = "http://arimaa.com/arimaa/gameroom";

/// A commented example with all keys.
pub const EXAMPLE: &str = include_str!("example.toml");

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("can't read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// Others may read the password.
    #[error("{} contains a password and can be read by others: run chmod 600 {}", .0.display(), .0.display())]
    Mode(PathBuf),
    /// The file is not TOML, or has an unknown or invalid key.
    #[error("{}: {problem}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Line and cause.
        problem: String,
    },
    /// The file of pyrimaa cannot be parsed.
    #[error("{}: {error}", path.display())]
    Ini {
        /// The file.
        path: PathBuf,
        /// Line and cause.
        error: IniError,
    },
    /// An invalid value.
    #[error("{}: invalid value for {key}: expected {expected}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key.
        key: &'static str,
        /// What was expected.
        expected: &'static str,
    },
}

/// The contents of a configuration file. Every key is optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The URL of the gameroom.
    pub url: Option<String>,
    /// The account.
    pub username: Option<String>,
    #[serde(deserialize_with = "secret")]
    /// Its password.
    pub password: Option<Secret>,
    /// The engine, as on the command line.
    pub engine: Option<String>,
    /// Options of the engine.
    pub options: std::collections::BTreeMap<String, toml::Value>,
    /// Directory for journal, log and games.
    pub directory: Option<PathBuf>,
    /// Chat line at the beginning of a game.
    pub greeting: Option<String>,
    /// Whether to continue the running games of the account.
    pub resume: Option<bool>,
    /// Simultaneous games.
    pub max_games: Option<usize>,
    /// Simultaneous searches.
    pub max_searches: Option<usize>,
    /// Threads of all searches together.
    pub threads: Option<usize>,
    /// Whether to search during the opponent's turn.
    pub ponder: Option<bool>,
    /// Seconds.
    pub min_turn_time: Option<u64>,
    /// Seconds.
    pub min_time_left: Option<u64>,
    /// Seconds.
    pub max_turn_time: Option<u64>,
    /// `rabbits:turns`.
    pub resign: Option<String>,
    /// never or unrated.
    pub takebacks: Option<String>,
    /// leave or resign.
    pub refusals: Option<String>,
    /// Whether finished games are stored among the games of the board.
    pub board: Option<bool>,
    /// The data directory of the board.
    pub data_dir: Option<PathBuf>,
    /// Whether finished games are imported into the archive.
    pub archive: Option<bool>,
    /// Games to open.
    pub open: Option<OpenConfig>,
}

/// Games to open.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpenConfig {
    /// gold, silver or both.
    pub side: Option<String>,
    /// The time control.
    pub timecontrol: Option<String>,
    /// Whether they are rated.
    pub rated: bool,
    /// How many; without it, without end.
    pub count: Option<u32>,
}

fn secret<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    Option::<String>::deserialize(deserializer).map(|text| text.map(Secret::new))
}

impl Config {
    /// Reads a file in TOML, or the `gameroom.cfg` of pyrimaa with the section of `bot`.
    pub fn read(path: &Path, bot: Option<&str>) -> Result<Self, ConfigError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| ConfigError::Read { path: path.into(), error })?;
        let pyrimaa = text.lines().any(|line| line.trim() == "[global]");
        let config =
            if pyrimaa { Self::from_pyrimaa(path, &text, bot)? } else { Self::from_toml(path, &text)? };
        if config.password.is_some() && others_can_read(path) {
            return Err(ConfigError::Mode(path.into()));
        }
        Ok(config)
    }

    fn from_toml(path: &Path, text: &str) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| {
            // The full text of the error quotes the line, which may be that of the password.
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            ConfigError::Toml { path: path.into(), problem: format!("line {line}: {message}") }
        })
    }

    fn from_pyrimaa(path: &Path, text: &str, bot: Option<&str>) -> Result<Self, ConfigError> {
        let ini = Ini::parse(text).map_err(|error| ConfigError::Ini { path: path.into(), error })?;
        let value = |key: &'static str, expected| ConfigError::Value { path: path.into(), key, expected };
        let section = match bot.or_else(|| ini.get("global", "default_engine")) {
            Some(name) if ini.has(name) => name,
            _ => return Err(value("default_engine", "the name of a section")),
        };
        // Doubled percent signs stand for one.
        let text = |key: &str| {
            let found = ini.get(section, key).or_else(|| ini.get("global", key))?;
            Some(found.replace("%%", "%"))
        };
        let seconds = |key: &'static str| match text(key).map(|text| text.parse()) {
            None => Ok(None),
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => Err(value(key, "a number of seconds")),
        };
        let flag = |key: &str| {
            text(key).map(|text| ["1", "yes", "true", "on"].contains(&text.to_lowercase().as_str()))
        };
        let options = ini.keys(section).filter_map(|(key, value)| {
            Some((key.strip_prefix("bot_")?.to_owned(), toml::Value::String(value.replace("%%", "%"))))
        });
        let max_games = match text("max_bots").map(|text| text.parse()) {
            None => None,
            Some(Ok(number)) => Some(number),
            Some(Err(_)) => return Err(value("max_bots", "a number")),
        };
        Ok(Self {
            url: text("gameroom_url"),
            username: text("username"),
            password: text("password").map(Secret::new),
            engine: text("cmdline").map(|command| format!("cmd={command}")),
            options: options.collect(),
            greeting: text("greeting"),
            max_games,
            min_turn_time: seconds("min_move_time")?,
            min_time_left: seconds("min_time_left")?,
            ponder: flag("ponder"),
            open: Some(OpenConfig {
                side: None,
                timecontrol: text("timecontrol"),
                rated: flag("rated").unwrap_or(false),
                count: Some(1),
            }),
            ..Self::default()
        })
    }

    /// The settings of a bot, without account.
    pub fn settings(&self, path: &Path) -> Result<BotSettings, ConfigError> {
        let value = |key: &'static str, expected| ConfigError::Value { path: path.into(), key, expected };
        let mut settings = BotSettings::new(self.url.as_deref().unwrap_or(SITE), "", Secret::default());
        if !["http://", "https://"].iter().any(|scheme| settings.url.starts_with(scheme)) {
            return Err(value("url", "a URL that starts with http://"));
        }
        settings.greeting = self.greeting.clone().unwrap_or_default();
        settings.resume = self.resume.unwrap_or(true);
        settings.max_games = at_least_one(self.max_games).ok_or_else(|| value("max_games", "1 or more"))?;
        settings.max_searches = match self.max_searches {
            None => settings.max_games.min(processors()),
            Some(0) => return Err(value("max_searches", "1 or more")),
            Some(number) => number,
        };
        settings.ponder = self.ponder.unwrap_or(false);
        let seconds = |time: Option<u64>, default| time.map_or(default, Duration::from_secs);
        settings.min_turn_time = seconds(self.min_turn_time, settings.min_turn_time);
        settings.min_time_left = seconds(self.min_time_left, settings.min_time_left);
        settings.max_turn_time = seconds(self.max_turn_time, settings.max_turn_time);
        settings.resign = match self.resign.as_deref() {
            None | Some("never") => None,
            Some(rule) => {
                Some(rule.parse().map_err(|_| value("resign", "never or rabbits:turns, like 8:5"))?)
            }
        };
        settings.takebacks = match self.takebacks.as_deref() {
            None | Some("never") => TakebackPolicy::Never,
            Some("unrated") => TakebackPolicy::Unrated,
            Some(_) => return Err(value("takebacks", "never or unrated")),
        };
        settings.refusals = match self.refusals.as_deref() {
            None | Some("leave") => RefusalPolicy::Leave,
            Some("resign") => RefusalPolicy::Resign,
            Some(_) => return Err(value("refusals", "leave or resign")),
        };
        settings.open = self.open.as_ref().map(|open| open.settings(path)).transpose()?;
        Ok(settings)
    }
}

impl OpenConfig {
    fn settings(&self, path: &Path) -> Result<OpenGames, ConfigError> {
        let value = |key: &'static str, expected| ConfigError::Value { path: path.into(), key, expected };
        let side = match self.side.as_deref() {
            None | Some("both") => None,
            Some("gold" | "g") => Some(Side::Gold),
            Some("silver" | "s") => Some(Side::Silver),
            Some(_) => return Err(value("side", "gold, silver or both")),
        };
        let time_control = self.timecontrol.clone().unwrap_or_else(|| "1m/2m/100/5m/4h".into());
        if time_control.parse::<TimeControl>().is_err() {
            return Err(value("timecontrol", "a time control such as 1m/2m/100/5m/4h"));
        }
        Ok(OpenGames { side, time_control, rated: self.rated, count: self.count })
    }
}

fn at_least_one(number: Option<usize>) -> Option<usize> {
    Some(number.unwrap_or(1)).filter(|number| *number > 0)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

#[cfg(unix)]
fn others_can_read(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn others_can_read(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_has_every_key_with_its_default() {
        let path = Path::new("example.toml");
        let config = Config::from_toml(path, EXAMPLE).unwrap();
        let settings = config.settings(path).unwrap();
        assert_eq!(settings.max_games, 1);
        // Commented keys are valid, too.
        let all: String =
            EXAMPLE.lines().map(|line| line.strip_prefix("#: ").unwrap_or(line).to_owned() + "\n").collect();
        let config = Config::from_toml(path, &all).unwrap();
        let settings = config.settings(path).unwrap();
        assert!(settings.resign.is_some() && config.password.is_some() && config.threads.is_some());
        assert_eq!(settings.open.unwrap().count, Some(10));
    }

    #[test]
    fn errors_name_line_and_key_and_never_quote_the_password() {
        let path = Path::new("bot.toml");
        let error = |text: &str| match Config::from_toml(path, text) {
            Err(error) => error.to_string(),
            Ok(config) => config.settings(path).unwrap_err().to_string(),
        };
        assert!(
            error("username = 'a'\nusrname = 'b'").starts_with("bot.toml: line 2: unknown field `usrname`")
        );
        for text in ["password = sesame7", "password = 'sesame7", "password = ['sesame7']"] {
            assert!(!error(text).contains("sesame7"), "{}", error(text));
        }
        assert_eq!(
            error("resign = '8'"),
            "bot.toml: invalid value for resign: expected never or rabbits:turns, like 8:5"
        );
        assert!(error("max_games = 0").contains("max_games"));
        assert!(error("[open]\ntimecontrol = 'x'").contains("timecontrol"));
    }

    #[test]
    fn the_file_of_pyrimaa_is_read() {
        let text = "[global]\ngameroom_url = http://x/gameroom\ndefault_engine = mine\nmax_bots = 3\nmin_move_time = 2\n\
             [Logging]\nlevel = INFO\n[mine]\nusername = bot_Me\npassword = 50%%\ncmdline = surus aei\nponder = yes\n\
             timecontrol = 1/1\nrated = no\nbot_seed = 7\n";
        let path = Path::new("gameroom.cfg");
        let config = Config::from_pyrimaa(path, text, None).unwrap();
        assert_eq!(config.password.as_ref().unwrap().expose(), "50%");
        assert_eq!(config.engine.as_deref(), Some("cmd=surus aei"));
        assert_eq!(config.options["seed"].as_str(), Some("7"));
        let settings = config.settings(path).unwrap();
        assert_eq!((settings.max_games, settings.min_turn_time.as_secs(), settings.ponder), (3, 2, true));
        assert_eq!(settings.open.unwrap().time_control, "1/1");
        assert!(Config::from_pyrimaa(path, text, Some("other")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_password_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("surus-gameroom-{}.toml", std::process::id()));
        std::fs::write(&path, "username = 'a'\npassword = 'b'\n").unwrap();
        let read = |mode| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            Config::read(&path, None)
        };
        assert!(matches!(read(0o644), Err(ConfigError::Mode(_))));
        assert!(matches!(read(0o640), Err(ConfigError::Mode(_))));
        assert!(read(0o600).is_ok());
        std::fs::write(&path, "username = 'a'\n").unwrap();
        assert!(read(0o644).is_ok());
        std::fs::remove_file(&path).unwrap();
    }
}
