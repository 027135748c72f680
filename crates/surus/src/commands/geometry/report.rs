//! The result, for text and JSON.

use serde::Serialize;
use surus_explain::{Remark as Explanation, Response};
use surus_geometry::search::{SearchNode, SearchStats, SearchTree};
use surus_geometry::trajectory::Trajectory;
use surus_geometry::zone::{CutKind, Role, TimeModel, Zone as ZoneData, ZoneKind, ZoneSymbol};
use surus_rules::{Board, Piece, Side, Turn};

#[derive(Serialize, Default)]
pub(super) struct GeometryReport {
    pub(super) side: char,
    pub(super) board: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trajectories: Option<Trajectories>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zones: Option<Vec<Zone>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remarks: Option<Vec<Remark>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) derivation: Option<Derivation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) searches: Option<Vec<SearchOutput>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plan: Option<PlanReport>,
}

#[derive(Serialize, Default)]
pub(super) struct PlanReport {
    pub(super) side: char,
    pub(super) attack: Option<String>,
    /// Whether all replies were tried.
    pub(super) proven: bool,
    pub(super) attacks: usize,
    pub(super) nodes: u64,
    pub(super) answers: Vec<PlanAnswer>,
}

#[derive(Serialize)]
pub(super) struct PlanAnswer {
    pub(super) reply: String,
    /// Empty if the reply itself pushes a rabbit onto its goal rank.
    pub(super) answer: String,
}

impl PlanReport {
    /// The result in one line.
    pub(super) fn summary(&self) -> String {
        let Some(attack) = &self.attack else {
            return format!("{}: no attack found; {} nodes", self.side, self.nodes);
        };
        let kind = if self.proven { "proven against all" } else { "a plan against the zones'" };
        format!(
            "{}: {attack}, {kind} {} replies; attack {} of those tried, {} nodes",
            self.side,
            self.answers.len(),
            self.attacks,
            self.nodes
        )
    }
}

#[derive(Serialize)]
pub(super) struct Trajectories {
    pub(super) piece: char,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) length: u8,
    /// Total number; the list may be truncated.
    pub(super) count: u64,
    pub(super) paths: Vec<Vec<String>>,
}

#[derive(Serialize)]
pub(super) struct Zone {
    pub(super) attacker: char,
    pub(super) title: String,
    pub(super) participants: Vec<String>,
    pub(super) symbols: Vec<ZoneTrajectory>,
}

#[derive(Serialize)]
pub(super) struct ZoneTrajectory {
    pub(super) piece: char,
    pub(super) role: &'static str,
    pub(super) negation: u8,
    pub(super) path: Vec<String>,
    /// Number of other shortest trajectories.
    pub(super) alternatives: u64,
    pub(super) time: i16,
}

#[derive(Serialize)]
pub(super) struct Remark {
    pub(super) topic: &'static str,
    pub(super) side: char,
    pub(super) text: String,
    pub(super) turn: Option<String>,
    /// What follows, as a sentence.
    pub(super) response: String,
    /// The best answers to a threat, or the best reply to a capture.
    pub(super) answers: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Derivation {
    pub(super) grammar: Vec<String>,
    /// The productions that changed the string; `tried` counts all attempts.
    pub(super) lines: Vec<String>,
    pub(super) tried: usize,
    pub(super) string: String,
}

#[derive(Serialize)]
pub(super) struct SearchOutput {
    pub(super) side: char,
    pub(super) target: &'static str,
    pub(super) found: Option<String>,
    pub(super) nodes: u64,
    /// The tree as the string of [LG]; its states are numbered from 1.
    pub(super) string: String,
    pub(super) tree: Vec<SearchStep>,
}

#[derive(Serialize)]
pub(super) struct SearchStep {
    pub(super) parent: Option<usize>,
    pub(super) child: Option<usize>,
    pub(super) sibling: Option<usize>,
    pub(super) steps: String,
    pub(super) class: u8,
    pub(super) depth: u8,
    pub(super) found: bool,
}

pub(super) fn path(path: &Trajectory) -> Vec<String> {
    path.0.iter().map(ToString::to_string).collect()
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::Captor => "captor",
        Role::Victim => "victim",
        Role::Runner => "runner",
        Role::Intercept => "intercept",
        Role::Support => "support",
    }
}

impl Remark {
    pub(super) fn new(explanation: &Explanation, board: &Board) -> Self {
        let answers = match &explanation.response {
            Response::Defences { answers, .. } => {
                answers.iter().map(|answer| board.notation(&answer.turn)).collect()
            }
            Response::Reply(aftermath) => {
                let line = explanation.line.unwrap_or_default();
                let after = line.steps().fold(*board, |board, step| board.after_step(step));
                aftermath.reply().map(|reply| after.notation(&reply)).into_iter().collect()
            }
            Response::None | Response::Unstoppable => Vec::new(),
        };
        Self {
            topic: explanation.topic.name(),
            side: explanation.side.letter(),
            text: explanation.text.clone(),
            turn: explanation.line.map(|turn| board.notation(&turn)),
            response: explanation.response_text.clone(),
            answers,
        }
    }
}

impl Zone {
    pub(super) fn new(zone: &ZoneData, board: &Board) -> Self {
        let participants = zone.participants().into_iter();
        let named = participants.map(|s| format!("{}{s}", board.piece_at(s).map_or('?', Piece::letter)));
        Self {
            attacker: zone.attacker.letter(),
            title: title(zone, board),
            participants: named.collect(),
            symbols: zone.symbols.iter().map(|symbol| ZoneTrajectory::new(zone, symbol)).collect(),
        }
    }
}

impl ZoneTrajectory {
    fn new(zone: &ZoneData, symbol: &ZoneSymbol) -> Self {
        Self {
            piece: symbol.piece.letter(),
            role: role(symbol.role),
            negation: symbol.negation,
            path: path(&symbol.path()),
            alternatives: symbol.bundle.count(&symbol.mover()).saturating_sub(1),
            time: zone.printed_time(symbol),
        }
    }
}

/// The title of a zone.
pub(super) fn title(zone: &ZoneData, board: &Board) -> String {
    let name = |square| board.piece_at(square).map_or_else(String::new, |piece| piece.to_string());
    match zone.subject {
        ZoneKind::Cut { trap, captor, victim, kind, cost, guarded } => {
            let how = match kind {
                CutKind::Approach => "approaches",
                CutKind::Lead => "drags",
                CutKind::Strip => "removes the guard of",
            };
            let guard = if guarded { ", guarded" } else { "" };
            let (one, other) = (name(captor), name(victim));
            format!("trap {trap}: {one} {captor} {how} {other} {victim}, {cost} steps{guard}")
        }
        ZoneKind::Advance { rabbit, goal, length, clock } => {
            let clock = if clock == TimeModel::Serial { "alternating steps" } else { "alternating turns" };
            format!("run: {} {rabbit} to {goal}, {length} steps, {clock}", name(rabbit))
        }
    }
}

impl SearchOutput {
    /// The result in one line.
    pub(super) fn summary(&self) -> String {
        let found = self.found.as_deref().unwrap_or("none found");
        format!("{} {}: {found}; {} nodes", self.side, self.target, self.nodes)
    }

    pub(super) fn new(
        side: Side,
        target: &'static str,
        found: Option<&Turn>,
        board: &Board,
        stats: &SearchStats,
    ) -> Self {
        let nodes = stats.tree.as_ref().map_or(&[][..], SearchTree::nodes);
        let step = |node: &SearchNode| SearchStep {
            parent: node.parent,
            child: node.child,
            sibling: node.sibling,
            steps: node.action.steps().map(|step| step.to_string()).collect::<Vec<_>>().join(" "),
            class: node.priority,
            depth: node.depth,
            found: node.found,
        };
        Self {
            side: side.letter(),
            target,
            found: found.map(|turn| board.notation(turn)),
            nodes: stats.nodes,
            string: stats.tree.as_ref().map_or_else(String::new, ToString::to_string),
            tree: nodes.iter().map(step).collect(),
        }
    }
}
