//! The page and its plots.

use std::fmt::Write;

use super::play::MimicGame;
use super::published::{Band, SECONDS, TABLE_12, at_least_one, exactly_one};
use super::sizes::ArchiveSizeResult;
use super::{ArchiveSummary, MimicExperiment};
use crate::chart::{Chart, Point, Series};
use crate::error::LabError;
use crate::match_run::wilson;

/// What is known of the turns in one row of table 12.
struct BandHitRates {
    turns: usize,
    /// In percent: full, middle, area, piece.
    rates: [f64; 4],
    any: f64,
}

fn found(rows: &[MimicGame], band: &Band) -> BandHitRates {
    let met: Vec<_> = rows
        .iter()
        .flat_map(|row| &row.met)
        .filter(|met| (band.turns.0..=band.turns.1).contains(&met.turn))
        .collect();
    let percent = |count: usize| 100.0 * count as f64 / met.len().max(1) as f64;
    let rate = |tier: usize| percent(met.iter().filter(|met| met.hits[tier]).count());
    let any = percent(met.iter().filter(|met| met.hits.contains(&true)).count());
    BandHitRates { turns: met.len(), rates: [rate(1), rate(2), rate(3), rate(4)], any }
}

/// How far the farther end of the 95 % interval of a share of so many is, in percent: nothing is sure at 0 % either.
fn error(percent: f64, count: usize) -> f64 {
    let (from, to) = wilson(percent / 100.0, count as u64);
    (percent - 100.0 * from).max(100.0 * to - percent)
}

const FIGURES: [(&str, &str); 4] = [
    ("mimic-full", "Full board (figure 8)"),
    ("mimic-middle", "Middle four rows (figure 9)"),
    ("mimic-area", "Area of concentration (figure 10)"),
    ("mimic-piece", "Area with a specific piece (figure 11)"),
];

pub(super) fn write(
    lab: &MimicExperiment<'_>,
    made: &ArchiveSummary,
    rows: &[MimicGame],
    chance: &[MimicGame],
    sizes: &[ArchiveSizeResult],
) -> Result<(), LabError> {
    std::fs::create_dir_all(lab.page).map_err(|error| LabError::Io { path: lab.page.into(), error })?;
    let put = |name: &str, text: &str| {
        let path = lab.page.join(name);
        std::fs::write(&path, text).map_err(|error| LabError::Io { path, error })
    };
    let bands: Vec<BandHitRates> = TABLE_12.iter().map(|band| found(rows, band)).collect();
    for (tier, (name, title)) in FIGURES.iter().enumerate() {
        put(&format!("{name}.svg"), &hit_chart(title, tier, &bands).svg())?;
    }
    put("mimic-wins.svg", &win_chart(lab, rows, chance).svg())?;
    put("mimic-sizes.svg", &size_chart(sizes).svg())?;
    let mut text = head(lab, made, rows);
    text += &table_12(&bands);
    text += &wins(lab, rows, chance);
    text += &times(made, sizes);
    put("mimic.md", &format!("{}\n", text.trim_end()))
}

fn head(lab: &MimicExperiment<'_>, made: &ArchiveSummary, rows: &[MimicGame]) -> String {
    let (played, longest) = (rows.len(), lab.turns);
    let [first, second] = &lab.players;
    format!(
        "# Mimicking a database, again\n\n\
         Written by `surus lab mimic`, every number and plot of it. `mimic` with the fall back `random` played {played} games against\n\
         {}, gold in every other one; a game of {longest} turns of both sides is nobody's. Mirror images and exchanged sides count in all tiers,\n\
         which the document did not have.\n\n\
         The archive holds {} real games and {} games of `{first}` against `{second}`, {} positions in all.\n\
         The engines begin with the setups of the real games, if there are any, round after round with another seed.\n\
         The document had 261,080 real games and 15,947,465 positions. So its rates are not to be expected here; what can be compared\n\
         is their shape, and how they grow.\n\n",
        opponent(lab),
        made.real,
        made.engines,
        made.positions
    )
}

fn table_12(bands: &[BandHitRates]) -> String {
    let mut text = String::from(
        "## How often each tier answers (table 12)\n\n\
         In percent of the turns of mimic; each tier was asked by itself in every turn. The document's overall rate is what its formula\n\
         gives for the first row only: the chance that exactly one of four independent tiers answers. What matters to the player is the\n\
         chance that any does.\n\n\
         | turns | full | middle | area | piece | document: printed | its formula | any, if independent | here: turns | full | middle | \
         area | piece | formula | any, counted |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (band, found) in TABLE_12.iter().zip(bands) {
        let [a, b, c, d] = band.rates;
        let turns = if band.turns.1 == u32::MAX {
            format!("{}+", band.turns.0)
        } else {
            format!("{}-{}", band.turns.0, band.turns.1)
        };
        let [w, x, y, z] = found.rates;
        let _ = writeln!(
            text,
            "| {turns} | {a} | {b} | {c} | {d} | {} | {:.2} | {:.2} | {} | {w:.2} | {x:.2} | {y:.2} | {z:.2} | {:.2} | {:.2} |",
            band.overall,
            exactly_one(&band.rates),
            at_least_one(&band.rates),
            found.turns,
            exactly_one(&found.rates),
            found.any
        );
    }
    let later = |tier: usize| -> f64 {
        bands.iter().skip(1).map(|found| (found.rates[tier] * found.turns as f64 / 100.0).round()).sum()
    };
    let turns: usize = bands.iter().skip(1).map(|found| found.turns).sum();
    let _ = write!(
        text,
        "\nThe middle rows and the area want 32 and 25 squares to be the same, piece by piece: after turn 5 the middle rows were found in {} and\n\
         the area in {} of {turns} turns. The document's archive is larger, and its players met each other in the same openings again and again,\n\
         which may be why its rates fall so little.\n",
        later(1),
        later(2)
    );
    text.push('\n');
    for (name, title) in FIGURES {
        let _ = writeln!(text, "![{title}]({name}.svg)");
    }
    text
}

fn wins(lab: &MimicExperiment<'_>, rows: &[MimicGame], chance: &[MimicGame]) -> String {
    let mut text = String::from(
        "\n## Wins\n\nNo list of wins in two turns was imported, so that its tier has no answers here; the document had a list, and no answer \
         either.\n\n| against | games | decided | won by mimic |\n| --- | --- | --- | --- |\n",
    );
    for (name, rows) in [(opponent(lab), rows), ("`random`".into(), chance)] {
        let decided = rows.iter().filter(|row| row.won.is_some()).count();
        let won = rows.iter().filter(|row| row.won == Some(true)).count();
        let share = 100.0 * won as f64 / rows.len().max(1) as f64;
        let margin = error(share, rows.len());
        let _ = writeln!(text, "| {name} | {} | {decided} | {won}, {share:.1} % ± {margin:.1} |", rows.len());
    }
    text += "\nThe document reports about 65 % (figure 12) against a search of two turns, of which it says that it plays no better than by\n\
             chance. The tiers look at no threat of the other side, and where none of them answers the player moves by chance.\n\n\
             ![Share of games won as games go on](mimic-wins.svg)\n";
    text
}

/// The opponent with what it is held to.
fn opponent(lab: &MimicExperiment<'_>) -> String {
    match lab.opponent.nodes {
        Some(nodes) => format!("`{}` with {nodes} positions a turn", lab.opponent.name),
        None => format!("`{}`", lab.opponent.name),
    }
}

fn times(made: &ArchiveSummary, sizes: &[ArchiveSizeResult]) -> String {
    let larger = 15_947_465.0 / made.positions.max(1) as f64;
    let mut text = format!(
        "\n## The archive in eighths (tables 6, 8 to 11)\n\n\
         Mean times of a question in milliseconds, asked about positions that mimic met, with a warm cache; in brackets the document's\n\
         seconds for its eighths, each {larger:.1} times as large.\n\n| games | positions |",
    );
    for (name, _) in SECONDS {
        let _ = write!(text, " {name} |");
    }
    text.push_str(" any tier answers, % |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (index, size) in sizes.iter().enumerate() {
        let _ = write!(text, "| {} | {} |", size.games, size.positions);
        for (time, (_, seconds)) in size.times.iter().zip(SECONDS) {
            let theirs =
                seconds.get(index).copied().flatten().map_or_else(|| "< 1".into(), |s| format!("{s}"));
            let _ = write!(text, " {time:.3} ({theirs}) |");
        }
        let _ = writeln!(text, " {:.1} |", 100.0 * size.any);
    }
    text.push_str("\n![How often the tiers answer, by the size of the archive](mimic-sizes.svg)\n");
    text
}

fn hit_chart(title: &str, tier: usize, bands: &[BandHitRates]) -> Chart {
    let x = |band: &Band| {
        f64::from(if band.turns.1 == u32::MAX { 48 } else { (band.turns.0 + band.turns.1) / 2 })
    };
    let document =
        TABLE_12.iter().map(|band| Point { x: x(band), y: band.rates[tier], error: 0.0 }).collect();
    let here = TABLE_12
        .iter()
        .zip(bands)
        .filter(|(_, found)| 0 < found.turns)
        .map(|(band, found)| Point {
            x: x(band),
            y: found.rates[tier],
            error: error(found.rates[tier], found.turns),
        })
        .collect();
    chart(title, "turn", "answers, %", vec![series("document", document), series("here", here)])
}

fn win_chart(lab: &MimicExperiment<'_>, rows: &[MimicGame], chance: &[MimicGame]) -> Chart {
    let line = |name: &str, rows: &[MimicGame]| {
        let step = (rows.len() / 10).max(1);
        let points = (step..=rows.len()).step_by(step).map(|count| {
            let won = rows[..count].iter().filter(|row| row.won == Some(true)).count();
            let y = 100.0 * won as f64 / count as f64;
            Point { x: count as f64, y, error: error(y, count) }
        });
        series(name, points.collect())
    };
    let lines = vec![line(&format!("against {}", lab.opponent.name), rows), line("against chance", chance)];
    chart("Share of games won as games go on (figure 12)", "games", "won, %", lines)
}

fn size_chart(sizes: &[ArchiveSizeResult]) -> Chart {
    let line = |name: &str, value: &dyn Fn(&ArchiveSizeResult) -> f64| {
        series(
            name,
            sizes
                .iter()
                .map(|size| Point { x: size.games as f64, y: 100.0 * value(size), error: 0.0 })
                .collect(),
        )
    };
    let lines = vec![
        line("full", &|size| size.hits[1]),
        line("middle", &|size| size.hits[2]),
        line("area", &|size| size.hits[3]),
        line("piece", &|size| size.hits[4]),
        line("any", &|size| size.any),
    ];
    chart(
        "How often the tiers answer, by the size of the archive",
        "games in the archive",
        "answers, %",
        lines,
    )
}

fn series(name: &str, points: Vec<Point>) -> Series {
    Series { name: name.into(), points }
}

fn chart(title: &str, x_label: &str, y_label: &str, series: Vec<Series>) -> Chart {
    let (x_label, y_label) = (x_label.into(), y_label.into());
    Chart { title: title.into(), x_label, y_label, logarithmic: false, range: (0.0, 100.0), series }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        // Wilson's interval of 0 of 10 ends at 27.8 %, that of 50 of 100 at 40.4 and 59.6 %.
        assert!((error(0.0, 10) - 27.8).abs() < 0.1, "{}", error(0.0, 10));
        assert!((error(50.0, 100) - 9.6).abs() < 0.1, "{}", error(50.0, 100));
        assert!((error(100.0, 10) - error(0.0, 10)).abs() < 1e-9);
    }
}
