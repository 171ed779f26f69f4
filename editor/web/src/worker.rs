//! The worker of the page. It runs jobs with the same program, but without a window.

use std::panic;
use std::path::Path;

use editor::jobs::{failure_event, run_in_worker};
use js_sys::{Function, Uint8Array};
use platform::browser::files::add_supplied;
use platform::fs;
use wasm_bindgen::prelude::*;

use crate::page::log_errors;

/// Runs a job, and calls `say` with the bytes of each event to send back.
#[wasm_bindgen]
pub fn work(job: &str, say: Function) {
    log_errors();
    // Sending fails if the page is gone; the event is then not needed.
    let send = move |event: &[u8]| drop(say.call1(&JsValue::NULL, &Uint8Array::from(event)));
    let last = send.clone();
    // A panic ends the worker, so this is its last event.
    panic::set_hook(Box::new(move |panic| last(&failure_event(&format!("internal error: {panic}")))));
    // Removes the files of the previous job.
    let _ = fs::remove(Path::new("/"));
    run_in_worker(job, |path, text| add_supplied(path, text.as_bytes().to_vec()), &send);
}
