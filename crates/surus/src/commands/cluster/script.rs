//! The batch script of a run.

use std::path::Path;

use anyhow::{Result, bail};

use super::ClusterRun;

/// The batch script of all tasks of a run in `dir`, an absolute path.
pub(crate) fn script(run: &ClusterRun, dir: &Path) -> Result<String> {
    let text = |path: &Path| match path.to_str() {
        Some(text) if !text.contains(['\n', '"']) => Ok(text.to_string()),
        _ => bail!("{}: a batch script cannot contain this path", path.display()),
    };
    let (dir, program, directory) = (text(dir)?, text(&run.program)?, text(&run.directory)?);
    let mut options = vec![
        format!("--job-name=surus-{}", run.kind.replace(' ', "-")),
        format!("--array=1-{}", run.tasks),
        format!("--cpus-per-task={}", run.processors),
        // A percent sign begins a replacement.
        format!("--output=\"{}/logs/%a.log\"", dir.replace('%', "%%")),
        "--open-mode=append".into(),
        // After the failure of a node or a preemption the task starts again, and resumes.
        "--requeue".into(),
        // Before its time limit a task has a minute to stop.
        "--signal=B:TERM@60".into(),
    ];
    options.extend(run.partition.iter().map(|name| format!("--partition={name}")));
    options.extend(run.sbatch.clone());
    if options.iter().any(|option| option.contains('\n')) {
        bail!("--partition and --sbatch: an option of a batch script cannot contain a line break");
    }
    let options: String = options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
    let (arguments, task) = insert_option(&run.arguments, "--slurm-task");
    let arguments: Vec<String> = arguments.iter().map(|argument| quote(argument)).collect();
    let (before, after) = arguments.split_at(task);
    let command = [before, &["\"$SLURM_ARRAY_TASK_ID\"".to_string()], after].concat().join(" ");
    let [run_dir, program, directory] = [&dir, &program, &directory].map(|path| quote(path));
    Ok(format!(
        "#!/bin/bash\n{options}\
         # One task of a run of surus, written by it.\n\
         run={run_dir} program={program} directory={directory}\n\
         fail() {{ echo \"surus: $(hostname): $1\" >&2; exit 2; }}\n\
         [ -f \"$run/cluster.toml\" ] || fail \"$run is not visible here: choose --out on a file system that all nodes share\"\n\
         [ -x \"$program\" ] || fail \"$program is not visible here: install surus on a file system that all nodes share\"\n\
         cd \"$directory\" || fail \"$directory is not visible here: submit from a directory that all nodes share\"\n\
         # The program takes the place of the shell, so that it receives the signals.\n\
         exec \"$program\" {command}\n"
    ))
}

/// Arguments with a further option, before `--` if there is one, and the index of the place after it.
pub(crate) fn insert_option(arguments: &[String], option: &str) -> (Vec<String>, usize) {
    let place = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let mut all = arguments.to_vec();
    all.insert(place, option.into());
    (all, place + 1)
}

/// An argument for the shell.
fn quote(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.into();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(arguments: &[&str]) -> ClusterRun {
        let toml = "kind = 'round robin'\ngames = 6\ntasks = 3\nblock_pairs = 1\nprocessors = 2\n\
            program = '/opt/surus'\narguments = []\ndirectory = '/home/my files'\njobs = []\n\
            partition = 'short'\nsbatch = '--time=10 --mem=2G'\n[settings]\n";
        let mut run: ClusterRun = toml::from_str(toml).unwrap();
        run.arguments = arguments.iter().map(ToString::to_string).collect();
        run
    }

    #[test]
    fn arguments_are_quoted_and_the_task_precedes_a_double_dash() {
        let script =
            script(&run(&["match", "cmd=it's 'x'", "", "--", "-e"]), Path::new("/runs/50%")).unwrap();
        let last = script.lines().last().unwrap();
        assert_eq!(
            last,
            r#"exec "$program" match 'cmd=it'\''s '\''x'\''' '' --slurm-task "$SLURM_ARRAY_TASK_ID" -- -e"#
        );
        for line in [
            "#SBATCH --job-name=surus-round-robin",
            "#SBATCH --array=1-3",
            "#SBATCH --cpus-per-task=2",
            "#SBATCH --output=\"/runs/50%%/logs/%a.log\"",
            "#SBATCH --partition=short",
            "#SBATCH --time=10 --mem=2G",
            "run='/runs/50%' program=/opt/surus directory='/home/my files'",
        ] {
            assert!(script.lines().any(|other| other == line), "{line}: {script}");
        }
    }

    #[test]
    fn text_that_would_end_an_option_is_refused() {
        let mut bad = run(&[]);
        bad.sbatch = Some("--time=1\nrm".into());
        let error = script(&bad, Path::new("/runs")).unwrap_err().to_string();
        assert!(error.contains("line break"), "{error}");
        assert!(script(&run(&[]), Path::new("/a\"b")).is_err());
    }
}
