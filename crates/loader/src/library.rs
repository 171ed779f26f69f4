//! Finds the mods on disk, and loads some of them together.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use playtest::SurveyQuestion;
use script::Vocabulary;
use theme::IconCheck;

use crate::folder::{self, BundledTexts, ModFiles, TextOverrides};
use crate::loaded::Loaded;
use crate::manifest::Manifest;
use crate::merge;
use crate::order;
use crate::problem::{Problems, display_path};
use crate::themes;
use crate::variants::ModSources;
use crate::vocabulary::vocabulary_of;

/// The mods in a search path, and optionally bundled mods.
///
/// Nothing is cached, so every call sees mods that were added, changed or deleted in the meantime.
#[derive(Clone, Debug)]
pub struct Library {
    paths: Vec<PathBuf>,
    texts: Arc<TextOverrides>,
    check_icon: IconCheck,
}

/// A mod that a library contains, as described by its manifest.
#[derive(Clone, Debug)]
pub struct AvailableMod {
    /// The id of the mod.
    pub id: String,
    /// The folder of the mod.
    pub folder: PathBuf,
    /// The title of the mod; `None` if the manifest cannot be read.
    pub title: Option<String>,
    /// The description of the mod; empty if the manifest cannot be read.
    pub about: String,
    /// The version of the mod; `None` if the manifest cannot be read.
    pub version: Option<String>,
    /// The ids of the mod and of the mods that it requires, in load order.
    pub load_order: Vec<String>,
    /// The problems in the manifests of the mods in `load_order`.
    pub problems: Problems,
}

impl Library {
    /// Opens the mods in `paths`. Each path is the folder of a mod or a folder that contains such
    /// folders. Loading does not check icons (see [`with_icon_check`](Library::with_icon_check)).
    pub fn open(paths: &[PathBuf]) -> Library {
        Library { paths: paths.to_vec(), texts: Arc::default(), check_icon: |_| Ok(()) }
    }

    /// Returns a library that checks every icon with `check_icon` and reports icons that cannot be
    /// drawn. Programs that draw pass `art::check_icon`.
    pub fn with_icon_check(self, check_icon: IconCheck) -> Library {
        Library { check_icon, ..self }
    }

    /// Returns a library that reads `texts` instead of the files with the same paths, to check
    /// unsaved changes.
    pub fn with_unsaved(self, texts: BTreeMap<PathBuf, Arc<str>>) -> Library {
        Library { texts: Arc::new(TextOverrides { unsaved: texts, ..TextOverrides::clone(&self.texts) }), ..self }
    }

    /// Returns a library that reads a mod from `bundled` if no mod on disk has its id.
    pub fn with_bundled_fallback(self, bundled: BundledTexts) -> Library {
        self.with_bundled(bundled, false)
    }

    /// Returns a library that reads every mod in `bundled` from its bundled files, even if the mod
    /// is also on disk.
    pub fn with_bundled_override(self, bundled: BundledTexts) -> Library {
        self.with_bundled(bundled, true)
    }

    fn with_bundled(self, bundled: BundledTexts, replaces: bool) -> Library {
        Library { texts: Arc::new(TextOverrides { bundled, replaces, ..TextOverrides::clone(&self.texts) }), ..self }
    }

    /// Returns the same library with another search path.
    pub fn with_paths(&self, paths: Vec<PathBuf>) -> Library {
        Library { paths, ..self.clone() }
    }

    /// Opens the mods in the default search path (see [`builtin_mods`]).
    pub fn builtin() -> Library {
        Library::open(&builtin_mods())
    }

    /// Returns the search path.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns the ids and folders of all mods, sorted by id.
    fn scan(&self) -> Vec<(String, PathBuf)> {
        folder::scan(&self.paths, &self.texts)
    }

    /// Returns the ids of all mods, sorted.
    pub fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self.scan().into_iter().map(|(id, _)| id).collect();
        ids.dedup();
        ids
    }

    /// Returns the folder of mod `id`, if there is such a mod.
    pub fn folder(&self, id: &str) -> Option<PathBuf> {
        self.scan().into_iter().find(|(found, _)| found == id).map(|(_, folder)| folder)
    }

    /// Returns all mods, sorted by id. Reads only manifests, not tiles and scripts.
    pub fn available_mods(&self) -> Vec<AvailableMod> {
        let found = self.scan();
        let mut known: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        known.dedup();
        let folder_of = |id: &str| found.iter().find(|(found, _)| found == id).map(|(_, folder)| folder.as_path());
        // Each manifest is read once, even if several mods require it.
        let mut problems = Problems::default();
        let mut read: BTreeMap<&str, (Option<Manifest>, Problems)> = BTreeMap::new();
        for id in &known {
            report_duplicates(&mut problems, &found, id);
            let folder = folder_of(id);
            let manifest = folder.and_then(|it| folder::read_manifest(&mut problems, &self.texts, it, id));
            read.insert(id, (manifest.map(|(manifest, ..)| manifest), problems.take()));
        }
        let look_at = |id: &&str| {
            let (manifests, _) = order::resolve(&mut problems, &[(*id).to_owned()], &known, |p, id| {
                let (manifest, own) = read.get(id)?;
                p.add_all(own);
                manifest.clone()
            });
            let mut problems = problems.take();
            problems.sort();
            let own = manifests.iter().find(|m| m.id.value == **id);
            Some(AvailableMod {
                id: (*id).to_owned(),
                folder: folder_of(id)?.to_owned(),
                title: own.map(|m| m.title.clone()),
                about: own.map(|m| m.about.clone()).unwrap_or_default(),
                version: own.map(|m| m.version.to_string()),
                load_order: manifests.iter().map(|m| m.id.value.clone()).collect(),
                problems,
            })
        };
        known.iter().filter_map(look_at).collect()
    }

    /// Returns the names that the script of mod `id` may use if players play the mod together with
    /// the mods `ids`. Returns `None` if the manifest of mod `id` cannot be read.
    pub fn vocabulary<S: AsRef<str>>(&self, id: &str, ids: &[S]) -> Option<Vocabulary> {
        let found = self.scan();
        let known: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        let folder_of = |id: &str| found.iter().find(|(found, _)| found == id).map(|(_, folder)| folder.as_path());
        let requested: Vec<String> = ids.iter().map(AsRef::as_ref).chain([id]).map(str::to_owned).collect();
        let mut ignored = Problems::default();
        let (manifests, is_whole) = order::resolve(&mut ignored, &requested, &known, |p, id| {
            folder::read_manifest(p, &self.texts, folder_of(id)?, id).map(|(manifest, ..)| manifest)
        });
        let own = manifests.iter().find(|manifest| manifest.id.value == id)?;
        Some(vocabulary_of(own, &self.texts, &manifests, is_whole, &known, folder_of))
    }

    /// Returns the mods of the library that mod `id` names as optional. Omits each mod that cannot
    /// be played together with mod `id` and the optional mods before it.
    pub fn optional_mods(&self, id: &str) -> Vec<String> {
        let found = self.scan();
        let mut known: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        known.dedup();
        let read = |p: &mut Problems, id: &str| {
            let (_, folder) = found.iter().find(|(found, _)| found == id)?;
            folder::read_manifest(p, &self.texts, folder, id).map(|(manifest, ..)| manifest)
        };
        // Loading mod `id` reports the problems of its manifest, so this reading ignores them.
        let optional = read(&mut Problems::default(), id).map(|manifest| manifest.optional).unwrap_or_default();
        let mut chosen = vec![id.to_owned()];
        for other in optional.into_iter().map(|it| it.id.value).filter(|other| known.contains(&other.as_str())) {
            let together = [chosen.as_slice(), &[other]].concat();
            let mut problems = Problems::default();
            order::resolve(&mut problems, &together, &known, read);
            if problems.n_errors() == 0 {
                chosen = together;
            }
        }
        chosen.split_off(1)
    }

    /// Loads the mods `ids` and all mods that they require. Does not check the other mods of the
    /// library.
    ///
    /// Returns the loaded mods and all problems. If a problem is an error, returns `None` instead
    /// of the mods.
    pub fn load<S: AsRef<str>>(&self, ids: &[S]) -> (Option<Loaded>, Problems) {
        let mut problems = Problems::default();
        let loaded = self.try_load(&mut problems, ids);
        problems.sort();
        (loaded.filter(|_| problems.n_errors() == 0), problems)
    }

    fn try_load<S: AsRef<str>>(&self, p: &mut Problems, ids: &[S]) -> Option<Loaded> {
        let found = self.scan();
        let mut known: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        known.dedup();
        let folder_of = |id: &str| found.iter().find(|(found, _)| found == id).map(|(_, folder)| folder.as_path());
        let mut files = Vec::new();
        let mut requested: Vec<String> = ids.iter().map(|id| id.as_ref().to_owned()).collect();
        requested.sort();
        requested.dedup();
        let (manifests, mut is_whole) = order::resolve(p, &requested, &known, |p, id| {
            report_duplicates(p, &found, id);
            let (manifest, file, is_whole) = folder::read_manifest(p, &self.texts, folder_of(id)?, id)?;
            files.push((id.to_owned(), file, is_whole));
            Some(manifest)
        });
        for manifest in &manifests {
            warn_of_look_alike_id(p, manifest, &known);
        }
        if manifests.len() > usize::from(u8::MAX) {
            p.general_error(format!("{} mods; at most {} can be played together", manifests.len(), u8::MAX));
            return None;
        }
        is_whole &= files.iter().all(|(.., manifest_is_whole)| *manifest_is_whole);
        let words = |own| vocabulary_of(own, &self.texts, &manifests, is_whole, &known, folder_of);
        let vocabularies: Vec<Vocabulary> = manifests.iter().map(words).collect();
        let mut mods: Vec<ModFiles> = Vec::new();
        let mut folders = Vec::new();
        for (manifest, mut vocabulary) in manifests.into_iter().zip(vocabularies) {
            let (_, file, manifest_is_whole) = files.iter().find(|(id, ..)| *id == manifest.id.value)?;
            let folder = folder_of(&manifest.id.value)?;
            vocabulary.tiles.extend(mods.iter().flat_map(ModFiles::tile_ids));
            let vocabulary = Some(vocabulary).filter(|_| *manifest_is_whole);
            mods.push(folder::read_rest(p, &self.texts, folder, manifest, *file, vocabulary));
            folders.push(folder.to_owned());
        }
        // If a mod is missing, every name that it declares would be reported as unknown. Therefore
        // loading stops before the names are checked.
        if !is_whole {
            return None;
        }
        let elsewhere = OnceCell::new();
        let phases_elsewhere = || phases(&self.texts, found.iter().filter(|(_, folder)| !folders.contains(folder)));
        let exists_elsewhere = |id: &str| elsewhere.get_or_init(phases_elsewhere).iter().any(|phase| phase == id);
        let catalogue = merge::catalogue(p, &mods, None, exists_elsewhere);
        let theme = themes::merge(p, &mods, catalogue.as_ref(), self.check_icon);
        let scripts = mods.iter().map(|m| m.script.clone()).collect();
        let survey = mods.iter().flat_map(|it| survey_of(&it.manifest)).take(playtest::MAX_QUESTIONS).collect();
        let sources = p.sources().to_vec();
        let variants = ModSources::new(mods, p.empty_with_sources());
        // `more` also contains the problems that do not depend on a setting. These problems are
        // already in `p`, so only new problems are added.
        if !p.is_full() {
            let more = variants.problems(catalogue.as_ref().map(|it| &it.tile_set));
            let more: Vec<_> = more.into_iter().filter(|problem| !p.list().contains(problem)).collect();
            p.extend(more);
        }
        let (catalogue, theme, variants) = (Arc::new(catalogue?), Arc::new(theme), Arc::new(variants));
        Some(Loaded { catalogue, scripts, theme, survey, sources, folders, variants })
    }
}

/// Returns the questions that a mod asks the people who try it.
fn survey_of(manifest: &Manifest) -> impl Iterator<Item = SurveyQuestion> {
    manifest.survey.iter().map(|decl| SurveyQuestion {
        id: format!("{}/{}", manifest.id.value, decl.name.value),
        text: decl.about.clone(),
        answers: decl.body.clone(),
    })
}

/// Warns if the id of a mod looks like the id of another mod, mixes letters of several writing
/// systems, or has letters that are unusual in names.
fn warn_of_look_alike_id(p: &mut Problems, manifest: &Manifest, known: &[&str]) {
    let id = &manifest.id;
    if let Some(other) = diagnostic::find_look_alike(&id.value, known.iter().copied()) {
        let message = format!("the id `{}` looks like `{other}`, which is another mod", id.value);
        p.warning(id.range, message).help("check that this is the mod you want, or give it another id");
    } else if let Some(odd) = diagnostic::odd_letters_clause(&id.value) {
        p.warning(id.range, format!("the id `{}` {odd}", id.value)).help("use common letters of one writing system");
    }
}

fn report_duplicates(p: &mut Problems, found: &[(String, PathBuf)], id: &str) {
    let folders: Vec<String> = found.iter().filter(|(found, _)| found == id).map(|(_, f)| display_path(f)).collect();
    if let [first, second, ..] = &folders[..] {
        p.general_error(format!("the mod `{id}` exists twice: in {first} and in {second}"))
            .help("remove one of them, rename its folder and its id, or search for mods in only one of the two places");
    }
}

/// Returns the names of the phases that `mods` declare. Ignores problems in their manifests.
fn phases<'a>(texts: &TextOverrides, mods: impl Iterator<Item = &'a (String, PathBuf)>) -> Vec<String> {
    let mut ignored = Problems::default();
    let manifests = mods.filter_map(|(id, folder)| folder::read_manifest(&mut ignored, texts, folder, id));
    manifests.flat_map(|(manifest, ..)| manifest.phases.into_iter().map(|d| d.name.value)).collect()
}

/// Returns the default search path for mods.
///
/// If `BASTIDE_MODS` is set, the search path is its value, separated as in `PATH`. Otherwise the
/// search path begins with the folder `mods` in the current folder or in a folder above it. If that
/// folder does not exist or contains no game, the folder `mods` beside the program or above it
/// follows. The last folder is `bastide/mods` in the user's data folder, where the window makes
/// mods. A development build uses the `mods` folder of its source code instead of the data folder,
/// so that tests do not depend on the user's mods.
pub fn builtin_mods() -> Vec<PathBuf> {
    if let Some(paths) = std::env::var_os("BASTIDE_MODS").filter(|paths| !paths.is_empty()) {
        return std::env::split_paths(&paths).collect();
    }
    let above = |start: PathBuf| start.ancestors().map(|folder| folder.join("mods")).find(|mods| contains_mods(mods));
    let current = std::env::current_dir().ok().and_then(above);
    let beside_program = || std::env::current_exe().ok().and_then(above);
    let has_game = current.as_deref().is_some_and(contains_game);
    let beside = if has_game { None } else { beside_program() };
    #[cfg(debug_assertions)]
    let last = (!has_game && beside.is_none()).then(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods"));
    #[cfg(not(debug_assertions))]
    let last = platform::fs::data_dir().map(|data| data.join("bastide/mods"));
    let mut paths: Vec<PathBuf> = current.into_iter().chain(beside).chain(last).collect();
    paths.dedup();
    paths
}

fn contains_game(folder: &Path) -> bool {
    let mut ignored = Problems::default();
    let mut mods = folder::scan(&[folder.to_owned()], &TextOverrides::default()).into_iter();
    mods.any(|(id, folder)| {
        folder::read_manifest(&mut ignored, &TextOverrides::default(), &folder, &id).is_some_and(|(it, ..)| it.is_game)
    })
}

/// Returns whether `folder` contains a mod. The name of the folder is not enough, because other
/// programs also have folders named `mods`.
fn contains_mods(folder: &Path) -> bool {
    !folder::scan(&[folder.to_owned()], &TextOverrides::default()).is_empty()
}
