// Starts the page with the program of its link, or with the first example.

import { render } from "preact";
import { initialTheme } from "../../viewer/src/theme.ts";
import { EXAMPLES } from "./examples.ts";
import { sharedOf, type Shared } from "./link.ts";
import { Playground } from "./page.tsx";

async function start(): Promise<void> {
  const root = document.getElementById("page");
  const [first] = EXAMPLES;
  if (root === null || first === undefined) return;
  document.documentElement.dataset["theme"] = initialTheme();
  let shared: Shared | null = null;
  let said: string | null = null;
  try {
    shared = await sharedOf(location.hash);
  } catch (error) {
    said = error instanceof Error ? error.message : String(error);
  }
  render(<Playground initial={shared ?? first} said={said} />, root);
}

void start();
