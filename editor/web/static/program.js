// Loads the files of the pages: the program, compiled, and texts.

/** Returns the content of a file of the page. */
export async function text(name) {
  return (await found(name)).text();
}

/** Returns the compiled program. */
export async function compiled() {
  const answer = await found("bastide_bg.wasm");
  const isNamed = answer.headers.get("Content-Type") === "application/wasm";
  return isNamed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

async function found(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} is missing (${answer.status})`);
  return answer;
}
