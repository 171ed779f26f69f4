//! The mods that are on disk, whether in play or not.

use loader::Library;

/// What is to be known of a mod on disk before it is played with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModOnDisk {
    /// Its id.
    pub id: String,
    /// Its title for people; the id where it cannot be loaded.
    pub title: String,
    /// What it is.
    pub about: String,
    /// What is wrong with it, a line each, if it cannot be played.
    pub trouble: Option<String>,
    /// Whether it stands alone.
    pub is_game: bool,
    /// The mods that come with it, itself included, in load order.
    pub with: Vec<String>,
}

impl ModOnDisk {
    /// Whether it cannot be played without `id`.
    pub fn needs(&self, id: &str) -> bool {
        self.id != id && self.with.iter().any(|w| w == id)
    }
}

/// All mods on disk: each game, followed by what is played with it.
pub fn mods_on_disk(library: &Library) -> Vec<ModOnDisk> {
    let mut mods: Vec<ModOnDisk> = library.ids().into_iter().map(|id| look_at(library, id)).collect();
    mods.sort_by_key(|m| (m.with.first().cloned(), !m.is_game, m.title.clone()));
    mods
}

fn look_at(library: &Library, id: String) -> ModOnDisk {
    let (loaded, problems) = library.load(std::slice::from_ref(&id));
    let Some(loaded) = loaded else {
        let lines: Vec<String> = problems.list().iter().map(ToString::to_string).collect();
        let (title, about, trouble) = (id.clone(), String::new(), Some(lines.join("\n")));
        return ModOnDisk { id, title, about, trouble, is_game: false, with: Vec::new() };
    };
    let mods = &loaded.catalogue().mods;
    let own = mods.iter().find(|m| m.id == id);
    let (title, about) = own.map_or((id.clone(), String::new()), |m| (m.title.clone(), m.about.clone()));
    let with: Vec<String> = mods.iter().map(|m| m.id.clone()).collect();
    ModOnDisk { is_game: with.len() == 1, id, title, about, trouble: None, with }
}
