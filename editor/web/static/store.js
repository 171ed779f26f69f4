// The files of a visitor, in the browser's own storage: one entry for each file that was changed, so that a save is whole or not at all.

const STORE = "files";

/** Opens the storage. Where there is none, or another tab has it, files last as long as the page, and each attempt to keep them says why. */
export async function openStore() {
  const without = (why) => ({ read: async () => [], keep: () => Promise.reject(why) });
  try {
    const database = await wished(Object.assign(indexedDB.open("bastide", 1), {
      onupgradeneeded() { this.result.createObjectStore(STORE); },
    }));
    const read = () => readAll(database);
    if (!(await isOnlyTab())) {
      const why = "another tab of this browser has Bastide open; close one of them and load the other again";
      return { ...without(why), read };
    }
    return { read, keep: (changes) => keep(database, changes) };
  } catch (error) {
    return without(`it gives the page no storage, as in a private window (${error?.message ?? error})`);
  }
}

/** Whether no other tab has the files: two that write the same ones would undo what the other has done. */
async function isOnlyTab() {
  if (!navigator.locks) return true;
  // A page that is loaded again may have to wait a moment for itself to be gone.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const has = await new Promise((resolve) => {
      navigator.locks.request("bastide", { ifAvailable: true }, (lock) => {
        resolve(Boolean(lock));
        // It is held as long as the page is there.
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

/** Keeps all of these files or none: path, bytes (null where the file is gone), time. */
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
  return isFull ? "its storage is full" : String(error?.message ?? error ?? "the browser does not say why");
}
