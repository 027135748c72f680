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

/// Tune numeric engine options by SPSA, from games of the engine against itself
///
/// Each iteration perturbs all parameters at once in both directions, plays a pair of games between the two variants, and
/// moves the parameters towards the winner. FILE is a configuration file for --config; its state is saved next to it, so
/// that --resume can continue.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn spsa mcts --params c,history_weight,progressive_bias_weight --iterations 200 --nodes 1000 --out tuned.toml
  surus learn spsa mcts --params c:0.05,c_decay:1 --iterations 500 --nodes 1000 --out tuned.toml --resume")]
pub(crate) struct Args {
    /// Engine: name[:key=value,…]
    engine: String,
    /// Options to tune, each with an optional perturbation size
    #[arg(long, value_name = "KEY[:STEP],…", value_delimiter = ',', required = true)]
    params: Vec<String>,
    /// Number of iterations, each of two games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Nodes per turn: positions searched, or playouts for mcts
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Learning rate: the change of a parameter for a won pair in the last iteration, in units of its step
    #[arg(long, value_name = "R", default_value_t = 0.1)]
    rate: f64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File of the tuned options
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue from the saved state
    #[arg(long)]
    resume: bool,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SpsaReport<'a> {
    iterations: u64,
    params: Vec<(&'a str, f64)>,
}

/// The saved state of a tuning run.
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
        let saved: State = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a saved state of `surus learn spsa`", state.display()))?;
        if saved.engine != id {
            bail!("{} was tuned with {}, which cannot be resumed with {id}", state.display(), saved.engine);
        }
        check_same_params(&saved.spsa, &initial(args)?).with_context(|| state.display().to_string())?;
        saved.spsa
    } else {
        initial(args)?
    };
    spsa.iterations = args.iterations.max(spsa.done);
    let stop = shutdown.stop();
    let options = GameOptions {
        adjudication: Adjudication { resign: None, length: Some(300) },
        stall_timeout: Duration::from_secs(600),
        stop: stop.clone(),
    };
    let limits = EngineLimits { nodes: Some(args.nodes), ..EngineLimits::default() };
    limits.check_supported(&engines::registry().make(&args.engine)?.id())?;
    while spsa.done < spsa.iterations && !stop.should_stop() {
        let [mut one, mut other] = make_pair(args, &spsa)?;
        let opening = Openings::Book { seed: args.seed }.get(spsa.done);
        let mut result = 0.0;
        for first in [true, false] {
            let sides: [&mut dyn Engine; 2] =
                if first { [one.as_mut(), other.as_mut()] } else { [other.as_mut(), one.as_mut()] };
            let played = play_game(Players::Two(sides), [limits; 2], opening.clone(), &options, &mut ());
            let Some(game) = played else { break };
            let mine = if first { Side::Gold } else { Side::Silver };
            result += game.ending().winner.map_or(0.0, |winner| if winner == mine { 0.5 } else { -0.5 });
        }
        if stop.should_stop() {
            break;
        }
        spsa.update(result);
        save(args, &spsa, &id, &state)?;
        if !args.json {
            print_values(&spsa)?;
        }
    }
    if args.json {
        let params = spsa.parameters.iter().map(|p| (p.name.as_str(), p.quantize(p.value))).collect();
        output::json(&SpsaReport { iterations: spsa.done, params })?;
    }
    Ok(shutdown.outcome(spsa.done == spsa.iterations))
}

/// A run is continued with the parameters and steps that it started with.
fn check_same_params(saved: &Spsa, requested: &Spsa) -> Result<()> {
    let params = |spsa: &Spsa| -> Vec<String> {
        spsa.parameters.iter().map(|param| format!("{}:{}", param.name, param.step)).collect()
    };
    let (saved, requested) = (params(saved), params(requested));
    if saved != requested {
        bail!("--resume with --params {}, but the saved state has {}", requested.join(","), saved.join(","));
    }
    Ok(())
}

/// The parameters with their present values.
fn initial(args: &Args) -> Result<Spsa> {
    let engine = engines::registry().make(&args.engine)?;
    let mut parameters = Vec::new();
    for param in &args.params {
        let (name, step) =
            param.split_once(':').map_or((param.as_str(), None), |(name, step)| (name, Some(step)));
        let found = engine.options().iter().find(|(spec, _)| spec.name == name);
        let Some((spec, value)) = found else {
            bail!(
                "--params {param}: {} has no option '{name}'; `surus engine {}` lists all",
                args.engine,
                args.engine
            );
        };
        if name == "seed" {
            bail!("--params {param}: a random seed cannot be tuned");
        }
        let (range, integer) = match spec.kind {
            OptionKind::Int(low, high) => ((low as f64, high as f64), true),
            OptionKind::Float(low, high) => ((low, high), false),
            OptionKind::Bool | OptionKind::Choice(_) | OptionKind::Str => {
                bail!("--params {param}: '{name}' is not numeric")
            }
        };
        let value: f64 =
            value.parse().with_context(|| format!("--params {param}: invalid number '{value}'"))?;
        let step = match step {
            Some(text) => {
                text.parse().ok().filter(|step: &f64| *step > 0.0 && step.is_finite()).with_context(|| {
                    format!("--params {param}: invalid step '{text}': expected a number above 0")
                })?
            }
            None if integer => (value.abs() / 10.0).max(1.0),
            // A fraction of the value, unless that is 0.
            None if value == 0.0 => 0.01,
            None => value.abs() / 5.0,
        };
        parameters.push(Parameter { name: name.into(), value, range, step, integer });
    }
    Ok(Spsa { parameters, done: 0, iterations: args.iterations, seed: args.seed, rate: args.rate })
}

fn make_pair(args: &Args, spsa: &Spsa) -> Result<[Box<dyn Engine>; 2]> {
    let create = |values: &[f64]| {
        let mut engine = engines::registry().make(&args.engine)?;
        for (parameter, value) in spsa.parameters.iter().zip(values) {
            engine.set_option(&parameter.name, &value.to_string())?;
        }
        anyhow::Ok(engine)
    };
    let [one, other] = spsa.pair();
    Ok([create(&one)?, create(&other)?])
}

fn save(args: &Args, spsa: &Spsa, id: &str, state: &Path) -> Result<()> {
    let lines: String = spsa
        .parameters
        .iter()
        .map(|parameter| format!("{} = {}\n", parameter.name, parameter.quantize(parameter.value)))
        .collect();
    let head = format!("# {}, {id}, after {} iterations\n", args.engine, spsa.done);
    let saved = State { engine: id.into(), spsa: spsa.clone() };
    for (path, text) in [(args.out.as_path(), head + &lines), (state, serde_json::to_string(&saved)?)] {
        replace_file(path, text.as_bytes()).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

fn print_values(spsa: &Spsa) -> Result<()> {
    let values: Vec<String> = spsa
        .parameters
        .iter()
        .map(|parameter| format!("{}={}", parameter.name, parameter.quantize(parameter.value)))
        .collect();
    writeln!(io::stdout(), "{:>5} {}", spsa.done, values.join(" "))?;
    Ok(())
}
