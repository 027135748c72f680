//! Positions to compare answers on, from games and perturbed.

use surus_rules::{Board, Game, Phase, Piece, PieceKind, Position, Setup, Side, Square, Step};

use super::random::Rng;

/// A generator of positions, determined by seed and games.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    rng: Rng,
    boards: Vec<(Board, Side)>,
}

impl Positions {
    /// Draws from `boards`, or from random games if there are none.
    pub(crate) fn new(seed: u64, boards: &[(Board, Side)]) -> Self {
        let mut rng = Rng::new(seed ^ 0x5375_7275_7354_6163);
        let mut boards = boards.to_vec();
        if boards.is_empty() {
            for _ in 0..40 {
                boards.extend(random_game(&mut rng, 80));
            }
        }
        Self { rng, boards }
    }

    /// The next position, possibly in mid-turn, with the board on which its turn started.
    pub(crate) fn next(&mut self) -> (Position, Board) {
        loop {
            let rng = &mut self.rng;
            let Some((mut board, mut side)) = rng.choose(&self.boards) else {
                continue;
            };
            if rng.below(8) == 0 {
                side = side.other();
            }
            match rng.below(8) {
                0 | 1 => {}
                2 | 3 => perturb(rng, &mut board, 3),
                4 => perturb(rng, &mut board, 8),
                5 => advance_rabbits(rng, &mut board, side),
                6 => {
                    thin_out(rng, &mut board);
                    advance_rabbits(rng, &mut board, side);
                }
                _ => {
                    thin_out(rng, &mut board);
                    perturb(rng, &mut board, 4);
                }
            }
            clean(&mut board);
            let Ok(start) = Position::new(board, side) else { continue };
            let mut position = start;
            if rng.below(3) == 0 {
                for _ in 0..1 + rng.below(3) {
                    position = any_step(rng, &position).unwrap_or(position);
                }
            }
            return (position, board);
        }
    }
}

fn any_step(rng: &mut Rng, position: &Position) -> Option<Position> {
    let mut steps: Vec<Step> = Vec::new();
    position.for_each_step(|step, _| steps.push(step));
    position.try_step(rng.choose(&steps)?).ok()
}

/// The boards of a random game whose steps prefer to go forward.
pub(crate) fn random_game(rng: &mut Rng, turns: usize) -> Vec<(Board, Side)> {
    let mut game = Game::default();
    for side in Side::BOTH {
        let mut letters: Vec<char> = "EMHHDDCCRRRRRRRR".chars().collect();
        rng.shuffle(&mut letters);
        let row = |letters: &[char]| letters.iter().collect::<String>();
        if let Ok(setup) = Setup::from_rows(side, &row(&letters[..8]), &row(&letters[8..])) {
            // Cannot fail on empty home ranks.
            let _ = game.play_setup(setup);
        }
    }
    let mut boards = Vec::new();
    for _ in 0..turns {
        let Phase::Play(side) = game.phase() else { break };
        boards.push((*game.position().board(), side));
        let mut steps: Vec<Step> = Vec::new();
        for _ in 0..4 {
            steps.clear();
            game.position().for_each_step(|step, _| steps.push(step));
            let picks = [rng.choose(&steps), rng.choose(&steps)];
            let ahead = |step: &Step| step.direction() == side.backward().opposite();
            let Some(step) = picks.iter().flatten().copied().find(ahead).or(picks[0]) else { break };
            if game.step(step).is_err() {
                break;
            }
        }
        if game.end_turn().is_err() {
            while game.undo_step().is_some() {}
            let turn = game.legal_turns().first().copied();
            if turn.is_none_or(|turn| game.play(&turn).is_err()) {
                break;
            }
        }
    }
    boards
}

fn any_square(rng: &mut Rng) -> Option<Square> {
    Square::new(rng.below(64) as u8)
}

/// Moves, removes or adds up to `max_changes` pieces.
fn perturb(rng: &mut Rng, board: &mut Board, max_changes: usize) {
    for _ in 0..1 + rng.below(max_changes) {
        let Some((from, to)) = any_square(rng).zip(any_square(rng)) else { continue };
        match rng.below(4) {
            0 => board.set(from, None),
            1 => {
                let side = Side::BOTH[rng.below(2)];
                let piece = Piece::new(side, PieceKind::ALL[rng.below(6)]);
                if board.piece_at(to).is_none() {
                    board.set(to, Some(piece));
                }
            }
            _ => {
                let moved = rng.choose(&board.iter().collect::<Vec<_>>());
                if let Some((from, piece)) = moved
                    && board.piece_at(to).is_none()
                {
                    board.set(from, None);
                    board.set(to, Some(piece));
                }
            }
        }
    }
}

/// Moves rabbits of both sides close to their goals, mostly those of `side`.
fn advance_rabbits(rng: &mut Rng, board: &mut Board, side: Side) {
    for _ in 0..1 + rng.below(4) {
        let side = if rng.below(4) == 0 { side.other() } else { side };
        let rank = 4 + rng.below(3) as u8;
        let rank = if side == Side::Gold { rank } else { 7 - rank };
        let Some(to) = Square::from_coords(rng.below(8) as u8, rank) else { continue };
        if let Some(from) = rng.choose(&board.rabbits(side).into_iter().collect::<Vec<_>>())
            && board.piece_at(to).is_none()
        {
            board.set(from, None);
            board.set(to, Some(Piece::new(side, PieceKind::Rabbit)));
        }
    }
}

/// Removes most pieces.
fn thin_out(rng: &mut Rng, board: &mut Board) {
    let kept = 2 + rng.below(8);
    for (square, _) in board.iter().collect::<Vec<_>>() {
        if rng.below(12) >= kept {
            board.set(square, None);
        }
    }
}

/// Removes impossible pieces: too many of a kind, unsupported pieces on traps, rabbits on their goals.
fn clean(board: &mut Board) {
    for side in Side::BOTH {
        for kind in PieceKind::ALL {
            for square in board.pieces(side, kind).into_iter().skip(kind.starting_count() as usize) {
                board.set(square, None);
            }
        }
        for square in board.rabbits(side) & side.goal() {
            board.set(square, None);
        }
        for square in board.unguarded(side) {
            board.set(square, None);
        }
    }
}
