//! The command line of an external program: its words, the files it names, and their revision.

use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use surus_play::Revision;

/// A command line that can't be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandLineError {
    #[error("a quote is not closed")]
    Quote,
    #[error("there is no program")]
    Empty,
    #[error(transparent)]
    Program(#[from] io::Error),
}

/// The words of a command line and the directory that its relative paths start from.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    pub(crate) words: Vec<String>,
    directory: PathBuf,
}

impl CommandLine {
    /// Splits a command line as a shell does, but without one.
    pub(crate) fn parse(text: &str, directory: Option<&Path>) -> Result<Self, CommandLineError> {
        let words = shlex::split(text).ok_or(CommandLineError::Quote)?;
        if words.is_empty() {
            return Err(CommandLineError::Empty);
        }
        Ok(Self { words, directory: directory.map_or_else(PathBuf::new, Path::to_path_buf) })
    }

    /// The words without directories, so that an engine keeps its name when it is moved.
    pub(crate) fn name(&self) -> String {
        let last = |word: &String| word.rsplit('/').find(|part| !part.is_empty()).unwrap_or(word).to_string();
        self.words.iter().map(last).collect::<Vec<_>>().join(" ")
    }

    /// The file that is executed, found through `PATH` if its name has no slash.
    pub(crate) fn executable(&self) -> Result<PathBuf, CommandLineError> {
        let word = self.words.first().ok_or(CommandLineError::Empty)?;
        if word.contains('/') {
            let path = self.directory.join(word);
            return check_executable(&path).map(|()| path).map_err(Into::into);
        }
        let search = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
        let mut error = io::Error::from(Errno::NOENT);
        for path in std::env::split_paths(&search).map(|folder| folder.join(word)) {
            match check_executable(&path) {
                Ok(()) => return Ok(path),
                Err(found) if found.kind() == io::ErrorKind::PermissionDenied => error = found,
                Err(_) => {}
            }
        }
        Err(error.into())
    }

    /// A hash of the executable and of the files that are named as arguments: a script and its data decide the play
    /// as much as their interpreter does.
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

/// The hash of a file's content.
fn content_hash(path: &Path) -> io::Result<String> {
    Ok(Revision::default().with_reader(File::open(path)?)?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scratch(PathBuf);

    impl Scratch {
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

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn executables_are_found_by_path_and_by_name() {
        let scratch = Scratch::new("find");
        scratch.write("bot", "#!/bin/sh\n", 0o755);
        scratch.write("plain", "", 0o644);
        assert_eq!(scratch.command("./bot -x").executable().unwrap(), scratch.0.join("./bot"));
        assert!(scratch.command("sh").executable().unwrap().is_absolute());
        let error = |text: &str| scratch.command(text).executable().unwrap_err().to_string();
        assert_eq!(error("./gone"), "No such file or directory (os error 2)");
        assert_eq!(error("no-such-program"), "No such file or directory (os error 2)");
        assert_eq!(error("./plain"), "Permission denied (os error 13)");
        assert_eq!(CommandLine::parse("'x", None).unwrap_err().to_string(), "a quote is not closed");
        assert_eq!(CommandLine::parse("", None).unwrap_err().to_string(), "there is no program");
    }

    #[test]
    fn the_revision_is_that_of_the_executable_and_of_files_among_the_arguments() {
        let scratch = Scratch::new("revision");
        scratch.write("bot.py", "one", 0o644);
        let revision = |text: &str| scratch.command(text).revision().unwrap();
        let first = revision("sh bot.py");
        assert_eq!(first.len(), 12);
        assert_eq!(revision("sh bot.py --fast"), first, "options are no part of it");
        assert_ne!(revision("sh"), first);
        scratch.write("bot.py", "other", 0o644);
        assert_ne!(revision("sh bot.py"), first, "a changed script is another engine");
        assert!(scratch.command("./gone").revision().is_err());
    }

    #[test]
    fn the_name_has_no_directories() {
        let name = |text: &str| CommandLine::parse(text, None).unwrap().name();
        assert_eq!(name("python3 '/a b/bot.py' --hash 5"), "python3 bot.py --hash 5");
        assert_eq!(name("./getMove"), "getMove");
    }
}
