//! The page's worker: the same program once more, without a window, which does what it is sent.

use std::panic;

use editor::remote;
use js_sys::Function;
use platform::browser::fs::bring;
use platform::fs;
use wasm_bindgen::prelude::*;

/// Does a job; `say` gets each text that is to be sent back.
#[wasm_bindgen]
pub fn work(job: &str, say: Function) {
    let heard = say.clone();
    // A panic ends the worker: that is the last thing it says.
    panic::set_hook(Box::new(move |panic| {
        let why = format!("the program itself made a mistake: {panic}");
        let _ = heard.call1(&JsValue::NULL, &remote::failed(&why).into());
    }));
    // Nothing is left of the job before.
    let _ = fs::remove_dir_all("/");
    remote::files_of(job).into_iter().for_each(|(path, text)| bring(&path, text.as_bytes().to_vec()));
    // Where nobody listens there is nothing to do about it.
    remote::work(job, &mut |said| drop(say.call1(&JsValue::NULL, &said.into())));
}
