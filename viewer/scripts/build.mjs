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
  metafile: true,
  define: { "process.env.LOG": "undefined" },
});
const script = bundle.outputFiles[0].text.trim();
const css = await transform(readFileSync(join(root, "src/style.css"), "utf8"), { loader: "css", minify: true, target: "es2022" });
const style = css.code.trim();
for (const text of [script, style]) {
  if (/<\/(script|style)/i.test(text) || text.includes(MARKER)) throw new Error("the bundle would end its element");
}

const MIT = ["preact", "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/python"];
const ISC = ["d3-array", "d3-color", "d3-format", "d3-interpolate", "d3-path", "d3-scale", "d3-shape", "d3-time", "d3-time-format", "internmap"];

/** Who wrote what the page contains, as their licences ask: each text once, and a line for each package. */
function licences() {
  const text = (name) => readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8");
  const part = (title, names, mark, begin) => {
    const lines = names.map((name) => {
      const holder = /^Copyright .*$/m.exec(text(name));
      if (holder === null || !text(name).includes(mark)) throw new Error(`the licence of ${name} is another one`);
      return `${name}: ${holder[0].trim()}`;
    });
    const whole = text(names[0] === "preact" ? "@lezer/common" : names[0]);
    return `Under the ${title} license:\n${lines.join("\n")}\n\n${whole.slice(whole.indexOf(begin)).trim()}`;
  };
  const comment = [
    part("MIT", MIT, "MIT", "Permission is"),
    part("ISC", ISC, "Permission to use, copy, modify", "Permission to use"),
  ].join("\n\n");
  if (comment.includes("--")) throw new Error("the licences would end their comment");
  return comment;
}

/** What the bundle has of packages is what the licences name. */
const bundled = new Set(
  Object.keys(bundle.metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.slice(1) ?? []),
);
for (const name of bundled) {
  if (![...MIT, ...ISC].includes(name)) throw new Error(`the licence of ${name} is not in the page`);
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
This page contains the following.
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
