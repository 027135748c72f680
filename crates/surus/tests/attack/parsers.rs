//! Every parser of a text or a file.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use surus_arena::{EngineConfigFile, EngineSpec, Openings};
use surus_engine::eval::Weights;
use surus_engine::ordering::Model;
use surus_engine::phase::{PhaseClusters, PhaseHeuristic, PhaseModel};
use surus_play::{EngineConfig, Random};
use surus_protocol::{Session, SessionOptions, parse_state_clock};
use surus_record::ats::{self, Config};
use surus_record::ini::Ini;
use surus_record::{ArchiveFile, EventLog, Format, GameTree, games, parse_games, parse_known_wins};
use surus_rules::{Diagram, Game, Handicap, Position, Record, Rules, Setup, Side, SplitMix, TimeControl};

use super::mutator::{below, mutated};
use super::{inputs, samples};

/// The longest error message, in characters, besides what it quotes of the input.
const MAX_MESSAGE: usize = 1500;

/// Whether a text was read. An error must not be much longer than what it quotes of the text: that of TOML has a line, marks
/// below it, and a name.
fn is_read<T, E: Display>(text: &str, result: &Result<T, E>) -> bool {
    if let Err(error) = result {
        let message = error.to_string();
        let max = MAX_MESSAGE + 3 * text.chars().count();
        assert!(!message.is_empty() && message.chars().count() < max, "{message}");
    }
    result.is_ok()
}

/// Gives a text to all parsers and returns how many read it.
fn parse_all(text: &str) -> usize {
    let log = EventLog::parse(text);
    let _ = (log.used(surus_rules::TurnTag::FIRST), EventLog::parse_start(text), parse_state_clock(text));
    let read = [
        is_read(text, &Format::detect(text)),
        is_read(text, &games(text, 50)),
        is_read(text, &parse_games(text)),
        is_read(text, &GameTree::parse(text)),
        is_read(text, &ArchiveFile::parse(text)),
        is_read(text, &ArchiveFile::parse_bare(text)),
        is_read(text, &ats::parse("x.ats", text)),
        is_read(text, &ats::parse_toml("x.toml", text)),
        is_read(text, &Config::parse("ats.cfg", text)),
        is_read(text, &Ini::parse(text)),
        parse_known_wins(text).filter(Result::is_ok).count() > 0,
        is_read(text, &text.parse::<Position>()),
        is_read(text, &text.parse::<Diagram>()),
        is_read(text, &text.parse::<TimeControl>()),
        is_read(text, &Setup::parse(text, Side::Gold, Handicap::Allowed)),
        is_read(text, &Game::from_text(text, Rules::Official)),
        is_read(
            text,
            &Record::parse(text).and_then(|record| record.replay(Rules::Classic2004, Handicap::Allowed)),
        ),
        is_read(text, &text.parse::<EngineConfig>()),
        is_read(text, &EngineConfigFile::parse(text)),
        EngineSpec::parse(text).name.is_empty(),
        is_read(text, &Openings::parse(text)),
        is_read(text, &Weights::parse(text)),
        is_read(text, &PhaseModel::parse(text)),
        is_read(text, &PhaseHeuristic::parse(text)),
        is_read(text, &PhaseClusters::parse(text)),
        is_read(text, &surus_archive::PositionPattern::squares(text)),
    ];
    read.into_iter().filter(|read| *read).count()
}

#[test]
fn no_text_crashes_a_parser() {
    let samples = samples::texts();
    // The others are messages and parts of files, whose readers accept anything.
    let partial = ["aei", "makemove", "after", "turn=", "mcts."];
    let complete = samples.iter().filter(|text| !partial.iter().any(|start| text.starts_with(start)));
    complete.for_each(|text| assert!(parse_all(text) > 0, "no parser reads {text}"));
    let mut random = SplitMix::new(24);
    let (count, mut read) = (inputs(14_000), 0);
    for _ in 0..count {
        let text = mutated(&mut random, &samples);
        let parsed = catch_unwind(AssertUnwindSafe(|| parse_all(&text)));
        read += usize::from(parsed.unwrap_or_else(|_| panic!("the text was {text:?}")) > 0);
    }
    assert!(count / 20 < read && read < count, "{read} of {count} texts were read by some parser");
}

#[test]
fn no_bytes_crash_a_reader_of_models() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/weights/actions.order");
    let valid = std::fs::read(file).unwrap();
    assert!(Model::from_bytes(&valid).is_ok());
    let mut random = SplitMix::new(7);
    for _ in 0..inputs(200) {
        let mut bytes = valid.clone();
        let at = below(&mut random, bytes.len());
        match below(&mut random, 3) {
            0 => bytes[at] ^= 1 << below(&mut random, 8),
            1 => bytes.truncate(at),
            _ => bytes.splice(at..at, [0xff; 9]).for_each(drop),
        }
        assert!(!is_read("", &Model::from_bytes(&bytes)), "a changed file was read");
    }
}

#[test]
fn no_messages_crash_an_aei_session() {
    let samples: Vec<String> = samples::texts()
        .into_iter()
        .filter(|text| text.starts_with("aei") || text.starts_with("make"))
        .collect();
    let mut random = SplitMix::new(11);
    let count = inputs(1500);
    let mut messages = String::from("aei\n");
    for _ in 0..count {
        // An unknown message ends the session, as AEI requires.
        let text = mutated(&mut random, &samples);
        let known = |line: &&str| {
            let word = line.split_whitespace().next().unwrap_or("");
            ["isready", "newgame", "setoption", "setposition", "makemove", "stop", "goalcheck", "trapcheck"]
                .contains(&word)
        };
        text.lines().filter(known).for_each(|line| messages += &format!("{line}\n"));
    }
    messages += "isready\n";
    let settings = SessionOptions { extended: true, ..SessionOptions::default() };
    let mut output = Vec::new();
    let input = std::io::Cursor::new(messages.into_bytes());
    Session::new(Box::<Random>::default(), settings, input, &mut output).run().unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(
        output.contains("log Error: ") && output.trim_end().ends_with("readyok"),
        "the session ended early"
    );
}
