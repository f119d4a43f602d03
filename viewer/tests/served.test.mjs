// The page as codexec itself makes it: written by `trace --html`, and served while the program is edited.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { LONG, axe, codexec, launch, open, stepOf, times, withoutCodexec } from "./support.mjs";

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

  test("pages of findings, versions, samples and figures open without a problem", async () => {
    const at = (name) => join(folder, name);
    writeFileSync(at("old.py"), "def half(n: int) -> int:\n    return n // 2\n");
    writeFileSync(at("new.py"), "def half(n: int) -> int:\n    return n // 3\n");
    writeFileSync(at("raises.py"), "empty = []\nprint(sum(empty) / len(empty))\n");
    writeFileSync(at("metrics.jsonl"), '{"step":1,"stage":"s","loss":2.0,"tokens":10,"elapsed":1.0,"skipped":0}\n');
    const commands = [
      [["check", at("raises.py"), "--explain", at("check.html")], "check.html", ".findings li.selected", /ZeroDivisionError/],
      [["diff", at("old.py"), at("new.py"), "--no-packages", "--html", at("diff.html")], "diff.html", ".verdict", /different/],
      [["pretrain", "--report", folder], "report.html", ".report", /Loss of a target token/],
    ];
    for (const [words, page, where, what] of commands) {
      const made = spawnSync(codexec, words, { encoding: "utf8" });
      assert.ok(made.status !== null && made.status < 2, made.stderr);
      const opened = await open(browser, pathToFileURL(at(page)).href);
      assert.match(await opened.page.textContent(where), what);
      assert.deepEqual(opened.problems, []);
      await opened.close();
    }
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

  test("made up values are given others in a served page, by the keyboard alone", async () => {
    const snippet = join(folder, "snippet.py");
    writeFileSync(snippet, "total = 0\nfor row in db.rows():\n    total += row.count\nprint('total', total)\n");
    const server = spawn(codexec, ["view", snippet, "--inject", "--serve", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const address = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data).trim())));
      const context = await browser.newContext();
      const page = await context.newPage();
      const problems = [];
      page.on("console", (message) => problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      await page.goto(address);
      await page.waitForSelector("html[data-ready]");
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
      // What a key does to the focus is done once the page has drawn what the key changed.
      const focusReaches = (label) => page.waitForFunction((wanted) => document.activeElement?.getAttribute("aria-label")?.includes(wanted), label, { timeout: 10_000 });
      const shows = (text) => page.waitForFunction((wanted) => document.body.textContent.includes(wanted), text, { timeout: 10_000 });

      await page.keyboard.press("m");
      await focusReaches("db on line 2 is <StandIn>");
      for (let at = 0; at < 20 && !(await focused()).startsWith(".count on line 3"); at++) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await focusReaches("Value of .count on line 3");
      await page.keyboard.type("five");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".edit-error");
      assert.match(await page.textContent(".edit-error"), /five is no literal of Python/);
      // A refused request is told to the console by the browser.
      assert.ok(problems.every((problem) => problem.includes("400")), problems.join());
      problems.length = 0;
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("5");
      await page.keyboard.press("Enter");
      await shows("total 10");
      await focusReaches(".count on line 3 is 5");
      assert.match(await page.textContent(".edits"), /--set '3:.count=5'/);
      assert.match(await page.textContent("tr.is-given"), /given/);

      await page.click('button[aria-label^="rows() on line 2"]');
      await focusReaches("Value of rows() on line 2");
      assert.equal(await page.inputValue(".edit input"), "", "nothing stands for an object");
      await page.fill(".edit input", "[..., ..., ...]");
      await page.keyboard.press("Enter");
      await shows("total 15");
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document));
      assert.deepEqual(violations.map((one) => one.id), []);

      // A variable that was made up leads to where it is given.
      await page.keyboard.press("Home");
      await page.keyboard.press("n");
      await page.click(".variables button.mark-button");
      await focusReaches("on line 2");
      await page.click('button[aria-label="Reset .count on line 3"]');
      await page.waitForFunction(() => !document.body.textContent.includes("3:.count=5"));
      assert.equal(await page.locator(".edits li").count(), 1);
      await page.click(".edits button:text-is('reset all')");
      await page.waitForFunction(() => document.querySelector(".edits") === null);
      assert.deepEqual(problems, []);
      await context.close();
    } finally {
      server.kill();
    }
  });

  test("a comparison of two traces of 100,000 steps is ready soon, and keys answer at once", async (context) => {
    const long = join(folder, "long.py");
    writeFileSync(long, LONG);
    const page = join(folder, "long.html");
    const limits = ["--max-steps", "100000", "--max-trace", "33554432", "--timeout", "60"];
    const made = spawnSync(codexec, ["trace", long, "--compare", ...limits, "--html", page], { encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    const opened = await open(browser, pathToFileURL(page).href);
    const { ready, slowest } = await times(opened.page);
    assert.match(await opened.page.textContent(".compared"), /no wrong step/);
    assert.match(await opened.page.textContent(".toolbar"), /of 100,000/);
    context.diagnostic(`ready after ${ready} ms, slowest key ${slowest.toFixed(0)} ms`);
    assert.ok(ready < 5000, `ready after ${ready} ms`);
    assert.ok(slowest < 1000, `slowest key ${slowest} ms`);
    assert.deepEqual(opened.problems, []);
    await opened.close();
  });
});
