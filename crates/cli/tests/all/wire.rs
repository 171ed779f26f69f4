//! Attacks on a running `bastide host`. The host refuses or disconnects attackers, needs little
//! memory for them, and the game of the other guests goes on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use door::{
    Client, Event, MAX_EVENT_BYTES, MAX_REQUEST_BYTES, News, NumberedRequest, Request, SeatClaim, SeatToken, decode,
    encode,
};
use futures_util::{SinkExt as _, StreamExt as _};
use host::{Connection, GuestLink};
use table::{Answer, AwaitedActor, Insight, Seat, Spot, ZoneRef};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Builder;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};

use super::common::{bastide, folder};
use super::hosting::Host;

/// The memory by which the host may grow during all attacks, in kilobytes.
const MAX_GROWTH_KB: u64 = 64 << 10;

/// The number of random and changed frames, at the socket of programs and at that of pages.
const N_FRAMES: usize = 10_000;

/// The number of attackers that send frames at the same time.
const N_AT_ONCE: usize = 8;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Counts of frames and attackers.
#[derive(Default)]
struct Counts {
    /// Frames at the socket of programs.
    frames: AtomicUsize,
    /// Frames at the socket of pages.
    page_frames: AtomicUsize,
    /// Frames that the table read and refused.
    refused: AtomicUsize,
    /// Connections that the host has closed.
    closed: AtomicUsize,
}

/// Returns one number of the file `status` of a process in kilobytes, such as `VmRSS`.
fn memory_kb(pid: u32, name: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

/// Returns requests of all kinds, which an attacker without a seat sends as they are or changed.
fn requests(at: u64) -> Vec<Request> {
    let token = SeatToken([9; 16]);
    let text = "x".repeat(300);
    vec![
        Request::Sit { seat: Some(Seat(0)), name: "thief".to_owned(), claim: SeatClaim::Take(token) },
        Request::Sit { seat: None, name: text.clone(), claim: SeatClaim::Return(token) },
        Request::Stand,
        Request::Answer { at, answer: "pass".to_owned() },
        Request::Answer { at: at.wrapping_sub(1), answer: "place 1,0 0".to_owned() },
        Request::SetBot { seat: Seat(1), bot: Some("greedy".to_owned()) },
        Request::ProposeUndo { at },
        Request::AnswerUndo { agrees: true },
        Request::Ask { at, insights: vec![Insight::Projection(Some(Answer::Pass)); 3] },
        Request::Ask {
            at,
            insights: vec![Insight::AboutAnswer(Answer::ModOption(7)), Insight::AboutZone(ZoneRef(9_999))],
        },
        Request::Chat { text: text.clone() },
        Request::Point { spot: Spot::new(1, 0) },
        Request::Consent { agrees: true },
        Request::Note { n: 1, about: Some(text.clone()), text },
        Request::Reply { replies: vec![("base/fun".to_owned(), "3".to_owned())] },
        Request::Hello { parts: Vec::new() },
    ]
}

/// Returns a random frame, or a regular request with some changed bytes.
fn frame(rng: &mut fastrand::Rng, requests: &[Request]) -> Vec<u8> {
    if rng.u8(..4) == 0 {
        return (0..rng.usize(..200)).map(|_| rng.u8(..)).collect();
    }
    let request = requests[rng.usize(..requests.len())].clone();
    let mut bytes = encode(&NumberedRequest { number: rng.u32(..9), request });
    for _ in 0..rng.usize(..4) {
        let at = rng.usize(..bytes.len());
        match rng.u8(..4) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, rng.u8(..)),
            _ => bytes[at] = rng.u8(..),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Returns a frame for the socket of the page: text that is no request, or a changed request.
fn page_frame(rng: &mut fastrand::Rng) -> String {
    let regular = [
        r#"{"do":"sit","seat":0,"name":"a","token":"00112233445566778899aabbccddeeff","isNew":true}"#,
        r#"{"do":"answer","at":"12","answer":"pass"}"#,
        r#"{"do":"bot","seat":1,"bot":"greedy"}"#,
        r#"{"do":"point","spot":[0,1]}"#,
        r#"{"do":"note","n":0,"about":null,"text":"x"}"#,
    ];
    let mut letters: Vec<char> = regular[rng.usize(..regular.len())].chars().collect();
    for _ in 0..rng.usize(..4) {
        let at = rng.usize(..letters.len());
        letters[at] = *rng.choice(&['"', '{', '}', '0', '-', 'é', '\u{0}', '\u{202e}']).unwrap();
    }
    letters.into_iter().collect()
}

/// Opens a connection. If the table has its maximum number of connections, tries again.
async fn connect(url: &str) -> Socket {
    loop {
        match connect_async(url).await {
            Ok((socket, _)) => return socket,
            Err(tungstenite::Error::Http(answer)) if answer.status() == 503 => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("the host does not answer: {error}"),
        }
    }
}

/// Reads until the host replies to a request, or closes the connection. Returns whether the host
/// refused the request; `None` if it closed the connection.
async fn reply(socket: &mut Socket) -> Option<bool> {
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Binary(bytes) = message {
            match decode::<Event>(&bytes, MAX_EVENT_BYTES).unwrap() {
                Event::Refused { .. } => return Some(true),
                Event::Done { .. } => return Some(false),
                _ => {}
            }
        }
    }
    None
}

/// Reads until the host closes the connection.
async fn read_to_the_end(socket: &mut Socket) {
    while let Some(Ok(_)) = socket.next().await {}
}

/// Sends frames to the table over many connections, until `counts` has `n` of them. A connection
/// ends with its first invalid frame, or after some frames.
async fn send_frames(link: GuestLink, n: usize, counts: Arc<Counts>, mut rng: fastrand::Rng) {
    while counts.frames.load(Ordering::Relaxed) < n {
        let mut socket = connect(&link.socket_url()).await;
        let requests = requests(rng.u64(..));
        socket.send(Message::binary(encode(&Client::new().hello()))).await.unwrap();
        assert_eq!(reply(&mut socket).await, Some(false), "the table greets everybody");
        for _ in 0..rng.usize(1..50) {
            let bytes = frame(&mut rng, &requests);
            let is_valid = decode::<NumberedRequest>(&bytes, MAX_REQUEST_BYTES).is_ok();
            socket.send(Message::binary(bytes)).await.unwrap();
            counts.frames.fetch_add(1, Ordering::Relaxed);
            let refused = reply(&mut socket).await;
            assert_eq!(refused.is_some(), is_valid, "the host replies to requests, and closes at anything else");
            counts.refused.fetch_add(usize::from(refused == Some(true)), Ordering::Relaxed);
            if !is_valid {
                break;
            }
        }
    }
}

/// Sends frames to the page's socket, like [`send_frames`].
async fn send_page_frames(link: GuestLink, n: usize, counts: Arc<Counts>, mut rng: fastrand::Rng) {
    while counts.page_frames.load(Ordering::Relaxed) < n {
        let mut socket = connect(&link.socket_url().replace("/socket", "/page")).await;
        for _ in 0..rng.usize(1..50) {
            if socket.send(Message::text(page_frame(&mut rng))).await.is_err() {
                break;
            }
            counts.page_frames.fetch_add(1, Ordering::Relaxed);
        }
        // Ends the connection, if the host has not closed it.
        let _ = socket.close(None).await;
        read_to_the_end(&mut socket).await;
    }
}

/// Sends more requests than a guest may, until the host closes the connection.
async fn flood(link: GuestLink, counts: Arc<Counts>) {
    let mut socket = connect(&link.socket_url()).await;
    socket.send(Message::binary(encode(&Client::new().hello()))).await.unwrap();
    let long = Request::Answer { at: 0, answer: "x".repeat(60_000) };
    for number in 0..5_000 {
        let request = NumberedRequest { number, request: long.clone() };
        if socket.send(Message::binary(encode(&request))).await.is_err() {
            break;
        }
    }
    read_to_the_end(&mut socket).await;
    counts.closed.fetch_add(1, Ordering::Relaxed);
}

/// Sends a frame of 10 MB.
async fn send_large_frame(link: GuestLink, counts: Arc<Counts>) {
    let mut socket = connect(&link.socket_url()).await;
    let _ = socket.send(Message::binary(vec![3; 10 << 20])).await;
    read_to_the_end(&mut socket).await;
    counts.closed.fetch_add(1, Ordering::Relaxed);
}

/// Connects and asks for the game again and again, but reads nothing until `is_over`.
async fn read_nothing(link: GuestLink, is_over: Arc<AtomicBool>) {
    let small = TcpSocket::new_v4().unwrap();
    small.set_recv_buffer_size(4096).unwrap();
    let address = link.host.strip_prefix("http://").unwrap().parse().unwrap();
    let stream = small.connect(address).await.unwrap();
    let (mut socket, _) = client_async(link.socket_url(), stream).await.unwrap();
    for _ in 0..20 {
        let _ = socket.send(Message::binary(encode(&Client::new().hello()))).await;
    }
    while !is_over.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Sends a part of an HTTP request, and nothing else until `is_over`.
async fn send_half_a_request(link: GuestLink, is_over: Arc<AtomicBool>) {
    let mut stream = TcpStream::connect(link.host.strip_prefix("http://").unwrap()).await.unwrap();
    stream.write_all(b"GET /table.js HTTP/1.1\r\nHost:").await.unwrap();
    while !is_over.load(Ordering::Relaxed) {
        let _ = tokio::time::timeout(Duration::from_millis(20), stream.read_u8()).await;
    }
}

/// Plays at a seat until the game is over, which is after `is_over`. Returns the answers of the
/// game and the slowest reply of the host.
async fn play(link: GuestLink, seat: usize, is_over: Arc<AtomicBool>) -> (Vec<String>, Duration) {
    let mut connection = Connection::open(&link, Client::new()).await.unwrap();
    let claim = SeatClaim::Take(SeatToken([seat as u8 + 1; 16]));
    let sit = Request::Sit { seat: Some(Seat(seat as u8)), name: format!("guest {seat}"), claim };
    connection.request(sit).await.unwrap();
    let (mut rng, mut answered) = (fastrand::Rng::with_seed(seat as u64), None);
    let (mut since, mut slowest) = (Instant::now(), Duration::ZERO);
    loop {
        let news = connection.next().await.expect("the host keeps the guests");
        assert!(!matches!(news, News::Refused(..) | News::UndoProposed(..) | News::Said), "{news:?}");
        if matches!(news, News::Done(_)) {
            slowest = slowest.max(since.elapsed());
        }
        let Some(game) = connection.client.game() else { continue };
        if news == News::Revealed(true) {
            return (game.steps().iter().map(|step| step.text.clone()).collect(), slowest);
        }
        let (at, own) = (game.revision().version(), connection.client.own_seats());
        let is_full = connection.client.seats().iter().all(|seat| seat.name.is_some());
        let is_asked = matches!(game.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat));
        // The table sends the game again after another guest has taken a seat.
        if news == News::Game && is_asked && is_full && answered != Some(at) {
            answered = Some(at);
            let options = game.view().answer_texts();
            let answer = options[rng.usize(..options.len())].clone();
            // Keeps to the limit of requests, and does not end the game before the attacks end.
            let is_near_end = game.view().n_tiles_left() < 8;
            tokio::time::sleep(Duration::from_millis(110)).await;
            while is_near_end && !is_over.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            since = Instant::now();
            connection.request(Request::Answer { at, answer }).await.unwrap();
        }
    }
}

/// Attacks a table while two guests play. `tests/README.md` has the results.
#[test]
fn attacks_do_not_touch_a_game() {
    let dir = folder();
    let host = Host::start(dir.path(), &["--mods", "base", "--set", "base/*=1"]);
    let link: GuestLink = host.link.parse().unwrap();
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let guests = [0, 1].map(|seat| runtime.spawn(play(link.clone(), seat, is_over.clone())));
    std::thread::sleep(Duration::from_secs(1));
    let before = memory_kb(host.pid(), "VmRSS:");

    let counts = Arc::new(Counts::default());
    let (mut rng, mut page_rng) = (fastrand::Rng::with_seed(1), fastrand::Rng::with_seed(2));
    let mut idle = Vec::new();
    for _ in 0..20 {
        idle.push(runtime.spawn(read_nothing(link.clone(), is_over.clone())));
        idle.push(runtime.spawn(send_half_a_request(link.clone(), is_over.clone())));
    }
    let senders: Vec<_> = (0..N_AT_ONCE)
        .map(|_| runtime.spawn(send_frames(link.clone(), N_FRAMES, counts.clone(), rng.fork())))
        .chain((0..2).map(|_| runtime.spawn(send_page_frames(link.clone(), N_FRAMES, counts.clone(), page_rng.fork()))))
        .chain((0..10).map(|_| runtime.spawn(flood(link.clone(), counts.clone()))))
        .chain((0..10).map(|_| runtime.spawn(send_large_frame(link.clone(), counts.clone()))))
        .collect();
    for sender in senders {
        runtime.block_on(sender).unwrap();
    }
    let (after, most) = (memory_kb(host.pid(), "VmRSS:"), memory_kb(host.pid(), "VmHWM:"));
    is_over.store(true, Ordering::Relaxed);
    let [one, other] = guests.map(|guest| runtime.block_on(guest).expect("a guest has failed"));
    for attacker in idle {
        runtime.block_on(attacker).unwrap();
    }

    assert_eq!(one.0, other.0);
    let [frames, page_frames, refused] =
        [&counts.frames, &counts.page_frames, &counts.refused].map(|n| n.load(Ordering::Relaxed));
    println!(
        "{frames} frames, {refused} of them read and refused; {page_frames} frames of pages; memory of the host \
         {before} kB before, {after} kB after, {most} kB at most; slowest answer of the guests {:?}",
        one.1.max(other.1)
    );
    assert_eq!(counts.closed.load(Ordering::Relaxed), 20);
    assert!(refused > N_FRAMES / 20, "{refused} of {frames} frames were refused");
    assert!(most < before + MAX_GROWTH_KB, "{before} kB before the attacks, {most} kB at most");
    let code = host.link[host.link.len() - 6..].to_owned();
    drop(host);
    let file = format!("tables/{code}.game");
    bastide(dir.path(), &["replay", &file]).expect(0);
    let text = std::fs::read_to_string(dir.path().join(&file)).unwrap();
    let saved: Vec<&str> = text.lines().skip_while(|line| !line.is_empty()).skip(1).collect();
    assert_eq!(saved, one.0);
    let seats = std::fs::read_to_string(dir.path().join(format!("tables/{code}.seats"))).unwrap();
    let names: BTreeSet<&str> = ["guest 0", "guest 1", "thief"].into_iter().filter(|it| seats.contains(it)).collect();
    assert_eq!(names, BTreeSet::from(["guest 0", "guest 1"]));
}
