//! Records of a folder, replayed under the current rules.

use egui::Context;
use workshop::corpus::CorpusTotals;

use super::App;
use crate::actions::CorpusAction;

impl App {
    /// Performs an action on the records of a folder.
    pub(super) fn act_on_corpus(&mut self, ctx: &Context, action: CorpusAction) {
        match action {
            CorpusAction::Replay(folder) => {
                self.view_state.windows.corpus = true;
                let seen = self.snapshot.clone();
                self.dialogs.corpus.choose(ctx, seen.library(), seen.mods_revision(), folder);
            }
            CorpusAction::Open(file, at) => self.inspect_game(file, at),
        }
    }

    /// Returns the totals of the last replay of a folder's records; `None` while a replay is in
    /// progress and before the first one.
    pub fn corpus_totals(&self) -> Option<CorpusTotals> {
        self.dialogs.corpus.totals()
    }
}
