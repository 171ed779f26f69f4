//! Which functions of scripts the engine calls: hooks with their filters, phases and the handlers of options.

use board::{KindSet, Occupants};
use rules::{Catalogue, FnIdx, Function, Handler, Hook, ModIdx, OptionWord};

use crate::folder::ModFiles;
use crate::manifest::HookBody;
use crate::merge::{kind_set, tile_tag};
use crate::phases::{self, ModPhase};
use crate::pieces::occupants;
use crate::problem::{Place, Problems};

/// Fills functions, handlers, options and phases of a catalogue whose land, settings and pieces are there.
pub(crate) fn fill(p: &mut Problems, all: &mut Catalogue, mods: &[ModFiles], exists_elsewhere: impl Fn(&str) -> bool) {
    all.handlers = vec![Vec::new(); Hook::ALL.len()];
    let mut declared = Vec::new();
    let mut first_places: Vec<Place> = Vec::new();
    for (i, files) in mods.iter().enumerate() {
        let owner = ModIdx(i as u8);
        hooks(p, all, files, owner);
        for phase in &files.manifest.phases {
            let name = format!("phase_{}", phase.name.value);
            need(p, files, &name, "", phase.name.place, &format!("phase `{}`", phase.name.value));
            let only_tile_tag = phase.body.only_tile_tag.as_ref().and_then(|tag| tile_tag(p, &all.land, tag));
            declared.push(ModPhase { owner, decl: phase, function: function(all, owner, &name), only_tile_tag });
        }
        for option in &files.manifest.options {
            let word = &option.name;
            let name = format!("do_{}", word.value.replace('-', "_"));
            need(p, files, &name, "choice", word.place, &format!("option `{}`", word.value));
            if let Some(at) = all.options.iter().position(|o| o.word == word.value) {
                let first = &all.mods[all.functions[all.options[at].function.idx()].owner.idx()].id;
                let note = p.note(first_places[at], format!("the option of `{first}`"));
                let message = format!("option `{}` is declared by `{first}` and by `{}`", word.value, all.mods[i].id);
                p.error(word.place, message).help("choose another word").notes.push(note);
                continue;
            }
            let function = function(all, owner, &name);
            all.options.push(OptionWord { word: word.value.clone(), function, about: option.about.clone() });
            first_places.push(word.place);
        }
    }
    let ids: Vec<String> = all.mods.iter().map(|m| m.id.clone()).collect();
    all.phases = phases::sort(p, &ids, &declared, exists_elsewhere);
}

fn hooks(p: &mut Problems, all: &mut Catalogue, files: &ModFiles, owner: ModIdx) {
    for filter in &files.manifest.hooks {
        let params = filter.body.hook.info().params.join(", ");
        let name = &filter.name;
        need(p, files, &name.value, &params, name.place, &format!("[hook.{}]", name.value));
    }
    for hook in Hook::ALL {
        let name = hook.info().name;
        if !files.functions.iter().any(|f| f.name == name) {
            continue;
        }
        let function = function(all, owner, name);
        let filter = files.manifest.hooks.iter().find(|h| h.body.hook == *hook);
        let handler = handler(p, all, owner, function, filter.map(|f| &f.body));
        all.handlers[*hook as usize].push(handler);
    }
}

fn handler(p: &mut Problems, all: &Catalogue, owner: ModIdx, function: FnIdx, filter: Option<&HookBody>) -> Handler {
    let only_tile_tag = filter.and_then(|f| f.only_tile_tag.as_ref()).and_then(|tag| tile_tag(p, &all.land, tag));
    let only_kind = filter.and_then(|f| f.only_kind.as_ref()).map(|names| kind_set(p, &all.land, names));
    let only_piece = filter.and_then(|f| f.only_piece.as_ref()).map(|names| occupants(p, all, names));
    Handler {
        function,
        owner,
        only_tile_tag,
        only_kind: only_kind.unwrap_or(KindSet::ALL),
        only_piece: only_piece.unwrap_or(Occupants(u32::MAX)),
    }
}

/// Notes that the script lacks a function that the manifest speaks of. A script that could not be read lacks everything, which is noted
/// already.
fn need(p: &mut Problems, files: &ModFiles, name: &str, params: &str, place: Place, what: &str) {
    if files.script_is_whole && !files.functions.iter().any(|f| f.name == name) {
        let names = files.functions.iter().map(|f| f.name.as_str());
        let near =
            crate::problem::nearest(name, names).map(|near| format!("the script has `{near}`; should it be `{name}`?"));
        let help = near.unwrap_or_else(|| format!("write `fn {name}({params}) {{ ... }}` in {}", files.script.file));
        p.error(place, format!("{what} needs a function `{name}` in the script")).help(help);
    }
}

/// The function in the catalogue's table.
fn function(all: &mut Catalogue, owner: ModIdx, name: &str) -> FnIdx {
    let known = all.functions.iter().position(|f| f.owner == owner && f.name == name);
    let at = known.unwrap_or_else(|| {
        all.functions.push(Function { owner, name: name.to_owned() });
        all.functions.len() - 1
    });
    FnIdx(at as u16)
}
