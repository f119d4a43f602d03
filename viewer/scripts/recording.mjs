// Makes the moving picture of the README: a page of codexec (CODEXEC, else ../target/debug/codexec), used in Chromium.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import UPNG from "upng-js";
import { launch } from "../tests/support.mjs";

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const codexec = process.env.CODEXEC ?? join(repository, "target/debug/codexec");
const folder = mkdtempSync(join(tmpdir(), "codexec-recording-"));
const COLOURS = 128;

const PROGRAM = `import shop

def discount(prices, rate):
    total = 0
    for price in prices:
        total += price * (1 - rate)
    return total

prices = [12, 30, 8]
cheap = prices
cheap.append(50)
rate = shop.rate("spring")
total = discount(prices, rate)
if total > 50:
    print("free shipping", total)
`;

/** What is done, and how long it is looked at, in milliseconds. */
const SCENES = [
  { wait: 900 },
  ...Array.from({ length: 6 }, () => ({ press: "n", wait: 450 })),
  ...Array.from({ length: 4 }, () => ({ press: "n", wait: 350 })),
  { click: 'button.name:text-is("total")', wait: 900 },
  ...Array.from({ length: 6 }, () => ({ press: "n", wait: 350 })),
  { press: "End", wait: 900 },
  { press: "b", wait: 1600 },
  { press: "b", wait: 300 },
  { press: "t", wait: 1400 },
];

writeFileSync(join(folder, "prog.py"), PROGRAM);
const page = join(folder, "trace.html");
const made = spawnSync(codexec, ["trace", "prog.py", "--html", page], { cwd: folder, encoding: "utf8" });
if (made.status !== 0) throw new Error(made.stderr);
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 960, height: 470 }, colorScheme: "light" });
const tab = await context.newPage();
await tab.goto(pathToFileURL(page).href);
await tab.waitForSelector("html[data-ready]");
const frames = [];
const delays = [];
for (const scene of SCENES) {
  if (scene.press !== undefined) await tab.keyboard.press(scene.press);
  if (scene.click !== undefined) await tab.click(scene.click);
  await tab.mouse.move(0, 0);
  await tab.waitForTimeout(150);
  const path = join(folder, "frame.png");
  await tab.screenshot({ path });
  const image = UPNG.decode(readFileSync(path));
  frames.push(UPNG.toRGBA8(image)[0]);
  delays.push(scene.wait);
}
await browser.close();
const target = join(repository, "docs/images/view.png");
writeFileSync(target, Buffer.from(UPNG.encode(frames, 960, 470, COLOURS, delays)));
console.log(`docs/images/view.png: ${frames.length} pictures, ${statSync(target).size.toLocaleString("en")} bytes`);
