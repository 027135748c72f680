//! The worth of each heuristic rule of \[LG §4.6\]: what the searches do without it.

use std::fmt::Write;

use surus_geometry::Fidelity::{self, Extended, Paper};
use surus_geometry::search::{
    Guidance, HeuristicRule, HeuristicRules, SearchStats, capture_in_one_turn, defend_capture, defend_goal,
    goal_in_one_turn,
};
use surus_rules::{Board, Position, Side};

use super::recall::{RecallStats, draw};

/// Positions of real games for this section.
const POSITIONS: usize = 4000;

/// What a rule belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Capture,
    Goal,
    DefendCapture,
    DefendGoal,
}

const fn task(rule: HeuristicRule) -> Task {
    use HeuristicRule as R;
    match rule {
        R::CaptureHalts | R::EveryTrap | R::TowardsTrap | R::MoveObstacles => Task::Capture,
        R::Retreat | R::DominateTrap | R::BlockMain => Task::DefendCapture,
        R::GoalHalts | R::AdvanceZone | R::AdvanceFirst | R::CoverSquare | R::StopOnLoss => Task::Goal,
        R::Intercept | R::FreezeFirst => Task::DefendGoal,
    }
}

impl Task {
    const fn name(self) -> &'static str {
        match self {
            Self::Capture => "captures found",
            Self::Goal => "goals found",
            Self::DefendCapture => "pieces saved",
            Self::DefendGoal => "goals stopped",
        }
    }
}

/// A position with the exact answer to a task.
struct Problem {
    board: Board,
    side: Side,
    exists: bool,
}

/// The positions of each task: all of them for captures and goals, those with a threat for the defences.
fn problems(task: Task, positions: &[(Board, Side)]) -> Vec<Problem> {
    let problem = |&(board, side): &(Board, Side)| {
        let position = Position::new(board, side).ok()?;
        let attacker = side.other();
        let exists = match task {
            Task::Capture => surus_tactics::captures(&board, side, 4).iter().next().is_some(),
            Task::Goal => surus_tactics::has_goal(&board, side, 4),
            Task::DefendCapture => {
                let mut stats = SearchStats::default();
                let threat = capture_in_one_turn(&board, attacker, 4, Guidance::EXTENDED, &mut stats)?;
                !surus_tactics::capture_defences(&position, &board, threat.square).turns().is_empty()
            }
            Task::DefendGoal => {
                goal_in_one_turn(&board, attacker, 4, Guidance::EXTENDED, &mut SearchStats::default())?;
                !surus_tactics::goal_defences(&position, &board).turns().is_empty()
            }
        };
        Some(Problem { board, side, exists })
    };
    positions.iter().filter_map(problem).collect()
}

fn solve(
    task: Task,
    Problem { board, side, .. }: &Problem,
    guidance: Guidance,
    rules: HeuristicRules,
) -> (bool, u64) {
    let (mut stats, attacker) = (SearchStats::default(), side.other());
    let found = match task {
        Task::Capture => capture_in_one_turn(board, *side, 4, guidance, &mut stats).is_some(),
        Task::Goal => goal_in_one_turn(board, *side, 4, guidance, &mut stats).is_some(),
        Task::DefendCapture => {
            let threat = capture_in_one_turn(board, attacker, 4, Guidance::EXTENDED, &mut stats);
            stats = SearchStats::default();
            threat.is_some_and(|threat| !defend_capture(board, &threat, 1, rules, &mut stats).is_empty())
        }
        Task::DefendGoal => {
            let threat = goal_in_one_turn(board, attacker, 4, Guidance::EXTENDED, &mut stats);
            stats = SearchStats::default();
            threat.is_some_and(|threat| {
                !defend_goal(board, *side, &threat, 1, false, rules, &mut stats).is_empty()
            })
        }
    };
    (found, stats.nodes)
}

fn measure(task: Task, problems: &[Problem], fidelity: Fidelity, rules: HeuristicRules) -> RecallStats {
    let mut stats = RecallStats::default();
    for problem in problems {
        let (found, nodes) = solve(task, problem, Guidance::Zones(fidelity, rules), rules);
        stats.add(problem.exists, found, nodes);
    }
    stats
}

/// Renders the section of the report.
pub(super) fn render(real: &[(Board, Side)], positions: usize, log: &mut impl FnMut(&str)) -> String {
    let sample = draw(real, positions.min(POSITIONS));
    let mut text = format!(
        "\n## The worth of the rules\n\n[LG §4.6] directs each search by seven rules. Each row leaves one of them out, in {} positions \
         of real games; its first column is the share of the captures and goals that exist, or of the threatened pieces that \
         can be saved and goals that can be stopped (exact tactics decide), that is still found, in brackets with all rules. The \
         rules of the defender are measured where the opponent threatens a capture or a goal. The extended zones do not \
         follow the last rule; for them the row shows what following it costs.\n\n| rule | measured | paper: without | nodes | \
         extended: without | nodes |\n| --- | --- | --- | --- | --- | --- |\n",
        sample.len()
    );
    for task_of_rules in [Task::Capture, Task::DefendCapture, Task::Goal, Task::DefendGoal] {
        let problems = problems(task_of_rules, &sample);
        let rules = HeuristicRule::CAPTURE.into_iter().chain(HeuristicRule::GOAL);
        for rule in rules.filter(|&rule| task(rule) == task_of_rules) {
            let _ = write!(text, "| {} | {} |", rule.text(), task_of_rules.name());
            for fidelity in [Paper, Extended] {
                let all = HeuristicRules::of(fidelity);
                let changed = if all.has(rule) { all.without(rule) } else { all.with(rule) };
                let (_, with, nodes_with) = measure(task_of_rules, &problems, fidelity, all).summary();
                let (_, without, nodes) = measure(task_of_rules, &problems, fidelity, changed).summary();
                let _ = write!(text, " {without} ({with}) | {nodes:.1} ({nodes_with:.1}) |");
            }
            text.push('\n');
        }
    }
    log("rules compared");
    text
}
