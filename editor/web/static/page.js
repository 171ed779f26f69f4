// The page: reads what it has, and opens the window.

import init, { follow, open, state, state_hash_of as hashOf } from "./bastide.js";
import { openStore } from "./store.js";

/** Puts a file among the downloads. */
function hand_over(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const said = document.getElementById("said");

function fail(why) {
  said.textContent = `Bastide cannot go on: ${why}. What was kept in this browser is there still; load the page again.`;
  said.className = "bad";
}

/** Shows what a link holds. It is taken out of the address, so that loading the page again goes on with the game. */
function followHash() {
  const link = location.hash.slice(1);
  if (!link) return;
  history.replaceState(null, "", location.pathname + location.search);
  follow(link);
}

async function text(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} is missing (${answer.status})`);
  return answer.text();
}

async function main() {
  const [mods, store] = await Promise.all([text("mods.json"), openStore(), init({ module_or_path: new URL("bastide_bg.wasm", import.meta.url) })]);
  const kept = await store.read();
  const host = { keep: store.keep, hand_over, fail };
  // For whoever works on the page, or tests it: what is seen, as an object.
  window.bastide = { state: () => JSON.parse(state() || "null"), hashOf };
  const canvas = document.getElementById("window");
  await open(canvas, host, mods, kept, location.href.split("#")[0]);
  canvas.focus();
  followHash();
  addEventListener("hashchange", followHash);
  said.textContent = "";
}

// Not every place has it: a page from a disk, an old browser.
navigator.serviceWorker?.register("offline.js").catch(() => {});

main().catch((error) => fail(error?.message ?? error));
