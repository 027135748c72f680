//! The checks themselves.

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

/// How long a program may take to end.
const END: Duration = Duration::from_secs(2);

pub(super) const IDS: &str = "id lines";

/// What is checked after the handshake, in this order.
pub(super) const CHECKS: [(&str, CheckFn); 21] = [
    ("isready", is_ready),
    ("sets up gold", sets_up_gold),
    ("sets up silver", sets_up_silver),
    ("plays in the opening", plays_in_the_opening),
    ("setposition with g and s", modern_letters),
    ("setposition with w and b", old_letters),
    ("makemove with a capture", capture),
    ("options about time in any order", options_in_any_order),
    ("an unknown option", unknown_option),
    ("isready while it thinks", ready_while_thinking),
    ("stop", stop),
    ("go ponder, makemove, go", ponder),
    ("one answer to one go", one_answer),
    ("carriage returns", carriage_returns),
    ("respects the time control", keeps_time),
    ("a few legal turns", legal_turns),
    ("newgame resets the position", next_game),
    ("exits on an unknown message", unknown_message),
    ("exits on end of input", end_of_input),
    ("exits on quit", quit),
    ("exits on quit while searching", quit_while_thinking),
];

const fn pass() -> CheckOutcome {
    Ok((CheckStatus::Pass, String::new()))
}

fn pass_with(words: impl Into<String>) -> CheckOutcome {
    Ok((CheckStatus::Pass, words.into()))
}

fn warn(words: impl Into<String>) -> CheckOutcome {
    Ok((CheckStatus::Warn, words.into()))
}

/// The handshake on a program that has just been started: its order and its speed; who it is.
pub(super) fn handshake(mut child: EngineProcess, settings: &EngineProcessOptions) -> Vec<CheckResult> {
    const CHECK: &str = "handshake";
    let begun = Instant::now();
    child.say("aei");
    let mut lines: Vec<String> = Vec::new();
    let failed = loop {
        match child.wait() {
            ReadOutcome::Line(line) if line == "aeiok" => break None,
            ReadOutcome::Line(line) if lines.len() < settings.max_lines => lines.push(line),
            ReadOutcome::Line(_) | ReadOutcome::TooLong => break Some(CheckError::Flood),
            ReadOutcome::Gone => {
                let (status, last_words) = (child.status(), child.log_tail());
                break Some(CheckError::Ended { status, last_words });
            }
            ReadOutcome::Nothing => {}
        }
        if settings.startup_timeout <= begun.elapsed() {
            break Some(CheckError::Silent { word: "aeiok", time: settings.startup_timeout });
        }
    };
    if let Some(error) = failed {
        return vec![CheckResult { check: CHECK, verdict: CheckStatus::Fail, detail: error.to_string() }];
    }
    let took = begun.elapsed();
    let is = |line: &&String, word: &str| strip_keyword(line, word).is_some();
    let mut said = lines.iter().filter(|line| !is(line, "log"));
    let (verdict, words) = if said.next().is_none_or(|line| line.trim() != "protocol-version 1") {
        (CheckStatus::Fail, "the first line has to be 'protocol-version 1'".into())
    } else if let Some(line) = said.find(|line| !is(line, "id")) {
        (CheckStatus::Fail, format!("expected id lines before aeiok, found '{line}'"))
    } else if Duration::from_secs(1) < took {
        (
            CheckStatus::Warn,
            format!("aeiok took {:.1} s; what takes long belongs to isready", took.as_secs_f64()),
        )
    } else {
        (CheckStatus::Pass, format!("{:.2} s", took.as_secs_f64()))
    };
    let id = |word: &str| {
        lines.iter().filter_map(|line| strip_keyword(line, "id")).find_map(|text| strip_keyword(text, word))
    };
    let missing: Vec<&str> =
        ["name", "author", "version"].into_iter().filter(|word| id(word).is_none()).collect();
    let who = match (id("name"), id("version")) {
        (None, _) => (CheckStatus::Fail, "there is no line 'id name …'".into()),
        (Some(name), Some(version)) if missing.is_empty() => (CheckStatus::Pass, format!("{name} {version}")),
        (Some(_), _) => (CheckStatus::Warn, format!("no id {}", missing.join(", no id "))),
    };
    vec![
        CheckResult { check: CHECK, verdict, detail: words },
        CheckResult { check: IDS, verdict: who.0, detail: who.1 },
    ]
}

fn is_ready(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.ready()?;
    talk.say("newgame");
    talk.ready()?;
    pass()
}

fn sets_up_gold(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.new_game(&[])?;
    talk.go()?;
    pass()
}

fn sets_up_silver(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.new_game(&[GOLD])?;
    talk.go()?;
    pass()
}

fn plays_in_the_opening(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.new_game(&[GOLD, SILVER])?;
    talk.go()?;
    pass()
}

fn modern_letters(talk: &mut CheckSession<'_>) -> CheckOutcome {
    for side in Side::BOTH {
        talk.set_position(&format!("{} {BOARD}", side.letter()))?;
        talk.go()?;
    }
    pass()
}

/// Letters from before version 1, which some controllers still send.
fn old_letters(talk: &mut CheckSession<'_>) -> CheckOutcome {
    for letter in ['w', 'b'] {
        talk.set_position(&format!("{letter} {BOARD}"))?;
        if let Err(words) = talk.go() {
            return warn(format!("it does not understand '{letter}', which some controllers send: {words}"));
        }
    }
    pass()
}

fn capture(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.set_position(&format!("g {BOARD}"))?;
    talk.make_move(CAPTURE)?;
    talk.go()?;
    pass()
}

fn options_in_any_order(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.set(&[("moveused", 0), ("sreserve", 9), ("tcturntime", 20), ("tcmax", 30), ("tcpercent", 50)]);
    talk.new_game(&[GOLD, SILVER])?;
    talk.set(&[("tcturns", 0), ("greserve", 9), ("tctotal", 0), ("tcreserve", 10), ("tcmove", 1)]);
    talk.go()?;
    talk.set(&[("lastmoveused", 1), ("gused", 1), ("sused", 1), ("rated", 1), ("opponent_rating", 1500)]);
    talk.ready()?;
    talk.go()?;
    pass()
}

fn unknown_option(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.ready()?;
    talk.say("setoption name no_program_has_this value 1");
    let lines = talk.ready()?;
    if lines.iter().any(|line| strip_keyword(line, "log").is_some()) {
        return pass();
    }
    warn("it says nothing about it; a 'log Warning: …' helps who has mistyped")
}

/// A search that would take its time if the program takes any.
fn long_search(talk: &mut CheckSession<'_>, seconds: u32) -> Result<(), CheckError> {
    talk.new_game(&[GOLD, SILVER])?;
    talk.set(&[("tcmove", seconds), ("greserve", 0), ("tcreserve", 0)]);
    talk.ready()?;
    talk.say("go");
    Ok(())
}

fn ready_while_thinking(talk: &mut CheckSession<'_>) -> CheckOutcome {
    long_search(talk, 5)?;
    talk.say("isready");
    if talk.until("readyok", Duration::from_millis(1500)).is_err() {
        talk.until("readyok", talk.grace() + Duration::from_secs(5))?;
        return Err(CheckError::LateReady);
    }
    pass()
}

fn stop(talk: &mut CheckSession<'_>) -> CheckOutcome {
    long_search(talk, 60)?;
    let early = talk.collect_for(Duration::from_millis(300))?;
    if let Some(end) = early.iter().position(|line| strip_keyword(line, "bestmove").is_some()) {
        talk.play_bestmove(&early[..=end])?;
        talk.say("stop");
        talk.ready()?;
        return pass_with("it answers before it can be stopped");
    }
    talk.say("stop");
    let lines = talk.until("bestmove", talk.grace()).map_err(|error| match error {
        CheckError::Silent { time, .. } => CheckError::IgnoresStop { time },
        other => other,
    })?;
    talk.play_bestmove(&lines)?;
    pass()
}

fn ponder(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.new_game(&[GOLD, SILVER])?;
    talk.go()?;
    talk.say("go ponder");
    let said = talk.collect_for(Duration::from_millis(500))?;
    if said.iter().any(|line| strip_keyword(line, "bestmove").is_some()) {
        return Err(CheckError::Unasked("go ponder without being asked to"));
    }
    let Some(turn) = talk.game.legal_turns().first().copied() else {
        return pass_with("the game is over before it can ponder");
    };
    let text = talk.game.position().board().notation(&turn);
    talk.make_move(&text)?;
    let said = talk.ready()?;
    if said.iter().any(|line| strip_keyword(line, "bestmove").is_some()) {
        return Err(CheckError::Unasked("a makemove while it ponders"));
    }
    talk.go()?;
    pass()
}

fn one_answer(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.new_game(&[GOLD, SILVER])?;
    talk.go()?;
    let said = talk.ready()?;
    if said.iter().any(|line| strip_keyword(line, "bestmove").is_some()) {
        return Err(CheckError::SecondAnswer);
    }
    pass()
}

fn carriage_returns(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.line_end = "\r";
    talk.new_game(&[GOLD, SILVER])?;
    talk.ready()?;
    talk.go()?;
    pass()
}

fn keeps_time(talk: &mut CheckSession<'_>) -> CheckOutcome {
    const SECONDS: u32 = 2;
    talk.new_game(&[GOLD, SILVER])?;
    talk.set(&[("tcmove", SECONDS), ("tcreserve", 0), ("tcpercent", 0), ("greserve", 0), ("sreserve", 0)]);
    talk.ready()?;
    let (took, allowed) = (talk.go()?, Duration::from_secs(SECONDS.into()));
    if allowed < took {
        return Err(CheckError::Overtime { took, allowed });
    }
    pass_with(format!("{:.2} s of {SECONDS} s", took.as_secs_f64()))
}

fn legal_turns(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.new_game(&[])?;
    for _ in 0..8 {
        if talk.game.result().is_some() {
            break;
        }
        talk.go()?;
    }
    pass()
}

fn unknown_message(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.say("surus_asks_for_something_that_is_not_there");
    let ended = talk.child.wait_timeout(END);
    if ended { pass() } else { Err(CheckError::GoesOn) }
}

fn end_of_input(talk: &mut CheckSession<'_>) -> CheckOutcome {
    talk.child.close_stdin();
    let ended = talk.child.wait_timeout(END);
    if ended { pass() } else { Err(CheckError::StillRuns(END)) }
}

fn quit(talk: &mut CheckSession<'_>) -> CheckOutcome {
    let begun = Instant::now();
    talk.say("quit");
    if !talk.child.wait_timeout(END) {
        return Err(CheckError::StillRuns(END));
    }
    let took = begun.elapsed().as_secs_f64();
    if took < 1.0 { pass() } else { warn(format!("it takes {took:.1} s")) }
}

fn quit_while_thinking(talk: &mut CheckSession<'_>) -> CheckOutcome {
    long_search(talk, 60)?;
    quit(talk)
}

fn next_game(talk: &mut CheckSession<'_>) -> CheckOutcome {
    // A game that ends in goal, and the next one.
    talk.set_position(&format!("g [r      r{}R{}R]", " ".repeat(8), " ".repeat(46)))?;
    talk.make_move("Ra6n Ra7e Rb7n")?;
    talk.ready()?;
    talk.new_game(&[GOLD])?;
    talk.go()?;
    pass()
}
