//! Legality of single steps, with reasons.

use crate::{Bitboard, IllegalStep, Pending, Piece, PieceKind, Position, Square, Step};

impl Position {
    /// The position after a step, or the reason why it is illegal.
    ///
    /// Independent of [`Position::for_each_step`], so that tests can compare the two.
    ///
    /// ```
    /// use surus_rules::Position;
    ///
    /// let position: Position = "g [                           e       H                            ]".parse()?;
    /// let error = position.try_step("Hd4s".parse().unwrap()).unwrap_err();
    /// assert_eq!(error.to_string(), "the horse on d4 is frozen by the elephant on d5");
    /// # Ok::<(), surus_rules::PositionError>(())
    /// ```
    pub fn try_step(&self, step: Step) -> Result<Self, IllegalStep> {
        self.check_step(step).map(|pending| self.stepped(step, pending))
    }

    fn check_step(&self, step: Step) -> Result<Pending, IllegalStep> {
        let (board, piece, from, to) = (self.board(), step.piece(), step.from(), step.to());
        match board.piece_at(from) {
            None => return Err(IllegalStep::NoPiece { square: from }),
            Some(found) if found != piece => {
                return Err(IllegalStep::WrongPiece { square: from, found, expected: piece });
            }
            Some(_) => {}
        }
        if self.steps_left() == 0 {
            return Err(IllegalStep::NoStepsLeft);
        }
        if let Some(by) = board.piece_at(to) {
            return Err(IllegalStep::Occupied { square: to, by });
        }
        let own = piece.side() == self.side();
        if let Pending::Push { vacated, pushed } = self.pending() {
            if !own || to != vacated {
                return Err(IllegalStep::PushPending { square: vacated, pushed });
            }
            if !piece.outranks(pushed) {
                return Err(IllegalStep::PusherTooWeak { piece, from, pushed });
            }
            self.check_not_frozen(piece, from)?;
            return Ok(Pending::None);
        }
        if own {
            self.check_not_frozen(piece, from)?;
            if piece.kind() == PieceKind::Rabbit && step.direction() == self.side().backward() {
                return Err(IllegalStep::RabbitBackward { square: from });
            }
            return Ok(Pending::Pull { vacated: from, puller: piece });
        }
        match self.pending() {
            Pending::Pull { vacated, puller } if vacated == to && puller.outranks(piece) => Ok(Pending::None),
            _ => self.begin_push(piece, from),
        }
    }

    fn begin_push(&self, piece: Piece, from: Square) -> Result<Pending, IllegalStep> {
        let (mut stronger, mut frozen) = (false, None);
        for square in Bitboard::from(from).neighbours() & self.board().by_side(self.side()) {
            let pusher = self.board().piece_at_unchecked(square);
            if pusher.outranks(piece) {
                match self.check_not_frozen(pusher, square) {
                    Ok(()) => stronger = true,
                    Err(_) => frozen = Some((pusher, square)),
                }
            }
        }
        match (stronger, frozen) {
            (true, _) if self.steps_left() < 2 => Err(IllegalStep::PushNeedsTwo),
            (true, _) => Ok(Pending::Push { vacated: from, pushed: piece }),
            (false, Some((pusher, pusher_square))) => {
                Err(IllegalStep::PusherFrozen { piece, square: from, pusher, pusher_square })
            }
            (false, None) => Err(IllegalStep::NoStrongerPiece { piece, square: from }),
        }
    }

    /// Returns an error with the freezing piece if this piece is frozen.
    fn check_not_frozen(&self, piece: Piece, square: Square) -> Result<(), IllegalStep> {
        let (mut friend, mut freezer) = (false, None);
        for near in Bitboard::from(square).neighbours() & self.board().occupied() {
            let other = self.board().piece_at_unchecked(near);
            friend |= other.side() == piece.side();
            if other.side() != piece.side() && other.outranks(piece) {
                freezer = Some((other, near));
            }
        }
        match freezer {
            Some((by, by_square)) if !friend => Err(IllegalStep::Frozen { piece, square, by, by_square }),
            _ => Ok(()),
        }
    }
}
