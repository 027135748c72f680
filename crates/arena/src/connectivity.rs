//! Whose ratings are finite, and who can be compared at all.
//!
//! Results put two players on one scale only if games lead from the one to the other. And a player (or a group) that
//! took every point from the rest is infinitely stronger by any likelihood: ratings are finite among players that
//! each took points off each other, at least by way of others.

use std::collections::VecDeque;

use serde::Serialize;

use crate::crosstable::HeadToHead;

/// How a player without a finite rating stands to those that have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unbounded {
    /// They never took a point from it.
    Above,
    /// It never took a point from them.
    Below,
    /// Neither took points from the other, even by way of others.
    Incomparable,
}

/// The players in groups that games connect, the largest first. All players in `joined` are in one group.
pub(crate) fn connected(players: usize, meetings: &[HeadToHead], joined: &[usize]) -> Vec<Vec<usize>> {
    let mut next = vec![Vec::new(); players];
    for &HeadToHead { players: [a, b], .. } in meetings {
        next[a].push(b);
        next[b].push(a);
    }
    join(&mut next, joined);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut seen = vec![false; players];
    for player in 0..players {
        if !seen[player] {
            let group = members(&reached(player, &next));
            group.iter().for_each(|&member| seen[member] = true);
            groups.push(group);
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

/// For each player of a group, why its rating is not finite, if it is not.
///
/// Those in `joined` have given ratings, so the finite ones are with them; else it is the largest set of players
/// that all took points off each other.
pub(crate) fn unbounded(players: usize, meetings: &[HeadToHead], joined: &[usize]) -> Vec<Option<Unbounded>> {
    let (mut beat, mut beaten_by) = (vec![Vec::new(); players], vec![Vec::new(); players]);
    for meeting in meetings {
        let [a, b] = meeting.players;
        for (winner, loser, points) in [(a, b, meeting.points[0]), (b, a, meeting.points[1])] {
            if points > 0.0 {
                beat[winner].push(loser);
                beaten_by[loser].push(winner);
            }
        }
    }
    join(&mut beat, joined);
    join(&mut beaten_by, joined);
    let mut seen = vec![false; players];
    let mut best: (usize, Vec<Option<Unbounded>>) = (0, Vec::new());
    let roots = if joined.is_empty() { 0..players } else { joined[0]..joined[0] + 1 };
    for root in roots {
        if seen[root] {
            continue;
        }
        let (below, above) = (reached(root, &beat), reached(root, &beaten_by));
        let standing: Vec<Option<Unbounded>> = (0..players)
            .map(|player| match (above[player], below[player]) {
                (true, true) => None,
                (true, false) => Some(Unbounded::Above),
                (false, true) => Some(Unbounded::Below),
                (false, false) => Some(Unbounded::Incomparable),
            })
            .collect();
        (0..players).filter(|&player| standing[player].is_none()).for_each(|player| seen[player] = true);
        let size = standing.iter().filter(|standing| standing.is_none()).count();
        if size > best.0 {
            best = (size, standing);
        }
    }
    best.1
}

fn join(next: &mut [Vec<usize>], joined: &[usize]) {
    for pair in joined.windows(2) {
        next[pair[0]].push(pair[1]);
        next[pair[1]].push(pair[0]);
    }
}

fn reached(root: usize, next: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; next.len()];
    reached[root] = true;
    let mut queue = VecDeque::from([root]);
    while let Some(player) = queue.pop_front() {
        for &other in &next[player] {
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

    fn meeting(a: usize, b: usize, won: f64, lost: f64) -> HeadToHead {
        HeadToHead { players: [a, b], points: [won, lost] }
    }

    #[test]
    fn groups_are_what_games_connect() {
        let meetings = [meeting(0, 3, 1.0, 0.0), meeting(1, 2, 1.0, 0.0), meeting(2, 4, 1.0, 1.0)];
        assert_eq!(connected(6, &meetings, &[]), [vec![1, 2, 4], vec![0, 3], vec![5]]);
        assert_eq!(connected(6, &meetings, &[0, 5]), [vec![0, 3, 5], vec![1, 2, 4]]);
    }

    /// 1, 2 and 3 beat each other in a circle; 0 beat 1, 4 lost to 2, 5 beat 4 only.
    #[test]
    fn players_that_never_lost_a_point_to_the_others_are_above_them() {
        let meetings = [
            meeting(1, 2, 1.0, 0.0),
            meeting(2, 3, 1.0, 0.0),
            meeting(3, 1, 1.0, 0.0),
            meeting(0, 1, 3.0, 0.0),
            meeting(2, 4, 1.0, 0.0),
            meeting(4, 5, 0.0, 1.0),
        ];
        let standing = |joined: &[usize]| unbounded(6, &meetings, joined);
        let (above, below, apart) =
            (Some(Unbounded::Above), Some(Unbounded::Below), Some(Unbounded::Incomparable));
        assert_eq!(standing(&[]), [above, None, None, None, below, apart]);
        // With the ratings of 0 and 4 given, everybody between them is bounded.
        assert_eq!(standing(&[0, 4]), [None, None, None, None, None, above]);
        assert_eq!(standing(&[5]), [apart, apart, apart, apart, below, None]);
    }
}
