//! The requests of a bot, as forms.

use std::time::Duration;

use surus_rules::Side;

use super::state::{read_side, side_letter};
use super::{Fields, Secret};

/// A seat at a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A player.
    Player(Side),
    /// A spectator, who sees the moves a few seconds later and no chat.
    Viewer,
}

impl Role {
    /// The letter in requests.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Player(side) => side_letter(side),
            Self::Viewer => 'v',
        }
    }

    fn parse(text: &str) -> Option<Self> {
        if text == "v" { Some(Self::Viewer) } else { read_side(text).map(Self::Player) }
    }
}

/// A request to the room.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are those of the protocol")]
pub enum RoomRequest {
    Login {
        username: String,
        password: Secret,
    },
    /// Opens a game and waits for an opponent.
    NewGame {
        sid: Secret,
        side: Side,
        time_control: String,
        rated: bool,
    },
    /// Games of this account.
    MyGames {
        sid: Secret,
    },
    /// Games that wait for an opponent.
    OpenGames {
        sid: Secret,
    },
    /// Reserves a seat; the answer says where to sit.
    Reserve {
        sid: Secret,
        gid: String,
        role: Role,
    },
    Cancel {
        sid: Secret,
        gid: String,
    },
    /// The permanent id of a finished game.
    FindGameId {
        gid: String,
    },
    /// Ends every session of the account.
    Logout {
        sid: Secret,
    },
}

/// A request to a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are those of the protocol")]
pub enum TableRequest {
    /// Takes the reserved seat.
    Sit {
        tid: Secret,
        grid: Secret,
    },
    /// The state; with `wait`, as soon as it differs from `last_change`, or after that time.
    State {
        sid: Secret,
        last_change: String,
        wait: Option<Duration>,
    },
    /// Starts the game, by gold.
    Start {
        sid: Secret,
        auth: Secret,
    },
    Move {
        sid: Secret,
        auth: Secret,
        turn: String,
    },
    Resign {
        sid: Secret,
        auth: Secret,
    },
    Leave {
        sid: Secret,
        auth: Secret,
    },
    Chat {
        sid: Secret,
        auth: Secret,
        text: String,
    },
    AskTakeback {
        sid: Secret,
        auth: Secret,
    },
    AnswerTakeback {
        sid: Secret,
        auth: Secret,
        accept: bool,
    },
}

/// A form that is not a request.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// No action, or one that does not exist.
    #[error("unknown action '{0}'")]
    UnknownAction(String),
    /// A field is missing or invalid.
    #[error("missing or invalid field '{0}'")]
    Field(&'static str),
}

const fn number(flag: bool) -> &'static str {
    if flag { "1" } else { "0" }
}

/// A form as pairs of name and value.
type Form = Vec<(&'static str, String)>;

/// Reads the fields of a form.
struct Reader<'a>(&'a Fields);

impl Reader<'_> {
    fn text(&self, name: &'static str) -> Result<String, RequestError> {
        self.0.get(name).map(Into::into).ok_or(RequestError::Field(name))
    }

    fn secret(&self, name: &'static str) -> Result<Secret, RequestError> {
        self.text(name).map(Secret::new)
    }

    fn side(&self) -> Result<Side, RequestError> {
        self.0.get("side").and_then(read_side).ok_or(RequestError::Field("side"))
    }

    fn flag(&self, name: &'static str) -> Result<bool, RequestError> {
        self.0.flag(name).ok_or(RequestError::Field(name))
    }

    /// The name of the request, which is in one of two fields.
    fn action(&self) -> &str {
        self.0.get("action").or_else(|| self.0.get("what")).unwrap_or_default()
    }
}

impl RoomRequest {
    /// The action, for logs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Login { .. } => "login",
            Self::NewGame { .. } => "newGame",
            Self::MyGames { .. } => "myGames",
            Self::OpenGames { .. } => "join",
            Self::Reserve { .. } => "reserve",
            Self::Cancel { .. } => "cancelOpenGame",
            Self::FindGameId { .. } => "findgameid",
            Self::Logout { .. } => "leave",
        }
    }

    /// The fields to post.
    #[must_use]
    pub fn form(&self) -> Vec<(&'static str, String)> {
        let what =
            |name: &'static str, sid: &Secret| vec![("sid", sid.expose().into()), (name, self.name().into())];
        let with = |mut form: Form, rest: Form| {
            form.extend(rest);
            form
        };
        match self {
            Self::Login { username, password } => vec![
                ("action", self.name().into()),
                ("username", username.clone()),
                ("password", password.expose().into()),
            ],
            Self::NewGame { sid, side, time_control, rated } => with(
                what("action", sid),
                vec![
                    ("side", side_letter(*side).into()),
                    ("timecontrol", time_control.clone()),
                    ("rated", number(*rated).into()),
                ],
            ),
            Self::MyGames { sid } | Self::OpenGames { sid } => what("what", sid),
            Self::Reserve { sid, gid, role } => {
                with(what("action", sid), vec![("gid", gid.clone()), ("side", role.letter().into())])
            }
            Self::Cancel { sid, gid } => with(what("action", sid), vec![("gameid", gid.clone())]),
            Self::FindGameId { gid } => vec![("action", self.name().into()), ("tid", gid.clone())],
            Self::Logout { sid } => what("action", sid),
        }
    }

    /// Parses a posted form.
    pub fn parse(form: &Fields) -> Result<Self, RequestError> {
        let field = Reader(form);
        let sid = || field.secret("sid");
        Ok(match field.action() {
            "login" => Self::Login { username: field.text("username")?, password: field.secret("password")? },
            "newGame" => Self::NewGame {
                sid: sid()?,
                side: field.side()?,
                time_control: field.text("timecontrol")?,
                rated: field.flag("rated")?,
            },
            "myGames" => Self::MyGames { sid: sid()? },
            "join" => Self::OpenGames { sid: sid()? },
            "reserve" => {
                let role = form.get("side").and_then(Role::parse).ok_or(RequestError::Field("side"))?;
                Self::Reserve { sid: sid()?, gid: field.text("gid")?, role }
            }
            "cancelOpenGame" => Self::Cancel { sid: sid()?, gid: field.text("gameid")? },
            "findgameid" => Self::FindGameId { gid: field.text("tid")? },
            "leave" | "logout" => Self::Logout { sid: sid()? },
            other => return Err(RequestError::UnknownAction(super::failure::printable(other))),
        })
    }
}

impl TableRequest {
    /// The action, for logs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sit { .. } => "sit",
            Self::State { .. } => "gamestate",
            Self::Start { .. } => "startmove",
            Self::Move { .. } => "move",
            Self::Resign { .. } => "resign",
            Self::Leave { .. } => "leave",
            Self::Chat { .. } => "chat",
            Self::AskTakeback { .. } => "takeback",
            Self::AnswerTakeback { .. } => "takebackreply",
        }
    }

    /// The fields to post.
    #[must_use]
    pub fn form(&self) -> Vec<(&'static str, String)> {
        let act = |sid: &Secret, auth: &Secret, rest: Form| {
            let mut form: Form = vec![
                ("action", self.name().into()),
                ("sid", sid.expose().into()),
                ("auth", auth.expose().into()),
            ];
            form.extend(rest);
            form
        };
        match self {
            Self::Sit { tid, grid } => vec![
                ("action", self.name().into()),
                ("sid", tid.expose().into()),
                ("grid", grid.expose().into()),
            ],
            Self::State { sid, last_change, wait } => {
                let mut form = vec![
                    ("what", self.name().into()),
                    ("sid", sid.expose().into()),
                    ("wait", number(wait.is_some()).into()),
                    ("lastchange", last_change.clone()),
                ];
                form.extend(wait.map(|wait| ("maxwait", wait.as_secs().to_string())));
                form
            }
            Self::Start { sid, auth } | Self::Leave { sid, auth } => act(sid, auth, Vec::new()),
            Self::Move { sid, auth, turn } => act(sid, auth, vec![("move", turn.clone())]),
            Self::Resign { sid, auth } => act(sid, auth, vec![("move", String::new())]),
            Self::Chat { sid, auth, text } => act(sid, auth, vec![("chat", text.clone())]),
            Self::AskTakeback { sid, auth } => act(sid, auth, vec![("takeback", "req".into())]),
            Self::AnswerTakeback { sid, auth, accept } => {
                act(sid, auth, vec![("takebackreply", if *accept { "yes" } else { "no" }.into())])
            }
        }
    }

    /// Parses a posted form.
    pub fn parse(form: &Fields) -> Result<Self, RequestError> {
        let field = Reader(form);
        let sid = field.secret("sid")?;
        let auth = || field.secret("auth");
        Ok(match field.action() {
            "sit" => Self::Sit { tid: sid, grid: field.secret("grid")? },
            "gamestate" => {
                let wait = form.flag("wait").unwrap_or(false);
                // Clients may send fractions.
                let seconds = form.number::<f64>("maxwait").filter(|seconds| (0.0..1e6).contains(seconds));
                let wait = wait.then(|| Duration::from_secs_f64(seconds.unwrap_or(300.0)));
                Self::State { sid, last_change: field.text("lastchange").unwrap_or_default(), wait }
            }
            "startmove" => Self::Start { sid, auth: auth()? },
            "move" => Self::Move { sid, auth: auth()?, turn: field.text("move")? },
            "resign" => Self::Resign { sid, auth: auth()? },
            "leave" => Self::Leave { sid, auth: auth()? },
            "chat" => Self::Chat { sid, auth: auth()?, text: field.text("chat")? },
            "takeback" => Self::AskTakeback { sid, auth: auth()? },
            "takebackreply" => {
                let accept = match form.get("takebackreply") {
                    Some("yes") => true,
                    Some("no") => false,
                    _ => return Err(RequestError::Field("takebackreply")),
                };
                Self::AnswerTakeback { sid, auth: auth()?, accept }
            }
            other => return Err(RequestError::UnknownAction(super::failure::printable(other))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_have_the_fields_of_the_protocol() {
        let sid = Secret::new("s");
        let form = |request: RoomRequest| {
            request.form().iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
        };
        let new_game = RoomRequest::NewGame {
            sid: sid.clone(),
            side: Side::Silver,
            time_control: "2/2".into(),
            rated: true,
        };
        assert_eq!(form(new_game), "sid=s action=newGame side=b timecontrol=2/2 rated=1");
        assert_eq!(form(RoomRequest::MyGames { sid: sid.clone() }), "sid=s what=myGames");
        assert_eq!(form(RoomRequest::OpenGames { sid }), "sid=s what=join");
    }

    #[test]
    fn invalid_forms_are_errors() {
        let parse = |pairs: &[(&str, &str)]| {
            let form: Fields = pairs.iter().copied().collect();
            (RoomRequest::parse(&form).err(), TableRequest::parse(&form).err())
        };
        let unknown = |name: &str| Some(RequestError::UnknownAction(name.into()));
        assert_eq!(parse(&[("sid", "1"), ("action", "fly")]), (unknown("fly"), unknown("fly")));
        assert_eq!(parse(&[]), (unknown(""), Some(RequestError::Field("sid"))));
        let reserve = [("action", "reserve"), ("sid", "1"), ("gid", "2"), ("side", "x")];
        assert_eq!(parse(&reserve).0, Some(RequestError::Field("side")));
    }
}
