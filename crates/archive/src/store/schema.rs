//! The schema, in the dialect of PostgreSQL; for SQLite three type names are replaced.

/// The current schema version.
pub const VERSION: i64 = 4;

/// The migration to each version.
const MIGRATIONS: [&str; VERSION as usize] = [
    include_str!("../../migrations/0001_init.sql"),
    include_str!("../../migrations/0002_known_wins.sql"),
    include_str!("../../migrations/0003_position_stats.sql"),
    include_str!("../../migrations/0004_rename.sql"),
];

/// The migrations that follow a version.
pub(super) fn migrations_after(version: i64) -> impl Iterator<Item = &'static str> {
    MIGRATIONS.into_iter().skip(usize::try_from(version).unwrap_or(0))
}

/// SQLite has one integer type, and only that type can be a row id.
pub(super) fn for_sqlite(sql: &str) -> String {
    sql.replace("BIGINT", "INTEGER").replace("SMALLINT", "INTEGER").replace("BYTEA", "BLOB")
}

/// A table and the columns that an import fills.
#[derive(Debug)]
pub(crate) struct TableDef {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [&'static str],
}

impl TableDef {
    /// The INSERT statement.
    pub(super) fn insert(&self) -> String {
        let placeholders: Vec<String> = (1..=self.columns.len()).map(|index| format!("${index}")).collect();
        format!(
            "INSERT INTO {} ({}) VALUES ({})",
            self.name,
            self.columns.join(", "),
            placeholders.join(", ")
        )
    }
}

pub(crate) const POSITIONS: TableDef = TableDef {
    name: "positions",
    columns: &[
        "id",
        "rank",
        "attributes",
        "board",
        "played",
        "full_key",
        "middle_key",
        "home_left_key",
        "home_right_key",
        "away_left_key",
        "away_right_key",
        "piece_key",
        "piece_trap_key",
        "moved_pieces",
    ],
};

pub(crate) const RECORDS: TableDef = TableDef { name: "records", columns: &["game", "movelist", "events"] };

pub(crate) const GAMES: TableDef = TableDef { name: "games", columns: &GAME_COLUMNS };

/// The columns of an archive file, except the id and the texts, which are in `records`, and some of our own.
const GAME_COLUMNS: [&str; 34] = {
    const BEFORE: [&str; 3] = ["id", "dedup_key", "external_id"];
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

/// An index that is built after a bulk import.
#[derive(Debug)]
pub(crate) struct IndexDef {
    pub(crate) name: &'static str,
    /// A short description for progress reports.
    pub(crate) description: &'static str,
    key: &'static str,
}

/// The index of full boards, a covering index for the explorer.
const FULL: &str = "positions_full_key_idx";

impl IndexDef {
    /// The DDL. The best candidate of a key comes first. Indexes of partial keys contain the turn and its pieces: if many
    /// candidates share a key, or a query has many keys, each read of the row itself is a random access. SQLite appends the
    /// row id to every entry.
    pub(super) fn create(&self, sqlite: bool) -> String {
        let Self { name, key, .. } = self;
        let columns = match (*name == FULL, sqlite) {
            // SQLite has no INCLUDE: the extra columns follow the id, so that the order is the same.
            (true, true) => format!("({key}, rank, id, attributes, played)"),
            (true, false) => format!("({key}, rank, id) INCLUDE (attributes, played)"),
            (false, true) => format!("({key}, rank, played, moved_pieces)"),
            (false, false) => format!("({key}, rank, played, moved_pieces, id)"),
        };
        format!("CREATE INDEX IF NOT EXISTS {name} ON positions {columns}")
    }
}

const fn index(name: &'static str, description: &'static str, key: &'static str) -> IndexDef {
    IndexDef { name, description, key }
}

pub(crate) const INDEXES: [IndexDef; 8] = [
    index(FULL, "full boards", "full_key"),
    index("positions_middle_key_idx", "middle rows", "middle_key"),
    index("positions_home_left_key_idx", "areas, home left", "home_left_key"),
    index("positions_home_right_key_idx", "areas, home right", "home_right_key"),
    index("positions_away_left_key_idx", "areas, away left", "away_left_key"),
    index("positions_away_right_key_idx", "areas, away right", "away_right_key"),
    index("positions_piece_key_idx", "specific pieces", "piece_key"),
    index("positions_piece_trap_key_idx", "specific pieces at traps", "piece_trap_key"),
];
