#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use loader::{Library, Loaded};
use lopdf::{Document, Object};
use rules::{Catalogue, ItemType};
use testkit::mods_folder;

use crate::export::file_name_part;
use crate::{
    BackPlacement, ChoiceError, ExportError, ExportForm, ExportOptions, ExportedFile, Page, Paper, PieceForm,
    PrintError, PrintOptions, Progress, export, layout, print, print_since,
};

mod hostile;
mod raster;

const PAPERS: [Paper; 2] = [Paper::A4, Paper::Letter];
const ALL_BACKS: [BackPlacement; 3] = [BackPlacement::Duplex, BackPlacement::Fold, BackPlacement::None];

fn loaded(ids: &[&str]) -> Loaded {
    Library::open(&[mods_folder()]).with_icon_check(art::check_icon).load(ids).0.unwrap()
}

fn owned(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

fn faces(pages: &[Page]) -> usize {
    pages.iter().flat_map(|page| &page.cells).filter(|cell| !cell.is_back).count()
}

#[test]
fn every_picture_is_on_the_paper_and_none_covers_another() {
    for paper in PAPERS {
        for backs in ALL_BACKS {
            for n in [1, 2, 11, 12, 13, 72, 300] {
                let pages = layout(paper, [45.0; 2], 1.5, backs, n).unwrap();
                assert_eq!(faces(&pages), n, "{paper:?} {backs:?}");
                let [width, height] = paper.size();
                for page in &pages {
                    for (i, cell) in page.cells.iter().enumerate() {
                        let [x, y] = cell.at;
                        assert!(
                            x >= 6.5 && y >= 6.5 && x + 45.0 <= width - 6.5 && y + 45.0 <= height - 6.5,
                            "{cell:?}"
                        );
                        for other in &page.cells[..i] {
                            let apart = |axis: usize| (cell.at[axis] - other.at[axis]).abs() >= 48.0 - 1e-9;
                            assert!(apart(0) || apart(1), "{cell:?} {other:?}");
                        }
                        for axis in [0, 1] {
                            let cuts = &page.cuts[axis];
                            let has = |at: f64| cuts.iter().any(|cut| (cut - at).abs() < 1e-6);
                            assert!(has(cell.at[axis]) && has(cell.at[axis] + 45.0), "{cuts:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn each_back_lies_behind_its_face() {
    for paper in PAPERS {
        let [width, height] = paper.size();
        let pages = layout(paper, [45.0; 2], 1.5, BackPlacement::Duplex, 30).unwrap();
        for sheet in pages.chunks(2) {
            for (face, back) in sheet[0].cells.iter().zip(&sheet[1].cells) {
                // When the sheet is turned along its long edge, left and right are swapped.
                let seen = width - back.at[0] - 45.0;
                assert!((seen - face.at[0]).abs() < 1e-9 && face.at[1] == back.at[1] && face.item == back.item);
                assert!(back.is_back && !back.is_turned);
            }
        }
        let pages = layout(paper, [45.0; 2], 1.5, BackPlacement::Fold, 30).unwrap();
        for page in &pages {
            let (faces, backs) = page.cells.split_at(page.cells.len() / 2);
            for (face, back) in faces.iter().zip(backs) {
                let fold = page.fold.unwrap();
                // When the sheet is folded, the lower half lies upside down behind the upper half.
                let seen = fold - (back.at[1] + 45.0 - fold);
                assert!((seen - face.at[1]).abs() < 1e-9 && face.at[0] == back.at[0] && face.item == back.item);
                assert!(back.is_turned && fold == height / 2.0);
            }
        }
    }
}

/// Returns a box of a page in millimetres: left, bottom, right, top.
fn rectangle(document: &Document, page: &lopdf::Dictionary, name: &[u8]) -> Vec<f64> {
    let Object::Array(numbers) = document.dereference(page.get(name).unwrap()).unwrap().1 else { panic!("no box") };
    numbers.iter().map(|number| f64::from(number.as_float().unwrap()) * 25.4 / 72.0).collect()
}

#[test]
fn the_pdf_has_the_pages_the_boxes_and_the_counts() {
    let loaded = loaded(&["base", "ferries"]);
    let deck = loaded.catalogue().decks.iter().find(|deck| deck.holds == ItemType::Tiles).unwrap();
    let n = deck.items.iter().map(|(_, n)| usize::from(*n)).sum::<usize>() + 1;
    for paper in PAPERS {
        let options = PrintOptions { paper, ..PrintOptions::default() };
        let sheets = print(&loaded, &owned(&["base", "ferries"]), &options).unwrap();
        assert_eq!(sheets.n_tiles(), n, "all tiles of the deck and the start tile");
        let document = Document::load_mem(&sheets.pdf(&mut Progress::default()).unwrap()).unwrap();
        let pages = document.get_pages();
        assert_eq!(pages.len(), sheets.n_pages());
        let expected = layout(paper, [45.0; 2], 1.5, BackPlacement::Duplex, n).unwrap();
        assert_eq!(pages.len(), expected.len());
        let [width, height] = paper.size();
        for (id, page) in pages.values().zip(&expected) {
            let dictionary = document.get_dictionary(*id).unwrap();
            let near = |found: &[f64], expected: &[f64]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02);
            assert!(near(&rectangle(&document, dictionary, b"MediaBox"), &[0.0, 0.0, width, height]));
            let [left, top, right, bottom] = page.trim;
            let trim = rectangle(&document, dictionary, b"TrimBox");
            assert!(near(&trim, &[left, height - bottom, right, height - top]), "{trim:?}");
            let bleed = rectangle(&document, dictionary, b"BleedBox");
            assert!(near(&bleed, &[trim[0] - 1.5, trim[1] - 1.5, trim[2] + 1.5, trim[3] + 1.5]), "{bleed:?}");
        }
    }
}

/// Returns the number of tiles of a mod in all decks, with the start tile and overlays.
fn n_tiles_of(catalogue: &Catalogue, id: &str) -> usize {
    let is_own = |i: u16| catalogue.tile_set.tiles[usize::from(i)].name.starts_with(&format!("{id}/"));
    let decks = catalogue.decks.iter().filter(|deck| deck.holds == ItemType::Tiles).flat_map(|deck| &deck.items);
    let in_decks: usize = decks.filter(|(i, _)| is_own(*i)).map(|(_, n)| usize::from(*n)).sum();
    let start = usize::from(catalogue.start.is_some_and(|start| is_own(start.tile.0)));
    let tiles = catalogue.tile_set.tiles.iter();
    in_decks + start + tiles.filter(|tile| tile.is_overlay && tile.name.starts_with(&format!("{id}/"))).count()
}

#[test]
fn every_mod_has_the_counts_of_the_catalogue_and_is_small() {
    let every = Library::open(&[mods_folder()]).ids();
    for id in &every {
        let loaded = loaded(&[id]);
        let options =
            PrintOptions { n_players: 3, backs: BackPlacement::Fold, saves_ink: true, ..PrintOptions::default() };
        let sheets = print(&loaded, std::slice::from_ref(id), &options).unwrap();
        assert_eq!(sheets.n_tiles(), n_tiles_of(loaded.catalogue(), id), "{id}");
        let n_bytes = sheets.pdf(&mut Progress::default()).unwrap().len();
        assert!(n_bytes < 5_000_000, "{id}: {n_bytes} bytes");
    }
    // All expansions of the base game that can be played together.
    let mut together = vec!["base"];
    for id in every.iter().map(String::as_str).filter(|id| *id != "base") {
        let with = [&together[..], &[id]].concat();
        if Library::open(&[mods_folder()]).load(&with).0.is_some() {
            together = with;
        }
    }
    let loaded = loaded(&together);
    let options = PrintOptions { n_players: 6, pieces: PieceForm::StandUps, ..PrintOptions::default() };
    let sheets = print(&loaded, &owned(&together), &options).unwrap();
    let n: usize = together.iter().map(|id| n_tiles_of(loaded.catalogue(), id)).sum();
    assert_eq!(sheets.n_tiles(), n);
    let n_bytes = sheets.pdf(&mut Progress::default()).unwrap().len();
    assert!(together.len() > 12 && n_bytes < 5_000_000, "{} mods, {n} tiles, {n_bytes} bytes", together.len());
}

#[test]
fn settings_and_counts_change_the_numbers() {
    let loaded = loaded(&["base", "river"]);
    let with = |settings: &[(&str, &str)]| {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        print(&loaded, &owned(&["base"]), &PrintOptions { settings, n_players: 2, ..PrintOptions::default() })
    };
    let usual = with(&[]).unwrap();
    let more = with(&[("base/K", "10"), ("follower", "9")]).unwrap();
    let k = loaded.catalogue().tile_set.tile_named("base/K").unwrap();
    let (_, n) = loaded.catalogue().decks[0].items.iter().find(|(item, _)| *item == k.0).unwrap();
    assert_eq!(more.n_tiles(), usual.n_tiles() + 10 - usize::from(*n));
    assert_eq!(more.n_others(), usual.n_others() + 4, "nine followers for each of two players, not seven");
    let why = with(&[("base/Kay", "3")]).unwrap_err();
    assert!(matches!(&why, PrintError::Choice(ChoiceError::Settings(_))), "{why}");
    assert!(why.to_string().contains("base/Kay"), "{why}");
    let names = ["base/A", "base/B", "base/E", "base/H", "base/J", "base/K", "base/L", "base/N", "base/U", "base/V"];
    let why = with(&names.map(|name| (name, "1000"))).unwrap_err().to_string();
    assert!(why.contains("at most 10000 can be printed"), "{why}");
    let palette = PrintOptions { palette: Some("sumer".to_owned()), ..PrintOptions::default() };
    let why = print(&loaded, &owned(&["base"]), &palette).unwrap_err();
    assert!(matches!(&why, PrintError::Choice(ChoiceError::NoPalette(..))), "{why}");
    assert!(why.to_string().contains("`sumer`") && why.to_string().contains("summer"), "{why}");
}

#[test]
fn stand_ups_and_the_reference_card_lie_on_sheets_of_their_own() {
    let loaded = loaded(&["base"]);
    let pages = |backs, pieces| {
        let options = PrintOptions { n_players: 2, backs, pieces, ..PrintOptions::default() };
        let sheets = print(&loaded, &owned(&["base"]), &options).unwrap();
        let is_blank = |page| sheets.picture(page).unwrap().shapes().len() == 1;
        (sheets.n_others(), (0..sheets.n_pages()).map(is_blank).collect::<Vec<bool>>())
    };
    let (n_discs, discs) = pages(BackPlacement::None, PieceForm::Discs);
    let (n_figures, figures) = pages(BackPlacement::None, PieceForm::StandUps);
    assert_eq!((n_discs, n_figures), (16, 16), "fourteen followers and two score markers");
    assert_eq!((discs.len(), figures.len()), (7, 8));
    assert!(!figures.contains(&true), "without backs, there are no blank pages");
    // Pages of stand-ups, of the reference card and of the track have no page printed on their
    // back.
    let (_, duplex) = pages(BackPlacement::Duplex, PieceForm::StandUps);
    assert_eq!(duplex[duplex.len() - 5..], [false, true, false, true, false]);
    assert_eq!(duplex.len() % 2, 1, "{duplex:?}");
}

#[test]
fn only_what_changed_is_printed() {
    let today = loaded(&["ferries"]);
    let ids = owned(&["ferries"]);
    let options = PrintOptions::default();
    assert_eq!(print_since(&today, &ids, &today, &options), Err(PrintError::Nothing));
    let other = loaded(&["base"]);
    let sheets = print_since(&today, &ids, &other, &options).unwrap();
    assert_eq!(sheets.n_tiles(), 8, "the earlier version has no ferries");
}

#[test]
fn what_does_not_fit_is_refused() {
    let options = PrintOptions { tile: 250.0, ..PrintOptions::default() };
    let refused = print(&loaded(&["ferries"]), &owned(&["ferries"]), &options);
    let why = "a tile of 250 × 250 mm with 1.5 mm bleed does not fit on the paper; choose a smaller size or less bleed";
    assert_eq!(refused.unwrap_err().to_string(), why);
}

fn exported(ids: &[&str], form: &ExportForm, options: &ExportOptions) -> Vec<ExportedFile> {
    export(&loaded(ids), &owned(ids), form, options).unwrap()
}

fn text_of<'a>(files: &'a [ExportedFile], name: &str) -> &'a str {
    let file = files.iter().find(|file| file.name == name).unwrap();
    std::str::from_utf8(&file.bytes).unwrap()
}

/// Returns the width and height that a PNG file states, in pixels.
fn png_size(file: &ExportedFile) -> [u32; 2] {
    assert!(file.bytes.starts_with(b"\x89PNG"), "{}", file.name);
    let number = |at: usize| u32::from_be_bytes(file.bytes[at..at + 4].try_into().unwrap());
    [number(16), number(20)]
}

/// Returns the rows of `items.csv` without the heading, split at commas.
fn rows(files: &[ExportedFile]) -> Vec<Vec<String>> {
    let split = |line: &str| line.split(',').map(|cell| cell.trim_matches('"').to_owned()).collect();
    text_of(files, "items.csv").lines().skip(1).map(split).collect()
}

#[test]
fn images_have_the_asked_size_and_the_list_has_the_counts() {
    // 45 mm and twice 3 mm of bleed are 602 pixels at 300 dots per inch.
    let options = ExportOptions { bleed: 3.0, ..ExportOptions::default() };
    let files = exported(&["base"], &ExportForm::Images, &options);
    let rows = rows(&files);
    let copies: usize = rows.iter().map(|row| row[3].parse::<usize>().unwrap()).sum();
    assert_eq!((rows.len(), copies), (25, 72), "24 tiles in the deck, and one of them at the start");
    for row in &rows {
        for name in &row[4..] {
            let file = files.iter().find(|file| file.name == *name).unwrap();
            assert_eq!(png_size(file), [602, 602], "{name}");
        }
    }
    assert_eq!(files, exported(&["base"], &ExportForm::Images, &options), "equal input gives equal files");
}

#[test]
fn a_sheet_has_a_cell_for_each_row_of_the_list() {
    let options = ExportOptions { dpi: 50.8, n_players: 2, ..ExportOptions::default() };
    let files = exported(&["base"], &ExportForm::Sheet, &options);
    let rows = rows(&files);
    // At 50.8 dpi, a tile of 45 mm is 90 pixels wide. The sheet has 10 tiles in a row.
    for side in ["tile-faces.png", "tile-backs.png"] {
        assert_eq!(png_size(files.iter().find(|file| file.name == side).unwrap()), [900, 270]);
    }
    let last = rows.iter().rfind(|row| row[0] == "tile").unwrap();
    assert_eq!(last[4..], ["3", "5"]);
    let of_red = rows.iter().filter(|row| row[0] == "disc" && row[1] == "red");
    assert_eq!(of_red.map(|row| row[3].parse::<u32>().unwrap()).sum::<u32>(), 8, "seven followers and a score marker");
}

/// The objects of Tabletop Simulator's saves, after the page "Save File Format" of its knowledge
/// base. Reading fails if a key is unknown, missing or of another type.
#[expect(dead_code, reason = "reading checks the fields")]
mod saves {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "PascalCase")]
    pub struct Save {
        pub save_name: String,
        pub game_mode: String,
        pub date: String,
        pub table: String,
        pub sky: String,
        pub note: String,
        pub rules: String,
        pub player_turn: String,
        pub grid: Grid,
        pub object_states: Vec<Object>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "PascalCase")]
    pub struct Grid {
        #[serde(rename = "Type")]
        pub kind: u32,
        pub lines: bool,
        pub snapping: bool,
        pub offset: bool,
        #[serde(rename = "xSize")]
        pub x_size: f64,
        #[serde(rename = "ySize")]
        pub y_size: f64,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "PascalCase")]
    pub struct Object {
        #[serde(rename = "GUID")]
        pub guid: String,
        pub name: String,
        pub transform: BTreeMap<String, f64>,
        pub nickname: String,
        pub description: String,
        pub color_diffuse: BTreeMap<String, f64>,
        pub locked: bool,
        pub grid: bool,
        pub snap: bool,
        pub material_index: Option<i32>,
        pub mesh_index: Option<i32>,
        pub bag: Option<BTreeMap<String, u32>>,
        pub contained_objects: Option<Vec<Object>>,
        #[serde(rename = "CardID")]
        pub card_id: Option<u32>,
        #[serde(rename = "DeckIDs")]
        pub deck_ids: Option<Vec<u32>>,
        pub custom_deck: Option<BTreeMap<u32, Sheet>>,
        pub custom_image: Option<Image>,
        pub attached_snap_points: Option<Vec<BTreeMap<String, BTreeMap<String, f64>>>>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "PascalCase")]
    pub struct Sheet {
        #[serde(rename = "FaceURL")]
        pub face: String,
        #[serde(rename = "BackURL")]
        pub back: String,
        pub num_width: u32,
        pub num_height: u32,
        pub back_is_hidden: bool,
        pub unique_back: bool,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "PascalCase")]
    pub struct Image {
        #[serde(rename = "ImageURL")]
        pub face: String,
        #[serde(rename = "ImageSecondaryURL")]
        pub back: String,
        pub width_scale: f64,
        pub custom_tile: Tile,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "PascalCase")]
    pub struct Tile {
        #[serde(rename = "Type")]
        pub kind: u32,
        pub thickness: f64,
        pub stackable: bool,
        pub stretch: bool,
    }
}

/// Returns all objects of a save, including the objects in bags and decks.
fn all_objects(objects: &[saves::Object]) -> Vec<&saves::Object> {
    let inside = |object| all_objects(saves::Object::contained_objects(object));
    objects.iter().flat_map(|object| std::iter::once(object).chain(inside(object))).collect()
}

impl saves::Object {
    /// Returns the objects inside a bag or deck; empty for any other object.
    fn contained_objects(&self) -> &[saves::Object] {
        self.contained_objects.as_deref().unwrap_or_default()
    }
}

#[test]
fn a_save_of_tabletop_simulator_has_its_structure_and_the_counts() {
    let every = Library::open(&[mods_folder()]).ids();
    let options = ExportOptions { dpi: 30.0, n_players: 3, ..ExportOptions::default() };
    for id in &every {
        let form = ExportForm::TabletopSimulator { images_at: "file:///there".to_owned(), name: format!("a \"{id}\"") };
        let ids = [id.as_str()];
        let loaded = loaded(&ids);
        let files = match export(&loaded, &owned(&ids), &form, &options) {
            Ok(files) => files,
            Err(error) => {
                assert_eq!(error, ExportError::Nothing, "{id}");
                continue;
            }
        };
        let save: saves::Save = serde_json::from_str(text_of(&files, &format!("a--{id}-.json"))).unwrap();
        assert_eq!(save.save_name, format!("a \"{id}\""));
        let objects = all_objects(&save.object_states);
        let mut guids: Vec<&str> = objects.iter().map(|object| object.guid.as_str()).collect();
        guids.sort_unstable();
        guids.dedup();
        assert_eq!(guids.len(), objects.len(), "each object has its own identifier");

        let catalogue = loaded.catalogue();
        for deck in &catalogue.decks {
            let is_own = |item: u16| {
                let name = match deck.holds {
                    ItemType::Tiles => &catalogue.tile_set.tiles[usize::from(item)].name,
                    ItemType::Cards => &catalogue.cards[usize::from(item)].name,
                };
                name.starts_with(&format!("{id}/"))
            };
            let n: usize = deck.items.iter().filter(|(item, _)| is_own(*item)).map(|(_, n)| usize::from(*n)).sum();
            let bag = save.object_states.iter().find(|object| object.nickname == deck.name);
            assert_eq!(bag.map_or(0, |bag| bag.contained_objects().len()), n, "{id}: {}", deck.name);
            let images = bag.iter().flat_map(|bag| bag.contained_objects()).filter_map(|it| it.custom_image.as_ref());
            let mut backs: Vec<&str> = images.map(|image| image.back.as_str()).collect();
            backs.dedup();
            assert!(backs.len() <= 1, "{id}: the back of a tile would reveal the tile");
            if let Some(numbers) = bag.and_then(|bag| bag.deck_ids.as_ref()) {
                let cards = bag.unwrap().contained_objects().iter().map(|card| card.card_id.unwrap());
                assert_eq!(*numbers, cards.collect::<Vec<_>>());
            }
        }
        // All images are files in the folder of the save.
        for object in objects {
            let of_image = object.custom_image.iter().flat_map(|image| [&image.face, &image.back]);
            let of_cards = object.custom_deck.iter().flatten().flat_map(|(_, sheet)| [&sheet.face, &sheet.back]);
            for address in of_image.chain(of_cards) {
                let name = address.strip_prefix("file:///there/").unwrap();
                assert!(files.iter().any(|file| file.name == name), "{id}: {name}");
            }
        }
        let track = save.object_states.iter().find(|object| object.nickname == "score track").unwrap();
        let n_spaces = catalogue.track.length.clamp(1, 200) as usize;
        assert_eq!(track.attached_snap_points.as_ref().unwrap().len(), n_spaces);
    }
}

#[test]
fn names_of_files_are_safe() {
    for (name, expected) in [("base/K", "base-K"), ("../../etc", "------etc"), ("a\"b\n\u{202e}", "a-b--"), ("", "")] {
        assert_eq!(file_name_part(name), expected);
    }
    assert_eq!(file_name_part(&"x".repeat(1000)).len(), 60);
}
