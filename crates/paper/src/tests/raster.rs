//! Rasterised sheets: sizes, places, bleed and marks as they come out of a printer.

use std::collections::BTreeMap;
use std::fs;

use art::check_icon;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::Pixmap;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use loader::{Library, Loaded};
use testkit::mods_folder;

use super::{PAPERS, owned};
use crate::{BackPlacement, PrintOptions, print};

/// The number of pixels in an inch.
const DPI: f64 = 150.0;
/// The number of millimetres in a pixel.
const PIXEL: f64 = 25.4 / DPI;

/// A tile with a blue disc in the middle and a red disc in each corner. The centres of the red
/// discs are a tenth of the width from the edges.
const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">\
    <rect width=\"100\" height=\"100\" fill=\"#20c060\"/><path d=\"M44 44H56V56H44Z\" fill=\"#2030e0\"/>\
    <g fill=\"#e02020\"><path d=\"M15 15h10v10h-10Z\"/><path d=\"M75 15h10v10h-10Z\"/>\
    <path d=\"M15 75h10v10h-10Z\"/><path d=\"M75 75h10v10h-10Z\"/></g></svg>";

/// Returns a mod with `n` copies of the tile.
fn measured(n: usize) -> Loaded {
    let temp = tempfile::tempdir().unwrap();
    let own = temp.path().join("measured");
    fs::create_dir_all(own.join("icons")).unwrap();
    let manifest = "[mod]\nid = \"measured\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n";
    fs::write(own.join("mod.toml"), manifest).unwrap();
    fs::write(own.join("tiles.toml"), format!("[tile]\nA = {{ count = {n}, road = \"n-s\" }}\n")).unwrap();
    fs::write(own.join("theme.toml"), "[tile.A]\npicture = \"icons/a.svg\"\n").unwrap();
    fs::write(own.join("icons/a.svg"), PICTURE).unwrap();
    let library = Library::open(&[mods_folder(), temp.path().to_owned()]).with_icon_check(check_icon);
    let (loaded, problems) = library.load(&["measured"]);
    loaded.unwrap_or_else(|| panic!("{}", problems.render(false)))
}

fn rasterised(pdf: Vec<u8>) -> Vec<Pixmap> {
    let pdf = Pdf::new(pdf).unwrap();
    let cache = RenderCache::new();
    let scale = (25.4 / 72.0 / PIXEL) as f32;
    let into = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let settings = InterpreterSettings::default();
    pdf.pages().iter().map(|page| render(page, &cache, &settings, &RenderSettings::default(), &into)).collect()
}

/// Returns the colour at a point in millimetres.
fn at(page: &Pixmap, [x, y]: [f64; 2]) -> [u8; 3] {
    let index = (y / PIXEL) as usize * usize::from(page.width()) + (x / PIXEL) as usize;
    let pixel = page.data()[index];
    [pixel.r, pixel.g, pixel.b]
}

/// Returns the fraction of a pixel, from 0 to 1, that a square of the colour `own` covers on the
/// green ground of the tile. Returns 0 if the colour of the pixel is no mixture of `own` and green.
fn coverage(own: [u8; 3], pixel: [u8; 3]) -> f64 {
    const GROUND: [u8; 3] = [0x20, 0xc0, 0x60];
    let share = |i: usize| {
        let [own, ground, found] = [own[i], GROUND[i], pixel[i]].map(f64::from);
        (found - ground) / (own - ground)
    };
    let shares = (0..3).filter(|i| own[*i] != GROUND[*i]).map(share);
    let [least, most] = [shares.clone().fold(1.0, f64::min), shares.fold(0.0, f64::max)];
    let is_same = (0..3).all(|i| own[i] != GROUND[i] || pixel[i].abs_diff(own[i]) < 30);
    if is_same && most - least < 0.1 { least.max(0.0) } else { 0.0 }
}

/// Returns the centres, in millimetres, of all connected areas that are larger than `least` square
/// millimetres. `share` is the share of a pixel that belongs to an area, from 0 to 1.
fn centres(page: &Pixmap, share: impl Fn([u8; 3]) -> f64, least: f64) -> Vec<[f64; 2]> {
    let width = usize::from(page.width());
    let mut shares: Vec<f64> = page.data().iter().map(|pixel| share([pixel.r, pixel.g, pixel.b])).collect();
    let mut found = Vec::new();
    for start in 0..shares.len() {
        if shares[start] <= 0.0 {
            continue;
        }
        let (mut sum, mut n, mut todo) = ([0.0; 2], 0.0, vec![start]);
        while let Some(i) = todo.pop() {
            let here = std::mem::take(&mut shares[i]);
            if here <= 0.0 {
                continue;
            }
            n += here;
            sum[0] += here * ((i % width) as f64 + 0.5);
            sum[1] += here * ((i / width) as f64 + 0.5);
            todo.extend([i.checked_sub(1), i.checked_sub(width)].into_iter().flatten());
            todo.extend([i + 1, i + width].into_iter().filter(|i| *i < shares.len()));
        }
        if n * PIXEL * PIXEL > least {
            found.push(sum.map(|sum| sum / n * PIXEL));
        }
    }
    found
}

/// Returns the centres of all faces, after checking the size of each face and its bleed.
fn faces(page: &Pixmap, tile: f64, bleed: f64) -> Vec<[f64; 2]> {
    let faces = centres(page, |pixel| coverage([0x20, 0x30, 0xe0], pixel), 5.0);
    let corners = centres(page, |pixel| coverage([0xe0, 0x20, 0x20], pixel), 5.0);
    assert_eq!(corners.len(), 4 * faces.len());
    for [x, y] in &faces {
        let near = |right: f64, down: f64| {
            let expected = [x + right * 0.3 * tile, y + down * 0.3 * tile];
            let off = |corner: &&[f64; 2]| (corner[0] - expected[0]).hypot(corner[1] - expected[1]);
            corners.iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap()
        };
        let [left_top, right_top] = [near(-1.0, -1.0), near(1.0, -1.0)];
        let [left_bottom, right_bottom] = [near(-1.0, 1.0), near(1.0, 1.0)];
        let widths = [right_top[0] - left_top[0], right_bottom[0] - left_bottom[0]];
        let heights = [left_bottom[1] - left_top[1], right_bottom[1] - right_top[1]];
        for length in widths.iter().chain(&heights) {
            // The centres of red discs are 0.6 tile widths apart.
            let found = length / 0.6;
            assert!((found - tile).abs() < 0.05, "a tile at {x}, {y} is {found} mm wide or high");
        }
        for along in [-0.45, -0.2, 0.0, 0.2, 0.45].map(|part| part * tile) {
            let rim = tile / 2.0 + bleed / 2.0;
            for [dx, dy] in [[rim, along], [-rim, along], [along, rim], [along, -rim]] {
                let [r, g, b] = at(page, [x + dx, y + dy]);
                assert!(g > 150 && r < 100 && b < 150, "no bleed beside {x}, {y}: {r} {g} {b}");
            }
        }
    }
    faces
}

/// Returns the centres of all backs. The centre of a back is the centre of the town square.
fn backs(page: &Pixmap, loaded: &Loaded) -> Vec<[f64; 2]> {
    let theme = loaded.theme();
    let square = theme.palette(theme.suggested_palette()).back.darken(0.12).rgb();
    let is_near = |pixel: [u8; 3]| (0..3).all(|i| pixel[i].abs_diff(square[i]) <= 4);
    centres(page, |pixel| f64::from(is_near(pixel)), 25.0)
}

/// Checks that each point of `expected` has a point of `found` within a tenth of a millimetre.
fn assert_same(expected: &[[f64; 2]], found: &[[f64; 2]]) {
    assert_eq!(expected.len(), found.len());
    for [x, y] in expected {
        let off = found.iter().map(|at| (at[0] - x).hypot(at[1] - y)).fold(f64::INFINITY, f64::min);
        assert!(off < 0.1, "nothing is at {x}, {y}: the nearest is {off} mm away");
    }
}

/// Checks that a mark in the upper margin stands above both edges of each face.
fn assert_marked(page: &Pixmap, faces: &[[f64; 2]], tile: f64) {
    let width = usize::from(page.width());
    let row = &page.data()[(3.0 / PIXEL) as usize * width..][..width];
    let mut marks: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    let mut n_marks = 0;
    for (i, pixel) in row.iter().enumerate() {
        let ink = f64::from(255 - pixel.g);
        if ink < 10.0 {
            n_marks = i + 1;
            continue;
        }
        let (sum, weight) = marks.entry(n_marks).or_default();
        *sum += ink * (i as f64 + 0.5) * PIXEL;
        *weight += ink;
    }
    let marks: Vec<f64> = marks.values().map(|(sum, weight)| sum / weight).collect();
    for edge in faces.iter().flat_map(|[x, _]| [x - tile / 2.0, x + tile / 2.0]) {
        assert!(marks.iter().any(|mark| (mark - edge).abs() < 0.05), "no mark at {edge}: {marks:?}");
    }
}

#[test]
fn tiles_have_their_size_and_each_back_lies_behind_its_face() {
    for (n, papers) in [(1, &PAPERS[..]), (23, &PAPERS[..]), (300, &PAPERS[..1])] {
        let loaded = measured(n);
        for paper in papers {
            let [width, height] = paper.size();
            let printed = |backs| {
                let options = PrintOptions { paper: *paper, backs, ..PrintOptions::default() };
                rasterised(print(&loaded, &owned(&["measured"]), &options).unwrap().pdf().unwrap())
            };
            let mut n_faces = 0;
            for sheet in printed(BackPlacement::Duplex).chunks(2) {
                let found = faces(&sheet[0], 45.0, 1.5);
                assert_marked(&sheet[0], &found, 45.0);
                let behind: Vec<[f64; 2]> = found.iter().map(|[x, y]| [width - x, *y]).collect();
                assert_same(&behind, &backs(&sheet[1], &loaded));
                n_faces += found.len();
            }
            assert_eq!(n_faces, n);
            if n == 300 {
                continue;
            }
            n_faces = 0;
            for page in &printed(BackPlacement::Fold) {
                let found = faces(page, 45.0, 1.5);
                let behind: Vec<[f64; 2]> = found.iter().map(|[x, y]| [*x, height - y]).collect();
                assert_same(&behind, &backs(page, &loaded));
                n_faces += found.len();
            }
            assert_eq!(n_faces, n);
        }
    }
}

#[test]
fn another_size_and_bleed_are_kept() {
    let loaded = measured(2);
    for (tile, bleed) in [(30.0, 3.0), (60.0, 0.6)] {
        let options = PrintOptions { tile, bleed, backs: BackPlacement::None, ..PrintOptions::default() };
        let pages = rasterised(print(&loaded, &owned(&["measured"]), &options).unwrap().pdf().unwrap());
        assert_eq!(faces(&pages[0], tile, bleed).len(), 2);
    }
}
