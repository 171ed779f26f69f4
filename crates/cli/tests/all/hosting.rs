//! `bastide host` and `bastide join`: guests at a table, and the check of its draws.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use door::{Client, News, Request, SeatClaim, SeatToken};
use host::{Connection, GuestLink};
use table::AwaitedActor;

use crate::common::{TerminalGame, bastide, folder, written};

/// Options for a base game with few tiles.
pub const FEW_TILES: [&str; 3] = ["--mods=base", "--set=base/*=0", "--set=base/U=6"];

/// A running `bastide host`, which ends when it is dropped.
pub struct Host {
    terminal: TerminalGame,
    pub link: String,
}

impl Host {
    pub fn start(folder: &Path, options: &[&str]) -> Host {
        let mut args = vec!["host", "--address", "127.0.0.1", "--port", "0"];
        args.extend(options);
        let mut terminal = TerminalGame::start(folder, &args);
        let shown = terminal.wait_for("guests open the link");
        let link = shown.lines().next().unwrap().split_once(": ").unwrap().1.to_owned();
        Host { terminal, link }
    }

    /// Returns the number of the process.
    pub fn pid(&self) -> u32 {
        self.terminal.child.id()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.terminal.child.kill();
        let _ = self.terminal.child.wait();
    }
}

#[test]
fn a_guest_saves_the_record_and_checks_its_draws() {
    let dir = folder();
    let host = Host::start(dir.path(), &[&["--players", "human,random"][..], &FEW_TILES].concat());
    let mut guest = TerminalGame::start(dir.path(), &["join", &host.link, "--save", "my.game"]);
    guest.wait_for("red> ");
    guest.type_line("bot random");
    let shown = guest.wait_for("--fair");
    assert!(shown.contains("It has the published hash."), "{shown}");
    let published = shown.lines().find(|line| line.contains("Hash of the seed")).unwrap();
    let hash = published.split_whitespace().find(|word| word.len() == 64).unwrap();
    let command = shown.lines().find(|line| line.contains("bastide replay")).unwrap();
    assert!(command.ends_with(&format!("bastide replay my.game --fair {hash}")), "{command}");

    let ran = bastide(dir.path(), &["replay", "my.game", "--fair", hash]).expect(0);
    assert!(ran.out.contains("Fair: the seed has the published hash, and all 6 draws"), "{}", ran.out);
    let end = bastide(dir.path(), &["replay", "my.game", "--json", "--fair", hash]).expect(0).json_lines();
    assert_eq!(end.last().unwrap()["fair"], true);
    let other = format!("{}0", &hash[1..]);
    let ran = bastide(dir.path(), &["replay", "my.game", "--fair", &other]).expect(1);
    assert!(ran.err.contains("do not have the hash"), "{}", ran.err);
    assert!(bastide(dir.path(), &["replay", "my.game", "--fair", "12"]).expect(2).err.contains("64 hexadecimal"));
    // The record of the host has the seed without the salt.
    let code = &host.link[host.link.len() - 6..];
    let own = format!("tables/{code}.game");
    assert!(bastide(dir.path(), &["replay", &own, "--fair", hash]).expect(1).err.contains("no salt"));
}

/// A guest looks back, tries choices, and returns to the game, which has not changed.
#[test]
fn a_guest_explores_and_returns() {
    let dir = folder();
    let host = Host::start(dir.path(), &["--mods", "base", "--seed", "3"]);
    let mut guest = TerminalGame::start(dir.path(), &["join", &host.link]);
    guest.wait_for("red> ");
    guest.type_line("1");
    let shown = guest.wait_for("pass\nred> ");
    assert!(!shown.contains("explore> "));
    guest.type_line("back");
    let shown = guest.wait_for("1 choice ago: red 0, blue 0. Only you see this");
    let question = shown.rsplit("red> ").next().unwrap();
    assert!(question.contains("Where does the tile go?"), "{question}");
    guest.type_line("u");
    guest.wait_for("There is no tried choice to take back.");
    guest.type_line("2");
    guest.wait_for("After 1 tried choice; draws are made up");
    guest.type_line("u");
    guest.type_line("live");
    guest.type_line("p");
    guest.type_line("say done");
    let shown = guest.wait_for("says: done");
    assert_eq!(guest.quit(), "", "{shown}");
    let record = fs::read_dir(dir.path().join("tables")).unwrap().filter_map(Result::ok).map(|it| it.path());
    let record = record.into_iter().find(|path| path.extension().is_some_and(|it| it == "game")).unwrap();
    let text = fs::read_to_string(record).unwrap();
    assert_eq!(text.matches("place ").count(), 1, "{text}");
}

/// A record in which the host has chosen a draw fails the check.
#[test]
fn a_chosen_draw_is_found_out() {
    let dir = folder();
    bastide(dir.path(), &["play", "--players", "random,random", "--seed", "4", "--record", "a.game"]).expect(0);
    let salt = "00112233445566778899aabbccddeeff";
    let text = fs::read_to_string(dir.path().join("a.game")).unwrap().replace("seed 4\n", &format!("seed 4 {salt}\n"));
    let hash = door::Commitment::of(4, salt).to_string();
    written(&dir, "fair.game", &text);
    bastide(dir.path(), &["replay", "fair.game", "--fair", &hash]).expect(0);
    // Draws a tile too early.
    let draws: Vec<&str> = text.lines().filter(|line| line.starts_with("draw ")).collect();
    let (first, second) = draws.iter().zip(&draws[1..]).find(|(a, b)| a != b).unwrap();
    let cut = text.find(*first).unwrap();
    written(&dir, "chosen.game", &format!("{}{second}\n", &text[..cut]));
    let ran = bastide(dir.path(), &["replay", "chosen.game", "--fair", &hash]).expect(1);
    let expected = format!("`{second}`, does not follow from the seed, which gives `{first}`");
    assert!(ran.err.contains(&expected), "{expected}: {}", ran.err);
}

/// The longest line of answers that any guest has seen, and which guests are seated.
#[derive(Default)]
struct Known {
    line: Vec<String>,
    /// True for each guest that has taken its seat.
    is_seated: [bool; 2],
    is_over: bool,
}

/// Plays as guest `n` until the connection ends or the game is over. When the guest connects, every
/// answer that any guest has seen before must still be there.
async fn attend(link: GuestLink, n: usize, known: Arc<Mutex<Known>>, mut rng: fastrand::Rng) {
    let before = known.lock().unwrap().line.clone();
    let Ok(mut connection) = Connection::open(&link, Client::new()).await else { return };
    // The guest chooses its token, so no reply of the host can be lost.
    let token = SeatToken([n as u8 + 1; 16]);
    let sit = Request::Sit { seat: None, name: format!("guest {n}"), claim: SeatClaim::Take(token) };
    if connection.request(sit).await.is_err() {
        return;
    }
    let (mut is_first, mut answered) = (true, None);
    while let Ok(news) = connection.next().await {
        if let News::Seated(_, seated) = news {
            assert_eq!(seated, token);
            known.lock().unwrap().is_seated[n] = true;
        }
        assert!(!matches!(news, News::Refused(..)) || answered.is_some(), "{news:?}");
        let Some(game) = connection.client.game() else { continue };
        if news == News::Game {
            let line: Vec<String> = game.steps().iter().map(|step| step.text.clone()).collect();
            assert!(!is_first || line.starts_with(&before), "lost: {:?}", &before[line.len().min(before.len())..]);
            is_first = false;
            let mut known = known.lock().unwrap();
            known.is_over |= game.awaited_actor() == AwaitedActor::Nobody;
            if line.len() > known.line.len() {
                known.line = line;
            }
        }
        let own = connection.client.own_seats();
        let version = game.revision().version();
        if matches!(game.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat)) && answered != Some(version)
        {
            let view = game.view();
            let options: Vec<String> = view.answers().into_iter().filter_map(|it| view.answer_text(it)).collect();
            answered = Some(version);
            let answer = options[rng.usize(..options.len())].clone();
            if connection.request(Request::Answer { at: version, answer }).await.is_err() {
                return;
            }
        }
    }
}

/// Ends guests and hosts with kill -9 at random moments. GUEST_KILLS and HOST_KILLS choose how
/// often; `tests/README.md` has the results of long runs.
#[test]
fn kills_lose_nothing_but_the_answer_in_progress() {
    let n = |name: &str, default: usize| std::env::var(name).map_or(default, |n| n.parse().unwrap());
    let (n_guest_kills, n_host_kills) = (n("GUEST_KILLS", 12), n("HOST_KILLS", 3));
    let mut rng = fastrand::Rng::with_seed(n("SEED", 1) as u64);
    let mut kills: Vec<bool> = (0..n_guest_kills).map(|_| false).chain((0..n_host_kills).map(|_| true)).collect();
    rng.shuffle(&mut kills);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (mut n_games, mut n_answers, mut slowest_start) = (0, 0, Duration::ZERO);
    while !kills.is_empty() {
        let dir = folder();
        let mut host = Host::start(dir.path(), &["--mods", "base"]);
        let known = Arc::new(Mutex::new(Known::default()));
        let join = |host: &Host, n: usize, rng: &mut fastrand::Rng| {
            runtime.spawn(attend(host.link.parse().unwrap(), n, known.clone(), rng.fork()))
        };
        let mut guests = [0, 1].map(|n| join(&host, n, &mut rng));
        while !known.lock().unwrap().is_over {
            let Some(kills_host) = kills.pop() else { break };
            thread::sleep(Duration::from_millis(rng.u64(1..80)));
            let dead: &[usize] = if kills_host { &[0, 1] } else { &[rng.usize(..2)] };
            if kills_host {
                drop(host);
                let since = Instant::now();
                host = Host::start(dir.path(), &[]);
                slowest_start = slowest_start.max(since.elapsed());
            }
            for n in dead.iter().copied() {
                guests[n].abort();
                let ended = runtime.block_on(std::mem::replace(&mut guests[n], join(&host, n, &mut rng)));
                assert!(!ended.is_err_and(|error| error.is_panic()), "a guest has failed; see above");
            }
        }
        // The last guests must still be able to return to their seats.
        thread::sleep(Duration::from_millis(500));
        let code = host.link[host.link.len() - 6..].to_owned();
        drop(host);
        for guest in guests {
            runtime.block_on(guest).expect("a guest has failed");
        }
        let file = format!("tables/{code}.game");
        bastide(dir.path(), &["replay", &file]).expect(0);
        let text = fs::read_to_string(dir.path().join(&file)).unwrap();
        let saved: Vec<&str> = text.lines().skip_while(|line| !line.is_empty()).skip(1).collect();
        let known = known.lock().unwrap();
        assert!(saved.starts_with(&known.line.iter().map(String::as_str).collect::<Vec<_>>()), "{text}");
        assert_eq!(known.is_seated, [true; 2]);
        (n_games, n_answers) = (n_games + 1, n_answers + known.line.len());
    }
    println!(
        "{n_guest_kills} kills of guests and {n_host_kills} of the host in {n_games} games with {n_answers} answers; \
         slowest restart {slowest_start:?}"
    );
    assert!(n_answers > n_guest_kills / 4, "only {n_answers} answers");
}
