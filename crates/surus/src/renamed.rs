//! Commands and options that had another name before version 0.2: using one is an error that gives the new name.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// A command (for an option, also its subcommands), the former name, and the present one. A former name with a value
/// stands for that value alone.
const RENAMED: &[(&str, &str, &str)] = &[
    ("analyze", "--only", "--search-turns"),
    ("analyze", "--explain", "--eval"),
    ("archive", "query", "lookup"),
    ("archive", "synth", "generate"),
    ("archive", "--store", "--db"),
    ("archive bench", "--questions", "--queries"),
    ("archive explore", "--from", "--from-year"),
    ("archive explore", "--to", "--to-year"),
    ("archive explore", "--result undecided", "--result none"),
    ("archive export", "--columns", "--describe"),
    ("archive filter", "--from", "--since"),
    ("archive filter", "--before", "--until"),
    ("archive game", "--number", "--gameroom-id"),
    ("archive import", "--report", "--rejects"),
    ("archive import", "--wins", "--known-wins"),
    ("archive lookup", "--most", "--max-candidates"),
    ("archive lookup", "--near", "--last-moved"),
    ("archive lookup", "--plan", "--query-plan"),
    ("archive lookup", "--tier answer", "--tier setup-reply"),
    ("archive sample", "--from", "--from-year"),
    ("archive sample", "--to", "--to-year"),
    ("archive sample", "--result undecided", "--result none"),
    ("check-engine", "--patience", "--timeout"),
    ("lab", "switches", "ablation"),
    ("lab", "--page", "--report-dir"),
    ("lab geometry", "--games", "--input"),
    ("lab geometry", "--matches", "--games"),
    ("lab mcts", "--most", "--max-playouts"),
    ("lab mcts", "--settings", "--config"),
    ("lab mimic", "--games", "--input"),
    ("lab mimic", "--archive", "--archive-games"),
    ("lab mimic", "--matches", "--games"),
    ("learn data", "--mixed", "--allow-mixed"),
    ("learn data", "--salvage", "--skip-corrupt"),
    ("learn selfplay", "--adjudicate", "--resign"),
    ("learn spsa", "--keys", "--params"),
    ("learn spsa", "--rounds", "--iterations"),
    ("learn tune", "--result-share", "--result-weight"),
    ("learn tune", "--freedom", "--prior-sigma"),
    ("learn tune", "--rate", "--learning-rate"),
    ("learn tune", "--highest", "--max-score"),
    ("match", "--adjudicate-score", "--resign"),
    ("match", "--stall", "--stall-timeout"),
    ("match", "--openings own", "--openings engine"),
    ("play", "--data", "--data-dir"),
    ("play", "--store", "--db"),
    ("play", "--no-open", "--no-browser"),
    ("sprt", "--adjudicate-score", "--resign"),
    ("sprt", "--stall", "--stall-timeout"),
    ("sprt", "--openings own", "--openings engine"),
    ("tournament", "--adjudicate-score", "--resign"),
    ("tournament", "--stall", "--stall-timeout"),
    ("tournament", "--openings own", "--openings engine"),
];

/// Adds the present name to an error about a former one. `args` are the arguments without the program.
pub(crate) fn explain(mut error: Error, args: &[String], root: &Command) -> Error {
    let path = command_path(args, root);
    let Some((old, new)) = candidates(&error).iter().find_map(|name| find(&path, name)) else { return error };
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::SuggestedSubcommand);
    error.remove(ContextKind::SuggestedValue);
    let tip = ContextValue::StyledStrs(vec![StyledStr::from(format!("'{old}' was renamed to '{new}'"))]);
    error.insert(ContextKind::Suggested, tip);
    error
}

/// The names that the error may be about, the most specific first.
fn candidates(error: &Error) -> Vec<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    // An option with its placeholder, as in `--tier <TIER>`.
    let option = text(ContextKind::InvalidArg).split([' ', '=']).next().unwrap_or_default();
    match error.kind() {
        ErrorKind::InvalidSubcommand => vec![text(ContextKind::InvalidSubcommand).into()],
        ErrorKind::UnknownArgument => vec![option.into()],
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            vec![format!("{option} {}", text(ContextKind::InvalidValue)), option.into()]
        }
        _ => Vec::new(),
    }
}

fn find(path: &[&str], name: &str) -> Option<(&'static str, &'static str)> {
    let inside = |command: &str| path.starts_with(&command.split(' ').collect::<Vec<_>>());
    RENAMED.iter().find(|(command, old, _)| *old == name && inside(command)).map(|&(_, old, new)| (old, new))
}

/// The subcommands at the beginning of the arguments.
fn command_path<'a>(args: &'a [String], root: &Command) -> Vec<&'a str> {
    let mut command = root;
    args.iter()
        .map_while(|arg| {
            command = command.find_subcommand(arg)?;
            Some(arg.as_str())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    #[test]
    fn every_former_name_is_rejected_with_the_present_one() {
        for (command, old, new) in RENAMED {
            let mut args: Vec<String> = command.split(' ').chain(old.split(' ')).map(Into::into).collect();
            if !old.contains(' ') {
                args.push("x.txt".into());
            }
            let line = ["surus".to_string()].into_iter().chain(args.clone());
            let error = Cli::command().try_get_matches_from(line).unwrap_err();
            let text = explain(error, &args, &Cli::command()).to_string();
            assert!(text.contains(&format!("'{old}' was renamed to '{new}'")), "{command} {old}: {text}");
        }
    }

    #[test]
    fn every_present_name_exists() {
        for (path, _, new) in RENAMED {
            let root = Cli::command();
            let mut command = &root;
            for name in path.split(' ') {
                command = command.find_subcommand(name).unwrap();
            }
            let option = new.split(' ').next().and_then(|name| name.strip_prefix("--"));
            let has = |command: &Command| {
                option.is_some_and(|option| command.get_arguments().any(|arg| arg.get_long() == Some(option)))
            };
            let exists = match option {
                None => command.find_subcommand(new).is_some(),
                Some(_) => has(command) || command.get_subcommands().any(has),
            };
            assert!(exists, "{path} {new}");
        }
    }

    #[test]
    fn other_errors_stay_as_they_are() {
        let args = ["match".to_string(), "--nonsense".into()];
        let line = ["surus".to_string()].into_iter().chain(args.clone());
        let error = Cli::command().try_get_matches_from(line).unwrap_err();
        assert!(!explain(error, &args, &Cli::command()).to_string().contains("renamed"));
    }
}
