//! The program `surus`: reads the command line, calls the libraries, prints.

mod commands;
mod engines;
mod input;
mod output;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The workbench for the game of Arimaa.
#[derive(Parser)]
#[command(
    version,
    about,
    max_term_width = 100,
    after_help = "\
Examples:
  surus                                       play a game
  surus aei                                   an AEI engine for any controller
  surus analyze game.txt --multipv 3          what the engine thinks of a position
  surus perft --aei 'g [rrrr…64 characters]'  count the turns of a position

Every command has examples in its own --help."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(commands::play::Args),
    Aei(commands::aei::Args),
    CheckEngine(commands::check_engine::Args),
    Getmove(commands::getmove::Args),
    Analyze(commands::analyze::Args),
    Bench(commands::bench::Args),
    Perft(commands::perft::Args),
    Engine(commands::engine::Args),
    Replay(commands::replay::Args),
    Tactics(commands::tactics::Args),
    Geometry(commands::geometry::Args),
    Match(commands::arena::matches::Args),
    Tournament(commands::arena::tournament::Args),
    Sprt(commands::arena::sprt::Args),
    Ratings(commands::arena::ratings::Args),
    Merge(commands::arena::merge::Args),
    Suite(commands::arena::suite::Args),
    Archive(commands::archive::Args),
    Learn(commands::learn::Args),
    Lab(commands::lab::Args),
}

/// How a command went: 0 and 1 of the exit codes; 2 is an error.
pub(crate) enum Outcome {
    Success,
    /// A check failed; what was wrong has been said.
    Failure,
}

fn main() -> ExitCode {
    if let Err(message) = processor_is_able() {
        eprintln!("{message}");
        return ExitCode::from(2);
    }
    let run = match Cli::parse().command {
        None => commands::play::run(&commands::play::Args::default()),
        Some(Command::Play(args)) => commands::play::run(&args),
        Some(Command::Aei(args)) => commands::aei::run(&args),
        Some(Command::CheckEngine(args)) => commands::check_engine::run(&args),
        Some(Command::Getmove(args)) => commands::getmove::run(&args),
        Some(Command::Analyze(args)) => commands::analyze::run(&args),
        Some(Command::Bench(args)) => commands::bench::run(&args),
        Some(Command::Perft(args)) => commands::perft::run(&args),
        Some(Command::Engine(args)) => commands::engine::run(&args),
        Some(Command::Replay(args)) => commands::replay::run(&args),
        Some(Command::Tactics(args)) => commands::tactics::run(&args),
        Some(Command::Geometry(args)) => commands::geometry::run(&args),
        Some(Command::Match(args)) => commands::arena::matches::run(&args),
        Some(Command::Tournament(args)) => commands::arena::tournament::run(&args),
        Some(Command::Sprt(args)) => commands::arena::sprt::run(&args),
        Some(Command::Ratings(args)) => commands::arena::ratings::run(&args),
        Some(Command::Merge(args)) => commands::arena::merge::run(&args),
        Some(Command::Suite(args)) => commands::arena::suite::run(&args),
        Some(Command::Archive(args)) => commands::archive::run(&args),
        Some(Command::Learn(args)) => commands::learn::run(&args),
        Some(Command::Lab(args)) => commands::lab::run(&args),
    };
    match run {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::Failure) => ExitCode::FAILURE,
        // Whoever reads our output has seen enough.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("surus: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The build uses instructions that a processor from before about 2013 lacks.
#[cfg(target_arch = "x86_64")]
fn processor_is_able() -> Result<(), &'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let (fma_movbe_avx, avx2_bmi) = (1 << 12 | 1 << 22 | 1 << 28, 1 << 3 | 1 << 5 | 1 << 8);
    let able = 7 <= __cpuid(0).eax
        && __cpuid(1).ecx & fma_movbe_avx == fma_movbe_avx
        && __cpuid_count(7, 0).ebx & avx2_bmi == avx2_bmi;
    if able {
        return Ok(());
    }
    Err(
        "surus: this build needs a processor with AVX2, BMI2 and FMA (most since 2013). Build it for yours with\n\
         RUSTFLAGS='-Ctarget-cpu=native' cargo build --release",
    )
}

#[cfg(not(target_arch = "x86_64"))]
fn processor_is_able() -> Result<(), &'static str> {
    Ok(())
}
