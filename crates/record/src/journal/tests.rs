use std::fs;
use std::path::PathBuf;

use super::*;

const HEADER: &str = "row\tcrc32";

/// A file that is removed when the test ends.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-journal-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn open(&self) -> Result<(LineJournal, Vec<String>), JournalError> {
        let mut rows = Vec::new();
        let journal = LineJournal::open(&self.0, HEADER, |row| {
            rows.push(row.to_owned());
            Ok(())
        })?;
        Ok((journal, rows))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn truncation_at_any_byte_loses_only_the_torn_row() {
    let file = TempFile::new("cut");
    let (mut journal, rows) = file.open().unwrap();
    assert!(rows.is_empty());
    for row in ["first", "", "zwölf\tKatzen"] {
        journal.append(row).unwrap();
    }
    drop(journal);
    let bytes = fs::read(&file.0).unwrap();
    for length in 0..=bytes.len() {
        fs::write(&file.0, &bytes[..length]).unwrap();
        let complete = bytes[..length].iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1);
        let (mut journal, rows) = file.open().unwrap();
        assert_eq!(rows, ["first", "", "zwölf\tKatzen"][..complete], "cut at {length}");
        journal.append("next").unwrap();
        drop(journal);
        assert_eq!(file.open().unwrap().1.len(), complete + 1, "cut at {length}");
    }
}

#[test]
fn a_changed_byte_is_an_error_and_leaves_the_file_alone() {
    let file = TempFile::new("flip");
    let (mut journal, _) = file.open().unwrap();
    journal.append("first").unwrap();
    journal.append("second").unwrap();
    drop(journal);
    let bytes = fs::read(&file.0).unwrap();
    // The last newline is skipped: without it the last row is torn, not corrupt.
    for index in 0..bytes.len() - 1 {
        let mut changed = bytes.clone();
        changed[index] ^= 0x10;
        fs::write(&file.0, &changed).unwrap();
        assert!(file.open().is_err(), "byte {index}");
        assert_eq!(fs::read(&file.0).unwrap(), changed, "byte {index}");
    }
}

#[test]
fn a_journal_has_one_writer() {
    let file = TempFile::new("lock");
    let (journal, _) = file.open().unwrap();
    assert!(matches!(file.open(), Err(JournalError::Locked(_))));
    drop(journal);
    assert!(file.open().is_ok());
}

#[test]
fn other_files_and_invalid_rows_are_rejected() {
    let file = TempFile::new("header");
    fs::write(&file.0, "something else\n").unwrap();
    let error = file.open().unwrap_err().to_string();
    assert!(error.ends_with("unexpected header 'something else': expected 'row crc32'"), "{error}");
    fs::remove_file(&file.0).unwrap();
    let (mut journal, _) = file.open().unwrap();
    assert!(journal.append("two\nlines").is_err());
    journal.append("row").unwrap();
    drop(journal);
    let error = LineJournal::open(&file.0, HEADER, |row| Err(format!("unknown '{row}'"))).unwrap_err();
    assert!(error.to_string().ends_with("line 2: unknown 'row'; the file was left as it is"), "{error}");
}

/// Linux has a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let mut journal = Journal::open(Path::new("/dev/full")).unwrap();
    assert!(matches!(journal.append(b"row\n"), Err(JournalError::Io { .. })));
    // A device cannot be truncated, so that the rollback fails, too.
    assert!(matches!(journal.append(b"row\n"), Err(JournalError::Broken(_))));
}

#[test]
fn replacing_a_file_leaves_nothing_else_behind() {
    let file = TempFile::new("replace");
    for content in ["old", "new and longer"] {
        replace_file(&file.0, content.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&file.0).unwrap(), content);
    }
    let name = file.0.file_name().unwrap().to_string_lossy().into_owned();
    let files = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let found = files.filter(|entry| entry.file_name().to_string_lossy().starts_with(&name)).count();
    assert_eq!(found, 1);
    assert!(replace_file(&file.0.join("below a file"), b"x").is_err());
}
