// Caches the page for use without a network. Asks the network first, because its files are newer.

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
    // Ignores the text after a `?`: otherwise each variant would stay in the cache forever.
    const { origin, pathname } = new URL(request.url);
    if (found.ok && origin === location.origin) await cache.put(origin + pathname, found.clone());
    return found;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
