//! Covers of mods, for the list of games and expansions. A job paints them one after another; each
//! is painted once.

use std::sync::Arc;

use egui::{Context, TextureHandle, TextureId, TextureOptions};
use rustc_hash::FxHashMap;
use table::{Library, ModOnDisk};

pub use crate::jobs::COVER_ASPECT;
use crate::jobs::{CoversJob, JobHandle, PaintedCover};

/// A finished cover.
struct Cover {
    picture: TextureHandle,
    n_tiles: usize,
}

/// The covers of all mods on disk.
#[derive(Default)]
pub struct Covers {
    /// The mods and the palette of the covers.
    key: Option<(Arc<Vec<ModOnDisk>>, Option<String>)>,
    found: FxHashMap<String, Cover>,
    painting: Option<JobHandle<PaintedCover, ()>>,
}

impl Covers {
    /// Collects the covers that are ready. Starts to paint all covers if `mods` or the palette have
    /// changed; until then, the old covers stay. Call this once per frame while covers are shown.
    pub fn refresh(&mut self, ctx: &Context, library: &Library, mods: &Arc<Vec<ModOnDisk>>, palette: Option<&str>) {
        let is_known =
            |(of, own): &(Arc<Vec<ModOnDisk>>, Option<String>)| Arc::ptr_eq(of, mods) && own.as_deref() == palette;
        if !self.key.as_ref().is_some_and(is_known) && !mods.is_empty() {
            self.key = Some((mods.clone(), palette.map(str::to_owned)));
            let ids = mods.iter().filter(|it| it.error.is_none()).map(|it| it.id.clone()).collect();
            let job = CoversJob { library: library.clone(), ids, palette: palette.map(str::to_owned) };
            self.painting = Some(JobHandle::start(ctx, job));
        }
        let Some(painting) = &self.painting else { return };
        let ended = painting.poll(|PaintedCover { id, image, n_tiles }| {
            let picture = ctx.load_texture(format!("cover of {id}"), image, TextureOptions::LINEAR);
            self.found.insert(id, Cover { picture, n_tiles });
        });
        if ended.is_some() {
            // Without the job, the list shows empty covers.
            self.painting = None;
        }
    }

    /// Returns the picture of the mod `id`, and the number of its tiles. Returns `None` if the
    /// cover is not ready yet, or if the mod cannot be loaded.
    pub fn get(&self, id: &str) -> Option<(TextureId, usize)> {
        self.found.get(id).map(|cover| (cover.picture.id(), cover.n_tiles))
    }
}
