//! The account: configuration file, environment, prompt.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use surus_gameroom::client::Client;
use surus_gameroom::config::{Config, SITE};
use surus_gameroom::protocol::{RoomRequest, Secret};

const USERNAME: &str = "SURUS_GAMEROOM_USERNAME";
const PASSWORD: &str = "SURUS_GAMEROOM_PASSWORD";

/// Where account and settings come from.
#[derive(clap::Args, Clone)]
pub(super) struct AccountArgs {
    /// Configuration: TOML as printed by `bot --print-config`, or the gameroom.cfg of pyrimaa
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Section of the bot in a gameroom.cfg
    #[arg(long, value_name = "SECTION", requires = "config")]
    bot: Option<String>,
    /// URL of the gameroom
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// An account, with the configuration that goes with it.
pub(super) struct Account {
    pub(super) config: Config,
    /// The file, for errors.
    pub(super) path: PathBuf,
    pub(super) username: String,
    pub(super) password: Secret,
}

impl AccountArgs {
    pub(super) fn config(&self) -> Result<(Config, PathBuf)> {
        let mut config = match &self.config {
            Some(path) => Config::read(path, self.bot.as_deref())?,
            None => Config::default(),
        };
        config.url = self.url.clone().or(config.url);
        let path = self.config.clone().unwrap_or_else(|| "command line".into());
        Ok((config, path))
    }

    /// The account. The environment goes before the file, and what is missing is asked for.
    pub(super) fn account(&self) -> Result<Account> {
        let (config, path) = self.config()?;
        let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        let username = match variable(USERNAME).or_else(|| config.username.clone()) {
            Some(username) => username,
            None => prompt("Username: ", "username", USERNAME, false)?,
        };
        let password = variable(PASSWORD).map(Secret::new).or_else(|| config.password.clone());
        let password = match password {
            Some(password) => password,
            None => Secret::new(prompt("Password: ", "password", PASSWORD, true)?),
        };
        warn_about_http(config.url.as_deref().unwrap_or(SITE));
        Ok(Account { config, path, username, password })
    }
}

fn prompt(text: &str, what: &str, variable: &str, hidden: bool) -> Result<String> {
    if !std::io::stdin().is_terminal() {
        bail!("no {what}: give --config FILE with one, or set {variable}");
    }
    eprint!("{text}");
    if hidden {
        return rpassword::read_password().context("can't read the password");
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("can't read the username")?;
    Ok(line.trim().into())
}

fn warn_about_http(url: &str) {
    let local =
        ["http://127.", "http://localhost", "http://[::1]"].iter().any(|prefix| url.starts_with(prefix));
    if url.starts_with("http://") && !local {
        eprintln!("surus: warning: {url} is plain HTTP: the password is sent unencrypted");
    }
}

/// A login that is not logged out: that would end every session of the account, also that of a running bot.
pub(super) struct Room {
    pub(super) client: Client,
    pub(super) url: String,
    pub(super) sid: Secret,
}

impl Account {
    pub(super) fn log_in(&self) -> Result<Room> {
        let url = self.config.url.clone().unwrap_or_else(|| SITE.into());
        let client = Client::new(&url);
        let request = RoomRequest::Login { username: self.username.clone(), password: self.password.clone() };
        let answer = client.room(&url, &request, &[&self.password])?;
        let sid = answer.text("sid").context("login: the answer has no session")?;
        Ok(Room { client, url, sid: Secret::new(sid) })
    }

    /// The directory of the bot.
    pub(super) fn directory(&self, given: Option<&Path>) -> Result<PathBuf> {
        if let Some(path) = given.or(self.config.directory.as_deref()) {
            return Ok(path.into());
        }
        let name: String =
            self.username.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let data =
            surus_archive::data_dir().context("cannot determine the user data directory: use --dir DIR")?;
        Ok(data.join("gameroom").join(name))
    }
}
