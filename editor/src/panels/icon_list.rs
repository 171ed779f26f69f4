//! The list of icons for themes, as pictures. The editor of looks and the help both show this list.

use std::sync::Arc;

use egui::{Button, Image, Role, ScrollArea, Ui, Vec2, WidgetInfo};
use workshop::{ICON_GROUPS, builtin_icons};

use super::widgets::search_field;
use crate::pictures::PictureSubject;
use crate::ui_context::UiContext;

/// The side of the icons in the list, in points.
const ICON_SIDE: f32 = 26.0;

/// The icons in the folder of a mod: the path of each icon in themes, such as `icons/crown.svg`,
/// and its SVG.
pub type OwnIcons = [(String, Arc<str>)];

/// Returns the subject of the picture of the icon that a theme calls `name`. Returns `None` if
/// there is no such icon.
pub fn icon_subject(name: &str, own: &OwnIcons) -> Option<PictureSubject> {
    let own_icon = own.iter().find(|(path, _)| path == name).map(|(_, svg)| PictureSubject::Svg(svg.clone()));
    own_icon.or_else(|| {
        builtin_icons().find(|(builtin, _)| *builtin == name).map(|(builtin, _)| PictureSubject::Icon(builtin))
    })
}

/// Draws a search field and the icons of a mod, followed by the built-in icons. The list is at most
/// `height` points high. Returns the name of the icon that the user clicks, if any. `words` is the
/// search text, and `about` is added to the tooltip of each icon.
pub fn icon_list(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    words: &mut String,
    own: &OwnIcons,
    about: &str,
    height: f32,
) -> Option<String> {
    let search = search_field(words, "Search icons").desired_width(140.0);
    ui.add(search).accessible_name("Search icons");
    let mut chosen = None;
    ScrollArea::vertical().id_salt("icons").max_height(height).show(ui, |ui| {
        chosen = icon_pictures(ui, cx, words, own, about);
    });
    chosen
}

/// Draws the icons of [`icon_list`] without its search field.
pub fn icon_pictures(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    words: &str,
    own_icons: &OwnIcons,
    about: &str,
) -> Option<String> {
    let words = words.trim().to_lowercase();
    let own: Vec<&str> = own_icons.iter().map(|(path, _)| path.as_str()).collect();
    let groups = ICON_GROUPS.iter().map(|group| (group.title, group.icons.iter().map(|(name, _)| *name).collect()));
    let groups = std::iter::once(("In the folder of the mod", own)).chain(groups);
    let mut chosen = None;
    let mut n_found = 0;
    ui.spacing_mut().item_spacing = Vec2::splat(3.0);
    for (title, icons) in groups {
        let is_named = title.to_lowercase().contains(&words);
        let found: Vec<&str> =
            icons.into_iter().filter(|name| is_named || name.to_lowercase().contains(&words)).collect();
        if found.is_empty() {
            continue;
        }
        n_found += found.len();
        ui.weak(title);
        ui.horizontal_wrapped(|ui| {
            for name in found {
                let subject = icon_subject(name, own_icons);
                let texture = subject.and_then(|subject| cx.pictures.get(ui.ctx(), subject, ICON_SIDE));
                let Some(texture) = texture else { continue };
                let button = ui.add(Button::image(Image::new((texture, Vec2::splat(ICON_SIDE)))));
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Icon {name}")));
                if button.on_hover_text(format!("{name}{about}")).clicked() {
                    chosen = Some(name.to_owned());
                }
            }
        });
    }
    if n_found == 0 {
        ui.weak("No matching icon. Try fewer letters.");
    }
    chosen
}
