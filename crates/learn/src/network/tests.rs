//! Trainings on synthetic positions where the right answer is known.

use std::path::PathBuf;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_engine::eval::network::{BaseInfo, Network, NetworkFileError};
use surus_engine::eval::{Weights, handcrafted};
use surus_play::StopToken;
use surus_record::packed::{Flags, PackedGame, PackedSample, Sample, Score};
use surus_rules::{Bitboard, Board, Piece, PieceKind, Side, Square, Termination, Turn};

use super::*;

/// Boards with random pieces, whose score is known: a rabbit's advance and each officer are worth something.
fn game(id: u64, rng: &mut Pcg64Mcg) -> PackedGame {
    let samples = (0..30).map(|_| {
        let (board, score) = random_board(rng);
        let side = if rng.random_bool(0.5) { Side::Gold } else { Side::Silver };
        let score = if side == Side::Gold { score } else { -score };
        let sample = Sample {
            board,
            side,
            steps_left: 4,
            score: Score::Centirabbits(score),
            depth: 1,
            result: Some(if score > 0 { side } else { side.other() }),
            turn_number: 5,
            flags: Flags::QUIET,
            best_turn: Turn::EMPTY,
        };
        PackedSample::encode(&sample).unwrap()
    });
    PackedGame { id, origin: 0, result: None, reason: Termination::Goal, samples: samples.collect() }
}

/// Gold's score in centirabbits: 100 for each piece of gold more, and 40 for each rank that its pieces have advanced.
fn random_board(rng: &mut Pcg64Mcg) -> (Board, i32) {
    let mut board = Board::EMPTY;
    let mut score = 0;
    for side in Side::BOTH {
        for (kind, count) in PieceKind::ALL.into_iter().zip([8, 2, 2, 2, 1, 1]) {
            for _ in 0..count {
                // Neither rabbits on goal rows nor unsupported pieces on traps.
                let square = Square::new(rng.random_range(8..56)).unwrap();
                let is_free = (board.empty() & !Bitboard::TRAPS).contains(square);
                if !is_free || rng.random_bool(0.4) {
                    continue;
                }
                board.set(square, Some(Piece::new(side, kind)));
                let rank = i32::from(square.rank());
                score += if side == Side::Gold { 100 + 40 * rank } else { -100 - 40 * (7 - rank) };
            }
        }
    }
    (board, score)
}

fn set(games: u64) -> TrainingSet {
    set_with_base(games, 0)
}

fn set_with_base(games: u64, base_percent: i32) -> TrainingSet {
    let settings = PositionSettings {
        result_weight: 0.0,
        scale: 391.0,
        max_abs_score: 2_000,
        validation_one_in: 10,
        base_percent,
    };
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut set = TrainingSet::default();
    set.begin_source("synthetic");
    for id in 0..games {
        set.add(&game(id, &mut rng), &settings);
    }
    set
}

fn settings() -> TrainingSettings {
    TrainingSettings {
        hidden: 32,
        epochs: 8,
        batch_len: 256,
        learning_rate: 3e-3,
        weight_decay: 0.01,
        scale: 3910,
        threads: 2,
        ..TrainingSettings::default()
    }
}

fn checkpoint(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("surus-train-{name}-{}.checkpoint", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn train_all(set: &TrainingSet, settings: &TrainingSettings, name: &str) -> (Network, Vec<EpochReport>) {
    let path = checkpoint(name);
    let mut epochs = Vec::new();
    let network = train(set, settings, &path, &StopToken::default(), &mut |event| {
        if let TrainingEvent::Epoch(report) = event {
            epochs.push(report);
        }
    });
    let _ = std::fs::remove_file(&path);
    (network.unwrap().unwrap(), epochs)
}

#[test]
fn a_network_learns_a_known_evaluation() {
    let set = set(800);
    let (network, epochs) = train_all(&set, &settings(), "known");
    let (first, last) = (&epochs[0], epochs.last().unwrap());
    assert!(last.validation_loss[0] < first.validation_loss[0], "{first:?} {last:?}");
    let mut rng = Pcg64Mcg::seed_from_u64(99);
    let (mut sum, mut count) = (0.0, 0.0);
    for _ in 0..500 {
        let (board, score) = random_board(&mut rng);
        if score.abs() > 600 {
            continue;
        }
        sum += f64::from(network.evaluate(&board, Side::Gold) / 10 - score).abs();
        count += 1.0;
    }
    assert!(sum / count < 80.0, "mean error of {} centirabbits over {count} boards", sum / count);
}

#[test]
fn a_network_corrects_the_handcrafted_evaluation() {
    let base = Some(BaseInfo::embedded(50));
    let (network, _) = train_all(&set_with_base(400, 50), &TrainingSettings { base, ..settings() }, "base");
    let read = Network::from_bytes(&network.to_bytes()).unwrap();
    assert_eq!(read, network);
    let mut rng = Pcg64Mcg::seed_from_u64(99);
    let (mut errors, mut base_errors) = (0, 0);
    for _ in 0..500 {
        let (board, score) = random_board(&mut rng);
        errors += (read.evaluate(&board, Side::Gold) / 10 - score).abs();
        base_errors += (handcrafted(&Weights::embedded(), &board, Side::Gold) / 10 - score).abs();
    }
    assert!(errors < base_errors / 2, "{errors} {base_errors}");
    // The file names the weights that it corrects.
    let bytes = network.to_bytes();
    let revision = Weights::embedded().revision().into_bytes();
    let at = bytes.windows(revision.len()).position(|window| window == revision).unwrap();
    let mut other = bytes[..bytes.len() - 4].to_vec();
    other[at] = if other[at] == b'0' { b'1' } else { b'0' };
    other.extend(crc32fast::hash(&other).to_le_bytes());
    assert!(matches!(Network::from_bytes(&other), Err(NetworkFileError::Base { .. })));
}

#[test]
fn the_result_depends_on_the_seed_and_not_on_the_threads() {
    let set = set(60);
    let settings = TrainingSettings { epochs: 2, ..settings() };
    let (one, _) = train_all(&set, &TrainingSettings { threads: 1, ..settings.clone() }, "one");
    let (two, _) = train_all(&set, &TrainingSettings { threads: 3, ..settings.clone() }, "two");
    let (other, _) = train_all(&set, &TrainingSettings { seed: 2, ..settings }, "other");
    assert_eq!(one.to_bytes(), two.to_bytes());
    assert_ne!(one.revision(), other.revision());
}

#[test]
fn an_interrupted_training_continues_to_the_same_network() {
    let set = set(60);
    let settings = TrainingSettings { epochs: 4, ..settings() };
    let (whole, _) = train_all(&set, &settings, "whole");
    let path = checkpoint("interrupted");
    let stop = StopToken::default();
    let interrupted = train(&set, &settings, &path, &stop, &mut |event| {
        if matches!(event, TrainingEvent::Epoch(EpochReport { epoch: 2, .. })) {
            stop.request();
        }
    });
    assert_eq!(interrupted.unwrap(), None);
    let mut epochs = Vec::new();
    let continued = train(&set, &settings, &path, &StopToken::default(), &mut |event| {
        if let TrainingEvent::Epoch(report) = event {
            epochs.push(report.epoch);
        }
    });
    assert_eq!(epochs, [3, 4]);
    assert_eq!(continued.unwrap().unwrap().to_bytes(), whole.to_bytes());
    let other = TrainingSettings { epochs: 5, ..settings };
    let refused = train(&set, &other, &path, &StopToken::default(), &mut |_| {});
    assert!(matches!(refused, Err(TrainingError::Checkpoint(CheckpointError::OtherTraining { .. }))));
    std::fs::write(&path, b"SURUSTRN").unwrap();
    let refused = train(&set, &other, &path, &StopToken::default(), &mut |_| {});
    assert!(matches!(refused, Err(TrainingError::Checkpoint(CheckpointError::Corrupt(_)))));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn too_few_positions_and_unknown_sizes_are_errors() {
    let path = checkpoint("few");
    let error = train(&TrainingSet::default(), &settings(), &path, &StopToken::default(), &mut |_| {});
    assert!(matches!(error, Err(TrainingError::TooFewPositions { train: 0, validation: 0 })));
    let odd = TrainingSettings { hidden: 48, ..settings() };
    let error = train(&set(60), &odd, &path, &StopToken::default(), &mut |_| {});
    assert!(matches!(error, Err(TrainingError::HiddenSize(48))));
}
