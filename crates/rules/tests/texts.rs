//! Every form that is written is read back, and no text whatever breaks a reader.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use common::{Random, random_board, random_game, random_setup};
use surus_rules::{
    Diagram, Game, GameLimit, Handicap, Phase, Position, Record, Rules, Setup, Side, Square, Step,
    TimeControl, Token, TurnTag,
};

// ---- round trips

#[test]
fn positions_come_back_from_both_forms() {
    let mut random = Random::new(1);
    let mut read = 0;
    while read < 5000 {
        let side = Side::BOTH[random.below(2)];
        let Ok(position) = Position::new(random_board(&mut random), side) else { continue };
        assert_eq!(position.to_string().parse(), Ok(position));
        let diagram = Diagram { number: 1 + random.below(u32::MAX as usize) as u32, position };
        assert_eq!(diagram.to_string().parse(), Ok(diagram));
        assert_eq!(diagram.to_string().replace('\n', "\r\n").parse(), Ok(diagram));
        // Empty squares may be blank, as long as the columns are kept.
        assert_eq!(diagram.to_string().replace(['.', 'x'], " ").parse(), Ok(diagram));
        read += 1;
    }
}

#[test]
fn games_come_back_from_their_records() {
    for seed in 0..60 {
        let mut game = random_game(2000 + seed, 40);
        for steps in 0..3 {
            let text = game.to_string();
            let read = Record::parse(&text).unwrap().replay(Rules::Official, Handicap::None).unwrap().game;
            let in_push = game.position().is_mid_push();
            if steps == 0 || in_push {
                assert_eq!(read, game, "{text}");
                assert_eq!(Game::from_text(&text, Rules::Official), Ok(read));
            }
            // A step further the last line is a turn that runs; a record shows that only in the middle of a push.
            let mut pushes = Vec::new();
            game.position().for_each_next(|step, next| pushes.extend(next.is_mid_push().then_some(step)));
            let Some(&push) = pushes.first() else { break };
            if game.step(push).is_err() {
                break;
            }
        }
    }
}

#[test]
fn old_letters_and_line_ends_are_read() {
    for seed in 0..20 {
        let game = random_game(3000 + seed, 30);
        let old: String = game.to_string().lines().fold(String::new(), |text, line| {
            let (tag, rest) = line.split_once(' ').unwrap_or((line, ""));
            text + &tag.replace('g', "w").replace('s', "b") + "\t" + rest + " \r\n\r\n"
        });
        assert_eq!(Game::from_text(&old, Rules::Official), Ok(game), "{old}");
    }
}

#[test]
fn setups_come_back() {
    let mut random = Random::new(4);
    for _ in 0..1000 {
        for side in Side::BOTH {
            let setup = random_setup(&mut random, side);
            assert_eq!(Setup::parse(&setup.to_string(), side, Handicap::None), Ok(setup));
            assert_eq!(setup.mirrored().flipped().mirrored().flipped(), setup);
        }
    }
}

#[test]
fn clocks_come_back() {
    let mut random = Random::new(5);
    let time = |random: &mut Random| {
        let most = [1, 60, 3600, 86_400, 3_000_000_000][random.below(5)];
        Duration::from_secs(random.below(most) as u64)
    };
    for _ in 0..5000 {
        let game_limit = match (random.below(3), time(&mut random)) {
            (0, limit) if !limit.is_zero() => GameLimit::Time(limit),
            (1, _) => GameLimit::Turns(1 + random.below(u32::MAX as usize) as u32),
            _ => GameLimit::None,
        };
        let control = TimeControl {
            per_turn: time(&mut random),
            reserve: time(&mut random),
            percent: random.below(101) as u32,
            reserve_limit: time(&mut random),
            game_limit,
            turn_limit: time(&mut random),
        };
        assert_eq!(control.to_string().parse(), Ok(control), "{control}");
    }
}

// ---- anything at all

/// A line or text as people write it about a game, of every kind that a reader exists for.
fn valid_text(random: &mut Random, game: &Game) -> String {
    let lines = game.to_string();
    let line = |number: usize| lines.lines().nth(number).unwrap_or_default().to_owned();
    match random.below(10) {
        0 => game.position().to_string(),
        1 => game.diagram(),
        2 | 3 => lines,
        4 => line(random.below(2)).split_once(' ').map_or_else(String::new, |(_, setup)| setup.to_owned()),
        5 => ["2/2/100/10/8", "15s/2m30s/100", "2:30/5/75/10/80t/4", "1d/30d/100/0/0/2d"][random.below(4)]
            .into(),
        6 => ["Ed2n", "rc3x", "Ra1", "d2", "8s", "12G"][random.below(6)].into(),
        _ => {
            let mut position = *game.position();
            let mut words = Vec::new();
            for _ in 0..1 + random.below(4) {
                let mut choices = Vec::new();
                position.for_each_next(|step, next| choices.push((step, *next)));
                let Some(&(step, next)) = choices.get(random.below(choices.len())) else { break };
                words.push(step.to_string());
                words.extend(
                    position.board().captured_by(step).map(|(p, at)| Token::Capture(p, at).to_string()),
                );
                position = next;
            }
            words.join(" ")
        }
    }
}

const STRANGE: [&str; 16] = [
    "\0",
    "\u{1b}[2J",
    "é",
    "🐘",
    "\u{feff}",
    "\u{202e}",
    "ß",
    "İ",
    "99999999999999999999999",
    "4294967296",
    "-1",
    "\t",
    "\r",
    "[",
    "|",
    "#",
];

/// One edit of a text: a character or a word inserted, deleted, replaced, swapped or doubled, or the end cut off.
fn edited(random: &mut Random, text: &str) -> String {
    let words = random.below(2) == 0;
    // Separators belong to the parts, so that joining gives the text again.
    let mut parts: Vec<String> = if words {
        text.split_inclusive([' ', '\n', '/']).map(Into::into).collect()
    } else {
        text.chars().map(Into::into).collect()
    };
    let new = |random: &mut Random| match random.below(3) {
        0 => STRANGE[random.below(STRANGE.len())].to_owned(),
        1 => char::from(b' ' + random.below(95) as u8).to_string(),
        _ => "EMHDCRemhdcrabcdefgh12345678nesw xgs./:".chars().nth(random.below(39)).into_iter().collect(),
    };
    let at = random.below(parts.len());
    let other = random.below(parts.len());
    match random.below(7) {
        0 => parts.insert(at, new(random)),
        1 if !parts.is_empty() => drop(parts.remove(at)),
        2 if !parts.is_empty() => parts[at] = new(random),
        3 if !parts.is_empty() => parts.swap(at, other),
        4 if !parts.is_empty() => parts.insert(at, parts[at].clone()),
        5 => parts.truncate(at),
        _ => parts.push(new(random)),
    }
    parts.concat()
}

/// Hands a text to every reader. What one accepts is written and read again. Returns whether the game could be
/// played on with it.
fn read_all(text: &str, game: &mut Game) -> bool {
    if let Ok(square) = text.parse::<Square>() {
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    if let Ok(token) = text.parse::<Token>() {
        assert_eq!(token.to_string().parse(), Ok(token));
    }
    if let Ok(step) = text.parse::<Step>() {
        assert_eq!(step.to_string().parse(), Ok(step));
    }
    if let Some(tag) = TurnTag::parse(text) {
        assert_eq!(TurnTag::parse(&tag.to_string()), Some(tag));
    }
    if let Ok(control) = text.parse::<TimeControl>() {
        assert_eq!(control.to_string().parse(), Ok(control));
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position));
    }
    if let Ok(diagram) = text.parse::<Diagram>() {
        assert_eq!(diagram.to_string().parse(), Ok(diagram));
    }
    for (side, handicap) in [(Side::Gold, Handicap::None), (Side::Silver, Handicap::Allowed)] {
        if let Ok(setup) = Setup::parse(text, side, handicap) {
            assert_eq!(Setup::parse(&setup.to_string(), side, handicap), Ok(setup));
        }
    }
    let replay = |text: &str| Record::parse(text)?.replay(Rules::Classic2004, Handicap::Allowed);
    if let Ok(played) = replay(text) {
        assert_eq!(replay(&played.game.to_string()).unwrap().game, played.game);
    }
    // Errors are written too, not only made.
    let _ = Game::from_text(text, Rules::Official).map_err(|error| error.to_string());
    let before = game.clone();
    let result = game.play_text(text);
    if let Err(error) = &result {
        assert!(error.to_string().chars().count() < 200);
        assert_eq!(*game, before);
    }
    result.is_ok()
}

#[test]
fn no_text_breaks_a_reader_and_a_refused_turn_changes_nothing() {
    const TEXTS: usize = 130_000;
    let mut random = Random::new(6);
    let mut games: Vec<Game> = (0..60).map(|i| random_game(6000 + i, i as usize % 12)).collect();
    games.retain(|game| matches!(game.phase(), Phase::Play(_)));
    games.push(Game::default());
    let mut played = 0;
    for _ in 0..TEXTS {
        let mut game = games[random.below(games.len())].clone();
        if random.below(4) == 0 {
            let mut steps = Vec::new();
            game.position().for_each_step(|step, _| steps.push(step));
            // The board before the setups has no step to take.
            let _ = steps.get(random.below(steps.len())).map(|&step| game.step(step));
        }
        let mut text = valid_text(&mut random, &game);
        // Most are one edit away from a text that is right, some are several, some none.
        let edits = [0, 1, 1, 1, 1, 1, 2, 5][random.below(8)];
        for _ in 0..edits {
            text = edited(&mut random, &text);
        }
        let read = catch_unwind(AssertUnwindSafe(|| read_all(&text, &mut game)));
        played += usize::from(read.unwrap_or_else(|_| panic!("the text was {text:?}")));
    }
    assert!(TEXTS / 20 < played && played < TEXTS / 2, "{played} texts were turns");
}

#[test]
fn a_huge_text_is_refused_with_a_short_message() {
    let mut game = random_game(7, 4);
    for part in
        ["g", "[", "g [", "Ee2n ", "Ra1 ", "8| ", "1g ", "1g\n", "2g Ee2n\n", "9", "1/", "9d", "x|\n", "🐘"]
    {
        let text = part.repeat(100_000);
        assert!(!read_all(&text, &mut game));
        let errors = [
            text.parse::<Square>().err().map(|error| error.to_string()),
            text.parse::<Token>().err().map(|error| error.to_string()),
            text.parse::<TimeControl>().err().map(|error| error.to_string()),
            text.parse::<Position>().err().map(|error| error.to_string()),
            text.parse::<Diagram>().err().map(|error| error.to_string()),
            text.parse::<Rules>().err().map(|error| error.to_string()),
            Setup::parse(&text, Side::Gold, Handicap::None).err().map(|error| error.to_string()),
            Game::from_text(&text, Rules::Official).err().map(|error| error.to_string()),
        ];
        for error in errors {
            let error = error.expect("nothing of this is valid");
            assert!(error.chars().count() < 250, "{error}");
        }
    }
}
