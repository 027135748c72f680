//! Phrases for turns and defences.

use surus_geometry::search::{Capture, CapturedPiece, Defence, DefenceKind, Goal};
use surus_rules::{Bitboard, Board, Pending, Piece, Side, Square, Step, Turn};

use crate::answers::Threat;
use crate::claim::{Aftermath, Win};
use crate::outcome::Outcome;
use crate::scene::Scene;

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

/// How the pieces of a turn are named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// `Gold's cat on c3 … and the dog on d4 …`
    Named,
    /// `your cat on c3 … and your dog on d4 …`
    Your,
    /// `its cat on c3 … and its dog on d4 …`
    Its,
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
    let mut text = describe_actions(side, &capture.turn, &dead, Tense::Can, Owner::Named);
    if capture.square == capture.trap {
        text.push_str(&format!(", and the {} on {} dies in its trap", capture.piece.kind(), capture.trap));
    }
    for loss in &capture.own_losses {
        text.push_str(&format!(", which costs the {} on {}", loss.piece.kind(), loss.from));
    }
    text
}

/// The actions of a turn: `Gold's horse on e6 can come by e5 to d5 and push the dog from c5 into the trap on c6`.
pub(crate) fn describe_actions(
    side: Side,
    turn: &Turn,
    dead: &[CapturedPiece],
    tense: Tense,
    owner: Owner,
) -> String {
    let can = if tense == Tense::Can { "can " } else { "" };
    let article = match owner {
        Owner::Named => "the",
        Owner::Your => "your",
        Owner::Its => "its",
    };
    let parts: Vec<String> = piece_actions(side, turn)
        .iter()
        .map(|action| {
            let mut phrases = describe_displacements(action, dead, tense);
            if !action.path.is_empty() {
                phrases.insert(0, describe_path(&action.path, tense));
            }
            let subject = format!("{article} {} on {}", action.piece.kind(), action.from);
            format!("{subject} {can}{}", join_list(&phrases, "and"))
        })
        .collect();
    let text = join_list(&parts, "and");
    match text.strip_prefix("the ") {
        Some(text) => format!("{} {text}", possessive(side)),
        None => text,
    }
}

/// A goal: `Gold's rabbit on d7 can step to d8, and the rabbit is at its goal on d8`.
#[must_use]
pub fn describe_goal(side: Side, goal: &Goal) -> String {
    let mut text = describe_actions(side, &goal.turn, &[], Tense::Can, Owner::Named);
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

/// The rest of a turn of a scene in words; `dead` are the enemy pieces that it captures.
pub(crate) fn describe_line(scene: &Scene<'_>, turn: &Turn, dead: &[CapturedPiece], owner: Owner) -> String {
    let side = scene.side();
    let mut steps = turn.steps().peekable();
    // A pull that has begun is completed first.
    let pulled = steps.next_if(|step| {
        matches!(scene.position.pending(), Pending::Pull { .. }) && step.piece().side() != side
    });
    let rest: Turn = steps.collect();
    let rest_text = describe_actions(side, &rest, dead, Tense::Does, owner);
    let Some(pulled) = pulled else { return rest_text };
    let pull =
        format!("the pull brings the {} from {} to {}", pulled.piece().kind(), pulled.from(), pulled.to());
    if rest.is_empty() { pull } else { format!("{pull} and {rest_text}") }
}

/// How a side wins: `by a goal on d8`.
pub(crate) fn describe_win(side: Side, win: Win) -> String {
    match win {
        Win::Goal { goal, .. } => format!("by a goal on {goal}"),
        Win::Elimination => format!("by capturing {}'s last rabbits", side.other()),
        Win::Immobilisation => format!("by immobilising {}", side.other()),
    }
}

/// An answer to a threat, with what it leaves: `your cat on e2 steps to f2, which guards f3. Then gold can neither win nor
/// capture anything.`
pub(crate) fn describe_answer(
    scene: &Scene<'_>,
    threat: Threat,
    turn: &Turn,
    aftermath: &Aftermath,
) -> String {
    let Some(outcome) = Outcome::new(&scene.position, turn) else { return String::new() };
    let line = describe_line(scene, turn, &outcome.captured, Owner::Your);
    let is_one_piece = piece_actions(scene.side(), turn).len() == 1;
    let guards = |dead: CapturedPiece| {
        let around = Bitboard::from(dead.trap).neighbours() & outcome.board.by_side(scene.side());
        let is_new = |square: Square| outcome.origin(square) != square;
        outcome.square_of(dead.from) == Some(dead.from) && around.into_iter().any(is_new)
    };
    let purpose = match threat {
        _ if aftermath.wins => ", which wins the game".into(),
        Threat::Capture(dead) if is_one_piece && guards(dead) => format!(" to guard {}", dead.trap),
        _ => String::new(),
    };
    format!("{line}{purpose}.{}", describe_aftermath(scene.side(), aftermath, "Then"))
}

/// What a turn leaves to the other side, as sentences that follow one about the turn. `then` begins the last one.
pub(crate) fn describe_aftermath(side: Side, aftermath: &Aftermath, then: &str) -> String {
    if aftermath.wins {
        return String::new();
    }
    let other = side.other();
    let mut text = String::new();
    if !aftermath.lost.is_empty() {
        let lost: Vec<String> = aftermath
            .lost
            .iter()
            .map(|dead| format!("your {} on {}", dead.piece.kind(), dead.from))
            .collect();
        text.push_str(&format!(" It costs {}.", join_list(&lost, "and")));
    }
    let what = if let Some((win, _)) = aftermath.win {
        format!("can win {}", describe_win(other, win))
    } else if let Some((dead, _)) = &aftermath.capture {
        format!("can capture your {} on {}", dead.piece.kind(), dead.from)
    } else {
        "can neither win nor capture anything".into()
    };
    text.push_str(&format!(" {then} {other} {what}."));
    text
}
