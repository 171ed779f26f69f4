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
    TokenBody, TrackBody,
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
    pub(crate) track: TrackBody,
    /// The settings of the mod by name. The value of a switch (a setting that is true or false) is
    /// `Some`; the value of any other setting is `None`.
    pub(crate) switches: Switches,
    /// The file of the manifest and its parsed tree; `None` if the manifest contains no conditions.
    pub(crate) tree: Option<(FileIdx, Node)>,
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
pub(crate) fn read(p: &mut Problems, file: FileIdx, root: &Node, folder_name: &str) -> Option<Manifest> {
    let all = Fields::new(p, root, &keys::MANIFEST, "the manifest", root.range);
    let start = file.range(0..0);
    let Some(node) = all.get("mod") else {
        let help = format!("begin with `[mod]`, `id = \"{folder_name}\"` and `version = \"1.0.0\"`");
        p.error(start, "the table `[mod]` is missing").help(help);
        return None;
    };
    let fields = Fields::new(p, node, &keys::MOD_TABLE, "[mod]", node.range);
    let cannot_be_said = |c: char| c.is_whitespace() || is_hidden(c) || matches!(c, ',' | '#' | '/' | '*' | '=');
    if folder_name.contains(cannot_be_said) {
        let message = format!("`{folder_name}` cannot be the id of a mod: records could not name it");
        p.error(start, message).help("name the folder with one word of lower-case letters, digits and `-`");
    }
    fields.report_missing_keys(p);
    let id = fields.text(p, "id");
    if let Some(id) = id.as_ref().filter(|id| id.value != folder_name) {
        let message = format!("the mod says it is `{}`, but its folder is called `{folder_name}`", id.value);
        p.error(id.range, message).help("the id of a mod is the name of its folder");
    }
    let version = version(p, &fields);
    let api = api(p, &fields);
    let title = fields.single_line_text(p, "title");
    let title_at = fields.get("title").map(|node| node.range).filter(|_| !title.is_empty());
    if let Some(range) = title_at.filter(|_| title.chars().count() > MAX_TITLE_LENGTH) {
        p.error(range, format!("a title has at most {MAX_TITLE_LENGTH} characters"));
    }
    let about = fields.single_line_text(p, "about");
    let is_game = fields.flag(p, "game").unwrap_or(false);
    let n_players = fields.get("players").and_then(|node| n_players(p, node));
    if is_game {
        fields.report_if_missing(p, "players");
    }
    let without_rules = fields.flag(p, "without_rules").unwrap_or(false);
    let [requires, optional, conflicts] =
        ["requires", "optional", "conflicts"].map(|key| requirements(p, &fields, key));
    fields.report_unknown(p);
    let manifest = Manifest {
        id: Spanned { value: folder_name.to_owned(), range: id.map_or(start, |id| id.range) },
        version,
        api,
        title: if title.is_empty() { folder_name.to_owned() } else { title },
        title_at,
        about,
        is_game,
        n_players,
        without_rules,
        requires,
        optional,
        conflicts,
        kinds: declare::kinds(p, &all),
        layers: declare::layers(p, &all),
        tags: declare::tags(p, &all),
        pieces: declare::pieces(p, &all),
        tokens: declare::tokens(p, &all),
        piles: declare::piles(p, &all),
        decks: declare::decks(p, &all),
        settings: declare::settings(p, &all),
        phases: declare::phases(p, &all),
        options: declare::options(p, &all),
        hooks: declare::hooks(p, &all),
        survey: declare::survey(p, &all),
        additions: declare::additions(p, &all),
        track: declare::track(p, &all),
        switches: Switches::new(),
        tree: None,
    };
    all.report_unknown(p);
    Some(manifest)
}

/// Reads the version of the mod. Reports a text that is not a version, and returns 0.0.0 instead.
fn version(p: &mut Problems, fields: &Fields<'_>) -> Version {
    let lowest = Version::new(0, 0, 0);
    let Some(version) = fields.text(p, "version") else { return lowest };
    Version::parse(&version.value).unwrap_or_else(|e| {
        p.error(version.range, format!("`{}` is not a version: {e}", version.value))
            .help("a version is three numbers, such as `1.0.0`");
        lowest
    })
}

/// Reads the version of the modding language. Reports a version that is newer than this program
/// supports. Returns `None` if the version is missing or invalid.
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
