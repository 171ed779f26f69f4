// The page: reads its files and the stored ones, and opens the window.

import init, { follow, open, state, state_hash_of as hashOf, frame_cost as frameCost } from "./bastide.js";
import { compiled, text } from "./program.js";
import { openStore } from "./store.js";

/** Offers a file as a download. */
function hand_over(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Returns a function that starts a job in a worker. All workers share the compiled `module`, and an
 * idle worker is used again for the next job.
 */
function workersWith(module) {
  let idle = null;
  return function work(job, hear) {
    const worker = idle ?? new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    idle = null;
    let isDone = false;
    const end = () => {
      if (isDone) return;
      isDone = true;
      worker.terminate();
    };
    worker.onmessage = ({ data }) => {
      if (isDone) return;
      if (data) return hear(data);
      isDone = true;
      if (idle) worker.terminate();
      else idle = worker;
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (isDone) return;
      end();
      hear(undefined, event.message ?? "the worker of the page cannot be loaded");
    };
    worker.postMessage({ module, job });
    return end;
  };
}

const said = document.getElementById("said");

function fail(why) {
  said.textContent = `Bastide has stopped: ${why}. Your saved work is still in this browser. `;
  said.className = "bad";
  const again = document.createElement("button");
  again.textContent = "Reload the page";
  again.addEventListener("click", () => location.reload());
  said.append(again);
}

// A panic ends the program, because a browser cannot catch it.
addEventListener("error", ({ error }) => {
  if (error instanceof WebAssembly.RuntimeError) fail(`internal error (${error.message})`);
});

/**
 * Shows the contents of the link in the address. Removes the link from the address, so that
 * reloading the page continues the game.
 */
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
  // For developers and tests of the page. `state()` returns the visible state as an object.
  window.bastide = { state: () => JSON.parse(state() || "null"), hashOf, frameCost };
  const canvas = document.getElementById("window");
  const wishes = ["(pointer: coarse)", "(prefers-reduced-motion: reduce)"].map((query) => matchMedia(query).matches);
  await open(canvas, host, mods, kept, location.href.split("#")[0], ...wishes);
  canvas.focus();
  followHash();
  addEventListener("hashchange", followHash);
  said.textContent = "";
}

// Pages opened from a disk and old browsers have no service worker.
navigator.serviceWorker?.register("offline.js").catch(() => {});

main().catch((error) => fail(error?.message ?? error));
