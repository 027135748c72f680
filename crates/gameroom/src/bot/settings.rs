//! How a bot plays.

use std::time::Duration;

use surus_play::ResignRule;
use surus_rules::Side;

use crate::protocol::Secret;

/// When the opponent may take back a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TakebackPolicy {
    /// Never.
    #[default]
    Never,
    /// In unrated games.
    Unrated,
}

/// What to do when the server keeps refusing turns that the rules allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RefusalPolicy {
    /// Leave the table; the owner can continue the game.
    #[default]
    Leave,
    /// Resign.
    Resign,
}

/// Games that the bot opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenGames {
    /// The bot's side; `None` alternates.
    pub side: Option<Side>,
    /// The time control.
    pub time_control: String,
    /// Whether the games are rated.
    pub rated: bool,
    /// How many to open; `None` goes on for ever.
    pub count: Option<u32>,
}

/// Options of a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotSettings {
    /// The URL of the gameroom.
    pub url: String,
    /// The account.
    pub username: String,
    /// Its password.
    pub password: Secret,
    /// Sent when a game begins; empty for none.
    pub greeting: String,
    /// Games to open, if any.
    pub open: Option<OpenGames>,
    /// Open games of others to join, by id.
    pub join: Vec<String>,
    /// Whether to continue all running games of the account.
    pub resume: bool,
    /// Simultaneous games.
    pub max_games: usize,
    /// Simultaneous searches.
    pub max_searches: usize,
    /// Whether to search during the opponent's turn.
    pub ponder: bool,
    /// The least time for a turn, out of politeness.
    pub min_turn_time: Duration,
    /// The time that must remain on the clock.
    pub min_time_left: Duration,
    /// The most time for a turn, for correspondence games.
    pub max_turn_time: Duration,
    /// When to resign, if ever.
    pub resign: Option<ResignRule>,
    /// When to accept takebacks.
    pub takebacks: TakebackPolicy,
    /// After several refused turns.
    pub refusals: RefusalPolicy,
    /// Determines the pauses of retries.
    pub seed: u64,
}

impl BotSettings {
    /// Default options of an account.
    #[must_use]
    pub fn new(url: &str, username: &str, password: Secret) -> Self {
        Self {
            url: url.trim_end_matches('/').into(),
            username: username.into(),
            password,
            greeting: String::new(),
            open: None,
            join: Vec::new(),
            resume: true,
            max_games: 1,
            max_searches: 1,
            ponder: false,
            min_turn_time: Duration::from_secs(5),
            min_time_left: Duration::from_secs(5),
            max_turn_time: Duration::from_secs(300),
            resign: None,
            takebacks: TakebackPolicy::default(),
            refusals: RefusalPolicy::default(),
            seed: 1,
        }
    }
}
