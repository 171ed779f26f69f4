//! Runs every mod of tests/hostile in a separate process. No mod may crash the process, let it hang
//! or exhaust memory, and each must be reported.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use testkit::{HostileMod, run_limited, visible};
use tests::hostile::MAX_MEMORY_BYTES;

/// The maximum address space of a program, in bytes. It exceeds the memory limit, so that the test
/// reports an excess before the system kills the program.
const MAX_ADDRESSES: u64 = 2 << 30;
/// The time after which a program counts as hung. No program takes this long, even on a busy
/// machine.
const HUNG: Duration = Duration::from_secs(60);

/// Tries all hostile mods. `HOSTILE=sort cargo test -p tests --test all hostile` tries only the
/// mods whose names contain `sort`.
#[test]
fn hostile_mods_are_stopped() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile");
    let found = Mutex::new(HostileFindings::default());
    let n = HostileMod::for_each(&folder, |hostile| try_out(hostile, &folder, &found));
    let mut found = found.into_inner().unwrap();
    // Two processes compete for the processor's caches, so a slow mod is tried again alone.
    let (slow, complaints): (Vec<_>, Vec<_>) = found.complaints.drain(..).partition(Complaint::is_of_time);
    let found = Mutex::new(HostileFindings { complaints, ..found });
    slow.iter().for_each(|complaint| try_out(&complaint.hostile, &folder, &found));
    let found = found.into_inner().unwrap();
    eprintln!("{} hostile mods; at most {} MB; at most {:?}", n, found.peak >> 20, found.longest);
    let complaints: Vec<String> =
        found.complaints.iter().map(|it| format!("--- {}\n{}", it.hostile.name, it.text)).collect();
    assert!(complaints.is_empty(), "{} of {} mods:\n{}", complaints.len(), n, complaints.join("\n"));
}

/// The problems found with a mod.
struct Complaint {
    hostile: HostileMod,
    text: String,
}

impl Complaint {
    /// Returns whether all problems are about time.
    fn is_of_time(&self) -> bool {
        self.text.lines().all(|line| line.ends_with(" ms"))
    }
}

#[derive(Default)]
struct HostileFindings {
    complaints: Vec<Complaint>,
    peak: u64,
    /// The longest duration of each operation, in milliseconds, with the name of the mod.
    longest: BTreeMap<String, (u64, String)>,
}

fn try_out(hostile: &HostileMod, hostile_folder: &Path, found: &Mutex<HostileFindings>) {
    let file = hostile_folder.join(format!("{}.toml", hostile.name));
    let folder = tempfile::tempdir().unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_hostile"));
    let watched = run_limited(&program, &[&file], "", folder.path(), MAX_ADDRESSES, HUNG);
    let mut complaints = visible(&watched.out);
    complaints.extend(watched.failure_message());
    if watched.peak > MAX_MEMORY_BYTES {
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
        found.complaints.push(Complaint { hostile: hostile.clone(), text: complaints });
    }
}
