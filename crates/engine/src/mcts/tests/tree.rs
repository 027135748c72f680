//! The tree: formulas, knowledge, sharing, caching.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering::Relaxed;

use surus_rules::{PackedAction, Side, Step};

use super::*;
use crate::common::math::fixed;
use crate::mcts::history::History;
use crate::mcts::node::{NONE, StartValue};
use crate::mcts::tree::{Tree, TreeRole};

#[test]
fn the_root_has_steps_or_whole_turns_for_children() {
    let steps = searched("root_children=steps", 300);
    let turns = searched("root_children=turns", 300);
    assert!(steps.tree.node(0).children().len() < 100);
    assert_eq!(turns.tree.node(0).children().len(), game(MIDDLE).legal_turns().len());
}

#[test]
fn more_exploration_spreads_visits() {
    let base = "virtual_visits=0,progressive_bias=false,history=false";
    let shares = ["0", "0.2", "5"].map(|c| best_share(&searched(&format!("c={c},{base}"), 2000)));
    assert!(shares[2] < shares[1] && shares[1] < shares[0], "{shares:?}");
}

#[test]
fn c_by_decay_and_by_variance_are_not_the_fixed_one() {
    let base = "virtual_visits=0,progressive_bias=false,history=false";
    let visits = |values: &str| root_visits(&searched(&format!("{base},{values}"), 2000));
    let fixed = visits("");
    assert_ne!(visits("c_mode=decay"), fixed);
    assert_ne!(visits("c_mode=variance"), fixed);
    // At the lower bound of 0.01 both are the same as a fixed constant.
    assert_eq!(visits("c_mode=decay,c_decay=0"), visits("c=0.01"));
    assert_eq!(visits("c_mode=variance,c_variance=0"), visits("c=0.01"));
}

#[test]
fn ucb_tuned_widens_by_the_variance_and_puct_by_the_prior() {
    let ucb = root_visits(&searched("", 1000));
    assert_ne!(root_visits(&searched("tree_policy=ucb_tuned", 1000)), ucb);
    let narrow = best_share(&searched(
        "tree_policy=ucb_tuned,ucb_tuned_scale=0.1,history=false,progressive_bias=false",
        2000,
    ));
    let wide = best_share(&searched(
        "tree_policy=ucb_tuned,ucb_tuned_scale=4,history=false,progressive_bias=false",
        2000,
    ));
    assert!(wide < narrow, "{wide} {narrow}");
    let puct = searched("tree_policy=puct", 1000);
    let priors: f32 = puct.tree.node(0).children().map(|child| puct.tree.node(child).bias()).sum();
    assert!((priors - 1.0).abs() < 1e-4, "{priors}");
    let sharp = searched("tree_policy=puct,prior_temperature=0.05", 1000);
    let best = |session: &MctsSession| {
        session.tree.node(0).children().map(|child| session.tree.node(child).bias()).fold(0.0, f32::max)
    };
    assert!(best(&puct) < best(&sharp));
    let learned = searched("tree_policy=puct,tree_values=model,prior_temperature=1", 1000);
    let priors = |session: &MctsSession| -> Vec<f32> {
        session.tree.node(0).children().map(|child| session.tree.node(child).bias()).collect()
    };
    assert!((priors(&learned).iter().sum::<f32>() - 1.0).abs() < 1e-4);
    assert_ne!(priors(&learned), priors(&puct));
}

#[test]
fn first_play_urgency_decides_how_soon_every_child_is_tried() {
    let untried = |values: &str| {
        let session = searched(&format!("progressive_bias=false,history=false,maturity=1,{values}"), 100);
        root_visits(&session).iter().filter(|visits| **visits == 0).count()
    };
    assert_eq!(untried("virtual_visits=0,fpu=1.1"), 0);
    assert!(untried("virtual_visits=0,fpu=-0.5") > 0);
}

#[test]
fn virtual_visits_draw_first_results_towards_zero() {
    let mean = |visits: &str| {
        let config = config_of(&format!("virtual_visits={visits}"));
        let tree = Tree::new(&config, 4 << 20, TreeRole::Standalone);
        tree.record_result(0, 1.0);
        tree.node(0).mean()
    };
    assert_eq!((mean("0"), mean("1"), mean("4")), (1.0, 0.5, 0.2));
}

#[test]
fn virtual_visits_are_worth_nothing_or_what_the_parent_is() {
    let fresh = |values: &str| {
        let session = searched(values, 300);
        let nodes = (1..session.tree.len() as u32).map(|index| session.tree.node(index));
        let untried =
            nodes.filter(|node| node.sum_count.load(Relaxed) == 0 && node.canonical.load(Relaxed) == NONE);
        untried.map(crate::mcts::node::Node::mean).collect::<Vec<f32>>()
    };
    assert!(fresh("virtual_visit_value=zero").iter().all(|mean| *mean == 0.0));
    let parents = fresh("virtual_visit_value=parent");
    assert!(parents.iter().filter(|mean| **mean != 0.0).count() * 2 > parents.len());
}

#[test]
fn relative_update_lets_late_results_weigh_more() {
    let mean = |growth: &str| {
        let config = config_of(&format!("virtual_visits=0,relative_update={growth}"));
        let tree = Tree::new(&config, 4 << 20, TreeRole::Standalone);
        for number in 0..100 {
            tree.record_result(0, if number < 50 { 0.0 } else { 1.0 });
        }
        tree.node(0).mean()
    };
    assert!((mean("off") - 0.5).abs() < 1e-4);
    assert!(mean("log") > 0.6 && mean("log") < mean("sqrt"), "{} {}", mean("log"), mean("sqrt"));
}

#[test]
fn relative_update_keeps_what_virtual_visits_are_worth() {
    for growth in ["log", "sqrt"] {
        let values = format!("virtual_visits=4,virtual_visit_value=parent,relative_update={growth}");
        let tree = Tree::new(&config_of(&values), 4 << 20, TreeRole::Standalone);
        tree.node(0).init(PackedAction::NONE, 0.0, StartValue { sum: 4 * fixed(0.5), mean: 0.5 });
        (0..3).for_each(|_| tree.record_result(0, 0.5));
        assert!((tree.node(0).mean() - 0.5).abs() < 1e-4, "{growth}: {}", tree.node(0).mean());
    }
}

#[test]
fn virtual_visits_are_games_of_which_the_variance_is_taken() {
    let variance = |values: &str| {
        let config = config_of(&format!("c_mode=variance,{values}"));
        let tree = Tree::new(&config, 4 << 20, TreeRole::Standalone);
        tree.record_result(0, 1.0);
        tree.variance(0)
    };
    assert_eq!(variance("virtual_visits=0"), 0.0);
    assert!((variance("virtual_visits=5") - (1.0 / 6.0 - 1.0 / 36.0)).abs() < 1e-4);
}

#[test]
fn a_node_needs_its_visits_and_its_depth_to_get_children() {
    let expanded = |values: &str| searched(values, 2000).stats().expanded;
    let usual = expanded("");
    assert!(expanded("maturity=20") < usual);
    assert!(usual < expanded("maturity_adds_depth=false"));
}

#[test]
fn knowledge_of_steps_is_a_bias_in_the_tree() {
    let biased = |values: &str| {
        let session = searched(values, 100);
        session.tree.node(0).children().filter(|&child| session.tree.node(child).bias() != 0.0).count()
    };
    assert!(biased("") > 0);
    assert_eq!(biased("progressive_bias=false"), 0);
    assert_eq!(biased("progressive_bias_weight=0"), 0);
}

#[test]
fn history_and_rave_change_what_is_visited() {
    let visits = |values: &str| root_visits(&searched(values, 1000));
    let plain = visits("history=false");
    assert_ne!(visits("history=true"), plain);
    assert_eq!(visits("history=true,history_weight=0"), plain);
    let raved = searched("rave=true", 500);
    let counts =
        |session: &MctsSession| session.tree.rave.iter().filter(|rave| rave.visits.load(Relaxed) > 0).count();
    assert!(counts(&raved) > 100);
    assert_eq!(counts(&searched("rave=false", 500)), 0);
    assert_ne!(visits("rave=true"), visits(""));
}

/// A RAVE value counts half where a node has as many visits as the key says, so with few of them the plain value decides.
#[test]
fn rave_counts_the_longer_the_more_visits_it_is_given() {
    let visits = |values: &str| root_visits(&searched(values, 1000));
    let plain = visits("");
    let distance =
        |values: &str| -> u32 { visits(values).iter().zip(&plain).map(|(a, b)| a.abs_diff(*b)).sum() };
    let (soon, late) =
        (distance("rave=true,rave_equivalence=1"), distance("rave=true,rave_equivalence=100000"));
    assert!(soon < late, "{soon} {late}");
    assert_eq!(distance("rave=false,rave_equivalence=100000"), 0);
}

#[test]
fn nodes_with_the_same_position_share_their_value_and_their_children() {
    assert_eq!(searched("transpositions=false", 3000).stats().shared, 0);
    let session = searched("", 3000);
    let (mut members, mut families) = (0, 0);
    for index in 0..session.tree.len() as u32 {
        let node = session.tree.node(index);
        let head = node.canonical.load(Relaxed);
        if head == NONE {
            continue;
        }
        members += 1;
        let first = session.tree.node(head);
        assert_eq!(node.mean(), first.mean());
        if !node.children().is_empty() && !first.children().is_empty() {
            families += 1;
            assert_eq!(node.children(), first.children());
        }
    }
    assert!(members > 100 && families > 0, "{members} {families}");
}

/// How many positions have children in several places of the tree.
fn grown_twice(session: &MctsSession) -> usize {
    let search = session.main_search();
    let mut families: HashMap<u64, HashSet<u32>> = HashMap::new();
    let mut waiting = vec![(0, search.root.state)];
    while let Some((index, state)) = waiting.pop() {
        let children = session.tree.node(index).children();
        // Where children are shared, what is below them was seen already.
        if children.is_empty() || !families.entry(state.key()).or_default().insert(children.start) {
            continue;
        }
        for child in children {
            let mut below = state;
            search.apply_child(&mut below, index, child);
            waiting.push((child, below));
        }
    }
    families.values().filter(|places| places.len() > 1).count()
}

#[test]
fn a_position_gets_children_once_where_it_is_shared() {
    assert_eq!(grown_twice(&searched("", 3000)), 0);
    assert!(grown_twice(&searched("transpositions=false", 3000)) > 0);
    assert!(searched("", 3000).stats().pruned > 0);
}

#[test]
fn a_cache_is_made_from_its_visits_on_and_holds_so_many_children() {
    let cached = |values: &str| {
        let session = searched(values, 2000);
        let nodes = || (0..session.tree.len() as u32).map(|index| session.tree.node(index));
        let full: Vec<u64> =
            nodes().map(|node| node.cache.load(Relaxed)).filter(|cache| *cache != 0).collect();
        assert!(nodes().all(|node| node.cache.load(Relaxed) == 0 || node.visits() >= 50));
        full
    };
    assert_eq!(cached("child_cache=false"), []);
    assert!(cached("").iter().all(|cache| cache >> 60 <= 5));
    assert!(cached("child_cache_size=2").iter().all(|cache| cache >> 60 <= 2));
    assert!(cached("child_cache_visits=500").len() < cached("").len());
}

/// Two rabbits far from each other without pieces nearby: five steps from goal, and after two of each nothing stops both.
const RACE: &str = "g [                   rr                   R      R      e         ]";
const ARRIVING: &str = "Ra3n Ra4n Rh3n Rh4n";

#[test]
fn the_solver_proves_a_win_that_the_plain_search_only_believes_in() {
    let proof = |values: &str| {
        let mut engine = engine(&format!("maturity=0,maturity_adds_depth=false,{values}"));
        think(&mut engine, &game(RACE), 30_000);
        engine.session.unwrap().tree.node(0).proven_winner()
    };
    assert_eq!(proof("solver=true"), Some(Side::Gold));
    assert_eq!(proof("solver=false"), None);
}

#[test]
fn the_solver_knows_what_nothing_stops_when_it_first_gets_there() {
    let mut engine = engine("maturity=0,maturity_adds_depth=false,solver=true");
    let mut job = Job::limited(game(RACE), Limits { nodes: Some(1000), ..Limits::default() });
    job.search_turns = vec![ARRIVING.split(' ').map(|step| step.parse::<Step>().unwrap()).collect()];
    engine.think(&job, &mut |_| {}).unwrap();
    let session = engine.session.unwrap();
    assert_eq!(session.tree.node(0).proven_winner(), Some(Side::Gold));
    assert!(session.stats().playouts < 5, "{}", session.stats().playouts);
}

#[test]
fn who_has_lost_whatever_it_does_still_searches() {
    let mut lost = game(RACE);
    let mut engine = engine("maturity=0,maturity_adds_depth=false,solver=true,tree_reuse=true");
    think(&mut engine, &lost, 5000);
    lost.play_text(ARRIVING).unwrap();
    think(&mut engine, &lost, 3000);
    let session = engine.session.as_ref().unwrap();
    assert_eq!(session.reused_visits, 0, "a node proven without expansion is not reused");
    assert_eq!((session.stats().playouts, session.tree.node(0).proven_winner()), (3000, None));
    assert!(root_visits(session).into_iter().max().unwrap() > 1);
}

#[test]
fn the_tree_is_told_level_by_level() {
    let mut engine = engine("");
    assert!(engine.dump_tree().is_empty());
    think(&mut engine, &game(MIDDLE), 500);
    let lines = engine.dump_tree();
    assert!(lines[0].starts_with("g ") && lines[0].contains("visits, value"), "{lines:?}");
    assert!(lines[1].starts_with("  g "), "{lines:?}");
}

/// Visits come several at a time where threads collect them, so that no square number of them need ever be seen.
#[test]
fn a_cache_is_filled_again_whenever_the_root_of_the_visits_has_grown() {
    let session = searched("", 2000);
    let (search, root) = (session.main_search(), session.tree.node(0));
    let period = || root.cache.load(Relaxed) >> 56 & 15;
    for _ in 0..40 {
        search.select(0, Side::Gold);
        assert_eq!(period(), u64::from(root.visits().isqrt()) & 15);
        session.tree.add_results(0, 0, 2 * root.visits().isqrt() + 2);
    }
}

#[test]
fn a_cache_of_lost_children_is_filled_again() {
    let session = searched("solver=true", 2000);
    let (search, root) = (session.main_search(), session.tree.node(0));
    search.select(0, Side::Gold);
    let cached = root.cache.load(Relaxed);
    for slot in 0..cached >> 60 {
        let child = root.children().start + (cached >> (7 * slot) & 127) as u32;
        session.tree.prove(child, Side::Silver);
    }
    let next = search.select(0, Side::Gold);
    assert_eq!(session.tree.node(next).proven_winner(), None);
}

/// The index of a turn is not an action: history and RAVE do not apply to the children of a root of full turns.
#[test]
fn whole_turns_have_neither_history_nor_rave() {
    let visits = |values: &str| root_visits(&searched(&format!("root_children=turns,{values}"), 3000));
    let first = |values: &str| {
        let session = searched(&format!("root_children=turns,maturity=1000000,{values}"), 3000);
        assert!(session.tree.node(0).children().all(|child| {
            session.tree.rave.get(child as usize).is_none_or(|rave| rave.visits.load(Relaxed) == 0)
        }));
        root_visits(&session)
    };
    // Without a second level there is no history.
    assert_eq!(first("history=true"), first("history=false"));
    assert_eq!(first("rave=true"), first("rave=false"));
    assert_ne!(visits("c=0.2"), visits("c=5"));
}

/// A simulation that ends on a decided node has no playout, and credits none.
#[test]
fn a_playout_is_credited_once() {
    use crate::mcts::playout::{PlayoutPolicy, PlayoutState};
    let mut engine = engine("rave=true,solver=true");
    think(&mut engine, &game(MIDDLE), 300);
    let session = engine.session.as_mut().unwrap();
    let mut workers = std::mem::take(&mut session.workers);
    assert!(workers[0].playout.played.as_ref().is_some_and(|played| !played.is_empty()));
    session.main_search().descend(&mut workers[0]);
    assert_eq!(workers[0].playout.played.as_deref(), Some([].as_slice()));
    // A turn of the advisor is a part of the playout too.
    let config = config_of("rave=true,advisor_probability=1,playout_min_turns=1,playout_max_turns=1");
    let gifts = game("g [rrrr                      E  M    d  d                      RRRR]");
    let (playouts, position) = (PlayoutPolicy::new(&config, true), *gifts.position());
    let mut context = crate::mcts::playout::PlayoutContext::new(&config, 1);
    context.advisor.add_captures(position.board());
    let run = PlayoutState {
        board: *position.board(),
        side: Side::Gold,
        steps_left: 4,
        last_action: PackedAction::NONE,
    };
    let hits = context.advisor.advise(position.board(), Side::Gold).map(|(_, turn)| turn.len());
    playouts.play(run, &mut context, &History::new(false, false));
    let steps: usize = context.played.iter().flatten().map(|action| usize::from(action.len())).sum();
    assert_eq!(Some(steps), hits);
}

#[test]
fn progressive_unpruning_begins_with_the_best_children() {
    let considered =
        |values: &str| root_visits(&searched(values, 400)).iter().filter(|&&visits| visits > 0).count();
    let few = considered("unpruning=3,unpruning_growth=100,child_cache=false");
    // 400 visits are less than 100 squared, so that one further child was added.
    assert!((1..=4).contains(&few), "{few}");
    let more = considered("unpruning=3,unpruning_growth=1.5,child_cache=false");
    assert!(few < more, "{few} and {more}");
    let session = searched("unpruning=3,progressive_bias=false", 50);
    let biases: Vec<f32> =
        session.tree.node(0).children().map(|child| session.tree.node(child).bias()).collect();
    assert!(biases.iter().all(|&bias| bias == 0.0), "without a bias the values only sort the children");
    let session = searched("unpruning=3", 50);
    let biases: Vec<f32> =
        session.tree.node(0).children().map(|child| session.tree.node(child).bias()).collect();
    assert!(biases.is_sorted_by(|one, other| one >= other) && biases[0] > biases[biases.len() - 1]);
}

#[test]
fn virtual_visits_can_have_the_value_of_the_grandfather() {
    let session = searched("virtual_visit_value=grandfather,maturity=0,transpositions=false", 300);
    let search = session.main_search();
    let (root, child) = (session.tree.node(0), session.tree.node(0).children().start);
    let start = search.start_value(session.tree.node(child), &[0, child]);
    assert_eq!((start.mean, start.sum), (root.mean(), 5 * fixed(root.mean())));
    let alone = search.start_value(root, &[0]);
    assert_eq!(alone.mean, root.mean(), "the root has no grandfather");
}

#[test]
fn a_flat_search_visits_all_children_of_the_root_equally() {
    let session = searched("tree_policy=flat", 400);
    let visits = root_visits(&session);
    let (least, most) = (visits.iter().min().unwrap(), visits.iter().max().unwrap());
    assert!(most - least <= 1 && *least > 0, "{least} to {most}");
    let grandchildren: usize =
        session.tree.node(0).children().map(|child| session.tree.node(child).children().len()).sum();
    assert_eq!(grandchildren, 0, "there is no tree");
    let best = session.main_search().sorted_children(0, Side::Gold)[0];
    let means = session.tree.node(0).children().map(|child| session.tree.node(child).mean());
    assert_eq!(session.tree.node(best).mean(), means.fold(f32::MIN, f32::max));
}
