//! What is in a store. The texts are PostgreSQL's; for SQLite three words are exchanged.

/// The version of a store that this program makes.
pub const VERSION: i64 = 3;

/// The text that leads from each version to the next.
const MIGRATIONS: [&str; VERSION as usize] =
    [include_str!("version_1.sql"), include_str!("version_2.sql"), include_str!("version_3.sql")];

/// The texts that a store of this version still needs.
pub(super) fn migrations_after(version: i64) -> impl Iterator<Item = &'static str> {
    MIGRATIONS.into_iter().skip(usize::try_from(version).unwrap_or(0))
}

/// SQLite keeps whole numbers of any size in one type, and only that type can be the row's own number.
pub(super) fn for_sqlite(sql: &str) -> String {
    sql.replace("BIGINT", "INTEGER").replace("SMALLINT", "INTEGER").replace("BYTEA", "BLOB")
}

/// A table with the columns that an import fills.
#[derive(Debug)]
pub(crate) struct TableDef {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [&'static str],
}

impl TableDef {
    /// The text that adds a row.
    pub(super) fn insert(&self) -> String {
        let places: Vec<String> = (1..=self.columns.len()).map(|place| format!("${place}")).collect();
        format!("INSERT INTO {} ({}) VALUES ({})", self.name, self.columns.join(", "), places.join(", "))
    }
}

pub(crate) const POSITIONS: TableDef = TableDef {
    name: "positions",
    columns: &[
        "id",
        "standing",
        "about",
        "board",
        "next",
        "full_key",
        "middle_key",
        "home_left_key",
        "home_right_key",
        "away_left_key",
        "away_right_key",
        "piece_key",
        "piece_trap_key",
        "movers",
    ],
};

pub(crate) const RECORDS: TableDef = TableDef { name: "records", columns: &["game", "movelist", "events"] };

pub(crate) const GAMES: TableDef = TableDef { name: "games", columns: &GAME_COLUMNS };

/// Those of the archive but for its number, which is not ours, and its texts, which have a table of their own.
const GAME_COLUMNS: [&str; 34] = {
    const BEFORE: [&str; 3] = ["id", "origin", "number"];
    const BEHIND: [&str; 5] = ["rules", "turns", "takebacks", "source", "line"];
    let mut all = [""; 34];
    let mut at = 0;
    while at < all.len() {
        all[at] = match at {
            0..3 => BEFORE[at],
            3..29 => surus_record::COLUMNS[at - 2],
            _ => BEHIND[at - 29],
        };
        at += 1;
    }
    all
};

/// An index that is made after a bulk import.
#[derive(Debug)]
pub(crate) struct IndexDef {
    pub(crate) name: &'static str,
    /// What it is for, in a word or two.
    pub(crate) description: &'static str,
    key: &'static str,
}

/// The index of whole boards, out of which the explorer reads everything.
const FULL: &str = "by_full";

impl IndexDef {
    /// The text that makes it. The best candidate of a key comes first. The indexes of parts hold the turn and its pieces, too:
    /// where many candidates have the same key, or one question has many keys, every look at the row itself is a look
    /// into another corner of the disk. SQLite ends every entry with the row's number by itself.
    pub(super) fn create(&self, sqlite: bool) -> String {
        let Self { name, key, .. } = self;
        let columns = match (*name == FULL, sqlite) {
            // What it carries stands behind the row's number here, so that the order is the same.
            (true, true) => format!("({key}, standing, id, about, next)"),
            (true, false) => format!("({key}, standing, id) INCLUDE (about, next)"),
            (false, true) => format!("({key}, standing, next, movers)"),
            (false, false) => format!("({key}, standing, next, movers, id)"),
        };
        format!("CREATE INDEX IF NOT EXISTS {name} ON positions {columns}")
    }
}

const fn index(name: &'static str, what: &'static str, key: &'static str) -> IndexDef {
    IndexDef { name, description: what, key }
}

pub(crate) const INDEXES: [IndexDef; 8] = [
    index(FULL, "full boards", "full_key"),
    index("by_middle", "middle rows", "middle_key"),
    index("by_home_left", "areas, home left", "home_left_key"),
    index("by_home_right", "areas, home right", "home_right_key"),
    index("by_away_left", "areas, away left", "away_left_key"),
    index("by_away_right", "areas, away right", "away_right_key"),
    index("by_piece", "specific pieces", "piece_key"),
    index("by_piece_trap", "specific pieces at traps", "piece_trap_key"),
];
