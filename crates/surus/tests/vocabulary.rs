//! Names and phrases that were replaced stay out of the code, the help texts and the docs of the whole repository.
//! `crates/engine/src/alphabeta/tests/vocabulary.rs` has a longer list for that directory.

use std::path::{Path, PathBuf};

/// Phrases with a plain technical equivalent, in any text.
const PHRASES: &[&str] = &[
    "where chance begins",
    "held to",
    "what happened",
    "goes on until",
    "is given to",
    "are given to",
    "against whom",
    "who meets whom",
    "not told",
    "is worth",
    "worth most",
    "boards made",
    "positions a turn",
    "playouts a turn",
    "a turn is worth",
    "is wanted",
    "that is wanted",
    "are wanted",
    "whole games",
    "how it was asked for",
    "chance itself",
    "stands behind",
    "so many",
    "so few",
    "whoever",
    "nobody",
    "somebody",
    "in vain",
    "looked at",
    "looks at",
    "goes on with",
    "go on with",
    "is told",
    "are told",
    "was told",
    "told by",
    "tells",
    "hears",
    "heard",
    "by chance",
    "by lot",
    "hundredths of a rabbit",
    "thousandths of a rabbit",
    "the document",
    "the document's",
    "its like",
    "the dearest",
    "makes ready",
    "set aside",
    "nothing fits",
    "left out",
    "passed over",
    "manners",
    "by fault",
    "whole number",
    "what it takes",
    "everybody",
    "goes away with",
    "its users meet",
    "laboratory",
    "again and again",
    "dislodged",
    "dislodges",
    "stands in the way",
    "hangs over",
    "tells apart",
    "outside program",
    "as it stands",
    "looked after",
];

/// Identifiers of Rust code. Only compound names: a single word may mean something else elsewhere.
const IDENTIFIERS: &[&str] = &[
    "AeiProgram",
    "AskOptions",
    "BOOK_WAYS",
    "ByKey",
    "CAPTURE_OPEN",
    "COMMON_FROM",
    "ClockError",
    "ContestArgs",
    "CutWay",
    "EngineFile",
    "EngineName",
    "EngineRefused",
    "EngineToPlay",
    "FAR_AHEAD",
    "FileError",
    "FolderError",
    "FolderLock",
    "GIVING_UP",
    "GameLine",
    "GameRecords",
    "GetMoveProgram",
    "HalfPush",
    "LAST_WORDS",
    "LONGEST_RUN",
    "LeftOut",
    "LineTurn",
    "MOST_BYTES",
    "MOST_CLIENTS",
    "MOST_ELO",
    "MOST_EXTENDED",
    "MOST_GAMES",
    "MOST_HASH",
    "MOST_PATHS",
    "MOST_SECONDS",
    "MOST_WAITING",
    "MOST_WATCHED",
    "MakeEngine",
    "MimicLab",
    "NamedControl",
    "NamedSetup",
    "NothingStronger",
    "OtherCapture",
    "OtherPiece",
    "OtherSide",
    "PlainHasher",
    "ProgramSettings",
    "ReadGame",
    "ReadRequest",
    "SURUS_FULL",
    "SetupLine",
    "TestFolder",
    "TextError",
    "TooManyWatched",
    "TurnNote",
    "USUAL_PORT",
    "WinsImported",
    "as_server",
    "beyond_repetition",
    "board_art",
    "book_setup",
    "cannot_end",
    "common_entries",
    "continue_on",
    "corner_positions",
    "cut_in_two",
    "deviation_of_mean",
    "different_setups",
    "each_told",
    "elo_of_score",
    "engine_to_play",
    "foe_mobile",
    "foe_rabbits",
    "gave_up",
    "give_back",
    "helped_once",
    "host_is_ours",
    "in_a_sentence",
    "leader_by_pieces",
    "leave_out",
    "look_at_the_clock",
    "looks_for",
    "loses_at_once",
    "may_end",
    "mean_playout",
    "names_differ",
    "next_spot",
    "note_problem",
    "of_path",
    "owes_an_answer",
    "paper_class",
    "person_to_play",
    "played_in",
    "processor_is_able",
    "python_ready",
    "rough_boards",
    "score_of_elo",
    "stopping_squares",
    "switches_page",
    "take_stock",
    "tell_apart",
    "told_to_end",
    "whole_or",
    "why_stuck",
    "win_chance",
    "winding_down",
    "write_whole",
];

/// Files that name replaced words on purpose.
const ALLOWED: &[&str] = &[
    "CHANGELOG.md",
    "crates/archive/src/store/migration_tests.rs",
    "crates/engine/src/alphabeta/tests/vocabulary.rs",
    "crates/surus/src/renamed.rs",
    "crates/surus/tests/vocabulary.rs",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The text files below a path.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), files);
        }
    } else if path.extension().is_none_or(|extension| {
        ["rs", "md", "py", "sh", "js", "mjs", "html", "css", "toml", "sql"]
            .contains(&extension.to_str().unwrap())
    }) {
        files.push(path.to_path_buf());
    }
}

/// The files of the repository with their names relative to it.
fn files() -> Vec<(String, String)> {
    let root = root();
    let mut files = Vec::new();
    for part in [
        "crates",
        "docs",
        "fuzz/fuzz_targets",
        "tests",
        "test",
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    ] {
        collect(&root.join(part), &mut files);
    }
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_string();
        std::fs::read_to_string(path).ok().map(|text| (name, text))
    };
    files.into_iter().filter_map(read).collect()
}

fn is_skipped(name: &str) -> bool {
    ALLOWED.contains(&name)
}

/// Whether the text contains the phrase as whole words.
fn contains(text: &str, phrase: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(phrase).any(|(index, _)| {
        !is_part(text[..index].chars().next_back()) && !is_part(text[index + phrase.len()..].chars().next())
    })
}

#[test]
fn replaced_words_do_not_come_back() {
    let mut found = Vec::new();
    let files = files();
    assert!(files.len() > 400, "{}", files.len());
    for (name, text) in files.iter().filter(|(name, _)| !is_skipped(name)) {
        for (number, line) in (1..).zip(text.lines()) {
            let lower = line.to_lowercase();
            let phrases = PHRASES.iter().filter(|phrase| contains(&lower, phrase));
            let is_code = name.ends_with(".rs");
            let identifiers = IDENTIFIERS.iter().filter(|name| is_code && contains(line, name));
            found.extend(phrases.chain(identifiers).map(|word| format!("{name}:{number}: {word}")));
        }
    }
    assert!(found.is_empty(), "replaced words:\n{}", found.join("\n"));
}

#[test]
fn words_are_found_only_as_whole_words() {
    assert!(contains("so many games", "so many") && contains("x = so many", "so many"));
    assert!(!contains("also many games", "so many") && !contains("the documents", "the document"));
    assert!(contains("use ByKey;", "ByKey") && !contains("SortByKey", "ByKey"));
}
