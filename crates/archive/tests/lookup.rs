//! The lookup tiers: comparison with a scan of all positions, symmetry, and query plans.

mod common;

use common::{TempDir, import};
use surus_archive::{
    ArchiveDb, AreaCenter, LookupOptions, PositionId, Rank, SetupOrTurn, StoredPosition, Tier,
    for_each_position, import_wins, lookup, moved_pieces, pack_played, plan, position,
};
use surus_rules::{
    Board, Game, Handicap, Piece, PieceKind, PlayedTurn, Position, Record, Rules, Setup, Side, Square, Step,
    Turn,
};

/// All positions of an archive.
fn all(store: &ArchiveDb) -> Vec<StoredPosition> {
    let mut found = Vec::new();
    for_each_position(store, |one| {
        found.push(one);
        Ok(true)
    })
    .unwrap();
    found
}

/// An orientation of a board or turn.
#[derive(Clone, Copy, Debug)]
struct Orientation {
    mirrored: bool,
    flipped: bool,
}

impl Orientation {
    fn board(self, board: &Board) -> Board {
        let board = if self.mirrored { board.mirrored() } else { *board };
        if self.flipped { board.flipped() } else { board }
    }

    fn turn(self, turn: &Turn) -> Turn {
        let turn = if self.mirrored { turn.mirrored() } else { *turn };
        if self.flipped { turn.flipped() } else { turn }
    }
}

fn around(center: Square) -> Vec<Square> {
    let near = |square: &Square| {
        square.file().abs_diff(center.file()) <= 2 && square.rank().abs_diff(center.rank()) <= 2
    };
    (0..64).filter_map(Square::new).filter(near).collect()
}

fn trap_near(square: Square) -> Square {
    let far = |trap: &Square| trap.file().abs_diff(square.file()) + trap.rank().abs_diff(square.rank());
    ["c3", "f3", "c6", "f6"].map(|trap| trap.parse().unwrap()).into_iter().min_by_key(far).unwrap()
}

fn same(a: &Board, b: &Board, squares: &[Square]) -> bool {
    squares.iter().all(|&square| a.piece_at(square) == b.piece_at(square))
}

/// A piece by its strength relative to the moving piece.
fn reduced(found: Option<Piece>, own: Side, strength: PieceKind) -> Option<Piece> {
    found.map(|piece| match piece.side() == own {
        true => Piece::new(own, PieceKind::Rabbit),
        false if piece.kind() < strength => Piece::new(own.other(), PieceKind::Rabbit),
        false if piece.kind() > strength => Piece::new(own.other(), PieceKind::Elephant),
        false => piece,
    })
}

fn legal(game: &Game, turn: &Turn) -> bool {
    game.clone().play(turn).is_ok()
}

fn steps_here(turn: &Turn, board: &Board) -> Option<Turn> {
    let mut board = *board;
    let mut here = Turn::EMPTY;
    for step in turn.steps() {
        let step = Step::new(board.piece_at(step.from())?, step.from(), step.direction())?;
        if board.piece_at(step.to()).is_some() {
            return None;
        }
        board = board.after_step(step);
        here.push(step);
    }
    Some(here)
}

fn last_moved(game: &Game) -> Option<Square> {
    let entry = game.entries().last()?;
    let PlayedTurn::Turn(turn) = entry.played else { return None };
    turn.steps().rfind(|step| step.piece().side() == entry.tag.side).map(Step::to)
}

/// A stored position with its board and turn in all orientations.
struct OrientedPosition {
    one: StoredPosition,
    orientations: [(Board, Turn); 4],
}

impl OrientedPosition {
    fn all(store: &ArchiveDb) -> Vec<Self> {
        let orient = |one: StoredPosition| {
            let SetupOrTurn::Turn(turn) = one.played else { return None };
            let orientation = |mirrored, flipped| {
                let orientation = Orientation { mirrored, flipped };
                (orientation.board(&one.board), orientation.turn(&turn))
            };
            let orientations = [
                orientation(false, false),
                orientation(true, false),
                orientation(false, true),
                orientation(true, true),
            ];
            Some(Self { one, orientations })
        };
        all(store).into_iter().filter_map(orient).collect()
    }
}

/// The tier as \[McKee\] defines it, by scanning all positions: the best rank and position, and the turns that may be
/// returned.
fn naive(
    positions: &[OrientedPosition],
    game: &Game,
    tier: Tier,
    options: &LookupOptions,
    near: Option<Square>,
) -> Option<(Rank, PositionId, Vec<Turn>)> {
    let (board, side) = (game.turn_start(), game.side());
    let middle: Vec<Square> = (16..48).filter_map(Square::new).collect();
    let everywhere: Vec<Square> = (0..64).filter_map(Square::new).collect();
    let mut best: Option<(Rank, PositionId, Vec<Turn>)> = None;
    let mut first: Option<(Rank, (Vec<u8>, i32), PositionId)> = None;
    for OrientedPosition { one, orientations } in positions {
        let SetupOrTurn::Turn(next) = one.played else { continue };
        // Positions with equal rank are ordered by turn, except for full boards, which are ordered by id.
        let turn_key = (pack_played(&PlayedTurn::Turn(next)), moved_pieces(&next));
        let turn_key = if tier == Tier::Full { Default::default() } else { turn_key };
        let order = (one.rank, turn_key, one.id);
        if first.as_ref().is_some_and(|first| order >= *first) {
            continue;
        }
        let flipped = one.id.side() != side;
        let mut turns = Vec::new();
        for mirrored in [false, true] {
            let orientation = Orientation { mirrored, flipped };
            if !options.symmetry && (mirrored || flipped) {
                continue;
            }
            let (stored, turn) = &orientations[usize::from(orientation.flipped) * 2 + usize::from(mirrored)];
            let fits = match tier {
                Tier::Full => same(stored, board, &everywhere),
                Tier::Middle => same(stored, board, &middle),
                Tier::Area => same(stored, board, &around(trap_near(near.unwrap()))),
                Tier::Piece => {
                    let mover = turn.steps().find(|step| step.piece().side() == side).unwrap().from();
                    let center = if options.center == AreaCenter::Piece { mover } else { trap_near(mover) };
                    let strength = |board: &Board| {
                        board.piece_at(mover).filter(|piece| piece.side() == side).map(Piece::kind)
                    };
                    match (strength(stored), strength(board)) {
                        (Some(stored_strength), Some(own_strength)) => around(center).iter().all(|&square| {
                            reduced(stored.piece_at(square), side, stored_strength)
                                == reduced(board.piece_at(square), side, own_strength)
                        }),
                        _ => false,
                    }
                }
                _ => unreachable!(),
            };
            if !fits {
                continue;
            }
            let here = if tier == Tier::Piece { steps_here(turn, board) } else { Some(*turn) };
            turns.extend(here.filter(|turn| legal(game, turn)));
        }
        if !turns.is_empty() {
            best = Some((order.0, order.2, turns));
            first = Some(order);
        }
    }
    best
}

/// The square on which a turn leaves the area of the trap, if that is nearer to another trap.
fn new_center(
    first: &Option<(Rank, PositionId, Vec<Turn>)>,
    game: &Game,
    near: Option<Square>,
) -> Option<Square> {
    let trap = trap_near(near?);
    let turn = first.as_ref()?.2.first()?;
    let mut ends = turn.steps().filter(|step| step.piece().side() == game.side()).map(Step::to);
    ends.find(|end| !around(trap).contains(end)).filter(|&end| trap_near(end) != trap)
}

/// Query positions with their history, from synthetic games.
fn query_games(dir: &TempDir, games: u64, seed: u64) -> Vec<Game> {
    let file = dir.synth("query_games.txt", games, seed);
    let text = std::fs::read_to_string(file).unwrap();
    let mut found = Vec::new();
    for source in surus_record::parse_games(&text).unwrap() {
        let complete =
            Record::parse(&source.record).unwrap().replay(source.rules, Handicap::None).unwrap().game;
        let mut game = Game::default();
        for entry in complete.entries() {
            if matches!(game.phase(), surus_rules::Phase::Play(_)) {
                found.push(game.clone());
            }
            match entry.played {
                PlayedTurn::Setup(setup) => game.play_setup(setup).unwrap(),
                PlayedTurn::Turn(turn) => game.play(&turn).unwrap(),
            }
        }
    }
    found
}

#[test]
fn every_tier_agrees_with_a_scan() {
    let dir = TempDir::new("naive");
    let file = dir.synth("games.txt", 45, 21);
    let store = dir.store("naive");
    import(&store, &[&file]);
    let positions = OrientedPosition::all(&store);
    assert!(positions.len() > 2000, "{}", positions.len());
    // Games that are not in the archive, and some that are, so that every tier has hits.
    let mut queries = query_games(&dir, 6, 22);
    queries.extend(query_games(&dir, 2, 21));
    let mut hits = std::collections::BTreeMap::new();
    let mut recentred = 0;
    for (symmetry, center) in
        [(true, AreaCenter::Piece), (false, AreaCenter::Piece), (true, AreaCenter::Trap)]
    {
        let options =
            LookupOptions { symmetry, center, max_candidates: usize::MAX, ..LookupOptions::default() };
        for game in queries.iter().step_by(3) {
            for tier in [Tier::Full, Tier::Middle, Tier::Area, Tier::Piece] {
                let near = last_moved(game);
                if tier == Tier::Area && near.is_none() {
                    continue;
                }
                let found = lookup(&store, game, tier, &options).unwrap().hit;
                let mut expected = naive(&positions, game, tier, &options, near);
                let second = if tier == Tier::Area { new_center(&expected, game, near) } else { None };
                if let Some(near) = second {
                    let second = naive(&positions, game, tier, &options, Some(near));
                    assert_eq!(found.as_ref().map(|hit| hit.recentred), Some(second.is_some()));
                    recentred += usize::from(second.is_some());
                    expected = second.or(expected);
                }
                let actual = found.map(|hit| (hit.rank.unwrap(), hit.position.unwrap(), hit.played));
                assert_eq!(
                    actual.is_some(),
                    expected.is_some(),
                    "{tier} {} {expected:?} {options:?}",
                    game.position()
                );
                if let (Some((rank, id, SetupOrTurn::Turn(turn))), Some((best, first, turns))) =
                    (actual, expected)
                {
                    assert_eq!((rank, id), (best, first), "{tier} {}", game.position());
                    assert!(turns.contains(&turn), "{tier} {turn}");
                    *hits.entry((tier.name(), symmetry)).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(recentred > 0);
    println!("{} positions, {} queries, hits {hits:?}", positions.len(), queries.len());
    for tier in ["middle", "area", "piece"] {
        assert!(hits[&(tier, true)] > 5, "{hits:?}");
        assert!(hits.get(&(tier, false)).copied().unwrap_or(0) <= hits[&(tier, true)], "{hits:?}");
    }
    assert!(hits.contains_key(&("full", true)), "{hits:?}");
}

#[test]
fn every_stored_position_is_found_in_all_orientations() {
    let dir = TempDir::new("own");
    let file = dir.synth("games.txt", 40, 23);
    let store = dir.store("own");
    import(&store, &[&file]);
    let mut lookups = 0;
    for one in all(&store).iter().step_by(3) {
        let SetupOrTurn::Turn(turn) = one.played else { continue };
        for (mirrored, flipped) in [(false, false), (true, false), (false, true), (true, true)] {
            let orientation = Orientation { mirrored, flipped };
            let side = if flipped { one.id.side().other() } else { one.id.side() };
            let position = Position::new(orientation.board(&one.board), side).unwrap();
            let game = Game::from_position(&position, one.id.turn(), Rules::Official);
            let found = surus_archive::games_through(&store, &game, &Default::default(), None, 1000).unwrap();
            assert!(found.iter().any(|(id, _)| *id == one.id), "{}", one.id.0);
            let result = lookup(&store, &game, Tier::Full, &LookupOptions::default()).unwrap();
            let hit = result.hit.clone().unwrap_or_else(|| {
                panic!("{result:?} {turn} {} {orientation:?} {}", game.position(), one.id.0)
            });
            let same = hit.position == Some(one.id);
            assert!(hit.rank.unwrap() <= one.rank);
            // On a symmetric board the mirrored turn is equivalent.
            let both = [turn, turn.mirrored()].map(|turn| SetupOrTurn::Turn(orientation.turn(&turn)));
            let symmetric = one.board == Orientation { mirrored: true, flipped: false }.board(&one.board);
            assert!(!same || hit.played == both[0] || symmetric && hit.played == both[1], "{turn}");
            lookups += 1;
        }
        assert_eq!(position(&store, one.id).unwrap().unwrap().board, one.board);
    }
    assert!(lookups > 1000);
}

#[test]
fn every_tier_uses_an_index() {
    let dir = TempDir::new("plans");
    // PostgreSQL scans small tables regardless of indexes.
    let file = dir.synth("games.txt", 400, 24);
    let store = dir.store("plans");
    import(&store, &[&file]);
    let game = query_games(&dir, 1, 25).pop().unwrap();
    for center in [AreaCenter::Piece, AreaCenter::Trap] {
        for symmetry in [true, false] {
            for tier in Tier::ALL {
                let options = LookupOptions { center, symmetry, ..LookupOptions::default() };
                let lines = plan(&store, &game, tier, &options).unwrap();
                assert!(
                    lines.iter().any(|line| line.contains("INDEX") || line.contains("Index")),
                    "{tier}: {lines:?}"
                );
                let scan = |line: &String| {
                    line.starts_with("SCAN")
                        || line.contains("Seq Scan on positions")
                        || line.contains("TEMP B-TREE")
                };
                assert!(!lines.iter().any(scan), "{tier}: {lines:?}");
            }
        }
    }
}

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

#[test]
fn the_most_frequent_setup_is_chosen_and_an_unknown_one_is_copied() {
    let dir = TempDir::new("setups");
    let other = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    let games = [
        format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n\n"),
        format!("1g {GOLD}\n1s {SILVER}\n2g Hb2n\n"),
        format!("1g {other}\n1s {SILVER}\n2g Ee2n\n"),
    ];
    let file = dir.write("games.txt", games.join("\n"));
    let store = dir.store("setups");
    import(&store, &[&file]);
    let options = LookupOptions::default();
    let hit = lookup(&store, &Game::default(), Tier::Setup, &options).unwrap().hit.unwrap();
    let SetupOrTurn::Setup(setup) = hit.played else { panic!("{hit:?}") };
    assert_eq!((setup.to_string().as_str(), hit.games), (GOLD, Some(2)));
    let mut game = Game::default();
    game.play_setup(setup).unwrap();
    let reply = |game: &Game| match lookup(&store, game, Tier::SetupReply, &options).unwrap().hit.unwrap() {
        surus_archive::Hit { played: SetupOrTurn::Setup(setup), games, .. } => (setup, games),
        hit => panic!("{hit:?}"),
    };
    let (found, games) = reply(&game);
    let silver = Setup::parse(SILVER, Side::Silver, Handicap::None).unwrap();
    assert_eq!((found, games), (silver, Some(2)));
    let unknown = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2";
    let mut game = Game::default();
    game.play_text(unknown).unwrap();
    let (found, games) = reply(&game);
    assert_eq!((found.flipped().to_string().as_str(), games), (unknown, None));
    // Its mirror image is in the archive.
    let mut game = Game::default();
    game.play_setup(setup.mirrored()).unwrap();
    assert_eq!(reply(&game).0, silver.mirrored());
}

#[test]
fn known_wins_are_imported_and_found() {
    let dir = TempDir::new("wins");
    let names = "id\tsite\tstartts\tresult\ttermination\tmovelist";
    let row =
        format!("77\tOver the Net\t1700000000\tg\tr\t1g {GOLD}\\n1s {SILVER}\\n2g Ee2n\\n2s ed7s\\n3g Hb2n");
    let file = dir.write("games.txt", format!("{names}\n{row}\n"));
    let store = dir.store("wins");
    assert_eq!(import(&store, &[&file]).games_added, 1);
    let list = "77:3g Ee3n Ee4n\n77:2s me7s\n77:3 Ee3n Ee4n\n78:3g Ee3n\n77:2g Ee3n\nnothing\n";
    let done = import_wins(&store, "wins.txt", list).unwrap();
    assert_eq!((done.read, done.added, done.duplicates, done.rejects.len()), (6, 2, 1, 3), "{done:?}");
    let reasons = [("illegal", 1), ("record", 1), ("unknown-game", 1)];
    assert!(done.rejected.iter().map(|(reason, &count)| (reason.as_str(), count)).eq(reasons), "{done:?}");
    assert_eq!((done.rejects[0].line, done.rejects[0].id.as_str()), (4, "78"));
    let game = Record::parse(&format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n\n2s ed7s")).unwrap();
    let game = game.replay(Rules::Official, Handicap::None).unwrap().game;
    let hit = lookup(&store, &game, Tier::Win, &LookupOptions::default()).unwrap().hit.unwrap();
    assert_eq!(
        hit.played,
        SetupOrTurn::Turn(["Ee3n", "Ee4n"].map(|step| step.parse::<Step>().unwrap()).into_iter().collect())
    );
    assert_eq!(hit.position, Some(PositionId::new(1, 3, Side::Gold)));
    assert!(lookup(&store, &Game::default(), Tier::Win, &LookupOptions::default()).unwrap().hit.is_none());
}
