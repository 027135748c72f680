//! Synchronising the engine's game and limits.

use std::time::Duration;

use surus_play::Job;
use surus_rules::{Board, Clock, Game, GameLimit, PlayedTurn, Side, TimeControl, TurnTag};

/// The game state of an engine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SyncedGame {
    board: Board,
    tag: TurnTag,
    played: Vec<PlayedTurn>,
}

impl SyncedGame {
    /// The state after `newgame`.
    pub(crate) const fn new_game() -> Self {
        Self { board: Board::EMPTY, tag: TurnTag::FIRST, played: Vec::new() }
    }

    /// The messages that bring an engine from state `synced` to `game`, and its new state. A continuation of the game
    /// sends only the new turns; any other game is sent from its start, because repetitions depend on the history.
    pub(crate) fn sync_commands(synced: Option<Self>, game: &Game) -> (Vec<String>, Self) {
        let (&board, tag) = game.origin();
        let played: Vec<PlayedTurn> = game.entries().iter().map(|entry| entry.played).collect();
        let is_prefix = |synced: &Self| {
            (synced.board, synced.tag.side) == (board, tag.side) && played.starts_with(&synced.played)
        };
        let mut lines = Vec::new();
        let sent = match synced.filter(is_prefix) {
            Some(synced) => synced.played.len(),
            None => {
                lines.push(if board == Board::EMPTY {
                    "newgame".into()
                } else {
                    format!("setposition {} [{}]", tag.side.letter(), board.compact())
                });
                0
            }
        };
        let mut before = if sent == 0 { board } else { game.entries()[sent - 1].board };
        for entry in &game.entries()[sent..] {
            lines.push(match &entry.played {
                PlayedTurn::Setup(setup) => format!("makemove {setup}"),
                PlayedTurn::Turn(turn) => format!("makemove {}", before.notation(turn)),
            });
            before = entry.board;
        }
        (lines, Self { board, tag, played })
    }
}

/// The message that sets an option.
pub(crate) fn setoption(name: &str, value: &str) -> String {
    if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
    }
}

/// An AEI option that limits a search.
pub(crate) struct LimitOption {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// Whether to send it before each turn even if unchanged.
    pub(crate) always: bool,
}

/// The initial value of a limit option.
pub(crate) fn default_value(name: &str) -> &'static str {
    if name == "tcpercent" { "100" } else { "0" }
}

/// The clock of a job. AEI has no fixed time per turn, so that becomes a clock without a reserve.
pub(crate) fn job_clock(job: &Job) -> Option<Clock> {
    let fixed = |time: Duration| {
        Clock::new(TimeControl {
            per_turn: time,
            reserve: Duration::ZERO,
            percent: 0,
            reserve_limit: Duration::ZERO,
            game_limit: GameLimit::None,
            turn_limit: Duration::ZERO,
        })
    };
    job.clock.or_else(|| job.limits.time.map(|time| fixed(time.hard)))
}

/// The limits of a job as AEI options.
pub(crate) fn limit_options(job: &Job) -> Vec<LimitOption> {
    let clock = job_clock(job);
    let mut options: Vec<LimitOption> = clock_values(clock.as_ref())
        .into_iter()
        .map(|(name, value)| {
            let always = clock.is_some() && ["greserve", "sreserve", "moveused"].contains(&name);
            LimitOption { name, value, always }
        })
        .collect();
    // In AEI, 0 is no limit.
    let number = |name, value: u64| LimitOption { name, value: value.to_string(), always: false };
    options.push(number("depth", job.limits.depth.map_or(0, u64::from)));
    options.push(number("nodes", job.limits.nodes.unwrap_or(0)));
    options
}

/// The standard time options.
pub(crate) fn clock_values(clock: Option<&Clock>) -> Vec<(&'static str, String)> {
    let none = Duration::ZERO;
    let control = clock.map(Clock::control);
    let time = |part: fn(&TimeControl) -> Duration| seconds(control.map_or(none, part));
    let limit = control.map_or(GameLimit::None, |control| control.game_limit);
    let (total, turns) = match limit {
        GameLimit::None => (none, 0),
        GameLimit::Time(total) => (total, 0),
        GameLimit::Turns(turns) => (none, turns),
    };
    // Old engines parse integers only; rounding down is safe.
    let reserve = |side| clock.map_or(0, |clock| clock.reserve(side).as_secs()).to_string();
    vec![
        ("tcmove", time(|control| control.per_turn)),
        ("tcreserve", time(|control| control.reserve)),
        ("tcpercent", control.map_or(100, |control| control.percent).to_string()),
        ("tcmax", time(|control| control.reserve_limit)),
        ("tctotal", seconds(total)),
        ("tcturns", turns.to_string()),
        ("tcturntime", time(|control| control.turn_limit)),
        ("greserve", reserve(Side::Gold)),
        ("sreserve", reserve(Side::Silver)),
        ("moveused", "0".into()),
    ]
}

/// Formats full seconds as an integer, because some engines parse nothing else.
fn seconds(time: Duration) -> String {
    if time.subsec_nanos() == 0 {
        return time.as_secs().to_string();
    }
    format!("{:.3}", time.as_secs_f64()).trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use surus_play::{Limits, TimeBudget};
    use surus_rules::Rules;

    use super::*;

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";

    #[test]
    fn continuation_sends_only_new_turns() {
        let mut game = Game::default();
        let (lines, synced) = SyncedGame::sync_commands(Some(SyncedGame::new_game()), &game);
        assert!(lines.is_empty());
        game.play_text(GOLD).unwrap();
        let (lines, synced) = SyncedGame::sync_commands(Some(synced), &game);
        assert_eq!(lines, [format!("makemove {GOLD}")]);
        for text in [SILVER, "Ee2n Ee3n", "ee7s"] {
            game.play_text(text).unwrap();
        }
        let (lines, synced) = SyncedGame::sync_commands(Some(synced), &game);
        assert_eq!(lines[1..], ["makemove Ee2n Ee3n", "makemove ee7s"]);
        game.undo_turn();
        let (lines, _) = SyncedGame::sync_commands(Some(synced), &game);
        assert_eq!((lines[0].as_str(), lines.len()), ("newgame", 4), "a takeback resends the game");
    }

    #[test]
    fn given_position_is_sent_with_its_turns() {
        let text = format!("g [r{}R r{}R]", " ".repeat(23), " ".repeat(36));
        let mut game = Game::from_text(&text, Rules::Official).unwrap();
        game.play_text("Ra5n").unwrap();
        let (lines, synced) = SyncedGame::sync_commands(None, &game);
        assert_eq!(lines[0], format!("setposition {text}"));
        assert_eq!(lines[1..], ["makemove Ra5n"]);
        game.play_text("rc5s rc4s rc3x").unwrap();
        let (lines, _) = SyncedGame::sync_commands(Some(synced), &game);
        assert_eq!(lines, ["makemove rc5s rc4s rc3x"]);
    }

    #[test]
    fn limits_map_to_standard_options() {
        let values = |job: &Job| {
            let options = limit_options(job);
            move |name: &str| options.iter().find(|option| option.name == name).unwrap().value.clone()
        };
        let mut job = Job::new(Game::default());
        assert!(
            limit_options(&job)
                .iter()
                .all(|option| !option.always && option.value == default_value(option.name))
        );
        let time = Some(TimeBudget::fixed(Duration::from_millis(1500)));
        job.limits = Limits { time, depth: Some(8), nodes: Some(1000) };
        let value = values(&job);
        assert_eq!(
            ["tcmove", "tcreserve", "tcpercent", "greserve", "depth", "nodes"].map(value),
            ["1.5", "0", "0", "0", "8", "1000"]
        );
        let mut clock = Clock::new("30s/2m/50/5m/80t/1m".parse().unwrap());
        clock.set_reserve(Side::Silver, Duration::from_millis(61_900));
        job.clock = Some(clock);
        let value = values(&job);
        assert_eq!(
            ["tcmove", "tcreserve", "tcpercent", "tcmax", "tctotal", "tcturns", "tcturntime"].map(&value),
            ["30", "120", "50", "300", "0", "80", "60"]
        );
        assert_eq!(["greserve", "sreserve", "moveused"].map(value), ["120", "61", "0"]);
    }
}
