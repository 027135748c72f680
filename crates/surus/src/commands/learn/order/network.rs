//! The network of a model of turns.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use surus_engine::ordering::{Model, NETWORK_UNIT};
use surus_learn::network::{TrainingEvent, TrainingSettings, train_choices};
use surus_learn::ordering::{Dataset, DecisionGame, NetworkSampling, OrderingError};
use surus_play::StopToken;

use super::super::progress::Progress;
use super::super::train::hidden_size;
use super::spec::DataArgs;

#[derive(clap::Args)]
pub(super) struct NetworkArgs {
    /// Add a network with this hidden size, which scores the board after a turn; it is fitted to what the linear model leaves
    /// unexplained
    #[arg(long, value_name = "N", value_parser = hidden_size)]
    network: Option<usize>,
    /// Passes of the network's training over the decisions
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "network")]
    network_epochs: u32,
    /// Decay of the network's weights: the fraction that they lose per step, divided by the learning rate
    #[arg(long, value_name = "D", default_value_t = 0.5, requires = "network")]
    network_decay: f32,
    /// Best-ranked turns of each decision to compare with the played one, beside a third as many random ones
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(3..=10_000), requires = "network")]
    network_turns: u32,
}

/// One game in this many is held out.
const HELD_OUT_ONE_IN: usize = 20;
/// Decisions per step of the optimiser.
const BATCH: usize = 64;

impl NetworkArgs {
    /// Adds a network to a model, if one is asked for. `None` if stopped.
    pub(super) fn add_to(
        &self,
        model: Model,
        data: &DataArgs,
        dataset: &Dataset,
        out: &Path,
        (stop, quiet, seed): (&StopToken, bool, u64),
    ) -> Result<Option<Model>> {
        let Some(hidden) = self.network else { return Ok(Some(model)) };
        let best = self.network_turns as usize;
        let sampling = NetworkSampling { best, random: best / 3, seed, ..NetworkSampling::default() };
        let choices = |held_out: bool| {
            let selected = (0..).zip(&dataset.games);
            let selected = selected.filter(|(index, _)| (index % HELD_OUT_ONE_IN == 0) == held_out);
            let games: Vec<&DecisionGame> = selected.map(|(_, game)| game).collect();
            data.with_progress("ranking", stop, quiet, |work| sampling.choices(&games, &model, work))
        };
        let (train, validation) = match (choices(false), choices(true)) {
            (Err(OrderingError::Stopped), _) | (_, Err(OrderingError::Stopped)) => return Ok(None),
            (train, validation) => (train?, validation?),
        };
        let settings = TrainingSettings {
            hidden,
            epochs: self.network_epochs,
            batch_len: BATCH,
            weight_decay: self.network_decay,
            seed,
            threads: data.threads(),
            scale: (1.0 / NETWORK_UNIT) as i32,
            description: format!("turns of {}", dataset.groups.join(", ")),
            ..TrainingSettings::default()
        };
        let checkpoint = checkpoint_path(out);
        let mut bar = Progress::new("epoch 1", quiet);
        let network =
            train_choices(&train, &validation, &settings, &checkpoint, stop, &mut |event| match event {
                TrainingEvent::Progress(done, of) => bar.set(done, of),
                TrainingEvent::Epoch(report) => {
                    bar.end();
                    if !quiet {
                        let held_out = report.validation_loss.first().copied().unwrap_or_default();
                        eprintln!(
                            "epoch {:>3}: loss {:.4}, held-out {held_out:.4}",
                            report.epoch, report.train_loss
                        );
                    }
                    bar = Progress::new(&format!("epoch {}", report.epoch + 1), quiet);
                }
            })
            .context("training the network")?;
        bar.end();
        if network.is_some() {
            let _ = fs::remove_file(&checkpoint);
        }
        Ok(network.map(|network| model.with_network(network)))
    }
}

fn checkpoint_path(out: &Path) -> PathBuf {
    let mut path = out.as_os_str().to_owned();
    path.push(".checkpoint");
    path.into()
}
