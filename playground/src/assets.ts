// The compiled modules, the weights of the network, and the code of the worker: files beside the page, or blocks in a page
// that is one file.

const WORKER_ID = "codexec-worker";

function block(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

/** Undo base64 and gzip. */
function unpacked(base64: string): ReadableStream<Uint8Array> {
  const packed = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
}

async function bytesOf(file: string): Promise<ArrayBuffer> {
  const inlined = block(`codexec-${file}`);
  if (inlined !== null) return new Response(unpacked(inlined)).arrayBuffer();
  if (block(WORKER_ID) !== null) throw new Error(`this page is one file, without ${file}`);
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file} cannot be loaded (${answer.status})`);
  return answer.arrayBuffer();
}

const modules = new Map<string, Promise<WebAssembly.Module>>();

/** The module of a name, which is loaded once. */
export function compiled(name: "planner" | "checker"): Promise<WebAssembly.Module> {
  const known = modules.get(name);
  if (known !== undefined) return known;
  // A server may not know the type of the file, which streaming insists on.
  const module = bytesOf(`${name}.wasm`).then((bytes) => WebAssembly.compile(bytes));
  modules.set(name, module);
  module.catch(() => modules.delete(name));
  return module;
}

/** The weights of the network that answers what is not computed. */
export function weights(): Promise<ArrayBuffer> {
  return bytesOf("steps.safetensors");
}

/** Whether the page has a file, or can ask for it. */
export function has(file: string): boolean {
  return block(WORKER_ID) === null || block(`codexec-${file}`) !== null;
}

export function startWorker(): Worker {
  const inlined = block(WORKER_ID);
  if (inlined === null) return new Worker("worker.js");
  const address = URL.createObjectURL(new Blob([inlined], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}
