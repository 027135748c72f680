//! The configuration file of an experiment: its matches and the published results they are compared with.

use std::path::Path;

use serde::Deserialize;

use crate::error::LabError;

/// All matches of an experiment.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentConfig {
    /// Heading of the report.
    pub title: String,
    /// Markdown before the first figure.
    #[serde(default)]
    pub intro: String,
    /// Seed of the openings.
    #[serde(default = "one")]
    pub seed: u64,
    /// Longer games, in turns of both sides, are drawn.
    pub max_turns: u32,
    /// Reproductions of published figures.
    #[serde(default, rename = "figure")]
    pub figures: Vec<Figure>,
    /// Speed comparisons.
    #[serde(default, rename = "speed")]
    pub speeds: Vec<SpeedComparison>,
    /// Playout results of single positions.
    #[serde(default, rename = "probe")]
    pub probes: Vec<PlayoutProbe>,
    /// Published claims, one match each.
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A figure with one line per series and one point per value of the axis.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Base name of its files.
    pub name: String,
    /// Heading in the report.
    pub title: String,
    /// Summary of the published figure.
    pub published: String,
    /// Interpretation of the difference.
    #[serde(default)]
    pub remark: String,
    /// Label of the horizontal axis.
    pub axis: String,
    /// Whether the horizontal axis is logarithmic.
    #[serde(default)]
    pub logarithmic: bool,
    /// Values of the horizontal axis.
    pub values: Vec<f64>,
    /// Games per point.
    pub games: u64,
    /// One entry per line of the chart.
    pub series: Vec<SeriesConfig>,
}

/// One line of a figure; `{x}` in an engine name or limit is replaced by the value of the axis.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesConfig {
    /// Name in the legend.
    pub name: String,
    /// The measured engine.
    pub engine: MatchSide,
    /// Its opponent.
    pub opponent: MatchSide,
}

/// A published claim that one match checks.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Identifier in progress output.
    pub name: String,
    /// The claim, as the report words it.
    pub title: String,
    /// The published result.
    pub published: String,
    /// Range of our score in percent if the claim holds; decides between "agrees" and "differs".
    #[serde(default)]
    pub expected: Option<(f64, f64)>,
    /// Interpretation of the result.
    #[serde(default)]
    pub remark: String,
    /// Values of `{x}` in the engines, each with a match of its own; without any there is one match.
    #[serde(default)]
    pub values: Vec<f64>,
    /// Number of games of each match.
    pub games: u64,
    /// The measured engine.
    pub engine: MatchSide,
    /// Its opponent.
    pub opponent: MatchSide,
}

impl Claim {
    /// The sides of each match.
    pub(crate) fn matches(&self) -> Vec<[MatchSide; 2]> {
        if self.values.is_empty() {
            return vec![[self.engine.clone(), self.opponent.clone()]];
        }
        self.values.iter().map(|&x| [self.engine.with_x(x), self.opponent.with_x(x)]).collect()
    }
}

/// A comparison of two engines' speed in middlegame positions.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedComparison {
    /// The claim, as the report words it.
    pub title: String,
    /// The published result.
    pub published: String,
    /// The measured engine.
    pub engine: String,
    /// The engine it is compared with.
    pub opponent: String,
    /// Playouts per position.
    pub playouts: u64,
}

/// The mean result of playouts from a position.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutProbe {
    /// The claim, as the report words it.
    pub title: String,
    /// The published statement.
    pub published: String,
    /// `mcts` with its options.
    pub engine: String,
    /// The position, in compact form.
    pub position: String,
    /// Number of playouts.
    pub playouts: u64,
}

/// One side of a match.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSide {
    /// `name[:key=value,…]`
    pub name: String,
    /// Nodes (playouts for `mcts`) per turn: a number, or `{x}` in a figure; empty for no limit.
    #[serde(default)]
    pub nodes: String,
    /// Seconds per turn; empty for no limit.
    #[serde(default)]
    pub time: String,
}

const fn one() -> u64 {
    1
}

impl ExperimentConfig {
    /// Reads a configuration file.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| LabError::Io { path: path.into(), error })?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// Parses the text of a configuration file; errors name it `name`.
    pub fn parse(name: &str, text: &str) -> Result<Self, LabError> {
        let invalid = |problem: String| LabError::Config { name: name.into(), problem };
        let config: Self = toml::from_str(text).map_err(|error| invalid(error.to_string()))?;
        let mut names: Vec<&str> = config.figures.iter().map(|figure| figure.name.as_str()).collect();
        names.extend(config.claims.iter().map(|claim| claim.name.as_str()));
        for (index, name) in names.iter().enumerate() {
            let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if name.is_empty() || !name.chars().all(is_allowed) {
                return Err(invalid(format!("invalid name '{name}': expected letters, digits and hyphens")));
            }
            if names[..index].contains(name) {
                return Err(invalid(format!("duplicate name '{name}'")));
            }
        }
        Ok(config)
    }

    /// Both sides of all matches.
    pub fn sides_mut(&mut self) -> impl Iterator<Item = &mut MatchSide> {
        let series = self.figures.iter_mut().flat_map(|figure| &mut figure.series);
        let sides = series.flat_map(|line| [&mut line.engine, &mut line.opponent]);
        sides.chain(self.claims.iter_mut().flat_map(|claim| [&mut claim.engine, &mut claim.opponent]))
    }

    /// The names of all engines, of matches, speed comparisons and probes.
    pub fn engines_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let speeds = self.speeds.iter_mut().flat_map(|speed| [&mut speed.engine, &mut speed.opponent]);
        let probes = self.probes.iter_mut().map(|probe| &mut probe.engine);
        let series = self.figures.iter_mut().flat_map(|figure| &mut figure.series);
        let sides = series.flat_map(|line| [&mut line.engine.name, &mut line.opponent.name]);
        let claims =
            self.claims.iter_mut().flat_map(|claim| [&mut claim.engine.name, &mut claim.opponent.name]);
        sides.chain(claims).chain(speeds).chain(probes)
    }

    /// Reduces games, game length and search to a minimum, for a run that only shows that everything works.
    #[must_use]
    pub fn smoke_test(mut self, games: u64) -> Self {
        self.max_turns = self.max_turns.min(40);
        for side in self.sides_mut() {
            if !side.nodes.is_empty() {
                side.nodes = "40".into();
            }
            if !side.time.is_empty() {
                side.time = "0.002".into();
            }
        }
        self.figures.iter_mut().for_each(|figure| figure.games = figure.games.min(games));
        self.claims.iter_mut().for_each(|claim| claim.games = claim.games.min(games));
        self.speeds.iter_mut().for_each(|speed| speed.playouts = speed.playouts.min(500));
        self.probes.iter_mut().for_each(|probe| probe.playouts = probe.playouts.min(200));
        self
    }
}

impl MatchSide {
    /// Replaces `{x}` by the value of the axis, and `{3x}` by three times that value.
    pub(crate) fn with_x(&self, x: f64) -> Self {
        let substitute = |text: &str| {
            let mut text = text.to_string();
            while let Some((before, rest)) = text.split_once('{')
                && let Some((inside, after)) = rest.split_once("x}")
                // An invalid factor stays in the text, which is then rejected as an engine name or number.
                && let Ok(factor) = if inside.is_empty() { "1" } else { inside }.parse::<f64>()
            {
                text = format!("{before}{}{after}", factor * x);
            }
            text
        };
        Self { name: substitute(&self.name), nodes: substitute(&self.nodes), time: substitute(&self.time) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = 't'\nmax_turns = 200\n[[claim]]\nname = 'a'\ntitle = 'x'\npublished = '60 %'\ngames = 400\n\
        engine = { name = 'greedy', nodes = '{x}' }\nopponent = { name = 'random' }\n";

    #[test]
    fn parses_a_file_and_applies_the_smoke_test() {
        let config = ExperimentConfig::parse("f", TEXT).unwrap().smoke_test(2);
        assert_eq!((config.claims[0].games, config.seed), (2, 1));
        assert_eq!(config.claims[0].engine.nodes, "40", "few nodes");
        let side = &ExperimentConfig::parse("f", TEXT).unwrap().claims[0].engine;
        assert_eq!(side.with_x(4000.0).nodes, "4000");
        let tripled = MatchSide { nodes: "{3x}".into(), name: "a:b={x},c={2x}".into(), ..side.clone() };
        assert_eq!(
            (tripled.with_x(20.0).nodes.as_str(), tripled.with_x(20.0).name.as_str()),
            ("60", "a:b=20,c=40")
        );
    }

    #[test]
    fn engines_mut_covers_all_engines_of_a_file() {
        let extra = "[[speed]]\ntitle = ''\npublished = ''\nengine = 'c'\nopponent = 'd'\nplayouts = 1\n\
            [[probe]]\ntitle = ''\npublished = ''\nengine = 'e'\nposition = ''\nplayouts = 1\n";
        let mut config = ExperimentConfig::parse("f", &format!("{TEXT}{extra}")).unwrap();
        let names: Vec<String> = config.engines_mut().map(|name| name.clone()).collect();
        assert_eq!(names, ["greedy", "random", "c", "d", "e"]);
    }

    #[test]
    fn the_engines_of_the_mcts_experiment_can_be_created() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lab/mcts.toml");
        let mut config = ExperimentConfig::read(Path::new(file)).unwrap();
        let mut registry = surus_play::Registry::default();
        registry.add("mcts", "", || Box::new(surus_engine::Mcts::default()));
        registry.add("fairylike", "", || Box::new(surus_engine::Fairylike::default()));
        registry.add("sample", "", || Box::new(surus_engine::SampleBot::default()));
        for name in config.engines_mut() {
            let side = MatchSide { name: name.clone(), nodes: String::new(), time: String::new() };
            let name = side.with_x(3.0).name;
            assert!(registry.make(&name).is_ok(), "{name}");
        }
        // Claims of a small effect have more games.
        let games = |name: &str| config.claims.iter().find(|claim| claim.name == name).unwrap().games;
        assert_eq!((games("advisor"), games("root-model"), games("whole-playouts")), (1600, 1600, 400));
    }

    #[test]
    fn errors_name_the_line() {
        let error =
            ExperimentConfig::parse("f", &TEXT.replace("published", "publishd")).unwrap_err().to_string();
        assert!(error.contains("line 6") && error.contains("publishd"), "{error}");
        let twice = format!("{TEXT}{}", &TEXT[TEXT.find("[[").unwrap()..]);
        assert_eq!(ExperimentConfig::parse("f", &twice).unwrap_err().to_string(), "f: duplicate name 'a'");
        assert!(ExperimentConfig::parse("f", &TEXT.replace("'a'", "'../a'")).is_err());
    }
}
