//! The typed content of `mod.toml`: the mod itself and its declarations. Names are not resolved
//! here, because other mods can declare them.

use diagnostic::is_hidden;
use playtest::SurveyAnswers;
use rules::MAX_SEATS;
use semver::{Version, VersionReq};

use crate::conditions::Switches;
use crate::declare;
use crate::declared::{
    Additions, DeckBody, Decl, HookBody, KindBody, LayerBody, PhaseBody, PieceBody, PileBody, SettingBody, TagBody,
    TokenBody,
};
use crate::problem::{FileIdx, FileRange, Problems, Spanned};
use crate::reader::{Fields, Node, range_in_text};

/// The maximum length of a title, in characters.
const MAX_TITLE_LENGTH: usize = 100;

/// The valid parts of a manifest. Reading the manifest reported the invalid parts.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub(crate) id: Spanned<String>,
    pub(crate) version: Version,
    /// The version of the modding language; `None` if the manifest does not state a version.
    pub(crate) api: Option<u32>,
    pub(crate) title: String,
    /// The place of the title in the file; `None` if the manifest has no title.
    pub(crate) title_at: Option<FileRange>,
    pub(crate) about: String,
    pub(crate) is_game: bool,
    pub(crate) n_players: Option<(u8, u8)>,
    /// True if players may play the mod without its script.
    pub(crate) without_rules: bool,
    pub(crate) requires: Vec<ModReference>,
    pub(crate) optional: Vec<ModReference>,
    pub(crate) conflicts: Vec<ModReference>,
    pub(crate) kinds: Vec<Decl<KindBody>>,
    pub(crate) layers: Vec<Decl<LayerBody>>,
    pub(crate) tags: Vec<Decl<TagBody>>,
    pub(crate) pieces: Vec<Decl<PieceBody>>,
    pub(crate) tokens: Vec<Decl<TokenBody>>,
    pub(crate) piles: Vec<Decl<PileBody>>,
    pub(crate) decks: Vec<Decl<DeckBody>>,
    pub(crate) settings: Vec<Decl<SettingBody>>,
    pub(crate) phases: Vec<Decl<PhaseBody>>,
    pub(crate) options: Vec<Decl<()>>,
    pub(crate) hooks: Vec<Decl<HookBody>>,
    pub(crate) survey: Vec<Decl<SurveyAnswers>>,
    pub(crate) additions: Additions,
    /// The settings of the mod by name. The value of a switch (a setting that is true or false) is
    /// `Some`; the value of any other setting is `None`.
    pub(crate) switches: Switches,
    /// The file of the manifest and its parsed tree; `None` if the manifest contains no conditions.
    pub(crate) tree: Option<(FileIdx, Node)>,
    pub(crate) track_length: Option<Spanned<i64>>,
    pub(crate) n_markers: Option<Spanned<i64>>,
    pub(crate) dark: Option<Spanned<i64>>,
}

/// Another mod that a manifest requires, names as optional or conflicts with. In the manifest, a
/// requirement is the id of the mod, such as `base`, or the id and a range of versions, such as
/// `base ^1.0`.
#[derive(Clone, Debug)]
pub(crate) struct ModReference {
    pub(crate) id: Spanned<String>,
    pub(crate) version: VersionReq,
}

/// Reads the manifest `root` of the mod in folder `folder_name`. Returns `None` if the manifest has
/// no table `[mod]`.
pub(crate) fn read(problems: &mut Problems, file: FileIdx, root: &Node, folder_name: &str) -> Option<Manifest> {
    let all = Fields::new(problems, root, &keys::MANIFEST, "the manifest", root.range);
    let p = problems;
    let mut manifest = head(p, file, &all, folder_name)?;
    manifest.kinds = declare::kinds(p, &all);
    manifest.layers = declare::layers(p, &all);
    manifest.tags = declare::tags(p, &all);
    manifest.pieces = declare::pieces(p, &all);
    manifest.tokens = declare::tokens(p, &all);
    manifest.piles = declare::piles(p, &all);
    manifest.decks = declare::decks(p, &all);
    manifest.settings = declare::settings(p, &all);
    manifest.phases = declare::phases(p, &all);
    manifest.options = declare::options(p, &all);
    manifest.hooks = declare::hooks(p, &all);
    manifest.survey = declare::survey(p, &all);
    manifest.additions = declare::additions(p, &all);
    if let Some(track) = all.get("track") {
        let fields = Fields::new(p, track, &keys::TRACK, "[track]", track.range);
        manifest.track_length = fields.number(p, "length");
        manifest.n_markers = fields.number(p, "markers");
        manifest.dark = fields.number(p, "dark");
        fields.report_unknown(p);
    }
    all.report_unknown(p);
    Some(manifest)
}

impl Manifest {
    /// Makes the manifest of a mod that declares nothing. `at` is the place of its id.
    fn named(id: &str, at: FileRange) -> Manifest {
        Manifest {
            id: Spanned { value: id.to_owned(), range: at },
            version: Version::new(0, 0, 0),
            api: None,
            title: id.to_owned(),
            title_at: None,
            about: String::new(),
            is_game: false,
            n_players: None,
            without_rules: false,
            requires: Vec::new(),
            optional: Vec::new(),
            conflicts: Vec::new(),
            kinds: Vec::new(),
            layers: Vec::new(),
            tags: Vec::new(),
            pieces: Vec::new(),
            tokens: Vec::new(),
            piles: Vec::new(),
            decks: Vec::new(),
            settings: Vec::new(),
            phases: Vec::new(),
            options: Vec::new(),
            hooks: Vec::new(),
            survey: Vec::new(),
            additions: Additions::default(),
            switches: Switches::new(),
            tree: None,
            track_length: None,
            n_markers: None,
            dark: None,
        }
    }
}

/// Reads the table `[mod]`. Returns `None` if the manifest has no such table.
fn head(p: &mut Problems, file: FileIdx, all: &Fields<'_>, folder_name: &str) -> Option<Manifest> {
    let start = file.range(0..0);
    let Some(node) = all.get("mod") else {
        let help = format!("begin with `[mod]`, `id = \"{folder_name}\"` and `version = \"1.0.0\"`");
        p.error(start, "the table `[mod]` is missing").help(help);
        return None;
    };
    let mut manifest = Manifest::named(folder_name, start);
    let fields = Fields::new(p, node, &keys::MOD_TABLE, "[mod]", node.range);
    let cannot_be_said = |c: char| c.is_whitespace() || is_hidden(c) || matches!(c, ',' | '#' | '/' | '*' | '=');
    if folder_name.contains(cannot_be_said) {
        let message = format!("`{folder_name}` cannot be the id of a mod: records could not name it");
        p.error(start, message).help("name the folder with one word of lower-case letters, digits and `-`");
    }
    fields.report_missing_keys(p);
    if let Some(id) = fields.text(p, "id") {
        if id.value != folder_name {
            let message = format!("the mod says it is `{}`, but its folder is called `{folder_name}`", id.value);
            p.error(id.range, message).help("the id of a mod is the name of its folder");
        }
        manifest.id.range = id.range;
    }
    if let Some(version) = fields.text(p, "version") {
        match Version::parse(&version.value) {
            Ok(parsed) => manifest.version = parsed,
            Err(e) => {
                let problem = p.error(version.range, format!("`{}` is not a version: {e}", version.value));
                problem.help("a version is three numbers, such as `1.0.0`");
            }
        }
    }
    manifest.api = api(p, &fields);
    let title = fields.single_line_text(p, "title");
    if let Some(range) = fields.get("title").map(|node| node.range).filter(|_| !title.is_empty()) {
        if title.chars().count() > MAX_TITLE_LENGTH {
            p.error(range, format!("a title has at most {MAX_TITLE_LENGTH} characters"));
        }
        manifest.title_at = Some(range);
        manifest.title = title;
    }
    manifest.about = fields.single_line_text(p, "about");
    manifest.is_game = fields.flag(p, "game").unwrap_or(false);
    let players = fields.get("players");
    manifest.n_players = players.and_then(|node| n_players(p, node));
    if manifest.is_game {
        fields.report_if_missing(p, "players");
    }
    manifest.without_rules = fields.flag(p, "without_rules").unwrap_or(false);
    manifest.requires = requirements(p, &fields, "requires");
    manifest.optional = requirements(p, &fields, "optional");
    manifest.conflicts = requirements(p, &fields, "conflicts");
    fields.report_unknown(p);
    Some(manifest)
}

/// Reads the version of the modding language. Reports a version that is newer than this program
/// supports.
fn api(p: &mut Problems, fields: &Fields<'_>) -> Option<u32> {
    let api = fields.number(p, "api")?;
    if api.value > i64::from(script::API_VERSION) {
        let message = format!(
            "the mod is written in version {} of the language; this program reads {}",
            api.value,
            script::API_VERSION
        );
        p.error(api.range, message).help("install a newer version of Bastide");
    }
    Some(u32::try_from(api.value).unwrap_or(u32::MAX))
}

fn n_players(p: &mut Problems, node: &Node) -> Option<(u8, u8)> {
    let numbers = match &node.data {
        crate::reader::NodeData::List(list) if list.len() == 2 => list
            .iter()
            .map(|n| n.number(p, 1..=MAX_SEATS as i64).map(|n| n.value as u8))
            .collect::<Option<Vec<u8>>>()?,
        _ => Vec::new(),
    };
    match numbers[..] {
        [fewest, most] if fewest <= most => Some((fewest, most)),
        _ => {
            p.error(node.range, "expected the smallest and largest number of players, such as `[2, 6]`");
            None
        }
    }
}

fn requirements(p: &mut Problems, fields: &Fields<'_>, key: &'static str) -> Vec<ModReference> {
    let texts = fields.texts(p, key).unwrap_or_default();
    texts.iter().map(|text| requirement(p, text)).collect()
}

/// Parses a requirement such as `base` or `base ^1.0`.
fn requirement(p: &mut Problems, text: &Spanned<String>) -> ModReference {
    let (id, version) = text.value.split_once(char::is_whitespace).unwrap_or((&text.value, ""));
    let range = range_in_text(text, 0..id.len());
    let version = match version.trim() {
        "" => VersionReq::STAR,
        version => VersionReq::parse(version).unwrap_or_else(|e| {
            let at = range_in_text(text, text.value.len() - version.len()..text.value.len());
            let problem = p.error(at, format!("`{version}` is not a version range: {e}"));
            problem.help("write `^1.2` for 1.2 and all compatible versions, or `=1.2.3` for one version");
            VersionReq::STAR
        }),
    };
    ModReference { id: Spanned { value: id.to_owned(), range }, version }
}
