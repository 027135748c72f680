//! The file of settings: who plays whom, with how many playouts, and what the document says of it.

use std::path::Path;

use serde::Deserialize;

use crate::error::LabError;

/// All matches of an experiment.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentConfig {
    /// The first lines of the page.
    pub title: String,
    /// What is said before the first figure.
    #[serde(default)]
    pub intro: String,
    /// Where openings begin.
    #[serde(default = "one")]
    pub seed: u64,
    /// Games that are longer than so many turns of both sides are drawn.
    pub max_turns: u32,
    /// The figures of the document.
    #[serde(default, rename = "figure")]
    pub figures: Vec<Figure>,
    /// How fast one engine is beside another.
    #[serde(default, rename = "speed")]
    pub speeds: Vec<SpeedComparison>,
    /// What playouts say of a position.
    #[serde(default, rename = "probe")]
    pub probes: Vec<PlayoutProbe>,
    /// Its single claims.
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A figure: a line for each series, a point for each number on the axis.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The name of its files.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// What the document shows.
    pub published: String,
    /// What we make of it.
    #[serde(default)]
    pub remark: String,
    /// What the axis shows.
    pub axis: String,
    /// Whether each step to the right doubles.
    #[serde(default)]
    pub logarithmic: bool,
    /// The numbers on the axis.
    pub values: Vec<f64>,
    /// Games for each point.
    pub games: u64,
    /// The lines.
    pub series: Vec<SeriesConfig>,
}

/// One line of a figure: `{x}` stands for the number on the axis.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesConfig {
    /// What the legend calls it.
    pub name: String,
    /// Who is measured.
    pub engine: MatchSide,
    /// Against whom.
    pub opponent: MatchSide,
}

/// A claim: one match.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What it is called while it is played.
    pub name: String,
    /// What is claimed.
    pub title: String,
    /// The document's number.
    pub published: String,
    /// Between which percentages our share lies if the claim is true; the page says whether it does.
    #[serde(default)]
    pub expected: Option<(f64, f64)>,
    /// Why we think so.
    #[serde(default)]
    pub remark: String,
    /// Games to play.
    pub games: u64,
    /// Who is measured.
    pub engine: MatchSide,
    /// Against whom.
    pub opponent: MatchSide,
}

/// A comparison of speed in middlegame positions.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedComparison {
    /// What is claimed.
    pub title: String,
    /// The document's number.
    pub published: String,
    /// Who is measured.
    pub engine: String,
    /// Beside whom.
    pub opponent: String,
    /// Playouts in each position.
    pub playouts: u64,
}

/// The mean result of playouts from a position.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutProbe {
    /// What is claimed.
    pub title: String,
    /// What the document says.
    pub published: String,
    /// mcts with its keys.
    pub engine: String,
    /// In compact form.
    pub position: String,
    /// How many playouts.
    pub playouts: u64,
}

/// One side of a match.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSide {
    /// name[:key=value,…].
    pub name: String,
    /// Playouts, or positions, a turn; a number, or `{x}` in a figure.
    #[serde(default)]
    pub nodes: String,
    /// Seconds a turn.
    #[serde(default)]
    pub time: String,
}

const fn one() -> u64 {
    1
}

impl ExperimentConfig {
    /// Reads a file of settings.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| LabError::Io { path: path.into(), error })?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// Reads the text of such a file.
    pub fn parse(name: &str, text: &str) -> Result<Self, LabError> {
        let wrong = |problem: String| LabError::Config { name: name.into(), problem };
        let settings: Self = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let mut names: Vec<&str> = settings.figures.iter().map(|figure| figure.name.as_str()).collect();
        names.extend(settings.claims.iter().map(|claim| claim.name.as_str()));
        for (index, name) in names.iter().enumerate() {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if name.is_empty() || !name.chars().all(plain) {
                return Err(wrong(format!("'{name}' is no name: expected letters, digits and hyphens")));
            }
            if names[..index].contains(name) {
                return Err(wrong(format!("'{name}' is the name of two experiments")));
            }
        }
        Ok(settings)
    }

    /// Both sides of every match.
    pub fn sides_mut(&mut self) -> impl Iterator<Item = &mut MatchSide> {
        let lines = self.figures.iter_mut().flat_map(|figure| &mut figure.series);
        let lines = lines.flat_map(|line| [&mut line.engine, &mut line.opponent]);
        lines.chain(self.claims.iter_mut().flat_map(|claim| [&mut claim.engine, &mut claim.opponent]))
    }

    /// The names of all engines, wherever they stand.
    pub fn engines_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let speeds = self.speeds.iter_mut().flat_map(|speed| [&mut speed.engine, &mut speed.opponent]);
        let probes = self.probes.iter_mut().map(|probe| &mut probe.engine);
        let lines = self.figures.iter_mut().flat_map(|figure| &mut figure.series);
        let lines = lines.flat_map(|line| [&mut line.engine.name, &mut line.opponent.name]);
        let claims =
            self.claims.iter_mut().flat_map(|claim| [&mut claim.engine.name, &mut claim.opponent.name]);
        lines.chain(claims).chain(speeds).chain(probes)
    }

    /// The same with so many games at most for each match, short ones, and hardly any thought: to see that it works.
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
    /// With the number on the axis put in: `{x}`, or `{3x}` for three times that.
    pub(crate) fn at(&self, x: f64) -> Self {
        let put = |text: &str| {
            let Some((before, rest)) = text.split_once('{') else { return text.to_string() };
            let Some((inside, after)) = rest.split_once("x}") else { return text.to_string() };
            // What is not a factor stays as it is, and is refused as the engine or number that it is meant to be.
            let Ok(times) = if inside.is_empty() { "1" } else { inside }.parse::<f64>() else {
                return text.to_string();
            };
            format!("{before}{}{after}", times * x)
        };
        Self { name: put(&self.name), nodes: put(&self.nodes), time: put(&self.time) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = 't'\nmax_turns = 200\n[[claim]]\nname = 'a'\ntitle = 'x'\npublished = '60 %'\ngames = 400\n\
        engine = { name = 'greedy', nodes = '{x}' }\nopponent = { name = 'random' }\n";

    #[test]
    fn a_file_is_read_and_shortened() {
        let settings = ExperimentConfig::parse("f", TEXT).unwrap().smoke_test(2);
        assert_eq!((settings.claims[0].games, settings.seed), (2, 1));
        assert_eq!(settings.claims[0].engine.nodes, "40", "hardly any thought");
        let side = &ExperimentConfig::parse("f", TEXT).unwrap().claims[0].engine;
        assert_eq!(side.at(4000.0).nodes, "4000");
        let thrice = MatchSide { nodes: "{3x}".into(), name: "a:b={x},c=1".into(), ..side.clone() };
        assert_eq!((thrice.at(20.0).nodes.as_str(), thrice.at(20.0).name.as_str()), ("60", "a:b=20,c=1"));
    }

    #[test]
    fn every_engine_of_a_file_can_be_given_other_keys() {
        let more = "[[speed]]\ntitle = ''\npublished = ''\nengine = 'c'\nopponent = 'd'\nplayouts = 1\n\
            [[probe]]\ntitle = ''\npublished = ''\nengine = 'e'\nposition = ''\nplayouts = 1\n";
        let mut settings = ExperimentConfig::parse("f", &format!("{TEXT}{more}")).unwrap();
        let names: Vec<String> = settings.engines_mut().map(|name| name.clone()).collect();
        assert_eq!(names, ["greedy", "random", "c", "d", "e"]);
    }

    #[test]
    fn the_file_of_the_documents_can_be_read_and_its_engines_made() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lab/mcts.toml");
        let mut settings = ExperimentConfig::read(Path::new(file)).unwrap();
        let mut registry = surus_play::Registry::default();
        registry.add("mcts", "", || Box::new(surus_engine::Mcts::default()));
        registry.add("fairylike", "", || Box::new(surus_engine::Fairylike::default()));
        registry.add("sample", "", || Box::new(surus_engine::SampleBot::default()));
        for name in settings.engines_mut() {
            let name = name.replace("{x}", "3");
            assert!(registry.make(&name).is_ok(), "{name}");
        }
        // Where the document's effect is small more games are asked for.
        let games = |name: &str| settings.claims.iter().find(|claim| claim.name == name).unwrap().games;
        assert_eq!((games("advisor"), games("root-model"), games("whole-playouts")), (1600, 1600, 400));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let error =
            ExperimentConfig::parse("f", &TEXT.replace("published", "publishd")).unwrap_err().to_string();
        assert!(error.contains("line 6") && error.contains("publishd"), "{error}");
        let twice = format!("{TEXT}{}", &TEXT[TEXT.find("[[").unwrap()..]);
        assert_eq!(
            ExperimentConfig::parse("f", &twice).unwrap_err().to_string(),
            "f: 'a' is the name of two experiments"
        );
        assert!(ExperimentConfig::parse("f", &TEXT.replace("'a'", "'../a'")).is_err());
    }
}
