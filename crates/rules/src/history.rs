//! The finished turns of a game, with an index of the positions that they led to.

use crate::{Board, HistoryEntry, KeyMap, PlayedTurn, Side, TurnTag};

/// Looking up a position takes the same time however long the game is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct History {
    start: Board,
    start_tag: TurnTag,
    entries: Vec<HistoryEntry>,
    /// The last occurrence of each board, as an index into `previous`.
    last: KeyMap<usize>,
    /// For the start and each entry, the occurrence of the same board before it.
    previous: Vec<Option<usize>>,
}

impl History {
    /// A history without turns.
    pub(crate) fn new(start: Board, start_tag: TurnTag) -> Self {
        let mut history =
            Self { start, start_tag, entries: Vec::new(), last: KeyMap::default(), previous: Vec::new() };
        history.index(start.key());
        history
    }

    fn index(&mut self, key: u64) {
        let previous = self.last.insert(key, self.previous.len());
        self.previous.push(previous);
    }

    pub(crate) const fn start(&self) -> (&Board, TurnTag) {
        (&self.start, self.start_tag)
    }

    pub(crate) fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// The board after the last turn.
    pub(crate) fn board(&self) -> &Board {
        self.entries.last().map_or(&self.start, |entry| &entry.board)
    }

    /// The tag of the turn that follows.
    pub(crate) fn tag(&self) -> TurnTag {
        self.entries.last().map_or(self.start_tag, |entry| entry.tag.next())
    }

    pub(crate) fn push(&mut self, played: PlayedTurn, board: Board) {
        self.entries.push(HistoryEntry { tag: self.tag(), played, board });
        self.index(board.key());
    }

    pub(crate) fn pop(&mut self) -> Option<HistoryEntry> {
        let entry = self.entries.pop()?;
        match self.previous.pop()? {
            Some(previous) => self.last.insert(entry.board.key(), previous),
            None => self.last.remove(&entry.board.key()),
        };
        Some(entry)
    }

    /// The first two turns that led to a board, if at least two did; with a side, only that side's turns count. The start
    /// counts as the turn before the first.
    pub(crate) fn first_two(&self, board: &Board, side: Option<Side>) -> Option<(TurnTag, TurnTag)> {
        let (mut first, mut second) = (None, None);
        for (tag, known) in self.indices(board.key()).map(|index| self.occurrence(index)) {
            if known == board && side.is_none_or(|side| side == tag.side) {
                (first, second) = (Some(tag), first);
            }
        }
        first.zip(second)
    }

    /// The indices of the boards with a key, the last one first.
    fn indices(&self, key: u64) -> impl Iterator<Item = usize> {
        std::iter::successors(self.last.get(&key).copied(), |&index| self.previous[index])
    }

    fn occurrence(&self, index: usize) -> (TurnTag, &Board) {
        let Some(entry) = index.checked_sub(1) else {
            let number = self.start_tag.number - u32::from(self.start_tag.side == Side::Gold);
            return (TurnTag { number, side: self.start_tag.side.other() }, &self.start);
        };
        (self.entries[entry].tag, &self.entries[entry].board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Piece, Square, Turn};

    /// Boards with one elephant, so that the same number is the same board.
    fn board(number: u32) -> Board {
        let mut board = Board::EMPTY;
        board.set(Square::new(number as u8).unwrap(), Piece::from_letter('E'));
        board
    }

    fn history_of(numbers: &[u32]) -> History {
        let mut history = History::new(board(0), TurnTag { number: 2, side: Side::Gold });
        numbers.iter().for_each(|&number| history.push(PlayedTurn::Turn(Turn::EMPTY), board(number)));
        history
    }

    /// The definition, by a search through all turns.
    fn first_two(history: &History, sought: &Board, side: Option<Side>) -> Option<(TurnTag, TurnTag)> {
        let mut same = (0..=history.entries.len())
            .map(|index| history.occurrence(index))
            .filter(|&(tag, board)| board == sought && side.is_none_or(|side| side == tag.side));
        Some((same.next()?.0, same.next()?.0))
    }

    #[test]
    fn a_lookup_visits_only_occurrences_of_the_board() {
        let numbers: Vec<u32> =
            (0..20_000).map(|turn| if turn % 5000 == 7 { 60 } else { turn % 50 }).collect();
        let history = history_of(&numbers);
        assert_eq!(history.indices(board(60).key()).collect::<Vec<_>>(), [15_008, 10_008, 5008, 8]);
        assert_eq!(history.indices(board(61).key()).count(), 0);
    }

    #[test]
    fn the_index_finds_what_a_search_finds_also_after_takebacks() {
        let mut random = crate::SplitMix::new(3);
        let mut numbers = Vec::new();
        let mut history = history_of(&[]);
        for _ in 0..2000 {
            if random.next_u64().is_multiple_of(3) {
                assert_eq!(history.pop().is_some(), numbers.pop().is_some());
            } else {
                let number = (random.next_u64() % 12) as u32;
                numbers.push(number);
                history.push(PlayedTurn::Turn(Turn::EMPTY), board(number));
            }
            let sought = board((random.next_u64() % 12) as u32);
            for side in [None, Some(Side::Gold), Some(Side::Silver)] {
                assert_eq!(history.first_two(&sought, side), first_two(&history, &sought, side));
            }
        }
        assert_eq!(history, history_of(&numbers), "a taken back turn leaves no trace");
    }
}
