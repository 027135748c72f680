//! Every field comes back; torn, flipped and foreign files are noticed.

use std::fs;
use std::path::PathBuf;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_rules::{Bitboard, Board, DistinctTurns, Piece, PieceKind, Side, Termination, Turn};

use super::*;
use crate::journal::JournalError;

/// A file that goes away with the test.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-packed-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn read(&self) -> (Vec<PackedGame>, Vec<PackedFileError>) {
        let reader = match PackedReader::open(&self.0) {
            Ok(reader) => reader,
            Err(error) => return (Vec::new(), vec![error]),
        };
        let (mut games, mut errors) = (Vec::new(), Vec::new());
        for game in reader.into_games() {
            match game {
                Ok(game) => games.push(game),
                Err(error) => errors.push(error),
            }
        }
        (games, errors)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Any pieces on any squares, but none on a trap that could not stand there.
fn random_board(random: &mut Pcg64Mcg) -> Board {
    let mut squares: Vec<_> = Bitboard::ALL.into_iter().collect();
    squares.shuffle(random);
    let mut board = Board::EMPTY;
    for side in Side::BOTH {
        for kind in PieceKind::ALL {
            for _ in 0..random.random_range(0..=kind.starting_count()) {
                board.set(squares.pop().unwrap(), Some(Piece::new(side, kind)));
            }
        }
    }
    // Taking one away may leave another one alone.
    while let Some(square) = Side::BOTH.iter().find_map(|&side| board.unguarded(side).first()) {
        board.set(square, None);
    }
    board
}

fn random_sample(random: &mut Pcg64Mcg) -> Sample {
    let board = random_board(random);
    let side = *Side::BOTH.choose(random).unwrap();
    let position = surus_rules::Position::new(board, side).unwrap();
    let turns: Vec<Turn> = DistinctTurns::new(&position, &board, 4).iter().map(|(turn, _)| turn).collect();
    Sample {
        board,
        side,
        steps_left: random.random_range(1..=4),
        score: *[
            Score::Centirabbits(random.random_range(-8_000..=8_000)),
            Score::Win { turns: random.random_range(0..=8_000) },
            Score::Loss { turns: random.random_range(0..=8_000) },
        ]
        .choose(random)
        .unwrap(),
        depth: random.random(),
        result: *[None, Some(Side::Gold), Some(Side::Silver)].choose(random).unwrap(),
        turn_number: random.random(),
        flags: Flags::from_bits(random.random()),
        best_turn: turns.choose(random).copied().unwrap_or(Turn::EMPTY),
    }
}

fn random_game(id: u64, random: &mut Pcg64Mcg) -> PackedGame {
    let reasons = [Termination::Goal, Termination::Elimination, Termination::Score, Termination::Resignation];
    let count = random.random_range(0..6);
    PackedGame {
        id,
        origin: 0,
        result: *[None, Some(Side::Gold), Some(Side::Silver)].choose(random).unwrap(),
        reason: *reasons.choose(random).unwrap(),
        samples: (0..count).map(|_| PackedSample::encode(&random_sample(random)).unwrap()).collect(),
    }
}

fn origin() -> Provenance {
    let pair = |name: &str, value: &str| [(name.to_string(), value.to_string())].into();
    Provenance {
        kind: "selfplay".into(),
        program: "surus".into(),
        engine: "alphabeta".into(),
        nodes: 5000,
        seed: 3,
        options: pair("hash", "16"),
        settings: pair("random turns", "0 to 6"),
    }
}

#[test]
fn every_field_of_a_sample_comes_back() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..400 {
        let sample = random_sample(&mut random);
        let packed = PackedSample::encode(&sample).unwrap();
        assert_eq!(packed.decode(), sample);
        assert_eq!(packed.validate(), Ok(()));
        assert_eq!(PackedSample::from_bytes(*packed.as_bytes()), packed);
    }
}

#[test]
fn any_bytes_can_be_asked_and_only_packed_samples_are_valid() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for _ in 0..20_000 {
        let packed = PackedSample::from_bytes(std::array::from_fn(|_| random.random()));
        let _ = packed.decode();
        if packed.validate().is_ok() {
            assert_eq!(PackedSample::encode(&packed.decode()), Ok(packed));
        }
    }
    let packed = PackedSample::encode(&random_sample(&mut random)).unwrap();
    let with = |place: usize, value: u8| {
        let mut bytes = *packed.as_bytes();
        bytes[place] = value;
        PackedSample::from_bytes(bytes).validate()
    };
    assert_eq!(with(24, 0), Err(SampleError::StepsLeft(0)));
    assert_eq!(with(31, 0x80), Err(SampleError::NonCanonicalByte(31)));
    assert!(with(0, !packed.as_bytes()[0]).is_err());
}

#[test]
fn what_can_not_be_had_back_is_not_packed() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let sample = Sample { board: Board::EMPTY, best_turn: Turn::EMPTY, ..random_sample(&mut random) };
    let step: Turn = ["Ee2n".parse().unwrap()].into_iter().collect();
    let error = PackedSample::encode(&Sample { best_turn: step, ..sample.clone() }).unwrap_err();
    assert_eq!(error.to_string(), "the best turn's step Ee2n does not fit the board");
    let error = PackedSample::encode(&Sample { steps_left: 5, ..sample.clone() }).unwrap_err();
    assert_eq!(error.to_string(), "5 steps are left: expected 1 to 4");
    let mut board = Board::EMPTY;
    for square in Bitboard::rank(1) {
        board.set(square, Some(Piece::new(Side::Gold, PieceKind::Camel)));
    }
    assert!(matches!(PackedSample::encode(&Sample { board, ..sample }), Err(SampleError::Board(_))));
}

#[test]
fn files_come_back_whole_from_both_writers() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let games: Vec<PackedGame> = (1..=20).map(|id| random_game(id, &mut random)).collect();
    let (grown, whole) = (TempFile::new("grown"), TempFile::new("whole"));
    let mut appender = PackedAppender::open(&grown.0, &origin()).unwrap();
    let mut writer = PackedWriter::create(&whole.0, &Header::of(origin())).unwrap();
    for game in &games {
        appender.write_game(game).unwrap();
        writer.write_game(game).unwrap();
    }
    assert!(!whole.0.exists(), "a file has its name when it is finished");
    writer.finish().unwrap();
    assert_eq!(grown.read().0, games);
    assert_eq!(fs::read(&grown.0).unwrap(), fs::read(&whole.0).unwrap());
    assert_eq!(PackedReader::open(&whole.0).unwrap().header(), &Header::of(origin()));
    assert!(PackedWriter::create(&whole.0, &Header::of(origin())).is_err(), "nothing is written over");
    // By its place, forwards and backwards.
    let mut all = PackedReader::open(&whole.0).unwrap().into_games();
    let places: Vec<u64> =
        std::iter::from_fn(|| Some(all.offset()).filter(|_| all.next().is_some())).collect();
    let mut reader = PackedReader::open(&whole.0).unwrap();
    for index in [3, 19, 0, 7] {
        assert_eq!(reader.game_at(places[index]).unwrap(), games[index]);
    }
}

#[test]
fn a_torn_file_is_cut_and_goes_on_wherever_it_was_torn() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let games: Vec<PackedGame> = (1..=3).map(|id| random_game(id, &mut random)).collect();
    let file = TempFile::new("torn");
    let mut appender = PackedAppender::open(&file.0, &origin()).unwrap();
    games.iter().for_each(|game| appender.write_game(game).unwrap());
    drop(appender);
    let bytes = fs::read(&file.0).unwrap();
    for length in 0..bytes.len() {
        fs::write(&file.0, &bytes[..length]).unwrap();
        let (whole, errors) = file.read();
        assert_eq!(whole, games[..whole.len()]);
        assert!(
            errors.iter().all(|error| matches!(error, PackedFileError::Truncated { .. })),
            "{length}: {errors:?}"
        );
        let mut appender = PackedAppender::open(&file.0, &origin()).unwrap();
        assert_eq!(appender.counts().0, whole.len() as u64);
        for game in games.iter().filter(|game| !appender.contains(game.id)).collect::<Vec<_>>() {
            appender.write_game(game).unwrap();
        }
        drop(appender);
        assert_eq!(fs::read(&file.0).unwrap(), bytes, "torn at {length}");
    }
}

#[test]
fn every_flipped_bit_is_noticed_and_costs_one_game_at_most_unless_a_length_is_hit() {
    let mut random = Pcg64Mcg::seed_from_u64(6);
    let games: Vec<PackedGame> = (1..=3).map(|id| random_game(id, &mut random)).collect();
    let file = TempFile::new("flipped");
    let mut appender = PackedAppender::open(&file.0, &origin()).unwrap();
    games.iter().for_each(|game| appender.write_game(game).unwrap());
    drop(appender);
    let bytes = fs::read(&file.0).unwrap();
    for place in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << (place % 8);
        fs::write(&file.0, &flipped).unwrap();
        let (whole, errors) = file.read();
        assert!(!errors.is_empty(), "byte {place}");
        assert!(whole.iter().all(|game| games.contains(game)), "byte {place}");
        // What is damaged is not cut as if it were torn: only a file that ends early loses its end.
        assert!(PackedAppender::open(&file.0, &origin()).is_err(), "byte {place}");
        assert_eq!(fs::read(&file.0).unwrap(), flipped, "byte {place}");
        fs::write(&file.0, &bytes).unwrap();
    }
    let mut flipped = bytes.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    fs::write(&file.0, &flipped).unwrap();
    assert_eq!(file.read().0, games[..2]);
}

#[test]
fn other_files_are_refused_with_a_sentence() {
    let file = TempFile::new("other");
    let message = |bytes: &[u8]| {
        fs::write(&file.0, bytes).unwrap();
        PackedReader::open(&file.0).unwrap_err().to_string().replace(&file.0.display().to_string(), "F")
    };
    assert_eq!(message(b"1g Ra1"), "F: not a file of packed records: expected it to begin with SURUSDAT");
    let mut bytes = Header::of(origin()).to_bytes().unwrap();
    bytes[8] = 9;
    assert_eq!(
        message(&bytes),
        "F: version 9 of the packed records: this program reads version 2; use the one that wrote it"
    );
    fs::write(&file.0, b"1g Ra1").unwrap();
    assert!(matches!(PackedAppender::open(&file.0, &origin()), Err(PackedFileError::BadMagic(_))));
}

#[test]
fn a_file_goes_on_only_with_its_own_run_and_one_writer() {
    let file = TempFile::new("run");
    let first = PackedAppender::open(&file.0, &origin()).unwrap();
    assert!(matches!(
        PackedAppender::open(&file.0, &origin()),
        Err(PackedFileError::Journal(JournalError::Locked(_)))
    ));
    drop(first);
    let other = Provenance { nodes: 1, settings: [].into(), ..origin() };
    let error = PackedAppender::open(&file.0, &other).unwrap_err().to_string();
    assert!(
        error.ends_with("(there against here): nodes '5000' against '1'; random turns '0 to 6' against none"),
        "{error}"
    );
    let other = Provenance { engine: "alphabeta 0.1.0+other".into(), ..origin() };
    let error = PackedAppender::open(&file.0, &other).unwrap_err().to_string();
    let ids = format!("engine '{}' against 'alphabeta 0.1.0+other'", origin().engine);
    assert!(error.ends_with(&ids), "{error}");
}
