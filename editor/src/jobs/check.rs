//! Checks of unsaved texts of mods.

use serde::{Deserialize, Serialize};
use workshop::checker::{CheckRequest, CheckResult};
use workshop::{FileTexts, texts_of_library};

use super::{Job, Reporter};
use crate::shown_error::ShownError;

/// Checks unsaved texts of a mod.
#[derive(Serialize, Deserialize)]
pub struct CheckJob(pub CheckRequest);

impl Job for CheckJob {
    type Report = ();
    type Output = CheckResult;

    const NAME: &'static str = "checker";

    fn run(self, _: &Reporter<'_, ()>) -> Result<CheckResult, ShownError> {
        let CheckJob(request) = self;
        Ok(CheckRequest { library: request.library.with_icon_check(art::check_icon), ..request }.check())
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        Ok(texts_of_library(&self.0.library))
    }
}
