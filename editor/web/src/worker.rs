//! The worker of the page. It runs jobs with the same program, but without a window.

use std::panic;

use editor::remote;
use js_sys::Function;
use platform::browser::fs::add_supplied;
use platform::fs;
use wasm_bindgen::prelude::*;

use crate::page::log_errors;

/// Runs a job, and calls `say` with each message to send back.
#[wasm_bindgen]
pub fn work(job: &str, say: Function) {
    log_errors();
    let heard = say.clone();
    // A panic ends the worker, so this is its last message.
    panic::set_hook(Box::new(move |panic| {
        let why = format!("internal error: {panic}");
        let _ = heard.call1(&JsValue::NULL, &remote::failure_message(&why).into());
    }));
    // Removes the files of the previous job.
    let _ = fs::remove_dir_all("/");
    remote::files_of(job).into_iter().for_each(|(path, text)| add_supplied(&path, text.as_bytes().to_vec()));
    // Sending fails if the page is gone; the message is then not needed.
    remote::run_job(job, &mut |said| drop(say.call1(&JsValue::NULL, &said.into())));
}
