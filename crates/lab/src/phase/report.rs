//! The page of the phase experiment.

use std::fmt::Write;

use surus_engine::phase::{GamePhase, PhaseHeuristic};

use super::config::{MatchRow, MatchTable, Verdict};
use super::figures::{course_svg, phase_heat_map};
use super::{Findings, Fit, PhaseExperiment};
use crate::match_run::MatchScore;

/// The page and its plots with their names.
pub(super) fn files(experiment: &PhaseExperiment<'_>, findings: &Findings) -> Vec<(String, String)> {
    let mut text = String::from(HEAD);
    let _ = writeln!(text, "Written by `{}`. {}\n", experiment.command, completeness(&findings.scores));
    let mut files = Vec::new();
    features(&mut text, experiment, &mut files);
    courses(&mut text, findings, &mut files);
    clusters(&mut text, &findings.fits);
    let mut scores = findings.scores.as_slice();
    for table in &experiment.config.tables {
        let (own, rest) = scores.split_at(table.rows.len().min(scores.len()));
        scores = rest;
        matches(&mut text, table, own);
    }
    costs(&mut text, experiment, findings);
    files.push(("phase.md".into(), format!("{}\n", text.trim_end())));
    files
}

const HEAD: &str = "\
# Game phase

The experiments of [Phase] with game phase: the features of boards (figures 4 and 5), the courses of four games (figure 3),
the clusters of X-means, and an evaluation that depends on the phase, in `fairylike` (table 1). [Phase] used 15,000 games of
players rated above 1600; the sets here are named in each table. What the terms mean is in [phase.md](../phase.md).

";

fn completeness(scores: &[MatchScore]) -> String {
    let (played, requested) = scores.iter().fold((0, 0), |(played, requested), score| {
        (played + score.games.min(score.games_requested), requested + score.games_requested)
    });
    if played == requested {
        return format!("All {requested} games are played.");
    }
    format!("**{played} of {requested} games are played**; a row with fewer games than planned says so.")
}

fn features(text: &mut String, experiment: &PhaseExperiment<'_>, files: &mut Vec<(String, String)>) {
    let Some(set) = experiment.sets.first() else { return };
    let _ = writeln!(
        text,
        "## Features of boards (figures 4 and 5)\n\n{}: {} boards of {} games, {} different feature vectors. The colours are \
         logarithmic.\n",
        set.title,
        set.histogram.boards,
        set.histogram.games,
        set.histogram.distinct()
    );
    for (threat, name, title) in
        [(false, "phase-features.svg", "No goal threat"), (true, "phase-features-threat.svg", "Goal threat")]
    {
        let own = set.histogram.iter().filter(|(features, _)| features.goal_threat == threat);
        let boards: u64 = own.map(|(_, count)| count).sum();
        let map = phase_heat_map(&set.histogram, threat, &format!("{title}: {boards} boards"));
        let _ = writeln!(text, "![{title}]({name})\n");
        files.push((name.into(), map.svg()));
    }
    text.push_str("[Phase] says of its figures that their scales end at 80,000 boards without a threat and 1,800 with one.\n\n");
}

fn courses(text: &mut String, findings: &Findings, files: &mut Vec<(String, String)>) {
    if findings.courses.is_empty() {
        return;
    }
    let names = GamePhase::ALL.map(|phase| phase.to_string());
    files.push(("phase-courses.svg".into(), course_svg(&findings.courses, &names)));
    text.push_str("## Courses of games (figure 3)\n\nThe phase before each turn by the heuristic discriminator, whose file is:\n\n");
    let _ = writeln!(text, "```toml\n{}```\n", PhaseHeuristic::embedded().to_toml());
    text.push_str("![Courses of four games](phase-courses.svg)\n\n");
    let head = "| game | turns | changes of phase | of these between middlegame and endgame |\n| --- | --- | --- | --- |\n";
    text.push_str(head);
    for course in &findings.courses {
        let phases = course.turns.iter().map(|turn| turn.phase);
        let changes: Vec<(usize, usize)> =
            phases.clone().zip(phases.skip(1)).filter(|(before, after)| before != after).collect();
        let late = changes.iter().filter(|(before, after)| before.min(after) > &0).count();
        let _ = writeln!(text, "| {} | {} | {} | {late} |", course.title, course.turns.len(), changes.len());
    }
    text.push_str("\n[Phase] notes that many games oscillate between middlegame and endgame as goal threats appear and disappear.\n\n");
}

fn clusters(text: &mut String, fits: &[Fit]) {
    text.push_str(
        "## Clusters\n\nX-means with each feature scaled to the range 1, seed 1. [Phase §5.4.1] found two clusters when free and three \
         when at least three were asked for. A cluster is given as pieces / advanced pieces / share of boards with a goal \
         threat, and its share of all boards. Where k found is the largest k allowed, the criterion still grows with every split: it \
         counts the boards of one game as independent, and small integers are no spherical Gaussians.\n\n| games | k allowed | k found | clusters | criterion (BIC) by k |\n| --- | --- | --- | --- | --- |\n",
    );
    for Fit { set, request, fitted } in fits {
        let clusters = fitted.model.clusters();
        let boards: u64 = clusters.iter().map(|cluster| cluster.boards).sum();
        let shown: Vec<String> = clusters
            .iter()
            .map(|cluster| {
                let [pieces, advanced, threat] = cluster.centroid;
                let share = 100.0 * cluster.boards as f64 / boards.max(1) as f64;
                format!("{pieces:.1} / {advanced:.1} / {threat:.2} ({share:.0} %)")
            })
            .collect();
        let compared: Vec<String> = fitted.compared.iter().map(|(k, bic)| format!("{k}: {bic:.0}")).collect();
        let _ = writeln!(
            text,
            "| {set} | {request} | {} | {} | {} |",
            clusters.len(),
            shown.join(", "),
            compared.join(", ")
        );
    }
    text.push('\n');
}

fn matches(text: &mut String, table: &MatchTable, scores: &[MatchScore]) {
    let _ = writeln!(text, "## {}\n\n{}\n", table.title, table.intro.trim());
    let has_published = table.rows.iter().any(|row| !row.published.is_empty());
    let published = |cell: &str| if has_published { format!(" {cell} |") } else { String::new() };
    let _ = writeln!(
        text,
        "| measured |{} points here | 95 % interval |\n| --- |{} --- | --- |",
        published("[Phase]"),
        published("---")
    );
    for (row, score) in table.rows.iter().zip(scores) {
        let MatchRow { title, published: figure, .. } = row;
        let _ =
            writeln!(text, "| {title} |{} {} | {} |", published(figure), score.summary(), interval(score));
    }
    if scores.iter().map(verdict).eq(table.remark_if.iter().copied().map(Some)) && !table.remark.is_empty() {
        let _ = writeln!(text, "\n{}", table.remark.trim());
    }
    text.push('\n');
}

/// Whether Wilson's interval is above or below one half; `None` without games.
fn verdict(score: &MatchScore) -> Option<Verdict> {
    match score.interval() {
        _ if score.games == 0 => None,
        (low, _) if low > 0.5 => Some(Verdict::Stronger),
        (_, high) if high < 0.5 => Some(Verdict::Weaker),
        _ => Some(Verdict::Open),
    }
}

/// The verdict and the interval.
fn interval(score: &MatchScore) -> String {
    let Some(verdict) = verdict(score) else { return String::new() };
    let word = match verdict {
        Verdict::Stronger => "stronger",
        Verdict::Weaker => "weaker",
        Verdict::Open => "open",
    };
    let (low, high) = score.interval();
    format!("{word} ({:.1} to {:.1} %)", 100.0 * low, 100.0 * high)
}

fn costs(text: &mut String, experiment: &PhaseExperiment<'_>, findings: &Findings) {
    let Some(&plain) = findings.costs.nanoseconds.first() else { return };
    let _ = writeln!(
        text,
        "## Cost of an evaluation\n\nThe mean time on {} boards of the games above, the fastest of several rounds in one run, \
         relative to the plain evaluation.\n\n| evaluation | relative time |\n| --- | --- |",
        findings.costs.boards
    );
    for (cost, nanoseconds) in experiment.config.costs.iter().zip(&findings.costs.nanoseconds) {
        let _ = writeln!(text, "| {} | {:.2} |", cost.title, nanoseconds / plain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_interval() {
        let score = |games, score| MatchScore { games, games_requested: 400, score, error: 0.0 };
        assert_eq!(interval(&score(0, 0.5)), "");
        assert!(interval(&score(400, 0.6)).starts_with("stronger (55."));
        assert!(interval(&score(400, 0.4)).starts_with("weaker"));
        assert!(interval(&score(10, 0.6)).starts_with("open"));
        assert_eq!(completeness(&[score(400, 0.5)]), "All 400 games are played.");
        assert!(completeness(&[score(40, 0.5)]).starts_with("**40 of 400 games"));
    }

    #[test]
    fn a_remark_is_printed_only_with_the_verdicts_it_is_based_on() {
        let side = "{ name = 'random' }";
        let row = format!("{{ title = 'row', games = 400, engine = {side}, opponent = {side} }}");
        let table: MatchTable = toml::from_str(&format!(
            "title = 'T'\nintro = ''\nremark = 'It gains.'\nremark_if = ['stronger', 'open']\nrow = [{row}, {row}]\n"
        ))
        .unwrap();
        let score = |games, score| MatchScore { games, games_requested: 400, score, error: 0.0 };
        let has_remark = |scores: &[MatchScore]| {
            let mut text = String::new();
            matches(&mut text, &table, scores);
            text.contains("It gains.")
        };
        assert!(has_remark(&[score(400, 0.6), score(400, 0.5)]));
        assert!(!has_remark(&[score(400, 0.5), score(400, 0.5)]));
        assert!(!has_remark(&[score(400, 0.6), score(0, 0.5)]));
        assert!(!has_remark(&[score(400, 0.6)]));
    }
}
