// The files of a visitor, in the browser's own storage: one entry for each file that was changed, so that a save is whole or not at all.

const STORE = "files";

/** Opens the storage; where there is none, files last as long as the page. */
export async function openStore() {
  try {
    const database = await wished(Object.assign(indexedDB.open("bastide", 1), {
      onupgradeneeded() { this.result.createObjectStore(STORE); },
    }));
    return { read: () => read(database), keep: (changes) => keep(database, changes) };
  } catch (error) {
    const why = `it gives the page no storage, as in a private window (${error?.message ?? error})`;
    return { read: async () => [], keep: () => Promise.reject(why) };
  }
}

const wished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function read(database) {
  const store = database.transaction(STORE).objectStore(STORE);
  const [paths, files] = await Promise.all([wished(store.getAllKeys()), wished(store.getAll())]);
  return paths.map((path, i) => [path, files[i].bytes, files[i].time]);
}

/** Keeps all of these files or none: path, bytes (null where the file is gone), time. */
function keep(database, changes) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(STORE);
    for (const [path, bytes, time] of changes) store.put({ bytes, time }, path);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(sentence(transaction.error));
  });
}

function sentence(error) {
  return error?.name === "QuotaExceededError" ? "its storage is full" : String(error?.message ?? error ?? "the browser does not say why");
}
