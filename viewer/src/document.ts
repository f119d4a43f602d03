// Reads the page document out of the data block: gzip in base64, or plain JSON.

import type { PageDocument } from "./types.ts";

export const DATA_ID = "codexec-data";

/** The bytes of base64: browsers of 2025 do it by themselves. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const own = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (own.fromBase64 !== undefined) return own.fromBase64(base64);
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Undo base64 and gzip. */
export async function unpack(base64: string): Promise<string> {
  const packed = bytesOf(base64.trim());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Check what the page relies on. Throws with a message for people. */
export function checkDocument(value: unknown): PageDocument {
  if (typeof value !== "object" || value === null) throw new Error("The data of this page is no object.");
  const page = value as Partial<PageDocument>;
  if (page.version !== 1) {
    throw new Error(`The data of this page has version ${String(page.version)}. This page reads version 1.`);
  }
  if (!Array.isArray(page.tabs)) throw new Error("The data of this page has no list of traces.");
  if (page.tabs.length === 0 && (page.sections ?? []).length === 0) throw new Error("This page has no trace.");
  for (const tab of page.tabs) {
    const version = tab.trace?.version;
    if (![1, 2, 3].includes(version)) {
      throw new Error(`A trace has version ${String(version)}. This page reads versions 1 to 3.`);
    }
  }
  return page as PageDocument;
}

/** The document in this page, or null where the page was not filled. */
export async function readDocument(root: Document): Promise<PageDocument | null> {
  const block = root.getElementById(DATA_ID);
  if (block === null) return null;
  const content = block.textContent ?? "";
  const packed = block.getAttribute("type") === "application/json+gzip";
  return checkDocument(JSON.parse(packed ? await unpack(content) : content));
}
