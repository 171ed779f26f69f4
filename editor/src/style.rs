//! The style of the window: calm surfaces, one accent colour, readable text.

use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Theme, ThemePreference, Ui, Visuals,
};
use table::Setup;

use crate::notifications::Tone;
use crate::settings::{SeatColours, Settings};

/// Sets the style of the window according to `settings`.
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
        // The scroll bar is always visible, so that users see that content continues below.
        style.spacing.scroll = egui::style::ScrollStyle { bar_inner_margin: 3.0, ..egui::style::ScrollStyle::solid() };
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
    with_shared_style(visuals)
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
    with_shared_style(visuals)
}

fn with_shared_style(mut visuals: Visuals) -> Visuals {
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

/// Returns the text colour of a tone, readable on the background of a panel.
pub fn tone_colour(ui: &Ui, tone: Tone) -> Color32 {
    match (tone, ui.visuals().dark_mode) {
        (Tone::Good, true) => Color32::from_rgb(120, 200, 130),
        (Tone::Good, false) => Color32::from_rgb(20, 105, 45),
        (Tone::Changed, true) => Color32::from_rgb(240, 190, 90),
        (Tone::Changed, false) => Color32::from_rgb(140, 85, 0),
        (Tone::Bad, true) => Color32::from_rgb(255, 125, 110),
        (Tone::Bad, false) => Color32::from_rgb(175, 25, 15),
    }
}

/// Returns the colour of each seat: the colour in the record, or else the colour with the name of
/// the player, or else the first free colour.
pub fn seat_colours(setup: &Setup, seats: SeatColours) -> Vec<[u8; 3]> {
    let named = |name: &str| {
        let [safe, traditional] = art::named_colour(name)?;
        Some(if seats == SeatColours::Safe { safe } else { traditional })
    };
    let said = |player: &String| {
        let (_, colour) = setup.colours.iter().find(|(p, _)| p == player)?;
        named(colour).or_else(|| {
            let number = u32::from_str_radix(colour.strip_prefix('#')?, 16).ok()?;
            Some([(number >> 16) as u8, (number >> 8) as u8, number as u8])
        })
    };
    let own: Vec<Option<[u8; 3]>> = setup.players.iter().map(|p| said(p).or_else(|| named(p))).collect();
    let of_seat = |n: usize| if seats == SeatColours::Safe { art::seat_colour(n) } else { art::traditional_colour(n) };
    let mut free = (0..16).map(of_seat).filter(|c| !own.contains(&Some(*c)));
    own.iter().map(|c| c.unwrap_or_else(|| free.next().unwrap_or([128; 3]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_called_after_colours_have_them_and_others_get_what_is_left() {
        let setup =
            |players: &[&str]| Setup { players: players.iter().map(|p| (*p).to_owned()).collect(), ..Setup::default() };
        let colours = seat_colours(&setup(&["red", "anna", "blue"]), SeatColours::Safe);
        let safe = |name: &str| art::named_colour(name).map(|[safe, _]| safe);
        assert_eq!((Some(colours[0]), Some(colours[2])), (safe("red"), safe("blue")));
        assert!(colours[1] != colours[0] && colours[1] != colours[2]);
        let said = Setup { colours: vec![("anna".to_owned(), "#102030".to_owned())], ..setup(&["anna"]) };
        assert_eq!(seat_colours(&said, SeatColours::Traditional), [[0x10, 0x20, 0x30]]);
    }
}
