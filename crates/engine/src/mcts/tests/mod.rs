//! Every switch, on and off, by the statistic that it must change.

mod evaluation;
mod limits;
mod params;
mod playouts;
mod threads;
mod tree;

use surus_play::{Answer, Engine, Info, Job, Limits};
use surus_rules::{Game, Rules, Turn};

use super::Mcts;
use super::params::Config;
use super::session::MctsSession;

/// A middlegame with chances for both sides.
const MIDDLE: &str = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";

fn game(text: &str) -> Game {
    Game::from_text(text, Rules::Official).unwrap()
}

/// Values as a text like `c=0.3,child_cache=false`, on top of the preset `akimot`.
fn engine(values: &str) -> Mcts {
    let mut engine = Mcts::default();
    engine.set_option("preset", "akimot").unwrap();
    for value in values.split(',').filter(|value| !value.is_empty()) {
        let (key, value) = value.split_once('=').unwrap();
        engine.set_option(key, value).unwrap();
    }
    engine
}

pub(super) fn config_of(values: &str) -> Config {
    (*engine(values).options).clone()
}

fn think(engine: &mut Mcts, game: &Game, playouts: u64) -> (Turn, Vec<Info>) {
    let limits = Limits { nodes: Some(playouts), ..Limits::default() };
    let mut infos = Vec::new();
    let answer = engine.think(&Job::limited(game.clone(), limits), &mut |info| infos.push(info)).unwrap();
    let Answer::Turn(turn) = answer else { panic!("no turn") };
    (turn, infos)
}

/// A search of the middlegame.
fn searched(values: &str, playouts: u64) -> MctsSession {
    let mut engine = engine(values);
    think(&mut engine, &game(MIDDLE), playouts);
    engine.session.take().unwrap()
}

/// The visits of the root's children.
fn root_visits(session: &MctsSession) -> Vec<u32> {
    session.tree.node(0).children().map(|child| session.tree.node(child).visits()).collect()
}

/// The share of all visits that the best child has.
fn best_share(session: &MctsSession) -> f64 {
    let visits = root_visits(session);
    f64::from(*visits.iter().max().unwrap()) / f64::from(visits.iter().sum::<u32>())
}
