//! What an engine says.

use surus_play::{Answer, Info};
use surus_rules::{Board, Game, Phase, Position, Side, Turn};
use surus_tactics::{captures, captures_from, find_goal, find_goal_from};

/// The words behind `bestmove`.
pub(crate) fn format_bestmove(answer: &Answer, board: &Board) -> String {
    match answer {
        Answer::Turn(turn) => board.notation(turn),
        Answer::Setup(setup) => setup.to_string(),
        // The word that the gameroom client knows.
        Answer::Resign => "resign".into(),
    }
}

/// The `info` lines of a report, without that word, the line of play last.
pub(crate) fn info_lines(info: &Info, game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    // A controller that wants one line only need not know that there are others.
    if 0 < info.pv_index {
        lines.push(format!("multipv {}", info.pv_index + 1));
    }
    if let Some(depth) = info.depth {
        lines.push(format!("depth {depth}{}", if info.depth_complete { "" } else { "+" }));
    }
    lines.extend(info.score.map(|score| format!("score {score}")));
    lines.extend(info.win_probability.map(|win| format!("winprob {win:.4}")));
    // The same under the name that Akimot gave it.
    lines.extend(info.win_probability.map(|win| format!("winratio {win:.6}")));
    lines.extend(info.nodes.map(|nodes| format!("nodes {nodes}")));
    if let Some(time) = info.time {
        lines.push(format!("time {:.2}", time.as_secs_f64()));
        if let Some(nodes) = info.nodes.filter(|_| !time.is_zero()) {
            lines.push(format!("nps {:.0}", nodes as f64 / time.as_secs_f64()));
        }
    }
    lines.extend(info.hashfull.map(|full| format!("hashfull {full}")));
    lines.extend(info.messages.iter().map(|words| format!("stat {words}")));
    if !info.pv.is_empty() {
        lines.push(format!("pv {}", format_pv(info, game)));
    }
    lines
}

/// The turns of a line; those after the first begin with the letter of their side.
fn format_pv(info: &Info, game: &Game) -> String {
    let mut board = *game.position().board();
    let mut side: Side = game.side();
    let mut words = Vec::new();
    for (index, turn) in info.pv.iter().enumerate() {
        if 0 < index {
            words.push(side.letter().to_string());
        }
        words.push(board.notation(turn));
        board = turn.steps().fold(board, |board, step| board.after_step(step));
        side = side.other();
    }
    words.join(" ")
}

/// What each side could do: the one to move with the steps it has left, the other if it had a whole turn now.
fn per_side<T>(
    game: &Game,
    mover: impl Fn(&Position) -> T,
    other: impl Fn(&Board, Side) -> T,
) -> Option<[(Side, T); 2]> {
    let Phase::Play(side) = game.phase() else { return None };
    let position = game.position();
    Some([(side, mover(position)), (side.other(), other(position.board(), side.other()))])
}

const GAME_OVER: &str = "nobody is to move";

/// Who can score a goal, and how.
pub(crate) fn goal_lines(game: &Game) -> Vec<String> {
    let board = game.position().board();
    let Some(both) = per_side(game, find_goal_from, |board, side| find_goal(board, side, Turn::MAX as u8))
    else {
        return vec![GAME_OVER.into()];
    };
    both.into_iter()
        .map(|(side, turn)| match turn {
            Some(turn) => format!("{side} can score in {}: {}", turn.len(), board.notation(&turn)),
            None => format!("{side} can't score"),
        })
        .collect()
}

/// Who can capture what, and how.
pub(crate) fn trap_lines(game: &Game) -> Vec<String> {
    let board = game.position().board();
    let every = |board: &Board, side| captures(board, side, Turn::MAX as u8).iter().collect::<Vec<_>>();
    let Some(both) = per_side(game, captures_from, every) else {
        return vec![GAME_OVER.into()];
    };
    let mut lines = Vec::new();
    for (side, found) in both {
        if found.is_empty() {
            lines.push(format!("{side} can't capture"));
        }
        for capture in found {
            let (piece, square, trap, steps) =
                (capture.piece.kind(), capture.square, capture.trap, capture.steps);
            let turn = board.notation(&capture.turn);
            lines.push(format!("{side} can capture the {piece} on {square} in {trap} in {steps}: {turn}"));
        }
    }
    lines
}
