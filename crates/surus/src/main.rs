//! The program `surus`: parses the command line, calls the libraries, prints results.

// Doc comments are help texts, in which citations such as [LG] are not links.
#![allow(rustdoc::broken_intra_doc_links)]

mod commands;
mod engines;
mod input;
mod output;
mod renamed;
mod shutdown;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use shutdown::Shutdown;

/// Arimaa engine, analysis board and bot-development toolkit
#[derive(Parser)]
#[command(
    version,
    about,
    max_term_width = 100,
    after_help = "\
Examples:
  surus                                       open the board in the browser
  surus aei                                   run as an AEI engine
  surus analyze game.txt --multipv 3          show the three best lines of a position
  surus match alphabeta greedy --games 10     play a match between two engines
  surus perft --aei 'g [rrrr…64 characters]'  count the turns of a position

Exit codes:
  0    success
  1    a check failed, or a sequential test did not accept the first engine
  2    invalid usage or input
  130  interrupted by Ctrl-C before completion; 143 by SIGTERM, 129 by SIGHUP

The first Ctrl-C stops a command cleanly, and nothing that was reported as done is lost. The second exits immediately.
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
    Run(commands::run::Args),
    Suite(commands::arena::suite::Args),
    Archive(commands::archive::Args),
    Gameroom(commands::gameroom::Args),
    Learn(commands::learn::Args),
    Net(commands::net::Args),
    Lab(commands::lab::Args),
    Guard(commands::guard::Args),
}

/// The result of a command that did not fail: exit codes 0, 1 and 128 + signal. Errors exit with 2.
pub(crate) enum CommandStatus {
    Success,
    /// A check failed, and the reason was printed.
    Failure,
    /// This signal arrived before completion.
    Interrupted(i32),
}

fn main() -> ExitCode {
    if let Err(message) = check_cpu_features() {
        eprintln!("{message}");
        return ExitCode::from(2);
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        let args: Vec<String> =
            std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
        renamed::explain(error, &args, &Cli::command()).exit()
    });
    match cli.command {
        // The board has an asynchronous runtime, which handles signals itself.
        None => conclude(commands::play::run(&commands::play::Args::default()), 0),
        Some(Command::Play(args)) => conclude(commands::play::run(&args), 0),
        Some(command) => match Shutdown::install() {
            Ok(shutdown) => conclude(run(&command, &shutdown), shutdown.signal()),
            Err(error) => conclude(Err(error), 0),
        },
    }
}

fn run(command: &Command, shutdown: &Shutdown) -> anyhow::Result<CommandStatus> {
    match command {
        Command::Play(args) => commands::play::run(args),
        Command::Aei(args) => commands::aei::run(args, shutdown),
        Command::CheckEngine(args) => commands::check_engine::run(args),
        Command::Getmove(args) => commands::getmove::run(args),
        Command::Analyze(args) => commands::analyze::run(args, shutdown),
        Command::Bench(args) => commands::bench::run(args),
        Command::Perft(args) => commands::perft::run(args),
        Command::Engine(args) => commands::engine::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Tactics(args) => commands::tactics::run(args),
        Command::Geometry(args) => commands::geometry::run(args),
        Command::Match(args) => commands::arena::matches::run(args, shutdown),
        Command::Tournament(args) => commands::arena::tournament::run(args, shutdown),
        Command::Sprt(args) => commands::arena::sprt::run(args, shutdown),
        Command::Ratings(args) => commands::arena::ratings::run(args),
        Command::Run(args) => commands::run::run(args, shutdown),
        Command::Merge(args) => commands::arena::merge::run(args),
        Command::Suite(args) => commands::arena::suite::run(args, shutdown),
        Command::Archive(args) => commands::archive::run(args, shutdown),
        Command::Gameroom(args) => commands::gameroom::run(args, shutdown),
        Command::Learn(args) => commands::learn::run(args, shutdown),
        Command::Net(args) => commands::net::run(args),
        Command::Lab(args) => commands::lab::run(args, shutdown),
        Command::Guard(args) => commands::guard::run(args, shutdown),
    }
}

/// Prints the error, if any, and returns the exit code. An error after a signal is attributed to the signal.
fn conclude(result: anyhow::Result<CommandStatus>, signal: i32) -> ExitCode {
    let interrupted = |signal: i32| ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX));
    match result {
        Ok(CommandStatus::Success) => ExitCode::SUCCESS,
        Ok(CommandStatus::Failure) => ExitCode::FAILURE,
        Ok(CommandStatus::Interrupted(signal)) => interrupted(signal),
        // The reader of our output has closed the pipe.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("surus: {}", output::printable(&format!("{error:#}")));
            if signal == 0 { ExitCode::from(2) } else { interrupted(signal) }
        }
    }
}

/// The build uses instructions that processors before about 2013 lack.
#[cfg(target_arch = "x86_64")]
fn check_cpu_features() -> Result<(), &'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let (fma_movbe_avx, avx2_bmi) = (1 << 12 | 1 << 22 | 1 << 28, 1 << 3 | 1 << 5 | 1 << 8);
    let supported = __cpuid(0).eax >= 7
        && __cpuid(1).ecx & fma_movbe_avx == fma_movbe_avx
        && __cpuid_count(7, 0).ebx & avx2_bmi == avx2_bmi;
    if supported {
        return Ok(());
    }
    Err(
        "surus: this build requires AVX2, BMI2 and FMA (most processors since 2013). Build it for this one with\n\
         RUSTFLAGS='-Ctarget-cpu=native' cargo build --release",
    )
}

#[cfg(not(target_arch = "x86_64"))]
fn check_cpu_features() -> Result<(), &'static str> {
    Ok(())
}
