//! Zones cover the tile at every facing, and their pictures are valid SVG and PNG files.
#![allow(clippy::unwrap_used)]

mod land;

use art::{Cover, Detail, LandPattern, LandStyle, Painter, Picture, Pose, Symbol, TileVariant, ZoneShape, check_icon};
use board::{EdgeStyle, Facing, Tile, TileIdx, TileSet};
use kurbo::{Affine, Line, Shape as _, Vec2};
use theme::{Colour, Theme, ThemeFile};

/// Returns a painter of `tile_set` with a theme that consists of `text`.
fn painter_of(tile_set: &TileSet, text: &str) -> Painter {
    let text = format!("[kind.stream]\nstyle = \"water\"\n{text}");
    let file = ThemeFile { owner: "test".to_owned(), label: "theme.toml".to_owned(), text, icons: Default::default() };
    let (theme, problems) = Theme::read(&[file], check_icon);
    assert_eq!(problems, []);
    Painter::new(tile_set, &theme, theme.suggested_palette())
}

fn painter() -> Painter {
    painter_of(&land::land(), "")
}

fn tiles() -> impl Iterator<Item = (TileIdx, String)> {
    let names: Vec<String> = land::land().tiles.into_iter().map(|t| t.name).collect();
    names.into_iter().enumerate().map(|(i, name)| (TileIdx(i as u16), name))
}

fn inside(shape: &ZoneShape, x: f32, y: f32) -> bool {
    let mut odd = false;
    for contour in &shape.outline {
        for (i, a) in contour.iter().enumerate() {
            let b = contour[(i + 1) % contour.len()];
            odd ^= (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0];
        }
    }
    odd
}

#[test]
fn zones_are_the_tile_and_do_not_overlap() {
    let painter = painter();
    for (tile, name) in tiles() {
        for facing in Facing::ALL {
            let zones = painter.zones(tile, facing);
            let (mut bare, mut twice, mut n) = (0, 0, 0);
            for x in 0..60 {
                for y in 0..60 {
                    let (x, y) = ((x as f32 + 0.47) / 60.0, (y as f32 + 0.53) / 60.0);
                    let holders = zones.iter().filter(|z| inside(z, x, y)).count();
                    bare += usize::from(holders == 0);
                    twice += usize::from(holders > 1);
                    n += 1;
                }
            }
            assert!(bare * 200 < n, "{name} at {facing}: {bare} of {n} points are in no zone");
            assert!(twice * 200 < n, "{name} at {facing}: {twice} of {n} points are in several zones");
        }
    }
}

#[test]
fn every_zone_has_a_place_of_its_own() {
    let painter = painter();
    for (tile, name) in tiles() {
        let zones = painter.zones(tile, Facing::default());
        let mut firsts: Vec<[f32; 2]> = Vec::new();
        for (z, zone) in zones.iter().enumerate() {
            assert!(!zone.outline.is_empty(), "{name}: zone {z} has no outline");
            let first = *zone.places.first().unwrap_or_else(|| panic!("{name}: zone {z} has no place"));
            assert_eq!(painter.zone_at(tile, Facing::default(), first), Some(z), "{name}: {first:?}");
            for other in &firsts {
                let far = (other[0] - first[0]).hypot(other[1] - first[1]);
                // The more zones a tile has, the closer together their places are.
                let least = if zones.len() > 6 { 0.15 } else { 0.2 };
                assert!(far > least, "{name}: {other:?} and {first:?} are {far} apart");
            }
            firsts.push(first);
        }
    }
}

#[test]
fn turning_a_tile_turns_its_zones() {
    let painter = painter();
    for (tile, name) in tiles() {
        for facing in Facing::ALL {
            let next = Facing::from_quarters(facing.quarters() + 1);
            for (a, b) in painter.zones(tile, facing).iter().zip(painter.zones(tile, next)) {
                let (a, b) = (a.outline.iter().flatten(), b.outline.iter().flatten());
                let fits = a.zip(b).all(|(a, b)| (1.0 - a[1] - b[0]).abs() < 1e-5 && (a[0] - b[1]).abs() < 1e-5);
                assert!(fits, "{name} at {facing}");
            }
            let point = [0.31, 0.12];
            let turned = [1.0 - point[1], point[0]];
            assert_eq!(painter.zone_at(tile, facing, point), painter.zone_at(tile, next, turned), "{name} at {facing}");
        }
    }
    assert_eq!(painter.zone_at(TileIdx(0), Facing::default(), [1.2, 0.5]), None);
}

#[test]
fn painters_are_shared_by_threads() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    is_shared(&painter());
}

#[test]
fn pictures_are_svg_and_the_same_each_time() {
    let (one, two) = (painter(), painter());
    for (tile, name) in tiles() {
        for facing in Facing::ALL {
            for detail in [Detail::Shapes, Detail::Roofs, Detail::Full] {
                let svg = one.tile(tile, facing, TileVariant::of_copy(1), detail).to_svg(128);
                assert_eq!(svg, two.tile(tile, facing, TileVariant::of_copy(1), detail).to_svg(128), "{name}");
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name} at {facing}");
                usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
        let copies =
            [0, 1].map(|copy| one.tile(tile, Facing::default(), TileVariant::of_copy(copy), Detail::Full).to_svg(128));
        assert_ne!(copies[0], copies[1], "two copies of {name} are never quite the same");
    }
    let piece = one.piece("walker", Pose::Lying, [0, 114, 178], Symbol::Drop).to_svg(64);
    usvg::Tree::from_str(&piece, &usvg::Options::default()).unwrap();
    let letters = |pose: Pose| one.piece("nameless", pose, [0, 114, 178], Symbol::Drop).to_svg(64);
    assert_ne!(letters(Pose::Standing), letters(Pose::Lying), "a piece without an icon lies on its side too");
    assert!(!one.tile_back().shapes().is_empty() && !one.icon_of_tag("crown", None).shapes().is_empty());
}

#[test]
fn a_town_has_roofs_at_every_size_and_fewer_on_small_tiles() {
    let (painter, land) = (painter(), land::land());
    let tile = land.tile_named("test/all").unwrap();
    let widths = [24, 48, 128];
    assert_eq!(widths.map(Detail::for_width), [Detail::Shapes, Detail::Roofs, Detail::Full]);
    // In a town, only the roofs are red.
    let share_of_roofs = |width: u32| {
        let pixels = painter
            .tile(tile, Facing::default(), TileVariant::default(), Detail::for_width(width))
            .to_pixels(width)
            .unwrap();
        let is_red = |p: &&[u8]| f32::from(p[0]) > 1.5 * f32::from(p[1]);
        pixels.rgba.chunks_exact(4).filter(is_red).count() as f32 / (width * width) as f32
    };
    for width in widths {
        let share = share_of_roofs(width);
        assert!((0.15..0.7).contains(&share), "{width} pixels: {share}");
    }
    let n_shapes =
        |detail: Detail| painter.tile(tile, Facing::default(), TileVariant::default(), detail).shapes().len();
    assert!(n_shapes(Detail::Shapes) < n_shapes(Detail::Roofs) && n_shapes(Detail::Roofs) < n_shapes(Detail::Full));
}

/// Returns the centres and the directions of the roofs in a picture, which are its red rectangles.
/// Directions are angles modulo a quarter turn.
fn roofs(picture: &Picture) -> Vec<(kurbo::Point, f64)> {
    let roof = |shape: &art::Shape| {
        let art::Paint::Fill(colour) = shape.paint else { return None };
        let points: Vec<kurbo::Point> = shape.path.elements().iter().filter_map(|e| e.end_point()).collect();
        let [a, b, _, d] = points[..] else { return None };
        let is_roof = f32::from(colour.r) > 1.4 * f32::from(colour.g) && (b - a).hypot() < 0.2;
        is_roof.then(|| (b.midpoint(d), (b - a).atan2().rem_euclid(std::f64::consts::FRAC_PI_2)))
    };
    picture.shapes().iter().filter_map(roof).collect()
}

#[test]
fn neighbouring_houses_stand_in_the_same_direction() {
    let (painter, land) = (painter(), land::land());
    // Along curved walls, the direction changes a little from house to house; this tile has none.
    let tile = land.tile_named("test/all").unwrap();
    for (copy, detail) in (0..4).flat_map(|copy| [(copy, Detail::Roofs), (copy, Detail::Full)]) {
        let found = roofs(&painter.tile(tile, Facing::default(), TileVariant::of_copy(copy), detail));
        let (mut n, mut n_aligned) = (0, 0);
        for (at, direction) in &found {
            // The parts of a roof lie closer together than two houses.
            let others = found.iter().map(|(other, angle)| ((*other - *at).hypot(), angle)).filter(|o| o.0 > 0.035);
            let Some((_, nearest)) = others.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let turn = (direction - nearest).abs();
            n += 1;
            n_aligned += usize::from(turn.min(std::f64::consts::FRAC_PI_2 - turn) < 0.1);
        }
        assert!(n > 40 && n_aligned * 20 > n * 17, "copy {copy}: {n_aligned} of {n} roofs are aligned");
    }
}

#[cfg(feature = "pixels")]
#[test]
fn a_road_has_a_dark_edge_at_every_size() {
    let (painter, land) = (painter(), land::land());
    let tile = land.tile_named("test/bridge").unwrap();
    for width in [24, 35, 48, 64, 100, 200] {
        let pixels = painter
            .tile(tile, Facing::default(), TileVariant::default(), Detail::for_width(width))
            .to_pixels(width)
            .unwrap();
        // The brightness of a column of pixels in which the road from east to west lies.
        let at = |y: u32| ((y * width + width / 8) * 4) as usize;
        let column: Vec<u32> =
            (0..width).map(|y| pixels.rgba[at(y)..at(y) + 3].iter().map(|c| u32::from(*c)).sum()).collect();
        let middle = column.len() / 2;
        let (ground, road) = (column[middle / 2], column[middle]);
        for side in [&column[middle / 2..middle], &column[middle..middle + middle / 2]] {
            let edge = *side.iter().min().unwrap();
            assert!(edge + 60 < ground && ground < road, "{width} pixels: {ground}, {edge}, {road}");
        }
    }
}

#[cfg(feature = "pixels")]
#[test]
fn a_building_has_pale_walls_at_every_size_and_a_town_has_not() {
    let (painter, land) = (painter(), land::land());
    // The share of pixels in the pale colours of the walls of buildings.
    let share_of_walls = |name: &str, width: u32| {
        let tile = land.tile_named(&format!("test/{name}")).unwrap();
        let pixels = painter
            .tile(tile, Facing::default(), TileVariant::default(), Detail::for_width(width))
            .to_pixels(width)
            .unwrap();
        let is_pale = |p: &&[u8]| p[..3].iter().all(|channel| *channel > 208);
        pixels.rgba.chunks_exact(4).filter(is_pale).count() as f32 / (width * width) as f32
    };
    for width in [24, 32, 40, 64, 80, 128, 200] {
        let (building, town) = (share_of_walls("tower", width), share_of_walls("all", width));
        // A sign is larger than a building.
        let least = if width < 80 { 0.03 } else { 0.015 };
        assert!(building > least && building > 3.0 * town, "{width} pixels: {building} and {town}");
    }
}

/// Returns the pixels of a tile, each as its red, green and blue, with the zones of `complete` in
/// complete features.
#[cfg(feature = "pixels")]
fn pixels_of(painter: &Painter, tile: TileIdx, complete: u32, width: u32) -> Vec<[u8; 3]> {
    let look = TileVariant { copy: 0, complete };
    let pixels = painter.tile(tile, Facing::default(), look, Detail::for_width(width)).to_pixels(width).unwrap();
    pixels.rgba.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect()
}

/// Land of every style, also the land of a mod without a theme.
#[cfg(feature = "pixels")]
#[test]
fn complete_land_looks_different_at_every_size() {
    let land = land::land_with_new_kinds();
    let painters = [painter_of(&land, ""), painter_of(&land, "[kind.stone]\nstyle = \"wooded\"\n")];
    for (painter, width) in painters.iter().flat_map(|painter| [24, 32, 48, 64, 100].map(|width| (painter, width))) {
        for name in ["all", "one", "corner", "bridge", "stream", "tower", "vineyard", "lake", "canal"] {
            let tile = land.tile_named(&format!("test/{name}")).unwrap();
            let [open, complete] = [0, 1].map(|complete| pixels_of(painter, tile, complete, width));
            let differ = |(a, b): &(&[u8; 3], &[u8; 3])| a.iter().zip(*b).map(|(a, b)| a.abs_diff(*b)).max() > Some(14);
            let share = open.iter().zip(&complete).filter(differ).count() as f32 / open.len() as f32;
            assert!(share > 0.02, "{name}, {width} pixels: only {share} of the picture differs");
        }
    }
}

#[cfg(feature = "pixels")]
#[test]
fn open_ground_and_other_zones_do_not_change_when_a_feature_is_complete() {
    let (painter, land) = (painter(), land::land());
    let tile = land.tile_named("test/two").unwrap();
    // The stone in the north is complete, the stone in the west is not.
    let [before, after] = [0, 1].map(|complete| pixels_of(&painter, tile, complete, 64));
    let zones = painter.zones(tile, Facing::default());
    let changes = |zone: usize, margin: f32| {
        let is_deep = |x: f32, y: f32| {
            [(-margin, 0.0), (margin, 0.0), (0.0, -margin), (0.0, margin)]
                .iter()
                .all(|(dx, dy)| inside(&zones[zone], x + dx, y + dy))
        };
        let at = |i: usize| ((i % 64) as f32 / 64.0, (i / 64) as f32 / 64.0);
        (0..64 * 64).filter(|i| is_deep(at(*i).0, at(*i).1) && before[*i] != after[*i]).count()
    };
    assert!(changes(0, 0.09) > 30, "{}", changes(0, 0.09));
    // The shadow of the wall falls on the ground beside it.
    assert_eq!([changes(1, 0.13), changes(2, 0.13)], [0, 0]);
}

/// The thin rim of tiles would cut roads and rivers in pieces.
#[cfg(feature = "pixels")]
#[test]
fn no_rim_crosses_a_road_or_a_river() {
    let (painter, land) = (painter(), land::land());
    let brightness = |p: [u8; 3]| p.iter().map(|channel| i32::from(*channel)).sum::<i32>();
    for (name, width) in ["through", "stream"].into_iter().flat_map(|name| [96, 128].map(|width| (name, width))) {
        let pixels = pixels_of(&painter, land.tile_named(&format!("test/{name}")).unwrap(), 0, width);
        let at = |x: f32, y: usize| brightness(pixels[y * width as usize + (x * width as f32) as usize]);
        assert!((at(0.5, 0) - at(0.5, 2)).abs() < 36, "{name}, {width} pixels: {} and {}", at(0.5, 0), at(0.5, 2));
        assert!(at(0.2, 0) + 40 < at(0.2, 2), "{name}, {width} pixels: the rim is visible on open ground");
    }
}

#[test]
fn walls_and_icons_of_small_tiles_are_wide_enough_to_see() {
    let (painter, land) = (painter(), land::land());
    // This tile has a wall and an icon of letters.
    let tile = land.tile_named("test/one").unwrap();
    let palette = painter.palette();
    for width in [30, 40, 60] {
        let picture = painter.tile(tile, Facing::default(), TileVariant::default(), Detail::for_width(width));
        let wall = picture.shapes().iter().filter_map(|shape| match shape.paint {
            art::Paint::Line { colour, width } if colour == palette.wall_dark => Some(width),
            _ => None,
        });
        let icon = picture.shapes().iter().filter_map(|shape| match shape.paint {
            art::Paint::Fill(colour) if colour == palette.ink => Some(shape.path.bounding_box().width()),
            _ => None,
        });
        let points = |part: f64| part * f64::from(width);
        let (wall, icon) = (points(wall.fold(0.0, f64::max)), points(icon.fold(0.0, f64::max)));
        assert!(wall >= 3.0 && icon >= 9.0, "{width} pixels: a wall of {wall} and an icon of {icon}");
    }
}

#[test]
fn a_piece_stands_in_front_of_a_building_and_not_on_it() {
    let (painter, land) = (painter(), land::land());
    for (name, facing) in ["tower", "beside"].into_iter().flat_map(|name| Facing::ALL.map(|facing| (name, facing))) {
        let tile = land.tile_named(&format!("test/{name}")).unwrap();
        let building =
            land.tile(tile).zones.iter().position(|zone| land.kind(zone.kind).edge == EdgeStyle::Inside).unwrap();
        let (middle, radius) = painter.icon_circles(tile, facing)[0];
        let places: Vec<[f32; 2]> = painter.zones(tile, facing).iter().map(|zone| zone.places[0]).collect();
        let place = places[building];
        let aside = [f64::from(place[0]) - middle[0], f64::from(place[1]) - middle[1]];
        assert!(aside[0].hypot(aside[1]) > 0.8 * radius, "{name} at {facing}: {aside:?}");
        assert!(aside[1] > 0.0, "{name} at {facing}: the piece is not behind the building");
        assert_eq!(painter.zone_at(tile, facing, place), Some(building), "{name} at {facing}");
        for other in places.iter().filter(|other| **other != place) {
            let far = (other[0] - place[0]).hypot(other[1] - place[1]);
            assert!(far > 0.2, "{name} at {facing}: {other:?} and {place:?} are {far} apart");
        }
    }
}

/// In the smallest picture of a piece that the window uses, going inwards from the left, a line
/// between the ground and the piece contrasts with both.
#[cfg(feature = "pixels")]
#[test]
fn a_small_piece_stands_out_from_every_ground() {
    let painter = painter();
    let palette = painter.palette();
    let grounds = [palette.ground, palette.ground_dark, palette.path, palette.water, palette.town, palette.roof_1];
    let grounds = grounds.into_iter().chain([palette.roof_2, palette.wood_1, palette.wood, palette.yard, palette.wall]);
    let width = 24;
    for (ground, seat) in grounds.flat_map(|ground| (0..8).map(move |seat| (ground, seat))) {
        for colour in [art::seat_colour(seat), art::traditional_colour(seat)] {
            let pixels = painter.piece("walker", Pose::Standing, colour, Symbol::None).to_pixels(width).unwrap();
            let row = 17 * width as usize;
            let seen = |x: usize| {
                let p = &pixels.rgba[(row + x) * 4..][..4];
                ground.mix(Colour::from([p[0], p[1], p[2]]), f64::from(p[3]) / 255.0)
            };
            let line = (0..11).map(|x| seen(x).contrast(ground)).fold(1.0, f64::max);
            assert!(line >= 3.0, "{colour:?} on {ground:?}: a line with a contrast of {line}");
            let fill = Colour::from(colour);
            let inner = (0..11).map(|x| seen(x).contrast(fill)).fold(1.0, f64::max);
            assert!(inner >= 3.0, "{colour:?} on {ground:?}: a line with a contrast of {inner} to the piece");
        }
    }
}

/// Draws `tile` 40 pixels wide. Returns a function from a facing in degrees and a pixel to the
/// colour of that pixel. The tile called `name`, which may lie below an overlay, has a picture: its
/// north is red, its south blue.
#[cfg(feature = "pixels")]
fn colours_with_own_picture(tile_set: TileSet, name: &str, tile: &str) -> impl Fn(u16, usize, usize) -> [u8; 3] {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\"><rect width=\"10\" height=\"10\" fill=\"#0000ff\"/>\
               <rect width=\"10\" height=\"5\" fill=\"#ff0000\"/></svg>";
    let text = format!("[tile.{name}]\npicture = \"icons/own.svg\"\n");
    let icons = [("icons/own.svg".to_owned(), svg.to_owned())].into();
    let file = ThemeFile { owner: "test".to_owned(), label: "theme.toml".to_owned(), text, icons };
    let (theme, problems) = Theme::read(&[file], check_icon);
    assert_eq!(problems, []);
    let tile = tile_set.tile_named(tile).unwrap();
    let painter = Painter::new(&tile_set, &theme, theme.suggested_palette());
    move |degrees: u16, x: usize, y: usize| {
        let pixels = painter
            .tile(tile, Facing::from_degrees(degrees.into()).unwrap(), TileVariant::default(), Detail::Full)
            .to_pixels(40)
            .unwrap();
        let i = (y * 40 + x) * 4;
        [pixels.rgba[i], pixels.rgba[i + 1], pixels.rgba[i + 2]]
    }
}

#[cfg(feature = "pixels")]
const RED: [u8; 3] = [255, 0, 0];
#[cfg(feature = "pixels")]
const BLUE: [u8; 3] = [0, 0, 255];

/// The picture of a tile replaces its land, fills the tile and turns with it.
#[cfg(feature = "pixels")]
#[test]
fn a_tile_may_have_a_picture_of_its_own() {
    let at = colours_with_own_picture(land::land(), "crossing", "test/crossing");
    assert_eq!([at(0, 20, 5), at(0, 20, 35), at(0, 3, 3)], [RED, BLUE, RED]);
    assert_eq!([at(90, 35, 20), at(90, 5, 20)], [RED, BLUE], "north is east after a quarter turn clockwise");
}

/// An overlay is drawn over the picture of the tile below it. The land of that tile is not drawn.
#[cfg(feature = "pixels")]
#[test]
fn an_overlay_lies_over_the_picture_of_a_tile() {
    let land = land::land();
    let track = land.tiles[land.tile_named("test/bridge").unwrap().0 as usize].zones[0].clone();
    let arch = Tile { name: "test/arch".to_owned(), is_overlay: true, zones: vec![track], ..Tile::default() };
    let tiles = land.tiles.into_iter().chain([arch]).collect();
    let tile_set = TileSet::new(land.kinds, land.tags, land.layers, tiles).unwrap().with_overlays().unwrap();
    let at = colours_with_own_picture(tile_set, "spring", "test/spring+test/arch");
    assert_eq!([at(0, 4, 10), at(0, 36, 20), at(0, 36, 36)], [RED, BLUE, BLUE], "the picture is beside the bridge");
    assert!([at(0, 20, 8), at(0, 20, 32)].iter().all(|colour| ![RED, BLUE].contains(colour)), "the bridge is over it");
}

#[cfg(feature = "pixels")]
#[test]
fn rims_of_one_sort_look_the_same() {
    let painter = painter();
    let land = land::land();
    let width = 128;
    // Returns pixels from the middle of the northern rim, inside the thin line. Both tiles of a
    // pair have the same northern edge.
    let row = |name: &str| -> Vec<[u8; 3]> {
        let tile = land.tile_named(&format!("test/{name}")).unwrap();
        let pixels =
            painter.tile(tile, Facing::default(), TileVariant::default(), Detail::Full).to_pixels(width).unwrap();
        let at = |x: u32| ((2 * width + x) * 4) as usize;
        (48..80).map(at).map(|i| [pixels.rgba[i], pixels.rgba[i + 1], pixels.rgba[i + 2]]).collect()
    };
    let differ = |a: Vec<[u8; 3]>, b: Vec<[u8; 3]>| -> f64 {
        let n = a.len() as f64;
        let pairs = a.iter().flatten().zip(b.iter().flatten().copied().collect::<Vec<_>>());
        pairs.map(|(a, b)| f64::from(a.abs_diff(b))).sum::<f64>() / n / 3.0
    };
    assert!(differ(row("crossing"), row("bridge")) < 10.0, "tracks cross the rim alike");
    assert!(differ(row("nothing"), row("tower")) < 10.0, "open ground is alike along the rim");
    assert!(differ(row("one"), row("all")) < 22.0, "stone is alike along the rim");
    assert!(differ(row("one"), row("nothing")) > 30.0, "stone is no open ground");
    let png = painter
        .tile(TileIdx(0), Facing::default(), TileVariant::default(), Detail::Full)
        .to_pixels(16)
        .unwrap()
        .to_png()
        .unwrap();
    assert_eq!(png[1..4], *b"PNG");
}

/// Roads have round ends, which would extend beyond their tile.
#[test]
fn what_hangs_over_a_picture_is_cut_off_beside_others() {
    let mut tile = Picture::default();
    tile.line(Line::new((0.5, 0.5), (1.0, 0.5)).to_path(0.1), Colour::hex(0xaa0000), 0.4);
    let (mut beside, mut over) = (Picture::new(2.0, 1.0), Picture::new(2.0, 1.0));
    beside.put_clipped(&tile, Vec2::ZERO);
    over.put(&tile, Affine::IDENTITY);
    let alpha = |picture: &Picture, x: usize| picture.to_pixels(40).unwrap().rgba[(10 * 40 + x) * 4 + 3];
    assert_eq!([alpha(&beside, 19), alpha(&beside, 20)], [255, 0]);
    assert_eq!([alpha(&over, 19), alpha(&over, 20)], [255, 255]);
    assert_eq!([&beside, &over].map(|it| it.to_svg(40).matches("clip-path=").count()), [1, 0]);
    // If two pictures on one page share an id, its definition is the same in both.
    let mut moved = Picture::new(2.0, 1.0);
    moved.put_clipped(&tile, Vec2::new(1.0, 0.0));
    assert!(beside.to_svg(40).contains("\"url(#c0_0_1000_1000)\""));
    assert!(moved.to_svg(40).contains("\"url(#c1000_0_2000_1000)\""));
}

/// Returns the covers of the new kinds, in order.
fn covers_of_new_kinds(painter: &Painter, tile_set: &TileSet) -> Vec<Cover> {
    let kind = |(name, ..): (&str, EdgeStyle, &str)| painter.cover(tile_set.kind_named(name).unwrap()).unwrap();
    land::NEW_KINDS.map(kind).to_vec()
}

#[test]
fn each_new_kind_has_a_colour_and_a_pattern_of_its_own() {
    let land = land::land_with_new_kinds();
    let painter = painter_of(&land, "");
    let style = |name: &str| painter.style(land.kind_named(name).unwrap());
    let known = ["stone", "track", "moor", "tower", "stream"].map(style);
    assert_eq!(known, [LandStyle::Walled, LandStyle::Path, LandStyle::Ground, LandStyle::Building, LandStyle::Water]);
    let found = covers_of_new_kinds(&painter, &land);
    for (i, one) in found.iter().enumerate() {
        assert_ne!(one.pattern, LandPattern::Plain);
        for other in found.iter().skip(i + 1) {
            assert!(one.colour != other.colour && one.pattern != other.pattern, "{one:?} and {other:?}");
        }
    }
    // The name of a kind determines its look: removing a later kind does not change the look, but
    // the theme can.
    let mut fewer = land.kinds.clone();
    fewer.truncate(land.kinds.len() - 1);
    let tiles = land.tiles.iter().filter(|tile| tile.name != "test/heath").cloned().collect();
    let fewer = TileSet::new(fewer, land.tags.clone(), land.layers.clone(), tiles).unwrap();
    let cover = |painter: &Painter, set: &TileSet, name: &str| painter.cover(set.kind_named(name).unwrap()).unwrap();
    for name in ["vineyard", "lake", "canal"] {
        assert_eq!(cover(&painter_of(&fewer, ""), &fewer, name), cover(&painter, &land, name));
    }
    let own = painter_of(&land, "[kind.lake]\ncolour = \"#123456\"\nedge = \"#abcdef\"\npattern = \"plain\"\n");
    let lake = Cover { colour: Colour::hex(0x12_3456), edge: Colour::hex(0xab_cdef), pattern: LandPattern::Plain };
    assert_eq!(cover(&own, &land, "lake"), lake);
    // A kind does not take the colour or the pattern that the theme gives to a later kind.
    let vineyard = found[0];
    let pattern = LandPattern::ALL.iter().find(|(_, it)| *it == vineyard.pattern).unwrap().0;
    let text = format!("[kind.lake]\ncolour = \"{}\"\npattern = \"{pattern}\"\n", vineyard.colour);
    let other = cover(&painter_of(&land, &text), &land, "vineyard");
    assert!(other.colour != vineyard.colour && other.pattern != vineyard.pattern, "{other:?}");
}

/// Two tracks that end in the middle of a tile must not look like one track through the tile.
#[cfg(feature = "pixels")]
#[test]
fn the_ends_of_tracks_differ_from_a_track_that_goes_on() {
    let (painter, land) = (painter(), land::land());
    // The mean colour of a square around the middle of the tile or, with `dy`, north of it.
    let mean = |name: &str, dy: usize| -> [i32; 3] {
        let tile = land.tile_named(&format!("test/{name}")).unwrap();
        let pixels =
            painter.tile(tile, Facing::default(), TileVariant::default(), Detail::Full).to_pixels(128).unwrap();
        let at = |i: usize| ((61 - dy + i / 6) * 128 + 61 + i % 6) * 4;
        [0, 1, 2].map(|channel| (0..36).map(|i| i32::from(pixels.rgba[at(i) + channel])).sum::<i32>() / 36)
    };
    let difference =
        |dy: usize| -> i32 { mean("through", dy).iter().zip(mean("ends", dy)).map(|(a, b)| (a - b).abs()).sum() };
    assert!(difference(0) > 60, "{:?} and {:?}", mean("through", 0), mean("ends", 0));
    assert!(difference(40) < 40, "the tracks are alike: {:?} and {:?}", mean("through", 40), mean("ends", 40));
}

#[cfg(feature = "pixels")]
#[test]
fn new_kinds_look_different_from_all_other_land() {
    let land = land::land_with_new_kinds();
    let painter = painter_of(&land, "");
    // Tiles with new kinds of land come first, then tiles with known kinds.
    let names = ["vineyard", "lake", "heath", "all", "nothing", "stream"];
    let pixels = |name: &str, width: u32| -> Vec<[i32; 3]> {
        let tile = land.tile_named(&format!("test/{name}")).unwrap();
        let picture = painter
            .tile(tile, Facing::default(), TileVariant::default(), Detail::for_width(width))
            .to_pixels(width)
            .unwrap();
        let colour = |p: &[u8]| [p[0], p[1], p[2]].map(i32::from);
        picture.rgba.chunks_exact(4).map(colour).collect()
    };
    let mean = |name: &str, width: u32| -> [i32; 3] {
        let all = pixels(name, width);
        [0, 1, 2].map(|i| all.iter().map(|p| p[i]).sum::<i32>() / all.len() as i32)
    };
    for width in [24, 128] {
        for (i, one) in names.iter().enumerate().take(3) {
            for other in names.iter().skip(i + 1) {
                let (a, b) = (mean(one, width), mean(other, width));
                let difference: i32 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
                assert!(difference > 40, "{one} {a:?} and {other} {b:?}, {width} pixels wide");
            }
        }
    }
    // Every part of the new land shows its pattern: each quarter of the tile has two tones.
    for name in ["vineyard", "lake", "heath"] {
        let cover = painter.cover(land.kind_named(name).unwrap()).unwrap().colour.rgb().map(i32::from);
        let all = pixels(name, 128);
        for quarter in 0..4 {
            let (left, top) = (quarter % 2 * 64, quarter / 2 * 64);
            let own = all.iter().enumerate().filter(|(i, _)| (left..left + 64).contains(&(i % 128)));
            let own: Vec<_> = own.filter(|(i, _)| (top..top + 64).contains(&(i / 128))).map(|(_, p)| *p).collect();
            let n_plain = own.iter().filter(|p| **p == cover).count();
            assert!(n_plain > own.len() / 3 && n_plain < own.len() * 19 / 20, "{name}: {n_plain} of {}", own.len());
        }
    }
    // The canal is a line in its colour, from rim to rim.
    let canal = painter.cover(land.kind_named("canal").unwrap()).unwrap();
    let all = pixels("canal", 128);
    for row in [4, 30, 100, 123] {
        let n = all[row * 128..(row + 1) * 128].iter().filter(|p| **p == canal.edge.rgb().map(i32::from)).count();
        assert!(n > 0, "row {row} shows no border of the canal");
    }
}

#[test]
fn the_painter_can_draw_every_built_in_icon() {
    let painter = painter();
    let letters = painter.builtin_icon("no such icon");
    for (name, svg) in theme::builtin_icons() {
        check_icon(svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let picture = painter.builtin_icon(name);
        assert!(picture != letters && picture.shapes().len() > 1, "{name}");
        // Two tones, and all within the square.
        let bounds = picture.shapes().iter().map(|shape| shape.path.bounding_box());
        let all = bounds.reduce(|a, b| a.union(b)).unwrap();
        let is_inside = [all.x0, all.y0, all.x1, all.y1].iter().all(|x| (-0.01..=1.01).contains(x));
        assert!(is_inside && all.width().max(all.height()) > 0.6, "{name}: {all:?}");
    }
}
