//! `surus learn spsa`

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use surus_arena::{Adjudication, EngineLimits, GameOptions, Openings, Players, play_game};
use surus_learn::spsa::{Parameter, Spsa};
use surus_play::{Engine, OptionKind};
use surus_record::journal::replace_file;
use surus_rules::Side;

use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

/// Tune keys of an engine by games against itself
///
/// In every round all keys are moved to and fro at once, both engines play a pair of games, and the keys move towards the
/// winner. The file holds the keys as --config reads them; the state beside it lets a tuning go on by --resume.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn spsa mcts --keys c,history_weight,progressive_bias_weight --rounds 200 --nodes 1000 --out tuned.toml
  surus learn spsa mcts --keys c:0.05,decay:1 --rounds 500 --nodes 1000 --out tuned.toml --resume")]
pub(crate) struct Args {
    /// The engine, name[:key=value,…]
    engine: String,
    /// The keys to tune, each with the step it is moved by if the default does not suit
    #[arg(long, value_name = "KEY[:STEP],…", value_delimiter = ',', required = true)]
    keys: Vec<String>,
    /// How many pairs of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Positions, or playouts, for a turn
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How far a key goes for a whole win in the last round, in its steps
    #[arg(long, value_name = "R", default_value_t = 0.1)]
    rate: f64,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file for the tuned keys
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the state beside the file
    #[arg(long)]
    resume: bool,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    rounds: u64,
    keys: Vec<(&'a str, f64)>,
}

/// What a tuning is resumed from.
#[derive(Serialize, Deserialize)]
struct State {
    /// The full id of the engine.
    engine: String,
    #[serde(flatten)]
    spsa: Spsa,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let state = args.out.with_extension("state.json");
    let id = engines::registry().make(&args.engine)?.id().to_string();
    let mut spsa = if args.resume && state.exists() {
        let text = fs::read_to_string(&state).with_context(|| format!("can't read {}", state.display()))?;
        let known: State = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a state of a tuning", state.display()))?;
        if known.engine != id {
            bail!("{} was tuned with {}, which cannot be resumed with {id}", state.display(), known.engine);
        }
        same_keys(&known.spsa, &begin(args)?).with_context(|| state.display().to_string())?;
        known.spsa
    } else {
        begin(args)?
    };
    spsa.rounds = args.rounds.max(spsa.done);
    let stop = shutdown.stop();
    let conditions = GameOptions {
        adjudication: Adjudication { resign: None, length: Some(300) },
        stall_timeout: Duration::from_secs(600),
        stop: stop.clone(),
    };
    let pace = EngineLimits { nodes: Some(args.nodes), ..EngineLimits::default() };
    pace.check_supported(&engines::registry().make(&args.engine)?.id())?;
    while spsa.done < spsa.rounds && !stop.should_stop() {
        let [mut one, mut other] = make_pair(args, &spsa)?;
        let opening = Openings::Book { seed: args.seed }.get(spsa.done);
        let mut result = 0.0;
        for first in [true, false] {
            let sides: [&mut dyn Engine; 2] =
                if first { [one.as_mut(), other.as_mut()] } else { [other.as_mut(), one.as_mut()] };
            let played = play_game(Players::Two(sides), [pace; 2], opening.clone(), &conditions, &mut ());
            let Some(bout) = played else { break };
            let mine = if first { Side::Gold } else { Side::Silver };
            result += bout.ending().winner.map_or(0.0, |winner| if winner == mine { 0.5 } else { -0.5 });
        }
        if stop.should_stop() {
            break;
        }
        spsa.update(result);
        save(args, &spsa, &id, &state)?;
        if !args.json {
            tell(&spsa)?;
        }
    }
    if args.json {
        let keys = spsa.parameters.iter().map(|key| (key.name.as_str(), key.quantize(key.value))).collect();
        output::json(&Report { rounds: spsa.done, keys })?;
    }
    Ok(shutdown.outcome(spsa.done == spsa.rounds))
}

/// A tuning goes on with the keys and steps that it began with.
fn same_keys(known: &Spsa, asked: &Spsa) -> Result<()> {
    let keys = |spsa: &Spsa| -> Vec<String> {
        spsa.parameters.iter().map(|key| format!("{}:{}", key.name, key.step)).collect()
    };
    let (known, asked) = (keys(known), keys(asked));
    if known != asked {
        bail!("--resume with --keys {}, but it tunes {}", asked.join(","), known.join(","));
    }
    Ok(())
}

/// The keys where they stand in the engine.
fn begin(args: &Args) -> Result<Spsa> {
    let engine = engines::registry().make(&args.engine)?;
    let mut parameters = Vec::new();
    for asked in &args.keys {
        let (name, step) =
            asked.split_once(':').map_or((asked.as_str(), None), |(name, step)| (name, Some(step)));
        let found = engine.options().iter().find(|(spec, _)| spec.name == name);
        let Some((spec, value)) = found else {
            bail!(
                "--keys {asked}: {} has no key '{name}'; surus engine {} lists all",
                args.engine,
                args.engine
            );
        };
        if name == "seed" {
            bail!("--keys {asked}: a random seed is not a parameter that can be tuned");
        }
        let (range, whole) = match spec.kind {
            OptionKind::Int(low, high) => ((low as f64, high as f64), true),
            OptionKind::Float(low, high) => ((low, high), false),
            OptionKind::Bool | OptionKind::Choice(_) | OptionKind::Str => {
                bail!("--keys {asked}: '{name}' is no number")
            }
        };
        let value: f64 = value.parse().with_context(|| format!("--keys {asked}: '{value}' is no number"))?;
        let step = match step {
            Some(text) => text
                .parse()
                .ok()
                .filter(|step: &f64| 0.0 < *step && step.is_finite())
                .with_context(|| format!("--keys {asked}: '{text}' is no step above 0"))?,
            None if whole => (value.abs() / 10.0).max(1.0),
            // A share of the value, however small it is; of nothing there is no share.
            None if value == 0.0 => 0.01,
            None => value.abs() / 5.0,
        };
        parameters.push(Parameter { name: name.into(), value, range, step, whole });
    }
    Ok(Spsa { parameters, done: 0, rounds: args.rounds, seed: args.seed, rate: args.rate })
}

fn make_pair(args: &Args, spsa: &Spsa) -> Result<[Box<dyn Engine>; 2]> {
    let make = |values: &[f64]| {
        let mut engine = engines::registry().make(&args.engine)?;
        for (parameter, value) in spsa.parameters.iter().zip(values) {
            engine.set_option(&parameter.name, &value.to_string())?;
        }
        anyhow::Ok(engine)
    };
    let [one, other] = spsa.pair();
    Ok([make(&one)?, make(&other)?])
}

fn save(args: &Args, spsa: &Spsa, id: &str, state: &Path) -> Result<()> {
    let lines: String = spsa
        .parameters
        .iter()
        .map(|parameter| format!("{} = {}\n", parameter.name, parameter.quantize(parameter.value)))
        .collect();
    let head = format!("# {}, {id}, after {} rounds\n", args.engine, spsa.done);
    let known = State { engine: id.into(), spsa: spsa.clone() };
    for (path, text) in [(args.out.as_path(), head + &lines), (state, serde_json::to_string(&known)?)] {
        replace_file(path, text.as_bytes()).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

fn tell(spsa: &Spsa) -> Result<()> {
    let values: Vec<String> = spsa
        .parameters
        .iter()
        .map(|parameter| format!("{}={}", parameter.name, parameter.quantize(parameter.value)))
        .collect();
    writeln!(io::stdout(), "{:>5} {}", spsa.done, values.join(" "))?;
    Ok(())
}
