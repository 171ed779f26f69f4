//! `crowd`: many tables with scripted guests, to measure how long guests wait and how much memory a
//! table needs.
//!
//! `tests/README.md` describes its use, `crates/COSTS.md` has results.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a check from the command line fails by panicking")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use door::{Client, News, Request, SeatClaim};
use host::{Connection, GuestLink, Host, ModsWatch, Room, RoomOptions, serve};
use table::{AwaitedActor, Library, Setup};
use testkit::mods_folder;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// The numbers of a run, which options such as `--tables 500` change.
struct Plan {
    tables: usize,
    guests: usize,
    /// The length of the measurement in seconds.
    seconds: u64,
    /// The time between two answers at a table, in milliseconds.
    every: u64,
}

impl Plan {
    fn from_args() -> Plan {
        let mut plan = Plan { tables: 500, guests: 4, seconds: 60, every: 2000 };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let value: u64 = args.next().and_then(|value| value.parse().ok()).expect("each option has a number");
            match name.as_str() {
                "--tables" => plan.tables = value as usize,
                "--guests" => plan.guests = value as usize,
                "--seconds" => plan.seconds = value,
                "--every" => plan.every = value,
                _ => panic!("unknown option {name}; options: --tables, --guests, --seconds, --every"),
            }
        }
        plan
    }
}

/// Serves tables until its standard input ends. Prints the link of each table.
fn serve_tables(n: usize, n_players: usize) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(&[mods_folder()]);
    let options = RoomOptions { mods_watch: ModsWatch::new(&library).ok(), ..RoomOptions::default() };
    let room = |seed| {
        let setup = Setup { seed: Some(seed as u64), ..Setup::of(&["base"], n_players) };
        Room::begin(folder.path(), library.clone(), setup, &options).unwrap()
    };
    let rooms: Vec<Room> = (0..n).map(room).collect();
    let runtime = Runtime::new().unwrap();
    let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).unwrap();
    let address = listener.local_addr().unwrap();
    for room in &rooms {
        println!("http://{address}/{}", room.code());
    }
    std::io::stdout().flush().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        std::io::stdin().lines().for_each(drop);
        drop(stop);
    });
    let stopped = async { drop(stopped.await) };
    runtime.block_on(serve(Host::new(rooms), listener, stopped));
}

/// An answer that not all guests of a table have seen yet.
struct OpenAnswer {
    /// The number of answers in the game, including this answer.
    n: usize,
    since: Instant,
    n_missing: usize,
}

/// A table: its open answer, and the measured times. Each time is from an answer to the last
/// guest's new view.
#[derive(Default)]
struct Measured {
    open: Option<OpenAnswer>,
    times: Vec<Duration>,
}

/// Plays as one guest, and answers when `every` has passed since the last answer.
async fn attend(link: GuestLink, table: Arc<Mutex<Measured>>, n_guests: usize, first: Instant, every: Duration) {
    let mut connection = Connection::open(&link, Client::new()).await.expect("the host accepts all guests");
    let sit = Request::Sit { seat: None, name: "guest".to_owned(), claim: SeatClaim::of(None).unwrap() };
    connection.request(sit).await.unwrap();
    let mut rng = fastrand::Rng::with_seed(u64::from(link.code.to_string().as_bytes()[0]));
    let (mut due, mut n_seen, mut answered) = (first, 0, None);
    loop {
        let own = connection.client.own_seats();
        let game = connection.client.game();
        let asks = game.filter(|game| matches!(game.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat)));
        let version = asks.map(|game| game.revision().version()).filter(|version| answered != Some(*version));
        let news = tokio::select! {
            news = connection.next() => news.expect("the host keeps the connection"),
            () = tokio::time::sleep_until(due.into()), if version.is_some() => {
                let game = connection.client.game().unwrap();
                let view = game.view();
                let options: Vec<String> = view.answers().into_iter().filter_map(|it| view.answer_text(it)).collect();
                let answer = options[rng.usize(..options.len())].clone();
                let open = OpenAnswer { n: game.position_index() + 1, since: Instant::now(), n_missing: n_guests };
                table.lock().unwrap().open = Some(open);
                (answered, due) = (version, Instant::now() + every);
                connection.request(Request::Answer { at: version.unwrap(), answer }).await.unwrap();
                continue;
            }
        };
        let at = connection.client.game().map_or(0, |game| game.position_index());
        if news != News::Game || at <= n_seen {
            continue;
        }
        let mut table = table.lock().unwrap();
        if let Some(open) = table.open.as_mut().filter(|open| n_seen < open.n && open.n <= at) {
            due = open.since + every;
            open.n_missing -= 1;
            let passed = open.since.elapsed();
            if open.n_missing == 0 {
                table.times.push(passed);
                table.open = None;
            }
        }
        n_seen = at;
    }
}

/// Returns the memory in MB and the CPU time in seconds of a process.
fn usage(pid: u32) -> (f64, f64) {
    let proc = Path::new("/proc").join(pid.to_string());
    let status = std::fs::read_to_string(proc.join("status")).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kilobytes: f64 = resident.trim().trim_end_matches(" kB").parse().unwrap();
    let stat = std::fs::read_to_string(proc.join("stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: f64 = fields[11..13].iter().map(|it| it.parse::<f64>().unwrap()).sum();
    (kilobytes / 1024.0, ticks / 100.0)
}

/// Starts the host in a process of its own, and returns it with the links of its tables.
fn start_host(plan: &Plan) -> (Child, Vec<GuestLink>) {
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["serve", &plan.tables.to_string(), &plan.guests.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(host.stdout.take().unwrap()).lines();
    let links = lines.take(plan.tables).map(|line| line.unwrap().parse().unwrap()).collect();
    (host, links)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, serve, n, n_players] = &args[..]
        && serve == "serve"
    {
        return serve_tables(n.parse().unwrap(), n_players.parse().unwrap());
    }
    let plan = Plan::from_args();
    let begun = Instant::now();
    let (mut host, links) = start_host(&plan);
    assert_eq!(links.len(), plan.tables, "the host has ended: see its message above");
    let (empty, _) = usage(host.id());
    println!("{} tables opened in {:.1} s, {empty:.0} MB", plan.tables, begun.elapsed().as_secs_f64());

    let runtime = Runtime::new().unwrap();
    let tables: Vec<Arc<Mutex<Measured>>> = links.iter().map(|_| Arc::default()).collect();
    let every = Duration::from_millis(plan.every);
    // The guests join first; then the tables answer in turn.
    let first = Instant::now() + Duration::from_millis(10) * (plan.tables * plan.guests) as u32;
    for (i, (link, table)) in links.iter().zip(&tables).enumerate() {
        let first = first + every * i as u32 / plan.tables as u32;
        for _ in 0..plan.guests {
            runtime.spawn(attend(link.clone(), table.clone(), plan.guests, first, every));
        }
    }
    std::thread::sleep(first.saturating_duration_since(Instant::now()));
    let (before, own_before) = (usage(host.id()).1, usage(std::process::id()).1);
    std::thread::sleep(Duration::from_secs(plan.seconds));
    let (full, after) = usage(host.id());
    let own = usage(std::process::id()).1 - own_before;
    let mut times: Vec<Duration> =
        tables.iter().flat_map(|table| std::mem::take(&mut table.lock().unwrap().times)).collect();
    times.sort();
    let expected = plan.tables as f64 * plan.seconds as f64 * 1000.0 / plan.every as f64;
    println!("{} of {expected:.0} answers reached all {} guests of their table", times.len(), plan.guests);
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).map_or(f64::NAN, |it| it.as_secs_f64() * 1e3);
    println!(
        "from an answer to the last guest's new view: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms, slowest {:.1} ms",
        at(0.50),
        at(0.95),
        at(0.99),
        times.last().map_or(f64::NAN, |it| it.as_secs_f64() * 1e3)
    );
    let kilobytes = full * 1024.0 / plan.tables as f64;
    println!("memory of the host: {full:.0} MB, {kilobytes:.0} kB a table with its guests");
    let cores = |cpu: f64| cpu / plan.seconds as f64;
    println!("CPU: host {:.2} cores, all guests {:.2} cores", cores(after - before), cores(own));
    // The guests end before the host, because each expects its connection to last.
    runtime.shutdown_timeout(Duration::from_secs(5));
    drop(host.stdin.take());
    host.wait().unwrap();
    assert!(!times.is_empty(), "no answer reached the guests");
}
