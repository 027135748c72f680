//! Heat maps as SVG: the frequency of pairs of small integers.

use std::fmt::Write;

use crate::chart::{escaped, text};

/// How often each pair of integers from 0 occurs.
#[derive(Clone, PartialEq, Debug)]
pub struct HeatMap {
    /// Above the map.
    pub title: String,
    /// Below the map.
    pub x_label: String,
    /// Left of the map.
    pub y_label: String,
    /// Counts by row, the lowest first, and column.
    pub counts: Vec<Vec<u64>>,
}

const CELL: f64 = 26.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 52.0;
const RIGHT: f64 = 110.0;

/// The steps of the legend.
const LEGEND_STEPS: u32 = 6;

/// The ends of the colour scale, from one board to the most frequent vector.
const LIGHT: [f64; 3] = [222.0, 235.0, 247.0];
const DARK: [f64; 3] = [8.0, 48.0, 107.0];

impl HeatMap {
    /// The complete file. Colours are logarithmic; pairs that never occur are white.
    #[must_use]
    pub fn svg(&self) -> String {
        let rows = self.counts.len();
        let columns = self.counts.iter().map(Vec::len).max().unwrap_or_default();
        let (width, height) = (LEFT + CELL * columns as f64 + RIGHT, TOP + CELL * rows as f64 + BOTTOM);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        let middle = LEFT + CELL * columns as f64 / 2.0;
        text(&mut out, middle, 20.0, "middle", &self.title);
        text(&mut out, middle, height - 12.0, "middle", &self.x_label);
        let _ = writeln!(
            out,
            "<text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            TOP + CELL * rows as f64 / 2.0,
            escaped(&self.y_label)
        );
        let highest = self.counts.iter().flatten().copied().max().unwrap_or_default();
        for (row, counts) in self.counts.iter().enumerate() {
            let y = TOP + CELL * (rows - 1 - row) as f64;
            text(&mut out, LEFT - 8.0, y + CELL / 2.0 + 4.0, "end", &row.to_string());
            for (column, &count) in counts.iter().enumerate() {
                let x = LEFT + CELL * column as f64;
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{}\" \
                     stroke=\"#eeeeee\"><title>{count}</title></rect>",
                    colour(count, highest)
                );
            }
        }
        for column in 0..columns {
            let x = LEFT + CELL * (column as f64 + 0.5);
            text(&mut out, x, TOP + CELL * rows as f64 + 16.0, "middle", &column.to_string());
        }
        legend(&mut out, width - RIGHT + 20.0, highest);
        out.push_str("</svg>\n");
        out
    }
}

/// The colours of some counts from the highest down to 1.
fn legend(out: &mut String, x: f64, highest: u64) {
    text(out, x, TOP + 4.0, "start", "boards");
    let step =
        |index: u32| (highest as f64).powf(f64::from(index) / f64::from(LEGEND_STEPS - 1)).round() as u64;
    let mut counts: Vec<u64> = (0..LEGEND_STEPS).map(step).collect();
    counts.dedup();
    for (row, &count) in counts.iter().rev().enumerate() {
        let y = TOP + 14.0 + 20.0 * row as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"16\" height=\"16\" fill=\"{}\" stroke=\"#eeeeee\"/>",
            colour(count, highest)
        );
        text(out, x + 22.0, y + 12.0, "start", &count.to_string());
    }
}

fn colour(count: u64, highest: u64) -> String {
    if count == 0 {
        return "white".into();
    }
    let share = if highest < 2 { 1.0 } else { (count as f64).ln() / (highest as f64).ln() };
    let mix = |light: f64, dark: f64| (light + share * (dark - light)).round() as u8;
    let [r, g, b] = [0, 1, 2].map(|index| mix(LIGHT[index], DARK[index]));
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_a_cell_and_more_boards_are_darker() {
        let map = HeatMap {
            title: "a < b".into(),
            x_label: "x".into(),
            y_label: "y".into(),
            counts: vec![vec![0, 1, 10], vec![100, 0, 1000]],
        };
        let svg = map.svg();
        assert_eq!(svg.matches("<title>").count(), 6);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        let colours = [0, 1, 10, 1000].map(|count| colour(count, 1000));
        assert_eq!(colours, ["white", "#deebf7", "#97adc8", "#08306b"].map(String::from));
        // The first row is at the bottom.
        let (low, high) = (svg.find("<title>10</title>").unwrap(), svg.find("<title>1000</title>").unwrap());
        assert!(svg[low - 120..low].contains(&format!("y=\"{:.0}\"", TOP + CELL)));
        assert!(svg[high - 120..high].contains(&format!("y=\"{TOP:.0}\"")));
    }

    #[test]
    fn an_empty_map_is_still_a_file() {
        let map =
            HeatMap { title: String::new(), x_label: String::new(), y_label: String::new(), counts: vec![] };
        assert!(!map.svg().contains("NaN"));
    }
}
