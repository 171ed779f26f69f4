//! Choosing a file or folder on a page: the browser asks the user, and the page receives copies.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use egui::Context;
use platform::fs;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Event, File, HtmlInputElement};

use crate::file_choice::{FileChoice, FilePurpose};

/// The folder for copies of chosen files. The copies are lost when the page closes.
const COPIES_FOLDER: &str = "/tmp/chosen";

/// The maximum number of files that the page copies from a chosen folder.
const MAX_FILES: u32 = 5_000;

/// The browser's file dialog.
pub struct Chooser {
    chosen: Receiver<FileChoice>,
    say: Sender<FileChoice>,
    input: Option<HtmlInputElement>,
    /// The callbacks that the browser calls when the user chooses or cancels.
    listeners: Vec<Closure<dyn FnMut(Event)>>,
}

impl Chooser {
    /// Opens the browser's file dialog. To save a file, no dialog is needed: the file is written to
    /// a temporary path, and the page then offers it as a download with the name `name`.
    pub fn open(wanted: &FilePurpose, _start: PathBuf, name: &str, _uses_system: bool) -> Chooser {
        let (say, chosen) = channel();
        let mut chooser = Chooser { chosen, say, input: None, listeners: Vec::new() };
        match wanted {
            FilePurpose::SaveCopy
            | FilePurpose::SaveLink
            | FilePurpose::Export(_)
            | FilePurpose::SaveSheets
            | FilePurpose::SaveBalance
            | FilePurpose::SaveBook(_)
            | FilePurpose::SavePicture(_) => {
                let _ = fs::create_dir_all(COPIES_FOLDER);
                let _ = chooser.say.send(FileChoice::Path(Path::new(COPIES_FOLDER).join(name)));
            }
            FilePurpose::OpenRecord
            | FilePurpose::Package
            | FilePurpose::AddMods
            | FilePurpose::CompareFolder
            | FilePurpose::Playtest
            | FilePurpose::PlaytestFolder
            | FilePurpose::RecordsFolder => {
                if chooser.open_dialog(wanted).is_none() {
                    let _ = chooser.say.send(FileChoice::Nothing);
                }
            }
        }
        chooser
    }

    fn open_dialog(&mut self, wanted: &FilePurpose) -> Option<()> {
        let document = web_sys::window()?.document()?;
        let input: HtmlInputElement = document.create_element("input").ok()?.dyn_into().ok()?;
        input.set_type("file");
        match wanted {
            FilePurpose::OpenRecord => input.set_accept(".game,.link,text/plain"),
            FilePurpose::Playtest => input.set_accept(".json"),
            FilePurpose::Package => input.set_accept(".zip"),
            _ => input.set_webkitdirectory(true),
        }
        let (say, asked) = (self.say.clone(), input.clone());
        self.listen(&input, "change", move |_| {
            let (say, asked) = (say.clone(), asked.clone());
            spawn_local(async move {
                let chosen = copy_chosen_files(&asked).await.map_or(FileChoice::Nothing, FileChoice::Path);
                let _ = say.send(chosen);
            });
        });
        let say = self.say.clone();
        self.listen(&input, "cancel", move |_| drop(say.send(FileChoice::Nothing)));
        input.click();
        self.input = Some(input);
        Some(())
    }

    fn listen(&mut self, input: &HtmlInputElement, event: &str, told: impl FnMut(Event) + 'static) {
        let listener = Closure::new(told);
        let _ = input.add_event_listener_with_callback(event, listener.as_ref().unchecked_ref());
        self.listeners.push(listener);
    }

    /// Returns the user's choice if the browser has reported it since the last call.
    pub fn show(&mut self, ctx: &Context) -> FileChoice {
        match self.chosen.try_recv() {
            Ok(chosen) => chosen,
            Err(TryRecvError::Disconnected) => FileChoice::Nothing,
            Err(TryRecvError::Empty) => {
                // The browser informs the page of a choice but does not wake the window, so the
                // window polls.
                ctx.request_repaint_after(std::time::Duration::from_millis(100));
                FileChoice::NotYet
            }
        }
    }
}

/// Copies the chosen files, and returns the path of the copied file or folder. Returns `None` if
/// the user chose no file or a file cannot be copied.
async fn copy_chosen_files(input: &HtmlInputElement) -> Option<PathBuf> {
    let files = input.files()?;
    let mut first = None;
    for file in (0..files.length().min(MAX_FILES)).filter_map(|i| files.get(i)) {
        let below = js_sys::Reflect::get(&file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
        let name = below.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name());
        let path = Path::new(COPIES_FOLDER).join(&name);
        fs::create_dir_all(path.parent()?).ok()?;
        fs::write(&path, bytes_of(&file).await?).ok()?;
        first.get_or_insert_with(|| Path::new(COPIES_FOLDER).join(name.split('/').next().unwrap_or_default()));
    }
    first
}

async fn bytes_of(file: &File) -> Option<Vec<u8>> {
    let bytes = JsFuture::from(file.array_buffer()).await.ok()?;
    Some(js_sys::Uint8Array::new(&bytes).to_vec())
}
