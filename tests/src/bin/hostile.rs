//! Runs one hostile mod and prints the failed expectations. Can also write the mod as a folder, so
//! that a person can try the mod by hand.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use testkit::HostileMod;
use tests::hostile::{HostileTrial, loading_ms};

const USAGE: &str = "hostile FILE                test the mod in FILE
hostile FILE FOLDER         empty FOLDER and write the mod into it, for `bastide --mods-path FOLDER check hostile`
hostile --load ID PATH...   load a mod and print the processor time in milliseconds";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (file, folder) = match &args[..] {
        [flag, id, paths @ ..] if flag == "--load" => {
            println!("{}", loading_ms(&paths.iter().map(PathBuf::from).collect::<Vec<_>>(), id));
            return ExitCode::SUCCESS;
        }
        [file] => (Path::new(file), None),
        [file, folder] => (Path::new(file), Some(Path::new(folder))),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let hostile = HostileMod::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile"), file);
    if let Some(folder) = folder {
        hostile.write_into(folder);
        return ExitCode::SUCCESS;
    }
    let Ok(folder) = std::env::current_dir() else { return ExitCode::from(2) };
    let trial = HostileTrial::run(&hostile, &folder);
    trial.times().iter().for_each(|(what, ms)| eprintln!("{ms} ms {what}"));
    trial.complaints().iter().for_each(|complaint| println!("{complaint}"));
    ExitCode::from(u8::from(!trial.complaints().is_empty()))
}
