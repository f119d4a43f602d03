// A page that is served asks its server whether the program was traced again.

import { checkDocument } from "./document.ts";
import type { PageDocument } from "./types.ts";

/** Milliseconds between two questions. */
const EVERY = 500;

interface Version {
  version: number;
  error: string | null;
}

function isVersion(value: unknown): value is Version {
  return typeof value === "object" && value !== null && "version" in value && typeof value.version === "number";
}

/**
 * Shows each newer page, and says what is wrong: the program's error, or that nobody serves the page any more.
 */
export function follow(show: (page: PageDocument) => void, say: (text: string | null) => void): void {
  let shown: number | null = null;
  const ask = async (): Promise<void> => {
    try {
      const now: unknown = await (await fetch("version", { cache: "no-store" })).json();
      if (!isVersion(now)) throw new Error("The server answers something else.");
      say(now.error);
      if (shown !== null && now.version !== shown && now.error === null) {
        show(checkDocument(await (await fetch("data", { cache: "no-store" })).json()));
      }
      shown = now.version;
    } catch {
      say("The page is not served any more. It stays as it is.");
    }
    setTimeout(() => void ask(), EVERY);
  };
  void ask();
}
