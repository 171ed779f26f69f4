//! `bastide check`: prints all problems of mods.

use std::collections::{BTreeSet, HashSet};
use std::io::Write;

use diagnostic::{Diagnostic, Severity};
use loader::{Library, Loaded, Problems};
use players::LearnedValue;
use rules::{Rules, RulesFactory};
use serde_json::json;

use crate::context::{CommandResult, Context, finish, plural, problem};

/// Find all problems of mods: manifests, tiles, scripts and themes
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide check                    check every mod that is found, one by one
  bastide check my-mod             check one mod, named by its id or folder
  bastide check --mods a,b         check a and b together, as in one game
  bastide check --short            print one line per problem, as compilers do

Each mod is loaded with the mods it requires, and then also with its optional mods, if they are
installed. The exit code is 1 if there are errors; warnings alone leave it 0.")]
pub struct Args {
    /// Mods, by id or folder [default: all mods]
    #[arg(value_name = "MOD")]
    named: Vec<String>,
    /// Check these mods together
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    mods: Vec<String>,
    /// Print one line per problem
    #[arg(long)]
    short: bool,
    /// Print a JSON object
    #[arg(long, conflicts_with = "short")]
    json: bool,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let mut tables: Vec<Vec<String>> = context.resolve_mods(&args.named).into_iter().map(|id| vec![id]).collect();
    if !args.mods.is_empty() {
        tables.push(context.resolve_mods(&args.mods));
    }
    if tables.is_empty() {
        tables.extend(context.library().ids().into_iter().map(|id| vec![id]));
    }
    if tables.is_empty() {
        let help = "make one with `bastide new my-mod`, or name a folder with --mods-path";
        return Err(problem("no mods were found").with_help(help));
    }
    let mut seen = SeenProblems::default();
    let mut out = context.terminal.out_as(args.json);
    let mut unversioned: BTreeSet<String> = BTreeSet::new();
    let library = context.library().clone().with_icon_check(art::check_icon);
    for ids in &tables {
        let (loaded, problems) = check(&library, ids);
        let infos = loaded.iter().flat_map(|loaded| &loaded.catalogue().mods);
        unversioned
            .extend(infos.filter(|info| info.api.is_none() && ids.contains(&info.id)).map(|info| info.id.clone()));
        let optional = match ids.as_slice() {
            [id] if problems.n_errors() == 0 && problems.n_unlisted() == 0 => library.optional_mods(id),
            _ => Vec::new(),
        };
        let with_optional = (!optional.is_empty()).then(|| {
            let (_, mut found) = check(&library, &[ids.as_slice(), &optional].concat());
            found.remove_known(&problems);
            found
        });
        for problems in [Some(problems), with_optional].into_iter().flatten() {
            let fresh = seen.add(&problems);
            if args.json || fresh.is_empty() {
                continue;
            }
            if args.short {
                fresh.iter().try_for_each(|p| writeln!(out, "{p}"))?;
            } else {
                out.write_all(problems.render(context.terminal.colour).as_bytes())?;
                out.write_all(context.help_for_missing(ids).as_bytes())?;
            }
        }
    }
    let n_mods = tables.iter().flatten().collect::<HashSet<_>>().len();
    if args.json {
        let report = json!({
            "mods": tables.iter().map(|ids| ids.join(",")).collect::<Vec<_>>(),
            "problems": seen.json,
            "errors": seen.n_errors,
            "warnings": seen.n_warnings,
        });
        writeln!(out, "{report}")?;
    } else {
        let checked = format!("{n_mods} mod{} checked", plural(n_mods));
        let verdict = match (seen.n_errors, seen.n_warnings) {
            (0, 0) => context.terminal.green("no problems"),
            (0, w) => format!("{w} warning{}", plural(w)),
            (e, 0) => context.terminal.red(format!("{e} error{}", plural(e))),
            (e, w) => format!("{}, {w} warning{}", context.terminal.red(format!("{e} error{}", plural(e))), plural(w)),
        };
        if !unversioned.is_empty() {
            let ids = unversioned.into_iter().collect::<Vec<_>>().join(", ");
            let version = script::API_VERSION;
            writeln!(out, "note: read as `api = {version}`, because the manifest names no version: {ids}")?;
            writeln!(out, "      (add the line, or run `bastide migrate`; see `bastide docs changes`)")?;
        }
        writeln!(out, "{checked}, {verdict}")?;
    }
    finish(out, seen.n_errors == 0)
}

/// Loads mods together. Returns the loaded mods and all their problems, including the problems of a
/// trained value and of the engine.
fn check(library: &Library, ids: &[String]) -> (Option<Loaded>, Problems) {
    let (loaded, mut problems) = library.load(ids);
    let value = loaded.as_ref().and_then(|loaded| LearnedValue::for_mods(loaded.catalogue()).err());
    problems.extend(value.map(|error| Diagnostic::without_place(error.to_string()).as_warning()));
    // The engine also refuses a script without mistakes if the script exceeds a limit.
    let refused = loaded.as_ref().and_then(|it| it.rules(Rules::default_settings(it.catalogue())).err());
    if let Some(failure) = refused {
        problems.add_failure(&failure);
    }
    (loaded, problems)
}

/// The problems found so far, each only once. Checking several mods that require the same mod finds
/// the problems of that mod several times.
#[derive(Default)]
struct SeenProblems {
    lines: HashSet<String>,
    json: Vec<serde_json::Value>,
    n_errors: usize,
    n_warnings: usize,
}

impl SeenProblems {
    /// Adds the problems that were not found before, and returns them.
    fn add<'p>(&mut self, problems: &'p Problems) -> Vec<&'p Diagnostic> {
        let list = problems.list().iter();
        let fresh: Vec<&Diagnostic> = list.filter(|p| self.lines.insert(p.to_string())).collect();
        for problem in &fresh {
            match problem.severity {
                // The last entry of a shortened list stands for all problems that are not listed.
                _ if problems.n_unlisted() > 0 && std::ptr::eq(*problem, problems.list().last().unwrap_or(problem)) => {
                    self.n_errors += problems.n_unlisted_errors();
                    self.n_warnings += problems.n_unlisted() - problems.n_unlisted_errors();
                }
                Severity::Error => self.n_errors += 1,
                Severity::Warning => self.n_warnings += 1,
            }
            self.json.push(json!({
                "severity": problem.severity.to_string(),
                "file": problem.span.file,
                "line": problem.span.line,
                "column": problem.span.column,
                "message": problem.message,
                "help": problem.help,
            }));
        }
        fresh
    }
}
