//! Examples of a look: pictures of pieces, icons and tiles.

use art::{Pose, TileVariant, seat_symbol};
use egui::{Image, Ui, Vec2};
use table::{Facing, Seat, TileIdx, TileSet, TilesView};
use workshop::{EdgeStyle, LookSection, LookSubject, TileDraft, first_ground, layouts};

use crate::pictures::{OtherPainter, PictureSubject};
use crate::ui_context::UiContext;

/// The side of the pictures above the fields of a look, in points.
pub(super) const PREVIEW_SIDE: f32 = 84.0;

/// Returns the subject of the picture of a piece of the first player.
pub(super) fn piece_picture(cx: &UiContext<'_>, name: &str, pose: Pose) -> PictureSubject {
    PictureSubject::Piece(name.to_owned(), pose, cx.rgb(Seat(0)), seat_symbol(0))
}

/// Draws examples of a look: the piece in both poses, the icon of the tag, and tiles with the land
/// or tag.
pub(super) fn preview(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    tile_set: &TileSet,
    painter: &OtherPainter,
    subject: &LookSubject,
    mod_id: &str,
) {
    let name = &subject.name;
    let mut pictures = match subject.section {
        LookSection::Kind => Vec::new(),
        LookSection::Piece => [Pose::Standing, Pose::Lying].map(|pose| piece_picture(cx, name, pose)).to_vec(),
        LookSection::Tag => vec![PictureSubject::Tag(name.clone(), None)],
    };
    pictures.extend(tiles_with(tile_set, subject, mod_id));
    ui.horizontal(|ui| {
        for what in pictures {
            if let Some(texture) = cx.pictures.get_by_other(ui.ctx(), painter, what, PREVIEW_SIDE) {
                ui.add(Image::new((texture, Vec2::splat(PREVIEW_SIDE))));
            }
        }
    });
    ui.add_space(4.0);
}

/// Returns a tile that has land of the kind `name`, and otherwise only ground. Returns `None` if
/// there is no such kind or tile.
pub(super) fn sample_tile(tile_set: &TileSet, name: &str) -> Option<TileDraft> {
    let kind = tile_set.kind_named(name)?;
    let ground = first_ground(tile_set).and_then(|name| tile_set.kind_named(name)).unwrap_or(kind);
    let is_inside = tile_set.kind(kind).edge == EdgeStyle::Inside;
    let north = if is_inside { ground } else { kind };
    let layouts = layouts(tile_set, [north, ground, ground, ground], is_inside.then_some(kind));
    let first = layouts.into_iter().next()?;
    Some(TileDraft { id: "sample".to_owned(), ..first.draft })
}

/// Returns the pictures of up to four tiles with a kind of land or a tag. If the mod `mod_id` has
/// such tiles, returns only its tiles.
pub(super) fn tiles_with(tile_set: &TileSet, subject: &LookSubject, mod_id: &str) -> Vec<PictureSubject> {
    let tiles = TilesView::of(tile_set);
    let has_it = |tile: &TileIdx| match subject.section {
        LookSection::Kind => {
            tile_set.tile(*tile).zones.iter().any(|zone| tile_set.kind(zone.kind).name == subject.name)
        }
        LookSection::Tag => tiles.tags(*tile).iter().any(|tag| tag.tag == subject.name),
        LookSection::Piece => false,
    };
    let is_own = |tile: &TileIdx| tiles.name(*tile).split_once('/').is_some_and(|(owner, _)| owner == mod_id);
    let all = || (0..tile_set.tiles.len() as u16).map(TileIdx);
    let own: Vec<TileIdx> = all().filter(|tile| is_own(tile) && has_it(tile)).take(4).collect();
    let shown = if own.is_empty() { all().filter(has_it).take(4).collect() } else { own };
    shown.into_iter().map(|tile| PictureSubject::Tile(tile, Facing::default(), TileVariant::default())).collect()
}
