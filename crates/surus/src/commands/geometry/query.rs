//! From the options to a result.

use anyhow::{Context, Result, anyhow, bail};
use surus_explain::{
    BoardAt, Remark as Explanation, capture_zone, explain_position, explain_turn, goal_zone,
};
use surus_geometry::Fidelity;
use surus_geometry::abg::{MovementKind, cell, lethal_traps};
use surus_geometry::grammar::{
    ADVANCE, CUT, DerivationStep, G_T2, Strategy, TrajectoryContext, TrajectoryNonTerminal, derive_advance,
    derive_cut, derive_trajectories, relation,
};
use surus_geometry::search::{SearchStats, capture_in_one_turn, goal_in_one_turn};
use surus_geometry::trajectory::{Trajectory, admissible, distance, shortest};
use surus_geometry::zone::{
    Network, TimeModel, Zone, ZoneKind, advance_zone, advance_zone_printed, cut_zones, rabbit_run,
    shortest_printed,
};
use surus_rules::{Bitboard, Board, Game, PieceKind, Side, Square};

use super::Args;
use super::report::{
    Derivation, GeometryReport, Remark, SearchOutput, Trajectories, Zone as ZoneReport, path, title,
};
use super::why::{no_cut_zone, no_printed_advance, no_printed_trajectory};

/// The report to print and the picture to draw.
pub(super) struct GeometryOutput {
    pub(super) report: GeometryReport,
    pub(super) board: Board,
    pub(super) zones: Vec<Zone>,
    pub(super) paths: Vec<Trajectory>,
    pub(super) title: String,
    pub(super) notes: Vec<String>,
}

/// Rabbits farther from their goal have no zone in a network.
const MAX_RUN_STEPS: u8 = 5;

/// The maximum number of zones in a picture.
const MAX_DRAWN: usize = 3;

/// The maximum number of trajectories to list.
const MAX_PATHS: usize = 200;

pub(super) fn query(args: &Args, game: &Game) -> Result<GeometryOutput> {
    let board = *game.position().board();
    let report =
        GeometryReport { side: game.side().letter(), board: board.compact(), ..GeometryReport::default() };
    let mut output = GeometryOutput {
        report,
        board,
        zones: Vec::new(),
        paths: Vec::new(),
        title: String::new(),
        notes: Vec::new(),
    };
    if let (Some(from), Some(to)) = (args.from, args.to) {
        output.trajectories(args, from, to)?;
    } else if args.trap.is_some() || args.victim.is_some() {
        output.traps(args)?;
    } else if args.plan.is_some() {
        output.plan(args, game.side())?;
    } else if let Some(rabbit) = args.rabbit {
        output.rabbit(args, rabbit)?;
    } else if args.network {
        output.network(args)?;
    } else if args.search {
        output.searches(args);
    } else if let Some(turn) = &args.turn {
        output.turn(game, turn)?;
    } else if args.derivation {
        bail!("--derivation requires --from and --to, --trap or --rabbit");
    } else {
        let mut explanations = explain_position(game.position(), game.turn_start());
        explanations.retain(|remark| args.side.is_none_or(|side| side == remark.side));
        output.remarks(&board, &explanations);
    }
    Ok(output)
}

impl GeometryOutput {
    fn trajectories(&mut self, args: &Args, from: Square, to: Square) -> Result<()> {
        let piece = self.board.piece_at(from).with_context(|| format!("no piece on {from}"))?;
        let is_printed = args.fidelity() == Fidelity::Printed;
        let mover = MovementKind::of(piece);
        let blocked = if is_printed { Bitboard::EMPTY } else { lethal_traps(&self.board, from) };
        if is_printed && from != to && shortest_printed(mover, from, to).is_none() {
            bail!("no trajectory from {from} to {to}: {}", no_printed_trajectory(&self.board, from));
        }
        if from == to {
            bail!("the {piece} is already on {to}: a trajectory has at least one step");
        }
        let min_length = distance(&mover, from, to, blocked)
            .with_context(|| format!("the {piece} on {from} has no trajectory to {to}"))?;
        let length = args.length.unwrap_or(min_length);
        let (paths, count) = if length == min_length {
            let bundle = if is_printed {
                shortest_printed(mover, from, to)
            } else {
                shortest(&mover, from, to, blocked)
            };
            let bundle = bundle.context("no trajectory")?;
            (bundle.paths(&mover, MAX_PATHS), bundle.count(&mover))
        } else {
            let all = admissible(&mover, from, to, length, blocked, true);
            let count = all.len() as u64;
            (all.into_iter().take(MAX_PATHS).collect::<Vec<_>>(), count)
        };
        if paths.is_empty() {
            let reason = if length < min_length {
                format!("the shortest has {min_length}")
            } else if (length - min_length) % 2 == 1 {
                format!(
                    "their lengths are {min_length}, {}, …: every step changes the colour of the square",
                    min_length + 2
                )
            } else {
                "none of that length consists of two shortest trajectories without crossing itself".into()
            };
            bail!("no trajectory of the {piece} from {from} to {to} has {length} steps: {reason}");
        }
        if args.derivation {
            let mut blocked_cells = [false; 65];
            blocked.into_iter().filter(|&s| s != to).for_each(|s| blocked_cells[usize::from(cell(s))] = true);
            let context = TrajectoryContext {
                relation: relation(Some(piece)),
                blocked: blocked_cells,
                end: cell(to),
                reverse: !is_printed,
            };
            let start = TrajectoryNonTerminal::new(cell(from), cell(to), length);
            let derived = derive_trajectories(&G_T2, &context, start, &Strategy::First, true);
            let derived = derived.first().context("the grammar derives no trajectory")?;
            let string: Vec<String> = derived.string.iter().map(ToString::to_string).collect();
            self.derivation(G_T2.iter().map(ToString::to_string), &derived.steps, &string);
        }
        self.report.trajectories = Some(Trajectories {
            piece: piece.letter(),
            from: from.to_string(),
            to: to.to_string(),
            length,
            count,
            paths: paths.iter().map(path).collect(),
        });
        self.title = format!("{piece} from {from} to {to}, {length} steps: {count}");
        self.paths = paths.into_iter().take(12).collect();
        Ok(())
    }

    fn traps(&mut self, args: &Args) -> Result<()> {
        if let Some(trap) = args.trap.filter(|&trap| !Bitboard::TRAPS.contains(trap)) {
            bail!("invalid trap '{trap}': expected c3, f3, c6 or f6");
        }
        if let Some(victim) = args.victim.filter(|&victim| self.board.piece_at(victim).is_none()) {
            bail!("no piece on {victim}");
        }
        let sides = args.side.map_or_else(|| Side::BOTH.to_vec(), |side| vec![side]);
        let is_asked_for = |zone: &Zone| match zone.subject {
            ZoneKind::Cut { trap, victim, .. } => {
                args.trap.is_none_or(|at| at == trap) && args.victim.is_none_or(|at| at == victim)
            }
            ZoneKind::Advance { .. } => false,
        };
        let zones: Vec<Zone> = sides
            .iter()
            .flat_map(|&side| cut_zones(&self.board, side, 4, args.fidelity()))
            .filter(is_asked_for)
            .collect();
        let Some(first) = zones.first() else {
            let who =
                args.side.map_or("neither side has a zone".into(), |side| format!("{side} has no zone"));
            match (args.trap, args.victim) {
                (Some(trap), None) => {
                    bail!("{who} at {trap}: {}", no_cut_zone(&self.board, &sides, trap, args.fidelity()))
                }
                (_, victim) => bail!(
                    "{who} in which the piece on {} is captured within a turn",
                    victim.map_or_else(String::new, |victim| victim.to_string())
                ),
            }
        };
        if args.derivation {
            if args.fidelity() == Fidelity::Extended {
                bail!("--derivation shows the grammar of [LG]: add --fidelity paper or --fidelity printed");
            }
            let side = first.attacker;
            let trap = args.trap.context("--derivation requires --trap")?;
            let derived = derive_cut(&self.board, side, trap, 4, args.fidelity(), &Strategy::First, true);
            let derived = derived.first().context("the grammar derives no zone")?;
            let string: Vec<String> = derived.string.iter().map(ToString::to_string).collect();
            self.derivation(CUT.iter().map(ToString::to_string), &derived.steps, &string);
        }
        // Overlapping zones are unreadable, so only the cheapest is drawn.
        let cheapest = zones.iter().min_by_key(|zone| match zone.subject {
            ZoneKind::Cut { cost, guarded, .. } => (guarded, cost),
            ZoneKind::Advance { .. } => (true, u8::MAX),
        });
        self.draw(cheapest.cloned().into_iter().collect());
        self.report.zones = Some(zones.iter().map(|zone| ZoneReport::new(zone, &self.board)).collect());
        Ok(())
    }

    fn rabbit(&mut self, args: &Args, rabbit: Square) -> Result<()> {
        let piece = self.board.piece_at(rabbit).with_context(|| format!("no piece on {rabbit}"))?;
        if piece.kind() != PieceKind::Rabbit {
            bail!("the piece on {rabbit} is a {piece}: expected a rabbit");
        }
        let clock = if args.clock == "turns" { TimeModel::Turns(0) } else { TimeModel::Serial };
        let (goal, length) = rabbit_run(&self.board, rabbit)
            .with_context(|| format!("the rabbit on {rabbit} has no path to a goal square"))?;
        let zone = if args.fidelity() == Fidelity::Printed {
            advance_zone_printed(&self.board, rabbit, goal, length)
                .with_context(|| no_printed_advance(&self.board, rabbit, goal))?
        } else {
            advance_zone(&self.board, rabbit, goal, length, clock).context("no zone")?
        };
        if let (true, ZoneKind::Advance { goal, length, .. }) = (args.derivation, zone.subject) {
            let derived =
                derive_advance(&self.board, rabbit, goal, length, args.fidelity(), &Strategy::First, true);
            let derived = derived.first().context("the grammar derives no zone")?;
            let string: Vec<String> = derived.string.iter().map(ToString::to_string).collect();
            self.derivation(ADVANCE.iter().map(ToString::to_string), &derived.steps, &string);
        }
        self.report.zones = Some(vec![ZoneReport::new(&zone, &self.board)]);
        self.draw(vec![zone]);
        Ok(())
    }

    fn network(&mut self, args: &Args) -> Result<()> {
        let network = Network::new(&self.board, args.fidelity(), MAX_RUN_STEPS);
        let selected = |zone: &&Zone| args.side.is_none_or(|side| side == zone.attacker);
        let zones: Vec<Zone> = network.zones().filter(selected).cloned().collect();
        if zones.is_empty() {
            bail!(
                "the position has no zones: no piece near a trap can be captured, and no rabbit is near its goal"
            );
        }
        self.report.zones = Some(zones.iter().map(|zone| ZoneReport::new(zone, &self.board)).collect());
        // More zones on top of each other are unreadable.
        let mut drawn = zones;
        drawn.sort_by_key(|zone| match zone.subject {
            ZoneKind::Cut { cost, guarded, .. } => (guarded, cost),
            ZoneKind::Advance { length, .. } => (false, length),
        });
        let others = drawn.split_off(MAX_DRAWN.min(drawn.len()));
        self.notes = drawn.iter().map(|zone| title(zone, &self.board)).collect();
        if !others.is_empty() {
            self.notes.push(format!("{} more zones are listed in the text.", others.len()));
        }
        self.draw(drawn);
        self.title = "The zones that need the fewest steps".into();
        Ok(())
    }

    fn draw(&mut self, zones: Vec<Zone>) {
        self.title = zones.first().map_or_else(String::new, |zone| title(zone, &self.board));
        self.zones = zones;
    }

    fn searches(&mut self, args: &Args) {
        let sides = args.side.map_or_else(|| Side::BOTH.to_vec(), |side| vec![side]);
        let mut searches = Vec::new();
        for side in sides {
            let (board, fidelity, guidance) = (&self.board, args.fidelity(), args.guidance());
            let mut stats = SearchStats::with_tree();
            let goal = goal_in_one_turn(board, side, 4, guidance, &mut stats);
            searches.push(SearchOutput::new(
                side,
                "goal",
                goal.as_ref().map(|goal| &goal.turn),
                board,
                &stats,
            ));
            self.zones.extend(goal.and_then(|goal| goal_zone(board, goal.rabbit, goal.goal)));
            let mut stats = SearchStats::with_tree();
            let capture = capture_in_one_turn(board, side, 4, guidance, &mut stats);
            let turn = capture.as_ref().map(|capture| &capture.turn);
            searches.push(SearchOutput::new(side, "capture", turn, board, &stats));
            self.zones.extend(capture.and_then(|capture| {
                capture_zone(board, side, capture.square, capture.trap, &capture.turn, fidelity)
            }));
        }
        self.title = "Search results".into();
        self.notes = searches.iter().map(SearchOutput::summary).collect();
        self.report.searches = Some(searches);
    }

    fn turn(&mut self, game: &Game, text: &str) -> Result<()> {
        let mut after = game.clone();
        after.play_text(text).context("--turn")?;
        let turn = match after.entries().last().map(|entry| &entry.played) {
            Some(surus_rules::PlayedTurn::Turn(turn)) => *turn,
            _ => bail!("--turn: expected the steps of a turn"),
        };
        if !game.current_turn().is_empty() {
            bail!("--turn: expected a position at the start of a turn");
        }
        let explanations = explain_turn(game.turn_start(), game.side(), &turn)
            .map_err(|_| anyhow!("--turn: {text} is not legal here"))?;
        self.board = *after.position().board();
        self.title = game.turn_start().notation(&turn);
        let title = self.title.clone();
        self.remarks(game.turn_start(), &explanations);
        self.title = title;
        Ok(())
    }

    /// Adds explanations; `before` is the board before the explained turn.
    fn remarks(&mut self, before: &Board, explanations: &[Explanation]) {
        let is_after = |remark: &&Explanation| remark.when == BoardAt::After;
        self.report.remarks = Some(
            explanations
                .iter()
                .map(|remark| Remark::new(remark, if is_after(&remark) { &self.board } else { before }))
                .collect(),
        );
        self.zones =
            explanations.iter().filter(is_after).filter_map(|remark| remark.zone.clone()).take(2).collect();
        self.notes = explanations.iter().map(Explanation::sentences).take(4).collect();
        self.title = "Possibilities of both sides within a turn".into();
    }

    fn derivation(
        &mut self,
        grammar: impl Iterator<Item = String>,
        tried: &[DerivationStep],
        string: &[String],
    ) {
        let lines = tried.iter().filter(|tried| tried.string.is_some());
        self.report.derivation = Some(Derivation {
            grammar: grammar.collect(),
            lines: lines.map(ToString::to_string).collect(),
            tried: tried.len(),
            string: string.join(" "),
        });
    }
}
