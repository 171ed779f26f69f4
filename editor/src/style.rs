//! How the window looks: calm surfaces, one accent, texts that can be read.

use egui::{Color32, Context, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Theme, ThemePreference, Visuals};

use crate::settings::Settings;

/// Sets the look of the window by `settings`.
pub fn set(ctx: &Context, settings: &Settings) {
    ctx.set_theme(match settings.dark {
        Some(true) => ThemePreference::Dark,
        Some(false) => ThemePreference::Light,
        None => ThemePreference::System,
    });
    ctx.set_zoom_factor(settings.scale.clamp(0.6, 3.0));
    ctx.set_visuals_of(Theme::Dark, dark());
    ctx.set_visuals_of(Theme::Light, light());
    let motion = if settings.motion { 0.1 } else { 0.0 };
    ctx.all_styles_mut(|style| {
        style.animation_time = motion;
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.interaction.tooltip_delay = 0.25;
        let font = |size: f32| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Heading, font(18.0));
        style.text_styles.insert(TextStyle::Body, font(13.5));
        style.text_styles.insert(TextStyle::Button, font(13.5));
        style.text_styles.insert(TextStyle::Small, font(11.5));
    });
}

fn dark() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = Color32::from_rgb(34, 36, 38);
    visuals.window_fill = Color32::from_rgb(40, 42, 45);
    visuals.extreme_bg_color = Color32::from_rgb(24, 25, 27);
    visuals.faint_bg_color = Color32::from_rgb(42, 44, 47);
    visuals.override_text_color = Some(Color32::from_rgb(226, 224, 218));
    visuals.weak_text_color = Some(Color32::from_rgb(165, 163, 158));
    visuals.selection.bg_fill = Color32::from_rgb(38, 92, 138);
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(200, 225, 245));
    visuals.hyperlink_color = Color32::from_rgb(125, 185, 235);
    shared(visuals)
}

fn light() -> Visuals {
    let mut visuals = Visuals::light();
    visuals.panel_fill = Color32::from_rgb(246, 243, 236);
    visuals.window_fill = Color32::from_rgb(251, 249, 244);
    visuals.extreme_bg_color = Color32::from_rgb(255, 255, 255);
    visuals.faint_bg_color = Color32::from_rgb(238, 234, 225);
    visuals.override_text_color = Some(Color32::from_rgb(38, 36, 32));
    visuals.weak_text_color = Some(Color32::from_rgb(98, 94, 86));
    visuals.selection.bg_fill = Color32::from_rgb(176, 211, 238);
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(10, 60, 100));
    visuals.hyperlink_color = Color32::from_rgb(0, 90, 150);
    shared(visuals)
}

fn shared(mut visuals: Visuals) -> Visuals {
    let radius = CornerRadius::same(5);
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = radius;
    }
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals
}
