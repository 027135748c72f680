//! `--plan`: search over two turns.

use anyhow::{Context, Result};
use surus_geometry::search::{PlanTarget, Replies, SearchStats, plan, replay};
use surus_rules::{Board, DistinctTurns, Position, Side, Turn};

use super::Args;
use super::query::GeometryOutput;
use super::report::{PlanAnswer, PlanReport};

/// A goal or an immobilisation.
fn exact_win(board: &Board, side: Side) -> Option<Turn> {
    let position = Position::new(*board, side).ok()?;
    let goal = surus_tactics::find_goal(board, side, 4);
    if goal.is_some() || !board.rabbits(side.other()).is_empty() {
        return goal.or_else(|| surus_tactics::immobilisation_from(&position, board));
    }
    // Without rabbits of the other side, the rules end the game before an immobilisation; --study does not.
    let turns = DistinctTurns::new(&position, board, 4);
    turns.iter().find(|(_, after)| !after.has_step(side.other())).map(|(turn, _)| turn)
}

fn exact_capture(board: &Board, side: Side) -> Option<Turn> {
    surus_tactics::captures(board, side, 4).iter().next().map(|capture| capture.turn)
}

impl GeometryOutput {
    pub(super) fn plan(&mut self, args: &Args, to_move: Side) -> Result<()> {
        let side = args.side.unwrap_or(to_move);
        let (target, exact): (_, fn(&Board, Side) -> Option<Turn>) = match args.plan.as_deref() {
            Some("capture") => (PlanTarget::Capture, exact_capture),
            _ => (PlanTarget::Goal, exact_win),
        };
        let replies = if args.replies == "zones" { Replies::Zones } else { Replies::All };
        let mut stats = SearchStats::default();
        let found = plan(&self.board, side, target, replies, &exact, &mut stats);
        let mut report = PlanReport {
            side: side.letter(),
            proven: found.is_some() && replies == Replies::All,
            nodes: stats.nodes,
            ..PlanReport::default()
        };
        if let Some(found) = found {
            let after = replay(&self.board, side, &found.attack).context("the attack is not legal")?.board;
            report.attack = Some(self.board.notation(&found.attack));
            report.attacks = found.attacks;
            report.answers = found
                .answers
                .iter()
                .map(|(reply, answer)| {
                    let replied = reply.steps().fold(after, |board, step| board.after_step(step));
                    PlanAnswer { reply: after.notation(reply), answer: replied.notation(answer) }
                })
                .collect();
        }
        self.title = report.summary();
        self.report.plan = Some(report);
        Ok(())
    }
}
