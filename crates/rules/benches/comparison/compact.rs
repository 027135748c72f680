//! The compact text as bitboards; both crates number squares from a8 = 0 to h1 = 63, as the text does.

/// A position in the crates' own terms.
pub(crate) struct Bits {
    pub(crate) gold_to_move: bool,
    pub(crate) gold: u64,
    /// Pieces of both sides by kind, in the order E M H D C R.
    pub(crate) kinds: [u64; 6],
}

/// Reads `g [64 characters a8..h1]` as we write it.
pub(crate) fn parse(text: &str) -> Bits {
    let (side, board) = text.split_once(" [").expect("side and board");
    let board = board.strip_suffix(']').expect("closing bracket");
    let mut bits = Bits { gold_to_move: side == "g", gold: 0, kinds: [0; 6] };
    for (square, letter) in board.chars().enumerate().filter(|&(_, c)| c != ' ') {
        let kind = "EMHDCR".find(letter.to_ascii_uppercase()).expect("piece letter");
        bits.kinds[kind] |= 1 << square;
        bits.gold |= u64::from(letter.is_ascii_uppercase()) << square;
    }
    bits
}
