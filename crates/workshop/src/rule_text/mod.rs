//! Language services for authors of scripts and manifests.

mod complete;
mod entry;
mod lines;
mod outline;
mod place;
mod spans;

use std::path::Path;

pub use complete::{Completion, CompletionItem, complete};
pub use entry::{Doc, key_doc};
pub use keys::{FILES, Key, ManifestFile, Section};
pub use lines::{home_position, indented, toggle_comments, with_aligned_bracket, with_new_line};
pub use outline::{
    Definition, FunctionOutline, MissingHook, definition, find_declared, hook_filters, hover, missing_hooks, outline,
};
pub use place::name_at;
pub use spans::{SpanKind, TextSpan, spans};

/// The language of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// A script.
    Rhai,
    /// A manifest, a file of tiles or a theme. The value describes the keys that the file can have.
    Toml(&'static ManifestFile),
    /// Any other file. The editor shows it without colours.
    Plain,
}

impl Language {
    /// Returns the language of a file by its name. A `.toml` file with an unknown name counts as a
    /// file of tiles.
    pub fn from_path(path: &Path) -> Language {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("rhai") => Language::Rhai,
            Some("toml") => {
                let file = FILES.into_iter().find(|file| path.ends_with(file.name));
                Language::Toml(file.unwrap_or(&keys::TILES))
            }
            _ => Language::Plain,
        }
    }

    /// Returns the characters with which a line comment begins.
    pub fn comment_prefix(self) -> &'static str {
        match self {
            Language::Rhai => "//",
            Language::Toml(_) | Language::Plain => "#",
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use expect_test::expect;
    use script::Vocabulary;

    use super::*;

    fn words() -> Vocabulary {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        Vocabulary {
            phases: list(&["gold-rush"]),
            options: list(&["dig"]),
            settings: list(&["bonus", "far"]),
            kinds: list(&["city", "road"]),
            tags: list(&["inn", "shield"]),
            pieces: list(&["follower"]),
            ..Vocabulary::default()
        }
    }

    /// Returns the first completions at the position of `|` in `marked`.
    fn offered(language: Language, marked: &str) -> String {
        let at = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let spans = spans(language, &text);
        let Some(completion) = complete(language, &text, &spans, at, &words(), true) else {
            return "nothing".to_owned();
        };
        let shown: Vec<String> =
            completion.items.iter().take(6).map(|item| item.insert.replace('\n', "⏎").clone()).collect();
        format!("{:?} -> {}", &text[completion.bytes], shown.join("  "))
    }

    /// A letter also finds later words of a name, after the names that begin with the letter.
    #[test]
    fn later_words_of_a_name_are_found_after_first_words() {
        let text = "fn score_value(feature, score) { feature.c }";
        let at = text.find("c }").unwrap() + 1;
        let found = complete(Language::Rhai, text, &spans(Language::Rhai, text), at, &words(), false).unwrap();
        let labels: Vec<&str> = found.items.iter().map(|item| item.label.as_str()).collect();
        let complete = labels.iter().position(|label| *label == "is_complete").unwrap();
        let n_first = labels.iter().take_while(|label| label.starts_with('c')).count();
        assert!(n_first > 0 && complete >= n_first, "{labels:?}");
        assert!(labels.iter().all(|label| label.split('_').any(|word| word.starts_with('c'))), "{labels:?}");
    }

    #[test]
    fn words_are_offered_by_where_they_stand() {
        let scripts = [
            "fn score_value(feature, score) { feature.n_t| }",
            "fn score_value(feature, score) { score.| }",
            "fn score_value(feature, score) { let bonus = 2; bo| }",
            "fn a() { settings.| }",
            "fn a() { mem.g| }",
            "fn a() { feature.has(\"sh| }",
            "fn a() { feature.has(\"sh|\") }",
            "fn score_va|",
            "fn pha|",
            "fn helper(x) { x } fn setup() { hel| }",
            "fn setup() { supp|(a) }",
            "// sco|",
            "fn setup() { 1| }",
            "fn setup() { nonsense| }",
        ];
        let manifests = [
            "[mod]\nreq|",
            "[kind.city]\nedge = \"full\"\ncl|",
            "[piece.x]\nst|",
            "[ki|",
            "[piece.x]\nstands_on = [\"ro|\"]",
            "# re|",
        ];
        let told = scripts.iter().map(|text| format!("{text}\n    {}\n", offered(Language::Rhai, text)));
        let more = manifests
            .iter()
            .map(|text| format!("{}\n    {}\n", text.replace('\n', " "), offered(Language::Toml(&keys::MOD), text)));
        let themes = [
            "[kind.x]\npat|",
            "[kind.x]\npattern = \"|\"",
            "[kind.x]\nstyle = \"wo|",
            "[tag.x]\nicon.word = \"cro|",
            "[palette.x]\nroof|",
        ];
        let of_themes = themes
            .iter()
            .map(|text| format!("{}\n    {}\n", text.replace('\n', " "), offered(Language::Toml(&keys::THEME), text)));
        expect![[r#"
            fn score_value(feature, score) { feature.n_t| }
                "n_t" -> n_tiles
            fn score_value(feature, score) { score.| }
                "" -> double()  feature  halve()  is_complete  is_final  minus()
            fn score_value(feature, score) { let bonus = 2; bo| }
                "bo" -> bonus  border()  border_piles()  nobody
            fn a() { settings.| }
                "" -> bonus  far
            fn a() { mem.g| }
                "g" -> game
            fn a() { feature.has("sh| }
                "sh" -> shield
            fn a() { feature.has("sh|") }
                "sh" -> shield
            fn score_va|
                "score_va" -> score_value(feature, score) {⏎    ⏎}
            fn pha|
                "pha" -> phase_gold_rush() {⏎    ⏎}
            fn helper(x) { x } fn setup() { hel| }
                "hel" -> helper()
            fn setup() { supp|(a) }
                "supp" -> supply
            // sco|
                nothing
            fn setup() { 1| }
                nothing
            fn setup() { nonsense| }
                nothing
            [mod] req|
                "req" -> requires = 
            [kind.city] edge = "full" cl|
                "cl" -> closes = 
            [piece.x] st|
                "st" -> stands_on =   strength = 
            [ki|
                "ki" -> kind
            [piece.x] stands_on = ["ro|"]
                "ro" -> road
            # re|
                nothing
            [kind.x] pat|
                "pat" -> pattern = 
            [kind.x] pattern = "|"
                "" -> plain  rows  slopes  waves  chevrons  dots
            [kind.x] style = "wo|
                "wo" -> wooded
            [tag.x] icon.word = "cro|
                "cro" -> crown  cross  scroll
            [palette.x] roof|
                "roof" -> roof_1 =   roof_2 =   roof_3 =   building_roof = 
        "#]]
        .assert_eq(&told.chain(more).chain(of_themes).collect::<String>());
    }

    #[test]
    fn words_are_explained_and_found() {
        let text =
            "/// Adds.\nfn own(a) { a }\nfn score_value(feature, score) { score.plus(own(feature.n_tiles), \"inn\"); }";
        let spans = spans(Language::Rhai, text);
        let mut told = String::new();
        for word in ["own(f", "score_value", "plus", "n_tiles", "inn", "Adds", "a }"] {
            let found = hover(Language::Rhai, text, &spans, text.find(word).unwrap() + 1, &words());
            let docs = found.map(|(_, docs)| docs).unwrap_or_default();
            let lines: Vec<String> =
                docs.iter().map(|doc| format!("{} ({}): {}", doc.signature, doc.kind, doc.about)).collect();
            told += &format!("{word}: {}\n", lines.join(" | "));
        }
        expect![[r#"
            own(f: own(a) (function of this script): Adds.
            score_value: score_value(feature, score) (rule: reads the game and returns a value): Once for each scored feature and each player who receives points: adds terms with `score.plus`, `score.replace` and so on. The function can read `score.player`, `score.is_final` and `score.is_complete`.
            plus: score.plus(points, reason) → award (term: in score_value and score_total): Adds points to the award.
            n_tiles: feature.n_tiles → number (query: may be used everywhere): The number of different tiles on which the feature lies.
            inn: inn (tag): 
            Adds: 
            a }: 
        "#]].assert_eq(&told);
        let found = |at: usize| definition(Language::Rhai, text, at, &words());
        assert_eq!(found(text.find("own(f").unwrap()), Some(Definition::Here(text.find("own(a").unwrap())));
        assert_eq!(found(text.find("inn").unwrap()), Some(Definition::Declared("inn".to_owned())));
        assert_eq!(found(text.find("plus").unwrap()), None);
        let manifest = "[mod]\nid = \"x\"\n[hook.inn]\n[tag.inn] # [tag.far]\n[[phase]]\nid = \"gold\" # so\n";
        assert_eq!(find_declared(manifest, "inn"), manifest.find("inn] #"));
        assert_eq!(find_declared(manifest, "gold"), manifest.find("gold"));
        assert_eq!(find_declared(manifest, "far"), None);
    }

    #[test]
    fn hooks_that_are_not_there_come_with_an_example() {
        let text = "fn setup() {}\nfn helper( { \nfn do_dig(choice) { if x { #{ a: 1 } } }";
        let there: Vec<String> = outline(text).iter().map(|it| format!("{} {}", it.signature, it.is_hook)).collect();
        assert_eq!(there, ["setup() true", "helper( false", "do_dig(choice) true"]);
        let unused = missing_hooks(text);
        assert!(unused.iter().all(|hook| hook.name != "setup" && hook.snippet.contains(&format!("fn {}(", hook.name))));
        assert_eq!(unused.len(), 32);
    }
}
