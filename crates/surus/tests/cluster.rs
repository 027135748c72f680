//! The tasks of a run on a cluster, started by hand in place of Slurm. tests/slurm.sh uses the real scheduler.

mod common;
#[path = "common/saved_games.rs"]
mod saved_games;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{split_output, surus};
use saved_games::games;
use serde_json::Value;
use surus_rules::SplitMix;

const ENGINES: [&str; 6] = ["alphabeta:hash=1", "random", "--nodes", "100", "--games", "60"];

/// Runs a command that must succeed and returns its standard output.
#[track_caller]
fn run(args: &[&str]) -> String {
    let (code, out, error) = split_output(&surus(args, ""));
    assert_eq!(code, 0, "{args:?}: {out}{error}");
    out
}

fn task(args: &[&str], number: usize) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
    command.args(args).args(["--slurm-task", &number.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn status(dir: &str) -> Value {
    serde_json::from_str(&run(&["run", "status", dir, "--json"])).unwrap()
}

/// Three tasks at a time, each killed at random times and started again: 100 kills with SURUS_TEST_FULL=1.
#[test]
fn killed_tasks_play_every_game_once() {
    let kills = if std::env::var_os("SURUS_TEST_FULL").is_some() { 100 } else { 8 };
    let dir = tempfile::tempdir().unwrap();
    let [local, shared] = ["local", "shared"].map(|name| dir.path().join(name).display().to_string());
    let count = (10 * kills).to_string();
    let contest = ["match", "alphabeta:hash=1", "random", "--nodes", "100", "--games", &count];
    run(&[&contest[..], &["--out", &local, "-c", "2"]].concat());
    let submitted = [&contest[..], &["--out", &shared, "--slurm-script", "--tasks", "3"]].concat();
    run(&submitted);
    let mut rng = SplitMix::new(1);
    let mut tasks: Vec<Child> = (1..=3).map(|number| task(&submitted, number)).collect();
    for _ in 0..kills {
        thread::sleep(Duration::from_millis(rng.next_u64() % 300));
        let victim = (rng.next_u64() % 3) as usize;
        tasks[victim].kill().unwrap();
        tasks[victim].wait().unwrap();
        tasks[victim] = task(&submitted, victim + 1);
    }
    for task in tasks {
        let output = task.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let status = status(&shared);
    assert_eq!(
        (&status["complete"], &status["games"]),
        (&true.into(), &count.parse::<u64>().unwrap().into())
    );
    assert_eq!(games(Path::new(&shared)), games(Path::new(&local)));
    let in_tasks: usize = (1..=3)
        .map(|task| Path::new(&shared).join(format!("tasks/{task}")))
        .filter(|dir| dir.join("games.txt").exists())
        .map(|dir| games(&dir).len())
        .sum();
    assert_eq!(in_tasks.to_string(), count, "a game was played twice");
}

#[test]
fn sequential_test_of_several_tasks_decides_as_on_one_machine() {
    let dir = tempfile::tempdir().unwrap();
    let [local, shared] = ["local", "shared"].map(|name| dir.path().join(name).display().to_string());
    let test = ["sprt", "greedy", "random", "--bounds", "0,100", "--games", "400", "--max-turns", "60"];
    let out = split_output(&surus(&[&test[..], &["--out", &local, "--json"]].concat(), "")).1;
    let expected: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    let submitted = [&test[..], &["--out", &shared, "--slurm-script", "--tasks", "2"]].concat();
    run(&submitted);
    for task in [2, 1].map(|number| task(&submitted, number)) {
        let output = task.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let status = status(&shared);
    assert_eq!(status["complete"], true);
    assert_ne!(expected["sprt"]["state"], "continue");
    assert_eq!(
        (&status["result"]["sprt"], &status["result"]["pairs"]),
        (&expected["sprt"], &expected["pairs"])
    );
}

#[test]
fn another_program_on_a_node_is_refused_before_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let shared = dir.path().join("run").display().to_string();
    let submitted = [&["match"], &ENGINES[..], &["--out", &shared, "--slurm-script"]].concat();
    run(&submitted);
    let file = dir.path().join("run/cluster.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let line = text.lines().find(|line| line.starts_with("\"engine 1 id\"")).unwrap();
    std::fs::write(&file, text.replace(line, "\"engine 1 id\" = 'surus 0.1 (another)'")).unwrap();
    let (code, _, error) = split_output(&task(&submitted, 1).wait_with_output().unwrap());
    assert_eq!(code, 2);
    for part in ["engine 1 id was 'surus 0.1 (another)' and is now", "no game was played", "surus run resume"]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!dir.path().join("run/tasks/1").exists());
    let (code, _, error) = split_output(&task(&submitted, 9).wait_with_output().unwrap());
    assert_eq!(code, 2);
    assert!(error.contains("has tasks 1 to 8"), "{error}");
}

#[test]
fn without_slurm_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let selfplay = ["learn", "selfplay", "--games", "4", "--nodes", "50", "--slurm"];
    for args in [&[&["match"], &ENGINES[..], &["--slurm"]].concat()[..], &selfplay] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surus"));
        command.args(args).arg("--out").arg(&out).env("PATH", dir.path());
        let (code, _, error) = split_output(&command.output().unwrap());
        assert_eq!(code, 2);
        assert!(error.contains("sbatch was not found: run this on a login node"), "{error}");
        assert!(!out.join("cluster.toml").exists() && !out.join("run.toml").exists());
    }
}

#[test]
fn batch_script_runs_a_task_and_names_what_a_node_does_not_see() {
    let dir = tempfile::tempdir().unwrap();
    let shared = dir.path().join("my run").display().to_string();
    run(&[
        "match",
        "random",
        "random",
        "--games",
        "4",
        "--max-turns",
        "20",
        "--out",
        &shared,
        "--slurm-script",
        "--tasks",
        "1",
    ]);
    let script = dir.path().join("my run/job.sh");
    let bash =
        |script: &Path| Command::new("bash").arg(script).env("SLURM_ARRAY_TASK_ID", "1").output().unwrap();
    let (code, _, error) = split_output(&bash(&script));
    assert_eq!(code, 0, "{error}");
    assert_eq!(status(&shared)["games"], 4);
    let copy = dir.path().join("copy.sh");
    std::fs::copy(&script, &copy).unwrap();
    std::fs::rename(dir.path().join("my run"), dir.path().join("gone")).unwrap();
    let (code, _, error) = split_output(&bash(&copy));
    assert_eq!(code, 2);
    assert!(
        error.contains("my run is not visible here: choose --out on a file system that all nodes share"),
        "{error}"
    );
}

#[test]
fn tasks_of_selfplay_make_the_data_of_one_machine() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let selfplay = ["learn", "selfplay", "--games", "6", "--nodes", "50", "--max-turns", "30"];
    run(&[&selfplay[..], &["--out", &path("local")]].concat());
    let shared = path("shared");
    let submitted = [&selfplay[..], &["--out", &shared, "--slurm-script", "--tasks", "2"]].concat();
    run(&submitted);
    for task in [1, 2].map(|number| task(&submitted, number)) {
        assert!(task.wait_with_output().unwrap().status.success());
    }
    assert_eq!(
        (status(&shared)["games"].as_u64(), status(&shared)["complete"].as_bool()),
        (Some(6), Some(true))
    );
    for name in ["local", "shared"] {
        run(&["learn", "data", "merge", &path(name), "--out", &path(&format!("{name}.packed"))]);
    }
    let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert_eq!(read("local.packed"), read("shared.packed"));
}

#[test]
fn local_runs_are_shown_cancelled_and_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run").display().to_string();
    let contest = ["match", "alphabeta:hash=1", "random", "--nodes", "100", "--games", "40", "--out", &out];
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_surus")).args(contest).stdout(Stdio::null()).spawn().unwrap();
    let journal = dir.path().join("run/games.txt");
    while std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "the match ended early");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(status(&out)["running"], true);
    run(&["run", "cancel", &out]);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    let before = status(&out);
    assert!(before["running"] == false && before["games"].as_u64().unwrap() < 40, "{before}");
    let (code, _, error) = split_output(&surus(&["run", "cancel", &out], ""));
    assert_eq!(code, 2);
    assert!(error.contains("is not running"), "{error}");
    run(&["run", "resume", &out]);
    assert_eq!(status(&out)["games"], 40);
    let (code, _, error) = split_output(&surus(&["run", "status", &dir.path().display().to_string()], ""));
    assert_eq!(code, 2);
    assert!(error.contains("no run.toml and no cluster.toml"), "{error}");
}
