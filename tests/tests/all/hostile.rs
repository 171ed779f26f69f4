//! Every mod of tests/hostile, each in a program of its own: none may end it, hang it or fill the memory, and each is told what is wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use testkit::{HostileMod, visible, watch};
use tests::hostile::MOST_MEMORY;

/// More than what a program may hold, so that it is told rather than killed.
const MOST_ADDRESSES: u64 = 2 << 30;
/// Nothing takes that long, however busy the machine is.
const HUNG: Duration = Duration::from_secs(60);

/// `HOSTILE=sort cargo test -p tests --test all hostile` tries those alone whose names contain `sort`.
#[test]
fn hostile_mods_are_stopped() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile");
    let found = Mutex::new(Found::default());
    let n = HostileMod::each(&folder, |hostile| tried(hostile, &folder.join(format!("{}.toml", hostile.name)), &found));
    let found = found.into_inner().unwrap();
    eprintln!("{} hostile mods; at most {} MB; at most {:?}", n, found.peak >> 20, found.longest);
    let complaints = found.complaints;
    assert!(complaints.is_empty(), "{} of {} mods:\n{}", complaints.len(), n, complaints.join("\n"));
}

#[derive(Default)]
struct Found {
    complaints: Vec<String>,
    peak: u64,
    /// What took longest, by what it was, in milliseconds.
    longest: BTreeMap<String, (u64, String)>,
}

fn tried(hostile: &HostileMod, file: &Path, found: &Mutex<Found>) {
    let folder = tempfile::tempdir().unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_hostile"));
    let watched = watch(&program, &[file], "", folder.path(), MOST_ADDRESSES, HUNG);
    let mut complaints = visible(&watched.out);
    complaints.extend(watched.ended_badly());
    if watched.peak > MOST_MEMORY {
        complaints += &format!("it held {} MB", watched.peak >> 20);
    }
    let mut found = found.lock().unwrap();
    found.peak = found.peak.max(watched.peak);
    for line in String::from_utf8_lossy(&watched.err).lines() {
        let Some((ms, what)) = line.split_once(" ms ") else { continue };
        let took = (ms.parse().unwrap_or(0), hostile.name.clone());
        let most = found.longest.entry(what.to_owned()).or_default();
        *most = took.max(most.clone());
    }
    if !complaints.is_empty() {
        found.complaints.push(format!("--- {}\n{complaints}", hostile.name));
    }
}
