//! Builds an older revision aside, to play the working tree against it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use surus_arena::EngineSpec;

/// The working tree's program and that of the revision, as AEI programs.
pub(crate) fn specs(revision: &str, engine: &str) -> Result<Vec<EngineSpec>> {
    let top = PathBuf::from(git(Path::new("."), &["rev-parse", "--show-toplevel"])?);
    let commit = git(&top, &["rev-parse", "--verify", &format!("{revision}^{{commit}}")])?;
    let short: String = commit.chars().take(10).collect();
    let aside = top.join("target").join("base").join(&short);
    if !aside.exists() {
        eprintln!("checking out {short} aside");
        // Under another name until it is whole, so that nobody builds half of it later.
        let (part, archive) = (aside.with_extension("part"), aside.with_extension("tar"));
        let _ = std::fs::remove_dir_all(&part);
        std::fs::create_dir_all(&part).with_context(|| format!("can't make {}", part.display()))?;
        git(&top, &["archive", "--output", &archive.to_string_lossy(), &commit])?;
        let unpacked =
            Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&part).status().context("tar")?;
        let _ = std::fs::remove_file(&archive);
        if !unpacked.success() {
            bail!("can't unpack revision {revision} in {}", part.display());
        }
        std::fs::rename(&part, &aside).with_context(|| format!("can't make {}", aside.display()))?;
    }
    let mut specs = Vec::new();
    // The new one last in time, so that it is what stands in target/release when this is over.
    for (name, folder) in [(format!("base {short}"), &aside), ("new".to_string(), &top)] {
        eprintln!("building {name}");
        let status = Command::new("cargo")
            .args(["build", "--release", "--quiet", "--package", "surus"])
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .status()
            .context("can't run cargo")?;
        if !status.success() {
            bail!("{name} does not build in {}", folder.display());
        }
        // Copied, so that building on in the working tree does not change the engine under its own match.
        let built = folder.join("target/release/surus");
        let program = top.join("target").join("base").join(format!("surus-{}", name.replace(' ', "-")));
        std::fs::copy(&built, &program).with_context(|| format!("can't copy {}", built.display()))?;
        let command = format!("'{}' aei --engine {engine}", program.display());
        specs.insert(0, EngineSpec { name, ..EngineSpec::parse(&format!("cmd={command}")) });
    }
    Ok(specs)
}

fn git(folder: &Path, args: &[&str]) -> Result<String> {
    let output = Command::new("git").args(args).current_dir(folder).output().context("can't run git")?;
    if !output.status.success() {
        bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}
