// A page that is served asks its server whether the program was traced again, and has it traced with other values.

import { checkDocument } from "./document.ts";
import type { Edit, PageDocument } from "./types.ts";

/** Milliseconds between two questions. */
const EVERY = 500;
const GONE = "The page is not served any more. It stays as it is.";

interface Version {
  version: number;
  error: string | null;
}

/** Has the program traced with these values in place of made up ones. What is wrong with them, or null. */
export type Give = (edits: readonly Edit[]) => Promise<string | null>;

function isVersion(value: unknown): value is Version {
  return typeof value === "object" && value !== null && "version" in value && typeof value.version === "number";
}

function errorOf(value: unknown): string {
  const error = typeof value === "object" && value !== null && "error" in value ? value.error : null;
  return typeof error === "string" ? error : "The server answers something else.";
}

/**
 * Shows each newer page, and says what is wrong: the program's error, or that nobody serves the page any more.
 */
export function follow(show: (page: PageDocument) => void, say: (text: string | null) => void): Give {
  let shown: number | null = null;
  const load = async (version: number): Promise<void> => {
    const page = checkDocument(await (await fetch("data", { cache: "no-store" })).json());
    if (shown !== null && version < shown) return;
    shown = version;
    show(page);
  };
  const ask = async (): Promise<void> => {
    try {
      const now: unknown = await (await fetch("version", { cache: "no-store" })).json();
      if (!isVersion(now)) throw new Error("The server answers something else.");
      say(now.error);
      if (shown !== null && now.version > shown && now.error === null) await load(now.version);
      else shown = Math.max(shown ?? 0, now.version);
    } catch {
      say(GONE);
    }
    setTimeout(() => void ask(), EVERY);
  };
  void ask();
  return async (edits) => {
    const body = JSON.stringify(edits.map(({ line, kind, what, value }) => ({ line, kind, what, value })));
    try {
      const answer = await fetch("given", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const now: unknown = await answer.json();
      if (!answer.ok || !isVersion(now)) return errorOf(now);
      await load(now.version);
      return null;
    } catch {
      return GONE;
    }
  };
}
