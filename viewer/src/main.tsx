// Starts the page: reads its data and shows it, or says why it cannot.

import { render } from "preact";
import { App } from "./components/app.tsx";
import { readDocument } from "./document.ts";
import { follow, type Give } from "./live.ts";
import { initialTheme } from "./theme.ts";
import type { PageDocument } from "./types.ts";

const root = document.getElementById("page");
let shown: PageDocument | null = null;
let notice: string | null = null;
let give: Give | null = null;

function draw(): void {
  if (root === null || shown === null) return;
  render(
    <>
      {notice !== null && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <App page={shown} give={give} />
    </>,
    root,
  );
  document.documentElement.dataset["ready"] ??= String(Math.round(performance.now()));
}

function fail(message: string): void {
  if (root !== null) render(<p class="failure">{message}</p>, root);
}

async function start(): Promise<void> {
  document.documentElement.dataset["theme"] = initialTheme();
  try {
    shown = await readDocument(document);
    if (shown === null) {
      fail("This page has no trace yet.");
      return;
    }
    if (shown.live !== true) {
      draw();
      return;
    }
    give = follow(
      (page) => {
        shown = page;
        draw();
      },
      (text) => {
        if (text === notice) return;
        notice = text;
        draw();
      },
    );
    draw();
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

void start();
