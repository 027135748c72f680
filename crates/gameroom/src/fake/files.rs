//! Pages of finished games and files for download.

use super::{FakeServer, WireReply};

/// When the files were last changed.
const LAST_MODIFIED: &str = "Sun, 01 Nov 2026 00:00:00 GMT";

impl FakeServer {
    /// The page of a finished game, with its values as assignments of a script.
    pub(super) fn game_page(&self, id: &str) -> WireReply {
        let gid = id.parse().ok().and_then(|id: u64| self.finished.get(&id));
        let Some(table) = gid.and_then(|gid| self.tables.get(gid)) else { return WireReply::status(404) };
        let Some(result) = table.result.map(|result| result.code()) else { return WireReply::status(404) };
        let values = [
            ("wplayer", table.seats[0].player.clone()),
            ("bplayer", table.seats[1].player.clone()),
            ("wrating", "1500".into()),
            ("brating", "1600".into()),
            ("timecontrol", table.time_control.clone()),
            ("rated", u8::from(table.rated).to_string()),
            ("postal", u8::from(table.postal()).to_string()),
            ("result", result[..1].into()),
            ("reason", result[1..].into()),
            ("movelist", table.moves().replace('\n', "\\n")),
            ("timeused", table.times_used.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
        ];
        let lines: String =
            values.iter().map(|(key, value)| format!("arimaa.vars.{key}=\"{value}\";\n")).collect();
        WireReply::text(format!("<html><script>\n{lines}</script></html>\n"))
    }

    pub(super) fn download(&mut self, name: &str, if_modified_since: Option<&str>) -> WireReply {
        let faults = self.config.faults.clone();
        if self.chance(faults.server_error) {
            return WireReply::status(500);
        }
        match self.config.files.get(name) {
            None => WireReply::status(404),
            Some(_) if if_modified_since == Some(LAST_MODIFIED) => WireReply::status(304),
            Some(file) => WireReply { status: 200, last_modified: Some(LAST_MODIFIED), body: file.clone() },
        }
    }
}
