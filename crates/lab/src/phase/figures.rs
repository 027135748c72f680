//! The figures of \[Phase\]: feature vectors as heat maps, and the course of games.

use std::fmt::Write;

use surus_engine::phase::{MAX_PIECES, PhaseOfTurn};
use surus_learn::phase::PhaseHistogram;

use crate::chart::text;
use crate::heat_map::HeatMap;

/// The heat map of the boards without or with a goal threat \[Phase, figures 4 and 5\].
#[must_use]
pub fn phase_heat_map(histogram: &PhaseHistogram, goal_threat: bool, title: &str) -> HeatMap {
    // At most 15 pieces besides the elephant can be advanced.
    let size = usize::from(MAX_PIECES);
    let mut counts = vec![vec![0; size + 1]; size];
    for (features, count) in histogram.iter().filter(|(features, _)| features.goal_threat == goal_threat) {
        let row = counts.get_mut(usize::from(features.max_advanced));
        if let Some(cell) = row.and_then(|row| row.get_mut(usize::from(features.min_pieces))) {
            *cell += count;
        }
    }
    HeatMap {
        title: title.into(),
        x_label: "pieces of the side with fewer".into(),
        y_label: "advanced pieces of the side with more".into(),
        counts,
    }
}

/// A game with the phase of each turn.
#[derive(Clone, PartialEq, Debug)]
pub struct GameCourse {
    /// Above its plot.
    pub title: String,
    /// Its turns.
    pub turns: Vec<PhaseOfTurn>,
}

const PLOT_WIDTH: f64 = 320.0;
const PLOT_HEIGHT: f64 = 150.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 30.0;
const LEVEL: f64 = 28.0;
const MARGIN: f64 = 16.0;

/// The colours of the phases, from the first to the last.
const COLOURS: [&str; 6] = ["#56b4e9", "#e69f00", "#d55e00", "#cc79a7", "#009e73", "#555555"];

/// A plot of the phase by turn for each game, two in a row \[Phase, figure 3\].
#[must_use]
pub fn course_svg(courses: &[GameCourse], phases: &[String]) -> String {
    let level = LEVEL * phases.len() as f64;
    let (plot_width, plot_height) = (PLOT_WIDTH + LEFT + MARGIN, PLOT_HEIGHT - 3.0 * LEVEL + level);
    let (width, height) = (2.0 * plot_width, plot_height * courses.len().div_ceil(2) as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (index, course) in courses.iter().enumerate() {
        let (x, y) = (plot_width * (index % 2) as f64, plot_height * (index / 2) as f64);
        let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
        plot(&mut out, course, phases);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn plot(out: &mut String, course: &GameCourse, phases: &[String]) {
    let bottom = TOP + LEVEL * phases.len() as f64;
    let height = |phase: usize| bottom - LEVEL * (phase as f64 + 0.5);
    text(out, LEFT + PLOT_WIDTH / 2.0, 18.0, "middle", &course.title);
    for (phase, name) in phases.iter().enumerate() {
        let y = height(phase);
        text(out, LEFT - 8.0, y + 4.0, "end", name);
        let _ = writeln!(out, "<path d=\"M{LEFT} {y:.1}h{PLOT_WIDTH}\" stroke=\"#dddddd\"/>");
    }
    let step = PLOT_WIDTH / course.turns.len().max(1) as f64;
    let mut path = String::new();
    for (index, turn) in course.turns.iter().enumerate() {
        let (x, y) = (LEFT + step * index as f64, height(turn.phase));
        let _ = match index {
            0 => write!(path, "M{x:.1} {y:.1}H{:.1}", x + step),
            _ => write!(path, "V{y:.1}H{:.1}", x + step),
        };
        let colour = COLOURS[turn.phase % COLOURS.len()];
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"6\" fill=\"{colour}\"/>",
            bottom + 2.0,
            step + 0.3
        );
        if index % 20 == 0 {
            text(out, x, bottom + 22.0, "middle", turn.turn.trim_end_matches(['g', 's']));
        }
    }
    if !path.is_empty() {
        let _ = writeln!(out, "<path d=\"{path}\" stroke=\"#0072b2\" stroke-width=\"1.5\" fill=\"none\"/>");
    }
}

#[cfg(test)]
mod tests {
    use surus_engine::phase::PhaseFeatures;

    use super::*;

    #[test]
    fn boards_are_in_the_map_of_their_threat() {
        let mut histogram = PhaseHistogram::default();
        let board = |goal_threat| PhaseFeatures { min_pieces: 12, max_advanced: 3, goal_threat };
        histogram.extend([(board(false), 7), (board(true), 2)]);
        for (threat, expected) in [(false, 7), (true, 2)] {
            let map = phase_heat_map(&histogram, threat, "");
            assert_eq!(map.counts[3][12], expected);
            assert_eq!(map.counts.iter().flatten().sum::<u64>(), expected);
        }
    }

    #[test]
    fn a_course_changes_its_level_with_the_phase() {
        let turn = |turn: &str, phase| PhaseOfTurn {
            turn: turn.into(),
            min_pieces: 16,
            max_advanced: 0,
            goal_threat: false,
            phase,
            name: String::new(),
            memberships: vec![],
        };
        let turns = vec![turn("2g", 0), turn("2s", 0), turn("3g", 2), turn("3s", 1)];
        let names = ["opening", "middlegame", "endgame"].map(String::from);
        let svg = course_svg(&[GameCourse { title: "one".into(), turns }], &names);
        assert!(svg.contains("M90.0 100.0H170.0V100.0H250.0V44.0H330.0V72.0H410.0"), "{svg}");
        assert_eq!(svg.matches("height=\"6\"").count(), 4);
        assert!(!course_svg(&[], &names).contains("NaN"));
    }
}
