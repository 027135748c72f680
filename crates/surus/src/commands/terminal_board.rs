//! The board in colour, for terminals.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style};
use surus_rules::{Bitboard, Board, Game, Side, Square};

const GOLD: Style = AnsiColor::BrightYellow.on_default().effects(Effects::BOLD);
const SILVER: Style = AnsiColor::BrightCyan.on_default().effects(Effects::BOLD);
const TRAP: Style = AnsiColor::BrightRed.on_default();
const DIM: Style = Style::new().effects(Effects::DIMMED);

/// Draws the board from one side, with frozen pieces in brackets and a list of captured pieces.
pub(crate) fn draw(game: &Game, seen_from: Side) -> String {
    let board = game.position().board();
    let frozen = board.frozen(Side::Gold) | board.frozen(Side::Silver);
    let mut text = String::new();
    let files: Vec<u8> = if seen_from == Side::Gold { (0..8).collect() } else { (0..8).rev().collect() };
    let ranks: Vec<u8> = if seen_from == Side::Gold { (0..8).rev().collect() } else { (0..8).collect() };
    for &rank in &ranks {
        let _ = write!(text, " {DIM}{}{DIM:#} ", rank + 1);
        for square in files.iter().filter_map(|&file| Square::from_coords(file, rank)) {
            text.push_str(&cell(board, square, frozen));
        }
        text.push('\n');
    }
    let names: Vec<String> = files.iter().map(|&file| format!(" {} ", (b'a' + file) as char)).collect();
    let _ = writeln!(text, "   {DIM}{}{DIM:#}", names.concat());
    for side in Side::BOTH {
        let lost = missing(board, side);
        if !lost.is_empty() && !matches!(game.phase(), surus_rules::Phase::Setup(_)) {
            let _ = writeln!(text, " {side} lost {lost}");
        }
    }
    text
}

fn cell(board: &Board, square: Square, frozen: Bitboard) -> String {
    match board.piece_at(square) {
        None if square.is_trap() => format!(" {TRAP}x{TRAP:#} "),
        None => format!(" {DIM}.{DIM:#} "),
        Some(piece) => {
            let style = if piece.side() == Side::Gold { GOLD } else { SILVER };
            let (open, close) = if frozen.contains(square) { ('(', ')') } else { (' ', ' ') };
            format!("{DIM}{open}{DIM:#}{style}{}{style:#}{DIM}{close}{DIM:#}", piece.letter())
        }
    }
}

/// The letters of a side's captured pieces.
fn missing(board: &Board, side: Side) -> String {
    let lost = |kind: surus_rules::PieceKind| {
        let count = kind.starting_count().saturating_sub(board.count(side, kind)) as usize;
        surus_rules::Piece::new(side, kind).letter().to_string().repeat(count)
    };
    surus_rules::PieceKind::ALL.into_iter().rev().map(lost).collect()
}

/// The steps of the current turn, for the prompt.
pub(crate) fn steps_so_far(game: &Game) -> String {
    match game.current_turn().is_empty() {
        true => String::new(),
        false => format!("{} ", game.turn_start().notation(game.current_turn())),
    }
}
