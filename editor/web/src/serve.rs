//! A web server for browsers on this machine.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};

/// The maximum size of a request, in bytes.
const MAX_REQUEST_BYTES: u64 = 64 << 10;

/// Serves the files in `dir` to this machine until the program ends.
///
/// # Errors
/// Returns an error if there is no page in `dir` or if the port is in use.
pub fn serve(dir: &Path, port: u16) -> Result<()> {
    let has_page = dir.join("index.html").is_file();
    ensure!(has_page, "there is no page in {}: run `cargo web build` to make it", dir.display());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener =
        listener.map_err(|error| anyhow!("port {port} cannot be used: {error}; choose another one with --port"))?;
    println!("http://localhost:{port}/ shows the page; Ctrl+C stops the server");
    for stream in listener.incoming().flatten() {
        let dir = dir.to_owned();
        // An error on a connection, for example because the browser closed it, does not matter.
        thread::spawn(move || drop(answer(&dir, &stream)));
    }
    Ok(())
}

fn answer(dir: &Path, stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut lines = BufReader::new(io::Read::take(stream, MAX_REQUEST_BYTES)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut takes_packed = false;
    for line in lines {
        let line = line?.to_ascii_lowercase();
        takes_packed |= line.starts_with("accept-encoding:") && line.contains("gzip");
        if line.is_empty() {
            break;
        }
    }
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let file = file_of(dir, path);
    match (method, file) {
        ("GET" | "HEAD", Some(file)) => {
            let packed = PathBuf::from(format!("{}.gz", file.display()));
            let is_packed = takes_packed && packed.is_file();
            let bytes = fs::read(if is_packed { &packed } else { &file })?;
            let encoding = if is_packed { "Content-Encoding: gzip\r\n" } else { "" };
            let head = format!("200 OK\r\nContent-Type: {}\r\n{encoding}Cache-Control: no-cache", content_type(&file));
            send(stream, &head, if method == "GET" { &bytes } else { &[] }, bytes.len())
        }
        ("GET" | "HEAD", None) => send(stream, "404 Not Found", &[], 0),
        _ => send(stream, "405 Method Not Allowed", &[], 0),
    }
}

fn send(mut stream: &TcpStream, head: &str, bytes: &[u8], len: usize) -> io::Result<()> {
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(bytes)
}

/// Returns the file in `dir` for the path of an address, if the file exists. Never returns a file
/// outside `dir`.
fn file_of(dir: &Path, path: &str) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.trim_start_matches('/');
    let below = Path::new(path);
    if !below.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let file =
        if path.is_empty() || path.ends_with('/') { dir.join(below).join("index.html") } else { dir.join(below) };
    file.is_file().then_some(file)
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_page_are_sent() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page");
        fs::create_dir(&page).unwrap();
        fs::write(page.join("index.html"), "").unwrap();
        fs::write(folder.path().join("secret"), "").unwrap();
        assert_eq!(file_of(&page, "/"), Some(page.join("index.html")));
        assert_eq!(file_of(&page, "/index.html?a#b"), Some(page.join("index.html")));
        for path in ["/../secret", "/./../secret", "/nothing", "/index.html/"] {
            assert!(file_of(&page, path).is_none(), "{path}");
        }
    }
}
