//! Builds an older revision in a directory of its own, to play the working tree against it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use surus_arena::EngineSpec;

use crate::shutdown::Shutdown;

/// The builds of the working tree and of the revision, as AEI engines.
pub(crate) fn specs(revision: &str, engine: &str, shutdown: &Shutdown) -> Result<Vec<EngineSpec>> {
    let top = PathBuf::from(git(Path::new("."), &["rev-parse", "--show-toplevel"])?);
    let commit = git(&top, &["rev-parse", "--verify", &format!("{revision}^{{commit}}")])?;
    let short: String = commit.chars().take(10).collect();
    let checkout_dir = top.join("target").join("base").join(&short);
    if !checkout_dir.exists() {
        eprintln!("checking out {short}");
        // Unpacked under another name, so that an interrupted checkout is never built.
        let (part, archive) = (checkout_dir.with_extension("part"), checkout_dir.with_extension("tar"));
        let _ = std::fs::remove_dir_all(&part);
        std::fs::create_dir_all(&part).with_context(|| format!("can't create {}", part.display()))?;
        git(&top, &["archive", "--output", &archive.to_string_lossy(), &commit])?;
        let unpacked =
            Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&part).status().context("tar")?;
        let _ = std::fs::remove_file(&archive);
        if !unpacked.success() {
            bail!("can't unpack revision {revision} in {}", part.display());
        }
        std::fs::rename(&part, &checkout_dir)
            .with_context(|| format!("can't create {}", checkout_dir.display()))?;
    }
    let mut specs = Vec::new();
    // The working tree is built last, so that target/release holds it afterwards.
    for (name, dir) in [(format!("base {short}"), &checkout_dir), ("new".to_string(), &top)] {
        eprintln!("building {name}");
        let mut build = Command::new("cargo");
        build.args(["build", "--release", "--quiet", "--package", "surus"]).current_dir(dir);
        build.env("CARGO_TARGET_DIR", dir.join("target"));
        let status = interruptible(&mut build, shutdown).context("can't run cargo")?;
        if !status.success() {
            bail!("{name} does not build in {}", dir.display());
        }
        // Copied, so that later builds of the working tree do not replace the engine during its match.
        let built = dir.join("target/release/surus");
        let program = top.join("target").join("base").join(format!("surus-{}", name.replace(' ', "-")));
        std::fs::copy(&built, &program).with_context(|| format!("can't copy {}", built.display()))?;
        let command = format!("'{}' aei --engine {engine}", program.display());
        specs.insert(0, EngineSpec { name, ..EngineSpec::parse(&format!("cmd={command}")) });
    }
    Ok(specs)
}

/// Runs a command to completion; a signal kills its process group.
fn interruptible(command: &mut Command, shutdown: &Shutdown) -> Result<ExitStatus> {
    let stop = shutdown.stop();
    let mut child = command.process_group(0).spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if stop.stop_requested() {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            child.wait()?;
            bail!("interrupted");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn git(dir: &Path, args: &[&str]) -> Result<String> {
    let output = Command::new("git").args(args).current_dir(dir).output().context("can't run git")?;
    if !output.status.success() {
        bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}
