// The page as codexec itself makes it: written by `trace --html`, and served while the program is edited.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { codexec, launch, open, stepOf, withoutCodexec } from "./support.mjs";

describe("codexec's own pages", { skip: withoutCodexec }, () => {
  let browser;
  const folder = mkdtempSync(join(tmpdir(), "codexec-served-"));
  const program = join(folder, "prog.py");
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  test("a written page shows the trace", async () => {
    writeFileSync(program, "total = 0\nfor k in range(3):\n    total += k\nprint(total)\n");
    const page = join(folder, "trace.html");
    const made = spawnSync(codexec, ["trace", program, "--html", page], { encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    const opened = await open(browser, pathToFileURL(page).href);
    await opened.page.keyboard.press("End");
    assert.match(await opened.page.textContent(".variables"), /total=computed3/);
    assert.match(await opened.page.textContent(".outcome"), /Finished/);
    assert.deepEqual(opened.problems, []);
    await opened.close();
  });

  test("a served page follows the program, and says what is wrong with it", async () => {
    writeFileSync(program, "x = 1\ny = 2\n");
    const server = spawn(codexec, ["view", program, "--serve", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const address = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data).trim())));
      const context = await browser.newContext();
      const page = await context.newPage();
      const problems = [];
      page.on("console", (message) => problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      await page.goto(address);
      await page.waitForSelector("html[data-ready]");
      await page.keyboard.press("n");
      assert.equal(await stepOf(page), 2);

      writeFileSync(program, "x = 1\ny = 20\nprint(y)\n");
      await page.waitForFunction(() => document.body.textContent.includes("of 3"), undefined, { timeout: 10_000 });
      assert.equal(await stepOf(page), 2, "the step stays");
      assert.match(await page.textContent(".variables"), /y=computed20/);

      writeFileSync(program, "x = (\n");
      await page.waitForSelector(".notice", { timeout: 10_000 });
      assert.match(await page.textContent(".source"), /y = 20/, "the last good page stays");
      writeFileSync(program, "x = 5\n");
      await page.waitForFunction(() => document.querySelector(".notice") === null, undefined, { timeout: 10_000 });
      assert.deepEqual(problems, []);

      server.kill();
      await page.waitForSelector(".notice", { timeout: 10_000 });
      assert.match(await page.textContent(".notice"), /not served any more/);
      await context.close();
    } finally {
      server.kill();
    }
  });
});
