//! Round trips, and detection of torn, damaged and foreign files.

use std::fs;
use std::path::PathBuf;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_rules::{Bitboard, Board, DistinctTurns, Piece, PieceKind, Side, Termination, Turn};

use super::*;
use crate::journal::JournalError;

/// A file that is removed when the test ends.
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

/// Random pieces on random squares, without unsupported pieces on traps.
fn random_board(rng: &mut Pcg64Mcg) -> Board {
    let mut squares: Vec<_> = Bitboard::ALL.into_iter().collect();
    squares.shuffle(rng);
    let mut board = Board::EMPTY;
    for side in Side::BOTH {
        for kind in PieceKind::ALL {
            for _ in 0..rng.random_range(0..=kind.starting_count()) {
                board.set(squares.pop().unwrap(), Some(Piece::new(side, kind)));
            }
        }
    }
    // Removing a piece may leave another one unsupported.
    while let Some(square) = Side::BOTH.iter().find_map(|&side| board.unguarded(side).first()) {
        board.set(square, None);
    }
    board
}

fn random_sample(rng: &mut Pcg64Mcg) -> Sample {
    let board = random_board(rng);
    let side = *Side::BOTH.choose(rng).unwrap();
    let position = surus_rules::Position::new(board, side).unwrap();
    let turns: Vec<Turn> = DistinctTurns::new(&position, &board, 4).iter().map(|(turn, _)| turn).collect();
    Sample {
        board,
        side,
        steps_left: rng.random_range(1..=4),
        score: *[
            Score::Centirabbits(rng.random_range(-8_000..=8_000)),
            Score::Win { turns: rng.random_range(0..=8_000) },
            Score::Loss { turns: rng.random_range(0..=8_000) },
        ]
        .choose(rng)
        .unwrap(),
        depth: rng.random(),
        result: *[None, Some(Side::Gold), Some(Side::Silver)].choose(rng).unwrap(),
        turn_number: rng.random(),
        flags: Flags::from_bits(rng.random()),
        best_turn: turns.choose(rng).copied().unwrap_or(Turn::EMPTY),
    }
}

fn random_game(id: u64, rng: &mut Pcg64Mcg) -> PackedGame {
    let reasons = [Termination::Goal, Termination::Elimination, Termination::Score, Termination::Resignation];
    let count = rng.random_range(0..6);
    PackedGame {
        id,
        origin: 0,
        result: *[None, Some(Side::Gold), Some(Side::Silver)].choose(rng).unwrap(),
        reason: *reasons.choose(rng).unwrap(),
        samples: (0..count).map(|_| PackedSample::encode(&random_sample(rng)).unwrap()).collect(),
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
fn every_field_of_a_sample_round_trips() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..400 {
        let sample = random_sample(&mut rng);
        let packed = PackedSample::encode(&sample).unwrap();
        assert_eq!(packed.decode(), sample);
        assert_eq!(packed.validate(), Ok(()));
        assert_eq!(PackedSample::from_bytes(*packed.as_bytes()), packed);
    }
}

#[test]
fn accessors_accept_any_bytes_and_validate_rejects_invalid_ones() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for _ in 0..20_000 {
        let packed = PackedSample::from_bytes(std::array::from_fn(|_| rng.random()));
        let _ = packed.decode();
        if packed.validate().is_ok() {
            assert_eq!(PackedSample::encode(&packed.decode()), Ok(packed));
        }
    }
    let packed = PackedSample::encode(&random_sample(&mut rng)).unwrap();
    let with = |index: usize, value: u8| {
        let mut bytes = *packed.as_bytes();
        bytes[index] = value;
        PackedSample::from_bytes(bytes).validate()
    };
    assert_eq!(with(24, 0), Err(SampleError::StepsLeft(0)));
    assert_eq!(with(31, 0x80), Err(SampleError::NonCanonicalByte(31)));
    assert!(with(0, !packed.as_bytes()[0]).is_err());
}

#[test]
fn invalid_samples_are_not_packed() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let sample = Sample { board: Board::EMPTY, best_turn: Turn::EMPTY, ..random_sample(&mut rng) };
    let step: Turn = ["Ee2n".parse().unwrap()].into_iter().collect();
    let error = PackedSample::encode(&Sample { best_turn: step, ..sample.clone() }).unwrap_err();
    assert_eq!(error.to_string(), "invalid step Ee2n of the best turn");
    let error = PackedSample::encode(&Sample { steps_left: 5, ..sample.clone() }).unwrap_err();
    assert_eq!(error.to_string(), "5 steps are left: expected 1 to 4");
    let mut board = Board::EMPTY;
    for square in Bitboard::rank(1) {
        board.set(square, Some(Piece::new(Side::Gold, PieceKind::Camel)));
    }
    assert!(matches!(PackedSample::encode(&Sample { board, ..sample }), Err(SampleError::Board(_))));
}

#[test]
fn writer_and_appender_round_trip() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    let games: Vec<PackedGame> = (1..=20).map(|id| random_game(id, &mut rng)).collect();
    let (appended, written) = (TempFile::new("appended"), TempFile::new("written"));
    let mut appender = PackedAppender::open(&appended.0, &origin()).unwrap();
    let mut writer = PackedWriter::create(&written.0, &Header::of(origin())).unwrap();
    for game in &games {
        appender.write_game(game).unwrap();
        writer.write_game(game).unwrap();
    }
    assert!(!written.0.exists(), "the file is renamed when it is finished");
    writer.finish().unwrap();
    assert_eq!(appended.read().0, games);
    assert_eq!(fs::read(&appended.0).unwrap(), fs::read(&written.0).unwrap());
    assert_eq!(PackedReader::open(&written.0).unwrap().header(), &Header::of(origin()));
    assert!(
        PackedWriter::create(&written.0, &Header::of(origin())).is_err(),
        "existing files are not overwritten"
    );
    // Random access by offset, forwards and backwards.
    let mut all = PackedReader::open(&written.0).unwrap().into_games();
    let offsets: Vec<u64> =
        std::iter::from_fn(|| Some(all.offset()).filter(|_| all.next().is_some())).collect();
    let mut reader = PackedReader::open(&written.0).unwrap();
    for index in [3, 19, 0, 7] {
        assert_eq!(reader.game_at(offsets[index]).unwrap(), games[index]);
    }
}

#[test]
fn a_file_torn_at_any_byte_is_recovered() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let games: Vec<PackedGame> = (1..=3).map(|id| random_game(id, &mut rng)).collect();
    let file = TempFile::new("torn");
    let mut appender = PackedAppender::open(&file.0, &origin()).unwrap();
    games.iter().for_each(|game| appender.write_game(game).unwrap());
    drop(appender);
    let bytes = fs::read(&file.0).unwrap();
    for length in 0..bytes.len() {
        fs::write(&file.0, &bytes[..length]).unwrap();
        let (complete, errors) = file.read();
        assert_eq!(complete, games[..complete.len()]);
        assert!(
            errors.iter().all(|error| matches!(error, PackedFileError::Truncated { .. })),
            "{length}: {errors:?}"
        );
        let mut appender = PackedAppender::open(&file.0, &origin()).unwrap();
        assert_eq!(appender.counts().0, complete.len() as u64);
        for game in games.iter().filter(|game| !appender.contains(game.id)).collect::<Vec<_>>() {
            appender.write_game(game).unwrap();
        }
        drop(appender);
        assert_eq!(fs::read(&file.0).unwrap(), bytes, "torn at {length}");
    }
}

#[test]
fn every_flipped_bit_is_detected() {
    let mut rng = Pcg64Mcg::seed_from_u64(6);
    let games: Vec<PackedGame> = (1..=3).map(|id| random_game(id, &mut rng)).collect();
    let file = TempFile::new("flipped");
    let mut appender = PackedAppender::open(&file.0, &origin()).unwrap();
    games.iter().for_each(|game| appender.write_game(game).unwrap());
    drop(appender);
    let bytes = fs::read(&file.0).unwrap();
    for index in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[index] ^= 1 << (index % 8);
        fs::write(&file.0, &flipped).unwrap();
        let (complete, errors) = file.read();
        assert!(!errors.is_empty(), "byte {index}");
        assert!(complete.iter().all(|game| games.contains(game)), "byte {index}");
        // Damage is not removed like a torn game: only a truncated file loses its end.
        assert!(PackedAppender::open(&file.0, &origin()).is_err(), "byte {index}");
        assert_eq!(fs::read(&file.0).unwrap(), flipped, "byte {index}");
        fs::write(&file.0, &bytes).unwrap();
    }
    let mut flipped = bytes.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    fs::write(&file.0, &flipped).unwrap();
    assert_eq!(file.read().0, games[..2]);
}

#[test]
fn other_files_are_rejected() {
    let file = TempFile::new("other");
    let message = |bytes: &[u8]| {
        fs::write(&file.0, bytes).unwrap();
        PackedReader::open(&file.0).unwrap_err().to_string().replace(&file.0.display().to_string(), "F")
    };
    assert_eq!(message(b"1g Ra1"), "F: not a file of packed records: expected SURUSDAT at the start");
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
fn a_file_is_continued_only_by_the_same_run_and_one_writer() {
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
        error.ends_with(
            "(saved against new settings): nodes '5000' against '1'; random turns '0 to 6' against none"
        ),
        "{error}"
    );
    let other = Provenance { engine: "alphabeta 0.1.0+other".into(), ..origin() };
    let error = PackedAppender::open(&file.0, &other).unwrap_err().to_string();
    let ids = format!("engine '{}' against 'alphabeta 0.1.0+other'", origin().engine);
    assert!(error.ends_with(&ids), "{error}");
}
