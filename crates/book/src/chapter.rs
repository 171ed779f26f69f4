//! The content of a chapter: everything that the book says about one mod.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use board::TileIdx;
use diagnostic::{Diagnostic, ExpectOrDefault as _};
use ink::Progress;
use loader::{Loaded, MAX_README_BYTES, read_text};
use rules::{Catalogue, Deck, ItemType, PhaseAction};
use table::{ReadmeSection, capitalize, link_references, player_sections};
use workshop::rule_text::outline;
use workshop::{CalledFunctions, CaseFile, RulesCache};

use crate::BookError;
use crate::example::{self, Example};
use crate::formula::describe_formula;
use crate::names::spaced_name;
use crate::text::{Passage, passages};

/// The maximum number of positions in all examples of a mod. The book keeps and draws all of them.
const MAX_POSITIONS: usize = 2_000;

/// The chapter of a mod.
pub(crate) struct Chapter {
    pub id: String,
    pub title: String,
    pub about: String,
    /// The text of the README before its first section.
    pub intro: Vec<Passage>,
    /// The tiles of the mod, each with its number of copies.
    pub tiles: Vec<(TileIdx, usize)>,
    /// Rows of the table of pieces, tokens, piles and cards: name, number, and a description.
    pub contents: Vec<[String; 3]>,
    /// Pictures of the pieces, tokens and piles in this table, each with its name.
    pub depicted: Vec<(ItemPicture, String)>,
    /// Rows of the table of points: kind of land or layer, points when completed, and points in the
    /// final count.
    pub points: Vec<[String; 3]>,
    /// Sections of the README that are for players, each with its title.
    pub sections: Vec<(String, Vec<Passage>)>,
    /// Hooks of the script that have a comment, each with its name, its comment and the source that
    /// the comment names. Phases come first, in the order of a turn.
    pub functions: Vec<[String; 3]>,
    /// Settings: name, default, and a description.
    pub settings: Vec<[String; 3]>,
    /// Names that the manifest declares, with spaces instead of underscores, and their
    /// descriptions.
    pub glossary: Vec<[String; 2]>,
    pub examples: Vec<Example>,
    /// A sentence for each name or function of the mod that the book does not explain.
    pub unexplained: Vec<String>,
}

/// A piece, token or pile with a picture, by its name in the manifest.
pub(crate) enum ItemPicture {
    Piece(String),
    Token(String),
    Pile(String),
}

/// Collects the content of the chapter about the mod `id`. The work takes the progress through
/// `part`, in percent.
pub(crate) fn of_mod(
    cache: &mut RulesCache,
    loaded: &Arc<Loaded>,
    id: &str,
    part: [u8; 2],
    progress: &mut Progress<'_>,
) -> Result<Chapter, BookError> {
    let catalogue = loaded.catalogue();
    let Some((owner, info)) = catalogue.mods.iter().enumerate().find(|(_, info)| info.id == id) else {
        return Err(BookError::message(format!("the mod {id} is not loaded")));
    };
    let folder = cache.library().folder(id);
    let called = CalledFunctions::default();
    let examples = run_examples(cache, folder.as_deref(), &called, part, progress)?;
    let readme = folder.as_deref().map(readme).transpose();
    // A mod without a folder or without a README has no text from there. A README that cannot be
    // read refuses the book.
    let readme = readme.map_err(|problem| BookError::Refused(vec![problem]))?.unwrap_or_default();
    let declared = DeclaredNames::of(loaded, owner);
    let mut chapter = Chapter {
        id: id.to_owned(),
        title: info.title.clone(),
        about: info.about.clone(),
        intro: Vec::new(),
        tiles: tiles(loaded, id),
        contents: contents(loaded, owner, &declared),
        depicted: depicted(loaded, owner, &declared),
        points: points(catalogue, |table, name| declared.has(table, name)),
        sections: Vec::new(),
        functions: Vec::new(),
        settings: settings(loaded, owner, &declared),
        glossary: glossary(&declared),
        examples,
        unexplained: Vec::new(),
    };
    chapter.read(&readme);
    chapter.add_hooks(loaded, &called.names());
    chapter.unexplained.extend(missing_descriptions(&declared));
    Ok(chapter)
}

/// Runs the examples of a mod. Adds the functions that the examples call to `called`.
fn run_examples(
    cache: &RulesCache,
    folder: Option<&Path>,
    called: &CalledFunctions,
    part: [u8; 2],
    progress: &mut Progress<'_>,
) -> Result<Vec<Example>, BookError> {
    let mut cache = RulesCache::new(cache.library().clone()).with_call_recorder(called);
    let (mut examples, mut problems) = (Vec::new(), Vec::new());
    // A mod that is only in memory has no folder, and so no cases.
    let cases = folder.map(CaseFile::of_mod).unwrap_or_default();
    for (i, case) in cases.iter().enumerate() {
        match example::of_case(&mut cache, case) {
            Ok(example) => examples.extend(example),
            Err(found) => problems.extend(found),
        }
        progress.end_step(part, i, cases.len())?;
        if examples.iter().map(|example| example.steps.len()).sum::<usize>() > MAX_POSITIONS {
            let message = format!("the examples up to this one have more than {MAX_POSITIONS} positions");
            let help = "remove the captions of some tests, or begin them at later positions";
            let file = case.file.display().to_string();
            problems.push(Diagnostic::in_file(&file, 0, message).with_help(help));
            break;
        }
    }
    problems.extend(cache.take_problems().iter().flat_map(|found| found.list().to_vec()));
    if problems.is_empty() { Ok(examples) } else { Err(BookError::Refused(problems)) }
}

/// Returns the README of a mod; empty if there is none, because a mod needs no README.
fn readme(folder: &Path) -> Result<String, Diagnostic> {
    let file = folder.join("README.md");
    match read_text(&file, Some(folder), MAX_README_BYTES) {
        Ok(text) => Ok(text),
        Err(_) if !file.exists() => Ok(String::new()),
        Err(error) => Err(Diagnostic::in_file(&file.display().to_string(), 0, format!("cannot be read: {error}"))),
    }
}

/// The names that the manifest of a mod declares, with their descriptions.
pub(crate) struct DeclaredNames {
    manifest: toml::Table,
}

/// The tables of a manifest whose names the book explains.
const EXPLAINED_TABLES: [&str; 6] = ["kind", "layer", "tag", "piece", "token", "pile"];

impl DeclaredNames {
    pub fn of(loaded: &Loaded, owner: usize) -> DeclaredNames {
        let path = loaded.folders().get(owner).map(|folder| folder.join("mod.toml"));
        let source = loaded.sources().iter().find(|source| Some(&source.path) == path.as_ref());
        let manifest = source.and_then(|source| source.text.parse().ok());
        DeclaredNames { manifest: manifest.expect_or_default("a mod that is loaded has a manifest in TOML") }
    }

    /// Returns whether the mod declares `name` in the table `key`, such as `kind`.
    fn has(&self, key: &str, name: &str) -> bool {
        self.manifest.get(key).and_then(|table| table.get(name)).is_some()
    }

    /// Returns the description of a name in the table `key`; empty if it has none.
    fn about(&self, key: &str, name: &str) -> String {
        let about = self.manifest.get(key).and_then(|table| table.get(name)?.get("about")?.as_str());
        // A missing description is no error: the chapter lists the name as not explained yet.
        about.unwrap_or_default().trim().to_owned()
    }

    /// Returns the ids of the phases that the mod adds, and their descriptions. A missing
    /// description is empty, and the summary of a turn then shows only the id.
    pub fn phases(&self) -> Vec<[String; 2]> {
        let phases = self.manifest.get("phase").and_then(toml::Value::as_array).into_iter().flatten();
        let text = |phase: &toml::Value, key: &str| Some(phase.get(key)?.as_str()?.trim().to_owned());
        phases.filter_map(|phase| Some([text(phase, "id")?, text(phase, "about").unwrap_or_default()])).collect()
    }

    /// Returns the names that the book explains, each with its table and its description. A missing
    /// description is empty, and the chapter then lists the name as not explained yet.
    fn explained_names(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        EXPLAINED_TABLES.into_iter().flat_map(|key| {
            let names = self.manifest.get(key).and_then(toml::Value::as_table).into_iter().flatten();
            names.map(move |(name, value)| {
                (key, name.as_str(), value.get("about").and_then(toml::Value::as_str).unwrap_or_default().trim())
            })
        })
    }
}

/// Returns the number of copies of a tile or card in a deck at the start.
pub fn n_copies(deck: &Deck, item: u16) -> usize {
    deck.items.iter().filter(|(other, _)| *other == item).map(|(_, n)| usize::from(*n)).sum()
}

/// Returns the number of copies of a tile or card in all decks at the start.
fn n_in_decks(catalogue: &Catalogue, holds: ItemType, item: u16) -> usize {
    catalogue.decks.iter().filter(|deck| deck.holds == holds).map(|deck| n_copies(deck, item)).sum()
}

/// The heading for the comment of the hook that changes the points of features.
pub(crate) const POINTS_OF_FEATURE: &str = "The points of a feature";

/// Returns the heading for the comment of a hook.
fn hook_title(hook: &str) -> String {
    let title = match hook {
        "setup" => "Before the game",
        "arrange_deck" => "The order of the tiles",
        "tile_sources" => "Where the tile comes from",
        "filter_places" => "Where a tile may lie",
        "filter_deploys" => "Where a piece may stand",
        "action_options" => "Instead of deploying a piece",
        "anytime_options" => "At any time in a turn",
        "tile_placed" => "When a tile is placed",
        "feature_joined" => "When features are joined",
        "feature_split" => "When a feature is split",
        "feature_completed" => "When a feature is completed",
        "piece_left" => "When a piece leaves the board",
        "piece_returned" => "When a piece returns",
        "strength" => "How much a piece counts for the majority",
        "score_value" => POINTS_OF_FEATURE,
        "scored" => "When points are scored",
        "turn_ended" => "At the end of a turn",
        "final_scoring" => "The final count",
        "break_tie" => "Ties",
        _ => return capitalize(&spaced_name(hook.trim_start_matches("phase_").trim_start_matches("do_"))),
    };
    title.to_owned()
}

fn tiles(loaded: &Loaded, id: &str) -> Vec<(TileIdx, usize)> {
    let catalogue = loaded.catalogue();
    let is_start = |tile: TileIdx| catalogue.start.is_some_and(|start| start.tile == tile);
    let n = |tile: TileIdx| n_in_decks(catalogue, ItemType::Tiles, tile.0) + usize::from(is_start(tile));
    catalogue.own_tiles(id).into_iter().map(|tile| (tile, n(tile))).collect()
}

fn contents(loaded: &Loaded, owner: usize, declared: &DeclaredNames) -> Vec<[String; 3]> {
    let catalogue = loaded.catalogue();
    let mut rows = Vec::new();
    for piece in catalogue.pieces.iter().filter(|piece| piece.owner.idx() == owner) {
        let mut n = Vec::new();
        if piece.per_player > 0 {
            n.push(format!("{} for each player", piece.per_player));
        }
        if piece.neutral > 0 {
            n.push(format!("{} for all", piece.neutral));
        }
        let kinds = catalogue.tile_set.kinds.iter().enumerate().filter(|(i, _)| piece.stands_on.0 >> i & 1 == 1);
        let kinds: Vec<String> = kinds.map(|(_, kind)| spaced_name(&kind.name)).collect();
        let land = if kinds.is_empty() { String::new() } else { format!("Stands on {}.", kinds.join(", ")) };
        rows.push([piece.title.clone(), n.join(", "), land]);
    }
    let stock = |n: Option<u32>| n.map_or("as many as you need".to_owned(), |n| n.to_string());
    for token in catalogue.tokens.iter().filter(|token| declared.has("token", &token.name)) {
        let held = match token.per_player {
            0 => declared.about("token", &token.name),
            n => format!("Each player begins with {n}."),
        };
        rows.push([spaced_name(&token.name), stock(token.stock), held]);
    }
    for pile in catalogue.piles.iter().filter(|pile| declared.has("pile", &pile.name)) {
        rows.push([spaced_name(&pile.name), stock(pile.stock), declared.about("pile", &pile.name)]);
    }
    let id = catalogue.mods.get(owner).map_or("", |info| info.id.as_str());
    for (i, card) in (0..).zip(&catalogue.cards) {
        let Some(name) = card.name.strip_prefix(id).and_then(|name| name.strip_prefix('/')) else { continue };
        let n = n_in_decks(catalogue, ItemType::Cards, i);
        rows.push([format!("card {}", spaced_name(name)), n.to_string(), card.about.clone()]);
    }
    rows
}

/// Returns the pieces, tokens and piles that [`contents`] lists.
fn depicted(loaded: &Loaded, owner: usize, declared: &DeclaredNames) -> Vec<(ItemPicture, String)> {
    let catalogue = loaded.catalogue();
    let pieces = catalogue.pieces.iter().filter(|piece| piece.owner.idx() == owner);
    let pieces = pieces.map(|it| (ItemPicture::Piece(it.name.clone()), it.title.clone()));
    let tokens = catalogue.tokens.iter().filter(|token| declared.has("token", &token.name));
    let tokens = tokens.map(|it| (ItemPicture::Token(it.name.clone()), spaced_name(&it.name)));
    let piles = catalogue.piles.iter().filter(|pile| declared.has("pile", &pile.name));
    let piles = piles.map(|it| (ItemPicture::Pile(it.name.clone()), spaced_name(&it.name)));
    pieces.chain(tokens).chain(piles).collect()
}

/// Returns the rows of a table of points. `is_shown` receives the table of a manifest, `kind` or
/// `layer`, and the name in it.
pub(crate) fn points(catalogue: &Catalogue, is_shown: impl Fn(&str, &str) -> bool) -> Vec<[String; 3]> {
    let kinds = catalogue.tile_set.kinds.iter().zip(&catalogue.points);
    let kinds = kinds.filter(|(kind, _)| is_shown("kind", &kind.name)).map(|(kind, points)| (&kind.name, points));
    let layers = catalogue.tile_set.layers.iter().zip(&catalogue.layer_points).skip(1);
    let layers = layers.filter(|(layer, _)| is_shown("layer", &layer.name)).map(|(layer, p)| (&layer.name, p));
    let said = |formula: &Option<rules::Formula>| {
        formula.as_ref().map_or("–".to_owned(), |it| describe_formula(catalogue, it))
    };
    let rows =
        kinds.chain(layers).map(|(name, points)| [spaced_name(name), said(&points.complete), said(&points.at_end)]);
    rows.filter(|[_, complete, at_end]| complete != "–" || at_end != "–").collect()
}

/// Returns the rows of the table of settings. Omits the settings that a mod gets without declaring
/// them, because they say nothing about this mod.
fn settings(loaded: &Loaded, owner: usize, declared: &DeclaredNames) -> Vec<[String; 3]> {
    let own = loaded.catalogue().settings.iter().filter(|it| it.owner.idx() == owner);
    let own = own.filter(|it| declared.has("setting", &it.name));
    let default = |value: String| match value.as_str() {
        "true" => "on".to_owned(),
        "false" => "off".to_owned(),
        _ => spaced_name(&value),
    };
    own.map(|setting| [spaced_name(&setting.name), default(setting.default.to_string()), setting.about.clone()])
        .collect()
}

/// Returns the names that a loaded mod declares, with their descriptions.
pub(crate) fn words(loaded: &Loaded, owner: usize) -> Vec<[String; 2]> {
    glossary(&DeclaredNames::of(loaded, owner))
}

fn glossary(declared: &DeclaredNames) -> Vec<[String; 2]> {
    let explained = declared.explained_names().filter(|(_, _, about)| !about.is_empty());
    explained.map(|(_, name, about)| [spaced_name(name), about.to_owned()]).collect()
}

/// Returns a sentence for each declared name that has no description.
fn missing_descriptions(declared: &DeclaredNames) -> Vec<String> {
    let missing_descriptions = declared.explained_names().filter(|(_, _, about)| about.is_empty());
    missing_descriptions.map(|(key, name, _)| format!("`[{key}.{name}]` has no `about`.")).collect()
}

impl Chapter {
    /// Reads the introduction of the README, and its sections for players, into the chapter.
    fn read(&mut self, readme: &str) {
        let names: Vec<String> = self.examples.iter().map(|example| example.name.clone()).collect();
        let id = self.id.clone();
        let link = |test: &str| {
            let begins = |name: &&String| **name == *test || name.starts_with(&format!("{test}_"));
            let i = names.iter().position(|name| begins(&name))?;
            Some(format!("[example {}](#{})", i + 1, anchor(&id, i)))
        };
        for ReadmeSection { title, text } in player_sections(readme) {
            let text = passages(&link_references(&text, link));
            if title.is_empty() {
                self.intro = text;
            } else {
                self.sections.push((title.to_owned(), text));
            }
        }
    }

    /// Adds the comments of the script's hooks in the order of a turn, and reports hooks without a
    /// comment or an example.
    fn add_hooks(&mut self, loaded: &Loaded, called: &BTreeSet<(String, String)>) {
        let catalogue = loaded.catalogue();
        let in_turn: Vec<&str> = catalogue
            .phases
            .iter()
            .filter_map(|phase| match phase.runs {
                PhaseAction::Function { function } => {
                    catalogue.functions.get(function.idx()).map(|it| it.name.as_str())
                }
                _ => None,
            })
            .collect();
        let scripts = loaded.scripts().iter().filter(|script| script.owner == self.id);
        // `describe` is no rule: it only writes tooltips.
        let is_rule = |name: &str| name != "describe";
        let functions = scripts.flat_map(|script| outline(&script.text));
        let mut functions: Vec<_> = functions.filter(|it| it.is_hook && is_rule(&it.name)).collect();
        let position = |name: &str| in_turn.iter().position(|it| *it == name).unwrap_or(in_turn.len());
        functions.sort_by_key(|function| position(&function.name));
        for function in functions {
            let name = hook_title(&function.name);
            let comment = function.comment.split_whitespace().collect::<Vec<_>>().join(" ");
            if comment.is_empty() {
                self.unexplained.push(format!("The function `{}` has no comment.", function.name));
            }
            if !called.contains(&(self.id.clone(), function.name.clone())) {
                self.unexplained.push(format!("No example shows the function `{}`.", function.name));
            }
            let (text, source) = comment.split_once("Source:").unwrap_or((&comment, ""));
            if !text.is_empty() {
                self.functions.push([name, text.trim().to_owned(), source.trim().to_owned()]);
            }
        }
    }
}

/// Returns the anchor of example `i` of a mod, counted from 0. The anchor of a chapter is the id of
/// its mod, which contains no underscore. Therefore the two kinds of anchors never collide.
pub(crate) fn anchor(id: &str, i: usize) -> String {
    format!("{id}_example_{}", i + 1)
}
