// Writes crates/page/src/page.html: the page with its script and style inlined, and their hashes as its policy.
// The bytes depend on the sources and the pinned packages only.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MARKER = "<!--codexec:data-->";

const bundle = await build({
  entryPoints: [join(root, "src/main.tsx")],
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
  define: { "process.env.LOG": "undefined" },
});
const script = bundle.outputFiles[0].text.trim();
const css = await transform(readFileSync(join(root, "src/style.css"), "utf8"), { loader: "css", minify: true, target: "es2022" });
const style = css.code.trim();
for (const text of [script, style]) {
  if (/<\/(script|style)/i.test(text) || text.includes(MARKER)) throw new Error("the bundle would end its element");
}

/** Who wrote what the page contains, as their licence asks: one text, and a line for each package. */
function licences() {
  const lines = ["preact", "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/python"].map((name) => {
    const text = readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8");
    const holder = /^Copyright .*$/m.exec(text);
    if (holder === null || !text.includes("MIT")) throw new Error(`the licence of ${name} is another one`);
    return `${name}: ${holder[0].trim()}`;
  });
  const mit = readFileSync(join(root, "node_modules/@lezer/common/LICENSE"), "utf8");
  const comment = `${lines.join("\n")}\n\n${mit.slice(mit.indexOf("Permission is")).trim()}`;
  if (comment.includes("--")) throw new Error("the licences would end their comment");
  return comment;
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const page = `<!DOCTYPE html>
<!--
This page contains, under the MIT license:
${licences()}
-->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>codexec</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
${MARKER}
<script>${script}</script>
</body>
</html>
`;
const target = join(root, "../crates/page/src/page.html");
writeFileSync(target, page);
console.log(`crates/page/src/page.html: ${Buffer.byteLength(page).toLocaleString("en")} bytes`);
