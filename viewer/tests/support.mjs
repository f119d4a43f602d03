// What the tests share: traces by the codexec that is named by CODEXEC, pages of them, and a browser.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { fill } from "../scripts/fill.mjs";

export const viewer = dirname(dirname(fileURLToPath(import.meta.url)));
export const repository = dirname(viewer);
const output = join(viewer, "test-output");
mkdirSync(output, { recursive: true });

export const codexec = process.env.CODEXEC ?? join(repository, "target/debug/codexec");

export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A program of more than 100,000 steps. */
export const LONG = "best = 0\nfor n in range(1, 100000):\n    best = max(best, n % 97)\n    if best > 95:\n        best = 0\n";

/** The reason to skip what needs codexec, or false. */
export const withoutCodexec = existsSync(codexec) ? false : `there is no codexec at ${codexec}; set CODEXEC`;

/** The trace of a file, or of a text. */
export function trace(program, options = [], name = "prog.py") {
  let path = program;
  if (program.includes("\n")) {
    path = join(output, name);
    writeFileSync(path, program);
  }
  // A program that fails is a trace, too: its status is not asked for.
  const { stdout } = spawnSync(codexec, ["trace", path, "--format", "json", "--references", ...options], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
    cwd: output,
  });
  return JSON.parse(stdout);
}

export function run(program, options = [], name = undefined) {
  return trace(program, ["--engine", "run", "--states", "changes", ...options], name);
}

/** Write a page and return its address. */
export function pageFile(name, document, options) {
  const path = join(output, `${name}.html`);
  writeFileSync(path, fill(document, options));
  return pathToFileURL(path).href;
}

/** A module of the page for tests without a browser. */
export async function module(name) {
  const to = join(output, `${name}.mjs`);
  await build({
    entryPoints: [join(viewer, "src", `${name}.ts`)],
    absWorkingDir: viewer,
    bundle: true,
    format: "esm",
    outfile: to,
    logLevel: "error",
    define: { "process.env.LOG": "undefined" },
  });
  return import(pathToFileURL(to).href);
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Open a page and collect what must not happen: errors, dialogs, requests to anywhere. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|data|about):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return { page, problems, close: () => context.close() };
}

/** The number of the step that the page shows. */
export async function stepOf(page) {
  return Number(await page.inputValue(".step-number input"));
}

/** Milliseconds until a page was ready, and until it had answered the slowest of some keys. */
export async function times(page) {
  const ready = Number(await page.getAttribute("html", "data-ready"));
  const slowest = await page.evaluate(async () => {
    let most = 0;
    for (const key of ["ArrowRight", "End", "ArrowLeft", "Home", "c", "o", "d", "e", "u"]) {
      const began = performance.now();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      most = Math.max(most, performance.now() - began);
    }
    return most;
  });
  return { ready, slowest };
}
