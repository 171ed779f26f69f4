//! Runs random programs as trees and in the interpreter, and compares the results: state, notes,
//! memory, options and faults.
//!
//! To run more programs: `PROGRAMS=100000 cargo test --release -p script --test generated`. To run
//! one of them again, set `SEED=17 PROGRAMS=1`. The file is long because it contains the grammar of
//! the programs (a table) beside the code that makes and compares them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod table;

use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::thread;

use fastrand::Rng;
use record::{start_game, state_hash};
use rules::{Call, FnIdx, Game, Halt, Hooks, Rules, Setup, Status, Value, option_texts};
use script::ScriptHost;

/// Expressions by the type of their value. `{type}` stands for another expression of that type.
/// Forms that begin with the mark `?` often fail, and are chosen less often.
const EXPRESSIONS: &[(&str, &[&str])] = &[
    (
        "int",
        &[
            "{int} + {int}",
            "{int} - {int}",
            "?{int} * {int}",
            "?{int} / {int}",
            "?{int} % {int}",
            "-({int})",
            "min({int}, {int})",
            "max({int}, {int})",
            "{list}.len",
            "{zones}.len",
            "{text}.len",
            "{feature}.n_tiles",
            "{feature}.n_zones",
            "?{feature}.value_now()",
            "?{feature}.value_at_end({player})",
            "n_tokens({player}, \"coin\")",
            "supply({player}, \"runner\")",
            "token_stock(\"coin\")",
            "score_of({player})",
            "{spot}.x",
            "{player}.number",
            "pile(\"gold\", {spot})",
            "{feature}.count(\"stones\")",
            "turn.number",
            "(if {bool} { {int} } else { {int} })",
            "mem.game.get(\"n\", {int})",
            "mem.turn.get(\"n\", {int})",
            "{feature}.winners.len",
            "{feature}.owners.len",
            "number({int})",
            "?{list}[{int}]",
            "{map}.a",
            "?{map}[\"b\"]",
            "deck_size(\"land\")",
            "parts_for(\"bonus\")",
            "({int})",
            "?{zone}.tag(\"stones\")",
            "turn.n_parts",
            "{spots}.len",
            "{pieces}.len",
            "{list}.sum(|x| x + {int})",
            "{zones}.sum(|z| z.feature.n_tiles)",
            "others({player}).len",
            "KNOWN[0]",
        ],
    ),
    (
        "bool",
        &[
            "{int} < {int}",
            "{int} >= {int}",
            "{int} == {int}",
            "{text} == {text}",
            "{player} == {player}",
            "{feature} == {feature}",
            "{zone} == {zone}",
            "{zone} < {zone}",
            "{piece} == {piece}",
            "{spot} != {spot}",
            "{bool} && {bool}",
            "{bool} || {bool}",
            "!{bool}",
            "{int} in {list}",
            "{zone} in {zones}",
            "{zones}.contains({zone})",
            "{list}.contains({int})",
            "{list} == {list}",
            "{zones} != {zones}",
            "pairs({zones}).contains({zones})",
            "[{list}, {list}].contains({list})",
            "{feature}.is_open",
            "{feature}.is_complete",
            "{feature}.has(\"stones\")",
            "\"n\" in mem.game",
            "\"n\" in mem.turn",
            "{zones}.some(|z| z.kind == {text})",
            "{list}.all(|x| x > {int})",
            "{piece}.in_play",
            "{zones}.is_empty()",
            "?{text} < {text}",
            "{piece} == ()",
            "{player} != nobody",
            "{feature}.has_piece_of({player})",
            "{feature} in [{feature}, {feature}]",
            "turn.is_final",
            "?{piece}.is_pinned",
            "{feature}.touches({spot})",
            "{text}.starts_with({text})",
            "{text}.ends_with({text})",
            "{list}.some(|x| x in KNOWN)",
        ],
    ),
    (
        "text",
        &[
            "{text} + {text}",
            "`${int}`",
            "`${bool} ${zone}`",
            "`${feature}`",
            "`${player}: ${int}`",
            "{zone}.kind",
            "{player}.name",
            "{zone}.name",
            "`${piece}`",
            "{feature}.kind",
            "`${spot}`",
            "word({text})",
            "`${tile}`",
            "(if {bool} { {text} } else { {text} })",
            "turn.reason",
            "?{tile}.id",
            "`${list}`",
            "mem.game.get(\"t\", {text})",
        ],
    ),
    (
        "list",
        &[
            "[{int}, {int}]",
            "[]",
            "[{int}]",
            "{list}.filter(|x| x > {int})",
            "{list}.most(|x| x * {int})",
            "{list}.least(|x| {int})",
            "?{list}.most(|x| x > {int})",
            "{list}.map(|x| x + {int})",
            "?{list} + {list}",
            "{zones}.map(|z| z.feature.n_tiles)",
            "{pieces}.map(|p| {int})",
            "{players}.map(|p| score_of(p))",
            "?tail({list})",
            "markers({player})",
            "KNOWN.filter(|x| x > {int})",
            "{list}.filter(|x| KNOWN.contains(x))",
            "{list}.map(|x| KNOWN.len + x)",
        ],
    ),
    ("map", &["#{ a: {int}, b: {int} }", "#{ a: {int} }"]),
    ("player", &["turn.player", "players()[0]", "players()[1]", "players_after({player})[0]", "?{piece}.owner"]),
    (
        "players",
        &[
            "players()",
            "players_after({player})",
            "{feature}.winners",
            "{feature}.owners",
            "players_with_most(\"coin\")",
            "others({player})",
            "{players}.least(|p| score_of(p))",
        ],
    ),
    ("tile", &["tile_at(spot(0, 0))", "{zone}.tile", "tiles()[0]", "?turn.tile"]),
    (
        "zones",
        &[
            "{tile}.zones",
            "{feature}.zones",
            "zones_at({spot})",
            "{zones}.filter(|z| {bool})",
            "{zones}.most(|z| {int})",
            "{zone}.touching",
            "open_zones(\"way\").list",
        ],
    ),
    ("zone", &["?{zones}[0]", "?{zones}[1]", "?{zones}[2]", "?{feature}.zone", "?{piece}.zone", "{tile}.zones[0]"]),
    (
        "feature",
        &[
            "{zone}.feature",
            "features(\"green\")[0]",
            "?features(\"way\")[0]",
            "?{piece}.feature",
            "?features_of({player})[0]",
        ],
    ),
    (
        "piece",
        &["?pieces_of({player})[0]", "all_pieces()[0]", "?{pieces}[0]", "?place_piece(\"runner\", {player}, {zone})"],
    ),
    (
        "pieces",
        &["pieces_of({player})", "all_pieces()", "{zone}.pieces", "{feature}.pieces", "neutral_pieces(\"ghost\")"],
    ),
    ("spot", &["spot(0, 0)", "{tile}.spot", "spot({int}, {int})", "{zone}.spot", "{spot}.step(\"n\", 1)"]),
    ("spots", &["{tile}.spot.neighbours", "{spot}.around()", "{feature}.spots"]),
];

/// Statements. `{block}` stands for further statements, `{new type}` declares a variable, and `{var
/// type}` stands for an existing variable.
const STATEMENTS: &[&str] = &[
    "{new int};",
    "{new int};",
    "{new feature};",
    "{new zone};",
    "{new text};",
    "{new list};",
    "{new piece};",
    "{new bool};",
    "{new player};",
    "{new zones};",
    "{new spot};",
    "?{new map};",
    "{var int} = {int};",
    "{var int} += {int};",
    "{var int} -= {int};",
    "{var int} *= {int};",
    "{var text} += {text};",
    "{var list}.push({int});",
    "{var list} += {list};",
    "{var list}[0] = {int};",
    "?{var list}[{int}] = {int};",
    "?{var list}[-1] += {int};",
    "?{var map}.a = {int};",
    "?{var map}.b += {int};",
    "?{var map}[{text}] = {list};",
    "{var list}.remove({int});",
    "let r = {var list}.remove(0); note(`${r}`);",
    "let r = {var list}.pop(); note(`${r}`);",
    "let r = {var list}.shift(); note(`${r}`);",
    "?{var map}.remove(\"a\");",
    "let l = {list}; let k = l; k.push(1); l.remove(0); note(`${l} ${k}`);",
    "{var feature} = {feature};",
    "{var list} = {list};",
    "if {bool} {block}",
    "if {bool} {block} else {block}",
    "for i in 0..3 {block}",
    "for x in {list} {block}",
    "for z in {zones} { note(`${z}`); {stmt} }",
    "for p in players() { give(p, \"coin\", 1); {stmt} }",
    "let n = 0; while n < 4 { n += 1; if {bool} { break; } if {bool} { continue; } {stmt} }",
    "note(`${int}`);",
    "note({text});",
    "note(`${feature} ${bool}`);",
    "note(`${list}`);",
    "print({text});",
    "?give({player}, \"coin\", {int});",
    "take({player}, \"coin\", 1);",
    "?score({player}, {int}, {text});",
    "?place_piece(\"runner\", {player}, {zone});",
    "?place_piece(\"ghost\", (), {spot});",
    "?move_piece({piece}, {zone});",
    "?move_piece({piece}, {spot});",
    "?return_piece({piece});",
    "?pin({piece});",
    "?put_pile(\"gold\", {spot}, 1);",
    "take_pile(\"gold\", #{ from: {spot}, n: 1 });",
    "?relink({tile}, [[{zone}, {zone}]]);",
    "relink({tile}, []);",
    "relink(tile_at(spot(0, 0)), [[tile_at(spot(0, 0)).zones[1], tile_at(spot(0, 0)).zones[2]]]);",
    "mem.game.n = {int};",
    "mem.turn.n = {int};",
    "?mem.part.n = {int};",
    "mem.game[{text}] = {int};",
    "mem.game.t = {text};",
    "mem.game.z = {zone};",
    "mem.game.n = ();",
    "mem.game.l = {list};",
    "?extra_part(\"bonus\");",
    "?skip(\"piece\");",
    "?set_tag({zone}, \"stones\", {int});",
    "award_holder(\"coin\", {player});",
    "?again();",
    "helper({int});",
    "?return;",
    "let a = ask({player}, {text}, [\"x\", \"y\"]); note(a);",
    "?let a = ask({player}, {text}, {zones}); note(`${a} ${feature}`);",
    "let a = ask({player}, \"?\", {zones}, #{ word: \"go\", pass: true }); note(`${a}`);",
    "?let a = ask({player}, \"?\", {players}); give(a, \"coin\", {int});",
    "let r = roll(3, \"?\"); note(`${r}`);",
    "let c = draw(\"cards\"); note(`${c}`);",
    "let a = ask({player}, \"?\", [option(\"put\", {zone}, {int})]); note(`${a.data}`);",
    "?if {bool} { throw \"boo\"; }",
    "try { {stmt} } catch { note(\"caught\"); }",
    "score_as_at_end({player}, {feature}, \"end\");",
    "for i in 0..{many} { {var int} += {int}; }",
    "let t = {text}; for i in 0..{many} { t += t; }",
    "let l = {list}; for i in 0..{many} { l.push(i); }",
    "for i in 0..{many} { let v = {feature}.winners; }",
    "?{list}.sort(|a, b| b - a);",
    "note(`${ask({player}, \"?\", [\"u\", \"v\"])} ${{feature} == {feature}}`);",
];

/// Helper functions that the templates above call, and hook functions. The engine calls the hook
/// function `strength`, for example, when a script reads `{feature}.winners`.
const FUNCTIONS: &[(&str, &[&str])] = &[
    ("number(n)", &["{int}", "if n > 3 { number(n - 1) } else { {int} }", "{stmt} {int}"]),
    ("word(t)", &["`<${t}>`", "if {bool} { return {text}; } t"]),
    ("tail(l)", &["l.filter(|x| x != {int})", "let m = []; for x in l { m.push(x + {int}); } m"]),
    ("helper(n)", &["{stmts}"]),
    ("strength(piece, feature)", &["{int}", "let s = 0; for i in 0..{many} { s += i; } {int}"]),
    (
        "score_value(feature, score)",
        &[
            "score.plus({int}, \"more\");",
            "if {bool} { score.double(\"twice\"); }",
            "score.plus({feature}.winners.len, \"w\");",
        ],
    ),
    ("is_complete(feature)", &["{bool}", "feature.n_zones < {int}"]),
    ("break_tie(feature, players)", &["players.filter(|p| {bool})", "[players[0]]"]),
];

/// Events: functions that the engine calls while a game is played.
const EVENTS: &[&str] = &[
    "setup()",
    "tile_placed(tile)",
    "phase_extra()",
    "turn_ended()",
    "feature_completed(feature)",
    "piece_placed(piece)",
];

/// The body of `setup`. It puts pieces on the board, so that queries find some.
const PIECES: &str = "place_piece(\"runner\", players()[0], tile_at(spot(0, 0)).zones[0]); \
                      place_piece(\"ghost\", (), tile_at(spot(0, 0)).zones[0]);\n    {stmts}";

/// Makes random programs.
struct Maker {
    rng: Rng,
    /// The variables in scope, with their types.
    variables: Vec<(String, &'static str)>,
    n_variables: usize,
}

impl Maker {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    /// Chooses a template. Templates that often fail are chosen less often.
    fn template(&mut self, of: &[&'static str]) -> &'static str {
        loop {
            let template = self.pick(of);
            match template.strip_prefix('?') {
                Some(risky) if self.rng.u8(..12) == 0 => return risky,
                Some(_) if of.iter().any(|other| !other.starts_with('?')) => {}
                Some(risky) => return risky,
                None => return template,
            }
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from("const KNOWN = [1, 2, 5];\n");
        for (header, bodies) in FUNCTIONS {
            let is_rule = header.contains("feature");
            if !is_rule || self.rng.u8(..3) == 0 {
                let body = self.pick(bodies);
                self.function(&mut text, header, body);
            }
        }
        for header in EVENTS {
            if *header == "setup()" {
                self.function(&mut text, header, PIECES);
            } else if self.rng.bool() {
                self.function(&mut text, header, "{stmts}");
            }
        }
        text
    }

    fn function(&mut self, text: &mut String, header: &'static str, body: &str) {
        self.variables.clear();
        let (_, params) = header.split_once('(').unwrap();
        for param in params.trim_end_matches(')').split(", ") {
            let kind = match param {
                "n" => "int",
                "t" => "text",
                "l" => "list",
                "feature" | "tile" | "piece" | "players" => param,
                _ => continue,
            };
            self.variables.push((param.to_owned(), kind));
        }
        let body = self.filled(body, 4);
        writeln!(text, "fn {header} {{\n    {body}\n}}").unwrap();
    }

    /// Fills the braces of `template` at random.
    fn filled(&mut self, template: &str, depth: usize) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            text += &rest[..open];
            let hole = rest[open + 1..].split('}').next().unwrap();
            let known =
                hole.chars().all(|c| c.is_ascii_lowercase() || c == ' ') && !hole.is_empty() && !hole.starts_with(' ');
            if !known {
                text.push('{');
                rest = &rest[open + 1..];
                continue;
            }
            rest = &rest[open + 2 + hole.len()..];
            // Inside a quoted text, the braces are part of the script, as in `${int}`.
            let in_text = text.ends_with('$');
            if in_text {
                text.push('{');
            }
            text += &self.hole(hole, depth);
            if in_text {
                text.push('}');
            }
        }
        text + rest
    }

    fn hole(&mut self, hole: &str, depth: usize) -> String {
        match hole.split_once(' ') {
            Some(("new", kind)) => {
                let value = self.expression(kind, depth);
                self.n_variables += 1;
                let name = format!("v{}", self.n_variables);
                let kind = EXPRESSIONS.iter().find(|(k, _)| *k == kind).unwrap().0;
                self.variables.push((name.clone(), kind));
                format!("let {name} = {value}")
            }
            Some(("var", kind)) => self.variable(kind).unwrap_or_else(|| "nothing".to_owned()),
            Some(_) => format!("{{{hole}}}"),
            None => match hole {
                "many" => self.pick(&["3", "20", "200", "3000", "30000"]).to_owned(),
                "stmt" => {
                    let n = self.variables.len();
                    let statement = self.statement(depth);
                    self.variables.truncate(n);
                    statement
                }
                "stmts" => (0..self.rng.usize(2..7)).map(|_| self.statement(depth) + "\n    ").collect(),
                "block" => {
                    let n = self.variables.len();
                    let body: String = (0..self.rng.usize(1..3)).map(|_| self.statement(depth) + " ").collect();
                    self.variables.truncate(n);
                    format!("{{ {body}}}")
                }
                kind => self.expression(kind, depth),
            },
        }
    }

    fn variable(&mut self, kind: &str) -> Option<String> {
        let all: Vec<String> = self.variables.iter().filter(|(_, k)| *k == kind).map(|(n, _)| n.clone()).collect();
        (!all.is_empty()).then(|| all[self.rng.usize(..all.len())].clone())
    }

    fn statement(&mut self, depth: usize) -> String {
        for _ in 0..20 {
            let template = self.template(STATEMENTS);
            let wants = template.split("{var ").nth(1).and_then(|rest| rest.split('}').next());
            let is_rare = template.contains("{many}") || template.contains("throw") || template == "?return;";
            let fits = wants.is_none_or(|kind| self.variables.iter().any(|(_, k)| *k == kind));
            if fits && !(is_rare && self.rng.u8(..4) > 0) && (depth > 0 || !template.contains("{block}")) {
                return self.filled(template, depth.saturating_sub(1));
            }
        }
        "note(\"none\");".to_owned()
    }

    fn expression(&mut self, kind: &str, depth: usize) -> String {
        // Sometimes makes an expression of another type.
        let kind = if self.rng.u16(..600) == 0 { self.pick(EXPRESSIONS).0 } else { kind };
        if self.rng.bool()
            && let Some(variable) = self.variable(kind)
        {
            return variable;
        }
        if depth == 0 || matches!(kind, "int" | "bool" | "text") && self.rng.u8(..3) == 0 {
            return match kind {
                "int" => self.pick(&["0", "1", "2", "3", "4", "5", "(-1)", "(-2)"]).to_owned(),
                "bool" => self.rng.bool().to_string(),
                "text" => format!("\"{}\"", self.pick(&["a", "b", "way", "green"])),
                "list" => "[1, 2, 3]".to_owned(),
                "map" => "#{ a: 1, b: 2 }".to_owned(),
                "player" => "turn.player".to_owned(),
                "players" => "players()".to_owned(),
                "tile" => "tile_at(spot(0, 0))".to_owned(),
                "zones" => "tile_at(spot(0, 0)).zones".to_owned(),
                "zone" => format!("tile_at(spot(0, 0)).zones[{}]", self.rng.u8(..3)),
                "feature" => format!("tile_at(spot(0, 0)).zones[{}].feature", self.rng.u8(..3)),
                "piece" => "all_pieces()[0]".to_owned(),
                "pieces" => "all_pieces()".to_owned(),
                "spot" => "spot(0, 0)".to_owned(),
                _ => "spot(0, 0).around()".to_owned(),
            };
        }
        let templates = EXPRESSIONS.iter().find(|(k, _)| *k == kind).map_or(&["()"][..], |(_, all)| *all);
        let template = self.template(templates);
        self.filled(template, depth - 1)
    }
}

/// The outermost calls: for each call, the function, the number of operations, and whether the call
/// succeeded.
type Spent = Rc<RefCell<Vec<(FnIdx, u64, bool)>>>;

/// A host that records the operations of outermost calls.
struct Metered {
    host: ScriptHost,
    spent: Spent,
    depth: Cell<u32>,
}

impl Hooks for Metered {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        self.depth.set(self.depth.get() + 1);
        let result = self.host.call(function, args, call);
        self.depth.set(self.depth.get() - 1);
        if self.depth.get() == 0 {
            self.spent.borrow_mut().push((function, self.host.n_operations(), result.is_ok()));
        }
        result
    }

    fn reset_budget(&self) {
        self.host.reset_budget();
    }

    fn take_lines(&self) -> Vec<String> {
        self.host.take_lines()
    }
}

/// Begins a game with script `text`. Returns the reason if the script is refused.
fn begun(text: &str, uses_trees: bool) -> Result<(Game, Spent), String> {
    let (catalogue, host) = table::host(text).map_err(|failure| failure.message)?;
    host.use_trees(uses_trees);
    let settings = Rules::default_settings(&catalogue);
    let spent = Spent::default();
    let metered = Metered { host, spent: spent.clone(), depth: Cell::new(0) };
    let rules = Rc::new(Rules::new(catalogue, settings, Box::new(metered)));
    let game = start_game(rules, Setup::of(&["probe"], 2)).map_err(|_| "the position".to_owned())?;
    Ok((game, spent))
}

/// Describes a difference between two games, if there is one.
fn difference(tree: &Game, interpreted: &Game) -> Option<String> {
    let shown = |game: &Game| match game.status() {
        Status::Fault(fault) => format!("fault: {fault}"),
        Status::Decision(decision) => format!("{:?} {}", decision.who, decision.prompt),
        Status::Over => "over".to_owned(),
    };
    let ruleset = |game: &Game| game.rules().ruleset.clone();
    let texts = |game: &Game| match game.status() {
        Status::Decision(_) => option_texts(&ruleset(game), game.state()),
        _ => Vec::new(),
    };
    let differ =
        |what: &str, a: String, b: String| (a != b).then(|| format!("{what}\n  tree         {a}\n  interpreter  {b}"));
    differ("status", shown(tree), shown(interpreted))
        .or_else(|| differ("options", format!("{:?}", texts(tree)), format!("{:?}", texts(interpreted))))
        .or_else(|| {
            let notes = |game: &Game| format!("{:?}", game.state().view().notes());
            differ("notes", notes(tree), notes(interpreted))
        })
        .or_else(|| {
            let lines = |game: &Game| format!("{:?}", game.rules().hooks.take_lines());
            differ("printed lines", lines(tree), lines(interpreted))
        })
        .or_else(|| {
            (tree.state() != interpreted.state())
                .then(|| format!("state\n  tree         {:?}\n  interpreter  {:?}", tree.state(), interpreted.state()))
        })
        .or_else(|| {
            let hash = |game: &Game| state_hash(&ruleset(game), game.state()).to_string();
            differ("hash", hash(tree), hash(interpreted))
        })
}

/// The numbers of programs, of refused programs, and of answers, questions and faults in the games.
/// `limits` counts the faults due to too many operations.
#[derive(Default, Debug)]
struct ProgramCounts {
    programs: usize,
    refused: usize,
    answers: usize,
    questions: usize,
    faults: usize,
    limits: usize,
}

impl ProgramCounts {
    fn add(self, other: ProgramCounts) -> ProgramCounts {
        ProgramCounts {
            programs: self.programs + other.programs,
            refused: self.refused + other.refused,
            answers: self.answers + other.answers,
            questions: self.questions + other.questions,
            faults: self.faults + other.faults,
            limits: self.limits + other.limits,
        }
    }
}

fn run(seed: u64, tally: &mut ProgramCounts) {
    let mut maker = Maker { rng: Rng::with_seed(seed), variables: Vec::new(), n_variables: 0 };
    let text = maker.program();
    let repeat = format!("SEED={seed} PROGRAMS=1 cargo test -p script --test generated\n\n{text}");
    tally.programs += 1;
    let ((mut tree, spent), (mut interpreted, exact)) = match (begun(&text, true), begun(&text, false)) {
        (Ok(tree), Ok(interpreted)) => (tree, interpreted),
        // Both hosts refuse a program in which the parser finds a value of a wrong type.
        (Err(_), Err(_)) => {
            tally.refused += 1;
            return;
        }
        (tree, interpreted) => panic!("{:?} and {:?}\n{repeat}", tree.err(), interpreted.err()),
    };
    for _ in 0..24 {
        if let Some(difference) = difference(&tree, &interpreted) {
            panic!("trees and interpreter differ after {:?}: {difference}\n{repeat}", tree.log());
        }
        // A tree must not complete a call that the interpreter would have stopped.
        let (spent, exact) = (std::mem::take(&mut *spent.borrow_mut()), std::mem::take(&mut *exact.borrow_mut()));
        for ((function, estimate, _), (_, exact, _)) in spent.iter().zip(&exact).filter(|(tree, _)| tree.2) {
            assert!(estimate >= exact, "{function:?} spent {exact} operations, estimated {estimate}\n{repeat}");
        }
        let n = match tree.status() {
            Status::Decision(decision) => {
                tally.questions += usize::from(matches!(decision.question, rules::Question::Ask(_)));
                decision.n_options(tree.state())
            }
            Status::Fault(fault) => {
                tally.faults += 1;
                tally.limits += usize::from(fault.failure.message.contains("operations"));
                return;
            }
            Status::Over => return,
        };
        let answer = maker.rng.usize(..n.max(1));
        tree.answer_nth(answer);
        interpreted.answer_nth(answer);
        tally.answers += 1;
    }
}

#[test]
fn trees_and_interpreter_agree() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, n) = (number("SEED").unwrap_or(1), number("PROGRAMS").unwrap_or(3_000));
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    let run_part = |thread: usize| {
        let mut tally = ProgramCounts::default();
        (first..first + n).skip(thread).step_by(n_threads).for_each(|seed| run(seed, &mut tally));
        tally
    };
    let tally = thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|thread| scope.spawn(move || run_part(thread))).collect();
        let tallies = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        tallies.fold(ProgramCounts::default(), ProgramCounts::add)
    });
    println!("{tally:?}");
    // The programs are a useful test only if enough of them ask questions and end in faults.
    if n >= 1_000 {
        let per_mille = |n_of: usize| n_of * 1_000 / tally.programs;
        assert!(per_mille(tally.questions) > 300 && per_mille(tally.faults) > 100, "{tally:?}");
        assert!(per_mille(tally.refused) < 50, "{tally:?}");
        assert!(per_mille(tally.faults) < 900 && per_mille(tally.limits) > 2, "{tally:?}");
    }
}
