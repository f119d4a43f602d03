// Makes the pictures of docs/view.md: pages of codexec (CODEXEC, else ../target/debug/codexec), looked at in Chromium.

import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch } from "../tests/support.mjs";

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const codexec = process.env.CODEXEC ?? join(repository, "target/debug/codexec");
const folder = mkdtempSync(join(tmpdir(), "codexec-pictures-"));

const SNIPPET = `total = 0
for row in db.rows(limit=3):
    if row.kind == "sale":
        total += row.count
with lock:
    answer = client.post(url, json={"total": total}).status
print(total, answer)
`;
const ALIASES = `class Node:
    def __init__(self, value, parent=None):
        self.value = value
        self.children = []
        if parent:
            parent.children.append(self)

root = Node("a")
leaf = Node("b", root)
names = [root.value, leaf.value]
alias = names
alias.append("c")
pair = (root, alias)
`;

/** Each picture: its program, options of \`trace\`, the keys that are pressed, the theme. */
const PICTURES = {
  "view-steps": { program: "examples/08_swap_sort.py", keys: ["/", ..."a changed", "Enter", "Escape", ..."nnnnnnnn"], click: "a" },
  "view-compare": { program: "examples/08_swap_sort.py", options: ["--whole", "--compare"], keys: ["d"] },
  "view-worlds": { text: SNIPPET, name: "snippet.py", options: ["--inject", "--beam", "8"], keys: [..."nnn"] },
  "view-objects": { text: ALIASES, name: "tree.py", keys: ["End", "b"], theme: "dark" },
};

const browser = await launch();
for (const [name, picture] of Object.entries(PICTURES)) {
  let program = picture.program;
  let cwd = repository;
  if (picture.text !== undefined) {
    cwd = folder;
    program = picture.name;
    writeFileSync(join(folder, program), picture.text);
  }
  const page = join(folder, `${name}.html`);
  const made = spawnSync(codexec, ["trace", program, "--html", page, ...(picture.options ?? [])], { cwd, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`${name}: ${made.stderr}`);
  const context = await browser.newContext({ viewport: { width: 1120, height: 480 }, colorScheme: picture.theme ?? "light" });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForSelector("html[data-ready]");
  for (const key of picture.keys) await tab.keyboard.press(key);
  if (picture.click !== undefined) await tab.click(`button.name:text-is("${picture.click}")`);
  await tab.mouse.move(0, 0);
  await tab.waitForTimeout(400);
  await tab.screenshot({ path: join(repository, `docs/images/${name}.png`) });
  await context.close();
}
await browser.close();
