//! Files and pages named in the docs exist.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files below a directory, except build output.
fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if !path.ends_with("target") && !path.ends_with("node_modules") => files(&path, found),
            true => {}
            false => found.push(path),
        }
    }
}

#[test]
fn files_named_in_architecture_exist() {
    let root = root();
    let mut found = Vec::new();
    for part in ["crates", "docs", "tests"] {
        files(&root.join(part), &mut found);
    }
    let names: Vec<String> = found.iter().map(|path| format!("{}/", path.display())).collect();
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let is_path = |name: &&str| {
        [".rs", ".toml", ".txt", ".py", "/"].iter().any(|end| name.ends_with(end)) && !name.contains(' ')
    };
    let mut count = 0;
    for name in text.split('`').skip(1).step_by(2).filter(is_path) {
        let expected = format!("/{}/", name.trim_end_matches('/'));
        assert!(
            names.iter().any(|file| file.contains(&expected)),
            "ARCHITECTURE.md names {name}, which does not exist"
        );
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn relative_links_resolve() {
    let root = root();
    let mut pages: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|name| root.join(name))
        .into();
    files(&root.join("docs"), &mut pages);
    let mut count = 0;
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let text = std::fs::read_to_string(page).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.starts_with("http") && !target.starts_with('#')) {
            let file = page.with_file_name(target.split('#').next().unwrap_or_default());
            assert!(file.exists(), "{}: {target} does not exist", page.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}
