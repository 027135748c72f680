//! Memory and time of `learn data merge`, `shuffle` and `check` on synthetic games.
//!
//! Writes games of 50 positions to ten files, in an order unlike that of their IDs, and prints the peak memory of the process after
//! each operation. Run it with `cargo bench -p surus-learn --bench merge [-- POSITIONS]`.

use std::path::PathBuf;
use std::time::Instant;

use surus_learn::data::{InputFiles, check, merge, shuffle};
use surus_play::StopToken;
use surus_record::packed::{
    Flags, Header, PackedGame, PackedSample, PackedWriter, Provenance, Sample, Score,
};
use surus_rules::{Board, Position, Side, Termination, Turn};

const GAME: u64 = 50;
const FILES: u64 = 10;
const BOARD: &str = "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]";

fn main() {
    let positions = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000_u64);
    let dir = std::env::temp_dir().join(format!("surus-merge-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let files = write(&dir, positions / GAME);
    println!("{positions} positions in {FILES} files; peak memory {}", peak_memory());
    let time = |name: &str, operation: &dyn Fn() -> u64| {
        let start = Instant::now();
        let games = operation();
        println!("{name}: {games} games in {:.1?}, peak memory {}", start.elapsed(), peak_memory());
    };
    let inputs = || InputFiles::open(&files, StopToken::default(), false).expect("the files");
    let [merged, shuffled] = ["merged", "shuffled"].map(|name| dir.join(name));
    time("merge", &|| merge(&inputs(), false, &merged).expect("merged").games);
    time("shuffle --memory 32", &|| shuffle(&inputs(), 1, 32 << 20, &shuffled).expect("shuffled").games);
    // The samples are no real games, so that all are reported.
    time("check", &|| check(&files, &StopToken::default()).expect("checked").found);
    let _ = std::fs::remove_dir_all(&dir);
}

fn write(dir: &std::path::Path, games: u64) -> Vec<PathBuf> {
    let position: Position = BOARD.parse().expect("a position");
    let board: Board = *position.board();
    let samples: Vec<PackedSample> = (0..GAME).map(|turn| sample(board, turn)).collect();
    let header = Header::of(Provenance { kind: "selfplay".into(), ..Provenance::default() });
    let mut files = Vec::new();
    for file in 0..FILES {
        let path = dir.join(format!("{file}.packed"));
        let mut writer = PackedWriter::create(&path, &header).expect("a new file");
        for number in (file..games).step_by(FILES as usize) {
            // An odd factor visits every residue of a power of two once, in another order.
            let id = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let game = PackedGame {
                id,
                origin: 0,
                result: Some(Side::Gold),
                reason: Termination::Goal,
                samples: samples.clone(),
            };
            writer.write_game(&game).expect("a game");
        }
        writer.finish().expect("a file");
        files.push(path);
    }
    files
}

fn sample(board: Board, turn: u64) -> PackedSample {
    let sample = Sample {
        board,
        side: Side::Gold,
        steps_left: 4,
        score: Score::Centirabbits(turn as i32),
        depth: 8,
        result: Some(Side::Gold),
        turn_number: turn as u16 + 2,
        flags: Flags::NONE,
        best_turn: Turn::EMPTY,
    };
    PackedSample::encode(&sample).expect("a sample")
}

/// The largest resident memory of this process so far.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".into(), |text| text.trim().to_string())
}
