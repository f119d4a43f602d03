// The page in a browser: typing, examples, steps, endless programs, links, accessibility, and that nothing is asked for.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { dist, launch, open, playground, served, withoutChecker, withoutChromium, withoutModule } from "./support.mjs";

const axe = readFileSync(join(playground, "node_modules/axe-core/axe.min.js"), "utf8");

/** Put a program into the editor as one who types does, and wait until it is planned. */
async function type(page, text) {
  const before = await planned(page);
  await page.click(".editor-file:not([hidden]) .cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.waitForFunction((number) => Number(document.documentElement.dataset.planned) > number, before);
}

function planned(page) {
  return page.evaluate(() => Number(document.documentElement.dataset.planned));
}

/** The same, until its findings are there. */
async function check(page, text) {
  await page.waitForSelector(".check-findings[aria-busy=false]", { timeout: 60_000 });
  const before = await page.evaluate(() => Number(document.documentElement.dataset.checked));
  await type(page, text);
  await page.waitForFunction((number) => Number(document.documentElement.dataset.checked) > number, before, { timeout: 60_000 });
  await page.waitForSelector(".check-findings[aria-busy=false]");
}

/** What stands behind a line. */
function behind(page, line) {
  return page.locator(".editor-file:not([hidden]) .cm-line").nth(line - 1).locator(".chip").allTextContents();
}

describe("page", { skip: withoutModule || withoutChecker || withoutChromium }, () => {
  let browser;
  let server;
  before(async () => {
    browser = await launch();
    server = await served();
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  async function opened(work, address = server.url, options = {}) {
    const { page, problems, close } = await open(browser, address, options);
    try {
      await work(page, problems);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  }

  it("shows values as one types, and each step", () =>
    opened(async (page) => {
      await type(page, "total = 0\nfor k in range(4):\n    total += k * k\nprint(total)\n");
      assert.deepEqual(await behind(page, 3), ["total = 14"]);
      assert.deepEqual(await behind(page, 4), ["prints 14"]);
      assert.match(await page.textContent(".output"), /14/);
      await page.keyboard.press("Alt+,");
      await page.keyboard.press("Alt+,");
      await page.waitForSelector(".cm-line.ran:has-text('total += k')");
      await page.click("button[aria-label='First step']");
      assert.deepEqual(await behind(page, 1), ["total = 0"]);
      assert.deepEqual(await behind(page, 3), []);
    }));

  it("keeps the last values while the text does not parse, and says what is wrong under its line", () =>
    opened(async (page) => {
      await type(page, "x = 41\ny = x + 1\n");
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("print(y\n");
      await page.waitForSelector(".error-under");
      assert.match(await page.textContent(".error-under"), /SyntaxError: '\(' was never closed/);
      assert.deepEqual(await behind(page, 2), ["y = 42"]);
      await page.keyboard.press("Backspace");
      await page.keyboard.insertText(")\n");
      await page.waitForSelector(".chip.printed");
      assert.equal(await page.locator(".error-under").count(), 0);
      assert.deepEqual(await behind(page, 3), ["prints 42"]);
    }));

  it("moves values with their lines while the text changes", () =>
    opened(async (page) => {
      await type(page, "x = 1\ny = 2\n");
      await page.keyboard.press("Control+Home");
      await page.keyboard.insertText("(\n");
      await page.waitForSelector(".error-under");
      assert.deepEqual(await behind(page, 3), ["y = 2"]);
    }));

  it("shows the exception that nothing catches under its line", () =>
    opened(async (page) => {
      await type(page, "def half(n):\n    return n / 2\n\nhalf('a')\n");
      assert.match(await page.textContent(".error-under"), /TypeError: unsupported operand/);
      assert.match(await page.textContent(".cm-line.error"), /return n \/ 2/);
    }));

  it("has findings under their lines, which say how probable they are and why", () =>
    opened(async (page) => {
      await check(page, "def mean(values):\n    return sum(values) / len(valus)\n\nages = {'ada': 36}\nprint(ages['bob'])\n");
      const marked = await page.locator(".editor-file:not([hidden]) .cm-lintRange").allTextContents();
      assert.deepEqual(marked, ["valus", "ages['bob']"]);
      assert.equal(await page.locator(".editor-file:not([hidden]) .cm-lint-marker").count(), 2);
      const rows = await page.locator(".check-findings li").allTextContents();
      assert.equal(rows.length, 2);
      assert.match(rows[0], /^line 2 \d+\s*% NameError: name 'valus' is not defined/);
      assert.match(rows[1], /KeyError: 'bob'/);
      await page.hover(".cm-lintRange >> nth=1");
      await page.waitForSelector(".cm-tooltip .finding-tip");
      assert.match(await page.textContent(".finding-sentence"), /KeyError: 'bob'/);
      assert.match(await page.textContent(".finding-evidence"), /% probable, ./);
    }));

  it("leads to findings by keys, from the list and in the editor", () =>
    opened(async (page) => {
      await check(page, "# é\nx = 1\n\ndef f(n):\n    return n + totl\n");
      await page.focus(".check-findings li button");
      await page.keyboard.press("Enter");
      const line = () => page.evaluate(() => {
        const { anchorNode } = document.getSelection();
        return (anchorNode instanceof Element ? anchorNode : anchorNode.parentElement).closest(".cm-line").textContent;
      });
      assert.match(await line(), /return n \+ totl/);
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("F8");
      assert.match(await line(), /return n \+ totl/);
      // What is typed above moves it, and the list still leads there.
      await page.keyboard.press("Control+Home");
      await page.keyboard.insertText("y = (\n");
      await page.click(".check-findings li button");
      assert.match(await line(), /return n \+ totl/);
    }));

  it("lets the network answer where it is asked to, with weights that are loaded then", () =>
    opened(async (page) => {
      const asked = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await type(page, "a = 17\nx = a * 3\n");
      assert.equal(await page.locator(".chip.from-predicted").count(), 0);
      assert.deepEqual(asked.filter((path) => path.endsWith(".safetensors")), []);
      await page.selectOption(".given select", "nothing");
      await page.waitForSelector(".chip.from-predicted", { timeout: 60_000 });
      assert.deepEqual(asked.filter((path) => path.endsWith(".safetensors")), ["/steps.safetensors"]);
      await page.selectOption(".given select", "methods");
      await page.waitForSelector(".chip.from-predicted", { state: "detached" });
      assert.deepEqual(await behind(page, 2), ["x = 51"]);
    }));

  it("has examples, one of which makes up what a missing package gives", () =>
    opened(async (page) => {
      const names = await page.locator("header select option:not([disabled])").allTextContents();
      for (const name of names) {
        const number = await planned(page);
        await page.selectOption("select", { label: name });
        if (name === names[0]) continue;
        await page.waitForFunction((number) => Number(document.documentElement.dataset.planned) > number, number);
      }
      await page.selectOption("select", { label: "A package that is missing" });
      // The example before it has made-up values, too.
      await page.waitForSelector(".made-up:has-text('requests')");
      await page.selectOption("select", { label: "Input and arguments" });
      await page.waitForSelector(".made-up", { state: "detached" });
      assert.match(await page.textContent(".output"), /40\.0/);
    }));

  it("ends an endless loop, and shows its first iterations", () =>
    opened(async (page) => {
      await type(page, "n = 0\nwhile True:\n    n += 1\n");
      assert.match(await page.textContent("header .outcome"), /Stopped at the limit of steps/);
      await page.click("button[aria-label='First step']");
      for (let times = 0; times < 4; times++) await page.click("button[aria-label='Next step']");
      // A step is drawn a moment after the click.
      for (let times = 0; times < 20 && (await behind(page, 3))[0] !== "n = 2"; times++) {
        await page.waitForTimeout(50);
      }
      assert.deepEqual(await behind(page, 3), ["n = 2"]);
      // What is typed next is planned as ever.
      await type(page, "n = 1\n");
      assert.deepEqual(await behind(page, 1), ["n = 1"]);
    }));

  it("makes up undefined names where it is asked to", () =>
    opened(async (page) => {
      await type(page, "print(len(rows))\n");
      assert.match(await page.textContent(".error-under"), /NameError/);
      await page.check("input[type='checkbox']");
      await page.waitForSelector(".made-up");
      assert.match(await page.textContent(".made-up"), /rows/);
    }));

  it("has several files, and shows the one that a step is in", () =>
    opened(async (page) => {
      await page.selectOption("select", { label: "Two files" });
      await page.waitForFunction(() => document.querySelector(".output")?.textContent?.includes("11"));
      assert.deepEqual(await page.locator(".files > button[aria-pressed]").allTextContents(), ["prog.py", "shop.py"]);
      await page.click(".files button:text-is('shop.py')");
      await page.waitForSelector(".editor-file:not([hidden]) .chip:has-text('returns')");
      assert.match((await behind(page, 9)).join(), /returns 11/);
      await page.click("button[aria-label='First step']");
      assert.equal(await page.textContent(".files button[aria-pressed=true]"), "prog.py", "the file follows the step");
      for (let times = 0; times < 3; times++) await page.click("button[aria-label='Next step']");
      await page.waitForSelector("input[aria-label='Name of the file']");
      assert.equal(await page.inputValue("input[aria-label='Name of the file']"), "shop.py");
      assert.equal(await page.locator(".editor-file:not([hidden]) .cm-line.ran").count(), 1);

      // Chromium's own editing carries styles of widgets over, which the policy refuses.
      await page.click(".editor-file:not([hidden]) .cm-content");
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Backspace");
      await type(page, "class Basket:\n    def add(self, name, price):\n        pass\n\n    def total(self):\n        return 99\n");
      await page.waitForFunction(() => document.querySelector(".output")?.textContent?.includes("99"));
      await page.fill("input[aria-label='Name of the file']", "shops.py");
      await page.waitForFunction(() => document.querySelector(".error-under, header .outcome.bad") !== null || document.querySelector(".made-up") !== null);
      await page.click("button[aria-label='Remove shops.py']");
      assert.deepEqual(await page.locator(".files > button[aria-pressed]").allTextContents(), ["prog.py"]);
      await page.click(".files button:text-is('+ file')");
      assert.equal(await page.inputValue("input[aria-label='Name of the file']"), "module.py");
    }));

  it("predicts what is missing, and takes other values in its place, which a link holds", async () => {
    let link = "";
    const predicted = (page) => page.waitForFunction(() => document.documentElement.dataset.predicted === "true", null, { timeout: 60_000 });
    await opened(
      async (page) => {
        await type(page, "import lab\nn = 1\nlimit = lab.read().count\nprint(limit + n)\n");
        await predicted(page);
        assert.match(await page.textContent(".made-up tr[data-line='3']"), /%/);
        await page.click(".made-up button.give[aria-label^='.count on line 3']");
        await page.fill(".edit input", "five");
        await page.keyboard.press("Enter");
        await page.waitForSelector(".edit-error");
        assert.match(await page.textContent(".edit-error"), /five is no literal of Python/);
        await page.fill(".edit input", "5");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => document.querySelector(".output")?.textContent?.includes("6"));
        assert.match(await page.textContent(".edits"), /--set '3:.count=5'/);
        // It keeps its place when lines move.
        await page.click(".editor-file:not([hidden]) .cm-content");
        await page.keyboard.press("Control+Home");
        await page.keyboard.insertText("# a line\n");
        await page.waitForFunction(() => document.querySelector(".edits")?.textContent?.includes("--set '4:.count=5'"));
        assert.deepEqual(await behind(page, 5), ["prints 6"]);
        await page.click("text=Copy link");
        await page.waitForSelector(".notice");
        link = page.url();
      },
      server.url,
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
    await opened(async (page) => {
      await predicted(page);
      assert.match(await page.textContent(".output"), /6/);
      await page.click(".edits button:text-is('reset all')");
      await page.waitForFunction(() => document.querySelector(".edits") === null);
      assert.doesNotMatch(await page.textContent(".output"), /^6$/);
    }, link);
  });

  it("has worlds as tabs", () =>
    opened(async (page) => {
      await page.selectOption("select", { label: "Other worlds" });
      await page.waitForSelector(".tabs button >> nth=1");
      // Values of the predictors may change which world comes first.
      await page.waitForFunction(() => document.documentElement.dataset.predicted === "true", null, { timeout: 60_000 });
      const first = await page.textContent(".output");
      await page.click(".tabs button >> nth=1");
      assert.equal(await page.getAttribute(".tabs button >> nth=1", "aria-pressed"), "true");
      assert.notEqual(await page.textContent(".output"), first);
      assert.ok((await page.locator(".decisions").textContent()).includes("the less likely way"));
    }));

  it("holds the program in a link, which is sent nowhere", async () => {
    let link = "";
    await opened(
      async (page) => {
        await type(page, "word = input()\nprint(word + '€')\n");
        await page.fill("textarea", "élan\n");
        await page.waitForFunction(() => document.querySelector(".output")?.textContent?.includes("élan€"));
        await page.click("text=Copy link");
        await page.waitForSelector(".notice");
        link = page.url();
      },
      server.url,
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
    assert.match(link, /#p=[\w-]+$/);
    await opened(async (page) => {
      assert.match(await page.textContent(".output"), /élan€/);
      assert.equal(await page.inputValue("textarea"), "élan\n");
    }, link);
  });

  it("says that a link cannot be read", () =>
    opened(async (page) => {
      assert.match(await page.textContent(".notice"), /cannot be read/);
    }, `${server.url}#p=nothing`));

  it("works as one file from a disk", () =>
    opened(async (page) => {
      await check(page, "print(6 * 7)\nprint(totl)\n");
      assert.deepEqual(await behind(page, 1), ["prints 42"]);
      assert.match(await page.textContent(".check-findings li"), /NameError/);
      assert.ok(await page.isDisabled(".given select"), "the network's weights are not in it");
    }, pathToFileURL(join(dist, "playground.html")).href));

  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 360, height: 740 }]) {
      it(`has no violations that axe finds, ${colorScheme}, ${viewport.width} px`, () =>
        opened(
          async (page) => {
            await check(page, "def f(n):\n    return 10 // n\n\nfor k in (2, 1, 0):\n    print(f(k))\n");
            await page.click("button[aria-label='Previous step']");
            const width = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(width <= viewport.width, `the page is ${width} px wide`);
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => globalThis.axe.run());
            assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(" ")}`), []);
          },
          server.url,
          // axe is no script of the page.
          { colorScheme, viewport, bypassCSP: true },
        ));
    }
  }

  it("starts again where the planner breaks off, and says so", () =>
    opened(async (page) => {
      await page.click(".editor-file:not([hidden]) .cm-content");
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(`x = ${"-".repeat(30_000)}1\n`);
      await page.waitForSelector(".notice:has-text('started again')");
      await type(page, "x = 3\n");
      assert.deepEqual(await behind(page, 1), ["x = 3"]);
    }));
});
