//! Several threads.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use surus_rules::Side;

use super::*;

fn root(kept: &Kept) -> (u32, i64) {
    let node = kept.tree.node(0);
    (node.visits(), node.sum.load(Relaxed))
}

#[test]
fn in_one_tree_every_simulation_counts_once_and_no_virtual_loss_is_left() {
    let kept = searched("parallel=tree,threads=2,virtualloss=3", 4000);
    assert_eq!(root(&kept).0, 4000);
    assert_eq!(kept.numbers().playouts, 4000);
    let below: u32 = root_visits(&kept).iter().sum();
    assert!((3990..=4000).contains(&below), "{below}");
    assert_eq!(kept.tree.node(0).weight.load(Relaxed), 4000);
    assert!(root(&kept).1.abs() <= 4000 << 20, "the mean lies between -1 and 1");
    assert!(kept.tree.nodes.iter().all(|node| node.below.load(Relaxed) == 0));
    assert!(kept.workers.iter().all(|worker| 0 < worker.playouts));
}

#[test]
fn a_virtual_loss_sends_the_next_thread_elsewhere() {
    use crate::mcts::search::Search;
    let mut engine =
        engine("parallel=tree,threads=2,treeknowledge=false,history=false,virtualvisits=1,cache=false");
    think(&mut engine, &game(MIDDLE), 300);
    let kept = engine.kept.as_mut().unwrap();
    let leaves = |kept: &mut Kept, loss: u32| {
        let mut workers = std::mem::take(&mut kept.workers);
        let search = Search { loss, ..kept.shared() };
        // Two descents before either comes back.
        let mut ends = Vec::new();
        for worker in &mut workers {
            search.descend(worker);
            ends.push(*worker.path.last().unwrap());
        }
        if loss != 0 {
            for worker in &mut workers {
                search.finish(worker, 0.0, false);
            }
        }
        kept.workers = workers;
        ends
    };
    let plain = leaves(kept, 0);
    assert_eq!(plain[0], plain[1]);
    let lossy = leaves(kept, 20);
    assert_ne!(lossy[0], lossy[1]);
}

#[test]
fn trees_that_grew_apart_are_one_in_the_end() {
    let kept = searched("parallel=root,threads=2", 4000);
    assert_eq!(kept.owns.len(), 2);
    assert!(kept.owns.iter().all(|own| 100 < own.tree.node(0).visits()));
    let sum: u32 = kept.owns.iter().map(|own| own.tree.node(0).visits()).sum();
    assert_eq!((root(&kept).0, sum), (4000, 4000));
    let below: u32 = root_visits(&kept).iter().sum();
    assert!((3900..=4000).contains(&below), "{below}");
}

#[test]
fn islands_meet_in_the_master_tree_as_often_as_they_may() {
    let kept = searched("parallel=island,threads=2,sync=0.2", 4000);
    assert!(0 < kept.numbers().syncs);
    let visits = root(&kept).0;
    assert!((3990..=4000).contains(&visits), "{visits}");
    assert!(kept.owns.iter().any(|own| 3000 < own.tree.node(0).visits()), "an island knows of the other");
    let apart = searched("parallel=island,threads=2,sync=0", 4000);
    assert_eq!(apart.numbers().syncs, 0);
    assert_eq!(root(&apart).0, 4000, "at the end they are synchronised");
    let often = searched("parallel=island,threads=2,sync=0.9", 4000).numbers().syncs;
    assert!(2 * kept.numbers().syncs < often);
}

#[test]
fn at_the_leaf_all_threads_make_playouts_from_the_same_place() {
    let kept = searched("parallel=leaf,threads=2", 4000);
    assert_eq!(root(&kept).0, 4000);
    // Only the first goes down; the other only plays.
    assert_eq!(kept.workers[1].playouts, 0);
    assert!(100 < kept.workers[1].hand.turns);
    let alone = searched("parallel=leaf,threads=1", 4000);
    assert!(kept.numbers().expanded < alone.numbers().expanded, "two results of a leaf are one way down");
}

/// The children of a node may change while they are sorted.
#[test]
fn children_are_ranked_while_other_threads_count() {
    let kept = searched("", 500);
    let (over, search) = (AtomicBool::new(false), kept.shared());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut chance = crate::mcts::number::Chance::new(1);
            let children: Vec<u32> = kept.tree.node(0).children().collect();
            while !over.load(Relaxed) {
                let child = children[chance.below(children.len() as u32) as usize];
                kept.tree.node(child).visits.store(chance.below(100), Relaxed);
            }
        });
        for _ in 0..2000 {
            assert_eq!(search.ranked(0, Side::Gold).len(), kept.tree.node(0).children().len());
        }
        over.store(true, Relaxed);
    });
}
