//! The state of a table.

use surus_rules::{Game, Handicap, Record, RecordError, Rules, Side, TurnTag};

use super::failure::printable;
use super::lists::player_name;
use super::{Fields, RoomResult, Secret, TurnClock, TurnTimes};

/// The letter of a side in requests and states: w or b.
#[must_use]
pub const fn side_letter(side: Side) -> char {
    match side {
        Side::Gold => 'w',
        Side::Silver => 'b',
    }
}

/// Reads the side of a field.
#[must_use]
pub fn read_side(text: &str) -> Option<Side> {
    let mut letters = text.trim().chars();
    Side::from_letter(letters.next()?).filter(|_| letters.next().is_none())
}

/// A request to take back the last turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Takeback {
    /// Who asks.
    pub side: Side,
    /// The turn that was due when the request was made.
    pub tag: Option<TurnTag>,
}

/// The state of a table. Any field may be missing.
///
/// ```
/// use surus_gameroom::protocol::{Fields, TableState, TurnDue};
/// use surus_rules::Side;
///
/// let answer = Fields::parse("turn=w\nwplayer=bot_Me\nbplayer=* Ann\nmoves=1w \nresult=\nstarttime=\n");
/// let state = TableState::new(answer);
/// assert_eq!(state.opponent(Side::Gold), Some("Ann"));
/// assert_eq!(state.due(Side::Gold), TurnDue::Start);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TableState {
    fields: Fields,
    /// The players, gold's name first; empty if there is none yet.
    players: [String; 2],
}

impl std::fmt::Debug for TableState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableState").field("players", &self.players).finish_non_exhaustive()
    }
}

/// What a player has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnDue {
    /// The game is over.
    Over(RoomResult),
    /// There is no opponent yet.
    NoOpponent,
    /// The opponent has been named but is away, and the game has not begun.
    OpponentAway,
    /// Gold has to start the game.
    Start,
    /// It is this player's turn.
    Own,
    /// It is the opponent's turn.
    Opponent,
    /// The state does not say whose turn it is.
    Unknown,
}

/// The fields of a state contradict each other.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction {
    /// `turn` is not the side that follows from the moves.
    #[error("the server says that {turn} is to move, but after the moves it is {moves}")]
    Turn {
        /// The side in the field.
        turn: Side,
        /// The side that follows from the moves.
        moves: Side,
    },
    /// The label at the end of the moves is not the turn that is due.
    #[error("the moves end with the label {label}, but {due} is due")]
    Label {
        /// The label.
        label: String,
        /// The turn that follows from the moves.
        due: TurnTag,
    },
    /// The game goes on after its end.
    #[error("the game goes on, but by the rules it is over: {0}")]
    GoesOn(surus_rules::GameResult),
}

/// The moves of a state are not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// They cannot be replayed.
    #[error("the moves cannot be replayed: {0}")]
    Moves(#[from] RecordError),
    /// They contradict another field.
    #[error("contradictory state: {0}")]
    Contradiction(#[from] Contradiction),
}

impl TableState {
    /// Wraps an answer that is not an error.
    #[must_use]
    pub fn new(fields: Fields) -> Self {
        let name =
            |side: Side| player_name(fields.get(&format!("{}player", side_letter(side))).unwrap_or_default());
        Self { players: Side::BOTH.map(name), fields }
    }

    /// All fields.
    #[must_use]
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The token that every action needs.
    #[must_use]
    pub fn auth(&self) -> Option<Secret> {
        self.fields.text("auth").map(Secret::new)
    }

    /// The counter of changes, sent back with the next request; it need not be a number.
    #[must_use]
    pub fn last_change(&self) -> &str {
        self.fields.get("lastchange").unwrap_or_default()
    }

    /// The result, if the game is over.
    #[must_use]
    pub fn result(&self) -> Option<RoomResult> {
        RoomResult::parse(self.fields.get("result").unwrap_or_default())
    }

    /// The permanent id, which some states of finished games have.
    #[must_use]
    pub fn finished_id(&self) -> Option<&str> {
        self.fields.text("finishedId").filter(|id| *id != "0" && id.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.fields.text("turn").and_then(read_side)
    }

    /// The name of a player.
    #[must_use]
    pub fn player(&self, side: Side) -> Option<&str> {
        Some(self.players[side as usize].as_str()).filter(|name| !name.is_empty())
    }

    /// The opponent of the player at `side`.
    #[must_use]
    pub fn opponent(&self, side: Side) -> Option<&str> {
        self.player(side.other())
    }

    /// The rating of a player.
    #[must_use]
    pub fn rating(&self, side: Side) -> Option<i32> {
        self.fields.number(&format!("{}rating", side_letter(side)))
    }

    /// Whether a player is at the table, if the state says so.
    #[must_use]
    pub fn present(&self, side: Side) -> Option<bool> {
        self.fields.flag(&format!("{}present", side_letter(side)))
    }

    /// Whether the game is rated. Unknown counts as rated, because takebacks are never accepted then.
    #[must_use]
    pub fn rated(&self) -> bool {
        self.fields.flag("rated").unwrap_or(true)
    }

    /// Whether it is a correspondence game.
    #[must_use]
    pub fn postal(&self) -> bool {
        self.fields.flag("postal").unwrap_or(false)
    }

    /// Whether the game has begun, if the state says so.
    #[must_use]
    pub fn started(&self) -> Option<bool> {
        self.fields.get("starttime").map(|time| !["", "0"].contains(&time.trim()))
    }

    /// The request to take back a turn, if there is one.
    #[must_use]
    pub fn takeback(&self) -> Option<Takeback> {
        let mut words = self.fields.text("takeback")?.split_whitespace();
        let side = words.next().and_then(read_side)?;
        Some(Takeback { side, tag: words.next().and_then(TurnTag::parse) })
    }

    /// The moves, one per line.
    #[must_use]
    pub fn moves(&self) -> &str {
        self.fields.get("moves").unwrap_or_default()
    }

    /// Time control and reserves, unless the state lacks them.
    #[must_use]
    pub fn times(&self) -> Option<TurnTimes> {
        TurnTimes::parse(&self.fields)
    }

    /// The clock of `side`, whose turn it is.
    #[must_use]
    pub fn turn_clock(&self, side: Side, setup: bool) -> Option<TurnClock> {
        Some(self.times()?.turn_clock(&self.fields, side, setup))
    }

    /// What the player at `side` has to do, without regard to the moves.
    #[must_use]
    pub fn due(&self, side: Side) -> TurnDue {
        if let Some(result) = self.result() {
            return TurnDue::Over(result);
        }
        // In a postal game, gold may place its pieces before there is an opponent.
        if self.opponent(side).is_none() && !self.postal() {
            return TurnDue::NoOpponent;
        }
        let waiting = self.started() == Some(false) && !self.postal();
        if waiting && self.present(side.other()) == Some(false) {
            return TurnDue::OpponentAway;
        }
        match self.turn() {
            None => TurnDue::Unknown,
            Some(turn) if turn != side => TurnDue::Opponent,
            Some(_) if waiting && side == Side::Gold => TurnDue::Start,
            Some(_) => TurnDue::Own,
        }
    }

    /// Replays the moves and compares them with the side to move.
    pub fn game(&self) -> Result<Game, StateError> {
        let (game, label) = replay_moves(self.moves())?;
        let over = self.result().is_some();
        if let Some(label) = label.filter(|label| !over && *label != game.tag()) {
            let label = label.to_string();
            return Err(Contradiction::Label { label, due: game.tag() }.into());
        }
        match (self.turn(), game.result()) {
            _ if over => {}
            (_, Some(result)) => return Err(Contradiction::GoesOn(result).into()),
            (Some(turn), None) if turn != game.side() => {
                return Err(Contradiction::Turn { turn, moves: game.side() }.into());
            }
            _ => {}
        }
        Ok(game)
    }

    /// Text of the server for logs: one line, without control characters.
    #[must_use]
    pub fn printable(text: &str) -> String {
        printable(text)
    }
}

/// The game of a list of moves and the bare label at its end. Takebacks are applied; a side may have placed fewer than
/// sixteen pieces.
///
/// ```
/// use surus_gameroom::protocol::replay_moves;
///
/// let (game, label) = replay_moves("1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n1b takeback\n1w ")?;
/// assert!(game.entries().is_empty());
/// assert_eq!(label.unwrap().to_string(), "1g");
/// # Ok::<(), surus_rules::RecordError>(())
/// ```
pub fn replay_moves(moves: &str) -> Result<(Game, Option<TurnTag>), RecordError> {
    let game = Game::new(Rules::Official, Handicap::Allowed);
    let lines: Vec<&str> = moves.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let Some((last, before)) = lines.split_last() else { return Ok((game, None)) };
    let label = TurnTag::parse(last);
    let played = if label.is_some() { before } else { &lines[..] };
    if played.is_empty() {
        return Ok((game, label));
    }
    Ok((Record::parse(&played.join("\n"))?.replay_on(game)?.game, label))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: &str = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

    fn state(pairs: &[(&str, &str)]) -> TableState {
        TableState::new(pairs.iter().copied().collect())
    }

    #[test]
    fn who_has_to_act() {
        let base = [("wplayer", "bot_Me"), ("bplayer", "Ann"), ("turn", "w"), ("starttime", "1700000000")];
        let due = |changed: &[(&str, &str)], side| {
            let pairs: Vec<_> = changed.iter().chain(&base).copied().collect();
            state(&pairs).due(side)
        };
        assert_eq!(due(&[], Side::Gold), TurnDue::Own);
        assert_eq!(due(&[], Side::Silver), TurnDue::Opponent);
        assert_eq!(due(&[("starttime", "")], Side::Gold), TurnDue::Start);
        assert_eq!(due(&[("starttime", ""), ("bpresent", "0")], Side::Gold), TurnDue::OpponentAway);
        assert_eq!(due(&[("bpresent", "0")], Side::Gold), TurnDue::Own);
        assert_eq!(due(&[("bplayer", "")], Side::Gold), TurnDue::NoOpponent);
        assert_eq!(due(&[("bplayer", ""), ("postal", "1"), ("starttime", "")], Side::Gold), TurnDue::Own);
        assert_eq!(due(&[("turn", "")], Side::Gold), TurnDue::Unknown);
        assert!(matches!(due(&[("result", "wt")], Side::Gold), TurnDue::Over(_)));
    }

    #[test]
    fn takebacks_and_the_bare_label_are_replayed() {
        let moves =
            format!("{GOLD}\n{SILVER}\n2w Ee2n\n2b ed7s\n3w takeback\n2b takeback\n2w Ee2n Ee3n\n2b ");
        let (game, label) = replay_moves(&moves).unwrap();
        assert_eq!((game.entries().len(), game.tag()), (3, label.unwrap()));
        assert!(game.to_string().contains("2g Ee2n Ee3n"));
        assert_eq!(replay_moves("").unwrap().0.entries().len(), 0);
    }

    #[test]
    fn contradictions_are_errors() {
        let moves = format!("{GOLD}\n{SILVER}\n2w ");
        let error = |pairs: &[(&str, &str)]| state(pairs).game().unwrap_err().to_string();
        assert_eq!(
            error(&[("moves", &moves), ("turn", "b")]),
            "contradictory state: the server says that silver is to move, but after the moves it is gold"
        );
        assert_eq!(
            error(&[("moves", &format!("{GOLD}\n2w "))]),
            "contradictory state: the moves end with the label 2g, but 1s is due"
        );
        assert!(
            error(&[("moves", &format!("{GOLD}\n{SILVER}\n2w Ee2s"))])
                .starts_with("the moves cannot be replayed: line 3: 2g: ")
        );
        assert!(state(&[("moves", &moves), ("turn", "w")]).game().is_ok());
        // After the end, the turn does not matter.
        assert!(state(&[("moves", &moves), ("turn", "b"), ("result", "wr")]).game().is_ok());
    }

    #[test]
    fn takeback_requests_name_a_side_and_a_turn() {
        let takeback = state(&[("takeback", "w 7b")]).takeback().unwrap();
        assert_eq!((takeback.side, takeback.tag.unwrap().to_string()), (Side::Gold, "7s".into()));
        assert_eq!(state(&[("takeback", "")]).takeback(), None);
        assert_eq!(state(&[("takeback", "?")]).takeback(), None);
    }
}
