//! Command lines of external engines: parsing, lookup of the executable, revision.

use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use surus_play::Revision;

/// A command line that cannot be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandLineError {
    #[error("unclosed quote")]
    UnclosedQuote,
    #[error("empty command line")]
    Empty,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The words of a command line and the base directory of its relative paths.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    pub(crate) words: Vec<String>,
    directory: PathBuf,
}

impl CommandLine {
    /// Splits a command line by shell quoting rules.
    pub(crate) fn parse(text: &str, directory: Option<&Path>) -> Result<Self, CommandLineError> {
        let words = shlex::split(text).ok_or(CommandLineError::UnclosedQuote)?;
        if words.is_empty() {
            return Err(CommandLineError::Empty);
        }
        Ok(Self { words, directory: directory.map_or_else(PathBuf::new, Path::to_path_buf) })
    }

    /// The words without directories, so that moving an engine does not rename it.
    pub(crate) fn name(&self) -> String {
        let file_name =
            |word: &String| word.rsplit('/').find(|part| !part.is_empty()).unwrap_or(word).to_string();
        self.words.iter().map(file_name).collect::<Vec<_>>().join(" ")
    }

    /// The path of the executable, searched in `PATH` if its name has no slash.
    pub(crate) fn executable(&self) -> Result<PathBuf, CommandLineError> {
        let word = self.words.first().ok_or(CommandLineError::Empty)?;
        if word.contains('/') {
            let path = self.directory.join(word);
            return check_executable(&path).map(|()| path).map_err(Into::into);
        }
        let search_path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
        let mut error = io::Error::from(Errno::NOENT);
        for path in std::env::split_paths(&search_path).map(|directory| directory.join(word)) {
            match check_executable(&path) {
                Ok(()) => return Ok(path),
                Err(found) if found.kind() == io::ErrorKind::PermissionDenied => error = found,
                Err(_) => {}
            }
        }
        Err(error.into())
    }

    /// A hash of the executable and of all files among the arguments, because an interpreted engine is determined by its
    /// script and data.
    pub(crate) fn revision(&self) -> Result<String, CommandLineError> {
        let mut revision = Revision::default().with(content_hash(&self.executable()?)?);
        for argument in &self.words[1..] {
            let path = self.directory.join(argument);
            if path.is_file() {
                revision = revision.with(content_hash(&path)?);
            }
        }
        Ok(revision.to_string())
    }
}

fn check_executable(path: &Path) -> io::Result<()> {
    let metadata = path.metadata()?;
    let executable = metadata.is_file() && metadata.permissions().mode() & 0o111 != 0;
    if executable { Ok(()) } else { Err(Errno::ACCESS.into()) }
}

fn content_hash(path: &Path) -> io::Result<String> {
    Ok(Revision::default().with_reader(File::open(path)?)?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct TempDir(PathBuf);

    impl TempDir {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("surus-command-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, text: &str, mode: u32) {
            let path = self.0.join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        }

        fn command(&self, text: &str) -> CommandLine {
            CommandLine::parse(text, Some(&self.0)).unwrap()
        }
    }

    impl Drop for TempDir {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn finds_executables_by_path_and_name() {
        let dir = TempDir::new("find");
        dir.write("bot", "#!/bin/sh\n", 0o755);
        dir.write("plain", "", 0o644);
        assert_eq!(dir.command("./bot -x").executable().unwrap(), dir.0.join("./bot"));
        assert!(dir.command("sh").executable().unwrap().is_absolute());
        let error = |text: &str| dir.command(text).executable().unwrap_err().to_string();
        assert_eq!(error("./gone"), "No such file or directory (os error 2)");
        assert_eq!(error("no-such-program"), "No such file or directory (os error 2)");
        assert_eq!(error("./plain"), "Permission denied (os error 13)");
        assert_eq!(CommandLine::parse("'x", None).unwrap_err().to_string(), "unclosed quote");
        assert_eq!(CommandLine::parse("", None).unwrap_err().to_string(), "empty command line");
    }

    #[test]
    fn revision_hashes_executable_and_argument_files() {
        let dir = TempDir::new("revision");
        dir.write("bot.py", "one", 0o644);
        let revision = |text: &str| dir.command(text).revision().unwrap();
        let first = revision("sh bot.py");
        assert_eq!(first.len(), 12);
        assert_eq!(revision("sh bot.py --fast"), first, "options are not part of the revision");
        assert_ne!(revision("sh"), first);
        dir.write("bot.py", "other", 0o644);
        assert_ne!(revision("sh bot.py"), first, "a changed script changes the revision");
        assert!(dir.command("./gone").revision().is_err());
    }

    #[test]
    fn name_has_no_directories() {
        let name = |text: &str| CommandLine::parse(text, None).unwrap().name();
        assert_eq!(name("python3 '/a b/bot.py' --hash 5"), "python3 bot.py --hash 5");
        assert_eq!(name("./getMove"), "getMove");
    }
}
