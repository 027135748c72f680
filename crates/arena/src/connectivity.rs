//! Which players can be compared, and which of them have finite ratings.
//!
//! Two players can be compared only if a chain of games connects them. A player or group that took every point from the
//! rest has an infinite maximum-likelihood rating: ratings are finite among players that took points from each other,
//! directly or through others.

use std::collections::VecDeque;

use serde::Serialize;

use crate::crosstable::HeadToHead;

/// The relation of a player without a finite rating to those that have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unbounded {
    /// They took no point from it, even indirectly.
    Above,
    /// It took no point from them, even indirectly.
    Below,
    /// Neither took points from the other, even indirectly.
    Incomparable,
}

/// The groups of players that games connect, largest first. The players in `anchored` count as connected.
pub(crate) fn connected(players: usize, results: &[HeadToHead], anchored: &[usize]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); players];
    for &HeadToHead { players: [a, b], .. } in results {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    connect(&mut neighbours, anchored);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut visited = vec![false; players];
    for player in 0..players {
        if !visited[player] {
            let group = members(&reachable(player, &neighbours));
            group.iter().for_each(|&member| visited[member] = true);
            groups.push(group);
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

/// For each player of a group, the reason why its rating is not finite, if it is not.
///
/// The players in `anchored` have fixed ratings. Without anchors, the finite ratings are those of the largest set of players
/// that took points from each other.
pub(crate) fn unbounded(
    players: usize,
    results: &[HeadToHead],
    anchored: &[usize],
) -> Vec<Option<Unbounded>> {
    let (mut beat, mut beaten_by) = (vec![Vec::new(); players], vec![Vec::new(); players]);
    for result in results {
        let [a, b] = result.players;
        for (winner, loser, points) in [(a, b, result.points[0]), (b, a, result.points[1])] {
            if points > 0.0 {
                beat[winner].push(loser);
                beaten_by[loser].push(winner);
            }
        }
    }
    connect(&mut beat, anchored);
    connect(&mut beaten_by, anchored);
    let mut visited = vec![false; players];
    let mut best: (usize, Vec<Option<Unbounded>>) = (0, Vec::new());
    let roots = if anchored.is_empty() { 0..players } else { anchored[0]..anchored[0] + 1 };
    for root in roots {
        if visited[root] {
            continue;
        }
        let (below, above) = (reachable(root, &beat), reachable(root, &beaten_by));
        let relation: Vec<Option<Unbounded>> = (0..players)
            .map(|player| match (above[player], below[player]) {
                (true, true) => None,
                (true, false) => Some(Unbounded::Above),
                (false, true) => Some(Unbounded::Below),
                (false, false) => Some(Unbounded::Incomparable),
            })
            .collect();
        (0..players).filter(|&player| relation[player].is_none()).for_each(|player| visited[player] = true);
        let size = relation.iter().filter(|relation| relation.is_none()).count();
        if size > best.0 {
            best = (size, relation);
        }
    }
    best.1
}

fn connect(neighbours: &mut [Vec<usize>], anchored: &[usize]) {
    for pair in anchored.windows(2) {
        neighbours[pair[0]].push(pair[1]);
        neighbours[pair[1]].push(pair[0]);
    }
}

fn reachable(root: usize, neighbours: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; neighbours.len()];
    reached[root] = true;
    let mut queue = VecDeque::from([root]);
    while let Some(player) = queue.pop_front() {
        for &other in &neighbours[player] {
            if !reached[other] {
                reached[other] = true;
                queue.push_back(other);
            }
        }
    }
    reached
}

fn members(reached: &[bool]) -> Vec<usize> {
    (0..reached.len()).filter(|&player| reached[player]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(a: usize, b: usize, won: f64, lost: f64) -> HeadToHead {
        HeadToHead { players: [a, b], points: [won, lost] }
    }

    #[test]
    fn groups_are_connected_by_games() {
        let results = [result(0, 3, 1.0, 0.0), result(1, 2, 1.0, 0.0), result(2, 4, 1.0, 1.0)];
        assert_eq!(connected(6, &results, &[]), [vec![1, 2, 4], vec![0, 3], vec![5]]);
        assert_eq!(connected(6, &results, &[0, 5]), [vec![0, 3, 5], vec![1, 2, 4]]);
    }

    /// 1, 2 and 3 beat each other in a cycle; 0 beat 1, 4 lost to 2, 5 beat only 4.
    #[test]
    fn players_that_never_lost_a_point_to_the_others_are_above_them() {
        let results = [
            result(1, 2, 1.0, 0.0),
            result(2, 3, 1.0, 0.0),
            result(3, 1, 1.0, 0.0),
            result(0, 1, 3.0, 0.0),
            result(2, 4, 1.0, 0.0),
            result(4, 5, 0.0, 1.0),
        ];
        let relations = |anchored: &[usize]| unbounded(6, &results, anchored);
        let (above, below, incomparable) =
            (Some(Unbounded::Above), Some(Unbounded::Below), Some(Unbounded::Incomparable));
        assert_eq!(relations(&[]), [above, None, None, None, below, incomparable]);
        // With 0 and 4 anchored, every player between them is bounded.
        assert_eq!(relations(&[0, 4]), [None, None, None, None, None, above]);
        assert_eq!(relations(&[5]), [incomparable, incomparable, incomparable, incomparable, below, None]);
    }
}
