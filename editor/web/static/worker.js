// A worker of the page: the same program without a window. It runs long jobs, so that frames do not
// wait for them.

import init, { work } from "./bastide.js";

let ready;

addEventListener("message", async ({ data: { module, job } }) => {
  ready ??= init({ module_or_path: module });
  await ready;
  postMessage("");
  work(job, (said) => postMessage(said));
  postMessage(null);
});
