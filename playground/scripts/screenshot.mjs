// Makes the picture of docs/playground.md: dist/ with a program that misses things, looked at in Chromium.

import { join } from "node:path";
import { launch, open, repository, served } from "../tests/support.mjs";

const PROGRAM = `import lab

readings = lab.read("today").values
total = 0
for reading in readings:
    if reading > 0:
        total += reading
print("sum", total)

counts = [4, 0]
for count in counts:
    print(100 // count)
`;

const browser = await launch();
const server = await served();
const { page, close } = await open(browser, server.url, { viewport: { width: 1120, height: 600 }, colorScheme: "light" });
await page.click(".editor-file:not([hidden]) .cm-content");
await page.keyboard.press("Control+a");
await page.keyboard.insertText(PROGRAM);
await page.waitForFunction(() => document.documentElement.dataset.predicted === "true", null, { timeout: 60_000 });
await page.waitForSelector(".check-findings[aria-busy=false]", { timeout: 60_000 });
await page.mouse.move(0, 0);
await page.waitForTimeout(600);
await page.screenshot({ path: join(repository, "docs/images/playground.png") });
await close();
await browser.close();
server.close();
