//! Games and percentages as text.

use surus_archive::GameHeader;
use surus_rules::Termination;

/// `#17       bot_dolores_v1 (2616) - browni3141 (2579): gold won by goal, 53 turns, 2026, Casual game`
pub(super) fn game(header: &GameHeader) -> String {
    let player = |name: &str, rating: Option<i64>| {
        let name = if name.is_empty() { "?" } else { name };
        rating.map_or_else(|| name.to_string(), |rating| format!("{name} ({rating})"))
    };
    let result = match header.result.as_str() {
        "g" => "gold won",
        "s" => "silver won",
        "d" => "draw",
        _ => "unknown",
    };
    let year = header.started.map(|seconds| format!(", {}", year(seconds))).unwrap_or_default();
    let event = if header.event.is_empty() { String::new() } else { format!(", {}", header.event) };
    format!(
        "#{:<8} {} - {}: {result}{}, {} turns{year}{event}",
        header.id,
        player(&header.gold, header.gold_rating),
        player(&header.silver, header.silver_rating),
        termination(&header.termination),
        header.turns,
    )
}

/// ` by goal`, from the letter of the archive; an unknown one is printed as it is.
fn termination(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (None, _) => String::new(),
        (Some(letter), None) => Termination::from_letter(letter)
            .map_or_else(|| format!(" ({text})"), |termination| format!(" by {termination}")),
        _ => format!(" ({text})"),
    }
}

/// The year of a Unix time; it can be wrong in the last hours of a year.
fn year(seconds: i64) -> i64 {
    1970 + seconds / 31_556_952
}

/// `62.5 %`, or a dash if the total is 0.
pub(super) fn percent(part: u64, total: u64) -> String {
    if total == 0 { "-".into() } else { format!("{:.1} %", 100.0 * part as f64 / total as f64) }
}
