// Writes dist/: the page with its files beside it (index.html), and the same as one file that works from a disk
// (playground.html). The modules are dist/planner.wasm and dist/checker.wasm, which build.sh made.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
mkdirSync(dist, { recursive: true });

/** The viewer's files are bundled with the packages of this page: there must be one preact. */
const packages = ["preact", "@lezer/common", "@lezer/highlight", "@lezer/python"];
const alias = Object.fromEntries(packages.map((name) => [name, join(root, "node_modules", name)]));

/** Packages of which the bundles have something. */
const contained = new Set();

async function bundled(entry) {
  const result = await build({
    entryPoints: [join(root, "src", entry)],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    alias,
    metafile: true,
    define: { "process.env.LOG": "undefined" },
  });
  for (const path of Object.keys(result.metafile.inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (name !== undefined) contained.add(name);
  }
  const text = result.outputFiles[0].text.trim();
  if (/<\/(script|style)/i.test(text)) throw new Error(`${entry}: the bundle would end its element`);
  return text;
}

/** Who wrote what the page contains, as their licence asks. */
function licences() {
  const names = [...contained].sort();
  const lines = names.map((name) => {
    const text = readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8");
    const holder = /^Copyright .*$/m.exec(text);
    if (holder === null || !/MIT|Permission is hereby granted, free of charge/.test(text)) {
      throw new Error(`the licence of ${name} is another one`);
    }
    return `${name}: ${holder[0].trim()}`;
  });
  const mit = readFileSync(join(root, "node_modules/@lezer/common/LICENSE"), "utf8");
  const text = `${lines.join("\n")}\n\n${mit.slice(mit.indexOf("Permission is")).trim()}`;
  if (text.includes("--")) throw new Error("the licences would end their comment");
  return text;
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
// The style that CodeMirror adds has this nonce. Nothing of a program ever becomes markup, so it need not be secret.
const NONCE = "'nonce-codexec'";

function html(policy, head, body) {
  return `<!DOCTYPE html>
<!--
This page contains, under the MIT license:
${licences()}
-->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="Type Python and see its planned execution. Nothing is executed, and nothing is sent anywhere.">
<title>codexec playground</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
<div id="page"></div>
${body}
</body>
</html>
`;
}

const script = await bundled("main.tsx");
const worker = await bundled("worker.ts");
const style = await bundled("style.css");
/** What the page that is one file holds of those beside the other one; the network is too large for it. */
const inlined = ["planner.wasm", "checker.wasm"].map((name) => {
  const packed = gzipSync(readFileSync(join(dist, name)), { level: 9 }).toString("base64");
  return `<script id="codexec-${name}" type="application/wasm+gzip">${packed}</script>`;
});
const always = ["default-src 'none'", "img-src data:", "base-uri 'none'", "form-action 'none'"];

const files = {
  "app.js": script,
  "worker.js": worker,
  "app.css": style,
  "index.html": html(
    [
      ...always,
      "script-src 'self' 'wasm-unsafe-eval'",
      `style-src 'self' ${NONCE}`,
      "worker-src 'self'",
      "connect-src 'self'",
    ],
    '<link rel="stylesheet" href="app.css">',
    '<script src="app.js"></script>',
  ),
  "playground.html": html(
    [
      ...always,
      `script-src ${hash(script)} 'wasm-unsafe-eval'`,
      `style-src ${hash(style)} ${NONCE}`,
      "worker-src blob:",
    ],
    `<style>${style}</style>`,
    [
      `<script id="codexec-worker" type="text/plain">${worker}</script>`,
      ...inlined,
      `<script>${script}</script>`,
    ].join("\n"),
  ),
};
for (const [name, text] of Object.entries(files)) {
  writeFileSync(join(dist, name), text);
  console.log(`dist/${name}: ${Buffer.byteLength(text).toLocaleString("en")} bytes, ${gzipSync(text).length.toLocaleString("en")} as gzip`);
}
