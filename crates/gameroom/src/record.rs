//! Finished games: the page of the site and the row for the local file.

use surus_record::{GameRow, Player, PlayerKind};
use surus_rules::{Side, Termination};

use crate::protocol::{RoomResult, TableState};

/// A finished game as its page describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PageGame {
    /// Names, gold's first.
    pub players: [String; 2],
    /// Ratings.
    pub ratings: [Option<i32>; 2],
    /// The time control.
    pub time_control: String,
    /// Whether it was rated.
    pub rated: bool,
    /// Whether it was a correspondence game.
    pub postal: bool,
    /// The result.
    pub result: Option<RoomResult>,
    /// The turns, one per line.
    pub moves: String,
}

impl PageGame {
    /// Reads the page of a finished game, on which a script assigns the values one per line. `None` without players, result
    /// and moves.
    #[must_use]
    pub fn parse(page: &str) -> Option<Self> {
        let value = |name: &str| {
            let prefix = format!("arimaa.vars.{name}=\"");
            page.lines()
                .find_map(|line| line.trim().strip_prefix(&prefix)?.rsplit_once('"').map(|(text, _)| text))
        };
        let text = |name: &str| TableState::printable(value(name).unwrap_or_default());
        let result = format!("{}{}", value("result")?, value("reason").unwrap_or_default());
        Some(Self {
            players: [text("wplayer"), text("bplayer")],
            ratings: ["wrating", "brating"].map(|name| value(name)?.parse().ok()),
            time_control: text("timecontrol"),
            rated: value("rated") == Some("1"),
            postal: value("postal") == Some("1"),
            result: Some(RoomResult::parse(&result)?),
            moves: value("movelist")?.replace("\\n", "\n"),
        })
    }

    /// The game as it was last seen at the table.
    #[must_use]
    pub fn from_state(state: &TableState) -> Self {
        Self {
            players: Side::BOTH.map(|side| state.player(side).unwrap_or_default().into()),
            ratings: Side::BOTH.map(|side| state.rating(side)),
            time_control: TableState::printable(state.fields().get("timecontrol").unwrap_or_default()),
            rated: state.rated(),
            postal: state.postal(),
            result: state.result(),
            moves: state.moves().into(),
        }
    }

    /// The row of the game in an archive file. Without the permanent id, it has the number of the running game and another
    /// site, because archives identify the games of the site by their ids.
    #[must_use]
    pub fn row(&self, permanent_id: Option<&str>, gid: &str, ended: u64) -> GameRow {
        let permanent = permanent_id.and_then(|id| id.parse().ok());
        let player = |side: Side| {
            let name = &self.players[side as usize];
            let kind = if name.starts_with("bot_") { PlayerKind::Bot } else { PlayerKind::Human };
            let rating = self.ratings[side as usize];
            Player { name: name.clone(), rating, kind: Some(kind), ..Player::default() }
        };
        let last = self.moves.lines().rev().find(|line| line.split_whitespace().count() > 1);
        let turns = last.and_then(|line| line.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
        GameRow {
            id: permanent.or_else(|| gid.parse().ok()).unwrap_or(0),
            players: Side::BOTH.map(player),
            site: if permanent.is_some() { "Over the Net" } else { "arimaa.com, running id" }.into(),
            time_control: self.time_control.clone(),
            postal: self.postal,
            ended,
            started: ended,
            winner: self.result.and_then(|result| result.winner),
            reason: self.result.and_then(|result| result.termination()).unwrap_or(Termination::Abandoned),
            turns: turns.unwrap_or(0),
            mode: "IGS".into(),
            rated: self.rated,
            record: self.moves.clone(),
            ..GameRow::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_rows_that_can_be_read() {
        let page = "<script>\narimaa.vars.wplayer=\"bot_A\";\n arimaa.vars.bplayer=\"Ann\";\narimaa.vars.wrating=\"1500\";\n\
             arimaa.vars.result=\"b\";\narimaa.vars.reason=\"r\";\narimaa.vars.timecontrol=\"2/2\";\n\
             arimaa.vars.movelist=\"1w Ra1\\n1b ra8\\n2w \";\n</script>";
        let game = PageGame::parse(page).unwrap();
        assert_eq!(game.result.unwrap().to_string(), "silver wins (resignation)");
        let row = game.row(Some("7"), "3", 99);
        let unknown = game.row(None, "3", 99);
        assert_eq!((row.id, row.site.as_str(), unknown.id), (7, "Over the Net", 3));
        assert_ne!(unknown.site, row.site);
        assert_eq!((row.turns, row.record.as_str()), (1, "1w Ra1\n1b ra8\n2w "));
        let text = format!("{}\n{row}\n", surus_record::header());
        let archive = surus_record::ArchiveFile::parse(&text).unwrap();
        assert_eq!((archive.rows[0].id(), archive.rows[0].get("stype")), ("7", "h"));
        assert_eq!(PageGame::parse("<html>"), None);
    }
}
