//! The search tree as the string of \[LG\].

use std::fmt::Write;

use surus_rules::Action;

/// An action that was searched: a state of the string, with its place in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchNode {
    /// The action.
    pub action: Action,
    /// Its priority, 0 first.
    pub priority: u8,
    /// Steps taken, including this action.
    pub depth: u8,
    /// Whether it achieved the goal.
    pub found: bool,
    /// Parent: the index of the node before; `None` for the first actions.
    pub parent: Option<usize>,
    /// Child: the first action tried afterwards.
    pub child: Option<usize>,
    /// Sibling: the next action tried instead.
    pub sibling: Option<usize>,
}

/// All nodes in search order, stored by child, sibling and parent.
#[derive(Clone, Debug, Default)]
pub struct SearchTree {
    nodes: Vec<SearchNode>,
    /// The last node without a parent.
    last_root: Option<usize>,
    /// The last child of each node.
    last_child: Vec<Option<usize>>,
}

impl SearchTree {
    /// The nodes in search order.
    #[must_use]
    pub fn nodes(&self) -> &[SearchNode] {
        &self.nodes
    }

    /// Appends a node after the last child of its parent and returns its index.
    pub(super) fn push(&mut self, node: SearchNode) -> usize {
        let index = self.nodes.len();
        let last = match node.parent {
            None => &mut self.last_root,
            Some(parent) => {
                self.nodes[parent].child.get_or_insert(index);
                &mut self.last_child[parent]
            }
        };
        if let Some(elder) = last.replace(index) {
            self.nodes[elder].sibling = Some(index);
        }
        self.nodes.push(node);
        self.last_child.push(None);
        index
    }
}

/// `(π(1)…π(m), Child, Sibling, Parent, Depth, Value)` with the states numbered from 1; 0 stands for none and, as a parent,
/// for the start.
impl std::fmt::Display for SearchTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        for i in 1..=self.nodes.len() {
            let _ = write!(text, "π({i})");
        }
        let list = |value: fn(&SearchNode) -> usize| {
            let values: Vec<String> = self.nodes.iter().map(|node| value(node).to_string()).collect();
            format!("({})", values.join(","))
        };
        let number = |index: Option<usize>| index.map_or(0, |index| index + 1);
        let link = |link: fn(&SearchNode) -> Option<usize>| {
            let values: Vec<String> = self.nodes.iter().map(|node| number(link(node)).to_string()).collect();
            format!("({})", values.join(","))
        };
        write!(
            f,
            "({text}, Child={}, Sibling={}, Parent={}, Depth={}, Value={})",
            link(|node| node.child),
            link(|node| node.sibling),
            link(|node| node.parent),
            list(|node| node.depth.into()),
            list(|node| node.found.into()),
        )
    }
}
