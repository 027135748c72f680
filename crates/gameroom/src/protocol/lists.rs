//! Lists of games, and seats.

use surus_rules::Side;

use super::failure::printable;
use super::{Fields, Secret, read_side};

/// A game in a list, with one free or own seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameEntry {
    /// The id of the running game. Its permanent id is another one.
    pub gid: String,
    /// The side of this entry.
    pub side: Option<Side>,
    /// The opponent; empty if there is none yet.
    pub player: String,
    /// The time control.
    pub time_control: String,
    /// Whether it is a correspondence game.
    pub postal: bool,
    /// Whether it is rated, if that is known.
    pub rated: Option<bool>,
    /// The side to move, if that is known.
    pub turn: Option<Side>,
    /// When that side's turn began, for sorting.
    pub turn_started: Option<u64>,
}

/// The games in an answer; fields that are not games are ignored, as are games without id or side.
///
/// ```
/// use surus_gameroom::protocol::{Fields, game_entries};
///
/// let list = Fields::parse("7:w=gid=7%13side=w%13player=* Ann%13timecontrol=2/2%13postal=0%13\nnum=1\n");
/// let games = game_entries(&list);
/// assert_eq!((games.len(), games[0].player.as_str()), (1, "Ann"));
/// ```
#[must_use]
pub fn game_entries(answer: &Fields) -> Vec<GameEntry> {
    answer.iter().filter_map(|(key, value)| GameEntry::parse(key, value)).collect()
}

impl GameEntry {
    /// Parses an entry with the key `GID:SIDE`, which also counts if the block lacks them.
    fn parse(key: &str, block: &str) -> Option<Self> {
        let (gid, side) = key.split_once(':')?;
        let numeric = !gid.is_empty() && gid.bytes().all(|byte| byte.is_ascii_digit());
        let side = read_side(side).filter(|_| numeric)?;
        let fields = Fields::parse(block);
        Some(Self {
            gid: fields.text("gid").filter(|gid| is_gid(gid)).unwrap_or(gid).into(),
            side: Some(fields.text("side").and_then(read_side).unwrap_or(side)),
            player: player_name(fields.get("player").unwrap_or_default()),
            time_control: printable(fields.get("timecontrol").unwrap_or_default()),
            postal: fields.flag("postal").unwrap_or(false),
            rated: fields.flag("rated"),
            turn: fields.text("turn").and_then(read_side),
            turn_started: fields.number("turnts"),
        })
    }
}

/// Game ids are numbers; anything else would be unsafe in file names and logs.
fn is_gid(text: &str) -> bool {
    !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A player's name; the server marks some with an asterisk.
pub(crate) fn player_name(text: &str) -> String {
    let text = printable(text);
    text.strip_prefix('*').map_or(text.as_str(), str::trim_start).into()
}

/// A reserved seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// The URL of the table.
    pub url: String,
    /// Identifies the table when sitting down.
    pub tid: Secret,
    /// Identifies the reservation.
    pub grid: Secret,
}

impl Seat {
    /// Parses the answer to a reservation; `None` if a field is missing or the URL is not plain HTTP or HTTPS.
    #[must_use]
    pub fn parse(answer: &Fields) -> Option<Self> {
        let url = format!("{}/{}", answer.text("base")?, answer.text("cgi")?);
        let printable = !url.contains(|c: char| c.is_control() || c.is_whitespace());
        let known = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
        (known && printable).then_some(Self {
            url,
            tid: Secret::new(answer.text("tid")?),
            grid: Secret::new(answer.text("grid")?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_without_an_id_are_ignored() {
        let list: Fields = [
            ("num", "2"),
            ("ok", "1"),
            ("x:w", "gid=1"),
            ("3:v", ""),
            ("4:b", "player=* bot_X\nturn=w\nturnts=9"),
        ]
        .into_iter()
        .collect();
        let games = game_entries(&list);
        assert_eq!(games.len(), 1);
        assert_eq!((games[0].gid.as_str(), games[0].side), ("4", Some(Side::Silver)));
        assert_eq!((games[0].player.as_str(), games[0].turn), ("bot_X", Some(Side::Gold)));
        assert_eq!(games[0].turn_started, Some(9));
    }

    #[test]
    fn seats_need_all_fields_and_an_http_url() {
        let seat = |base: &str| {
            Seat::parse(
                &[("base", base), ("cgi", "t.cgi"), ("tid", "1"), ("grid", "2")].into_iter().collect(),
            )
        };
        assert_eq!(seat("http://a/b").unwrap().url, "http://a/b/t.cgi");
        assert!(seat("file:///etc").is_none() && seat("http://a b").is_none() && seat("").is_none());
    }
}
