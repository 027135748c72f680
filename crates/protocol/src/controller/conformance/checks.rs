//! The individual checks.

use std::time::{Duration, Instant};

use surus_rules::Side;

use super::error::CheckError;
use super::session::CheckSession;
use super::{CheckFn, CheckOutcome, CheckResult, CheckStatus};
use crate::controller::EngineProcessOptions;
use crate::controller::parse::strip_keyword;
use crate::controller::process::{EngineProcess, ReadOutcome};

const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";
const BOARD: &str = "[ rrrrrrrhdcemcdh                  rE            HDCM CDHRRRRRRRR]";
const CAPTURE: &str = "rc4s rc3x Ed4w";

/// Time for the process to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) const ID_LINES: &str = "id lines";

/// The checks after the handshake, in this order.
pub(super) const CHECKS: [(&str, CheckFn); 21] = [
    ("isready", is_ready),
    ("sets up gold", sets_up_gold),
    ("sets up silver", sets_up_silver),
    ("plays in the opening", plays_in_the_opening),
    ("setposition with g and s", gold_silver_letters),
    ("setposition with w and b", white_black_letters),
    ("makemove with a capture", capture),
    ("time options in any order", options_in_any_order),
    ("unknown option", unknown_option),
    ("isready while searching", ready_while_searching),
    ("stop", stop),
    ("go ponder, makemove, go", ponder),
    ("one bestmove per go", one_answer),
    ("CRLF line ends", crlf),
    ("respects the time control", time_control),
    ("legal turns", legal_turns),
    ("newgame resets the position", new_game_resets),
    ("exits on an unknown message", unknown_message),
    ("exits on end of input", end_of_input),
    ("exits on quit", quit),
    ("exits on quit while searching", quit_while_searching),
];

const fn pass() -> CheckOutcome {
    Ok((CheckStatus::Pass, String::new()))
}

fn pass_with(detail: impl Into<String>) -> CheckOutcome {
    Ok((CheckStatus::Pass, detail.into()))
}

fn warn(detail: impl Into<String>) -> CheckOutcome {
    Ok((CheckStatus::Warn, detail.into()))
}

/// Checks order and speed of the handshake and the id lines. A failed handshake has only one result.
pub(super) fn handshake(mut process: EngineProcess, settings: &EngineProcessOptions) -> Vec<CheckResult> {
    const CHECK: &str = "handshake";
    let start = Instant::now();
    process.send("aei");
    let mut lines: Vec<String> = Vec::new();
    let failed = loop {
        match process.read_line() {
            ReadOutcome::Line(line) if line == "aeiok" => break None,
            ReadOutcome::Line(line) if lines.len() < settings.max_lines => lines.push(line),
            ReadOutcome::Line(_) | ReadOutcome::LineTooLong => break Some(CheckError::OutputLimitExceeded),
            ReadOutcome::Exited => {
                let (status, log_tail) = (process.status(), process.log_tail());
                break Some(CheckError::Exited { status, log_tail });
            }
            ReadOutcome::Pending => {}
        }
        if start.elapsed() >= settings.startup_timeout {
            break Some(CheckError::Timeout { keyword: "aeiok", timeout: settings.startup_timeout });
        }
    };
    if let Some(error) = failed {
        return vec![CheckResult { check: CHECK, status: CheckStatus::Fail, detail: error.to_string() }];
    }
    let took = start.elapsed();
    let is = |line: &&String, word: &str| strip_keyword(line, word).is_some();
    let mut messages = lines.iter().filter(|line| !is(line, "log"));
    let (status, detail) = if messages.next().is_none_or(|line| line.trim() != "protocol-version 1") {
        (CheckStatus::Fail, "the first line must be 'protocol-version 1'".into())
    } else if let Some(line) = messages.find(|line| !is(line, "id")) {
        (CheckStatus::Fail, format!("unexpected line '{line}' before aeiok: expected id lines"))
    } else if took > Duration::from_secs(1) {
        (CheckStatus::Warn, format!("aeiok took {:.1} s; initialise on isready instead", took.as_secs_f64()))
    } else {
        (CheckStatus::Pass, format!("{:.2} s", took.as_secs_f64()))
    };
    let id = |word: &str| {
        lines.iter().filter_map(|line| strip_keyword(line, "id")).find_map(|text| strip_keyword(text, word))
    };
    let missing: Vec<&str> =
        ["name", "author", "version"].into_iter().filter(|word| id(word).is_none()).collect();
    let (id_status, id_detail) = match (id("name"), id("version")) {
        (None, _) => (CheckStatus::Fail, "missing 'id name …'".into()),
        (Some(name), Some(version)) if missing.is_empty() => (CheckStatus::Pass, format!("{name} {version}")),
        (Some(_), _) => (CheckStatus::Warn, format!("missing id {}", missing.join(", id "))),
    };
    vec![
        CheckResult { check: CHECK, status, detail },
        CheckResult { check: ID_LINES, status: id_status, detail: id_detail },
    ]
}

fn is_ready(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.wait_ready()?;
    session.send("newgame");
    session.wait_ready()?;
    pass()
}

fn sets_up_gold(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.new_game(&[])?;
    session.go()?;
    pass()
}

fn sets_up_silver(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.new_game(&[GOLD])?;
    session.go()?;
    pass()
}

fn plays_in_the_opening(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.new_game(&[GOLD, SILVER])?;
    session.go()?;
    pass()
}

fn gold_silver_letters(session: &mut CheckSession<'_>) -> CheckOutcome {
    for side in Side::BOTH {
        session.set_position(&format!("{} {BOARD}", side.letter()))?;
        session.go()?;
    }
    pass()
}

/// Letters of old AEI versions, which some controllers still send.
fn white_black_letters(session: &mut CheckSession<'_>) -> CheckOutcome {
    for letter in ['w', 'b'] {
        session.set_position(&format!("{letter} {BOARD}"))?;
        if let Err(error) = session.go() {
            return warn(format!("'{letter}' is not accepted, which some controllers send: {error}"));
        }
    }
    pass()
}

fn capture(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.set_position(&format!("g {BOARD}"))?;
    session.make_move(CAPTURE)?;
    session.go()?;
    pass()
}

fn options_in_any_order(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.set_options(&[
        ("moveused", 0),
        ("sreserve", 9),
        ("tcturntime", 20),
        ("tcmax", 30),
        ("tcpercent", 50),
    ]);
    session.new_game(&[GOLD, SILVER])?;
    session.set_options(&[("tcturns", 0), ("greserve", 9), ("tctotal", 0), ("tcreserve", 10), ("tcmove", 1)]);
    session.go()?;
    session.set_options(&[
        ("lastmoveused", 1),
        ("gused", 1),
        ("sused", 1),
        ("rated", 1),
        ("opponent_rating", 1500),
    ]);
    session.wait_ready()?;
    session.go()?;
    pass()
}

fn unknown_option(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.wait_ready()?;
    session.send("setoption name surus_undefined_option value 1");
    let lines = session.wait_ready()?;
    if lines.iter().any(|line| strip_keyword(line, "log").is_some()) {
        return pass();
    }
    warn("not reported; 'log Warning: …' helps to find mistyped options")
}

/// Starts a search with `seconds` on the clock.
fn start_search(session: &mut CheckSession<'_>, seconds: u32) -> Result<(), CheckError> {
    session.new_game(&[GOLD, SILVER])?;
    session.set_options(&[("tcmove", seconds), ("greserve", 0), ("tcreserve", 0)]);
    session.wait_ready()?;
    session.send("go");
    Ok(())
}

fn ready_while_searching(session: &mut CheckSession<'_>) -> CheckOutcome {
    start_search(session, 5)?;
    session.send("isready");
    if session.read_until("readyok", Duration::from_millis(1500)).is_err() {
        session.read_until("readyok", session.stop_timeout() + Duration::from_secs(5))?;
        return Err(CheckError::LateReady);
    }
    pass()
}

fn stop(session: &mut CheckSession<'_>) -> CheckOutcome {
    start_search(session, 60)?;
    let early = session.collect_for(Duration::from_millis(300))?;
    if let Some(end) = early.iter().position(|line| strip_keyword(line, "bestmove").is_some()) {
        session.play_bestmove(&early[..=end])?;
        session.send("stop");
        session.wait_ready()?;
        return pass_with("answers before it can be stopped");
    }
    session.send("stop");
    let lines = session.read_until("bestmove", session.stop_timeout()).map_err(|error| match error {
        CheckError::Timeout { timeout, .. } => CheckError::IgnoresStop { timeout },
        other => other,
    })?;
    session.play_bestmove(&lines)?;
    pass()
}

fn ponder(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.new_game(&[GOLD, SILVER])?;
    session.go()?;
    session.send("go ponder");
    let lines = session.collect_for(Duration::from_millis(500))?;
    if lines.iter().any(|line| strip_keyword(line, "bestmove").is_some()) {
        return Err(CheckError::UnexpectedAnswer("go ponder"));
    }
    let Some(turn) = session.game.legal_turns().first().copied() else {
        return pass_with("the game ends before it can ponder");
    };
    let text = session.game.position().board().notation(&turn);
    session.make_move(&text)?;
    let lines = session.wait_ready()?;
    if lines.iter().any(|line| strip_keyword(line, "bestmove").is_some()) {
        return Err(CheckError::UnexpectedAnswer("makemove while pondering"));
    }
    session.go()?;
    pass()
}

fn one_answer(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.new_game(&[GOLD, SILVER])?;
    session.go()?;
    let lines = session.wait_ready()?;
    if lines.iter().any(|line| strip_keyword(line, "bestmove").is_some()) {
        return Err(CheckError::SecondAnswer);
    }
    pass()
}

fn crlf(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.line_end = "\r";
    session.new_game(&[GOLD, SILVER])?;
    session.wait_ready()?;
    session.go()?;
    pass()
}

fn time_control(session: &mut CheckSession<'_>) -> CheckOutcome {
    const SECONDS: u32 = 2;
    session.new_game(&[GOLD, SILVER])?;
    session.set_options(&[
        ("tcmove", SECONDS),
        ("tcreserve", 0),
        ("tcpercent", 0),
        ("greserve", 0),
        ("sreserve", 0),
    ]);
    session.wait_ready()?;
    let (took, allowed) = (session.go()?, Duration::from_secs(SECONDS.into()));
    if took > allowed {
        return Err(CheckError::Overtime { took, allowed });
    }
    pass_with(format!("{:.2} s of {SECONDS} s", took.as_secs_f64()))
}

fn legal_turns(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.new_game(&[])?;
    for _ in 0..8 {
        if session.game.result().is_some() {
            break;
        }
        session.go()?;
    }
    pass()
}

fn unknown_message(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.send("surus_undefined_message");
    expect_exit(session)
}

fn end_of_input(session: &mut CheckSession<'_>) -> CheckOutcome {
    session.process.close_stdin();
    expect_exit(session)
}

fn expect_exit(session: &mut CheckSession<'_>) -> CheckOutcome {
    let exited = session.process.wait_timeout(EXIT_TIMEOUT);
    if exited { pass() } else { Err(CheckError::StillRunning(EXIT_TIMEOUT)) }
}

fn quit(session: &mut CheckSession<'_>) -> CheckOutcome {
    let start = Instant::now();
    session.send("quit");
    let outcome = expect_exit(session)?;
    let took = start.elapsed().as_secs_f64();
    if took < 1.0 { Ok(outcome) } else { warn(format!("took {took:.1} s")) }
}

fn quit_while_searching(session: &mut CheckSession<'_>) -> CheckOutcome {
    start_search(session, 60)?;
    quit(session)
}

fn new_game_resets(session: &mut CheckSession<'_>) -> CheckOutcome {
    // The first game ends with a goal.
    session.set_position(&format!("g [r      r{}R{}R]", " ".repeat(8), " ".repeat(46)))?;
    session.make_move("Ra6n Ra7e Rb7n")?;
    session.wait_ready()?;
    session.new_game(&[GOLD])?;
    session.go()?;
    pass()
}
