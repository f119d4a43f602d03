// What the tests share: the module in node, traces of the binary, a server of dist/, and a browser.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";

export const playground = dirname(dirname(fileURLToPath(import.meta.url)));
export const repository = dirname(playground);
export const dist = join(playground, "dist");
export const output = join(playground, "test-output");
mkdirSync(output, { recursive: true });

export const codexec = process.env.CODEXEC ?? join(repository, "target/debug/codexec");
export const chromiumPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Reasons to skip what needs something, or false. */
const without = (name) => (existsSync(join(dist, name)) ? false : `there is no dist/${name}; run build.sh`);
export const withoutModule = without("planner.wasm");
export const withoutChecker = without("checker.wasm");
export const withoutCodexec = existsSync(codexec) ? false : `there is no codexec at ${codexec}; set CODEXEC`;
export const withoutChromium = existsSync(chromiumPath) ? false : `there is no browser at ${chromiumPath}; set CHROMIUM`;

/** A module of the page for tests without a browser. */
export async function source(name) {
  const to = join(output, `${name}.mjs`);
  await build({
    entryPoints: [join(playground, "src", name)],
    absWorkingDir: playground,
    bundle: true,
    format: "esm",
    outfile: to,
    logLevel: "error",
  });
  return import(pathToFileURL(to).href);
}

const { Planner, Trapped } = await source("module.ts");
export { Trapped };

const compiled = new Map();

async function instance(name) {
  if (!compiled.has(name)) compiled.set(name, WebAssembly.compile(readFileSync(join(dist, name))));
  return Planner.of(await compiled.get(name));
}

/** A new instance of the planner. */
export function planner() {
  return instance("planner.wasm");
}

/** A new instance of the checker; with the network where it is asked for. */
export async function checker(withNetwork = false) {
  const made = await instance("checker.wasm");
  if (withNetwork) made.learn(readFileSync(join(dist, "steps.safetensors")));
  return made;
}

/** What the binary makes of a text that stands alone: without a folder of its own, as in the module. */
export function traced(text, options = []) {
  const { stdout, stderr } = spawnSync(codexec, ["trace", "-", "--format", "json", "--states", "changes", "--references", ...options], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    input: text,
    cwd: output,
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** What the binary finds in a text that stands alone. */
export function found(text, options = []) {
  const { stdout, stderr } = spawnSync(codexec, ["check", "-", "--json", ...options], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    input: text,
    cwd: output,
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).files[0];
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** dist/ as a static server has it; its address, and how it is closed. */
export async function served() {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname.slice(1) || "index.html";
    const path = join(dist, name);
    if (name.includes("/") || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export function launch() {
  return chromium.launch({
    executablePath: chromiumPath,
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

/** Open a page and collect what must not happen: errors, dialogs, requests to elsewhere. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  const { origin } = new URL(url);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const asked = request.url();
    const own = url.startsWith("file:") ? asked === url.replace(/#.*$/, "") : asked.startsWith(`${origin}/`);
    if (!own && !/^(data|blob):/.test(asked)) problems.push(`request: ${asked}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-planned]:not([data-planned='0'])");
  return { page, problems, close: () => context.close() };
}
