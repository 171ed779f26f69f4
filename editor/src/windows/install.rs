//! The window that installs a mod. It shows the contents of the mod before it writes anything.

use std::path::PathBuf;

use egui::{Button, Context, RichText, ScrollArea, Ui, vec2};
use workshop::{Package, PackageContents};

use super::new_mod::folder_choice;
use super::place;
use crate::actions::{Action, PackageAction};
use crate::notifications::Tone;
use crate::panels::widgets::pluralized;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the names and sizes of the files in a package.
pub(super) fn package_files(ui: &mut Ui, package: &Package) {
    for (name, n_bytes) in package.files() {
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).monospace().size(12.0));
            ui.weak(format!("{n_bytes} bytes"));
        });
    }
}

/// The window and the package that it shows.
#[derive(Default)]
pub struct InstallWindow {
    looked_at: Option<(Package, PackageContents)>,
    places: Vec<PathBuf>,
    place: usize,
}

impl InstallWindow {
    /// Shows a package that the user may install into one of the folders `places`. If a mod with
    /// the same id is already installed, offers only the folder that contains this mod.
    pub fn begin(&mut self, package: Package, contents: PackageContents, places: Vec<PathBuf>) {
        let beside = contents.installed.as_ref().and_then(|(_, folder)| folder.parent().map(PathBuf::from));
        let places = beside.map_or(places, |beside| vec![beside]);
        *self = InstallWindow { looked_at: Some((package, contents)), places, place: 0 };
    }

    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.install {
            return;
        }
        let mut is_open = true;
        place::centred(ctx, "Install a mod", [520.0, 380.0]).open(&mut is_open).show(ctx, |ui| self.body(ui, cx));
        cx.view_state.windows.install &= is_open;
    }

    fn body(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let Some((package, contents)) = &self.looked_at else { return };
        ui.heading(format!("{} {}", package.title, package.version));
        ui.label(&package.about);
        ui.weak(format!(
            "{} · {} · {} · {} · {} kB",
            package.id,
            pluralized(contents.n_tiles, "kind of tile", "kinds of tiles"),
            pluralized(contents.functions.len(), "script function", "script functions"),
            pluralized(contents.n_tests, "test", "tests"),
            contents.n_bytes.div_ceil(1024),
        ));
        ui.weak("Its script cannot read files or use the network. The mod affects only games that use it.");
        for problem in &contents.problems {
            ui.colored_label(tone_colour(ui, Tone::Changed), problem);
        }
        ScrollArea::vertical().max_height((ui.available_height() - 110.0).max(60.0)).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            package_files(ui, package);
            for name in &package.left_out {
                ui.weak(format!("{name}: skipped, not part of a mod"));
            }
        });
        ui.separator();
        ui.horizontal(|ui| {
            let label = ui.label("Into");
            let choice = folder_choice(ui, ("place to install", 300.0), &self.places, &mut self.place);
            choice.labelled_by(label.id);
        });
        let text = match &contents.installed {
            Some((version, _)) => {
                let new = &package.version;
                let text = format!("Version {version} is installed. {new} replaces it; a copy stays in `.replaced`.");
                ui.colored_label(tone_colour(ui, Tone::Changed), text);
                format!("Replace {version}")
            }
            None => "Install".to_owned(),
        };
        ui.horizontal(|ui| {
            let button = Button::new(RichText::new(text).strong()).min_size(vec2(110.0, 28.0));
            if ui.add_enabled(!self.places.is_empty(), button).clicked()
                && let Some(place) = self.places.get(self.place)
            {
                let (package, replaces) = (Box::new(package.clone()), contents.installed.is_some());
                cx.request_action(Action::Package(PackageAction::Install(package, place.clone(), replaces)));
            }
            cx.view_state.windows.install &= !ui.button("Cancel").clicked();
        });
    }
}
