//! The page of an experiment: what the document says, beside what was found.

use std::fmt::Write;

use crate::chart::{Chart, Point, Series};
use crate::config::{Claim, ExperimentConfig, Figure};
use crate::match_run::MatchScore;
use crate::measure::Measurements;

/// The results of an experiment in the order of its settings.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// For each figure, for each line, for each value.
    pub figures: Vec<Vec<Vec<MatchScore>>>,
    /// For each claim.
    pub claims: Vec<MatchScore>,
    /// Speeds and probes.
    pub measured: Measurements,
}

/// The page, and the charts it shows with the names of their files.
#[must_use]
pub fn render_report(
    settings: &ExperimentConfig,
    results: &Results,
    command: &str,
) -> (String, Vec<(String, String)>) {
    let mut text = format!("# {}\n\n{}\n\n", settings.title, settings.intro.trim());
    let _ = writeln!(
        text,
        "Made by `{command}`, which goes on with what is missing. {}\n",
        completeness_note(results)
    );
    let mut charts = Vec::new();
    for (figure, scores) in settings.figures.iter().zip(&results.figures) {
        let file = format!("{}.svg", figure.name);
        charts.push((file.clone(), chart(figure, scores).svg()));
        write_figure(&mut text, figure, scores, &file);
    }
    if !settings.claims.is_empty() {
        write_claims(&mut text, &settings.claims, &results.claims);
    }
    tell_measured(&mut text, settings, &results.measured);
    (format!("{}\n", text.trim_end()), charts)
}

/// How much of it was played, said before any number.
fn completeness_note(results: &Results) -> String {
    let all = results.figures.iter().flatten().flatten().chain(&results.claims);
    let (played, wanted) = all.fold((0, 0), |(played, wanted), score| {
        (played + score.games.min(score.games_requested), wanted + score.games_requested)
    });
    if played == wanted {
        format!("All {wanted} games are played.")
    } else {
        format!(
            "**{played} of {wanted} games are played**: a number with fewer games than asked for says so, and its \
             95 % interval stands behind ±."
        )
    }
}

fn chart(figure: &Figure, scores: &[Vec<MatchScore>]) -> Chart {
    let points = |line: &[MatchScore]| {
        let all = figure.values.iter().zip(line).filter(|(_, score)| 0 < score.games);
        all.map(|(&x, score)| Point { x, y: 100.0 * score.score, error: 100.0 * score.error }).collect()
    };
    let series = figure.series.iter().zip(scores);
    Chart {
        title: figure.title.clone(),
        x_label: figure.axis.clone(),
        y_label: "points in %".into(),
        logarithmic: figure.logarithmic,
        range: (0.0, 100.0),
        series: series
            .map(|(line, scores)| Series { name: line.name.clone(), points: points(scores) })
            .collect(),
    }
}

fn write_figure(text: &mut String, figure: &Figure, scores: &[Vec<MatchScore>], file: &str) {
    let _ = writeln!(text, "## {}\n\n![{}]({file})\n", figure.title, figure.title);
    let heads: Vec<String> = figure.values.iter().map(|value| format!("{value}")).collect();
    let _ = writeln!(text, "| {} | {} |", figure.axis, heads.join(" | "));
    let _ = writeln!(text, "| --- |{}", " --- |".repeat(heads.len()));
    for (line, scores) in figure.series.iter().zip(scores) {
        let cells: Vec<String> = scores.iter().map(MatchScore::summary).collect();
        let _ = writeln!(text, "| {} | {} |", line.name, cells.join(" | "));
    }
    let _ = writeln!(text, "\nThe document: {}", figure.published.trim());
    if !figure.remark.is_empty() {
        let _ = writeln!(text, "\n{}", figure.remark.trim());
    }
    text.push('\n');
}

fn write_claims(text: &mut String, claims: &[Claim], scores: &[MatchScore]) {
    text.push_str(
        "## Single claims\n\n| claim | the document | here | remark |\n| --- | --- | --- | --- |\n",
    );
    for (claim, score) in claims.iter().zip(scores) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            claim.title,
            claim.published,
            score.summary(),
            remark(claim, score)
        );
    }
}

/// What the interval says of the claim, and what we think of it.
fn remark(claim: &Claim, score: &MatchScore) -> String {
    let verdict = claim.expected.map_or("", |expected| score.check_claim(expected));
    let parts = [verdict, claim.remark.as_str()].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(": ")
}

fn tell_measured(text: &mut String, settings: &ExperimentConfig, measured: &Measurements) {
    if !measured.speeds.is_empty() {
        text.push_str("\n## Speed\n\n| what | the document | here |\n| --- | --- | --- |\n");
    }
    for (speed, (mine, theirs)) in settings.speeds.iter().zip(&measured.speeds) {
        let _ = writeln!(
            text,
            "| {} | {} | {mine:.0} playouts a second beside {theirs:.0}: {:.2} times |",
            speed.title,
            speed.published,
            mine / theirs
        );
    }
    if !measured.probes.is_empty() {
        text.push_str("\n## What playouts say\n\n| what | the document | gold wins |\n| --- | --- | --- |\n");
    }
    for (probe, chance) in settings.probes.iter().zip(&measured.probes) {
        let _ = writeln!(text, "| {} | {} | {:.1} % |", probe.title, probe.published, 100.0 * chance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_games_than_asked_for_are_said_before_any_number() {
        let settings = ExperimentConfig::parse(
            "f",
            "title = 'T'\nmax_turns = 9\n[[figure]]\nname = 'f'\ntitle = 'F'\npublished = 'up'\naxis = 'x'\n\
             values = [1, 2]\ngames = 4\n[[figure.series]]\nname = 'l'\nengine = { name = 'a' }\n\
             opponent = { name = 'b' }\n",
        )
        .unwrap();
        let score = |games| MatchScore { games, games_requested: 4, score: 0.5, error: 0.25 };
        let results = Results { figures: vec![vec![vec![score(4), score(0)]]], ..Results::default() };
        let (text, charts) = render_report(&settings, &results, "surus lab x");
        assert!(text.contains("**4 of 8 games are played**"), "{text}");
        assert!(text.contains("| l | 50.0 % ± 25.0 (4 games) | not played yet |"), "{text}");
        assert_eq!(charts[0].0, "f.svg");
        assert_eq!(charts[0].1.matches("<circle").count(), 1, "what was not played is no point");
    }
}
