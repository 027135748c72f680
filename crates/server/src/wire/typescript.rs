//! The types as TypeScript, for the page.

use ts_rs::{Config, TS};

use super::*;

fn declarations() -> String {
    let config = Config::default();
    let mut text =
        String::from("// Written by the test `the_page_knows_the_types_of_the_api`; not to be edited.\n");
    macro_rules! declare {
        ($($name:ty),* $(,)?) => {
            $(
                text.push_str("\nexport ");
                text.push_str(&<$name as TS>::decl(&config));
                text.push('\n');
            )*
        };
    }
    declare!(
        Origin,
        Line,
        LegalAction,
        Way,
        Stuck,
        End,
        View,
        Player,
        Handicaps,
        NewGame,
        TurnState,
        ClockState,
        GameState,
        GameSummary,
        UnreadableGame,
        ListedGame,
        Games,
        EngineOption,
        EngineAbout,
        NamedSetup,
        NamedControl,
        About,
        Served,
        Problem,
        ReadRequest,
        TreeNode,
        ReadGame,
        Reading,
        Track,
        Remark,
        Why,
        ArchiveFilters,
        ExploreRequest,
        Explored,
        ExploredTurn,
        ArchivedGame,
        Setups,
        SetupScore,
        SearchRequest,
        FoundGames,
        ArchivePlayer,
        ArchivePlayers,
        ArchiveState,
        Ask,
        Command,
        Tell,
    );
    text
}

/// `SURUS_BLESS=1 cargo test -p surus-server` writes the file anew.
#[test]
fn the_page_knows_the_types_of_the_api() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/page/js/api.d.ts");
    let expected = declarations();
    if std::env::var_os("SURUS_BLESS").is_some() {
        std::fs::write(file, &expected).unwrap();
    }
    let found = std::fs::read_to_string(file).unwrap();
    assert_eq!(found, expected, "page/js/api.d.ts is not what SURUS_BLESS=1 would write");
}
