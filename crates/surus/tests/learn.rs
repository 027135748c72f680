//! `surus learn` on the command line, and a run that is killed.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A directory removed at the end of the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-learn-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.arg("learn").args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn surus(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// The JSON output of a command that succeeds.
#[track_caller]
fn json(args: &[&str]) -> Value {
    let output = surus(&[args, &["--json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The error of a command with a usage or input error.
#[track_caller]
fn error_of(args: &[&str]) -> String {
    let output = surus(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn selfplay_data_can_be_checked_merged_and_shuffled() {
    let dir = TempDir::new("selfplay");
    let (data, merged, shuffled) = (dir.file("data"), dir.file("merged.packed"), dir.file("shuffled.packed"));
    let play = ["selfplay", "--nodes", "200", "--games", "3", "--max-turns", "20", "--out", &data];
    let played = json(&play);
    assert_eq!((&played["games"], &played["finished"]), (&3.into(), &true.into()));
    let again = json(&play);
    assert_eq!((&again["games_played"], &again["positions"]), (&0.into(), &played["positions"]));
    let stats = json(&["data", "stats", &data]);
    assert_eq!((&stats["games"], &stats["positions"]), (&3.into(), &played["positions"]));
    let engine = stats["origins"][0]["engine"].as_str().unwrap();
    assert!(engine.starts_with("alphabeta ") && engine.contains('+'), "the id has a revision: {engine}");
    let checked = json(&["data", "check", &data]);
    assert_eq!((&checked["games"], &checked["found"]), (&3.into(), &0.into()));
    assert_eq!(json(&["data", "merge", &data, "--out", &merged])["games"], 3);
    assert_eq!(json(&["data", "shuffle", &merged, &data, "--out", &shuffled])["duplicates"], 3);
    let error =
        error_of(&["selfplay", "--nodes", "300", "--games", "3", "--max-turns", "20", "--out", &data]);
    assert!(error.contains("contains another run") && error.contains("nodes '200' against '300'"), "{error}");
    assert!(error_of(&["data", "merge", &data, "--out", &merged]).contains("the file exists"));
}

#[test]
fn planted_structures_are_played_and_relabelled() {
    let dir = TempDir::new("planted");
    let (data, relabelled) = (dir.file("data"), dir.file("relabelled.packed"));
    let play = ["selfplay", "--nodes", "60", "--games", "4", "--max-turns", "30", "--planted-percent", "100"];
    json(&[&play[..], &["--seed", "3", "--out", &data]].concat());
    let stats = json(&["data", "stats", &data]);
    assert_eq!(stats["origins"][0]["planted structures"], "100 %");
    assert_eq!(json(&["data", "check", &data])["found"], 0);
    let relabel = ["relabel", &data, "--nodes", "120", "--out", &relabelled];
    let report = json(&relabel);
    assert_eq!((&report["games"], &report["finished"]), (&4.into(), &true.into()));
    assert_eq!(report["positions"], stats["positions"]);
    assert_eq!(json(&relabel)["positions"], stats["positions"], "nothing is left to do");
    assert_eq!(json(&["data", "check", &relabelled])["found"], 0);
    let new = json(&["data", "stats", &relabelled]);
    assert_eq!((&new["games"], &new["origins"][0]["nodes"]), (&4.into(), &"120".into()));
    let part = format!("planted={relabelled}");
    let strength = Command::new(env!("CARGO_BIN_EXE_surus"))
        .args(["lab", "strength", "--depth", "4", "--part", &part])
        .output()
        .unwrap();
    let error = String::from_utf8(strength.stderr).unwrap();
    assert!(error.contains("planted: no quiet, undecided position"), "the games have no winner: {error}");
    let error = error_of(&["relabel", &data, "--nodes", "99", "--out", &relabelled]);
    assert!(error.contains("nodes '120' against '99'"), "{error}");
}

/// Killed in the middle of games, then resumed.
#[test]
fn killed_run_resumes_to_the_same_games() {
    let dir = TempDir::new("killed");
    let play = |path: &str, games: &str| {
        ["selfplay", "--engine", "greedy", "--games", games, "--max-turns", "12", "-c", "2", "--out", path]
            .map(ToString::to_string)
    };
    let [killed, unbroken] = ["killed", "unbroken"].map(|name| dir.file(name));
    let args = play(&killed, "100000");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = command(&args).spawn().unwrap();
    let file = format!("{killed}/selfplay-1-of-1.packed");
    while std::fs::metadata(&file).map_or(0, |data| data.len()) < 2000 {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be killed");
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = error_of(&args);
    assert!(error.contains("is in use by another process"), "{error}");
    child.kill().unwrap();
    child.wait().unwrap();
    let games = json(&["data", "stats", &killed, "--skip-corrupt"])["games"].as_u64().unwrap();
    assert!(games > 0);
    let more = (games + 10).to_string();
    for path in [&killed, &unbroken] {
        let args = play(path, &more);
        json(&args.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let merged = [&killed, &unbroken].map(|path| {
        let out = format!("{path}.packed");
        assert_eq!(json(&["data", "merge", path, "--out", &out])["games"], games + 10);
        std::fs::read(&out).unwrap()
    });
    assert_eq!(merged[0], merged[1]);
    assert_eq!(json(&["data", "check", &killed])["found"], 0);
}

#[test]
fn import_labels_games_and_reports_bad_arguments() {
    let dir = TempDir::new("import");
    std::fs::create_dir_all(&dir.0).unwrap();
    let (games, out) = (dir.file("games.txt"), dir.file("out.packed"));
    let setups = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
                  1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";
    let row = |id, rating, reason| {
        format!("{id}\t{rating}\t1900\tg\t{reason}\t{setups}\\n2g Ee2n\\n2s ed7s\\n3g\n")
    };
    let text = format!(
        "id\tgrating\tsrating\tresult\ttermination\tmovelist\n{}{}{}",
        row(1, 1900, 'r'),
        row(2, 1200, 'r'),
        row(3, 1900, 't')
    );
    std::fs::write(&games, text).unwrap();
    let import = [
        "data",
        "import",
        &games,
        "--engine",
        "greedy",
        "--min-rating",
        "1800",
        "--no-timeouts",
        "--out",
        &out,
    ];
    let done = json(&import);
    assert_eq!((&done["games"], &done["positions"]), (&1.into(), &2.into()));
    assert_eq!((&done["skipped"]["rating"], &done["skipped"]["time"]), (&1.into(), &1.into()));
    let stats = json(&["data", "stats", &out]);
    assert_eq!((&stats["gold"], &stats["flags"]["imported"]), (&1.into(), &2.into()));
    assert_eq!(json(&["data", "check", &out])["found"], 0);
    assert!(error_of(&["data", "stats", &games]).contains("expected SURUSDAT at the start"));
    let empty = dir.file("empty");
    std::fs::create_dir_all(&empty).unwrap();
    assert!(error_of(&["data", "stats", &empty]).contains("no file whose name ends in .packed"));
    assert!(
        error_of(&["selfplay", "--shard", "3/2", "--out", &out]).contains("expected i/n with i from 1 to n")
    );
    assert!(error_of(&["selfplay", "--resign", "x", "--out", &out]).contains("expected rabbits:turns"));
}

#[test]
fn comparisons_are_recorded_checked_and_fitted() {
    let dir = TempDir::new("comparisons");
    std::fs::create_dir_all(&dir.0).unwrap();
    let (games, choices, weights) = (dir.file("games.txt"), dir.file("choices.packed"), dir.file("w.toml"));
    let movelist = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\\n\
        2g Ee2n Ee3n Ha2n Hh2n\\n2s ed7s ed6s ha7s hh7s\\n3g Ee4n Ha3n";
    let row = |id: u32| format!("{id}\tstrong\tweak\tg\tr\t{movelist}\n");
    let header = "id\tgusername\tsusername\tresult\ttermination\tmovelist\n".to_string();
    std::fs::write(&games, header + &(1..=40).map(row).collect::<String>()).unwrap();
    let compare = [
        "comparisons",
        &games,
        "--player",
        "strong",
        "--depth",
        "2",
        "--alternatives",
        "2",
        "--out",
        &choices,
    ];
    let made = json(&compare);
    assert_eq!((&made["decisions"], &made["completed"]), (&80.into(), &true.into()), "{made}");
    assert_eq!(json(&compare), made, "a finished file is not changed");
    let checked = json(&["data", "check", &choices]);
    assert_eq!((&checked["decisions"], &checked["found"]), (&80.into(), &0.into()), "{checked}");
    let fitted = json(&["tune", "--comparisons", &choices, "--epochs", "30", "--out", &weights]);
    let loss: Vec<f64> =
        fitted["decision_loss"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    assert!(loss[1] < 0.9 * loss[0], "{fitted}");
    assert!(std::fs::read_to_string(&weights).unwrap().contains("OFFICER_VALUE"));
    let error = error_of(&["comparisons", &games, "--player", "absent", "--out", &dir.file("none.packed")]);
    assert!(error.contains("no decision passes the filters"), "{error}");
}

/// Self-play of a few short games.
fn short_games(dir: &TempDir) -> String {
    let data = dir.file("data");
    json(&["selfplay", "--nodes", "100", "--games", "6", "--max-turns", "10", "--out", &data]);
    data
}

#[test]
fn ordering_models_are_trained_evaluated_and_applied() {
    let dir = TempDir::new("ordering");
    let (data, positions, model) = (short_games(&dir), dir.file("positions.packed"), dir.file("some.order"));
    let extracted = json(&["positions", &data, "--last-turn", "4", "--group", "early", "--out", &positions]);
    assert!(extracted["positions"].as_u64().unwrap() >= 18 && extracted["context"].as_u64().unwrap() > 0);
    assert_eq!(json(&["data", "stats", &positions])["origins"][0]["group"], "early");
    let fast = ["--alternatives", "10", "--epochs", "2"];
    let trained = json(&[&["order", "train", &positions, "--out", &model][..], &fast].concat());
    assert_eq!(trained["games"], 6);
    let evaluated = json(&["order", "eval", &positions, "--model", &model, "--one-in", "5"]);
    let percentile = evaluated["all"]["percentile"]["mean"].as_f64().unwrap();
    assert!(percentile > 50.0 && evaluated["groups"][0][0] == "early", "{evaluated}");
    let folds = json(&[&["order", "eval", &positions, "--folds", "2", "--one-in", "5"][..], &fast].concat());
    assert_eq!(folds["all"]["decisions"], evaluated["all"]["decisions"]);
    let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
    let ranked = json(&["order", "rank", "--aei", start, "--model", &model, "--count", "3", "--explain"]);
    let best = ranked["best"].as_array().unwrap();
    let probability = |index: usize| best[index]["probability"].as_f64().unwrap();
    assert!(best.len() == 3 && probability(0) >= probability(2), "{ranked}");
    assert!(ranked["turns"].as_u64().unwrap() > 2000 && !best[0]["features"].as_array().unwrap().is_empty());
}

#[test]
fn ordering_commands_say_what_to_change() {
    let dir = TempDir::new("ordering-errors");
    let data = short_games(&dir);
    let (out, model) = (dir.file("out.packed"), dir.file("some.order"));
    let error = error_of(&["positions", &data, "--min-rating", "2000", "--out", &out]);
    assert!(error.contains("self-play has no players"), "{error}");
    let error = error_of(&["positions", &data, "--first-turn", "900", "--out", &out]);
    assert!(error.contains("no turn passes the filters"), "{error}");
    let error = error_of(&["order", "eval", &data, "--folds", "7", "--alternatives", "2"]);
    assert!(error.contains("6 games cannot be split into 7 parts"), "{error}");
    let error = error_of(&["order", "train", &data, "--groups", "tempo", "--out", &model]);
    assert!(error.contains("unknown group 'tempo' of turn features"), "{error}");
    let error = error_of(&["order", "train", &data, "--method", "forest", "--out", &model]);
    assert!(error.contains("expected naive-bayes, logistic, svm or bradley-terry"), "{error}");
    std::fs::write(&model, "format = 1").unwrap();
    let error = error_of(&["order", "eval", &data, "--model", &model]);
    assert!(error.contains("not an ordering model"), "{error}");
    assert!(!PathBuf::from(&out).exists());
}

#[test]
fn features_are_listed_by_group() {
    let features = json(&["features"]);
    let published = |group: &Value| group["published"] == true;
    let turn = features["turn"].as_array().unwrap();
    let count: u64 =
        turn.iter().filter(|group| published(group)).filter_map(|group| group["features"].as_u64()).sum();
    assert_eq!((count, turn.iter().filter(|group| published(group)).count()), (1084, 5));
    let text = String::from_utf8(surus(&["features"]).stdout).unwrap();
    assert!(text.contains("turn features: 3540") && text.contains("action features: 2098"), "{text}");
}

#[test]
fn lab_page_has_every_part_and_is_written_again_from_saved_parts() {
    let dir = TempDir::new("ordering-lab");
    let (data, out) = (dir.file("data"), dir.file("lab"));
    json(&["selfplay", "--nodes", "100", "--games", "16", "--max-turns", "12", "--out", &data]);
    let lab = |more: &[&str]| {
        let args = ["lab", "ordering", "--quick", "--experts", &data, "--selfplay", &data];
        let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
        command.args(args).args(["--out", &out, "--report-dir", &out]).args(more).output().unwrap()
    };
    let output = lab(&[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(format!("{out}/ordering.md")).unwrap();
    for part in [
        "## Games of strong players",
        "## Self-play",
        "Trained on one set",
        "## Learning curve",
        "## Actions",
    ] {
        assert!(page.contains(part), "{part} is missing: {page}");
    }
    assert!(page.contains("| .36 |") && page.contains("| naive Bayes, published groups |"), "{page}");
    for plot in ["ordering-top.svg", "ordering-curve-selfplay.svg"] {
        assert!(std::fs::read_to_string(format!("{out}/{plot}")).unwrap().contains("<circle"), "{plot}");
    }
    assert!(!lab(&[]).status.success(), "saved parts need --resume");
    assert!(lab(&["--resume"]).status.success());
    assert_eq!(std::fs::read_to_string(format!("{out}/ordering.md")).unwrap(), page);
}
