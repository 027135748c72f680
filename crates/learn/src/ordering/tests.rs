//! Models on data where the right answer is known.

use std::path::PathBuf;

use surus_engine::ordering::{FeatureKind, FeatureRows, History, Model, ModelInfo, Phases, TurnContext};
use surus_play::StopToken;
use surus_record::packed::{
    Flags, Header, PackedGame, PackedSample, PackedWriter, Provenance, Sample, Score,
};
use surus_rules::{
    Board, DistinctTurns, Piece, PieceKind, Position, Side, SplitMix, Square, Termination, Turn,
};

use super::parallel::Workload;
use super::sampling::Generator;
use super::trainer::Trainer;
use super::*;

fn work(stop: &StopToken, threads: usize) -> Workload<'_> {
    Workload { threads, stop, progress: &|_, _| {} }
}

/// A random position in which both sides have an elephant, a few other pieces and rabbits.
fn random_position(random: &mut SplitMix, rabbits: usize) -> Option<Position> {
    let mut board = Board::EMPTY;
    let mut kinds = vec![PieceKind::Elephant, PieceKind::Horse, PieceKind::Dog];
    kinds.extend(std::iter::repeat_n(PieceKind::Rabbit, rabbits));
    if rabbits == 8 {
        kinds.extend([PieceKind::Camel, PieceKind::Cat, PieceKind::Cat, PieceKind::Dog, PieceKind::Horse]);
    }
    for side in Side::BOTH {
        for &kind in &kinds {
            let square = loop {
                let square = Square::new((8 + random.next_u64() % 48) as u8)?;
                if !square.is_trap() && board.piece_at(square).is_none() {
                    break square;
                }
            };
            board.set(square, Some(Piece::new(side, kind)));
        }
    }
    Position::new(board, if random.next_u64().is_multiple_of(2) { Side::Gold } else { Side::Silver }).ok()
}

fn decision(position: &Position, played: Turn) -> TurnDecision {
    let end = played.steps().fold(*position.board(), |board, step| board.after_step(step));
    TurnDecision {
        board: *position.board(),
        side: position.side(),
        number: 10,
        played,
        end,
        history: History::default(),
        forbidden: Vec::new(),
    }
}

/// A player who always plays the turn with the highest score of a model.
fn follow(rule: &Model, position: &Position) -> TurnDecision {
    let context = TurnContext::new(position.board(), position.side(), &History::default());
    let scorer = rule.scorer(position.board());
    let mut rows = FeatureRows::default();
    let turns = DistinctTurns::new(position, position.board(), Turn::MAX as u8);
    let score = |(turn, end): &(Turn, &Board)| {
        rows.clear();
        context.extract(end, turn.len(), &mut rows);
        scorer.score(rows.get(0))
    };
    let (turn, _) = turns.iter().max_by_key(score).unwrap();
    decision(position, turn)
}

fn model_of(weights: &[f32], phases: Phases) -> Model {
    let info = ModelInfo { kind: FeatureKind::Turn, phases, method: "rule".into(), training: String::new() };
    Model::from_fitted(info, weights)
}

/// Random weights for some groups, zero for the others.
fn random_rule(seed: u64) -> Vec<f32> {
    let mut random = SplitMix::new(seed);
    let groups = ["movement", "advance", "steps", "capture", "freezing"];
    let mask = FeatureKind::Turn.layout().mask(|group| groups.contains(&group.name));
    let mut weight = || (random.next_u64() % 2001) as f32 / 1000.0 - 1.0;
    mask.into_iter().map(|selected| if selected { weight() } else { 0.0 }).collect()
}

fn games_of(rule: &Model, rabbits: usize, games: usize, decisions: usize, seed: u64) -> Vec<DecisionGame> {
    let mut random = SplitMix::new(seed);
    let mut game = || {
        let positions = std::iter::from_fn(|| random_position(&mut random, rabbits));
        DecisionGame {
            group: 0,
            decisions: positions.take(decisions).map(|position| follow(rule, &position)).collect(),
        }
    };
    (0..games).map(|_| game()).collect()
}

#[test]
fn every_method_recovers_a_player_who_follows_a_linear_rule() {
    let stop = StopToken::default();
    let rule = model_of(&random_rule(1), Phases::Single);
    let games = games_of(&rule, 3, 60, 6, 5);
    let sampling = Sampling { alternatives: 60, seed: 1 };
    let choices = ChoiceSet::sample(FeatureKind::Turn, &games, &sampling, &work(&stop, 2)).unwrap();
    let specs = Method::ALL.map(|method| ModelSpec::new(FeatureKind::Turn, method));
    let config = CrossValidation { folds: 2, seed: 1, one_in: 2 };
    let outcomes = cross_validate(&games, &choices, &specs, &config, &work(&stop, 2)).unwrap();
    assert!(outcomes.len() > 150);
    for (model, expected) in [(0, 90.0), (1, 97.0), (2, 97.0), (3, 98.0)] {
        let summary = Summary::of(&outcomes, model, |_| true);
        let found = summary.percentile.mean;
        assert!(found > expected, "{}: {found}", Method::ALL[model]);
        assert!(summary.alternatives > 500.0, "{}", summary.alternatives);
    }
}

#[test]
fn phases_recover_a_player_who_changes_his_mind() {
    let stop = StopToken::default();
    let weights = random_rule(2);
    let opposite: Vec<f32> = weights.iter().map(|weight| -weight).collect();
    let mut games = games_of(&model_of(&weights, Phases::Single), 8, 30, 2, 1);
    games.extend(games_of(&model_of(&opposite, Phases::Single), 3, 30, 2, 2));
    let sampling = Sampling { alternatives: 60, seed: 1 };
    let choices = ChoiceSet::sample(FeatureKind::Turn, &games, &sampling, &work(&stop, 2)).unwrap();
    let specs = [Phases::Single, Phases::Pieces]
        .map(|phases| ModelSpec { phases, ..ModelSpec::new(FeatureKind::Turn, Method::BradleyTerry) });
    let config = CrossValidation { folds: 3, seed: 1, one_in: 2 };
    let outcomes = cross_validate(&games, &choices, &specs, &config, &work(&stop, 2)).unwrap();
    let [single, phased] = [0, 1].map(|model| Summary::of(&outcomes, model, |_| true).percentile.mean);
    assert!(phased > single + 5.0, "{single} {phased}");
}

#[test]
fn training_depends_on_the_seed_and_not_on_the_threads() {
    let stop = StopToken::default();
    let games = games_of(&model_of(&random_rule(3), Phases::Single), 3, 8, 8, 9);
    let train = |threads: usize, seed: u64| {
        let sampling = Sampling { alternatives: 20, seed };
        let choices = ChoiceSet::sample(FeatureKind::Turn, &games, &sampling, &work(&stop, threads)).unwrap();
        let all = choices.of_games(|_| true);
        let spec = ModelSpec::new(FeatureKind::Turn, Method::BradleyTerry);
        spec.train(&games, &choices, &all, "", &work(&stop, threads)).unwrap().to_bytes()
    };
    assert_eq!(train(1, 1), train(3, 1));
    assert_ne!(train(1, 1), train(1, 2));
}

/// Two choices with three candidates each: feature 0 holds for both played ones, feature 1 for two of the others, and
/// each alternative stands for two.
fn counted() -> ChoiceSet {
    let mut choices = ChoiceSet::default();
    for rows in [[&[0, 2][..], &[1], &[]], [&[0], &[1, 2], &[2]]] {
        rows.into_iter().for_each(|row| choices.rows().push_row(row));
        choices.finish(1, 2.0);
    }
    choices
}

#[test]
fn naive_bayes_has_the_odds_of_a_hand_count() {
    let stop = StopToken::default();
    let choices = counted();
    let data = TrainingSet {
        choices: &choices,
        selected: &[0, 1],
        mask: &[true, true, false],
        shares: &[1.0; 2],
        phases: 1,
    };
    let weights = NaiveBayes.fit(&data, &work(&stop, 1)).unwrap();
    // Played: 2 candidates; others: 4 that stand for 8. One is added to both counts of each feature.
    let odds = |p1: f64, p0: f64| ((p1 / p0).ln() - ((1.0 - p1) / (1.0 - p0)).ln()) as f32;
    let expected = [odds(3.0 / 4.0, 1.0 / 10.0), odds(1.0 / 4.0, 5.0 / 10.0), 0.0];
    for (found, expected) in weights.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{weights:?} {expected}");
    }
}

#[test]
fn shares_of_a_decision_go_to_the_counts_of_each_phase() {
    let stop = StopToken::default();
    let choices = counted();
    let shares = [1.0, 0.0, 0.0, 1.0];
    let data =
        TrainingSet { choices: &choices, selected: &[0, 1], mask: &[true; 3], shares: &shares, phases: 2 };
    let weights = NaiveBayes.fit(&data, &work(&stop, 1)).unwrap();
    let alone = |choice: u32| {
        let data = TrainingSet {
            choices: &choices,
            selected: &[choice],
            mask: &[true; 3],
            shares: &[1.0; 2],
            phases: 1,
        };
        NaiveBayes.fit(&data, &work(&stop, 1)).unwrap()
    };
    assert_eq!(weights, [alone(0), alone(1)].concat());
}

#[test]
fn data_without_choices_or_features_is_rejected() {
    let stop = StopToken::default();
    let games = games_of(&model_of(&random_rule(3), Phases::Single), 3, 2, 1, 9);
    let choices =
        ChoiceSet::sample(FeatureKind::Turn, &games, &Sampling { alternatives: 5, seed: 1 }, &work(&stop, 1))
            .unwrap();
    let spec = ModelSpec::new(FeatureKind::Turn, Method::NaiveBayes);
    let error = spec.train(&games, &choices, &[], "", &work(&stop, 1)).unwrap_err();
    assert!(matches!(error, OrderingError::SingleClass(_)), "{error}");
    let none = ModelSpec { mask: vec![false; spec.mask.len()], ..spec.clone() };
    let error = none.train(&games, &choices, &[0], "", &work(&stop, 1)).unwrap_err();
    assert!(error.to_string().contains("surus learn features"), "{error}");
    stop.request();
    let all = choices.of_games(|_| true);
    let error = spec.train(&games, &choices, &all, "", &work(&stop, 1)).unwrap_err();
    assert!(matches!(error, OrderingError::Stopped));
}

#[test]
fn actions_that_can_come_first_all_count_as_played() {
    let position: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let turn: Turn = ["Ha2n", "Hh2n", "Hh3n"].iter().map(|step| step.parse().unwrap()).collect();
    let mut choices = ChoiceSet::default();
    Generator::new(FeatureKind::Action).add(&decision(&position, turn), None, &mut choices);
    let played: Vec<u32> = choices.choices().iter().map(|choice| choice.played).collect();
    assert_eq!(played, [2, 1, 1], "the first two steps commute, the third follows the second");
    let push: Position = format!("g [{:26}rD{:34}E ]", "", "").parse().unwrap();
    let turn: Turn = ["rc5n", "Dd5w"].iter().map(|step| step.parse().unwrap()).collect();
    let mut choices = ChoiceSet::default();
    Generator::new(FeatureKind::Action).add(&decision(&push, turn), None, &mut choices);
    assert_eq!((choices.len(), choices.choice(0).played), (1, 1));
}

struct TempFile(PathBuf);

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A file with a game of the given boards and turns.
fn write(name: &str, kind: &str, turns: &[(&str, Flags)]) -> TempFile {
    let path = std::env::temp_dir().join(format!("surus-ordering-{}-{name}.packed", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut game = surus_rules::Game::from_text(
        "g [r                       e                               E      R]",
        surus_rules::Rules::Official,
    )
    .unwrap();
    let mut samples = Vec::new();
    for (text, flags) in turns {
        let before = game.clone();
        game.play_text(text).unwrap();
        let Some(surus_rules::PlayedTurn::Turn(turn)) = game.entries().last().map(|entry| entry.played)
        else {
            panic!("{text} is not a turn");
        };
        samples.push(PackedSample::encode(&Sample {
            board: *before.position().board(),
            side: before.side(),
            steps_left: 4,
            score: Score::Centirabbits(0),
            depth: 0,
            result: None,
            turn_number: before.tag().number as u16,
            flags: *flags,
            best_turn: turn,
        }));
    }
    let samples = samples.into_iter().map(Result::unwrap).collect();
    let origin = Provenance { kind: kind.into(), ..Provenance::default() };
    let mut writer = PackedWriter::create(&path, &Header::of(origin)).unwrap();
    let game = PackedGame { id: 1, origin: 0, result: None, reason: Termination::Abandoned, samples };
    writer.write_game(&game).unwrap();
    writer.finish().unwrap();
    TempFile(path)
}

#[test]
fn random_and_excluded_turns_are_history_only() {
    let turns = [
        ("Ea1n", Flags::RANDOM_TURN),
        ("ea5s", Flags::CONTEXT),
        ("Ea2e", Flags::NONE),
        ("ea4n", Flags::NONE),
    ];
    let file = write("history", POSITIONS_KIND, &turns);
    let data = Dataset::read(std::slice::from_ref(&file.0)).unwrap();
    assert_eq!((data.groups, data.games.len()), (vec![POSITIONS_KIND.to_string()], 1));
    let decisions = &data.games[0].decisions;
    assert_eq!(decisions.len(), 2);
    let [first, second] = [&decisions[0], &decisions[1]];
    assert_eq!((first.number, first.played.to_string()), (3, "Ea2e".into()));
    assert!(first.history.before_opponent.is_some() && first.history.before_own.is_some());
    assert_eq!(second.history.before_opponent, Some(first.board));
    assert_eq!(second.board, first.end);
}

#[test]
fn third_repetitions_are_no_alternatives() {
    let cycle = ["Ea1n", "ea5s", "Ea2s", "ea4n"];
    let turns: Vec<(&str, Flags)> = cycle.iter().cycle().take(8).map(|turn| (*turn, Flags::NONE)).collect();
    // The last turn of the second round would be the third occurrence of the first position.
    let file = write("repetition", POSITIONS_KIND, &turns[..7]);
    let data = Dataset::read(std::slice::from_ref(&file.0)).unwrap();
    let decisions = &data.games[0].decisions;
    assert!(decisions[..5].iter().all(|decision| decision.forbidden.is_empty()));
    let silver = decisions.iter().rev().find(|decision| decision.side == Side::Silver).unwrap();
    assert_eq!(silver.forbidden.len(), 1, "{silver:?}");
}

#[test]
fn unusable_files_are_rejected() {
    let file = write("foreign", crate::comparison::PROVENANCE_KIND, &[("Ea1n", Flags::NONE)]);
    let error = Dataset::read(std::slice::from_ref(&file.0)).unwrap_err();
    assert!(
        error.to_string().contains("expected self-play games or a file of `surus learn positions`"),
        "{error}"
    );
    let file = write("empty", POSITIONS_KIND, &[("Ea1n", Flags::CONTEXT)]);
    let error = Dataset::read(std::slice::from_ref(&file.0)).unwrap_err();
    assert!(matches!(error, OrderingError::NoDecisions), "{error}");
    let file = write("torn", POSITIONS_KIND, &[("Ea1n", Flags::NONE)]);
    let bytes = std::fs::read(&file.0).unwrap();
    std::fs::write(&file.0, &bytes[..bytes.len() - 3]).unwrap();
    let error = Dataset::read(std::slice::from_ref(&file.0)).unwrap_err();
    assert!(matches!(error, OrderingError::File(_)), "{error}");
}

/// The linear model knows nothing, so that all that is learned is in the network.
#[test]
fn a_network_learns_what_the_linear_model_leaves_unexplained() {
    let games = games_of(&model_of(&random_rule(4), Phases::Single), 2, 260, 1, 21);
    let (train, held_out) = games.split_at(220);
    let blank = model_of(&vec![0.0; FeatureKind::Turn.layout().dimension()], Phases::Single);
    let stop = StopToken::default();
    let sampling = NetworkSampling { ranked: 200, best: 20, random: 20, seed: 1 };
    let choices = |games: &[DecisionGame]| {
        let games: Vec<&DecisionGame> = games.iter().collect();
        sampling.choices(&games, &blank, &work(&stop, 2)).unwrap()
    };
    let settings = crate::network::TrainingSettings {
        hidden: 32,
        epochs: 12,
        batch_len: 16,
        weight_decay: 0.1,
        learning_rate: 4e-3,
        scale: 1000,
        ..Default::default()
    };
    let checkpoint = std::env::temp_dir().join(format!("surus-turns-{}.checkpoint", std::process::id()));
    let _ = std::fs::remove_file(&checkpoint);
    let (train, validation) = (choices(train), choices(held_out));
    let network =
        crate::network::train_choices(&train, &validation, &settings, &checkpoint, &stop, &mut |_| {})
            .unwrap()
            .unwrap();
    let _ = std::fs::remove_file(&checkpoint);
    let percentile = |model: &Model| {
        let outcomes = evaluate(held_out, &|_| vec![model], 1, &work(&stop, 2)).unwrap();
        outcomes.iter().map(|outcome| outcome.ranks[0].percentile()).sum::<f64>() / outcomes.len() as f64
    };
    assert!((percentile(&blank) - 0.5).abs() < 1e-9);
    let trained = percentile(&blank.clone().with_network(network));
    assert!(trained > 0.7, "{trained}");
}
