//! Statistics of data files as text.

use std::io::{self, Write};

use surus_learn::data::{Bin, DataCheckReport, Skipped, Stats};

pub(super) fn print(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    for (index, origin) in stats.origins.iter().enumerate() {
        writeln!(out, "source {}", index + 1)?;
        for (name, value) in origin {
            writeln!(out, "  {name:<20} {value}")?;
        }
    }
    let Stats { games, positions, gold, silver, draws, depth, .. } = stats;
    let (min, mean, max) = stats.length;
    writeln!(out, "games                  {games}")?;
    writeln!(out, "positions              {positions}")?;
    writeln!(out, "won by gold            {gold} ({})", percent(*gold, *games))?;
    writeln!(out, "won by silver          {silver} ({})", percent(*silver, *games))?;
    writeln!(out, "no winner              {draws} ({})", percent(*draws, *games))?;
    let terminations: Vec<String> =
        stats.endings.iter().map(|(letter, count)| format!("{letter} {count}")).collect();
    writeln!(out, "terminations           {}", terminations.join(", "))?;
    writeln!(out, "positions per game     {min} to {max}, {mean:.1} on average")?;
    writeln!(out, "depth in steps         {depth:.2} on average")?;
    for (name, count) in &stats.flags {
        writeln!(out, "{name:<22} {count} ({})", percent(*count, *positions))?;
    }
    writeln!(out, "\nscore in rabbits       positions           points of the side to move")?;
    for (index, bin) in stats.scores.iter().enumerate() {
        let points = if bin.positions == 0 { 0.0 } else { 100.0 * bin.points / bin.positions as f64 };
        let name = name(bin, index == 0);
        writeln!(
            out,
            "{name:<18} {:>12} {:>8} {points:>10.1} %",
            bin.positions,
            percent(bin.positions, *positions)
        )?;
    }
    print_skipped(out, stats.skipped)
}

fn name(bin: &Bin, first: bool) -> String {
    let rabbits = |score: i32| format!("{:.2}", f64::from(score) / 100.0);
    match (bin.proven, bin.from, bin.to) {
        (true, ..) if first => "lost, proven".into(),
        (true, ..) => "won, proven".into(),
        (false, None, Some(to)) => format!("below {}", rabbits(to)),
        (false, Some(from), None) => format!("from {}", rabbits(from)),
        (false, from, to) => {
            let [from, to] = [from, to].map(|edge| edge.map(rabbits).unwrap_or_default());
            format!("{from} to {to}")
        }
    }
}

pub(super) fn print_skipped(out: &mut impl Write, skipped: Skipped) -> io::Result<()> {
    if skipped != Skipped::default() {
        let Skipped { damaged, truncated } = skipped;
        writeln!(out, "skipped: {damaged} corrupt games, and the rest of {truncated} truncated files")?;
    }
    Ok(())
}

pub(super) fn print_check(out: &mut impl Write, checked: &DataCheckReport) -> io::Result<()> {
    let DataCheckReport { games, decisions, positions, leads, won, found, games_with_leads, .. } = checked;
    for problem in &checked.problems {
        writeln!(out, "{problem}")?;
    }
    match (games, decisions) {
        (_, 0) => writeln!(out, "{games} valid games, {positions} positions")?,
        (0, _) => writeln!(out, "{decisions} valid decisions, {positions} positions")?,
        _ => writeln!(out, "{games} valid games, {decisions} valid decisions, {positions} positions")?,
    }
    if *games > 0 {
        let won = percent(*won, *leads);
        writeln!(out, "leads of three rabbits or more: {leads} in {games_with_leads} games, {won} won")?;
    }
    match found {
        0 => writeln!(out, "no problems"),
        1 => writeln!(out, "1 problem"),
        _ => writeln!(out, "{found} problems"),
    }
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
