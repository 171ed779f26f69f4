//! Builds the page: a folder of static files that any server can send.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use clap::{Parser, Subcommand};
use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

use crate::serve;

const TARGET: &str = "wasm32-unknown-unknown";

/// The size of the page's stack, in bytes. A function of a mod needs four megabytes of free stack.
const STACK: u32 = 8 << 20;

/// Build the page that shows the window in a browser, and serve it
#[derive(Parser)]
#[command(name = "web")]
struct BuildArgs {
    #[command(subcommand)]
    command: BuildCommand,
}

#[derive(Subcommand)]
enum BuildCommand {
    /// Build the page: static files for any web server
    Build {
        /// Output folder
        #[arg(long, value_name = "DIR", default_value = "dist")]
        out: PathBuf,
        /// Cargo profile to build with
        #[arg(long, value_name = "NAME", default_value = "web")]
        profile: String,
    },
    /// Serve the page on this machine
    Serve {
        /// Folder with the built page
        #[arg(long, value_name = "DIR", default_value = "dist")]
        dir: PathBuf,
        /// Port to listen on
        #[arg(long, value_name = "N", default_value_t = 8080)]
        port: u16,
    },
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let done = match BuildArgs::parse().command {
        BuildCommand::Build { out, profile } => build(&out, &profile),
        BuildCommand::Serve { dir, port } => serve::serve(&dir, port),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn build(out: &Path, profile: &str) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = compile(&root, profile)?;
    let cannot = |path: &Path| format!("{} cannot be written", path.display());
    match fs::remove_dir_all(out) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error).context(cannot(out)),
        _ => fs::create_dir_all(out).context(cannot(out))?,
    }
    let bound = Bindgen::new()
        .input_path(&program)
        .out_name("bastide")
        .typescript(false)
        .web(true)
        .and_then(|bindgen| bindgen.generate(out));
    bound.with_context(|| format!("{} cannot be bound to the page", program.display()))?;
    let mods = out.join("mods.json");
    fs::write(&mods, mods_of(&root.join("mods"))?).with_context(|| cannot(&mods))?;
    let pages = root.join("editor/web/static");
    for file in files_below(&pages).with_context(|| format!("{} cannot be read", pages.display()))? {
        let to = out.join(file.file_name().unwrap_or_default());
        fs::copy(&file, &to).with_context(|| cannot(&to))?;
    }
    compress(out).with_context(|| cannot(out))
}

/// Compiles the page with Cargo, and returns the path of the compiled program.
fn compile(root: &Path, profile: &str) -> Result<PathBuf> {
    let has_target = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    if !has_target.is_ok_and(|said| Path::new(String::from_utf8_lossy(&said.stdout).trim()).is_dir()) {
        run(Command::new("rustup").args(["target", "add", TARGET]))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["rustc", "--package", "web", "--bin", "web", "--target", TARGET]);
    run(command.args(["--profile", profile, "--", "-C", &format!("link-arg=-zstack-size={STACK}")]))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join(TARGET).join(folder).join("web.wasm"))
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} cannot be run"))?;
    ensure!(status.success(), "{command:?} failed: {status}");
    Ok(())
}

/// Returns a JSON object with the text of every file below `folder`, by path.
fn mods_of(folder: &Path) -> Result<String> {
    let mut texts = BTreeMap::new();
    let cannot = |path: &Path| format!("{} cannot be read", path.display());
    for path in files_below(folder).with_context(|| cannot(folder))? {
        let text = fs::read_to_string(&path).with_context(|| cannot(&path))?;
        let name =
            path.strip_prefix(folder).unwrap_or(&path).components().map(|part| part.as_os_str().to_string_lossy());
        texts.insert(name.collect::<Vec<_>>().join("/"), text);
    }
    Ok(serde_json::to_string(&texts)?)
}

fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => files.extend(files_below(&path)?),
            false => files.push(path),
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a compressed copy beside each file that becomes smaller by compression. Prints the sizes
/// of all files.
fn compress(out: &Path) -> io::Result<()> {
    let (mut n_plain, mut n_packed) = (0, 0);
    for file in files_below(out)? {
        let bytes = fs::read(&file)?;
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&bytes)?;
        let packed = packer.finish()?;
        println!("{:>10} {:>10}  {}", bytes.len(), packed.len(), file.display());
        n_plain += bytes.len();
        n_packed += packed.len().min(bytes.len());
        if packed.len() < bytes.len() {
            let mut name = file.into_os_string();
            name.push(".gz");
            fs::write(name, packed)?;
        }
    }
    println!("{n_plain:>10} {n_packed:>10}  bytes uncompressed and compressed");
    Ok(())
}
