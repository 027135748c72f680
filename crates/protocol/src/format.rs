//! Messages that an engine sends.

use surus_play::{Answer, Info};
use surus_rules::{Board, Game, Phase, Position, Side, Turn};
use surus_tactics::{captures, captures_from, find_goal, find_goal_from};

/// The argument of `bestmove`.
pub(crate) fn format_bestmove(answer: &Answer, board: &Board) -> String {
    match answer {
        Answer::Turn(turn) => board.notation(turn),
        Answer::Setup(setup) => setup.to_string(),
        // As the gameroom client expects it.
        Answer::Resign => "resign".into(),
    }
}

/// The `info` lines of a report without the keyword, the principal variation last.
pub(crate) fn info_lines(info: &Info, game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    if info.pv_index > 0 {
        lines.push(format!("multipv {}", info.pv_index + 1));
    }
    if let Some(depth) = info.depth {
        lines.push(format!("depth {depth}{}", if info.depth_complete { "" } else { "+" }));
    }
    lines.extend(info.score.map(|score| format!("score {score}")));
    lines.extend(info.win_probability.map(|p| format!("winprob {p:.4}")));
    // The name of [Akimot] for the same value.
    lines.extend(info.win_probability.map(|p| format!("winratio {p:.6}")));
    lines.extend(info.nodes.map(|nodes| format!("nodes {nodes}")));
    if let Some(time) = info.time {
        lines.push(format!("time {:.2}", time.as_secs_f64()));
        if let Some(nodes) = info.nodes.filter(|_| !time.is_zero()) {
            lines.push(format!("nps {:.0}", nodes as f64 / time.as_secs_f64()));
        }
    }
    lines.extend(info.hashfull.map(|full| format!("hashfull {full}")));
    lines.extend(info.messages.iter().map(|message| format!("stat {message}")));
    if !info.pv.is_empty() {
        lines.push(format!("pv {}", format_pv(info, game)));
    }
    lines
}

/// The turns of a variation; those after the first start with the letter of their side.
fn format_pv(info: &Info, game: &Game) -> String {
    let mut board = *game.position().board();
    let mut side: Side = game.side();
    let mut words = Vec::new();
    for (index, turn) in info.pv.iter().enumerate() {
        if index > 0 {
            words.push(side.letter().to_string());
        }
        words.push(board.notation(turn));
        board = turn.steps().fold(board, |board, step| board.after_step(step));
        side = side.other();
    }
    words.join(" ")
}

/// Evaluates both sides: the side to move with its remaining steps, the other with a full turn.
fn per_side<T>(
    game: &Game,
    side_to_move: impl Fn(&Position) -> T,
    opponent: impl Fn(&Board, Side) -> T,
) -> Option<[(Side, T); 2]> {
    let Phase::Play(side) = game.phase() else { return None };
    let position = game.position();
    Some([(side, side_to_move(position)), (side.other(), opponent(position.board(), side.other()))])
}

const GAME_OVER: &str = "no side to move";

/// A turn of the side to move in the form of [Akimot], such as `gold Rb7n`.
fn akimot_line(game: &Game, turn: Option<&Turn>) -> String {
    let turn = turn.map_or_else(|| "none".into(), |turn| game.position().board().notation(turn));
    format!("{} {turn}", game.side())
}

/// A goal of the side to move, then the goals that each side can reach.
pub(crate) fn goal_lines(game: &Game) -> Vec<String> {
    let board = game.position().board();
    let Some(both) = per_side(game, find_goal_from, |board, side| find_goal(board, side, Turn::MAX as u8))
    else {
        return vec![GAME_OVER.into()];
    };
    let first = akimot_line(game, both[0].1.as_ref());
    let goals = both.into_iter().map(|(side, turn)| match turn {
        Some(turn) => format!("{side} can score in {}: {}", turn.len(), board.notation(&turn)),
        None => format!("{side} cannot score"),
    });
    std::iter::once(first).chain(goals).collect()
}

/// A capture of the side to move, then the captures that each side can make.
pub(crate) fn trap_lines(game: &Game) -> Vec<String> {
    let board = game.position().board();
    let all_captures =
        |board: &Board, side| captures(board, side, Turn::MAX as u8).iter().collect::<Vec<_>>();
    let Some(both) = per_side(game, captures_from, all_captures) else {
        return vec![GAME_OVER.into()];
    };
    let mut lines = vec![akimot_line(game, both[0].1.first().map(|capture| &capture.turn))];
    for (side, found) in both {
        if found.is_empty() {
            lines.push(format!("{side} cannot capture"));
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
