//! Linguistic Geometry: the document's test cases, how much the searches find, and how the engine plays.

mod cases;
mod recall;

use std::fmt::Write;
use std::path::Path;

use surus_play::{Registry, StopToken};
use surus_rules::{Board, Side as Colour};

use crate::config::MatchSide;
use crate::error::LabError;
use crate::match_run::{MatchRun, MatchScore, play_match};

/// What the experiment is to do.
#[derive(Debug)]
pub struct GeometryExperiment<'a> {
    /// Boards of real games, with the side to move; half of the positions are drawn from them.
    pub real: Vec<(Board, Colour)>,
    /// How many positions the searches are measured on.
    pub positions: usize,
    /// Games of each match.
    pub games: u64,
    /// The folder for finished games.
    pub runs_dir: &'a Path,
    /// The folder for the page and its figures.
    pub report_dir: &'a Path,
}

/// The matches: who is measured, against whom, and why.
const MATCHES: [(&str, &str, &str, &str); 3] = [
    ("greedy", "2000", "greedy", ""),
    ("level-3", "2000", "alphabeta:level=3", ""),
    ("alone", "2000", "alphabeta", "2000"),
];

/// Runs everything and writes the page; games that are on disk are not played again.
pub fn geometry(
    experiment: &GeometryExperiment<'_>,
    registry: &Registry,
    stop: &StopToken,
    mut tell: impl FnMut(&str),
) -> Result<(), LabError> {
    let mut text = String::from(HEAD);
    let write = |name: &str, text: &str| {
        let path = experiment.report_dir.join(name);
        std::fs::write(&path, text).map_err(|error| LabError::Io { path, error })
    };
    std::fs::create_dir_all(experiment.report_dir)
        .map_err(|error| LabError::Io { path: experiment.report_dir.into(), error })?;
    let (cases, figures) = cases::render();
    text.push_str(&cases);
    for (name, figure) in figures {
        write(&name, &figure)?;
    }
    tell("the document's test cases are written down");
    text.push_str(&recall::render(&experiment.real, experiment.positions, &mut tell));
    text.push_str(&matches(experiment, registry, stop, &mut tell)?);
    write("geometry.md", &format!("{}\n", text.trim_end()))
}

fn matches(
    experiment: &GeometryExperiment<'_>,
    registry: &Registry,
    stop: &StopToken,
    tell: &mut impl FnMut(&str),
) -> Result<String, LabError> {
    let mut text = String::from(
        "\n## How it plays\n\nThe engine `geometry` takes a goal, stops one, captures what is sound, defends what is attacked, and else \
         asks `alphabeta`, here with 2000 positions a turn. Games over 200 turns of both sides are drawn. The share of the points of \
         `geometry`, with its 95 % interval.\n\n| against | share |\n| --- | --- |\n",
    );
    for (name, nodes, opponent, theirs) in MATCHES {
        let side = |name: &str, nodes: &str| MatchSide {
            name: name.into(),
            nodes: nodes.into(),
            time: String::new(),
        };
        let folder = experiment.runs_dir.join(name);
        let wanted = MatchRun {
            sides: [side("geometry", nodes), side(opponent, theirs)],
            games: experiment.games,
            openings: surus_arena::Openings::Book { seed: 1 },
            max_turns: 200,
            concurrency: 1,
            runs_dir: &folder,
        };
        let score: MatchScore = play_match(&wanted, true, registry, stop)?;
        let who = if theirs.is_empty() { opponent.into() } else { format!("{opponent}, {theirs} positions") };
        tell(&format!("against {who}: {}", score.summary()));
        let _ = writeln!(text, "| `{who}` | {} |", score.summary());
    }
    text.push_str(
        "\nWhat zones add to the ordering of `alphabeta` itself stands in [engine.md](engine.md).\n",
    );
    Ok(text)
}

const HEAD: &str = "\
# Linguistic Geometry, tried out

Written by `surus lab geometry --input FILE --resume`, every number and figure of it; what the words mean is in
[geometry.md](../geometry.md). \"As printed\" follows the document's conditions to the letter where they can be run at all,
\"paper\" has what its own examples need corrected, \"extended\" is what the program uses.
";
