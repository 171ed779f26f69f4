//! The script functions that the engine calls: hooks with their filters, phases and option
//! handlers.
#![expect(clippy::indexing_slicing, reason = "all indices come from the tables that the loader has just built")]

use rules::{Catalogue, FnIdx, Function, Handler, Hook, ModIdx, OptionWord};

use crate::filters;
use crate::folder::ModFiles;
use crate::phases::{self, ModPhase};
use crate::problem::{FileRange, Problems};

/// Adds the functions, handlers, options and phases to a catalogue that already has kinds, settings
/// and pieces. `exists_elsewhere` returns whether a mod that is not in play has a phase with the
/// given name.
pub(crate) fn add_functions(
    p: &mut Problems,
    all: &mut Catalogue,
    mods: &[ModFiles],
    exists_elsewhere: impl Fn(&str) -> bool,
) {
    all.handlers = vec![Vec::new(); Hook::ALL.len()];
    let mut declared = Vec::new();
    let mut first_places: Vec<FileRange> = Vec::new();
    for (i, files) in mods.iter().enumerate() {
        let owner = ModIdx(i as u8);
        add_handlers(p, all, files, owner);
        for phase in &files.manifest.phases {
            let name = format!("phase_{}", phase.name.value);
            require_function(p, files, &name, "", phase.name.range, &format!("phase `{}`", phase.name.value));
            let filter = filters::resolve(p, all, &phase.body.filter);
            declared.push(ModPhase {
                owner,
                decl: phase,
                function: find_or_add_function(all, files, owner, &name),
                filter,
            });
        }
        for option in &files.manifest.options {
            let word = &option.name;
            let name = format!("do_{}", word.value.replace('-', "_"));
            require_function(p, files, &name, "choice", word.range, &format!("option `{}`", word.value));
            if let Some(at) = all.options.iter().position(|o| o.word == word.value) {
                let first = &all.mods[all.functions[all.options[at].function.idx()].owner.idx()].id;
                let note = p.note(first_places[at], format!("the option of `{first}`"));
                let message = format!("option `{}` is declared by `{first}` and by `{}`", word.value, all.mods[i].id);
                p.error(word.range, message).help("choose another word").note(note);
                continue;
            }
            let function = find_or_add_function(all, files, owner, &name);
            all.options.push(OptionWord { word: word.value.clone(), function, about: option.about.clone() });
            first_places.push(word.range);
        }
    }
    if all.functions.len() > usize::from(u16::MAX) {
        p.general_error(format!("the mods have {} functions; at most {} are allowed", all.functions.len(), u16::MAX));
    }
    let ids: Vec<String> = all.mods.iter().map(|m| m.id.clone()).collect();
    all.phases = phases::sort(p, &ids, &declared, exists_elsewhere);
}

fn add_handlers(p: &mut Problems, all: &mut Catalogue, files: &ModFiles, owner: ModIdx) {
    for filter in &files.manifest.hooks {
        let params = filter.body.hook.info().params.join(", ");
        let name = &filter.name;
        require_function(p, files, &name.value, &params, name.range, &format!("[hook.{}]", name.value));
    }
    for hook in Hook::ALL {
        let name = hook.info().name;
        if !files.functions.iter().any(|f| f.name == name) {
            continue;
        }
        let function = find_or_add_function(all, files, owner, name);
        let filter = files.manifest.hooks.iter().find(|h| h.body.hook == *hook);
        let filter = filter.map(|f| filters::resolve(p, all, &f.body.filter)).unwrap_or_default();
        all.handlers[*hook as usize].push(Handler { function, owner, filter });
    }
}

/// Reports an error if the script lacks the function `name`, which the manifest requires. Reports
/// nothing if the script could not be read or compiled, because that problem was reported before.
fn require_function(p: &mut Problems, files: &ModFiles, name: &str, params: &str, range: FileRange, what: &str) {
    if files.script_is_whole && !files.functions.iter().any(|f| f.name == name) {
        let names = files.functions.iter().map(|f| f.name.as_str());
        let near =
            diagnostic::nearest(name, names).map(|near| format!("the script has `{near}`; should it be `{name}`?"));
        let help = near.unwrap_or_else(|| format!("write `fn {name}({params}) {{ ... }}` in {}", files.script.file));
        p.error(range, format!("{what} needs a function `{name}` in the script")).help(help);
    }
}

/// Returns the index of the function `name` of mod `owner` in the catalogue. Adds the function if
/// the catalogue lacks it.
fn find_or_add_function(all: &mut Catalogue, files: &ModFiles, owner: ModIdx, name: &str) -> FnIdx {
    let known = all.functions.iter().position(|f| f.owner == owner && f.name == name);
    let at = known.unwrap_or_else(|| {
        let (line, column) = files.functions.iter().find(|f| f.name == name).map_or((0, 0), |f| (f.line, f.column));
        all.functions.push(Function { owner, name: name.to_owned(), file: files.script.file.clone(), line, column });
        all.functions.len() - 1
    });
    FnIdx(at as u16)
}
