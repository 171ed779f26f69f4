//! A frame: what has changed meanwhile, what was pressed, the panels, and what they asked for.

use std::path::Path;
use std::time::{Duration, Instant};

use egui::{Context, Ui};
use table::{Outcome, Waits, Watcher};

use super::App;
use super::begin::painter;
use crate::command::pressed;
use crate::layout::{self, Docked, Pane};
use crate::notifications::Tone;
use crate::settings::Hints;
use crate::ui_context::{Action, UiContext};
use crate::windows;
use crate::{chrome, style};

impl App {
    /// Draws a frame and does what was asked for in it.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.take_over_changes();
        self.move_on(&ctx);
        self.pictures.collect(&ctx);
        self.view_state.turns_freely = self.settings.hints == Hints::Purist;
        for command in pressed(&ctx) {
            self.command(&ctx, command);
        }
        let mut actions = Vec::new();
        self.draw(ui, &mut actions);
        for action in actions {
            self.act(&ctx, action);
        }
        self.view_state.shown = std::mem::take(&mut self.view_state.lit);
        self.keep_settings(&ctx);
    }

    pub(super) fn draw(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let ctx = ui.ctx().clone();
        let colours = style::seat_colours(self.session.setup(), self.settings.seats);
        let mut cx = UiContext {
            session: &self.session,
            insight: &mut self.insight,
            pictures: &mut self.pictures,
            view_state: &mut self.view_state,
            settings: &mut self.settings,
            notifications: &self.notifications,
            actions,
            colours,
            is_playing: self.is_playing,
            time: self.started.elapsed(),
        };
        chrome::menu(ui, &mut cx);
        chrome::status(ui, &mut cx);
        chrome::time(ui, &mut cx);
        chrome::banner(ui, &mut cx);
        windows::welcome(ui, &mut cx);
        let mut docked = Docked { cx: &mut cx, board: &mut self.board, is_edited: false };
        let room = egui::Frame::new().fill(ui.visuals().panel_fill);
        egui::CentralPanel::default().frame(room).show(ui, |ui| self.tree.ui(&mut docked, ui));
        let is_edited = docked.is_edited;
        windows::remaining(&ctx, &mut cx);
        windows::track(&ctx, &mut cx);
        windows::breakdown(&ctx, &mut cx);
        windows::big_tile(&ctx, &mut cx);
        windows::game_setup(&ctx, &mut cx);
        windows::keys(&ctx, &mut cx);
        windows::settings(&ctx, &mut cx);
        windows::about(&ctx, &mut cx);
        self.new_game.show(&ctx, &mut cx);
        self.palette.show(&ctx, &mut cx);
        if let Some(action) = self.files.show(&ctx, || self.session.record_text()) {
            match action {
                Ok(action) => actions.push(action),
                Err((tone, text)) => self.notifications.tell(self.started.elapsed(), tone, text),
            }
        }
        if is_edited {
            self.keep_layout();
        }
    }

    /// Remembers where the panels are.
    pub(super) fn keep_layout(&mut self) {
        self.settings.layout = serde_json::to_value(&self.tree).ok();
    }

    /// Lets chance and bots answer, and plays a line.
    pub(super) fn move_on(&mut self, ctx: &Context) {
        let now = self.started.elapsed();
        if !self.session.is_live() {
            let pause = Duration::from_secs_f32(1.0 / self.settings.play_speed.max(0.1));
            if self.is_playing {
                if now >= self.last_move + pause {
                    let at = self.session.at();
                    self.session.go_to(at + 1);
                    self.last_move = now;
                }
                ctx.request_repaint_after(pause);
            }
            return;
        }
        // Nobody waits for chance.
        self.session.deal();
        if let Waits::Bot(_) = self.session.waits()
            && self.is_playing
        {
            let pause = Duration::from_secs_f32(self.settings.bot_pause.max(0.0));
            if now >= self.last_move + pause {
                self.session.advance();
                self.session.deal();
                self.last_move = now;
            }
            ctx.request_repaint_after(pause);
        }
    }

    /// Reads mods again whose files have changed.
    pub(super) fn take_over_changes(&mut self) {
        let changed = self.watcher.as_mut().and_then(Watcher::try_changes);
        if changed.is_some_and(|files| files.iter().any(|f| is_of_mods(f))) {
            self.reload(None);
        }
        self.look_after_pictures();
    }

    /// Lets everything be painted anew where mods or settings want it to look otherwise.
    pub(super) fn look_after_pictures(&mut self) {
        let now = (self.session.mods_revision(), self.settings.palette.clone());
        if self.painted == now {
            return;
        }
        self.painted = now;
        let theme = self.session.loaded().theme();
        let palette = self.settings.palette.as_deref().unwrap_or(theme.suggested_palette());
        if !self.pictures.painter().draws(self.session.tile_set(), theme, palette) {
            self.pictures.set_painter(painter(&self.session, &self.settings));
        }
    }

    pub(super) fn reload(&mut self, ids: Option<&[String]>) {
        let begun = Instant::now();
        let outcome = match ids {
            Some(ids) => self.session.use_mods(ids),
            None => self.session.reload_mods(),
        };
        let took = begun.elapsed().as_secs_f64() * 1000.0;
        match outcome {
            Outcome::Untouched => {
                self.tell(Tone::Good, format!("mods read again in {took:.0} ms: the rules are the same"));
            }
            Outcome::Same => self.tell(Tone::Good, format!("same: nothing in this game is different ({took:.0} ms)")),
            Outcome::Changed(summary) => self.tell(Tone::Changed, format!("{summary} ({took:.0} ms)")),
            Outcome::Diverged(summary) => self.tell(Tone::Changed, summary),
            Outcome::Failed(problems) => {
                let n = problems.n_errors();
                let first = problems.list().first().map(ToString::to_string).unwrap_or_default();
                let more = if n > 1 { format!(", and {} more", n - 1) } else { String::new() };
                self.tell(Tone::Bad, format!("not taken over: {first}{more}"));
                layout::show(&mut self.tree, Pane::Problems);
            }
        }
    }

    pub(super) fn keep_settings(&mut self, ctx: &Context) {
        if self.settings == self.kept {
            return;
        }
        if self.settings.palette != self.kept.palette || self.settings.seats != self.kept.seats {
            ctx.request_repaint();
        }
        style::set(ctx, &self.settings);
        self.kept = self.settings.clone();
        if let Some(Err(error)) = self.data.as_deref().map(|folder| self.settings.write(folder)) {
            self.tell(Tone::Bad, format!("settings cannot be kept: {error}"));
            // Told once; the next change tries again.
        }
    }
}

/// Whether a file of a mod is one that the game is made of.
fn is_of_mods(file: &Path) -> bool {
    let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    // Deleted folders have no ending.
    matches!(ending, "toml" | "rhai" | "svg" | "")
}
