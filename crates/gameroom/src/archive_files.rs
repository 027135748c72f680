//! The yearly and monthly files of games that the site publishes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use surus_record::journal::replace_file;

use crate::bot::HttpError;
use crate::client::Download;

/// Where the site publishes them.
pub const GAME_DATA: &str = "http://arimaa.com/arimaa/download/gameData";

/// The site opened in this year.
const FIRST_YEAR: u32 = 2002;

/// Pauses before failed downloads are tried again.
const RETRY_PAUSES: [u64; 3] = [10, 30, 60];

/// A year, or a month of a year.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Period {
    /// The year.
    pub year: u32,
    /// From 1.
    pub month: Option<u32>,
}

/// A text that is no period.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "invalid period: expected a year (2013), a month (202602) or a range of years (2010-2013), from 2002 on"
)]
pub struct PeriodError;

impl Period {
    /// Parses `2013`, `202602` or `2010-2013`.
    ///
    /// ```
    /// use surus_gameroom::archive_files::Period;
    ///
    /// assert_eq!(Period::parse("2010-2012")?.len(), 3);
    /// assert_eq!(Period::parse("202602")?[0].to_string(), "202602");
    /// assert!(Period::parse("202613").is_err());
    /// # Ok::<(), surus_gameroom::archive_files::PeriodError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Vec<Self>, PeriodError> {
        let number = |text: &str, digits| {
            let valid = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
            valid.then(|| text.parse::<u32>().ok())?
        };
        let year = |text: &str| number(text, 4).filter(|year| *year >= FIRST_YEAR).ok_or(PeriodError);
        if let Some((first, last)) = text.split_once('-') {
            let (first, last) = (year(first)?, year(last)?);
            let years = (first..=last).map(|year| Self { year, month: None });
            return if first <= last { Ok(years.collect()) } else { Err(PeriodError) };
        }
        if text.len() == 6 {
            let (head, tail) = text.split_at_checked(4).ok_or(PeriodError)?;
            let month = number(tail, 2).filter(|month| (1..=12).contains(month)).ok_or(PeriodError)?;
            return Ok(vec![Self { year: year(head)?, month: Some(month) }]);
        }
        Ok(vec![Self { year: year(text)?, month: None }])
    }
}

impl std::fmt::Display for Period {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}", self.year)?;
        self.month.map_or(Ok(()), |month| write!(f, "{month:02}"))
    }
}

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fetched {
    /// It was downloaded.
    New(PathBuf),
    /// It has not changed since it was downloaded.
    Unchanged(PathBuf),
    /// The site has none for this period.
    Missing,
}

/// A file that could not be downloaded or written.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The server failed repeatedly.
    #[error("{url}: {reason}")]
    Server {
        /// The file.
        url: String,
        /// The last failure.
        reason: String,
    },
    /// It cannot be stored.
    #[error("can't write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// The command was interrupted during a pause.
    #[error("interrupted")]
    Interrupted,
}

/// The network and the clock.
pub trait Fetcher {
    /// Downloads a file, unless it has not changed since that time.
    fn get(&mut self, url: &str, unless_changed_since: Option<&str>) -> Result<Download, HttpError>;
    /// Waits; false if the command was interrupted.
    fn pause(&mut self, time: Duration) -> bool;
}

/// Downloads the file of a period: one request at a time, none for what has not changed, with growing pauses after failures. A
/// file is complete or absent, whenever the program is killed.
pub fn fetch(
    fetcher: &mut dyn Fetcher,
    base: &str,
    period: Period,
    directory: &Path,
    pause: Duration,
) -> Result<Fetched, FetchError> {
    for extension in ["zip", "txt"] {
        let name = format!("allgames{period}.{extension}");
        let path = directory.join(&name);
        let stamp = directory.join(format!("{name}.last-modified"));
        let since = std::fs::read_to_string(&stamp).ok().filter(|_| path.exists());
        let url = format!("{}/{name}", base.trim_end_matches('/'));
        let download = get(fetcher, &url, since.as_deref())?;
        match download.status {
            304 => return Ok(Fetched::Unchanged(path)),
            404 => {
                if !fetcher.pause(pause) {
                    return Err(FetchError::Interrupted);
                }
            }
            _ => {
                let write = |path: &Path, content: &[u8]| {
                    replace_file(path, content)
                        .map_err(|error| FetchError::Write { path: path.into(), error })
                };
                write(&path, &download.body)?;
                // The stamp last: without it, the file is downloaded again.
                if let Some(time) = &download.last_modified {
                    write(&stamp, time.as_bytes())?;
                }
                return Ok(Fetched::New(path));
            }
        }
    }
    Ok(Fetched::Missing)
}

fn get(fetcher: &mut dyn Fetcher, url: &str, since: Option<&str>) -> Result<Download, FetchError> {
    let mut reason = String::new();
    for seconds in std::iter::once(0).chain(RETRY_PAUSES) {
        if seconds > 0 && !fetcher.pause(Duration::from_secs(seconds)) {
            return Err(FetchError::Interrupted);
        }
        match fetcher.get(url, since) {
            Ok(download) if [200, 304, 404].contains(&download.status) => return Ok(download),
            Ok(download) => reason = format!("HTTP status {}", download.status),
            Err(error) => reason = error.to_string(),
        }
    }
    Err(FetchError::Server { url: url.into(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers in turn.
    struct Script {
        answers: Vec<Result<(u16, &'static str), HttpError>>,
        asked: Vec<(String, Option<String>)>,
        paused: Vec<u64>,
    }

    impl Fetcher for Script {
        fn get(&mut self, url: &str, since: Option<&str>) -> Result<Download, HttpError> {
            self.asked.push((url.into(), since.map(Into::into)));
            let (status, body) = self.answers.remove(0)?;
            let last_modified = (status == 200).then(|| "Monday".to_owned());
            Ok(Download { status, last_modified, body: body.into() })
        }

        fn pause(&mut self, time: Duration) -> bool {
            self.paused.push(time.as_secs());
            true
        }
    }

    #[test]
    fn failures_are_retried_and_unchanged_files_are_not_downloaded() {
        let dir = std::env::temp_dir().join(format!("surus-fetch-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let period = Period { year: 2002, month: None };
        let mut script = Script {
            answers: vec![
                Ok((500, "")),
                Err(HttpError::Timeout),
                Ok((404, "")),
                Ok((200, "games")),
                Ok((404, "")),
                Ok((304, "")),
            ],
            asked: Vec::new(),
            paused: Vec::new(),
        };
        let path = dir.join("allgames2002.txt");
        let mut run = || fetch(&mut script, "http://x/data/", period, &dir, Duration::from_secs(5)).unwrap();
        assert_eq!(run(), Fetched::New(path.clone()));
        assert_eq!(std::fs::read(&path).unwrap(), b"games");
        assert_eq!(run(), Fetched::Unchanged(path));
        assert_eq!(script.paused, [10, 30, 5, 5]);
        assert_eq!(script.asked[3], ("http://x/data/allgames2002.txt".into(), None));
        assert_eq!(script.asked[5].1.as_deref(), Some("Monday"));
        script.answers = vec![Ok((500, "")), Ok((500, "")), Ok((500, "")), Ok((503, ""))];
        let error = fetch(&mut script, "http://x", period, &dir, Duration::ZERO).unwrap_err();
        assert_eq!(error.to_string(), "http://x/allgames2002.zip: HTTP status 503");
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn periods_are_years_months_and_ranges() {
        for text in ["", "1999", "20021", "2002-", "2003-2002", "202600", "2002ä1", "+002"] {
            assert!(Period::parse(text).is_err(), "{text}");
        }
        assert_eq!(Period::parse("2002").unwrap(), [Period { year: 2002, month: None }]);
    }
}
