// The page of a guest. The host sends the game as JSON. The page draws the game and sends requests.
// The page inserts texts as plain text, never as markup, because mods and other guests write them.
"use strict";

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const code = location.pathname.split("/").filter(Boolean).pop().toUpperCase();
const PAUSES = [1, 2, 4, 8, 15, 30];

let socket = null;
let nFailed = 0;
/** The game at the table, and the position that the page shows: of the game, or of the excursion. */
let live = null;
let game = null;
/** The positions of the game at which a player chose, as numbers of answers, and the current one. */
let stops = [];
/** The position that the guest looks at alone: `{ position, n, nTried }`; null while they look at the game. */
let excursion = null;
let seats = { seats: [], own: [], nSpectators: 0 };
let undo = null;
/** The mods' descriptions of the options of the question, by answer. */
let abouts = {};
/** The latest lines of the chat, and the number of unread lines. */
let chat = [];
let nUnread = 0;
/** The spots at which players point, by seat: `{ spot, timer }`. */
const pointed = new Map();
/** True while the next click on the board points at a spot. */
let isPointing = false;
/** The remaining times of the seats in milliseconds, the seat whose time runs, and the time of this message. */
let clock = null;
/** The seat of the player who has paused the game; null if the game is not paused. */
let pausedBy = null;
/** The first hash of the seed that the host sent, and whether the host has sent a different hash since. */
let fairness = { hash: null, hasChanged: false };
/** The record of the game, which the host sends when the game is over. */
let record = null;
let isWatching = false;
/** The survey of the playtest and whether the guest takes part; null if the host collects none. */
let playtest = null;
/** The number of answers before the moment of the note that the guest writes. */
let noteAt = 0;
let hasOfferedSurvey = false;
/** The awards of the log whose explanations are open, as text. */
const openAwards = new Set();
/** What the guest has said to the playtest on this page; null before. */
let saidConsent = null;
/** True while the page waits to return to the seat of its token. */
let isReturning = false;
/** The spot that the guest has chosen for the drawn tile, and the number of its facing. */
let chosen = null;
let view = null;
let hasMoved = false;

const drawn = new Map();

/** Calls `draw` if `state` has changed since the last call for the same part of the page. */
function redraw(part, state, draw) {
  const text = JSON.stringify(state);
  if (drawn.get(part) === text) return;
  drawn.set(part, text);
  draw();
}

/** Makes an element with properties, attributes (as `$name`) and children. */
function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (key.startsWith("$")) element.setAttribute(key.slice(1), value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Replaces control characters and characters that reorder text, so that no text can pretend to be another. */
const visible = (text) => text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "\ufffd");

const tilePicture = (tile, degrees = 0) => `${code}/pictures/${game.pictures || "0"}/tile-${tile}-${degrees}.svg`;

// The connection

/** Returns the token of the guest's seat, which the address has after `#`. */
function token() {
  const ofAddress = location.hash.slice(1);
  return /^[0-9a-f]{32}$/.test(ofAddress) ? ofAddress : remembered("token");
}

/** Returns a new token, with which the guest proves later that the seat is theirs. */
function newToken() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function remembered(what) {
  try { return localStorage.getItem(`${what} ${code}`); } catch { return null; }
}

function remember(what, value) {
  try {
    if (value === null) localStorage.removeItem(`${what} ${code}`);
    else localStorage.setItem(`${what} ${code}`, value);
  } catch { /* The browser stores nothing; the address has the token. */ }
}

function connect() {
  const address = new URL(`${code}/page`, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  socket = new WebSocket(address);
  let isGreeted = false;
  socket.onmessage = (message) => {
    receive(JSON.parse(message.data, (key, value) => typeof value === "string" && !["answer", "svg", "record"].includes(key) ? visible(value) : value));
    // After the first message about seats, returns to the seat of the token or offers the free seats.
    if (!isGreeted && live && seats.seats.length) {
      isGreeted = true;
      nFailed = 0;
      isReturning = token() !== null;
      if (isReturning) send({ do: "sit", seat: null, name: "", token: token(), isNew: false });
      else if (!isWatching) openLobby();
    }
  };
  socket.onclose = (event) => {
    const pause = PAUSES[Math.min(nFailed, PAUSES.length - 1)];
    nFailed += 1;
    const why = event.reason ? `The host has ended the connection: ${event.reason}.` : "The connection is lost.";
    notice(`${why} Connecting again in ${pause} s.`, true, true);
    setTimeout(connect, pause * 1000);
    show();
  };
  socket.onopen = () => notice("");
}

function send(request) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
}

function receive(news) {
  switch (news.news) {
    case "game":
      if (live?.at !== news.position.at) {
        abouts = {};
        if (!excursion) chosen = null;
      }
      [live, stops] = [news.position, news.stops];
      if (!news.isInExcursion) excursion = null;
      break;
    case "excursion":
      [excursion, chosen] = [news, null];
      break;
    case "seats":
      seats = news;
      break;
    case "seated":
      history.replaceState(null, "", `#${news.token}`);
      remember("token", news.token);
      isReturning = false;
      $("lobby").close();
      break;
    case "refused":
      notice(news.why, true);
      if (isReturning) forgetSeat();
      else if ($("lobby").open) remember("token", null);
      isReturning = false;
      break;
    case "undo":
      undo = news;
      break;
    case "undoEnded":
      if (undo && news.declinedBy) notice(`${news.declinedBy} declined the undo.`);
      undo = null;
      break;
    case "notice":
      notice(news.text);
      break;
    case "about":
      if (live?.at === news.at) abouts = news.lines;
      break;
    case "chat":
      chat = news.lines;
      break;
    case "said":
      chat = [...chat.slice(-49), news.line];
      if ($("side").hidden) {
        nUnread += 1;
        notice(`${news.line.name}: ${news.line.text}`);
      }
      break;
    case "clock":
      clock = { ...news, since: performance.now() };
      break;
    case "paused":
      pausedBy = news.by;
      break;
    case "pointed":
      showPointed(news.seat, news.spot);
      break;
    case "committed":
      fairness.hash = remembered("hash") || news.hash;
      fairness.hasChanged = fairness.hash !== news.hash;
      remember("hash", fairness.hash);
      break;
    case "playtest":
      playtest = news;
      break;
    case "revealed":
      record = news.record;
      break;
  }
  show();
}

function forgetSeat() {
  history.replaceState(null, "", location.pathname);
  remember("token", null);
  openLobby();
}

let noticeTimer = 0;
function notice(text, isBad = false, stays = false) {
  clearTimeout(noticeTimer);
  $("notice").textContent = text;
  $("notice").hidden = !text;
  $("notice").classList.toggle("bad", isBad);
  if (text && !stays) noticeTimer = setTimeout(() => { $("notice").hidden = true; }, 7000);
}

// The lobby

function openLobby() {
  if (!$("lobby").open) $("lobby").showModal();
  $("name").value = $("name").value || remembered("name") || "";
  $("name").focus();
  showLobby();
}

function showLobby() {
  if (!$("lobby").open || !game) return;
  const settings = game.settings.filter(([about]) => about).map(([about, value]) => `${about.replace(/\.$/, "")}: ${value}`);
  $("about").textContent = `Table ${code}: ${game.mods.join(", ")}.`;
  $("about").title = settings.join("\n");
  const wanted = document.querySelector("#seats input:checked")?.value;
  $("seats").replaceChildren(...game.players.map((player, i) => {
    const seat = seats.seats[i];
    const isFree = !seat.name;
    const state = seat.name ? ` (${seat.name}${seat.isHere ? "" : ", away"})` : seat.isBot ? " (a bot; take its place)" : " (free)";
    const swatch = make("span", { className: "swatch" });
    swatch.style.setProperty("--seat", player.colour);
    const input = make("input", { type: "radio", name: "seat", value: String(i), disabled: !isFree });
    return make("label", {}, input, swatch, `${player.name}${state}`);
  }));
  const inputs = [...document.querySelectorAll("#seats input")];
  const pick = inputs.find((input) => input.value === wanted && !input.disabled)
    || inputs.find((input) => !input.disabled && !seats.seats[input.value].isBot) || inputs.find((input) => !input.disabled);
  if (pick) pick.checked = true;
  $("sit").disabled = !pick;
}

$("lobby").addEventListener("cancel", (event) => { if (!game) event.preventDefault(); else isWatching = true; });
$("lobby").querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const seat = document.querySelector("#seats input:checked");
  if (!seat || !$("name").value.trim()) return;
  remember("name", $("name").value.trim());
  isWatching = false;
  // The page chooses the token and remembers it first, so that a lost connection cannot lose the seat.
  remember("token", newToken());
  send({ do: "sit", seat: Number(seat.value), name: $("name").value.trim(), token: remembered("token"), isNew: true });
});
$("watch").onclick = () => { isWatching = true; $("lobby").close(); show(); };

// The game

function show() {
  game = excursion ? excursion.position : live;
  if (!game) return;
  document.title = live.question ? "Your turn · Bastide" : "Bastide";
  // Draws a part again only if its content has changed, so that no button disappears while the guest presses it.
  redraw("players", [game.players, game.waits, game.pictures, seats, clock], showPlayers);
  redraw("excursion", [excursion, stops, live.question !== null], showExcursion);
  redraw("question", [game, seats, undo, chosen, abouts, playtest, pausedBy], showQuestion);
  // After the question, which takes its room from the board.
  showBoard();
  redraw("side", [game, seats, fairness, record, playtest, pausedBy], showLog);
  redraw("chat", [chat, nUnread, seats.own], showChat);
  redraw("playtest", [playtest, live.isOver, seats.own, isWatching, isReturning, $("lobby").open], showPlaytest);
  redraw("lobby", [game.players, game.mods, game.settings, seats, $("lobby").open], showLobby);
}

function symbolOf(player) {
  const symbol = shape("svg", { viewBox: "0 0 16 16", class: "symbol", "aria-hidden": "true" });
  symbol.append(shape("path", { d: player.symbol, fill: player.colour, stroke: "currentColor", "stroke-width": "1" }));
  return symbol;
}

function showPlayers() {
  const asked = game.waits.seat;
  $("players").replaceChildren(...game.players.map((player, i) => {
    const seat = seats.seats[i] || {};
    const isOwn = seats.own.includes(i);
    const state = [];
    if (isOwn) state.push("you");
    else if (seat.isBot) state.push("bot");
    else if (!seat.name) state.push("free seat");
    else if (!seat.isHere) state.push("away");
    for (const [name, n] of player.supply) if (n) state.push(n === 1 ? name : `${name} × ${n}`);
    for (const card of player.cards) state.push(card.split("/").pop().replace(/_/g, " "));
    if (player.nHidden) state.push(`${player.nHidden} hidden`);
    if (player.hasWon) state.unshift("winner");
    const item = make("li", { className: i === asked ? "asked" : "" },
      symbolOf(player),
      make("span", { className: "name", title: player.name }, seat.name ? `${seat.name}` : player.name),
      make("span", { className: "score" }, String(player.score)),
      ...(clock ? [make("span", { className: "time", title: "Time left" }, timeLeft(i))] : []),
      make("span", { className: "state", title: state.join(", ") }, state.join(" · ")));
    item.style.setProperty("--seat", player.colour);
    if (player.tiles.length) {
      item.append(make("span", { className: "hand" }, ...player.tiles.map((tile) => make("img", { src: tilePicture(tile), alt: "tile in hand" }))));
    }
    return item;
  }));
}

/** Returns the time that a seat has left, as `m:ss`. */
function timeLeft(seat) {
  const passed = clock.runs === seat ? performance.now() - clock.since : 0;
  const seconds = Math.max(0, Math.ceil((clock.left[seat] - passed) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

setInterval(() => {
  if (clock) document.querySelectorAll("#players .time").forEach((time, i) => { time.textContent = timeLeft(i); });
}, 500);

function waitsText() {
  const name = (seat) => seats.seats[seat]?.name || game.players[seat].name;
  switch (game.waits.for) {
    case "person": return seats.seats[game.waits.seat]?.name ? `${name(game.waits.seat)} is choosing.` : `Waiting for a guest to take the seat ${name(game.waits.seat)}.`;
    case "bot": return `${name(game.waits.seat)} (a bot) is choosing.`;
    case "chance": return "A tile is drawn.";
    case "mod": return "The game waits until the host repairs a mod.";
    default: {
      const winners = game.players.filter((player) => player.hasWon).map((player) => player.name);
      if (!winners.length) return "The game is over: nobody wins.";
      return winners.length === 1 ? `The game is over: ${winners[0]} wins.` : `The game is over: ${winners.join(" and ")} share the victory.`;
    }
  }
}

function answer(text) {
  if (excursion) send({ do: "try", answer: text });
  else send({ do: "answer", at: live.at, answer: text });
  chosen = null;
}

/** Returns whether no player can move in the position that the page shows. */
const isPaused = () => pausedBy !== null && !excursion && !game.isOver;

const pause = (isPaused) => send({ do: "pause", isPaused });

/** Returns the facings in which the drawn tile fits on a spot, as `[x, y, degrees, answer]`. */
const facingsAt = (x, y) => game.question.places.filter((place) => place[0] === x && place[1] === y);

function turnTile(by = 1) {
  if (!chosen || !game.question) return;
  const n = facingsAt(chosen.x, chosen.y).length;
  chosen.facing = (chosen.facing + by + n) % n;
  show();
}

function placeTile() {
  const place = chosen && game.question && facingsAt(chosen.x, chosen.y)[chosen.facing];
  if (place) answer(place[3]);
}

function choosePlace(x, y) {
  if (chosen && chosen.x === x && chosen.y === y) return turnTile();
  chosen = { x, y, facing: 0 };
  show();
}

function showQuestion() {
  const focused = document.activeElement?.dataset?.answer;
  const parts = [];
  if (undo) {
    const text = undo.asks ? `${undo.by} proposes to undo their last choice.` : `${undo.by} proposes to undo; waiting for the others.`;
    parts.push(make("p", { className: "text" }, text));
    if (undo.asks) {
      parts.push(make("div", { className: "options" },
        make("button", { type: "button", className: "main", onclick: () => send({ do: "agree", agrees: true }) }, "Agree"),
        make("button", { type: "button", onclick: () => send({ do: "agree", agrees: false }) }, "Decline")));
    }
  }
  const question = game.question;
  if (isPaused()) {
    parts.push(make("p", { className: "text" }, `${seats.seats[pausedBy]?.name || game.players[pausedBy].name} has paused the game.`));
    if (seats.own.length) parts.push(make("button", { type: "button", className: "main", onclick: () => pause(false) }, "Continue"));
  } else if (question) {
    if (question.tile !== null) parts.push(make("img", { className: "drawn", src: tilePicture(question.tile), alt: "The drawn tile" }));
    const text = make("p", { className: "text" }, question.text);
    const hint = question.places.length && !chosen ? "Choose a bright spot on the board." : question.askedBy;
    if (hint) text.append(make("small", {}, hint));
    parts.push(text);
    const options = make("div", { className: "options" });
    if (question.places.length) {
      const many = chosen ? facingsAt(chosen.x, chosen.y).length : 0;
      options.append(
        make("button", { type: "button", className: "main", disabled: !chosen, onclick: placeTile, title: "Enter" }, "Place"),
        make("button", { type: "button", disabled: many < 2, onclick: () => turnTile(), title: "R" }, "Turn"));
    }
    let n = 0;
    for (const option of question.options) {
      const button = make("button", { type: "button", onclick: () => answer(option.answer) });
      button.dataset.answer = option.answer;
      button.classList.toggle("pass", option.answer === "pass");
      if (option.at) button.append(make("span", { className: "number" }, String(n += 1)));
      if (option.tile !== null) button.append(make("img", { src: tilePicture(option.tile), alt: "" }));
      button.append(option.label);
      for (const line of [option.about, ...(!excursion && abouts[option.answer] || [])]) if (line) button.append(make("small", {}, line));
      options.append(button);
    }
    parts.push(options);
  } else {
    const text = make("p", { className: "text" }, waitsText());
    text.append(make("small", {}, game.isOver ? "" : `Turn ${game.turn} · ${game.nLeft} tiles left`));
    if (game.hand !== null) parts.push(make("img", { className: "drawn", src: tilePicture(game.hand), alt: "The drawn tile" }));
    parts.push(text);
    if (live.isOver && hasSurvey()) parts.push(make("button", { type: "button", className: "main", onclick: () => $("survey").showModal() }, "Answer the host’s questions"));
    if (!seats.own.length) parts.push(make("button", { type: "button", className: "main", onclick: () => { isWatching = false; openLobby(); } }, "Take a seat"));
  }
  for (const row of game.rows) {
    const cards = row.tiles.length ? row.tiles.map((tile) => make("img", { className: "drawn", src: tilePicture(tile), alt: "tile" })) : [row.names.map((name) => name.split("/").pop().replace(/_/g, " ")).join(", ")];
    parts.push(make("span", { title: `The open row of ${row.deck}` }, ...cards));
  }
  $("ask").replaceChildren(...parts);
  [$("ask").dataset.at, $("ask").dataset.waits] = [game.at, game.waits.for];
  if (focused) [...$("ask").querySelectorAll("button")].find((button) => button.dataset.answer === focused)?.focus();
}

// Excursions: positions that only this guest sees

/** The wanted position while requests must wait, because the host limits their rate. */
let wanted = null;
let looking = 0;

/** Requests a position, at most one in 130 ms. */
function lookAt(n) {
  wanted = n;
  if (looking) return;
  send({ do: "look", n });
  looking = setTimeout(() => {
    looking = 0;
    if (wanted !== n) lookAt(wanted);
  }, 130);
}

/** Goes `by` positions forward or back from the position that the page shows. */
function step(by) {
  const at = looking ? wanted : excursion ? excursion.n : live.n;
  const i = stops.findIndex((stop) => stop >= at);
  const to = stops[Math.min(Math.max(i + (excursion?.nTried && by < 0 ? 0 : by), 0), stops.length - 1)];
  lookAt(to);
}

function endExcursion() {
  send({ do: "return" });
  [excursion, chosen] = [null, null];
  show();
}

const toggleExcursion = () => { if (!live) return; if (excursion) endExcursion(); else lookAt(live.n); };

function showExcursion() {
  $("explore").setAttribute("aria-pressed", String(excursion !== null));
  $("excursion").hidden = !excursion;
  if (!excursion) return;
  const { n, nTried } = excursion;
  const i = stops.findIndex((stop) => stop >= n);
  const isAtEnd = n >= live.n;
  const where = isAtEnd ? "The current position" : `Position ${i + 1} of ${stops.length}`;
  const tried = nTried ? ` after ${nTried} tried ${nTried === 1 ? "choice" : "choices"}. Draws are other than in the game` : ". Try any choice";
  $("excursion-text").textContent = `${where}${tried}; only you see this.${live.question ? " It is your turn in the game." : ""}`;
  $("stop").max = String(stops.length - 1);
  if (document.activeElement !== $("stop") || !looking) $("stop").value = String(i);
  $("earlier").disabled = i === 0 && !nTried;
  $("later").disabled = isAtEnd;
  $("untry").hidden = !nTried;
  $("return").classList.toggle("main", live.question !== null);
}

$("explore").onclick = toggleExcursion;
$("return").onclick = endExcursion;
$("earlier").onclick = () => step(-1);
$("later").onclick = () => step(1);
$("untry").onclick = () => send({ do: "untry" });
$("stop").oninput = () => lookAt(stops[Number($("stop").value)]);

// The board

/** Shows the whole board, or the part with the marks of the question if they are close to each other. */
function fit() {
  const box = $("board").getBoundingClientRect();
  const marks = (game.question?.options || []).filter((option) => option.at).map((option) => option.at);
  const range = (axis) => [Math.min(...marks.map((at) => at[axis])) - 1.2, Math.max(...marks.map((at) => at[axis])) + 1.2];
  if (marks.length && !game.question.places.length) {
    const [[left, right], [top, bottom]] = [range(0), range(1)];
    if (right - left < 6 && bottom - top < 6) {
      // A tile is at most 220 pixels wide.
      const scale = Math.min(box.width / (right - left), box.height / (bottom - top), 220);
      view = { scale, x: (left + right) / 2, y: (top + bottom) / 2 };
      return;
    }
  }
  const xs = game.tiles.map((tile) => tile[1]);
  const ys = game.tiles.map((tile) => tile[2]);
  const places = game.question ? game.question.places : [];
  for (const [x, y] of places) { xs.push(x); ys.push(y); }
  if (!xs.length) { xs.push(0); ys.push(0); }
  const [x0, x1, y0, y1] = [Math.min(...xs) - 0.4, Math.max(...xs) + 1.4, Math.min(...ys) - 0.4, Math.max(...ys) + 1.4];
  // A tile is at most 150 pixels wide.
  const scale = Math.min(box.width / (x1 - x0), box.height / (y1 - y0), 150);
  view = { scale, x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
}

const svg = shape("svg", { role: "img", "aria-label": "The board" });
const tileLayer = shape("g", {});
const topLayer = shape("g", {});
const pointLayer = shape("g", {});
svg.append(tileLayer, topLayer, pointLayer);
$("board").append(svg);

function applyView() {
  const box = $("board").getBoundingClientRect();
  const [w, h] = [box.width / view.scale, box.height / view.scale];
  svg.setAttribute("viewBox", `${view.x - w / 2} ${view.y - h / 2} ${w} ${h}`);
}

function showBoard() {
  if (!view || !hasMoved) fit();
  applyView();
  redraw("tiles", [game.pictures, game.tiles], () => tileLayer.replaceChildren(...game.tiles.map(([tile, x, y, degrees]) =>
    shape("image", { href: tilePicture(tile, degrees), x, y, width: 1.004, height: 1.004 }))));
  redraw("marks", [game, chosen, isPaused()], showMarks);
}

function showMarks() {
  const top = [];
  const last = game.tiles[game.tiles.length - 1];
  if (last && game.tiles.length > 1) top.push(shape("rect", { class: "last", x: last[1] + 0.02, y: last[2] + 0.02, width: 0.96, height: 0.96, rx: 0.03 }));
  if (game.objects) {
    const { svg: picture, from, size } = game.objects;
    top.push(shape("image", { href: `data:image/svg+xml,${encodeURIComponent(picture)}`, x: from[0], y: from[1], width: size[0], height: size[1] }));
  }
  const question = isPaused() ? null : game.question;
  if (question) {
    const spots = new Map(question.places.map((place) => [`${place[0]},${place[1]}`, place]));
    for (const [x, y] of spots.values()) {
      const isChosen = chosen && chosen.x === x && chosen.y === y;
      if (isChosen) {
        const degrees = facingsAt(x, y)[chosen.facing][2];
        top.push(shape("image", { class: "ghost", href: tilePicture(question.tile, degrees), x, y, width: 1, height: 1 }));
      }
      const spot = shape("rect", { class: isChosen ? "spot chosen" : "spot", x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.06, tabindex: 0, role: "button", "data-spot": `${x},${y}` });
      spot.append(shape("title", {}, `Spot ${x},${y}`));
      onChoose(spot, () => choosePlace(x, y));
      top.push(spot);
    }
    top.push(...marks(question));
  }
  topLayer.replaceChildren(...top);
}

/** Returns a mark for each option that has a place on the board, with the number of its button. */
function marks(question) {
  const nAt = new Map();
  return question.options.filter((option) => option.at).map((option, i) => {
    const key = option.at.join();
    const n = nAt.get(key) || 0;
    nAt.set(key, n + 1);
    const [x, y] = [option.at[0] + 0.2 * n, option.at[1]];
    const mark = shape("g", { class: "mark", tabindex: 0, role: "button", "data-option": option.answer },
      shape("circle", { cx: x, cy: y, r: 0.125 }), shape("text", { x, y }, String(i + 1)), shape("title", {}, `${option.label}\n${option.about}`));
    onChoose(mark, () => answer(option.answer));
    return mark;
  });
}

/** Calls `choose` when the guest clicks an element without dragging, or presses Enter on it. */
function onChoose(element, choose) {
  element.addEventListener("click", () => { if (!dragged) choose(); });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); choose(); }
  });
}

const pointers = new Map();
let dragged = false;
const board = $("board");

function zoom(factor, clientX, clientY) {
  const box = board.getBoundingClientRect();
  const [dx, dy] = [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
  const scale = Math.min(Math.max(view.scale * factor, 12), 400);
  view.x += dx / view.scale - dx / scale;
  view.y += dy / view.scale - dy / scale;
  view.scale = scale;
  hasMoved = true;
  applyView();
}

board.addEventListener("pointerdown", (event) => {
  if (pointers.size === 0) dragged = false;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
});
window.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before || !view) return;
  const now = [event.clientX, event.clientY];
  if (pointers.size === 2) {
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const length = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
    zoom(length(now) / Math.max(length(before), 1), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    dragged = true;
  } else if (dragged || Math.hypot(now[0] - before[0], now[1] - before[1]) > 5) {
    view.x -= (now[0] - before[0]) / view.scale;
    view.y -= (now[1] - before[1]) / view.scale;
    dragged = hasMoved = true;
    applyView();
  } else {
    return;
  }
  pointers.set(event.pointerId, now);
});
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, (event) => pointers.delete(event.pointerId));
board.addEventListener("wheel", (event) => { event.preventDefault(); if (view) zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY); }, { passive: false });
window.addEventListener("resize", () => { if (game) showBoard(); });
$("fit").onclick = () => { hasMoved = false; if (game) showBoard(); };

window.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "r" || event.key === "R") turnTile(event.shiftKey ? -1 : 1);
  if (event.key === "Enter" && event.target.tagName !== "BUTTON") placeTile();
  if (event.key === "e" || event.key === "E") toggleExcursion();
  if (excursion && event.target !== $("stop")) {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
    if (event.key === "Backspace" && excursion.nTried) send({ do: "untry" });
  }
  if (event.key === "p" || event.key === "P") setPointing(!isPointing);
  if ((event.key === "n" || event.key === "N") && playtest?.agrees) {
    event.preventDefault();
    openNote();
  }
  if (event.key === "Escape") setPointing(false);
  if (event.key === "Escape" && chosen) { chosen = null; show(); }
});

// The log and the chat

$("more").onclick = () => {
  $("side").hidden = !$("side").hidden;
  $("more").setAttribute("aria-expanded", String(!$("side").hidden));
  nUnread = 0;
  if (game) show();
};

/** Shows the lines of the chat, newest last, and the number of unread lines on the button of the log. */
function showChat() {
  $("chat").replaceChildren(...chat.map((line) => make("li", {}, `${line.name}: ${line.text}`)));
  $("chat").scrollTop = $("chat").scrollHeight;
  $("more").textContent = nUnread ? `Log · ${nUnread}` : "Log";
  $("say").hidden = $("point").hidden = !seats.own.length;
}

$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  if ($("text").value.trim()) send({ do: "chat", text: $("text").value });
  $("text").value = "";
});

// Pointing

function setPointing(is) {
  isPointing = is && seats.own.length > 0;
  $("point").setAttribute("aria-pressed", String(isPointing));
  board.classList.toggle("pointing", isPointing);
}

$("point").onclick = () => setPointing(!isPointing);

// Runs before the spots and marks of the board receive the click.
board.addEventListener("click", (event) => {
  if (!isPointing || dragged) return;
  event.stopPropagation();
  const box = board.getBoundingClientRect();
  const x = Math.floor(view.x + (event.clientX - box.left - box.width / 2) / view.scale);
  const y = Math.floor(view.y + (event.clientY - box.top - box.height / 2) / view.scale);
  send({ do: "point", spot: [x, y] });
  setPointing(false);
}, true);

/** Shows for a few seconds that a player points at a spot. */
function showPointed(seat, spot) {
  clearTimeout(pointed.get(seat)?.timer);
  const timer = setTimeout(() => { pointed.delete(seat); showPoints(); }, 4000);
  pointed.set(seat, { spot, timer });
  showPoints();
}

function showPoints() {
  if (!game) return;
  pointLayer.replaceChildren(...[...pointed].map(([seat, { spot: [x, y] }]) => {
    const name = seats.seats[seat]?.name || game.players[seat].name;
    const box = { x: x + 0.02, y: y + 0.02, width: 0.96, height: 0.96, rx: 0.06 };
    const mark = shape("g", { class: "pointed" }, shape("rect", { ...box, class: "rim" }), shape("rect", box),
      shape("text", { x: x + 0.5, y: y + 0.56 }, name));
    mark.style.setProperty("--seat", game.players[seat].colour);
    return mark;
  }));
}

// The playtest

const hasSurvey = () => Boolean(playtest?.agrees && playtest.survey.length && !playtest.hasReplied);

/** Asks the guest once whether to take part, and shows the survey at the end of the game. */
function showPlaytest() {
  $("note").hidden = !playtest?.agrees;
  if (!playtest) return;
  const isHere = !$("lobby").open && !isReturning && (seats.own.length > 0 || isWatching);
  if (playtest.agrees === null && isHere) {
    // A spectator who connects again has been asked before.
    if (saidConsent !== null) send({ do: "consent", agrees: saidConsent });
    else if (!$("consent").open) $("consent").showModal();
  }
  redraw("survey", playtest.survey, showSurvey);
  if (live.isOver && hasSurvey() && !hasOfferedSurvey) {
    hasOfferedSurvey = true;
    $("survey").showModal();
  }
}

function consent(agrees) {
  saidConsent = agrees;
  send({ do: "consent", agrees });
  $("consent").close();
}

$("consent").addEventListener("cancel", (event) => event.preventDefault());
$("agree").onclick = () => consent(true);
$("decline").onclick = () => consent(false);

function openNote() {
  noteAt = live.n;
  const reasons = [...new Set(game.awards.slice().reverse().map((award) => award.reason))].slice(0, 5);
  const subjects = [["This moment", ""]];
  if (game.question) subjects.push([game.question.text, game.question.text]);
  for (const reason of reasons) subjects.push([`Points for ${reason}`, reason]);
  $("note-about").replaceChildren(...subjects.map(([label, value]) => make("option", { value }, label)));
  $("noting").showModal();
  $("note-text").focus();
}

$("note").onclick = openNote;
$("note-cancel").onclick = () => $("noting").close();
$("noting").querySelector("form").addEventListener("submit", () => {
  const text = $("note-text").value.trim();
  if (!text) return;
  send({ do: "note", n: noteAt, about: $("note-about").value || null, text });
  $("note-text").value = "";
  notice("Note sent to the host.");
});

function showSurvey() {
  $("questions").replaceChildren(...playtest.survey.map((question) => {
    const parts = [make("legend", {}, question.text)];
    const radio = (value) => make("label", {}, make("input", { type: "radio", name: question.id, value: String(value) }), String(value));
    if (question.type === "text") {
      parts.push(make("textarea", { name: question.id, maxLength: 500, rows: 3, "$aria-label": question.text }));
    } else if (question.type === "choice") {
      parts.push(make("div", { className: "choices" }, ...question.possible.map(radio)));
    } else {
      const [min, max] = question.possible;
      if (max - min > 10) parts.push(make("input", { type: "number", name: question.id, min: String(min), max: String(max) }));
      else parts.push(make("div", { className: "choices" }, ...Array.from({ length: max - min + 1 }, (_, i) => radio(min + i))));
    }
    return make("fieldset", {}, ...parts);
  }));
}

$("survey-later").onclick = () => $("survey").close();
$("survey").querySelector("form").addEventListener("submit", (event) => {
  const replies = [...new FormData(event.target)].filter(([, value]) => value.trim()).map(([id, value]) => [id, value.trim()]);
  if (replies.length) send({ do: "reply", replies });
});

/** Returns an award of the log. A click opens its explanation and, in a playtest, the thumbs. */
function awardItem(it) {
  const text = `${seats.seats[it.seat]?.name || it.name}: ${it.points} ${Math.abs(it.points) === 1 ? "point" : "points"} for ${it.reason}`;
  if (!it.lines.length) return make("li", {}, text);
  const key = JSON.stringify([it.seat, it.points, it.rule, it.lines]);
  const details = make("details", { open: openAwards.has(key) }, make("summary", {}, text), ...it.lines.map((line) => make("p", {}, line)));
  details.ontoggle = () => { if (details.open) openAwards.add(key); else openAwards.delete(key); };
  if (playtest?.agrees) details.append(thumbs(it));
  return make("li", {}, details);
}

/** A thumb up as an SVG path in a square of 24 units, because some systems have no font with this sign. */
const THUMB = "M2 10h4v11H2zM8 21V10l4-8c1.7 0 2.6 1.2 2.2 2.8L13.4 9H20c1.3 0 2.2 1.2 1.9 2.4l-2 8c-.2.9-1 1.6-2 1.6z";

/** Returns the two buttons with which a guest says whether the explanation of a rule is clear. */
function thumbs({ rule, reason }) {
  const said = playtest.thumbs.find(([known]) => known === rule)?.[1];
  const thumb = (up, label) => make("button", {
    type: "button", title: label, "$aria-label": `${label}: ${reason}`, "$aria-pressed": String(said === up),
    onclick: () => send({ do: "thumb", rule, up }),
  }, shape("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
    shape("path", { d: THUMB, fill: "currentColor", transform: up ? "" : "rotate(180 12 12)" })));
  return make("p", { className: "thumbs" }, "Is this clear?", thumb(true, "Clear"), thumb(false, "Unclear"));
}

/** Returns what the log says about the playtest. */
function playtestParts() {
  if (!playtest) return [];
  const parts = [make("h2", {}, "Playtest")];
  if (playtest.agrees) {
    parts.push(make("p", {}, "The host collects your notes (N), times, thumbs and answers."),
      make("p", { className: "row" }, make("button", { type: "button", onclick: () => consent(false) }, "Stop and delete mine")));
  } else {
    parts.push(make("p", {}, "The host collects nothing from you."),
      make("p", { className: "row" }, make("button", { type: "button", onclick: () => consent(true) }, "Take part")));
  }
  return parts;
}

// The table

/** Returns the hash of the seed and, when the game is over, the button that saves the record. */
function fairnessParts() {
  if (!fairness.hash) return [];
  const parts = [make("h2", {}, "Fair draws"), make("p", { className: "hash" }, fairness.hash)];
  if (fairness.hasChanged) parts.push(make("p", { className: "bad" }, "The host now shows another hash: the draws may be unfair."));
  if (record) {
    const file = `${code}.game`;
    const save = () => {
      const link = make("a", { href: URL.createObjectURL(new Blob([record], { type: "text/plain" })), download: file });
      link.click();
      URL.revokeObjectURL(link.href);
    };
    parts.push(make("p", { className: "row" }, make("button", { type: "button", id: "save", onclick: save }, "Save the game")),
      make("p", {}, `bastide replay ${file} --fair followed by the hash above checks every draw.`));
  } else {
    parts.push(make("p", {}, "All draws follow from a secret number, which has this hash. When the game is over, you can save the game and check the draws."));
  }
  return parts;
}

function showLog() {
  const own = seats.own[0];
  const parts = [make("h2", {}, "Points")];
  parts.push(game.awards.length ? make("ul", {}, ...game.awards.slice().reverse().map(awardItem)) : make("p", {}, "No points yet."));
  if (game.notes.length) parts.push(make("h2", {}, "Notes"), make("ul", {}, ...game.notes.slice().reverse().map((note) => make("li", {}, note))));
  parts.push(make("h2", {}, `Table ${code}`), make("p", {}, `${game.mods.join(", ")}. ${seats.nSpectators} watching.`));
  parts.push(...playtestParts());
  parts.push(...fairnessParts());
  const row = make("p", { className: "row" });
  if (own !== undefined) {
    const isBot = seats.seats[own].isBot;
    row.append(
      make("button", { type: "button", onclick: () => send({ do: "undo", at: live.at }) }, "Propose to undo"),
      make("button", { type: "button", onclick: () => pause(pausedBy === null) }, pausedBy === null ? "Pause the game" : "Continue the game"),
      make("button", { type: "button", onclick: () => send({ do: "bot", seat: own, bot: isBot ? null : "greedy" }) }, isBot ? "Play myself again" : "Let a bot play for me"),
      make("button", { type: "button", onclick: () => { send({ do: "stand" }); forgetSeat(); } }, "Give up my seat"));
  } else {
    row.append(make("button", { type: "button", onclick: () => { isWatching = false; openLobby(); } }, "Take a seat"));
  }
  parts.push(row);
  if (own !== undefined) parts.push(make("p", {}, "The address of this page brings you back to your seat, also on another device. Keep it to yourself."));
  $("log").replaceChildren(...parts);
}

connect();
