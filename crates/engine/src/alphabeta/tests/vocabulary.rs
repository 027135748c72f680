//! The sources of `alphabeta` use the field's vocabulary: names and phrases that were replaced do not come back.

use std::path::{Path, PathBuf};

/// Replaced identifiers, which may still occur in comments and texts as ordinary words.
const REPLACED: &[&str] = &[
    "Beginning",
    "Blurred",
    "Care",
    "Choice",
    "Class",
    "Content",
    "Crowd",
    "Deepening",
    "Exchange",
    "HandWritten",
    "Known",
    "Lead",
    "Loud",
    "Marks",
    "Memory",
    "Next",
    "Patience",
    "Place",
    "Plan",
    "Ranking",
    "Table",
    "Task",
    "TurnSet",
    "Way",
    "BEHIND",
    "CONTENT",
    "DEEPEST",
    "DISTRACTED",
    "FAR_AHEAD",
    "FROM",
    "FUTILE",
    "HIGHEST",
    "LATE",
    "MOST_EXTENDED",
    "NULL_LESS",
    "PARTLY",
    "PATIENCE",
    "PROVEN",
    "RAZOR",
    "SWITCHES",
    "THREAT",
    "WAYS",
    "WHOLLY",
    "WINDOW",
    "WORRY",
    "after_depth",
    "at_ease",
    "barred",
    "beginnings",
    "best_plan",
    "board_after",
    "bring_best",
    "burden",
    "clear_line",
    "crowd",
    "decided",
    "deepest",
    "ends_early",
    "end_key",
    "extended",
    "fade",
    "fairy_eval",
    "fairy_search",
    "fallback",
    "from_table",
    "fullness",
    "has_seen",
    "heard",
    "is_cut",
    "is_left_out",
    "keep_line",
    "keep_unfinished",
    "learn_turn",
    "leave_out",
    "left_out",
    "loss_at",
    "look_at_the_clock",
    "make_room",
    "meets_again",
    "memories",
    "most_nodes",
    "next_search",
    "next_visit",
    "praise",
    "quiesce",
    "quiesce_turn",
    "remembered",
    "search_root",
    "seen_count",
    "settled_by",
    "settles",
    "sight",
    "skips",
    "stand",
    "standing",
    "teach",
    "tell_lines",
    "threatened",
    "to_table",
    "try_turns",
    "try_way",
    "try_ways",
    "turn_ends",
    "turn_set",
    "unbar",
    "unrest",
    "way",
    "ways",
    "whole_turn",
    "win_at",
    "win_at_once",
    "win_chance",
    "worry",
    "worth",
];

/// Phrases that are replaced everywhere, also in comments and texts.
const REPLACED_PHRASES: &[&str] = &[
    "so many",
    "whoever",
    "nobody",
    "somebody",
    "is told",
    "tells",
    "hears",
    "left out",
    "leaves out",
    "in vain",
    "by chance",
    "the document",
    "looked at",
    "is no ",
    "there is no",
    "thousandths of a rabbit",
    "whole number",
];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// A line without its comment and string literals; a quote within a literal ends it, which is enough here.
fn code(line: &str) -> String {
    let literals_removed: String = line.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    literals_removed.split("//").next().unwrap_or_default().to_owned()
}

#[test]
fn replaced_words_do_not_come_back() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/alphabeta");
    let mut files = Vec::new();
    sources(&directory, &mut files);
    assert!(files.len() > 20, "{files:?}");
    let mut found = Vec::new();
    for path in files.iter().filter(|path| !path.ends_with("tests/vocabulary.rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let code = code(line);
            let identifiers = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let identifiers: Vec<&str> = identifiers.filter(|word| REPLACED.contains(word)).collect();
            let phrases = REPLACED_PHRASES.iter().filter(|phrase| line.contains(**phrase));
            for word in identifiers.into_iter().chain(phrases.copied()) {
                found.push(format!("{}:{number}: {word}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "replaced words:\n{}", found.join("\n"));
}
