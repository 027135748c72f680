//! What an engine says.

use surus_play::{Answer, Info};
use surus_rules::{Board, Game, Side};

/// The words behind `bestmove`.
pub(crate) fn best_move(answer: &Answer, board: &Board) -> String {
    match answer {
        Answer::Turn(turn) => board.notation(turn),
        Answer::Setup(setup) => setup.to_string(),
        Answer::Resign => "resigns".into(),
    }
}

/// The `info` lines of a report, without that word, the line of play last.
pub(crate) fn info_lines(info: &Info, game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    if 0 < info.line {
        lines.push(format!("multipv {}", info.line + 1));
    }
    if let Some(depth) = info.depth {
        lines.push(format!("depth {depth}{}", if info.finished { "" } else { "+" }));
    }
    lines.extend(info.score.map(|score| format!("score {score}")));
    lines.extend(info.win.map(|win| format!("winprob {win:.4}")));
    lines.extend(info.nodes.map(|nodes| format!("nodes {nodes}")));
    if let Some(time) = info.time {
        lines.push(format!("time {:.2}", time.as_secs_f64()));
        if let Some(nodes) = info.nodes.filter(|_| !time.is_zero()) {
            lines.push(format!("nps {:.0}", nodes as f64 / time.as_secs_f64()));
        }
    }
    lines.extend(info.hashfull.map(|full| format!("hashfull {full}")));
    lines.extend(info.words.iter().map(|words| format!("stat {words}")));
    if !info.pv.is_empty() {
        lines.push(format!("pv {}", line_of_play(info, game)));
    }
    lines
}

/// The turns of a line; those after the first begin with the letter of their side.
fn line_of_play(info: &Info, game: &Game) -> String {
    let mut board = *game.position().board();
    let mut side: Side = game.side();
    let mut words = Vec::new();
    for (index, turn) in info.pv.iter().enumerate() {
        if 0 < index {
            words.push(side.letter().to_string());
        }
        words.push(board.notation(turn));
        board = turn.steps().fold(board, |board, step| board.after(step));
        side = side.other();
    }
    words.join(" ")
}
