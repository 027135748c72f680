//! What games show: the cost of translating zones, and the facts that \[LG §2\] states.

use std::fmt::Write;
use std::time::{Duration, Instant};

use surus_engine::eval::{Weights, explain};
use surus_geometry::Fidelity::Extended;
use surus_geometry::zone::{Network, TrackedNetwork};
use surus_rules::{Board, PieceKind, Side, Turn};

/// A game of the input.
#[derive(Debug)]
pub struct RealGame {
    /// The board after both setups.
    pub start: Board,
    /// The turns after the setups.
    pub turns: Vec<Turn>,
    /// How the archive says it ended, as its letter, if the file is an archive.
    pub termination: Option<String>,
}

/// Runs of rabbits in the compared networks.
const MAX_RUN: u8 = 5;
/// Games of the comparison, and how often each is timed; the fastest counts, because other processes disturb the rest.
const GAMES: usize = 60;
const REPEATS: usize = 3;

/// Renders the section about translation.
pub(super) fn translation(games: &[RealGame], log: &mut impl FnMut(&str)) -> String {
    let mut text = String::from(
        "\n## Translation\n\nThe network of a position (CUT zones in extended form, runs of up to five steps) is translated after each \
         step of a game: zones that the step does not affect stay, in the others the trajectories of the moved piece and to new \
         targets are generated, and times follow. It is compared with generating every zone after each step. Each game is \
         timed three times, the fastest counts. The translated network keeps its symbols in no order and sorts them when a zone is \
         read; the zones of every step are compared with the generated ones outside of the timing.\n\n",
    );
    let (mut translated, mut generated) = (Duration::ZERO, Duration::ZERO);
    let (mut steps, mut zones, mut different) = (0u64, 0u64, 0u64);
    let every = (games.len() / GAMES).max(1);
    let sample: Vec<&RealGame> = games.iter().step_by(every).take(GAMES).collect();
    for game in &sample {
        let boards = boards(game);
        translated += fastest(|| {
            let mut network = TrackedNetwork::new(&game.start, Extended, MAX_RUN);
            for board in &boards {
                network.translate(board);
            }
            std::hint::black_box(&network);
        });
        generated += fastest(|| {
            for board in &boards {
                std::hint::black_box(Network::new(board, Extended, MAX_RUN));
            }
        });
        let mut network = TrackedNetwork::new(&game.start, Extended, MAX_RUN);
        for board in &boards {
            network.translate(board);
            let all = Network::new(board, Extended, MAX_RUN);
            steps += 1;
            zones += all.zones().count() as u64;
            different += u64::from(!network.zones().eq(all.zones().cloned()));
        }
    }
    if steps == 0 {
        return text + "No games: run with `--input` to add them.\n";
    }
    let per_step = |time: Duration| time.as_secs_f64() * 1e6 / steps as f64;
    let _ = writeln!(
        text,
        "| games | steps | zones per step | steps with other zones | translated, µs per step | generated, µs per step | ratio |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n| {} | {steps} | {:.1} | {different} | {:.1} | {:.1} | {:.2} |",
        sample.len(),
        zones as f64 / steps as f64,
        per_step(translated),
        per_step(generated),
        generated.as_secs_f64() / translated.as_secs_f64()
    );
    log("translation compared");
    text
}

fn fastest(mut run: impl FnMut()) -> Duration {
    let time = |()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    std::iter::repeat_n((), REPEATS).map(time).min().unwrap_or_default()
}

/// The boards after each step.
fn boards(game: &RealGame) -> Vec<Board> {
    let mut board = game.start;
    let steps = game.turns.iter().flat_map(Turn::steps);
    steps
        .map(|step| {
            board = board.after_step(step);
            board
        })
        .collect()
}

/// Renders the section about the facts.
pub(super) fn facts(games: &[RealGame]) -> String {
    let mut text = String::from("\n## Facts that [LG] states\n\n");
    let known: Vec<&str> = games.iter().filter_map(|game| game.termination.as_deref()).collect();
    let share = |code: &str| {
        let count = known.iter().filter(|known| **known == code).count();
        format!("{count} of {}, {:.1} %", known.len(), 100.0 * count as f64 / known.len().max(1) as f64)
    };
    text.push_str("Endings [LG §2.1], by the archive's column `termination`:\n\n| ending | [LG] | here |\n| --- | --- | --- |\n");
    for (name, published, code) in [
        ("no legal step (m)", "2.2 %", "m"),
        ("third repetition (p)", "0.2 %", "p"),
        ("no rabbits on either side (n)", "0.0 %", "n"),
        ("goal (g)", "", "g"),
        ("elimination (e)", "", "e"),
        ("resignation (r)", "", "r"),
        ("time (t)", "", "t"),
    ] {
        let _ = writeln!(text, "| {name} | {published} | {} |", share(code));
    }
    text.push_str(&relations());
    text
}

/// What the loss of pieces from a full board costs, by the material terms of the fitted evaluation, in millirabbits.
fn cost(pieces: &[PieceKind]) -> i32 {
    let weights = Weights::embedded();
    let material = |board: &Board| -> i32 {
        let terms = explain(&weights, board, Side::Gold);
        let is_material = |name: &str| ["OFFICER_VALUE", "RABBIT_COUNT", "PIECE_COUNT"].contains(&name);
        terms.iter().filter(|t| is_material(t.spec.name)).map(|t| t.sides[0] - t.sides[1]).sum()
    };
    let full = full_board();
    let mut board = full;
    for &kind in pieces {
        if let Some(square) = board.pieces(Side::Gold, kind).first() {
            board.set(square, None);
        }
    }
    material(&full) - material(&board)
}

/// Both armies on their first two ranks.
fn full_board() -> Board {
    use surus_rules::{Piece, Square};
    let mut board = Board::EMPTY;
    for side in Side::BOTH {
        let kinds = PieceKind::ALL
            .into_iter()
            .flat_map(|kind| std::iter::repeat_n(kind, kind.starting_count() as usize));
        for (i, kind) in kinds.enumerate() {
            let index = if side == Side::Gold { i } else { 63 - i };
            if let Some(square) = Square::new(index as u8) {
                board.set(square, Some(Piece::new(side, kind)));
            }
        }
    }
    board
}

fn relations() -> String {
    use PieceKind::{Camel, Cat, Dog, Horse, Rabbit};
    let mut text = String::from(
        "\nPieces [LG §2.2], by what losing them from a full board costs in the material terms of the fitted evaluation, in \
         thousandths of its unit:\n\n| [LG] | one side | other side | holds |\n| --- | --- | --- | --- |\n",
    );
    let near = |a: i32, b: i32| (a - b).abs() * 5 <= b;
    type Relation = (&'static str, &'static [PieceKind], &'static [PieceKind], fn(i32, i32) -> bool);
    let relations: [Relation; 6] = [
        ("a cat counts more than a rabbit", &[Cat], &[Rabbit], |a, b| a > b),
        ("but not much more (within a half)", &[Cat], &[Rabbit], |a, b| 2 * a <= 3 * b),
        ("a dog is about two rabbits (within a fifth)", &[Dog], &[Rabbit, Rabbit], near),
        ("a horse is about a dog and a rabbit (within a fifth)", &[Horse], &[Dog, Rabbit], near),
        ("a camel is more than a horse and a cat", &[Camel], &[Horse, Cat], |a, b| a > b),
        ("a camel is less than a horse and a dog", &[Camel], &[Horse, Dog], |a, b| a < b),
    ];
    for (claim, left, right, holds) in relations {
        let (a, b) = (cost(left), cost(right));
        let _ = writeln!(text, "| {claim} | {a} | {b} | {} |", if holds(a, b) { "yes" } else { "no" });
    }
    text
}
