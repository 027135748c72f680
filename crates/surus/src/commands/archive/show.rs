//! Games and choices in lines of text.

use surus_archive::GameHeader;

/// `669122  bot_dolores_v1 (2616) - browni3141 (2579)  gold won, r, 2026  Casual game`
pub(super) fn game(line: &GameHeader) -> String {
    let player = |name: &str, rating: Option<i64>| {
        let name = if name.is_empty() { "?" } else { name };
        rating.map_or_else(|| name.to_string(), |rating| format!("{name} ({rating})"))
    };
    let result = match line.result.as_str() {
        "g" => "gold won",
        "s" => "silver won",
        "d" => "draw",
        _ => "unknown",
    };
    let year = line.started.map(|seconds| format!(", {}", year(seconds))).unwrap_or_default();
    let end = if line.termination.is_empty() { String::new() } else { format!(" by {}", line.termination) };
    format!(
        "#{:<8} {} - {}: {result}{end} after {} turns{year}  {}",
        line.id,
        player(&line.gold, line.gold_rating),
        player(&line.silver, line.silver_rating),
        line.turns,
        line.event
    )
}

/// The year of a time, which is exact but for the last hours of a year.
fn year(seconds: i64) -> i64 {
    1970 + seconds / 31_556_952
}

/// `62.5 %`, or a dash where there is nothing to divide.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}
