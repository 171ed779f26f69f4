// A worker of the page: the same program once more, without a window, so that no frame waits for what takes long.

import init, { work } from "./bastide.js";

let ready;

addEventListener("message", async ({ data: { module, job } }) => {
  ready ??= init({ module_or_path: module });
  await ready;
  postMessage("");
  work(job, (said) => postMessage(said));
  postMessage(null);
});
