// Shows the board of a link, read-only. The text after the `#` is a link copied from the window.

import init, { Board, mods_of_link as modsOf } from "./bastide.js";
import { compiled, text } from "./program.js";

const at = (id) => document.getElementById(id);
const [picture, said, turn] = [at("board"), at("said"), at("turn")];

function fail(error) {
  said.textContent = `This board cannot be shown: ${error?.message ?? error}.`;
}

function show(board) {
  const bytes = board.png(Number(turn.value));
  URL.revokeObjectURL(picture.src);
  picture.src = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
  picture.alt = `The board after turn ${turn.value}: ${board.scores()}`;
  at("shown").textContent = `${turn.value} / ${turn.max}`;
}

/** If the link contains mods, waits for the visitor's consent: their scripts run in the page. */
function agreed(mods) {
  if (mods.length === 0) return Promise.resolve();
  said.textContent = `The link contains mods: ${mods.join(", ")}. Their scripts run in this page and cannot reach anything outside it.`;
  at("agree").hidden = false;
  return new Promise((resolve) => at("agree").addEventListener("click", resolve, { once: true }));
}

async function main() {
  const link = location.hash.slice(1);
  const [mods, module] = await Promise.all([text("mods.json"), compiled()]);
  await init({ module_or_path: module });
  await agreed(modsOf(link));
  at("agree").hidden = true;
  const board = Board.open(mods, link);
  turn.max = turn.value = board.n_turns();
  const step = (by) => { turn.value = Number(turn.value) + by; show(board); };
  turn.addEventListener("input", () => show(board));
  at("before").addEventListener("click", () => step(-1));
  at("after").addEventListener("click", () => step(1));
  at("play").href = `./#${link}`;
  show(board);
  said.textContent = "";
  picture.hidden = at("turns").hidden = false;
}

addEventListener("hashchange", () => location.reload());

main().catch(fail);
