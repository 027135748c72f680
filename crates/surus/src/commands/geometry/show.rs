//! The result as text.

use std::io::{self, Write};

use anyhow::Result;

use super::report::{GeometryReport, PlanAnswer, SearchOutput, Zone};

pub(super) fn print(report: &GeometryReport) -> Result<()> {
    let mut out = io::stdout().lock();
    if let Some(all) = &report.trajectories {
        writeln!(
            out,
            "{} from {} to {}, {} steps: {} trajectories",
            all.piece, all.from, all.to, all.length, all.count
        )?;
        for path in &all.paths {
            writeln!(out, "  {}", path.join("-"))?;
        }
    }
    for zone in report.zones.iter().flatten() {
        print_zone(&mut out, zone)?;
    }
    for remark in report.remarks.iter().flatten() {
        writeln!(out, "{}", remark.text)?;
        if let Some(turn) = &remark.turn {
            writeln!(out, "    {turn}")?;
        }
        if !remark.response.is_empty() {
            writeln!(out, "  {}", remark.response)?;
        }
        for answer in &remark.answers {
            writeln!(out, "    {answer}")?;
        }
    }
    for search in report.searches.iter().flatten() {
        print_search(&mut out, search)?;
    }
    if let Some(plan) = &report.plan {
        writeln!(out, "{}", plan.summary())?;
        for PlanAnswer { reply, answer } in &plan.answers {
            let answer = if answer.is_empty() { "the reply itself loses" } else { answer };
            writeln!(out, "  {reply}: {answer}")?;
        }
    }
    if let Some(derivation) = &report.derivation {
        writeln!(out, "productions: label, condition, kernel, next if it holds, next if not, assignments")?;
        for production in &derivation.grammar {
            writeln!(out, "  {production}")?;
        }
        writeln!(
            out,
            "derivation: {} productions tried, of which these changed the string",
            derivation.tried
        )?;
        for line in &derivation.lines {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "string: {}", derivation.string)?;
    }
    Ok(())
}

fn print_zone(out: &mut impl Write, zone: &Zone) -> Result<()> {
    writeln!(out, "{}", zone.title)?;
    writeln!(out, "  pieces: {}", zone.participants.join(" "))?;
    for symbol in &zone.symbols {
        let level = match symbol.negation {
            0 => "main".to_string(),
            n => format!("negation {n}"),
        };
        let alternatives = if symbol.alternatives == 0 {
            String::new()
        } else {
            format!(
                ", {} alternative{}",
                symbol.alternatives,
                if symbol.alternatives == 1 { "" } else { "s" }
            )
        };
        let path = symbol.path.join("-");
        writeln!(
            out,
            "  {level:<11}{:<10}{} {path}, time {}{alternatives}",
            symbol.role, symbol.piece, symbol.time
        )?;
    }
    Ok(())
}

fn print_search(out: &mut impl Write, search: &SearchOutput) -> Result<()> {
    writeln!(out, "{}", search.summary())?;
    for node in &search.tree {
        let indent = "  ".repeat(usize::from(node.depth));
        let mark = if node.found { " found" } else { "" };
        writeln!(out, "{indent}{} [{}]{mark}", node.steps, node.class)?;
    }
    writeln!(out, "  string: {}", search.string)?;
    Ok(())
}
