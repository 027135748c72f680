//! Line charts as SVG, with an error bar at every point.

use std::fmt::Write;

/// One point of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Where it is.
    pub x: f64,
    /// What was found there.
    pub y: f64,
    /// What to add and take away for the 95 % interval.
    pub error: f64,
}

/// One line.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
}

/// A chart of some lines over one axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// Above the chart.
    pub title: String,
    /// Below the axis.
    pub x_label: String,
    /// Beside the other axis.
    pub y_label: String,
    /// Whether each step to the right doubles.
    pub logarithmic: bool,
    /// The lowest and the highest value shown.
    pub range: (f64, f64),
    /// The lines.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 52.0;

/// Below the axis: a row of the legend for each line, where no line can run through it.
const ROW: f64 = 18.0;

/// Lines stand this far apart at the same mark, so that no error bar hides another.
const SERIES_OFFSET: f64 = 5.0;

/// Told apart by people who see colours differently, too.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555"];

impl Chart {
    /// The whole file.
    #[must_use]
    pub fn svg(&self) -> String {
        let height = HEIGHT + ROW * self.series.len() as f64 + 6.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        text(&mut out, WIDTH / 2.0, 20.0, "middle", &self.title);
        text(&mut out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0, "middle", &self.x_label);
        let _ = writeln!(
            out,
            "<text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escaped(&self.y_label)
        );
        self.grid(&mut out);
        for (index, series) in self.series.iter().enumerate() {
            self.line(&mut out, index, series);
        }
        out.push_str("</svg>\n");
        out
    }

    /// Every x that some line has, in order.
    fn x_ticks(&self) -> Vec<f64> {
        let mut all: Vec<f64> =
            self.series.iter().flat_map(|series| series.points.iter().map(|point| point.x)).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    fn x(&self, value: f64) -> f64 {
        let marks = self.x_ticks();
        let scaled = |value: f64| if self.logarithmic { value.max(1e-9).ln() } else { value };
        let low = scaled(marks.first().copied().unwrap_or_default());
        let high = scaled(marks.last().copied().unwrap_or_default());
        let share = if low < high { (scaled(value) - low) / (high - low) } else { 0.5 };
        // A margin on both sides keeps error bars off the axis.
        LEFT + 20.0 + share * (WIDTH - LEFT - RIGHT - 40.0)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn grid(&self, out: &mut String) {
        let (low, high) = self.range;
        for tenth in 0..=10 {
            let value = low + (high - low) * f64::from(tenth) / 10.0;
            let y = self.y(value);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"#dddddd\" fill=\"none\"/>",
                WIDTH - RIGHT
            );
            text(out, LEFT - 6.0, y + 4.0, "end", &number(value));
        }
        for mark in self.x_ticks() {
            text(out, self.x(mark), HEIGHT - BOTTOM + 18.0, "middle", &number(mark));
        }
    }

    fn line(&self, out: &mut String, index: usize, series: &Series) {
        let colour = COLOURS[index % COLOURS.len()];
        let aside = SERIES_OFFSET * (index as f64 - (self.series.len() - 1) as f64 / 2.0);
        let place = |point: &Point| (self.x(point.x) + aside, self.y(point.y));
        let path: Vec<String> =
            series.points.iter().map(place).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        if !path.is_empty() {
            let _ = writeln!(
                out,
                "<path d=\"M{}\" stroke=\"{colour}\" stroke-width=\"2\" fill=\"none\"/>",
                path.join("L")
            );
        }
        for point in &series.points {
            let (x, y) = place(point);
            let (low, high) = (self.y(point.y - point.error), self.y(point.y + point.error));
            let _ = writeln!(
                out,
                "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"{colour}\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
            );
        }
        let y = HEIGHT + 4.0 + ROW * index as f64;
        let _ = writeln!(out, "<path d=\"M{LEFT} {y:.1}h18\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        text(out, LEFT + 26.0, y + 4.0, "start", &series.name);
    }
}

pub(crate) fn text(out: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let _ =
        writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escaped(words));
}

pub(crate) fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Without digits that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(logarithmic: bool) -> Chart {
        let point = |x, y| Point { x, y, error: 0.1 };
        Chart {
            title: "a < b & c".into(),
            x_label: "playouts".into(),
            y_label: "score".into(),
            logarithmic,
            range: (0.0, 1.0),
            series: vec![Series {
                name: "one".into(),
                points: vec![point(1000.0, 0.0), point(4000.0, 0.5), point(16_000.0, 1.0)],
            }],
        }
    }

    #[test]
    fn points_lie_where_their_numbers_say() {
        let even = chart(true);
        let [low, middle, high] = [1000.0, 4000.0, 16_000.0].map(|x| even.x(x));
        assert!((middle - low - (high - middle)).abs() < 1e-9, "each step doubles twice");
        assert_eq!((even.y(0.0), even.y(1.0)), (HEIGHT - BOTTOM, TOP));
        assert!(chart(false).x(4000.0) < middle, "the same point on an even axis lies to the left");
    }

    #[test]
    fn the_file_has_a_mark_for_each_point_and_no_bare_signs() {
        let svg = chart(true).svg();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("a &lt; b &amp; c") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn the_legend_lies_below_all_lines() {
        let one = chart(true);
        let two = Chart { series: [one.series.clone(), one.series].concat(), ..chart(true) };
        let svg = two.svg();
        assert!(svg.contains(&format!("viewBox=\"0 0 640 {}\"", HEIGHT + 2.0 * ROW + 6.0)), "{svg}");
        let at = |start: &str| -> Vec<f64> {
            let values = svg.split(start).skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok());
            values.collect()
        };
        let lowest = at("cy=\"").into_iter().fold(0.0, f64::max);
        assert!(svg.matches(">one<").count() == 2 && lowest < HEIGHT - BOTTOM + 0.1, "{lowest}");
        let across = at("cx=\"");
        assert!((across[3] - across[0] - SERIES_OFFSET).abs() < 0.2, "the second stands beside the first");
    }

    #[test]
    fn a_chart_without_points_is_still_a_chart() {
        let empty = Chart { series: Vec::new(), ..chart(false) };
        assert!(!empty.svg().contains("NaN"));
    }
}
