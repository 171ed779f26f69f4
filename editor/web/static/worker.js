// A worker of the page: the same program without a window. It runs long jobs, so that frames do not
// wait for them.

import init, { work } from "./bastide.js";

// Without this line, the page would not learn of an error.
addEventListener("unhandledrejection", ({ reason }) => reportError(reason));

let ready;

addEventListener("message", async ({ data: { module, job } }) => {
  ready ??= init({ module_or_path: module });
  await ready;
  work(job, (event) => postMessage(event, [event.buffer]));
  postMessage(null);
});
