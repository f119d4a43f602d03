// The compiled module and the code of the worker: files beside the page, or blocks in a page that is one file.

const MODULE_ID = "codexec-module";
const WORKER_ID = "codexec-worker";

function block(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

/** Undo base64 and gzip. */
function unpacked(base64: string): ReadableStream<Uint8Array> {
  const packed = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}

export async function compiled(): Promise<WebAssembly.Module> {
  const inlined = block(MODULE_ID);
  if (inlined !== null) return WebAssembly.compile(await new Response(unpacked(inlined)).arrayBuffer());
  const answer = await fetch("planner.wasm");
  if (!answer.ok) throw new Error(`planner.wasm cannot be loaded (${answer.status})`);
  // A server may not know the type of the file, which streaming insists on.
  return WebAssembly.compile(await answer.arrayBuffer());
}

export function startWorker(): Worker {
  const inlined = block(WORKER_ID);
  if (inlined === null) return new Worker("worker.js");
  const address = URL.createObjectURL(new Blob([inlined], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}
