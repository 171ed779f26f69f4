//! Rasterised sheets: sizes, places, bleed and marks as they come out of a printer.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use art::check_icon;
use loader::{Library, Loaded};
use lopdf::Document;
use testkit::mods_folder;
use tiny_skia::{Pixmap, PremultipliedColorU8};

use super::{n_tiles_of, owned, rectangle};
use crate::{BackPlacement, Paper, PrintOptions, Progress, layout, print};

/// The number of pixels in an inch. More would measure no better, because edges are smooth.
const DPI: f64 = 75.0;
/// The number of pixels in an inch of the rows in which cut marks are measured. It is larger,
/// because the renderer moves thin lines to the nearest pixel.
const MARK_DPI: f64 = 600.0;
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

/// Draws the pages of a PDF. Returns `None` as [`drawn`] does.
fn rasterised(pdf: &[u8]) -> Option<Vec<Pixmap>> {
    drawn(pdf, DPI, &[])
}

/// Draws the row of pixels of each page that is 3 mm below the upper edge, where there are only cut
/// marks. Returns `None` as [`drawn`] does.
fn mark_rows(pdf: &[u8]) -> Option<Vec<Pixmap>> {
    let y = ((3.0 / 25.4 * MARK_DPI) as u32).to_string();
    drawn(pdf, MARK_DPI, &["-y", &y, "-H", "1"])
}

/// Draws the pages of a PDF, or a part of each page, with the program `pdftocairo` of
/// poppler-utils. Without the program, returns `None`, and the test is skipped, unless
/// `BASTIDE_DISPLAY_TESTS` is set.
fn drawn(pdf: &[u8], dpi: f64, part: &[&str]) -> Option<Vec<Pixmap>> {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("sheets.pdf");
    fs::write(&file, pdf).unwrap();
    let mut program = Command::new("pdftocairo");
    match program.args(["-png", "-r", &dpi.to_string()]).args(part).arg(&file).arg(temp.path().join("page")).status() {
        Ok(status) => assert!(status.success(), "{status}"),
        Err(error) => {
            assert!(env::var_os("BASTIDE_DISPLAY_TESTS").is_none(), "install poppler-utils: {error}");
            eprintln!("skipped: poppler-utils is not installed");
            return None;
        }
    }
    let mut pages: Vec<PathBuf> = fs::read_dir(temp.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path != &file);
    pages.sort();
    Some(pages.iter().map(|path| Pixmap::load_png(path).unwrap()).collect())
}

fn rgb(pixel: PremultipliedColorU8) -> [u8; 3] {
    [pixel.red(), pixel.green(), pixel.blue()]
}

/// Returns the colour at a point in millimetres.
fn at(page: &Pixmap, [x, y]: [f64; 2]) -> [u8; 3] {
    rgb(page.pixel((x / PIXEL) as u32, (y / PIXEL) as u32).unwrap())
}

/// Returns the share of a pixel, from 0 to 1, that a square of the colour `own` covers on this
/// ground. Other colours than a mixture of these two give 0.
fn coverage([own, ground]: [[u8; 3]; 2], pixel: [u8; 3]) -> f64 {
    let difference = |i: usize| f64::from(own[i]) - f64::from(ground[i]);
    let found = |i: usize| f64::from(pixel[i]) - f64::from(ground[i]);
    let share =
        (0..3).map(|i| found(i) * difference(i)).sum::<f64>() / (0..3).map(|i| difference(i).powi(2)).sum::<f64>();
    let is_mixture = (0..3).all(|i| (found(i) - share * difference(i)).abs() < 5.0);
    if is_mixture && share < 1.1 { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns the centres, in millimetres, of all squares of a colour on a ground that are larger than
/// `least` square millimetres.
fn centres(page: &Pixmap, colours: [[u8; 3]; 2], least: f64) -> Vec<[f64; 2]> {
    let width = page.width() as usize;
    let shares: Vec<f64> = page.pixels().iter().map(|pixel| coverage(colours, rgb(*pixel))).collect();
    let mut is_seen = vec![false; shares.len()];
    let mut found = Vec::new();
    for start in 0..shares.len() {
        if shares[start] <= 0.9 || is_seen[start] {
            continue;
        }
        // The pixels that the square covers completely are connected.
        let (mut inside, mut todo) = (Vec::new(), vec![start]);
        while let Some(i) = todo.pop() {
            if shares[i] > 0.9 && !std::mem::replace(&mut is_seen[i], true) {
                inside.push([i % width, i / width]);
                todo.extend(
                    [i + 1, i + width, i.wrapping_sub(1), i.wrapping_sub(width)].iter().filter(|i| **i < shares.len()),
                );
            }
        }
        if inside.len() as f64 * PIXEL * PIXEL < least {
            continue;
        }
        // The pixels around them are covered in part, which tells the edges.
        let [columns, rows] = [0, 1].map(|axis| {
            let places = || inside.iter().map(|at| at[axis]);
            places().min().unwrap() - 1..=places().max().unwrap() + 1
        });
        if inside.len() * 10 < (columns.clone().count() - 2) * (rows.clone().count() - 2) * 9 {
            continue; // a frame
        }
        let (mut sum, mut n) = ([0.0; 2], 0.0);
        for y in rows {
            for x in columns.clone() {
                let share = shares[y * width + x];
                n += share;
                sum[0] += share * (x as f64 + 0.5);
                sum[1] += share * (y as f64 + 0.5);
            }
        }
        found.push(sum.map(|sum| sum / n * PIXEL));
    }
    found
}

/// Returns the centres of all faces, after checking the size of each face and its bleed.
fn faces(page: &Pixmap, tile: f64, bleed: f64) -> Vec<[f64; 2]> {
    const GROUND: [u8; 3] = [0x20, 0xc0, 0x60];
    let faces = centres(page, [[0x20, 0x30, 0xe0], GROUND], 2.0);
    let corners = centres(page, [[0xe0, 0x20, 0x20], GROUND], 2.0);
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

/// Returns the centres of all backs: those of the square in the middle of the town.
fn backs_on(page: &Pixmap, loaded: &Loaded) -> Vec<[f64; 2]> {
    let theme = loaded.theme();
    let back = theme.palette(theme.suggested_palette()).back;
    centres(page, [back.darken(0.12).rgb(), back.rgb()], 20.0)
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
fn assert_marked(row: &Pixmap, faces: &[[f64; 2]], tile: f64) {
    let mut marks: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    let mut n_marks = 0;
    for (i, pixel) in row.pixels().iter().enumerate() {
        let ink = f64::from(255 - pixel.green());
        if ink < 10.0 {
            n_marks = i + 1;
            continue;
        }
        let (sum, weight) = marks.entry(n_marks).or_default();
        *sum += ink * (i as f64 + 0.5) * 25.4 / MARK_DPI;
        *weight += ink;
    }
    let marks: Vec<f64> = marks.values().map(|(sum, weight)| sum / weight).collect();
    for edge in faces.iter().flat_map(|[x, _]| [x - tile / 2.0, x + tile / 2.0]) {
        assert!(marks.iter().any(|mark| (mark - edge).abs() < 0.05), "no mark at {edge}: {marks:?}");
    }
}

/// Returns the trim box of a page in millimetres from its upper left corner: left, top, right and
/// bottom. Checks that the bleed box is larger by `bleed` on each side.
fn trim_box(document: &Document, page: usize, height: f64, bleed: f64) -> [f64; 4] {
    let id = *document.get_pages().values().nth(page).unwrap();
    let dictionary = document.get_dictionary(id).unwrap();
    let [trim, around] = [&b"TrimBox"[..], b"BleedBox"].map(|name| rectangle(document, dictionary, name));
    let larger = [trim[0] - bleed, trim[1] - bleed, trim[2] + bleed, trim[3] + bleed];
    assert!(around.iter().zip(larger).all(|(found, expected)| (found - expected).abs() < 0.01), "{around:?} {trim:?}");
    [trim[0], height - trim[3], trim[2], height - trim[1]]
}

/// Checks that the trim box of a page touches the outermost of these tiles.
fn assert_boxed(boxed: [f64; 4], tiles: &[[f64; 2]], tile: f64) {
    let ends = [(0, -0.5), (1, -0.5), (0, 0.5), (1, 0.5)].map(|(axis, side)| {
        let edges = tiles.iter().map(|at| at[axis] + side * tile);
        if side < 0.0 { edges.fold(f64::INFINITY, f64::min) } else { edges.fold(0.0, f64::max) }
    });
    assert!(ends.iter().zip(boxed).all(|(found, expected)| (found - expected).abs() < 0.05), "{ends:?} {boxed:?}");
}

/// Measures the sheets of 1 tile, of a full page, of one tile more, and of 300 tiles.
fn measure(paper: Paper, backs: BackPlacement) {
    let [width, height] = paper.size();
    let full = layout(paper, [45.0; 2], 1.5, backs, 1000).unwrap()[0].cells.iter().filter(|cell| !cell.is_back).count();
    for n in [1, full, full + 1, 300] {
        let loaded = measured(n);
        let options = PrintOptions { paper, backs, ..PrintOptions::default() };
        let sheets = print(&loaded, &owned(&["measured"]), &options).unwrap();
        assert_eq!(sheets.n_tiles(), n_tiles_of(loaded.catalogue(), "measured"));
        let pdf = sheets.pdf(&mut Progress::default()).unwrap();
        let document = Document::load_mem(&pdf).unwrap();
        let (Some(pages), Some(marks)) = (rasterised(&pdf), mark_rows(&pdf)) else { return };
        assert_eq!(pages.len(), sheets.n_pages());
        let n_sides = if backs == BackPlacement::Duplex { 2 } else { 1 };
        let mut n_faces = 0;
        for (i, sheet) in pages.chunks(n_sides).enumerate() {
            let found = faces(&sheet[0], 45.0, 1.5);
            assert_marked(&marks[n_sides * i], &found, 45.0);
            n_faces += found.len();
            let behind = |[x, y]: &[f64; 2]| if n_sides == 2 { [width - x, *y] } else { [*x, height - y] };
            let behind: Vec<[f64; 2]> = found.iter().map(behind).collect();
            let on_back = backs_on(sheet.last().unwrap(), &loaded);
            assert_same(&behind, &on_back);
            for side in 0..n_sides {
                let all = if n_sides == 1 { [&found[..], &on_back].concat() } else { [&found, &on_back][side].clone() };
                assert_boxed(trim_box(&document, n_sides * i + side, height, 1.5), &all, 45.0);
            }
        }
        assert_eq!(n_faces, n, "{paper:?} {backs:?}");
    }
}

// Four tests instead of one, so that they can run at the same time.

#[test]
fn tiles_are_right_on_a4_in_duplex() {
    measure(Paper::A4, BackPlacement::Duplex);
}

#[test]
fn tiles_are_right_on_a4_to_fold() {
    measure(Paper::A4, BackPlacement::Fold);
}

#[test]
fn tiles_are_right_on_letter_in_duplex() {
    measure(Paper::Letter, BackPlacement::Duplex);
}

#[test]
fn tiles_are_right_on_letter_to_fold() {
    measure(Paper::Letter, BackPlacement::Fold);
}

#[test]
fn another_size_and_bleed_are_kept() {
    let loaded = measured(2);
    for (tile, bleed) in [(30.0, 3.0), (60.0, 0.6)] {
        let options = PrintOptions { tile, bleed, backs: BackPlacement::None, ..PrintOptions::default() };
        let pdf = print(&loaded, &owned(&["measured"]), &options).unwrap().pdf(&mut Progress::default()).unwrap();
        let Some(pages) = rasterised(&pdf) else { return };
        assert_eq!(faces(&pages[0], tile, bleed).len(), 2);
    }
}
