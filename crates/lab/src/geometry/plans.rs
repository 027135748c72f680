//! Searches over two turns: how often all replies confirm what the zones propose.

use std::fmt::Write;

use surus_geometry::search::{PlanTarget, Replies, SearchStats, answers, plan, replay};
use surus_rules::{Board, Position, Side, Turn};

use super::recall::draw;

/// Positions of real games for this section.
const POSITIONS: usize = 1500;

/// A goal or an immobilisation.
pub(super) fn exact_win(board: &Board, side: Side) -> Option<Turn> {
    let position = Position::new(*board, side).ok()?;
    surus_tactics::find_goal(board, side, 4).or_else(|| surus_tactics::immobilisation_from(&position, board))
}

fn exact_capture(board: &Board, side: Side) -> Option<Turn> {
    surus_tactics::captures(board, side, 4).iter().next().map(|capture| capture.turn)
}

/// Renders the section of the report.
pub(super) fn render(real: &[(Board, Side)], positions: usize, log: &mut impl FnMut(&str)) -> String {
    let sample = draw(real, positions.min(POSITIONS));
    let mut text = format!(
        "\n## Search over two turns\n\nAn attack by the zones, every reply, then a goal (or an immobilisation) or a capture that exact \
         tactics find. Where only the replies that the zones propose are tried, the result is a *plan*; all turns of the \
         defender make it a *proof*. Of {} positions of real games, those without a goal, or without a capture, in one turn were \
         searched; at most 60 attacks each.\n\n| target | searched | plans | confirmed by all replies | agreement | nodes of a search, \
         mean |\n| --- | --- | --- | --- | --- | --- |\n",
        sample.len()
    );
    for (name, target, exact) in [
        ("goal", PlanTarget::Goal, exact_win as fn(&Board, Side) -> Option<Turn>),
        ("capture", PlanTarget::Capture, exact_capture),
    ] {
        let (mut searched, mut plans, mut confirmed, mut nodes) = (0u64, 0u64, 0u64, 0u64);
        for (board, side) in sample.iter().filter(|(board, side)| exact(board, *side).is_none()) {
            let mut stats = SearchStats::default();
            searched += 1;
            let found = plan(board, *side, target, Replies::Zones, &exact, &mut stats);
            nodes += stats.nodes;
            let Some(after) = found.and_then(|found| replay(board, *side, &found.attack)) else { continue };
            plans += 1;
            let proof = answers(&after.board, *side, target, Replies::All, &exact, &mut stats);
            confirmed += u64::from(proof.is_some());
        }
        let _ = writeln!(
            text,
            "| {name} | {searched} | {plans} | {confirmed} | {:.1} % | {:.0} |",
            100.0 * confirmed as f64 / plans.max(1) as f64,
            nodes as f64 / searched.max(1) as f64
        );
    }
    log("plans compared");
    text
}
