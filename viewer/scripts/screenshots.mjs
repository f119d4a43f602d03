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

const SHOP = `"""Prices of a shop."""

STOCK = {"pen": 3, "ink": 0}


def mean(values: list[int]) -> float:
    total = 0
    for value in values:
        total += value
    return total / len(values)


orders = []
for name, count in STOCK.items():
    if count > 5:
        orders.append(count)
print("orders", orders)
print(mean(orders))
`;
const MEAN = `def mean(values: list[int]) -> float:
    total = 0
    for value in values:
        total += value
    return total / len(values)
`;
const GUARDED = MEAN.replace("    return", "    if not values:\n        return 0\n    return");

/** Each picture: its program or its files, the command that makes the page, the keys that are pressed, the theme. */
const PICTURES = {
  "view-steps": { program: "examples/08_swap_sort.py", keys: ["/", ..."a changed", "Enter", "Escape", ..."nnnnnnnn"], click: "a" },
  "view-compare": { program: "examples/08_swap_sort.py", options: ["--whole", "--compare"], keys: ["d"] },
  "view-worlds": { files: { "snippet.py": SNIPPET }, program: "snippet.py", options: ["--inject", "--beam", "8"], keys: [..."nnn"] },
  "view-objects": { files: { "tree.py": ALIASES }, program: "tree.py", keys: ["End", "b"], theme: "dark" },
  "view-findings": { files: { "shop.py": SHOP }, command: ["check", "shop.py", "--explain"], statuses: [1] },
  "view-versions": {
    files: { "old.py": MEAN, "new.py": GUARDED },
    command: ["diff", "old.py", "new.py", "--no-packages", "--html"],
    statuses: [1],
    theme: "dark",
  },
  "view-figures": {
    before: [["data", "traces", join(repository, "examples"), "--out", "examples.jsonl"]],
    files: {},
    command: ["eval", "--data", "examples.jsonl", "--whole", "--html"],
    height: 780,
  },
  // A minute of training: the report is the page.
  "view-training": {
    before: [
      ["data", "singleline", "--count", "2000", "--seed", "1", "--out", "steps.jsonl"],
      ["data", "singleline", "--count", "200", "--seed", "2", "--out", "valid.jsonl"],
      [
        ...["pretrain", "--config", join(repository, "curriculum/stages/tiny.toml"), "--budget", "steps=200", "--out", "run"],
        ...["--data", "singleline=steps.jsonl", "--data", "programs=steps.jsonl", "--valid", "singleline=valid.jsonl"],
      ],
    ],
    files: {},
    made: "run/report.html",
    height: 780,
  },
};

// Names of pictures after the command make these alone.
const wanted = process.argv.slice(2);
const browser = await launch();
for (const [name, picture] of Object.entries(PICTURES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const cwd = picture.files === undefined ? repository : folder;
  for (const [file, text] of Object.entries(picture.files ?? {})) writeFileSync(join(folder, file), text);
  const page = join(folder, picture.made ?? `${name}.html`);
  const codex = (words, statuses) => {
    const made = spawnSync(codexec, words, { cwd, encoding: "utf8" });
    if (!statuses.includes(made.status)) throw new Error(`${name}: ${made.stderr}`);
  };
  for (const words of picture.before ?? []) codex(words, [0]);
  const command = picture.command ?? ["trace", picture.program, ...(picture.options ?? []), "--html"];
  if (picture.made === undefined) codex([...command, page], picture.statuses ?? [0]);
  const context = await browser.newContext({ viewport: { width: 1120, height: picture.height ?? 480 }, colorScheme: picture.theme ?? "light" });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForSelector("html[data-ready]");
  for (const key of picture.keys ?? []) await tab.keyboard.press(key);
  if (picture.click !== undefined) await tab.click(`button.name:text-is("${picture.click}")`);
  await tab.mouse.move(0, 0);
  await tab.waitForTimeout(400);
  await tab.screenshot({ path: join(repository, `docs/images/${name}.png`) });
  await context.close();
}
await browser.close();
