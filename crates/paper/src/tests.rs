#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use loader::{Library, Loaded};
use lopdf::{Document, Object};
use rules::Holds;
use testkit::mods_folder;

use crate::{Backs, Options, Page, Paper, PrintError, layout, print, print_since};

const PAPERS: [Paper; 2] = [Paper::A4, Paper::Letter];
const ALL_BACKS: [Backs; 3] = [Backs::Duplex, Backs::Fold, Backs::None];

fn loaded(ids: &[&str]) -> Loaded {
    Library::open(&[mods_folder()]).checking_icons(art::check_icon).load(ids).0.unwrap()
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
        let pages = layout(paper, [45.0; 2], 1.5, Backs::Duplex, 30).unwrap();
        for sheet in pages.chunks(2) {
            for (face, back) in sheet[0].cells.iter().zip(&sheet[1].cells) {
                // Turned along the long edge, `x` counts from the other side.
                let seen = width - back.at[0] - 45.0;
                assert!((seen - face.at[0]).abs() < 1e-9 && face.at[1] == back.at[1] && face.item == back.item);
                assert!(back.is_back && !back.is_turned);
            }
        }
        let pages = layout(paper, [45.0; 2], 1.5, Backs::Fold, 30).unwrap();
        for page in &pages {
            let (faces, backs) = page.cells.split_at(page.cells.len() / 2);
            for (face, back) in faces.iter().zip(backs) {
                let fold = page.fold.unwrap();
                // Folded, the lower half comes upside down behind the upper half.
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
    let deck = loaded.catalogue().decks.iter().find(|deck| deck.holds == Holds::Tiles).unwrap();
    let n = deck.items.iter().map(|(_, n)| usize::from(*n)).sum::<usize>() + 1;
    for paper in PAPERS {
        let options = Options { paper, ..Options::default() };
        let sheets = print(&loaded, &owned(&["base", "ferries"]), &options).unwrap();
        assert_eq!(sheets.n_tiles, n, "all tiles of the deck and the start tile");
        let document = Document::load_mem(&sheets.pdf).unwrap();
        let pages = document.get_pages();
        assert_eq!(pages.len(), sheets.n_pages);
        let expected = layout(paper, [45.0; 2], 1.5, Backs::Duplex, n).unwrap();
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

#[test]
fn all_expansions_together_are_small() {
    let ids = Library::open(&[mods_folder()]).ids();
    for id in &ids {
        let loaded = loaded(&[id]);
        let options = Options { n_players: 3, backs: Backs::Fold, saves_ink: true, ..Options::default() };
        match print(&loaded, std::slice::from_ref(id), &options) {
            Ok(sheets) => assert!(sheets.pdf.len() < 5_000_000, "{id}: {} bytes", sheets.pdf.len()),
            Err(error) => assert_eq!(error, PrintError::Nothing, "{id}"),
        }
    }
}

#[test]
fn only_what_changed_is_printed() {
    let today = loaded(&["ferries"]);
    let ids = owned(&["ferries"]);
    let options = Options::default();
    assert_eq!(print_since(&today, &ids, &today, &options), Err(PrintError::Nothing));
    let other = loaded(&["base"]);
    let sheets = print_since(&today, &ids, &other, &options).unwrap();
    assert_eq!(sheets.n_tiles, 8, "the earlier version had none of them");
}

#[test]
fn what_does_not_fit_is_refused() {
    let options = Options { tile: 250.0, ..Options::default() };
    assert_eq!(print(&loaded(&["ferries"]), &owned(&["ferries"]), &options), Err(PrintError::TooLarge));
}
