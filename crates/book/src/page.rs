//! A whole book as a list of passages, which the HTML page and the PDF show in the same order.

use std::collections::{BTreeMap, BTreeSet};

use art::{Pose, Symbol};
use ink::{Progress, Stopped};
use loader::Loaded;
use rules::Catalogue;

use crate::chapter::{Chapter, ItemPicture, POINTS_OF_FEATURE, anchor, points, words};
use crate::exhibit::{DrawingEntry, Drawings, Illustrator, TilePainter, exhibit};
use crate::names::{short_name, spaced_name};
use crate::summary::steps_of_turn;
use crate::text::{Passage, Phrase, PhraseStyle, TextTable, faint, fainter, phrases, plain};
use crate::{WITH_EXAMPLES, WITH_PICTURES};

/// A whole book.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pages {
    pub title: String,
    pub passages: Vec<Passage>,
    pub drawings: Drawings,
}

/// Returns the passages of a book with these chapters. The links of examples begin with `address`.
pub(crate) fn pages(
    loaded: &Loaded,
    chapters: Vec<Chapter>,
    address: &str,
    progress: &mut Progress<'_>,
) -> Result<Pages, Stopped> {
    let titles: Vec<&str> = chapters.iter().map(|chapter| chapter.title.as_str()).collect();
    let title = titles.join(", ");
    let about = "The rules. Every example of this book is a test that was run when the book was made.";
    let mut passages = vec![heading(1, &title, ""), Passage::Note(phrases(about)), Passage::Contents];
    let points = points(loaded.catalogue(), |_, _| true);
    passages.extend(summary(loaded, &points));
    let exceptions = chapters.iter().filter(|chapter| has_exceptions(chapter)).map(|chapter| chapter.title.as_str());
    let exceptions = exceptions.collect::<Vec<_>>().join(", ");
    if !points.is_empty() && !exceptions.is_empty() {
        passages.push(Passage::Note(phrases(&format!("For exceptions, see “{POINTS_OF_FEATURE}” in {exceptions}."))));
    }
    let mut glossary = glossary(&chapters);
    let other_mods = other_words(loaded, &chapters);
    let more = if points.is_empty() { ["points", "total"] } else { ["other", "total"] };
    let score_sheet = points.into_iter().map(|[land, ..]| land).chain(more.map(str::to_owned)).collect();
    let mut illustrator = Illustrator::default();
    let is_alone = chapters.len() == 1;
    let (mut n_drawn, n_examples) = (0, chapters.iter().map(|chapter| chapter.examples.len()).sum());
    for chapter in chapters {
        illustrator.with_painter(&loaded.catalogue().tile_set, loaded, |painter, drawings| {
            add_rules(&mut passages, loaded, painter, drawings, &chapter, is_alone);
        });
        for (i, example) in chapter.examples.iter().enumerate() {
            let shown = exhibit(loaded, &mut illustrator, anchor(&chapter.id, i), i, example, address);
            passages.push(Passage::Example(Box::new(shown)));
            progress.end_step([WITH_EXAMPLES, WITH_PICTURES], n_drawn, n_examples)?;
            n_drawn += 1;
        }
        passages.extend((!chapter.unexplained.is_empty()).then_some(Passage::Gaps(chapter.unexplained)));
    }
    keep_words_in_use(&mut glossary, &other_mods, &mut passages);
    if !glossary.is_empty() {
        passages.extend([heading(2, "Glossary", GLOSSARY), Passage::Terms(glossary.into_values().collect())]);
    }
    passages.extend([heading(2, "Score sheet", SCORE_SHEET), Passage::ScoreSheet(score_sheet)]);
    passages.push(Passage::Note(phrases("Made by Bastide, which is not affiliated with any publisher.")));
    drop_broken_links(&mut passages);
    spell_out_names(&mut passages, &declared_names(loaded.catalogue()));
    Ok(Pages { title, passages, drawings: illustrator.drawings })
}

/// The anchor of the summary. Ids of mods contain no underscore, so no chapter has this anchor.
pub(crate) const SUMMARY: &str = "_summary";
/// The anchor of the glossary.
pub(crate) const GLOSSARY: &str = "_glossary";
/// The anchor of the score sheet.
pub(crate) const SCORE_SHEET: &str = "_score_sheet";

fn heading(level: u8, text: &str, anchor: &str) -> Passage {
    Passage::Heading { level, text: text.to_owned(), anchor: anchor.to_owned() }
}

/// Returns a summary of the rules on one page: the order of a turn, and the points of all loaded
/// mods.
fn summary(loaded: &Loaded, points: &[[String; 3]]) -> Vec<Passage> {
    let steps = steps_of_turn(loaded, loaded.catalogue());
    let steps = steps.iter().map(|step| vec![Passage::Paragraph(phrases(step))]).collect();
    let mut passages = vec![heading(2, "Summary", SUMMARY), heading(3, "A turn", "")];
    passages.push(Passage::List { first: Some(1), items: steps });
    let heads = ["land", "when completed", "in the final count"];
    add_table_with_heading(&mut passages, "Points", TextTable::of(heads, points));
    passages
}

fn add_table_with_heading(passages: &mut Vec<Passage>, title: &str, table: TextTable) {
    if !table.rows.is_empty() {
        passages.extend([heading(3, title, ""), Passage::Table(table)]);
    }
}

/// Adds a chapter up to its examples. `is_alone` is true if the book has no other chapter.
fn add_rules(
    passages: &mut Vec<Passage>,
    loaded: &Loaded,
    painter: &mut TilePainter,
    drawings: &mut Drawings,
    chapter: &Chapter,
    is_alone: bool,
) {
    passages.push(heading(2, &chapter.title, &chapter.id));
    if chapter.intro.is_empty() {
        passages.push(Passage::Paragraph(phrases(&chapter.about)));
    }
    passages.extend(chapter.intro.iter().cloned());
    if !chapter.tiles.is_empty() || !chapter.contents.is_empty() {
        passages.push(heading(3, "Contents", ""));
        let contents = TextTable::of(["what", "how many", ""], &chapter.contents);
        passages.extend((!contents.rows.is_empty()).then_some(Passage::Table(contents)));
        add_pieces(passages, painter, drawings, &chapter.depicted);
        add_tiles(passages, loaded, painter, drawings, &chapter.tiles);
    }
    for (title, text) in &chapter.sections {
        passages.push(heading(3, title, ""));
        passages.extend(text.iter().cloned());
    }
    // The summary of a book with one chapter has the points of all loaded mods already.
    if !is_alone {
        let heads = ["land", "when completed", "in the final count"];
        add_table_with_heading(passages, "Points", TextTable::of(heads, &chapter.points));
    }
    if !is_alone && !chapter.points.is_empty() && has_exceptions(chapter) {
        passages.push(Passage::Note(phrases(&format!("For exceptions, see “{POINTS_OF_FEATURE}” below."))));
    }
    if !chapter.functions.is_empty() {
        let term = |[name, about, source]: &[String; 3]| {
            let mut meaning = phrases(about);
            if !source.is_empty() {
                meaning.extend(phrases(&format!(" Source: {source}")).into_iter().map(fainter));
            }
            [phrases(name), meaning]
        };
        let terms = chapter.functions.iter().map(term).collect();
        passages.extend([heading(3, "Rule by rule", ""), Passage::Terms(terms)]);
    }
    add_table_with_heading(passages, "Settings", TextTable::of(["setting", "default", ""], &chapter.settings));
    if !chapter.examples.is_empty() {
        passages.push(heading(3, "Examples", ""));
    }
}

/// The colour of the pieces in the contents of a chapter: red.
const PIECE_COLOUR: [u8; 3] = [0xc0, 0x20, 0x2a];

/// Adds pictures of pieces, tokens and piles.
fn add_pieces(
    passages: &mut Vec<Passage>,
    painter: &TilePainter,
    drawings: &mut Drawings,
    depicted: &[(ItemPicture, String)],
) {
    let entries = depicted.iter().map(|(picture, label)| {
        let painter = &painter.painter;
        let (kind, name, picture) = match picture {
            ItemPicture::Piece(name) => {
                ("piece", name, painter.piece(name, Pose::Standing, PIECE_COLOUR, Symbol::None))
            }
            ItemPicture::Token(name) => ("token", name, painter.icon_of("token", name)),
            ItemPicture::Pile(name) => ("pile", name, painter.icon_of("pile", name)),
        };
        // Names of tiles contain no space.
        DrawingEntry { drawing: drawings.add(&format!("{kind} {name}"), picture), label: label.clone() }
    });
    let entries: Vec<DrawingEntry> = entries.collect();
    passages.extend((!entries.is_empty()).then_some(Passage::Drawings(entries)));
}

fn add_tiles(
    passages: &mut Vec<Passage>,
    loaded: &Loaded,
    painter: &mut TilePainter,
    drawings: &mut Drawings,
    tiles: &[(board::TileIdx, usize)],
) {
    let n: usize = tiles.iter().map(|(_, n)| n).sum();
    if n == 0 {
        return;
    }
    let catalogue = loaded.catalogue();
    let start = catalogue.start.map(|start| start.tile);
    let entries = tiles.iter().map(|(tile, n)| {
        let name = &catalogue.tile_set.tile(*tile).name;
        let note = match start == Some(*tile) {
            true if *n == 1 => ", the start tile",
            true => ", one of them the start tile",
            false => "",
        };
        let drawing = painter.add(drawings, &catalogue.tile_set, *tile);
        DrawingEntry { drawing, label: format!("{n} × {}{note}", short_name(name)) }
    });
    let entries = entries.collect();
    passages.extend([
        Passage::Paragraph(phrases(&format!("{n} {}:", if n == 1 { "tile" } else { "tiles" }))),
        Passage::Drawings(entries),
    ]);
}

/// Words that the rules of many games use, with their meanings.
const COMMON_WORDS: [[&str; 2]; 9] = [
    [
        "complete",
        "A feature is complete if no further tile can extend it. The rules define this for each kind of land.",
    ],
    ["deploy", "To put a piece from your supply on the tile that was just placed."],
    ["feature", "Connected land of one kind, on one tile or on many."],
    ["final count", "The scoring after the last turn."],
    ["majority", "The most pieces on a feature. In a tie, each of the tied players gets all points."],
    ["segment", "A piece of a feature on one tile. A tile may have several segments of the same feature."],
    ["spot", "A place for one tile on the table. Eight other spots lie around it."],
    ["supply", "The pieces of a player that are not on the board."],
    ["zone", "A piece of land on one tile. Zones that meet at the edges of tiles form a feature."],
];

/// The words of a book with their meanings, in alphabetical order. The key is the word in lower
/// case, and the mod that declares it: the id of a mod with a chapter, or the title of another mod.
/// The second part is empty for a common word.
type Glossary = BTreeMap<(String, String), [Vec<Phrase>; 2]>;

/// Returns all words that the mods declare. If the book has several chapters, each meaning names
/// the chapter.
fn glossary(chapters: &[Chapter]) -> Glossary {
    let mut words = Glossary::new();
    for chapter in chapters {
        for [word, meaning] in &chapter.glossary {
            let mut meaning = phrases(meaning);
            meaning.extend((chapters.len() > 1).then(|| faint(format!(" {}", chapter.title))));
            words.insert((word.to_lowercase(), chapter.id.clone()), [phrases(word), meaning]);
        }
    }
    words
}

/// Returns the glossary words of loaded mods that have no chapter. For each word, returns the word,
/// its meaning and the title of its mod.
fn other_words(loaded: &Loaded, chapters: &[Chapter]) -> Vec<[String; 3]> {
    let mods = loaded.catalogue().mods.iter().enumerate();
    let others = mods.filter(|(_, info)| !chapters.iter().any(|chapter| chapter.id == info.id));
    let of_mod = others.flat_map(|(owner, info)| {
        let with_title = |[word, meaning]: [String; 2]| [word, meaning, info.title.clone()];
        words(loaded, owner).into_iter().map(with_title)
    });
    of_mod.collect()
}

/// Keeps the words of a glossary that the passages contain. Adds the words of other mods and the
/// common words that the passages contain.
fn keep_words_in_use(glossary: &mut Glossary, other_mods: &[[String; 3]], passages: &mut [Passage]) {
    let mut text = String::new();
    for_each_line(passages, |line| {
        text += &plain(line).to_lowercase();
        text.push('\n');
    });
    for passage in passages.iter() {
        if let Passage::Example(example) = passage {
            text += &example.caption.to_lowercase();
        }
    }
    glossary.retain(|(word, _), _| has_word(&text, word));
    for [word, meaning, title] in other_mods.iter().filter(|[word, ..]| has_word(&text, &word.to_lowercase())) {
        let mut meaning = phrases(meaning);
        meaning.push(faint(format!(" {title}")));
        glossary.insert((word.to_lowercase(), title.clone()), [phrases(word), meaning]);
    }
    for [word, meaning] in COMMON_WORDS.into_iter().filter(|[word, _]| has_word(&text, word)) {
        glossary.insert((word.to_owned(), String::new()), [phrases(word), phrases(meaning)]);
    }
}

/// Returns whether a text contains a word, also with an ending such as `s` or `ed`.
fn has_word(text: &str, word: &str) -> bool {
    let begins = |at: usize| !text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
    text.match_indices(word).any(|(at, _)| begins(at))
}

/// Replaces each link to a missing passage with plain text.
fn drop_broken_links(passages: &mut [Passage]) {
    let anchors: BTreeSet<String> = passages.iter().filter_map(anchor_of).map(|name| format!("#{name}")).collect();
    for_each_line(passages, |line| {
        for phrase in line {
            phrase.link = phrase.link.take().filter(|link| !link.starts_with('#') || anchors.contains(link));
        }
    });
}

/// Returns whether the rules of a chapter change the points in the table of points.
fn has_exceptions(chapter: &Chapter) -> bool {
    chapter.functions.iter().any(|[name, ..]| name == POINTS_OF_FEATURE)
}

/// Returns the names that manifests declare, with and without the id of their mod.
fn declared_names(catalogue: &Catalogue) -> BTreeSet<String> {
    let settings = catalogue.settings.iter().flat_map(|setting| {
        let owner = catalogue.mods.get(setting.owner.idx()).map(|info| format!("{}.{}", info.id, setting.name));
        owner.into_iter().chain([setting.name.clone()])
    });
    let tile_set = &catalogue.tile_set;
    let others = tile_set.kinds.iter().map(|kind| &kind.name).chain(tile_set.tags.iter().map(|tag| &tag.name));
    let others = others.chain(catalogue.pieces.iter().map(|piece| &piece.name));
    settings.chain(others.chain(catalogue.tokens.iter().map(|token| &token.name)).cloned()).collect()
}

/// Writes each of `names` that is set as code as words, because the readers of a book have no
/// manifest.
fn spell_out_names(passages: &mut [Passage], names: &BTreeSet<String>) {
    for_each_line(passages, |line| {
        for phrase in line.iter_mut().filter(|phrase| phrase.style == PhraseStyle::Code) {
            let (name, value) = phrase.text.split_once(" = ").map_or((&*phrase.text, None), |(a, b)| (a, Some(b)));
            if names.contains(name) {
                let short = spaced_name(name.rsplit('.').next().unwrap_or(name));
                let value = value.map_or_else(String::new, |value| format!(" = {value}"));
                (phrase.text, phrase.style) = (format!("“{short}{value}”"), PhraseStyle::Plain);
            }
        }
    });
}

/// Calls `act` with each paragraph, cell and term.
fn for_each_line(passages: &mut [Passage], mut act: impl FnMut(&mut Vec<Phrase>)) {
    let mut rest: Vec<&mut Passage> = passages.iter_mut().collect();
    while let Some(passage) = rest.pop() {
        let lines: Vec<&mut Vec<Phrase>> = match passage {
            Passage::Paragraph(line) | Passage::Note(line) => vec![line],
            Passage::Table(table) => table.heads.iter_mut().chain(table.rows.iter_mut().flatten()).collect(),
            Passage::Terms(terms) => terms.iter_mut().flatten().collect(),
            Passage::List { items, .. } => {
                rest.extend(items.iter_mut().flatten());
                continue;
            }
            _ => continue,
        };
        lines.into_iter().for_each(&mut act);
    }
}

/// Returns the name with which links lead to a passage; `None` if it has no name.
pub(crate) fn anchor_of(passage: &Passage) -> Option<&str> {
    match passage {
        Passage::Heading { anchor, .. } if !anchor.is_empty() => Some(anchor),
        Passage::Example(exhibit) => Some(&exhibit.anchor),
        _ => None,
    }
}
