//! The engine side of getMove: a program is started for each turn with up to three files and prints its turn.

use std::time::Duration;

use surus_rules::{Clock, Game, ParseGameError, Rules, Side, TimeControl};

/// An invalid position or record file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}: {error}")]
pub struct GetMoveError {
    /// The file.
    pub file: String,
    /// The error in its text.
    pub error: ParseGameError,
}

/// Loads the game from the record, if there is one, because a position has no history.
pub fn load_game(
    position: (&str, &str),
    record: Option<(&str, &str)>,
    rules: Rules,
) -> Result<Game, GetMoveError> {
    let (file, text) = record.unwrap_or(position);
    Game::from_text(text, rules).map_err(|error| GetMoveError { file: file.into(), error })
}

/// Reads time control and reserves from the `key=value` lines of a game state file. Unknown and invalid lines are
/// ignored, because the gameroom defines the format.
#[must_use]
pub fn parse_state_clock(text: &str) -> Option<Clock> {
    let value = |keys: &[&str]| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            keys.contains(&key.trim()).then(|| value.trim())
        })
    };
    let seconds = |keys: &[&str]| Duration::try_from_secs_f64(value(keys)?.parse().ok()?).ok();
    let mut control: TimeControl = value(&["timecontrol"]).unwrap_or("0").parse().ok()?;
    control.per_turn = seconds(&["tcmove"]).unwrap_or(control.per_turn);
    control.reserve = seconds(&["tcreserve"]).unwrap_or(control.reserve);
    control.turn_limit = seconds(&["tcturntime"]).unwrap_or(control.turn_limit);
    control.percent = value(&["tcpercent"]).and_then(|p| p.parse().ok()).unwrap_or(control.percent);
    if control.per_turn.is_zero() && control.reserve.is_zero() {
        return None;
    }
    let mut clock = Clock::new(control);
    for (side, keys) in [
        (Side::Gold, ["greserve", "wreserve", "tcgreserve2", "tcwreserve2"]),
        (Side::Silver, ["sreserve", "breserve", "tcsreserve2", "tcbreserve2"]),
    ] {
        if let Some(reserve) = seconds(&keys) {
            clock.set_reserve(side, reserve);
        }
    }
    Some(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n1s";

    #[test]
    fn record_is_preferred_and_errors_name_the_file() {
        let position = ("p", "g [                                                        RRRRRRRR]");
        let game = load_game(position, Some(("r", RECORD)), Rules::Official).unwrap();
        assert_eq!(game.side(), Side::Silver);
        assert_eq!(load_game(position, None, Rules::Official).unwrap().side(), Side::Gold);
        let error = load_game(position, Some(("r", "1g Ra1")), Rules::Official).unwrap_err();
        assert_eq!(
            error.to_string(),
            "r: line 1: 1g: the setup of gold has 1 pieces: expected 16; the elephant is missing"
        );
    }

    #[test]
    fn state_file_sets_the_clock() {
        let clock = parse_state_clock("turn=w\ntcmove=30\ntcreserve=300\ntcwreserve2=250\njunk\n").unwrap();
        assert_eq!(clock.control().per_turn, Duration::from_secs(30));
        assert_eq!(clock.reserve(Side::Gold), Duration::from_secs(250));
        assert_eq!(clock.reserve(Side::Silver), Duration::from_secs(300));
        assert_eq!(parse_state_clock("nothing here"), None);
        let clock = parse_state_clock("tcmove=0.2\ntcreserve=-1\ntcgreserve2=1.5\n").unwrap();
        assert_eq!(clock.control().per_turn, Duration::from_millis(200));
        assert_eq!(clock.control().reserve, Duration::ZERO);
        assert_eq!(clock.reserve(Side::Gold), Duration::from_millis(1500));
    }
}
