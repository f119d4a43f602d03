// Puts a page document into the page, as codexec does.
//   node scripts/fill.mjs DOCUMENT.json OUT.html [--plain]
//   node scripts/fill.mjs --trace TRACE.json OUT.html     a page with one tab

import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const MARKER = "<!--codexec:data-->";
const PAGE = join(dirname(dirname(fileURLToPath(import.meta.url))), "../crates/page/src/page.html");

/** The page with a document in it. */
export function fill(page, { plain = false } = {}) {
  const json = JSON.stringify(page);
  const block = plain
    ? `<script id="codexec-data" type="application/json">${json.replaceAll("<", "\\u003c")}</script>`
    : `<script id="codexec-data" type="application/json+gzip">${gzipSync(json).toString("base64")}</script>`;
  return readFileSync(PAGE, "utf8").replace(MARKER, () => block);
}

/** The document of one trace. */
export function documentOf(trace, more = {}) {
  const { tab = {}, ...rest } = more;
  return { version: 1, title: basename(trace.program.id), tabs: [{ label: "trace", trace, ...tab }], ...rest };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const [from, to] = names;
  if (from === undefined || to === undefined) {
    console.error("usage: node scripts/fill.mjs [--trace] [--plain] FROM.json TO.html");
    process.exit(2);
  }
  const json = JSON.parse(readFileSync(from, "utf8"));
  const page = process.argv.includes("--trace") ? documentOf(json) : json;
  writeFileSync(to, fill(page, { plain: process.argv.includes("--plain") }));
}
