//! The games of a run.

use std::collections::BTreeMap;
use std::path::Path;

/// The result and turns of each game of a run; each must occur once.
pub(crate) fn games(folder: &Path) -> BTreeMap<u64, (String, String)> {
    let text = std::fs::read_to_string(folder.join("games.txt")).unwrap();
    let mut rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let [id, result, moves] = ["id", "result", "movelist"].map(column);
    let mut found = BTreeMap::new();
    for row in rows {
        let old = found.insert(row[id].parse().unwrap(), (row[result].into(), row[moves].into()));
        assert_eq!(old, None, "game {} was written twice", row[id]);
    }
    found
}
