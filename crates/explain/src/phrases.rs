//! Phrases for turns, defences and runs.

use surus_geometry::abg::heavier;
use surus_geometry::search::{Capture, CapturedPiece, Defence, DefenceKind, Goal};
use surus_geometry::zone::{Role, Zone, ZoneSymbol};
use surus_rules::{Board, Piece, Side, Square, Step, Turn};

/// `Gold's` at the beginning of a sentence.
pub(crate) fn possessive(side: Side) -> &'static str {
    match side {
        Side::Gold => "Gold's",
        Side::Silver => "Silver's",
    }
}

/// Whether a turn is possible or was played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tense {
    Can,
    Does,
}

impl Tense {
    /// `push` or `pushes`.
    fn verb(self, verb: &'static str) -> String {
        match self {
            Self::Can => verb.into(),
            Self::Does if verb.ends_with("sh") => format!("{verb}es"),
            Self::Does => format!("{verb}s"),
        }
    }
}

/// The steps, pushes and pulls of one piece in a turn.
struct PieceAction {
    piece: Piece,
    from: Square,
    /// The squares of its plain steps.
    path: Vec<Square>,
    displacements: Vec<Displacement>,
}

/// A push or pull of an enemy piece.
#[derive(Clone, Copy)]
struct Displacement {
    is_push: bool,
    piece: Piece,
    from: Square,
    to: Square,
}

/// The actions of a turn by piece, in the order of each piece's first action.
fn piece_actions(side: Side, turn: &Turn) -> Vec<PieceAction> {
    let steps: Vec<Step> = turn.steps().collect();
    // Each with the current square of its piece.
    let mut actions: Vec<(PieceAction, Square)> = Vec::new();
    let mut i = 0;
    while let Some(&step) = steps.get(i) {
        let next = steps.get(i + 1);
        let pulled = next
            .filter(|n| step.piece().side() == side && n.piece().side() != side)
            .filter(|n| n.to() == step.from() && step.piece().outranks(n.piece()));
        let (own, displaced, is_push) = match (step.piece().side() == side, next) {
            (true, _) => (step, pulled.copied(), false),
            (false, Some(&own)) => (own, Some(step), true),
            (false, None) => break,
        };
        i += 1 + usize::from(displaced.is_some());
        let index = actions.iter().position(|(_, current)| *current == own.from()).unwrap_or_else(|| {
            let (piece, from) = (own.piece(), own.from());
            actions.push((PieceAction { piece, from, path: Vec::new(), displacements: Vec::new() }, from));
            actions.len() - 1
        });
        let (action, current) = &mut actions[index];
        *current = own.to();
        match displaced {
            Some(step) => action.displacements.push(Displacement {
                is_push,
                piece: step.piece(),
                from: step.from(),
                to: step.to(),
            }),
            None => action.path.push(own.to()),
        }
    }
    actions.into_iter().map(|(action, _)| action).collect()
}

/// `a, b and c`.
fn join_list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., tail] => format!("{} {last} {tail}", head.join(", ")),
    }
}

fn join_squares(squares: &[Square]) -> String {
    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// `come by e5 to d5`, `step to d5`.
fn describe_path(path: &[Square], tense: Tense) -> String {
    match path {
        [] => String::new(),
        [to] => format!("{} to {to}", tense.verb("step")),
        [by @ .., to] => format!("{} by {} to {to}", tense.verb("come"), join_squares(by)),
    }
}

/// The pushes and pulls of a piece: `push the horse from h3 through g3 into the trap on f3`.
fn describe_displacements(action: &PieceAction, dead: &[CapturedPiece], tense: Tense) -> Vec<String> {
    // Consecutive displacements of the same piece are one phrase.
    let is_continued = |a: &Displacement, b: &Displacement| a.to == b.from;
    let chains = action.displacements.chunk_by(is_continued);
    chains.filter_map(|chain| describe_chain(chain, dead, tense)).collect()
}

/// Consecutive displacements of one piece.
fn describe_chain(chain: &[Displacement], dead: &[CapturedPiece], tense: Tense) -> Option<String> {
    let (first, last) = (chain.first()?, chain.last()?);
    let verb = match (chain.iter().any(|d| d.is_push), chain.iter().any(|d| !d.is_push)) {
        (true, true) => format!("{} and {}", tense.verb("push"), tense.verb("pull")),
        (true, false) => tense.verb("push"),
        _ => tense.verb("pull"),
    };
    let by: Vec<Square> = chain[1..].iter().map(|displacement| displacement.from).collect();
    let through = if by.is_empty() { String::new() } else { format!(" through {}", join_squares(&by)) };
    let to = last.to;
    let is_captured = dead.iter().any(|loss| loss.trap == to && loss.piece == first.piece);
    let target =
        if to.is_trap() && is_captured { format!("into the trap on {to}") } else { format!("to {to}") };
    Some(format!("{verb} the {} from {}{through} {target}", first.piece.kind(), first.from))
}

/// A capture: `Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3`.
#[must_use]
pub fn describe_capture(side: Side, capture: &Capture) -> String {
    let mut dead = capture.other_captures.clone();
    dead.push(CapturedPiece { piece: capture.piece, from: capture.square, trap: capture.trap });
    let mut text = describe_actions(side, &capture.turn, &dead, Tense::Can);
    if capture.square == capture.trap {
        text.push_str(&format!(", and the {} on {} dies in its trap", capture.piece.kind(), capture.trap));
    }
    for loss in &capture.own_losses {
        text.push_str(&format!(", which costs the {} on {}", loss.piece.kind(), loss.from));
    }
    text
}

/// The actions of a turn: `Gold's horse on e6 can come by e5 to d5 and push the dog from c5 into the trap on c6`.
pub(crate) fn describe_actions(side: Side, turn: &Turn, dead: &[CapturedPiece], tense: Tense) -> String {
    let can = if tense == Tense::Can { "can " } else { "" };
    let parts: Vec<String> = piece_actions(side, turn)
        .iter()
        .map(|action| {
            let mut phrases = describe_displacements(action, dead, tense);
            if !action.path.is_empty() {
                phrases.insert(0, describe_path(&action.path, tense));
            }
            let subject = format!("the {} on {}", action.piece.kind(), action.from);
            format!("{subject} {can}{}", join_list(&phrases, "and"))
        })
        .collect();
    let text = join_list(&parts, "and");
    format!("{} {}", possessive(side), text.strip_prefix("the ").unwrap_or(&text))
}

/// A goal: `Gold's rabbit on d7 can step to d8, and the rabbit is at its goal on d8`.
#[must_use]
pub fn describe_goal(side: Side, goal: &Goal) -> String {
    let mut text = describe_actions(side, &goal.turn, &[], Tense::Can);
    for loss in &goal.lost {
        text.push_str(&format!(", which costs the {} on {}", loss.piece.kind(), loss.from));
    }
    text.push_str(&format!(", and the rabbit is at its goal on {}", goal.goal));
    text
}

/// Defences of `side` of a trap or goal square: `silver can guard f3 with the cat from e2`.
#[must_use]
pub fn describe_defence(board: &Board, side: Side, square: Square, defences: &[Defence]) -> String {
    let phrases: Vec<String> =
        defences.iter().filter_map(|defence| defence_phrase(board, square, defence)).collect();
    if phrases.is_empty() {
        format!("no defence of {side} was found along the zone")
    } else {
        format!("{side} can {}", join_list(&phrases, "or"))
    }
}

fn defence_phrase(board: &Board, square: Square, defence: &Defence) -> Option<String> {
    let first = defence.turn.steps().next()?;
    let to = defence.turn.steps().next_back()?.to();
    let (kind, from) = (first.piece().kind(), first.from());
    let cost = match (defence.turn.len(), defence.loses_defender) {
        (1, false) => String::new(),
        (1, true) => " (but it can be captured then)".into(),
        (steps, false) => format!(" ({steps} steps)"),
        (steps, true) => format!(" ({steps} steps, but it can be captured then)"),
    };
    Some(match defence.means {
        DefenceKind::Retreat => format!("leave with the {kind} from {from} to {to}{cost}"),
        DefenceKind::ProtectTrap => format!("guard {square} with the {kind} from {from}{cost}"),
        DefenceKind::Block => format!("block {to} with the {kind} from {from}{cost}"),
        DefenceKind::Freeze => format!("hold the rabbit with the {kind} from {from} on {to}{cost}"),
        DefenceKind::Other => format!("answer {}", board.notation(&defence.turn)),
    })
}

/// The maximum number of interceptors to name in a run.
const MAX_INTERCEPTORS: usize = 3;

/// A rabbit's run, with the enemy pieces that block or can intercept it.
pub(crate) fn describe_run(board: &Board, zone: &Zone, rabbit: Square, goal: Square, length: u8) -> String {
    let side = zone.attacker;
    let in_the_way =
        |square: Square| Some(format!("the {} on {square} is in the way", board.piece_at(square)?.kind()));
    let mut phrases: Vec<String> = zone.blockers(board).into_iter().filter_map(in_the_way).collect();
    phrases.extend(interceptors(board, zone, rabbit));
    let enemies = if phrases.is_empty() {
        format!("no piece of {} comes in time", side.other())
    } else {
        format!("of {} {}", side.other(), join_list(&phrases, "and"))
    };
    let frozen = if board.frozen(side).contains(rabbit) { ", frozen," } else { "" };
    format!(
        "{} rabbit on {rabbit}{frozen} is {} from its goal on {goal}; {enemies}.",
        possessive(side),
        format_steps(length)
    )
}

/// The nearest interceptors of a run, one phrase for each piece.
fn interceptors(board: &Board, zone: &Zone, rabbit: Square) -> impl Iterator<Item = String> {
    let runner = board.piece_at(rabbit);
    let is_interceptor = |symbol: &&ZoneSymbol| symbol.role == Role::Intercept && symbol.negation == 1;
    let mut nearest: Vec<(u8, String)> = Vec::new();
    for symbol in zone.symbols.iter().filter(is_interceptor) {
        let freezes = runner.is_some_and(|runner| heavier(symbol.piece, runner));
        // A stronger piece only has to reach a square adjacent to the rabbit's path.
        let steps = symbol.bundle.len - u8::from(freezes);
        let (kind, from, to) = (symbol.piece.kind(), symbol.bundle.from, symbol.bundle.to);
        let text = match (freezes, steps) {
            (true, 0) => format!("the {kind} on {from} stands beside {to} already"),
            (true, _) => format!("the {kind} on {from} can be beside {to} in {}", format_steps(steps)),
            (false, _) => format!("the {kind} on {from} can be on {to} in {}", format_steps(steps)),
        };
        match nearest.iter_mut().find(|(_, text)| text.starts_with(&format!("the {kind} on {from} "))) {
            Some(existing) if steps < existing.0 => *existing = (steps, text),
            Some(_) => {}
            None => nearest.push((steps, text)),
        }
    }
    nearest.sort();
    nearest.into_iter().take(MAX_INTERCEPTORS).map(|(_, text)| text)
}

/// `1 step`, `3 steps`.
fn format_steps(steps: u8) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}
