// Keeps the page for times without a network: what the network gives is newer, so it is asked first.

const CACHE = "bastide";
const FILES = ["./", "page.js", "program.js", "worker.js", "store.js", "page.css", "board.html", "board.js", "board.css", "icon.svg", "bastide.js", "bastide_bg.wasm", "mods.json"];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const found = await fetch(request);
    // What stands behind a `?` makes no other file: each would be kept for ever.
    const { origin, pathname } = new URL(request.url);
    if (found.ok && origin === location.origin) await cache.put(origin + pathname, found.clone());
    return found;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
