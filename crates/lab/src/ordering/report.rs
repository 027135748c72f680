//! The page and its plots.

use std::fmt::Write;

use surus_learn::ordering::{Dataset, Estimate, Summary};

use super::OrderingExperiment;
use super::curves::CurveRow;
use super::models::{BEST, CANDIDATES, Clusters, PUBLISHED, PUBLISHED_CLUSTERS};
use super::parts::{ModelRow, Timing};
use crate::chart::{Chart, Point, Series};
use crate::error::LabError;
use crate::match_run::wilson;

/// The parts that are finished.
pub(super) struct Results {
    experts_text: String,
    own_text: String,
    cluster_texts: [String; 2],
    pub(super) timing: Option<Timing>,
    pub(super) experts: Option<Vec<ModelRow>>,
    pub(super) own: Option<Vec<ModelRow>>,
    pub(super) transfer: Option<Vec<ModelRow>>,
    pub(super) actions: Option<Vec<ModelRow>>,
    pub(super) own_curve: Option<Vec<CurveRow>>,
    pub(super) expert_curve: Option<Vec<CurveRow>>,
}

impl Results {
    pub(super) fn new([experts, own]: [&Dataset; 2], clusters: &[Clusters; 2]) -> Self {
        Self {
            experts_text: describe(experts),
            own_text: describe(own),
            cluster_texts: clusters.each_ref().map(Clusters::description),
            timing: None,
            experts: None,
            own: None,
            transfer: None,
            actions: None,
            own_curve: None,
            expert_curve: None,
        }
    }
}

fn describe(data: &Dataset) -> String {
    let of_group = |(group, name): (usize, &String)| {
        let games = data.games.iter().filter(|game| game.group == group);
        format!("{} of `{name}`", games.count())
    };
    let groups: Vec<String> = data.groups.iter().enumerate().map(of_group).collect();
    format!(
        "{} games ({}) with {} decisions, checksum {:08x}",
        data.games.len(),
        groups.join(", "),
        data.decisions(),
        data.checksum
    )
}

/// What was published, with where.
const PUBLISHED_FIGURES: &str = "\
| published | figure | source |
| --- | --- | --- |
| mean percentile, one naive Bayes | about 86 | [Phase §5.4.2], figure 6 |
| mean percentile, three naive Bayes, 1,000 games | 87.5 | [Phase §5.4.2] |
| turns 61 to 70 in the top 10 %, one naive Bayes | .36 | [Phase §5.4.2], figure 8 |
| turns 61 to 70 in the top 10 %, three naive Bayes | .44 | [Phase §5.4.2], figure 9 |
| played turns in the top 5 %, the 2015 champion's model | almost 90 % | David Wu's thesis of 2011, number 2 in the works cited by [Phase] |
";

const WHY_HIGHER: &str = "\
One naive Bayes of the published groups can rank higher here than published for several reasons, which these data do not separate: the\n\
players are stronger, distinct turns are ranked and not sequences of steps, and [Phase] does not describe its features in detail.\n\n";

pub(super) fn write(experiment: &OrderingExperiment<'_>, results: &Results) -> Result<(), LabError> {
    let dir = experiment.report_dir;
    std::fs::create_dir_all(dir).map_err(LabError::file(dir))?;
    let put = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::write(&path, text).map_err(|error| LabError::Io { path, error })
    };
    let mut text = head(experiment, results);
    if let Some(rows) = &results.experts {
        text += &comparison("Games of strong players", &results.experts_text, rows);
        put("ordering-experts.svg", &turns_chart("Games of strong players", rows).svg())?;
        put("ordering-top.svg", &top_chart(rows).svg())?;
        text += "![Share of played turns ranked in the top x %](ordering-top.svg)\n\n\
                 ![Share in the top 10 % by turn number](ordering-experts.svg)\n\n\
                 The intervals by turn number treat decisions as independent.\n\n";
        text += &details(&rows[BEST]);
        text += &details(&rows[PUBLISHED]);
        text += WHY_HIGHER;
        text += &late_turns(rows);
    }
    if let Some(rows) = &results.own {
        text += &comparison("Self-play", &results.own_text, rows);
        put("ordering-selfplay.svg", &turns_chart("Self-play", rows).svg())?;
        text += "![Share in the top 10 % by turn number](ordering-selfplay.svg)\n\n";
    }
    if let Some(rows) = &results.transfer {
        text +=
            "## Trained on one set, tested on the other\n\nThe Bradley-Terry model with all features.\n\n";
        text += &table("trained on", rows.iter().map(|row| (row.name.as_str(), &row.all)));
    }
    for (title, name, rows) in [
        ("Self-play", "ordering-curve-selfplay.svg", &results.own_curve),
        ("Games of strong players", "ordering-curve-experts.svg", &results.expert_curve),
    ] {
        if let Some(rows) = rows {
            put(name, &curve_chart(title, rows).svg())?;
            text += &curve(title, name, experiment, rows);
        }
    }
    if let Some(rows) = &results.actions {
        text += "## Actions\n\nThe same decisions action by action, with the action features: the next action of the played turn \
                 among all legal ones.\n\n";
        text += &table("model", rows.iter().map(|row| (row.name.as_str(), &row.all)));
    }
    put("ordering.md", &format!("{}\n", text.trim_end()))
}

fn head(experiment: &OrderingExperiment<'_>, results: &Results) -> String {
    let mut text = format!(
        "# Learned ordering of turns\n\n\
         Every number and plot below, except the published ones, was written by\n\n```sh\n{}\n```\n\n\
         [ordering.md](../ordering.md) describes data, features and models.\n\n\
         - games of strong players: {}\n- self-play: {}\n\n\
         All distinct turns of a position are ranked, one decision in {} by cross-validation with five folds by game.\n\
         Percentile: the share of the other turns that rank below the played one, equal scores counted half. Models are trained\n\
         with {} sampled alternatives of each decision. Intervals are 95 %, from the differences between games.\n\n\
         Clusters, as in [Phase §5.3], are those of all boards of a set, whatever was played on them, given as pieces / advanced\n\
         pieces / share of boards with a goal threat:\n\n- games of strong players: {}\n- self-play: {}\n\n{PUBLISHED_FIGURES}\n\
         [Phase] used games of players rated above 2100. The groups here:\n{}\n\n",
        experiment.command,
        results.experts_text,
        results.own_text,
        experiment.one_in,
        experiment.alternatives,
        results.cluster_texts[0],
        results.cluster_texts[1],
        groups(results)
    );
    if let Some(timing) = &results.timing {
        let _ = writeln!(
            text,
            "Training Bradley-Terry on {} games of self-play with {} decisions took {:.0} s with {} threads. Generating and ranking\n\
             {:.0} turns of a position took {:.1} ms with one thread. The model file has {} bytes.\n",
            timing.games,
            timing.decisions,
            timing.training,
            experiment.threads,
            timing.turns,
            timing.ranking,
            timing.model_bytes
        );
    }
    text
}

/// What the groups of the repository's data are.
const GROUPS: [(&str, &str); 3] = [
    ("experts", "games in which both players are rated at least 2000 or are strong programs"),
    (
        "sharp",
        "games of the 2015 champion program against itself at fixed depths; a program that orders its own turns by a \
         learned model is easier to predict",
    ),
    ("selfplay", "self-play of `alphabeta`; random turns are not ranked"),
];

fn groups(results: &Results) -> String {
    let known = |name: &str| {
        [&results.experts_text, &results.own_text].iter().any(|text| text.contains(&format!("`{name}`")))
    };
    let present = GROUPS.iter().filter(|(name, _)| known(name));
    present.map(|(name, about)| format!("\n- `{name}`: {about}")).collect()
}

fn comparison(title: &str, data: &str, rows: &[ModelRow]) -> String {
    let mut text = format!("## {title}\n\n{data}\n\n");
    text += &table("model", rows.iter().map(|row| (row.name.as_str(), &row.all)));
    text
}

fn cell(estimate: Estimate) -> String {
    format!("{:.2} ± {:.2}", estimate.mean, estimate.error)
}

fn table<'a>(first: &str, rows: impl Iterator<Item = (&'a str, &'a Summary)>) -> String {
    let mut text = format!(
        "| {first} | decisions | percentile | top 1 % | top 5 % | top 10 % | top 20 % | rank 1 | ranks 1 to 10 |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    );
    for (name, summary) in rows {
        let [one, five, ten, twenty] = summary.top.map(cell);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {one} | {five} | {ten} | {twenty} | {} | {} |",
            summary.decisions,
            cell(summary.percentile),
            cell(summary.first),
            cell(summary.first_ten)
        );
    }
    text.push('\n');
    text
}

/// The best model by group and phase.
fn details(row: &ModelRow) -> String {
    let phases = ["both sides with 15 or 16 pieces", "the weaker side with 12 to 14 pieces", "fewer pieces"];
    let groups = row.groups.iter().map(|(name, summary)| (name.as_str(), summary));
    let rows = groups.chain(phases.into_iter().zip(&row.phases));
    format!("{} by group of games and by phase:\n\n{}", row.name, table("part", rows))
}

fn late_turns(rows: &[ModelRow]) -> String {
    let share = |model: usize| rows[model].histogram.rows.get(6).map_or((0, 0.0), |row| (row.0, row.1[9]));
    let (decisions, one) = share(PUBLISHED);
    format!(
        "Turns 61 to 70, {decisions} decisions: {one:.2} in the top 10 % with one naive Bayes of the published groups (published: .36), \
         {:.2} with three\n(published: .44), {:.2} with Bradley-Terry and all features.\n\n",
        share(PUBLISHED_CLUSTERS).1,
        share(BEST).1
    )
}

/// The models drawn in charts.
const DRAWN: [usize; 4] = [PUBLISHED, PUBLISHED_CLUSTERS, 3, BEST];

fn turns_chart(title: &str, rows: &[ModelRow]) -> Chart {
    let series = |&model: &usize| {
        let histogram = &rows[model].histogram;
        let points = histogram.rows.iter().enumerate().filter(|(_, (decisions, _))| *decisions > 0).map(
            |(range, (decisions, shares))| {
                let share = shares[9];
                let (low, high) = wilson(share, *decisions as u64);
                let error = (share - low).max(high - share);
                Point { x: 10.0 * range as f64 + 5.0, y: share, error }
            },
        );
        Series { name: rows[model].name.clone(), points: points.collect() }
    };
    Chart {
        title: format!("{title}: played turns in the top 10 % (figures 8 and 9)"),
        x_label: "turn number, in ranges of ten".into(),
        y_label: "share of played turns".into(),
        logarithmic: false,
        range: (0.0, 1.0),
        series: DRAWN.iter().map(series).collect(),
    }
}

fn top_chart(rows: &[ModelRow]) -> Chart {
    let series = |&model: &usize| {
        let top = &rows[model].all.top;
        let points = [1.0, 5.0, 10.0, 20.0].iter().zip(top);
        let point = |(&x, estimate): (&f64, &Estimate)| Point { x, y: estimate.mean, error: estimate.error };
        Series { name: rows[model].name.clone(), points: points.map(point).collect() }
    };
    Chart {
        title: "Games of strong players: played turns ranked near the top".into(),
        x_label: "top x % of all turns".into(),
        y_label: "% of played turns".into(),
        logarithmic: true,
        range: (0.0, 100.0),
        series: [PUBLISHED, 3, 6, 7, 8, BEST].iter().map(series).collect(),
    }
}

fn curve_chart(title: &str, rows: &[CurveRow]) -> Chart {
    let lines = rows.iter().flat_map(|row| {
        let line = |name: String, of: fn(&(usize, Estimate, Estimate)) -> Estimate| Series {
            name,
            points: row
                .points
                .iter()
                .map(|point| Point { x: point.0 as f64, y: of(point).mean, error: of(point).error })
                .collect(),
        };
        // Training curves only for the first and the last model, so that the lines stay apart.
        let drawn = row.name == CANDIDATES[PUBLISHED].name || row.name == CANDIDATES[BEST].name;
        let training = drawn.then(|| line(format!("{}, training games", row.name), |point| point.1));
        std::iter::once(line(row.name.clone(), |point| point.2)).chain(training)
    });
    Chart {
        title: format!("{title}: learning curves (figures 6 and 7)"),
        x_label: "games, 70 % of them for training".into(),
        y_label: "mean percentile".into(),
        logarithmic: false,
        range: (80.0, 100.0),
        series: lines.collect(),
    }
}

fn curve(title: &str, name: &str, experiment: &OrderingExperiment<'_>, rows: &[CurveRow]) -> String {
    let mut text = format!(
        "## Learning curve: {}\n\nMean percentile on held-out games, mean of {} runs. The test games of a run are the same for all sizes: 30 % of the \
         largest. The training games that are ranked are those of the smallest size.\n\n![Learning curves]({name})\n\n| model | ",
        title.to_lowercase(),
        experiment.curve_runs
    );
    let points = rows.first().map_or(&[][..], |row| &row.points);
    let shown = |index: usize| index == 0 || index == 4 || index == 9 || index + 1 == points.len();
    let sizes: Vec<String> = points
        .iter()
        .enumerate()
        .filter(|(index, _)| shown(*index))
        .map(|(_, point)| format!("{} games", point.0))
        .collect();
    let _ = writeln!(text, "{} |\n| --- |{}", sizes.join(" | "), " --- |".repeat(sizes.len()));
    for row in rows {
        let cells: Vec<String> = row
            .points
            .iter()
            .enumerate()
            .filter(|(index, _)| shown(*index))
            .map(|(_, point)| cell(point.2))
            .collect();
        let _ = writeln!(text, "| {} | {} |", row.name, cells.join(" | "));
    }
    text.push('\n');
    text
}
