//! Minimal PGN for rating programs: players and result.

use std::fmt;

use surus_rules::{Side, Termination};

/// A game without its turns, for Ordo and BayesElo. Gold is written as White and silver as Black.
///
/// ```
/// use surus_record::PgnGame;
/// use surus_rules::{Side, Termination};
///
/// let game = PgnGame { event: "Surus", round: 3, names: ["a", "b"], winner: Some(Side::Silver), reason: Termination::Goal, turns: 40 };
/// assert!(game.to_string().ends_with("[PlyCount \"40\"]\n\n0-1\n\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PgnGame<'a> {
    /// The event.
    pub event: &'a str,
    /// The number of the game.
    pub round: u64,
    /// Gold's name and silver's.
    pub names: [&'a str; 2],
    /// The winner, if any.
    pub winner: Option<Side>,
    /// How the game ended, written as the letter of the archive.
    pub reason: Termination,
    /// Number of the last turn.
    pub turns: u32,
}

impl fmt::Display for PgnGame<'_> {
    /// Formats the game with the final blank line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.winner {
            Some(Side::Gold) => "1-0",
            Some(Side::Silver) => "0-1",
            None => "1/2-1/2",
        };
        let [gold, silver] = self.names.map(escaped);
        writeln!(f, "[Event \"{}\"]\n[Round \"{}\"]", escaped(self.event), self.round)?;
        writeln!(f, "[White \"{gold}\"]\n[Black \"{silver}\"]\n[Result \"{result}\"]")?;
        writeln!(f, "[ResultCode \"{}\"]\n[PlyCount \"{}\"]", self.reason.letter(), self.turns)?;
        write!(f, "\n{result}\n\n")
    }
}

/// Escapes quotes and backslashes and removes line ends, as PGN strings require.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_result_and_escaped_names() {
        let game = PgnGame {
            event: "Surus",
            round: 7,
            names: ["a \"b\"\n", "c\\d"],
            winner: None,
            reason: Termination::Abandoned,
            turns: 12,
        };
        assert_eq!(
            game.to_string(),
            "[Event \"Surus\"]\n[Round \"7\"]\n[White \"a \\\"b\\\" \"]\n[Black \"c\\\\d\"]\n[Result \"1/2-1/2\"]\n\
             [ResultCode \"a\"]\n[PlyCount \"12\"]\n\n1/2-1/2\n\n"
        );
        let won = PgnGame { winner: Some(Side::Gold), ..game };
        assert!(won.to_string().contains("[Result \"1-0\"]") && won.to_string().ends_with("\n1-0\n\n"));
    }
}
