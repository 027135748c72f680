//! A board with zones as SVG: straight lines for main trajectories, arcs for negations, as in \[LG\].

use std::fmt::Write;

use surus_geometry::trajectory::Trajectory;
use surus_geometry::zone::{Role, Zone, ZoneSymbol};
use surus_rules::{Bitboard, Board, Piece, Side, Square};

/// The side length of a square, and the margin with the coordinates.
const SIZE: f64 = 64.0;
const MARGIN: f64 = 28.0;
const WIDTH: f64 = 8.0 * SIZE + 2.0 * MARGIN;

/// The maximum number of alternatives to draw for a trajectory of the main line.
const MAX_ALTERNATIVES: usize = 2;

/// The content of a picture besides the board.
#[derive(Clone, Copy, Debug, Default)]
pub struct SvgOverlay<'a> {
    /// Zones, drawn on top of each other.
    pub zones: &'a [Zone],
    /// Trajectories that belong to no zone.
    pub paths: &'a [Trajectory],
    /// The line above the board.
    pub title: &'a str,
    /// The lines below the board.
    pub notes: &'a [String],
}

/// The line style of a trajectory.
struct Stroke {
    colour: &'static str,
    width: f64,
    dashes: &'static str,
    arc: bool,
}

const fn stroke(role: Role) -> Stroke {
    match role {
        Role::Captor | Role::Runner => Stroke { colour: "#b3261e", width: 5.0, dashes: "", arc: false },
        Role::Victim => Stroke { colour: "#7a3fa0", width: 5.0, dashes: "", arc: false },
        Role::Intercept => Stroke { colour: "#1f5fbf", width: 3.0, dashes: "", arc: true },
        Role::Support => Stroke { colour: "#2c7a3f", width: 3.0, dashes: "7 4", arc: true },
    }
}

/// The symbols to draw: the whole main line, and of each piece only its shortest trajectories in its first negation,
/// preferably to empty squares. All of them at once would be unreadable.
#[must_use]
pub fn visible_symbols<'a>(zone: &'a Zone, board: &Board) -> Vec<&'a ZoneSymbol> {
    let mut visible: Vec<&ZoneSymbol> = zone.symbols.iter().filter(|symbol| symbol.negation == 0).collect();
    for negation in 1..=2u8 {
        let mut symbols: Vec<&ZoneSymbol> = zone.symbols.iter().filter(|s| s.negation == negation).collect();
        symbols.sort_by_key(|symbol| (board.piece_at(symbol.bundle.to).is_some(), symbol.bundle.len));
        let limit = if negation == 1 { 2 } else { 1 };
        for symbol in symbols {
            let of_piece = |other: &&&ZoneSymbol| other.bundle.from == symbol.bundle.from;
            let count = visible.iter().filter(of_piece).filter(|other| other.negation == negation).count();
            let is_earlier = visible.iter().filter(of_piece).any(|other| other.negation < negation);
            if count < limit && !is_earlier {
                visible.push(symbol);
            }
        }
    }
    visible
}

/// Renders a board with an overlay as an SVG document.
#[must_use]
pub fn svg(board: &Board, overlay: &SvgOverlay<'_>) -> String {
    let top = if overlay.title.is_empty() { 0.0 } else { 30.0 };
    let lines: Vec<String> = overlay.notes.iter().flat_map(|note| wrap(note, 72)).collect();
    let legend = if overlay.zones.is_empty() { 0.0 } else { 48.0 };
    let height = top + WIDTH + legend + 20.0 * lines.len() as f64 + if lines.is_empty() { 0.0 } else { 12.0 };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"15\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbf9f4\"/>\n<defs>\n"
    );
    for (name, colour) in
        [("a", "#b3261e"), ("v", "#7a3fa0"), ("i", "#1f5fbf"), ("s", "#2c7a3f"), ("p", "#222")]
    {
        let _ = writeln!(
            out,
            "<marker id=\"{name}\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"14\" markerHeight=\"14\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"{colour}\"/></marker>"
        );
    }
    out.push_str("</defs>\n");
    if !overlay.title.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"22\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
            WIDTH / 2.0,
            escape(overlay.title)
        );
    }
    let _ = writeln!(out, "<g transform=\"translate({MARGIN} {})\">", MARGIN + top);
    draw_squares(&mut out);
    let mut badges = String::new();
    for path in overlay.paths {
        draw_path(
            &mut out,
            board,
            path,
            &Stroke { colour: "#222", width: 3.0, dashes: "", arc: true },
            "p",
            1.0,
        );
    }
    draw_zones(&mut out, &mut badges, board, overlay.zones);
    board.iter().for_each(|(square, piece)| draw_piece(&mut out, square, piece));
    out.push_str(&badges);
    out.push_str("</g>\n");
    if legend != 0.0 {
        draw_legend(&mut out, top + WIDTH + 6.0);
    }
    for (i, text) in lines.iter().enumerate() {
        let y = top + WIDTH + legend + 14.0 + 20.0 * i as f64;
        let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{y}\">{}</text>", escape(text));
    }
    out.push_str("</svg>\n");
    out
}

/// The symbols of zones by layers: later negations first, main lines on top. Of several zones, each piece that is not on a
/// main line has one trajectory, its shortest.
fn draw_zones(out: &mut String, badges: &mut String, board: &Board, zones: &[Zone]) {
    let mut symbols: Vec<(&Zone, &ZoneSymbol)> = zones
        .iter()
        .flat_map(|zone| visible_symbols(zone, board).into_iter().map(move |s| (zone, s)))
        .collect();
    if zones.len() > 1 {
        let mut drawn = Bitboard::EMPTY;
        symbols.retain(|(_, symbol)| symbol.negation <= 1);
        symbols.sort_by_key(|(_, symbol)| (symbol.negation, symbol.bundle.len));
        symbols.retain(|(_, symbol)| {
            let is_new = !drawn.contains(symbol.bundle.from);
            drawn |= symbol.bundle.from.into();
            symbol.negation == 0 || is_new
        });
    }
    symbols.sort_by_key(|(_, symbol)| std::cmp::Reverse(symbol.negation));
    let mut pieces: Vec<Square> = Vec::new();
    for (zone, symbol) in symbols {
        let style = stroke(symbol.role);
        // All arcs of a piece bend alike, so that shared sections coincide.
        let from = symbol.bundle.from;
        let index = pieces.iter().position(|&square| square == from).unwrap_or_else(|| {
            pieces.push(from);
            pieces.len() - 1
        });
        let bend = [1.0, -1.0, 0.6, -0.6][index % 4];
        let marker = match symbol.role {
            Role::Captor | Role::Runner => "a",
            Role::Victim => "v",
            Role::Intercept => "i",
            Role::Support => "s",
        };
        let path = symbol.path();
        if symbol.negation == 0 && zones.len() == 1 {
            // Alternatives of the main line are thin and below it.
            let thin = Stroke { width: 1.5, dashes: "3 3", ..stroke(symbol.role) };
            for other in symbol.bundle.paths(&symbol.mover(), MAX_ALTERNATIVES + 1).iter().skip(1) {
                draw_path(out, board, other, &thin, marker, bend);
            }
        }
        draw_path(out, board, &path, &style, marker, bend);
        draw_time(badges, &path, zone.steps_available(symbol, zone.symbols[0].piece), style.colour);
    }
}

fn draw_squares(out: &mut String) {
    for square in Bitboard::ALL {
        let (x, y) = corner(square);
        let light = (square.file() + square.rank()) % 2 == 1;
        let colour = match (square.is_trap(), light) {
            (true, _) => "#d9a9a0",
            (false, true) => "#efe7d6",
            (false, false) => "#dfd3ba",
        };
        let _ =
            writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"{colour}\"/>");
    }
    let side = 8.0 * SIZE;
    let _ = writeln!(
        out,
        "<rect width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#6b5f4a\" stroke-width=\"2\"/>"
    );
    for i in 0..8u8 {
        let middle = (f64::from(i) + 0.5) * SIZE;
        let file = (b'a' + i) as char;
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{file}</text>\
             <text x=\"-14\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            side + 20.0,
            side - middle + 5.0,
            i + 1
        );
    }
}

fn corner(square: Square) -> (f64, f64) {
    (f64::from(square.file()) * SIZE, f64::from(7 - square.rank()) * SIZE)
}

fn centre(square: Square) -> (f64, f64) {
    let (x, y) = corner(square);
    (x + SIZE / 2.0, y + SIZE / 2.0)
}

fn draw_piece(out: &mut String, square: Square, piece: Piece) {
    let (x, y) = centre(square);
    let (fill, ink) = match piece.side() {
        Side::Gold => ("#e8b730", "#4a3500"),
        Side::Silver => ("#c3cad3", "#1f2b38"),
    };
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"22\" fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"1.5\"/>\
         <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"22\" font-weight=\"bold\" fill=\"{ink}\">{}</text>",
        y + 8.0,
        piece.letter()
    );
}

/// A trajectory; each step of an arc bends to the left or to the right.
fn draw_path(out: &mut String, board: &Board, path: &Trajectory, style: &Stroke, marker: &str, bend: f64) {
    let points: Vec<(f64, f64)> = path.0.iter().map(|&square| centre(square)).collect();
    let (Some(first), Some(second)) = (points.first(), points.get(1)) else { return };
    // A line ends short of the centre of its last square, or at the rim of the piece there.
    let start = towards(*first, *second, 12.0);
    let is_occupied = path.0.last().is_some_and(|&last| board.piece_at(last).is_some());
    let gap = if is_occupied { 24.0 } else { 10.0 };
    let mut d = format!("M{:.1} {:.1}", start.0, start.1);
    let mut from = start;
    for (i, &to) in points.iter().enumerate().skip(1) {
        let last = i + 1 == points.len();
        let end = if last { towards(to, from, gap) } else { to };
        if style.arc {
            let (dx, dy) = (end.0 - from.0, end.1 - from.1);
            let control =
                ((from.0 + end.0) / 2.0 - dy * 0.28 * bend, (from.1 + end.1) / 2.0 + dx * 0.28 * bend);
            let _ = write!(d, "Q{:.1} {:.1} {:.1} {:.1}", control.0, control.1, end.0, end.1);
        } else {
            let _ = write!(d, "L{:.1} {:.1}", end.0, end.1);
        }
        from = end;
    }
    let dashes = if style.dashes.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{}\"", style.dashes)
    };
    let _ = writeln!(
        out,
        "<path d=\"{d}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"0.85\"{dashes} \
         marker-end=\"url(#{marker})\"/>",
        style.colour, style.width
    );
}

fn towards(from: (f64, f64), to: (f64, f64), by: f64) -> (f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    (from.0 + dx / length * by, from.1 + dy / length * by)
}

/// The steps available for a symbol, at the corner of the last square from which the trajectory comes.
fn draw_time(out: &mut String, path: &Trajectory, time: i16, colour: &str) {
    let [.., before, last] = path.0.as_slice() else { return };
    let (to, from) = (centre(*last), centre(*before));
    let (dx, dy) = ((from.0 - to.0) / SIZE, (from.1 - to.1) / SIZE);
    let (x, y) = (to.0 + dx * 22.0 + dy * 20.0, to.1 + dy * 22.0 - dx * 20.0);
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"#fff\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\" fill=\"{colour}\">{time}</text>",
        y + 4.2
    );
}

/// The meaning of the colours.
fn draw_legend(out: &mut String, y: f64) {
    let entries = [
        (Role::Captor, "attacks or runs"),
        (Role::Victim, "is led"),
        (Role::Intercept, "comes in the way"),
        (Role::Support, "supports"),
    ];
    let mut x = MARGIN;
    for (role, text) in entries {
        let style = stroke(role);
        let d = if style.arc {
            format!("M{x} {}q18 -14 36 0", y + 14.0)
        } else {
            format!("M{x} {}h36", y + 10.0)
        };
        let dashes = if style.dashes.is_empty() { "none" } else { style.dashes };
        let _ = writeln!(
            out,
            "<path d=\"{d}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{dashes}\"/>\
             <text x=\"{}\" y=\"{}\">{text}</text>",
            style.colour,
            style.width,
            x + 42.0,
            y + 15.0
        );
        x += 54.0 + 7.0 * text.len() as f64;
    }
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#555\">In a circle: the steps within which the piece must reach the square.</text>",
        y + 36.0
    );
}

/// The words of a text in lines of at most `width` bytes.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
