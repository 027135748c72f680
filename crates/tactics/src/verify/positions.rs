//! Positions to compare answers on: from games, and games pulled about.

use surus_rules::{Board, Game, Phase, Piece, PieceKind, Position, Setup, Side, Square, Step};

use super::random::Rng;

/// An endless supply of positions, the same for the same seed and games.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    random: Rng,
    boards: Vec<(Board, Side)>,
}

impl Positions {
    /// Draws from these boards; plays some games of its own where there are none.
    pub(crate) fn new(seed: u64, boards: &[(Board, Side)]) -> Self {
        let mut random = Rng::new(seed ^ 0x5375_7275_7354_6163);
        let mut boards = boards.to_vec();
        if boards.is_empty() {
            for _ in 0..40 {
                boards.extend(random_game(&mut random, 80));
            }
        }
        Self { random, boards }
    }

    /// The next one, perhaps in mid-turn, with the board that its turn began with.
    pub(crate) fn next(&mut self) -> (Position, Board) {
        loop {
            let random = &mut self.random;
            let Some((mut board, mut side)) = random.choose(&self.boards) else {
                continue;
            };
            if random.below(8) == 0 {
                side = side.other();
            }
            match random.below(8) {
                0 | 1 => {}
                2 | 3 => perturb(random, &mut board, 3),
                4 => perturb(random, &mut board, 8),
                5 => advance_rabbits(random, &mut board, side),
                6 => {
                    thin_out(random, &mut board);
                    advance_rabbits(random, &mut board, side);
                }
                _ => {
                    thin_out(random, &mut board);
                    perturb(random, &mut board, 4);
                }
            }
            clean(&mut board);
            let Ok(start) = Position::new(board, side) else { continue };
            let mut position = start;
            if random.below(3) == 0 {
                for _ in 0..1 + random.below(3) {
                    position = any_step(random, &position).unwrap_or(position);
                }
            }
            return (position, board);
        }
    }
}

fn any_step(random: &mut Rng, position: &Position) -> Option<Position> {
    let mut steps: Vec<Step> = Vec::new();
    position.for_each_step(|step, _| steps.push(step));
    position.try_step(random.choose(&steps)?).ok()
}

/// The boards of a game of random steps that go forward more often than not.
pub(crate) fn random_game(random: &mut Rng, turns: usize) -> Vec<(Board, Side)> {
    let mut game = Game::default();
    for side in Side::BOTH {
        let mut letters: Vec<char> = "EMHHDDCCRRRRRRRR".chars().collect();
        random.shuffle(&mut letters);
        let row = |letters: &[char]| letters.iter().collect::<String>();
        if let Ok(setup) = Setup::from_rows(side, &row(&letters[..8]), &row(&letters[8..])) {
            // Can't fail on an empty half of the board, and a game cut short is a game too.
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
            let picks = [random.choose(&steps), random.choose(&steps)];
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

fn any_square(random: &mut Rng) -> Option<Square> {
    Square::new(random.below(64) as u8)
}

/// Moves, removes or adds up to so many pieces.
fn perturb(random: &mut Rng, board: &mut Board, most: usize) {
    for _ in 0..1 + random.below(most) {
        let Some((from, to)) = any_square(random).zip(any_square(random)) else { continue };
        match random.below(4) {
            0 => board.set(from, None),
            1 => {
                let side = Side::BOTH[random.below(2)];
                let piece = Piece::new(side, PieceKind::ALL[random.below(6)]);
                if board.piece_at(to).is_none() {
                    board.set(to, Some(piece));
                }
            }
            _ => {
                let moved = random.choose(&board.iter().collect::<Vec<_>>());
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

/// Brings rabbits of both sides close to their goals, one side's more than the other's.
fn advance_rabbits(random: &mut Rng, board: &mut Board, side: Side) {
    for _ in 0..1 + random.below(4) {
        let side = if random.below(4) == 0 { side.other() } else { side };
        let rank = 4 + random.below(3) as u8;
        let rank = if side == Side::Gold { rank } else { 7 - rank };
        let Some(to) = Square::from_coords(random.below(8) as u8, rank) else { continue };
        if let Some(from) = random.choose(&board.rabbits(side).into_iter().collect::<Vec<_>>())
            && board.piece_at(to).is_none()
        {
            board.set(from, None);
            board.set(to, Some(Piece::new(side, PieceKind::Rabbit)));
        }
    }
}

/// Leaves few pieces.
fn thin_out(random: &mut Rng, board: &mut Board) {
    let keep = 2 + random.below(8);
    for (square, _) in board.iter().collect::<Vec<_>>() {
        if keep <= random.below(12) {
            board.set(square, None);
        }
    }
}

/// Takes away what can't be: pieces too many, pieces on unguarded traps, rabbits on their goals.
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
