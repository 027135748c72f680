//! Boards with a number on each square, as SVG.

use std::fmt::Write;

use crate::chart::text;

/// A number for each square from a1 to h8; squares without one are empty.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardMap {
    /// Above the board.
    pub title: String,
    /// In the units of the legend.
    pub values: [Option<f64>; 64],
}

const CELL: f64 = 34.0;
const GAP: f64 = 40.0;
const TOP: f64 = 34.0;
const COLUMNS: usize = 3;

/// The ends of the colour scale, for numbers below and above zero.
const LOW: [f64; 3] = [178.0, 24.0, 43.0];
const HIGH: [f64; 3] = [33.0, 102.0, 172.0];

/// Draws boards three in a row. Each has its own colour scale: red below zero, blue above.
#[must_use]
pub fn board_maps_svg(maps: &[BoardMap]) -> String {
    let rows = maps.len().div_ceil(COLUMNS);
    let (step_x, step_y) = (8.0 * CELL + GAP, 8.0 * CELL + GAP + TOP);
    let (width, height) =
        (GAP + step_x * COLUMNS.min(maps.len().max(1)) as f64, step_y * rows as f64 + GAP / 2.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (index, map) in maps.iter().enumerate() {
        let (column, row) = (index % COLUMNS, index / COLUMNS);
        draw(&mut out, map, GAP + step_x * column as f64, TOP + step_y * row as f64);
    }
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, map: &BoardMap, left: f64, top: f64) {
    text(out, left + 4.0 * CELL, top - 10.0, "middle", &map.title);
    let largest = map.values.iter().flatten().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    for (square, value) in map.values.iter().enumerate() {
        let (x, y) = (left + CELL * (square % 8) as f64, top + CELL * (7 - square / 8) as f64);
        let fill = value.map_or_else(|| "#f4f4f4".to_string(), |value| colour(value, largest));
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" stroke=\"#cccccc\"/>"
        );
        if let Some(value) = value {
            let ink = if value.abs() > 0.6 * largest { "white" } else { "black" };
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\" font-size=\"10\">{value:+.2}</text>",
                x + CELL / 2.0,
                y + CELL / 2.0 + 4.0
            );
        }
    }
    for index in 0..8_u8 {
        let offset = CELL * (f64::from(index) + 0.5);
        text(out, left - 8.0, top + 8.0 * CELL - offset + 4.0, "end", &(index + 1).to_string());
        text(out, left + offset, top + 8.0 * CELL + 15.0, "middle", &char::from(b'a' + index).to_string());
    }
}

fn colour(value: f64, largest: f64) -> String {
    let share = if largest > 0.0 { value.abs() / largest } else { 0.0 };
    let end = if value < 0.0 { LOW } else { HIGH };
    let [r, g, b] = end.map(|end| (255.0 + share * (end - 255.0)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_a_cell_and_known_ones_a_number() {
        let mut values = [None; 64];
        (values[0], values[63]) = (Some(-2.0), Some(1.0));
        let map = BoardMap { title: "a < b".into(), values };
        let svg = board_maps_svg(&[map.clone(), map.clone(), map.clone(), map]);
        assert_eq!(svg.matches("<rect").count(), 4 * 64 + 1);
        assert_eq!((svg.matches(">-2.00<").count(), svg.matches(">+1.00<").count()), (4, 4));
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN"));
        assert_eq!(
            [colour(-2.0, 2.0), colour(0.0, 2.0), colour(0.0, 0.0)],
            ["#b2182b", "#ffffff", "#ffffff"]
        );
    }
}
