// The page: reads what it has, and opens the window.

import init, { follow, open, state, state_hash_of as hashOf, frame_cost as frameCost } from "./bastide.js";
import { compiled, text } from "./program.js";
import { openStore } from "./store.js";

/** Puts a file among the downloads. */
function hand_over(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Has workers do jobs. The program is compiled once; a worker that is done is kept for the next job. */
function workersWith(module) {
  let idle = null;
  let works = typeof Worker === "function";
  return function work(job, hear) {
    if (!works) return undefined;
    const worker = idle ?? new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    idle = null;
    let [isReady, isDone] = [false, false];
    const end = () => {
      if (isDone) return;
      isDone = true;
      worker.terminate();
    };
    worker.onmessage = ({ data }) => {
      if (isDone) return;
      if (data) return hear(data);
      if (data === "") return void (isReady = true);
      isDone = true;
      if (idle) worker.terminate();
      else idle = worker;
      hear(undefined);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // One that does not even begin will not the next time either: what takes long is done by the page then.
      works &&= isReady;
      if (isDone) return;
      end();
      hear(undefined, isReady ? event.message : undefined);
    };
    worker.postMessage({ module, job });
    return end;
  };
}

const said = document.getElementById("said");

function fail(why) {
  said.textContent = `Bastide cannot go on: ${why}. What was kept in this browser is there still. `;
  said.className = "bad";
  const again = document.createElement("button");
  again.textContent = "Load the page again";
  again.addEventListener("click", () => location.reload());
  said.append(again);
}

// A panic of the program ends it: a browser has nothing that catches one.
addEventListener("error", ({ error }) => {
  if (error instanceof WebAssembly.RuntimeError) fail(`internal error (${error.message})`);
});

/** Shows what a link holds. It is taken out of the address, so that loading the page again goes on with the game. */
function followHash() {
  const link = location.hash.slice(1);
  if (!link) return;
  history.replaceState(null, "", location.pathname + location.search);
  follow(link);
}

async function main() {
  const [mods, store, module] = await Promise.all([text("mods.json"), openStore(), compiled()]);
  await init({ module_or_path: module });
  const kept = await store.read();
  const host = { keep: store.keep, hand_over, fail, work: workersWith(module) };
  // For whoever works on the page, or tests it: what is seen, as an object.
  window.bastide = { state: () => JSON.parse(state() || "null"), hashOf, frameCost };
  const canvas = document.getElementById("window");
  await open(canvas, host, mods, kept, location.href.split("#")[0], matchMedia("(pointer: coarse)").matches);
  canvas.focus();
  followHash();
  addEventListener("hashchange", followHash);
  said.textContent = "";
}

// Not every place has it: a page from a disk, an old browser.
navigator.serviceWorker?.register("offline.js").catch(() => {});

main().catch((error) => fail(error?.message ?? error));
