//! The checks themselves.

use std::time::{Duration, Instant};

use surus_rules::Side;

use super::error::CheckError;
use super::talk::Talk;
use super::{Finding, Outcome, Verdict, Walk};
use crate::controller::ProgramSettings;
use crate::controller::child::{Child, Wait};
use crate::controller::hear::behind;

const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";
const BOARD: &str = "[ rrrrrrrhdcemcdh                  rE            HDCM CDHRRRRRRRR]";
const CAPTURE: &str = "rc4s rc3x Ed4w";

/// How long a program may take to end.
const END: Duration = Duration::from_secs(2);

pub(super) const IDS: &str = "tells who it is";

/// What is checked after the handshake, in this order.
pub(super) const CHECKS: [(&str, Walk); 21] = [
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
    ("keeps time", keeps_time),
    ("a few legal turns", legal_turns),
    ("the next game", next_game),
    ("a message that does not exist ends it", unknown_message),
    ("the end of input ends it", end_of_input),
    ("quit ends it", quit),
    ("quit ends it while it thinks", quit_while_thinking),
];

const fn fine() -> Outcome {
    Ok((Verdict::Ok, String::new()))
}

fn remark(words: impl Into<String>) -> Outcome {
    Ok((Verdict::Ok, words.into()))
}

fn note(words: impl Into<String>) -> Outcome {
    Ok((Verdict::Note, words.into()))
}

/// The handshake on a program that has just been started: its order and its speed; who it is.
pub(super) fn handshake(mut child: Child, settings: &ProgramSettings) -> Vec<Finding> {
    const CHECK: &str = "handshake";
    let begun = Instant::now();
    child.say("aei");
    let mut lines: Vec<String> = Vec::new();
    let failed = loop {
        match child.wait() {
            Wait::Line(line) if line == "aeiok" => break None,
            Wait::Line(line) if lines.len() < settings.lines => lines.push(line),
            Wait::Line(_) | Wait::TooLong => break Some(CheckError::Flood),
            Wait::Gone => {
                let (status, last_words) = (child.status(), child.last_words());
                break Some(CheckError::Ended { status, last_words });
            }
            Wait::Nothing => {}
        }
        if settings.start <= begun.elapsed() {
            break Some(CheckError::Silent { word: "aeiok", time: settings.start });
        }
    };
    if let Some(error) = failed {
        return vec![Finding { check: CHECK, verdict: Verdict::Wrong, words: error.to_string() }];
    }
    let took = begun.elapsed();
    let is = |line: &&String, word: &str| behind(line, word).is_some();
    let mut said = lines.iter().filter(|line| !is(line, "log"));
    let (verdict, words) = if said.next().is_none_or(|line| line.trim() != "protocol-version 1") {
        (Verdict::Wrong, "the first line has to be 'protocol-version 1'".into())
    } else if let Some(line) = said.find(|line| !is(line, "id")) {
        (Verdict::Wrong, format!("expected id lines before aeiok, found '{line}'"))
    } else if Duration::from_secs(1) < took {
        (Verdict::Note, format!("aeiok took {:.1} s; what takes long belongs to isready", took.as_secs_f64()))
    } else {
        (Verdict::Ok, format!("{:.2} s", took.as_secs_f64()))
    };
    let id =
        |word: &str| lines.iter().filter_map(|line| behind(line, "id")).find_map(|text| behind(text, word));
    let missing: Vec<&str> =
        ["name", "author", "version"].into_iter().filter(|word| id(word).is_none()).collect();
    let who = match (id("name"), id("version")) {
        (None, _) => (Verdict::Wrong, "there is no line 'id name …'".into()),
        (Some(name), Some(version)) if missing.is_empty() => (Verdict::Ok, format!("{name} {version}")),
        (Some(_), _) => (Verdict::Note, format!("no id {}", missing.join(", no id "))),
    };
    vec![Finding { check: CHECK, verdict, words }, Finding { check: IDS, verdict: who.0, words: who.1 }]
}

fn is_ready(talk: &mut Talk<'_>) -> Outcome {
    talk.ready()?;
    talk.say("newgame");
    talk.ready()?;
    fine()
}

fn sets_up_gold(talk: &mut Talk<'_>) -> Outcome {
    talk.new_game(&[])?;
    talk.go()?;
    fine()
}

fn sets_up_silver(talk: &mut Talk<'_>) -> Outcome {
    talk.new_game(&[GOLD])?;
    talk.go()?;
    fine()
}

fn plays_in_the_opening(talk: &mut Talk<'_>) -> Outcome {
    talk.new_game(&[GOLD, SILVER])?;
    talk.go()?;
    fine()
}

fn modern_letters(talk: &mut Talk<'_>) -> Outcome {
    for side in Side::BOTH {
        talk.set_position(&format!("{} {BOARD}", side.letter()))?;
        talk.go()?;
    }
    fine()
}

/// Letters from before version 1, which some controllers still send.
fn old_letters(talk: &mut Talk<'_>) -> Outcome {
    for letter in ['w', 'b'] {
        talk.set_position(&format!("{letter} {BOARD}"))?;
        if let Err(words) = talk.go() {
            return note(format!("it does not understand '{letter}', which some controllers send: {words}"));
        }
    }
    fine()
}

fn capture(talk: &mut Talk<'_>) -> Outcome {
    talk.set_position(&format!("g {BOARD}"))?;
    talk.make_move(CAPTURE)?;
    talk.go()?;
    fine()
}

fn options_in_any_order(talk: &mut Talk<'_>) -> Outcome {
    talk.set(&[("moveused", 0), ("sreserve", 9), ("tcturntime", 20), ("tcmax", 30), ("tcpercent", 50)]);
    talk.new_game(&[GOLD, SILVER])?;
    talk.set(&[("tcturns", 0), ("greserve", 9), ("tctotal", 0), ("tcreserve", 10), ("tcmove", 1)]);
    talk.go()?;
    talk.set(&[("lastmoveused", 1), ("gused", 1), ("sused", 1), ("rated", 1), ("opponent_rating", 1500)]);
    talk.ready()?;
    talk.go()?;
    fine()
}

fn unknown_option(talk: &mut Talk<'_>) -> Outcome {
    talk.ready()?;
    talk.say("setoption name no_program_has_this value 1");
    let lines = talk.ready()?;
    if lines.iter().any(|line| behind(line, "log").is_some()) {
        return fine();
    }
    note("it says nothing about it; a 'log Warning: …' helps who has mistyped")
}

/// A search that would take its time if the program takes any.
fn long_search(talk: &mut Talk<'_>, seconds: u32) -> Result<(), CheckError> {
    talk.new_game(&[GOLD, SILVER])?;
    talk.set(&[("tcmove", seconds), ("greserve", 0), ("tcreserve", 0)]);
    talk.ready()?;
    talk.say("go");
    Ok(())
}

fn ready_while_thinking(talk: &mut Talk<'_>) -> Outcome {
    long_search(talk, 5)?;
    talk.say("isready");
    if talk.until("readyok", Duration::from_millis(1500)).is_err() {
        talk.until("readyok", talk.grace() + Duration::from_secs(5))?;
        return Err(CheckError::LateReady);
    }
    fine()
}

fn stop(talk: &mut Talk<'_>) -> Outcome {
    long_search(talk, 60)?;
    let early = talk.listen(Duration::from_millis(300))?;
    if let Some(end) = early.iter().position(|line| behind(line, "bestmove").is_some()) {
        talk.take(&early[..=end])?;
        talk.say("stop");
        talk.ready()?;
        return remark("it answers before it can be stopped");
    }
    talk.say("stop");
    let lines = talk.until("bestmove", talk.grace()).map_err(|error| match error {
        CheckError::Silent { time, .. } => CheckError::IgnoresStop { time },
        other => other,
    })?;
    talk.take(&lines)?;
    fine()
}

fn ponder(talk: &mut Talk<'_>) -> Outcome {
    talk.new_game(&[GOLD, SILVER])?;
    talk.go()?;
    talk.say("go ponder");
    let said = talk.listen(Duration::from_millis(500))?;
    if said.iter().any(|line| behind(line, "bestmove").is_some()) {
        return Err(CheckError::Unasked("go ponder without being asked to"));
    }
    let Some(turn) = talk.game.legal_turns().first().copied() else {
        return remark("the game is over before it can ponder");
    };
    let text = talk.game.position().board().notation(&turn);
    talk.make_move(&text)?;
    let said = talk.ready()?;
    if said.iter().any(|line| behind(line, "bestmove").is_some()) {
        return Err(CheckError::Unasked("a makemove while it ponders"));
    }
    talk.go()?;
    fine()
}

fn one_answer(talk: &mut Talk<'_>) -> Outcome {
    talk.new_game(&[GOLD, SILVER])?;
    talk.go()?;
    let said = talk.ready()?;
    if said.iter().any(|line| behind(line, "bestmove").is_some()) {
        return Err(CheckError::SecondAnswer);
    }
    fine()
}

fn carriage_returns(talk: &mut Talk<'_>) -> Outcome {
    talk.line_end = "\r";
    talk.new_game(&[GOLD, SILVER])?;
    talk.ready()?;
    talk.go()?;
    fine()
}

fn keeps_time(talk: &mut Talk<'_>) -> Outcome {
    const SECONDS: u32 = 2;
    talk.new_game(&[GOLD, SILVER])?;
    talk.set(&[("tcmove", SECONDS), ("tcreserve", 0), ("tcpercent", 0), ("greserve", 0), ("sreserve", 0)]);
    talk.ready()?;
    let (took, allowed) = (talk.go()?, Duration::from_secs(SECONDS.into()));
    if allowed < took {
        return Err(CheckError::Overtime { took, allowed });
    }
    remark(format!("{:.2} s of {SECONDS} s", took.as_secs_f64()))
}

fn legal_turns(talk: &mut Talk<'_>) -> Outcome {
    talk.new_game(&[])?;
    for _ in 0..8 {
        if talk.game.result().is_some() {
            break;
        }
        talk.go()?;
    }
    fine()
}

fn unknown_message(talk: &mut Talk<'_>) -> Outcome {
    talk.say("surus_asks_for_something_that_is_not_there");
    let ended = talk.child.ends_within(END);
    if ended { fine() } else { Err(CheckError::GoesOn) }
}

fn end_of_input(talk: &mut Talk<'_>) -> Outcome {
    talk.child.hang_up();
    let ended = talk.child.ends_within(END);
    if ended { fine() } else { Err(CheckError::StillRuns(END)) }
}

fn quit(talk: &mut Talk<'_>) -> Outcome {
    let begun = Instant::now();
    talk.say("quit");
    if !talk.child.ends_within(END) {
        return Err(CheckError::StillRuns(END));
    }
    let took = begun.elapsed().as_secs_f64();
    if took < 1.0 { fine() } else { note(format!("it takes {took:.1} s")) }
}

fn quit_while_thinking(talk: &mut Talk<'_>) -> Outcome {
    long_search(talk, 60)?;
    quit(talk)
}

fn next_game(talk: &mut Talk<'_>) -> Outcome {
    // A game that ends in goal, and the next one.
    talk.set_position(&format!("g [r      r{}R{}R]", " ".repeat(8), " ".repeat(46)))?;
    talk.make_move("Ra6n Ra7e Rb7n")?;
    talk.ready()?;
    talk.new_game(&[GOLD])?;
    talk.go()?;
    fine()
}
