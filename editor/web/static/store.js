// The files of a visitor in the browser's storage, one entry for each changed file. A transaction
// stores all changes of a save or none.

const STORE = "files";

/**
 * Opens the storage. If there is none, or another tab uses it, files last only as long as the page,
 * and every attempt to store them fails with the reason.
 */
export async function openStore() {
  const without = (why) => ({ read: async () => [], keep: () => Promise.reject(why) });
  try {
    const database = await wished(Object.assign(indexedDB.open("bastide", 1), {
      onupgradeneeded() { this.result.createObjectStore(STORE); },
    }));
    const read = () => readAll(database);
    if (!(await isOnlyTab())) {
      const why = "another tab of this browser has Bastide open; close one of them and reload the other";
      return { ...without(why), read };
    }
    return { read, keep: (changes) => keep(database, changes) };
  } catch (error) {
    return without(`the browser gives the page no storage, as in a private window (${error?.message ?? error})`);
  }
}

/** Returns true if no other tab uses the files. Two tabs would overwrite each other's changes. */
async function isOnlyTab() {
  if (!navigator.locks) return true;
  // After a reload, the previous page may hold the lock for another moment.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const has = await new Promise((resolve) => {
      navigator.locks.request("bastide", { ifAvailable: true }, (lock) => {
        resolve(Boolean(lock));
        // A promise that never resolves holds the lock until the page closes.
        return lock && new Promise(() => {});
      });
    });
    if (has) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

const wished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function readAll(database) {
  const store = database.transaction(STORE).objectStore(STORE);
  const [paths, files] = await Promise.all([wished(store.getAllKeys()), wished(store.getAll())]);
  return paths.map((path, i) => [path, files[i].bytes, files[i].time]);
}

/** Stores all changes or none. Each is a path, bytes (null if the file was removed) and a time. */
function keep(database, changes) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(sentence(transaction.error));
    const store = transaction.objectStore(STORE);
    try {
      for (const [path, bytes, time] of changes) store.put({ bytes, time }, path);
    } catch (error) {
      transaction.abort();
      reject(sentence(error));
    }
  });
}

function sentence(error) {
  const isFull = error?.name === "QuotaExceededError";
  return isFull ? "the storage of the browser is full" : String(error?.message ?? error ?? "the browser does not say why");
}
