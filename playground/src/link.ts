// A program in the fragment of the address: JSON, deflated, in base64url. Fragments are never sent to a server.

import type { FileText, Fold, GivenValue } from "./module.ts";

/** What a link holds. Members that say nothing are left out. */
export interface Shared {
  readonly source: string;
  readonly stdin: string;
  readonly arguments: string;
  readonly inject: boolean;
  readonly fold: Fold;
  /** Files beside the program. */
  readonly files: readonly FileText[];
  /** Values in place of made up ones. */
  readonly given: readonly GivenValue[];
}

interface Packed {
  readonly s: string;
  readonly i?: string;
  readonly a?: string;
  readonly m?: 1;
  /** What the network is asked, where it is: calls, or all. */
  readonly n?: "operators" | "nothing";
  /** Paths and texts. */
  readonly f?: readonly (readonly [string, string])[];
  /** Lines, kinds, what is missed there, and the values in its place. */
  readonly g?: readonly (readonly [number, string, string, string])[];
}

/** Most characters of an unpacked link. */
const MOST = 1_000_000;

function isPacked(value: unknown): value is Packed {
  if (typeof value !== "object" || value === null) return false;
  const { s, i, a, f, g } = value as Record<string, unknown>;
  const isFile = (one: unknown): boolean => Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === "string");
  const areFiles = f === undefined || (Array.isArray(f) && f.every(isFile));
  const isGiven = (one: unknown): boolean => {
    if (!Array.isArray(one) || one.length !== 4) return false;
    const [line, ...texts] = one as unknown[];
    return Number.isSafeInteger(line) && texts.every((text) => typeof text === "string");
  };
  const areGiven = g === undefined || (Array.isArray(g) && g.every(isGiven));
  return typeof s === "string" && areFiles && areGiven && [i, a].every((text) => text === undefined || typeof text === "string");
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST) throw new Error("The program of this link is too large.");
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function through(bytes: Uint8Array<ArrayBuffer>, by: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array> {
  return bytesOf(new Blob([bytes]).stream().pipeThrough(by));
}

export async function packed(shared: Shared): Promise<string> {
  const { source, stdin, arguments: words, inject, fold, files, given } = shared;
  const value: Packed = {
    s: source,
    ...(stdin === "" ? {} : { i: stdin }),
    ...(words === "" ? {} : { a: words }),
    ...(inject ? { m: 1 } : {}),
    ...(fold === "methods" ? {} : { n: fold }),
    ...(files.length === 0 ? {} : { f: files.map(({ path, text }) => [path, text] as const) }),
    ...(given.length === 0 ? {} : { g: given.map(({ line, kind, what, value }) => [line, kind, what, value] as const) }),
  };
  const text = new TextEncoder().encode(JSON.stringify(value));
  const bytes = await through(text, new CompressionStream("deflate-raw"));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpacked(text: string): Promise<Shared> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const json = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  const value: unknown = JSON.parse(json);
  if (!isPacked(value)) throw new Error("This link holds no program.");
  const files = (value.f ?? []).map(([path, text]) => ({ path, text }));
  const fold = value.n === "operators" || value.n === "nothing" ? value.n : "methods";
  const given = (value.g ?? []).map(([line, kind, what, value]) => ({ line, kind, what, value }));
  return { source: value.s, stdin: value.i ?? "", arguments: value.a ?? "", inject: value.m === 1, fold, files, given };
}

/** The program of a fragment, or null where it has none. */
export async function sharedOf(hash: string): Promise<Shared | null> {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get("p");
  if (text === null) return null;
  try {
    return await unpacked(text);
  } catch (error) {
    throw new Error("The program of this link cannot be read.", { cause: error });
  }
}

/** The address of this page with a program in it. */
export async function linkTo(shared: Shared): Promise<string> {
  return `${location.href.replace(/#.*$/s, "")}#p=${await packed(shared)}`;
}
