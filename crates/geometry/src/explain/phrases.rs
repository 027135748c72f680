//! The sentences.

use surus_rules::{Board, Piece, Side, Square, Step, Turn};

use super::interceptors;
use crate::abg::heavier;
use crate::search::{Capture, CapturedPiece, Defence, DefenceKind, Goal};
use crate::zone::Zone;

/// `Gold's` at the beginning of a sentence.
pub(super) fn possessive(side: Side) -> &'static str {
    match side {
        Side::Gold => "Gold's",
        Side::Silver => "Silver's",
    }
}

/// Whether a turn could be played or was.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
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

/// One part of a turn: what a piece does by itself, or to another one.
struct PieceAction {
    piece: Piece,
    from: Square,
    /// Where it goes by itself.
    way: Vec<Square>,
    /// Whom it dislodges: push or pull, who, from where, to where.
    dislodges: Vec<(bool, Piece, Square, Square)>,
}

/// The deeds of a turn, in the order in which the pieces first take part.
fn deeds(side: Side, turn: &Turn) -> Vec<PieceAction> {
    let steps: Vec<Step> = turn.steps().collect();
    // Each deed with the square where its piece stands by now.
    let mut deeds: Vec<(PieceAction, Square)> = Vec::new();
    let mut i = 0;
    while let Some(&step) = steps.get(i) {
        let next = steps.get(i + 1);
        let pulled = next
            .filter(|n| step.piece().side() == side && n.piece().side() != side)
            .filter(|n| n.to() == step.from() && step.piece().outranks(n.piece()));
        let (own, moved, push) = match (step.piece().side() == side, next) {
            (true, _) => (step, pulled.copied(), false),
            (false, Some(&own)) => (own, Some(step), true),
            (false, None) => break,
        };
        i += 1 + usize::from(moved.is_some());
        let place = deeds.iter().position(|(_, now)| *now == own.from()).unwrap_or_else(|| {
            let deed =
                PieceAction { piece: own.piece(), from: own.from(), way: Vec::new(), dislodges: Vec::new() };
            deeds.push((deed, own.from()));
            deeds.len() - 1
        });
        let (deed, now) = &mut deeds[place];
        *now = own.to();
        match moved {
            Some(moved) => deed.dislodges.push((push, moved.piece(), moved.from(), moved.to())),
            None => deed.way.push(own.to()),
        }
    }
    deeds.into_iter().map(|(deed, _)| deed).collect()
}

/// `a, b and c`.
pub(super) fn join_list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., tail] => format!("{} {last} {tail}", head.join(", ")),
    }
}

fn squares(way: &[Square]) -> String {
    way.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// `come by e5 to d5`, `step to d5`.
fn walk_words(way: &[Square], tense: Tense) -> String {
    match way {
        [] => String::new(),
        [to] => format!("{} to {to}", tense.verb("step")),
        [by @ .., to] => format!("{} by {} to {to}", tense.verb("come"), squares(by)),
    }
}

/// What a piece does to others: `push the horse from h3 through g3 into the trap on f3`.
fn dislodge_words(board: &Board, deed: &PieceAction, dead: &[CapturedPiece], tense: Tense) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = &deed.dislodges[..];
    while let Some(&(push, piece, from, _)) = rest.first() {
        // One and the same piece, led on and on, is one phrase.
        let mut along = vec![from];
        let mut kinds = vec![push];
        while let Some(&(push, _, start, to)) =
            rest.first().filter(|(_, _, start, _)| along.last() == Some(start))
        {
            debug_assert_eq!(Some(&start), along.last());
            along.push(to);
            kinds.push(push);
            rest = &rest[1..];
        }
        let verb = match (kinds.contains(&true), kinds.contains(&false)) {
            (true, true) => format!("{} and {}", tense.verb("push"), tense.verb("pull")),
            (true, false) => tense.verb("push"),
            _ => tense.verb("pull"),
        };
        let Some((to, by)) = along[1..].split_last() else { break };
        let through = if by.is_empty() { String::new() } else { format!(" through {}", squares(by)) };
        let trapped = to.is_trap() && dead.iter().any(|loss| loss.trap == *to && loss.piece == piece);
        let place = if trapped { format!("into the trap on {to}") } else { format!("to {to}") };
        let stood = board.piece_at(along[0]).map_or(piece, |piece| piece);
        words.push(format!("{verb} the {} from {}{through} {place}", stood.kind(), along[0]));
    }
    words
}

/// A capture: `Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3`.
#[must_use]
pub fn describe_capture(board: &Board, side: Side, capture: &Capture) -> String {
    let mut dead = capture.other_captures.clone();
    dead.push(CapturedPiece { piece: capture.piece, from: capture.square, trap: capture.trap });
    let mut text = turn_words(board, side, &capture.turn, &dead, Tense::Can);
    if capture.square == capture.trap {
        text.push_str(&format!(", and the {} on {} dies in its trap", capture.piece.kind(), capture.trap));
    }
    for loss in &capture.own_losses {
        text.push_str(&format!(", which costs the {} on {}", loss.piece.kind(), loss.from));
    }
    text
}

/// The deeds of a turn as something that can be done, or that was.
pub(super) fn turn_words(
    board: &Board,
    side: Side,
    turn: &Turn,
    dead: &[CapturedPiece],
    tense: Tense,
) -> String {
    let parts: Vec<String> = deeds(side, turn)
        .iter()
        .map(|deed| {
            let mut what = dislodge_words(board, deed, dead, tense);
            if !deed.way.is_empty() {
                what.insert(0, walk_words(&deed.way, tense));
            }
            let article = format!("the {} on {}", deed.piece.kind(), deed.from);
            let can = if tense == Tense::Can { "can " } else { "" };
            format!("{article} {can}{}", join_list(&what, "and"))
        })
        .collect();
    let text = join_list(&parts, "and");
    let text = text.strip_prefix("the ").map_or(text.clone(), ToString::to_string);
    format!("{} {text}", possessive(side))
}

/// A goal: `Gold's rabbit on d7 can step to d8: goal`.
#[must_use]
pub fn describe_goal(board: &Board, side: Side, goal: &Goal) -> String {
    let mut text = turn_words(board, side, &goal.turn, &[], Tense::Can);
    for loss in &goal.lost {
        text.push_str(&format!(", which costs the {} on {}", loss.piece.kind(), loss.from));
    }
    text.push_str(&format!(", and the rabbit is at its goal on {}", goal.goal));
    text
}

/// What can be done against it: `silver can guard f3 with the cat from e2`.
#[must_use]
pub fn describe_defence(board: &Board, side: Side, at: Square, defences: &[Defence]) -> String {
    let words: Vec<String> = defences
        .iter()
        .filter_map(|defence| {
            let first = defence.turn.steps().next()?;
            let last = defence.turn.steps().next_back()?;
            let (kind, from) = (first.piece().kind(), first.from());
            let steps = defence.turn.len();
            let count = match (steps, defence.loses_defender) {
                (1, false) => String::new(),
                (1, true) => " (but it can be captured then)".into(),
                (_, false) => format!(" ({steps} steps)"),
                (_, true) => format!(" ({steps} steps, but it can be captured then)"),
            };
            Some(match defence.means {
                DefenceKind::Retreat => format!("leave with the {kind} from {from} to {}{count}", last.to()),
                DefenceKind::ProtectTrap => format!("guard {at} with the {kind} from {from}{count}"),
                DefenceKind::Block => format!("block {} with the {kind} from {from}{count}", last.to()),
                DefenceKind::Freeze => {
                    format!("hold the rabbit with the {kind} from {from} on {}{count}", last.to())
                }
                DefenceKind::Other => format!("answer {}", board.notation(&defence.turn)),
            })
        })
        .collect();
    match words.is_empty() {
        true => format!("no defence of {side} was found along the zone"),
        false => format!("{side} can {}", join_list(&words, "or")),
    }
}

/// A rabbit's run: who can come in its way, in how many steps.
pub(super) fn describe_run(board: &Board, zone: &Zone, rabbit: Square, goal: Square, length: u8) -> String {
    let side = zone.attacker;
    let runner = board.piece_at(rabbit);
    let mut near: Vec<(u8, String)> = Vec::new();
    for symbol in interceptors(zone) {
        let freezes = runner.is_some_and(|runner| heavier(symbol.piece, runner));
        // Whoever is stronger holds a rabbit from beside its way.
        let steps = symbol.bundle.len - u8::from(freezes);
        let (kind, from, to) = (symbol.piece.kind(), symbol.bundle.from, symbol.bundle.to);
        let text = match (freezes, steps) {
            (true, 0) => format!("the {kind} on {from} stands beside {to} already"),
            (true, _) => format!("the {kind} on {from} can be beside {to} in {}", count(steps)),
            (false, _) => format!("the {kind} on {from} can be on {to} in {}", count(steps)),
        };
        match near.iter_mut().find(|(_, known)| known.starts_with(&format!("the {kind} on {from} "))) {
            Some(known) if steps < known.0 => *known = (steps, text),
            Some(_) => {}
            None => near.push((steps, text)),
        }
    }
    near.sort();
    near.truncate(3);
    let blockers = zone.blockers(board);
    let mut words: Vec<String> = blockers
        .into_iter()
        .filter_map(|square| {
            Some(format!("the {} on {square} is in the way", board.piece_at(square)?.kind()))
        })
        .collect();
    words.extend(near.into_iter().map(|(_, text)| text));
    let who = if words.is_empty() {
        format!("no piece of {} comes in time", side.other())
    } else {
        format!("of {} {}", side.other(), join_list(&words, "and"))
    };
    let frozen = if board.frozen(side).contains(rabbit) { ", frozen," } else { "" };
    format!(
        "{} rabbit on {rabbit}{frozen} is {} from its goal on {goal}; {who}.",
        possessive(side),
        count(length)
    )
}

/// `1 step`, `3 steps`.
pub(super) fn count(steps: u8) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}
